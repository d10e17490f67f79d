import { loadContract } from '../../src/contract/load/load.ts'
import { isObject, tryParseJson } from '../../src/base/formats/json.ts'
import { inlineSourceFile, readPackaged } from '../../src/base/formats/source-file.ts'
import { readHar } from '../../src/truth/recordings/read-har.ts'
import { createSecretRemover } from '../../src/truth/recordings/remove-secrets.ts'
import type { Target } from '../../src/truth/recordings/target.ts'
import { harEntryOf } from '../../src/truth/recordings/write-har.ts'
import type { RecordedExchange } from '../../src/truth/recordings/recorded-exchange.ts'
import type { Chance } from './random-settings.ts'

export interface SessionOptions {
  readonly target: Target
  readonly chance: Chance
  readonly key: string
  readonly keyHeader: string
  readonly fileSet: string
  /** A client that waits half a second between requests sends 600 in five minutes. */
  readonly requests: number
}

/**
 * What a browser would record while a user tries out a client of the service: folders that are opened, lists that are sorted, filtered
 * and walked, report schedules that are made and changed, and now and then a request that is a mistake.
 */
export async function recordSession(options: SessionOptions): Promise<readonly RecordedExchange[]> {
  const { chance, requests } = options
  const client = createClient(options)
  while (client.recorded.length < requests) {
    const step = pick(chance() < 0.6 ? SEARCHES : SCHEDULES, chance)
    await step(client, chance)
  }
  const removeSecrets = createSecretRemover(loadContract(readPackaged('spec/openapi.yaml')))
  const entries = client.recorded.map((exchange) => harEntryOf(removeSecrets(exchange), 'https://api.example.com'))
  const archive = JSON.stringify({ log: { version: '1.2', entries } })
  return readHar(inlineSourceFile(JSON.parse(archive), 'session.har'))
}

