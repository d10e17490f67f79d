import { readJson } from '../../src/calibrate/search-seen.ts'
import { loadContract } from '../../src/contract/load/load.ts'
import { isObject } from '../../src/formats/json.ts'
import { inlineSourceFile, readPackaged } from '../../src/formats/source-file.ts'
import { readHar } from '../../src/traffic/read-har.ts'
import { createSecretRemover } from '../../src/traffic/remove-secrets.ts'
import type { Target } from '../../src/traffic/target.ts'
import { harEntryOf } from '../../src/traffic/write-har.ts'
import type { RecordedExchange } from '../../src/traffic/recorded-exchange.ts'
import type { Chance } from './random-settings.ts'

export interface SessionOptions {
  readonly target: Target
  readonly chance: Chance
  readonly fileSet: string
  readonly key: string
  readonly keyHeader: string
  /** A client that waits half a second between requests sends 600 in five minutes. */
  readonly requests: number
}

/**
 * What a browser would record of somebody who tries out a client of the service: folders that are opened, lists that are sorted, filtered
 * and walked, report schedules that are made and changed, and now and then a request that is a mistake.
 */
export async function recordSession(options: SessionOptions): Promise<readonly RecordedExchange[]> {
  const { chance, requests } = options
  const client = createClient(options)
  while (client.recorded.length < requests) {
    const step = pick(chance() < 0.75 ? SEARCHES : SCHEDULES, chance)
    await step(client, chance)
  }
  const removeSecrets = createSecretRemover(loadContract(readPackaged('spec/openapi.yaml')))
  const entries = client.recorded.map((exchange) => harEntryOf(removeSecrets(exchange), 'https://api.example.com'))
  const archive = JSON.stringify({ log: { version: '1.2', entries } })
  return readHar(inlineSourceFile(JSON.parse(archive), 'session.har'))
}

interface Client {
  readonly recorded: RecordedExchange[]
  readonly seen: Entry[]
  readonly ids: unknown[]
  token: string | undefined
  /** The search that the token is of. */
  last: { readonly query: Query; readonly body: unknown }
  search(query: Query, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<void>
  create(body: unknown): Promise<void>
  update(id: unknown, body: unknown): Promise<void>
}

type Query = Readonly<Record<string, string>>
type Step = (client: Client, chance: Chance) => Promise<void>
type Entry = Readonly<Record<string, unknown>>

interface Received {
  readonly files?: readonly Entry[]
  readonly pageContext?: { readonly next?: string | null }
  readonly id?: unknown
}

function createClient({ target, fileSet, key, keyHeader }: SessionOptions): Client {
  const recorded: RecordedExchange[] = []
  const send = async (method: string, path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const fields = { [keyHeader]: key, 'Content-Type': 'application/json', Accept: '*/*', ...headers }
    const exchange = await target.send({
      method,
      url: path,
      headers: Object.entries(fields).map(([name, value]) => ({ name, value })),
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    recorded.push(exchange)
    const received = readJson(exchange.response.body)
    return isObject(received) ? (received as Received) : {}
  }
  const client: Client = {
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
const OPERATORS = ['LIKE', 'LIKE', 'EQUALS', 'IN', 'GREATER_THAN', 'LESS_THAN_OR_EQUAL', 'IS_NULL', undefined]
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
  (client, chance) => client.search({ next: pick(['undefined', 'null', '', 'abc'], chance) }),
  (client, chance) => client.search(pick([{ colour: 'red' }, { page: '2' }], chance)),
  (client, chance) => client.search({}, pick(['', '{"filters":null}', '{"filters":[', '[]', '{"colour":1}'], chance)),
  (client, chance) =>
    client.search(
      {},
      {},
      pick([{ Accept: 'text/html' }, { 'Content-Type': 'text/plain' }, { 'Accept-Encoding': 'gzip' }], chance),
    ),
]

function schedule(chance: Chance): Readonly<Record<string, unknown>> {
  const isWeekly = chance() < 0.5
  const whole = {
    frequency: isWeekly ? 'WEEKLY' : 'MONTHLY',
    daysToRun: isWeekly
      ? pick(['MON', 'FRI', 'SUN', 'MON,WED', '15'], chance)
      : pick(['1', '15', '28', '31', '1,15'], chance),
    hourOfDay: pick([0, 8, 12, 23, '8', 24], chance),
    minOfHour: pick([0, 30, 59], chance),
    timezone: pick(
      ['Europe/Berlin', 'America/New_York', 'UTC', 'US/Eastern', 'EST', 'Mars/Olympus', undefined],
      chance,
    ),
    enabled: pick([true, true, false, undefined], chance),
    additionalRecipients: pick(
      [
        undefined,
        [],
        [{ type: 'EMAIL', value: 'a@example.com' }],
        [{ type: 'USER', value: '1' }],
        [{ type: 'USER', value: 1 }],
        [{ type: 'EMAIL', value: 'nobody' }],
      ],
      chance,
    ),
  }
  return chance() < 0.15 ? { hourOfDay: 9 } : whole
}

function info(chance: Chance): Readonly<Record<string, unknown>> {
  const whole = {
    title: pick(['Weekly figures', 'Costs', ' spaces ', '', null], chance),
    pageId: pick([1, 1, 1, 999_999, -1, '1'], chance),
    viewId: pick([2, 2, 3, 0], chance),
    schedule: schedule(chance),
    attachmentInclude: pick([true, false, null, undefined], chance),
  }
  const kept = Object.fromEntries(Object.entries(whole).filter(() => chance() >= 0.06))
  return chance() < 0.05 ? { ...kept, colour: 'red' } : kept
}

const SCHEDULES: readonly Step[] = [
  (client, chance) => client.create(info(chance)),
  (client, chance) =>
    client.create({
      title: 'Costs',
      pageId: 1,
      viewId: 2,
      schedule: {
        frequency: 'WEEKLY',
        daysToRun: 'MON',
        hourOfDay: 8,
        minOfHour: 0,
        timezone: 'Europe/Berlin',
        enabled: chance() < 0.8,
      },
    }),
  (client, chance) => client.update(client.ids.length > 0 ? pick(client.ids, chance) : 1, info(chance)),
  (client, chance) =>
    client.update(client.ids.length > 0 ? pick(client.ids, chance) : 1, {
      title: `Costs ${Math.floor(chance() * 100)}`,
    }),
  (client, chance) =>
    client.update(
      client.ids.length > 0 ? pick(client.ids, chance) : 1,
      pick([{}, { schedule: schedule(chance) }, { viewId: 3 }], chance),
    ),
  (client, chance) => client.update(pick(['999999999', 'abc', '0'], chance), { title: 'Costs' }),
]