interface Client {
  readonly fileSet: string
  readonly keyHeader: string
  readonly recorded: RecordedExchange[]
  readonly seen: Entry[]
  readonly ids: unknown[]
  token: string | undefined
  /** The search that the token is of. */
  last: { readonly query: Query; readonly body: unknown }
  search(query: Query, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<void>
  /** Any other address, with a search for everything as the body of a POST. */
  open(path: string, method: 'GET' | 'POST'): Promise<void>
  create(body: unknown): Promise<void>
  update(id: unknown, body: unknown): Promise<void>
}

type Query = Readonly<Record<string, string>>
type Step = (client: Client, chance: Chance) => Promise<void>
type Entry = Readonly<Record<string, unknown>>

/** What every request of a browser has. */
const BROWSER = { Accept: '*/*', 'Accept-Encoding': 'gzip, deflate, br', Origin: 'http://localhost:3000' }

interface Received {
  readonly files?: readonly Entry[]
  readonly pageContext?: { readonly next?: string | null }
  readonly id?: unknown
}

function createClient({ target, fileSet, key, keyHeader }: SessionOptions): Client {
  const recorded: RecordedExchange[] = []
  const send = async (method: string, path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const fields = { [keyHeader]: key, 'Content-Type': 'application/json', ...BROWSER, ...headers }
    const exchange = await target.send({
      method,
      url: path,
      headers: Object.entries(fields).map(([name, value]) => ({ name, value })),
      body: method === 'GET' ? undefined : typeof body === 'string' ? body : JSON.stringify(body ?? {}),
    })
    recorded.push(exchange)
    const received = tryParseJson(exchange.response.body)
    return isObject(received) ? (received as Received) : {}
  }
  const client: Client = {
    keyHeader,
    fileSet,
    recorded,
    seen: [],
    ids: [],
    token: undefined,
    last: { query: {}, body: {} },
    async search(query, body = {}, headers = {}) {
      const text = new URLSearchParams(query).toString()
      const path = `/api/files/v1/filesets/${fileSet}/files/search${text === '' ? '' : `?${text}`}`
      const { files = [], pageContext } = await send('POST', path, body, headers)
      client.seen.push(...files)
      client.token = pageContext?.next ?? undefined
      client.last = { query, body }
    },
    async open(path, method) {
      await send(method, path, undefined)
    },
    async create(body) {
      const { id } = await send('POST', '/api/content/v1/reportschedules', body)
      if (id !== undefined) client.ids.push(id)
    },
    async update(id, body) {
      await send('PUT', `/api/content/v1/reportschedules/${String(id)}`, body)
    },
  }
  return client
}

function pick<Item>(items: readonly Item[], chance: Chance): Item {
  // Undefined may be one of the items.
  return items[Math.floor(chance() * items.length)] as Item
}

const LIMITS = [
  '1',
  '2',
  '5',
  '10',
  '25',
  '50',
  '100',
  '200',
  '1000',
  '0',
  '-1',
  'abc',
  '',
  '1.5',
  '100000',
  '3000000000',
]
const OPERATORS = [
  'LIKE',
  'LIKE',
  'EQUALS',
  'EQUALS',
  'IN',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL',
  'IS_NULL',
  undefined,
]
const FIELDS = ['name', 'name', 'path', 'size', 'created', 'createdBy', 'fileType', 'connectorKey', 'colour']
const ORDERS = ['ASC', 'DESC', 'asc', undefined]

/** Something of an entry that the client has shown. */
function valueOf(client: Client, field: string, chance: Chance): unknown {
  const { [field]: value = 'report' } = client.seen.length > 0 ? pick(client.seen, chance) : {}
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const way = chance()
  if (way < 0.5) return text
  if (way < 0.65) return text.slice(1, Math.max(2, text.length - 2))
  if (way < 0.75) return text.toUpperCase()
  if (way < 0.85) return `${text.slice(0, 2)}%`
  return way < 0.9 ? Number(text) || 7 : text.replace(/.$/, '_')
}

function filter(client: Client, chance: Chance): unknown {
  const [field, operator] = [pick(FIELDS, chance), pick(OPERATORS, chance)]
  const value = Array.from({ length: pick([1, 1, 1, 1, 2, 0], chance) }, () => valueOf(client, field, chance))
  return { field, ...(operator === undefined ? {} : { operator }), value, ...(chance() < 0.15 ? { not: true } : {}) }
}

function dateFilter(client: Client, chance: Chance): unknown {
  const [start, end] = [valueOf(client, 'created', () => 0), valueOf(client, 'created', () => 0)]
  return { field: 'created', ...(chance() < 0.8 ? { start } : {}), ...(chance() < 0.5 ? { end } : { end: null }) }
}

/** What a form for dates may send. */
const DATES: readonly Readonly<Record<string, unknown>>[] = [
  { start: '2026-01-15T10:20:30.250Z', end: null },
  { start: '2026-01-15T11:20:30.250+01:00', end: null },
  { start: 1_768_472_430_250, end: null },
  { start: '2026-01-16', end: null },
  { start: '2026-02-30T00:00:00Z', end: null },
  { start: '2026-01-15T10:40:00Z', end: '2026-01-15T10:20:00Z' },
  { end: '2026-01-15T10:20:30.250Z' },
]

function directory(client: Client, chance: Chance): string {
  const { path = 'reports' } = client.seen.length > 0 ? pick(client.seen, chance) : {}
  const parent = String(path).replace(/\/?[^/]*$/, '')
  return pick(
    [
      parent,
      parent,
      parent,
      `/${parent}/`,
      parent.toUpperCase(),
      String(path),
      'no/such',
      `${parent}/..`,
      parent.slice(0, -1),
      '',
    ],
    chance,
  )
}

const SEARCHES: readonly Step[] = [
  (client) => client.search({}),
  (client, chance) => client.search({ limit: pick(LIMITS, chance) }),
  (client, chance) => client.search({ directoryPath: directory(client, chance) }),
  (client, chance) =>
    client.search({
      directoryPath: directory(client, chance),
      immediateChildren: pick(['true', 'true', 'false', 'TRUE'], chance),
    }),
  (client) => client.search({ immediateChildren: 'true' }),
  (client, chance) => client.search({}, { filters: [filter(client, chance)] }),
  (client, chance) => client.search({}, { filters: [filter(client, chance)] }),
  (client, chance) => client.search({}, { filters: [filter(client, chance), filter(client, chance)] }),
  (client, chance) => client.search({}, { fieldSort: [{ field: pick(FIELDS, chance), order: pick(ORDERS, chance) }] }),
  (client, chance) =>
    client.search(
      {},
      {
        fieldSort: [
          { field: 'name', order: 'ASC' },
          { field: pick(FIELDS, chance), order: 'DESC' },
        ],
      },
    ),
  (client, chance) => client.search({}, { dateFilters: [dateFilter(client, chance)] }),
  (client, chance) => client.search({}, { dateFilters: [{ field: 'created', ...pick(DATES, chance) }] }),
  async (client, chance) => {
    const limit = pick(['2', '10', '50', '100'], chance)
    await client.search({ limit })
    for (let page = 0; page < 12 && client.token !== undefined && client.token !== ''; page++)
      await client.search({ limit, next: client.token })
  },
  async (client, chance) => {
    if (client.token === undefined || client.token === '') return
    const { query, body } = client.last
    await client.search(
      { ...query, next: client.token },
      pick([body, {}, { filters: [filter(client, chance)] }], chance),
    )
  },
  (client, chance) => {
    const search = `/api/files/v1/filesets/${client.fileSet}/files/search`
    const typos = [
      `${search}/`,
      `${search}?limit=1&limit=50`,
      search.replace(/.\/files/, 'x/files'),
      `${search}?directoryPath=100%`,
    ]
    return chance() < 0.2 ? client.open(search, 'GET') : client.open(pick(typos, chance), 'POST')
  },
  (client, chance) => client.search({ next: pick(['undefined', 'null', '', 'abc'], chance) }),
  (client, chance) => client.search(pick([{ colour: 'red' }, { page: '2' }], chance)),
  (client, chance) => client.search({}, pick(['', '{"filters":null}', '{"filters":[', '[]', '{"colour":1}'], chance)),
  (client, chance) =>
    client.search(
      {},
      {},
      pick([{ Accept: 'text/html' }, { 'Content-Type': 'text/plain' }, { [client.keyHeader]: '' }], chance),
    ),
]

/** A whole create, as a form sends it. */
const FORM = {
  title: 'Costs',
  pageId: 1,
  viewId: 2,
  schedule: {
    frequency: 'WEEKLY',
    daysToRun: 'MON',
    hourOfDay: 8,
    minOfHour: 0,
    timezone: 'Europe/Berlin',
    enabled: true,
    additionalRecipients: [] as readonly unknown[],
  },
  attachmentInclude: false,
}

/** What a user changes in the form, or forgets: members of the form, or of its schedule. */
const CHANGES: readonly Readonly<Record<string, unknown>>[] = [
  ...[' spaces ', '', null, 5, 'x'.repeat(2000)].map((title) => ({ title })),
  ...[999_999, -1, '1', undefined].map((pageId) => ({ pageId })),
  ...[3, 0, undefined].map((viewId) => ({ viewId })),
  ...[true, null, 'true', undefined].map((attachmentInclude) => ({ attachmentInclude })),
  { title: undefined },
  { colour: 'red' },
]

const SCHEDULE_CHANGES: readonly Readonly<Record<string, unknown>>[] = [
  ...['DAILY', 'YEARLY', undefined].map((frequency) => ({ frequency })),
  ...['FRI', 'MON,WED', '15', 'mon', undefined].map((daysToRun) => ({ daysToRun })),
  ...['1', '28', '31', '1,15', 'MON'].map((daysToRun) => ({ frequency: 'MONTHLY', daysToRun })),
  ...[12, '8', 24, 8.5, undefined].map((hourOfDay) => ({ hourOfDay })),
  ...[30, 60, undefined].map((minOfHour) => ({ minOfHour })),
  ...['America/New_York', 'UTC', 'US/Eastern', 'EST', 'Mars/Olympus', undefined].map((timezone) => ({ timezone })),
  ...[false, undefined, null].map((enabled) => ({ enabled })),
  ...[
    undefined,
    null,
    [{ type: 'EMAIL', value: 'a@example.com' }],
    [{ type: 'EMAIL', value: 'nobody' }],
    [{ type: 'USER', value: '1' }],
    [{ type: 'USER', value: 1 }],
    [{ type: 'USER', value: '424242' }],
    [{ type: 'GROUP', value: '7' }],
    [
      { type: 'EMAIL', value: 'a@example.com' },
      { type: 'EMAIL', value: 'a@example.com' },
    ],
  ].map((additionalRecipients) => ({ additionalRecipients })),
  { startDate: 1_900_000_000_000 },
]

/** The form with one change, or with two now and then. */
function info(chance: Chance): Readonly<Record<string, unknown>> {
  const [inForm, inSchedule] = pick(
    [
      [0, 0],
      [1, 0],
      [0, 1],
      [0, 1],
      [1, 1],
    ] as const,
    chance,
  )
  const schedule = { ...FORM.schedule, ...(inSchedule === 1 ? pick(SCHEDULE_CHANGES, chance) : {}) }
  return { ...FORM, schedule, ...(inForm === 1 ? pick(CHANGES, chance) : {}) }
}

/** A schedule of before. */
function idOf({ ids }: Client, chance: Chance): unknown {
  return ids.length > 0 ? pick(ids, chance) : 1
}

const SCHEDULES: readonly Step[] = [
  (client, chance) => client.create(chance() < 0.4 ? FORM : info(chance)),
  (client, chance) => client.update(idOf(client, chance), info(chance)),
  (client, chance) => client.update(idOf(client, chance), info(chance)),
  (client, chance) => client.update(idOf(client, chance), { ...FORM, title: `Costs ${Math.floor(chance() * 100)}` }),
  (client, chance) =>
    client.update(
      idOf(client, chance),
      pick([{}, { title: 'Weekly figures' }, { schedule: { hourOfDay: 9 } }, { ...FORM, viewId: 3 }], chance),
    ),
  (client, chance) => client.update(pick(['999999999', 'abc', '0'], chance), FORM),
]
