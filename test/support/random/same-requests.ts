import type { Standin, StandinOptions } from '../../../src/index.ts'

/** A response as it was received. */
export interface Received {
  readonly request: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Step {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A request, or one that depends on the responses before it. */
type Request_ = Step | ((before: readonly Received[]) => Step)

const SEARCH = '/api/files/v1/filesets/demo/files/search'
const SCHEDULES = '/api/content/v1/reportschedules'
const KEY = { 'X-SERVICE-Developer-Token': 'any', 'X-Api-Key': 'any', Authorization: 'Bearer any' }

const get = (path: string, headers: Step['headers'] = {}): Step => ({ method: 'GET', path, headers })
const post = (path: string, body: unknown, headers: Step['headers'] = {}): Step => ({
  method: 'POST',
  path,
  body,
  headers,
})
const put = (path: string, body: unknown): Step => ({ method: 'PUT', path, body })
const patch = (path: string, body: unknown): Step => ({ method: 'PATCH', path, body })
const remove = (path: string): Step => ({ method: 'DELETE', path })

const named = (value: string) => ({ filters: [{ field: 'name', operator: 'LIKE', value: [value] }] })

const nextPage: Request_ = (before) => {
  const { pageContext } = JSON.parse(before.at(-1)?.body ?? '') as { pageContext: { next?: string } }
  return post(`${SEARCH}?limit=5&next=${pageContext.next ?? 'none'}`, {})
}

const created: Request_ = (before) => {
  const { id } = JSON.parse(before.at(-1)?.body ?? '') as { id: number }
  return put(`${SCHEDULES}/${id}`, schedule({ title: 'Monthly sales', frequency: 'MONTHLY', daysToRun: '31' }))
}

function schedule({ title = 'Weekly sales', ...calendar }: Readonly<Record<string, string>> = {}) {
  const timing = { hourOfDay: 2, minOfHour: 30, timezone: 'America/New_York' }
  const additionalRecipients = [{ type: 'EMAIL', value: 'jane@example.com' }]
  const when = { frequency: 'WEEKLY', daysToRun: 'SUN', ...timing, additionalRecipients, ...calendar }
  return { title, pageId: 100, viewId: 200, schedule: when }
}

/** The package's own contract: searches and pages, schedules and time, faults, errors, and the control API. */
const OWN: readonly Request_[] = [
  post(`${SEARCH}?limit=5`, named('budget')),
  nextPage,
  nextPage,
  nextPage,
  post(`${SEARCH}?limit=3`, { ...named('a'), sort: [{ field: 'size', order: 'DESC' }] }),
  post(SEARCH, { filters: [{ field: 'fileType', operator: 'IN', value: ['DIRECTORY'] }] }),
  post(SEARCH, { filters: [{ field: 'created', operator: 'GREATER_THAN', value: ['2025-01-01T00:00:00Z'] }] }),
  post('/api/files/v1/filesets/awkward/files/search?limit=100', {}),
  post(`${SEARCH}?limit=200`, {}),
  post(`${SEARCH}?next=forged`, {}),
  post(`${SEARCH}?limit=0`, {}),
  post(SEARCH, { filters: [{ field: 'nmae', operator: 'LIKE', value: ['a'] }] }),
  post(SEARCH, '{"filters": [', { 'Content-Type': 'application/json' }),
  post(SEARCH, 'name=a', { 'Content-Type': 'application/x-www-form-urlencoded' }),
  post(SEARCH, {}, { 'X-SERVICE-Developer-Token': '' }),
  post('/api/files/v1/filesets/none/files/search', {}),
  get(SEARCH),
  get('/unknown'),
  get('/'),
  get('/openapi.json'),
  get('/openapi.yaml'),
  get('/problems/request-invalid'),
  post(SCHEDULES, schedule()),
  created,
  post(SCHEDULES, schedule({ timezone: 'Mars/Olympus' })),
  post(SCHEDULES, {}),
  put(`${SCHEDULES}/999`, schedule()),
  post('/__mock/clock/advance', { to: '2026-04-08T12:00:00Z' }),
  post('/__mock/clock/advance', { by: 'P14D' }),
  get('/__mock/clock'),
  get('/__mock/report-schedules'),
  get('/__mock/report-schedules/7/upcoming'),
  get('/__mock/deliveries'),
  post('/__mock/faults', { kind: 'status', status: 7 }),
  post('/__mock/faults', { kind: 'status', status: 503, times: 1 }),
  post(SEARCH, {}),
  post('/__mock/faults', { kind: 'garbage', times: 1, bytes: 64 }),
  post(SEARCH, {}),
  get('/__mock/faults'),
  remove('/__mock/faults'),
  post('/__mock/explain', { search: { fileSetId: 'demo', body: named('budget') } }),
  post('/__mock/checkpoints', { name: 'here' }),
  post('/__mock/file-sets/demo/files', { files: [{ path: 'added/by-hand.txt' }] }),
  post(SEARCH, named('by-hand')),
  post('/__mock/checkpoints/here/restore', undefined),
  post(SEARCH, named('by-hand')),
  post(SEARCH, {}, { 'X-Mock-Sandbox': 'another' }),
  post(SEARCH, {}, { 'X-SERVICE-Developer-Token': 'any@third' }),
  get('/__mock/sandboxes/another'),
  get('/__mock/behaviours'),
  put('/__mock/behaviours', { 'page.last': 'null' }),
  get('/__mock/file-sets'),
  get('/__mock/state'),
  get('/__mock/openapi.yaml'),
  get('/__mock/control.openapi.json'),
  get('/__mock/replay'),
  get('/__mock/unknown'),
  post('/__mock/reset', undefined),
  post(`${SEARCH}?limit=5`, named('budget')),
]

const SHOP: readonly Request_[] = [
  get('/customers'),
  get('/customers?limit=3&sort=-name'),
  get('/customers/1'),
  post('/customers', { name: 'Grace Hopper', email: 'grace@example.com', country: 'US' }),
  get('/customers/11', { 'If-None-Match': '"none"' }),
  patch('/customers/1', { city: 'Paris' }),
  get('/customers/1/orders'),
  get('/products?category=kitchen'),
  get('/orders'),
  post('/orders', { customerId: 2, lines: [{ productId: 1, quantity: 2, unitPrice: 3450 }], total: 6900 }),
  post('/orders/1/cancel', undefined),
  post('/orders/2/cancel', undefined),
  remove('/customers/3'),
  get('/customers/3'),
  get('/settings'),
  post('/shipping-quotes', { country: 'US', weight: 500 }),
  get('/__mock/collections'),
  get('/__mock/collections/customers'),
]

const FULL: readonly Request_[] = [
  get('/api/files/v1/filesets'),
  post('/api/files/v1/filesets', { id: 'reports' }),
  get('/api/files/v1/filesets/demo/files/1'),
  get('/api/files/v1/filesets/demo/files/1/content'),
  get('/api/content/v1/reportschedules'),
  get('/api/content/v1/reportschedules/1/runs'),
  get('/api/identity/v1/users/1'),
  get('/api/identity/v1/users/1', { Prefer: 'code=404' }),
  get('/api/content/v1/pages/1'),
  get('/api/content/v1/pages/1', { Accept: 'text/csv' }),
]

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const ok = (content: object) => ({ 200: { description: '', ...content } })
const NOTE = {
  type: 'object',
  required: ['title'],
  xml: { name: 'note' },
  properties: {
    title: { type: 'string', maxLength: 20 },
    // Only an engine without backtracking checks it.
    code: { type: 'string', pattern: '^(a+)+$', maxLength: 30 },
    lines: { type: 'array', items: { type: 'string' }, maxItems: 3 },
    at: { type: 'string', format: 'date-time' },
  },
}
const FILE = { type: 'object', properties: { file: { type: 'string', format: 'binary' }, title: { type: 'string' } } }

/** What its libraries are loaded for on demand: forms, XML, patterns, overlays, and handlers. */
const MEDIA_OPTIONS: StandinOptions = {
  contract: {
    openapi: '3.1.0',
    info: { title: 'Media', version: '1' },
    paths: {
      '/xml': {
        get: { responses: ok({ content: { 'application/xml': { schema: NOTE } } }) },
        post: { requestBody: { content: { 'application/xml': { schema: NOTE } } }, responses: ok(json(NOTE)) },
      },
      '/form': {
        post: {
          requestBody: { content: { 'application/x-www-form-urlencoded': { schema: NOTE } } },
          responses: ok(json(NOTE)),
        },
      },
      '/upload': {
        post: { requestBody: { content: { 'multipart/form-data': { schema: FILE } } }, responses: ok(json(NOTE)) },
      },
      '/image': { get: { responses: ok({ content: { 'image/png': {} } }) } },
      '/events': { get: { responses: ok({ content: { 'text/event-stream': { schema: NOTE } } }) } },
      '/own': { get: { operationId: 'own', responses: ok(json({ type: 'object' })) } },
    },
  },
  overlay: {
    overlay: '1.0.0',
    info: { title: 'More', version: '1' },
    actions: [{ target: "$.paths[?@.get.operationId == 'own'].get", update: { summary: 'By a handler' } }],
  },
  handlers: { operationId: 'own', handle: () => ({ status: 200, body: { answered: 'by a handler' } }) },
}

const MULTIPART = ['--b', 'Content-Disposition: form-data; name="title"', '', 'Grün', '--b']
  .concat(
    'Content-Disposition: form-data; name="file"; filename="a.txt"',
    'Content-Type: text/plain',
    '',
    'text',
    '--b--',
  )
  .join('\r\n')

const MEDIA: readonly Request_[] = [
  get('/xml'),
  post('/xml', '<note><title>Milk</title><lines>a</lines></note>', { 'Content-Type': 'application/xml' }),
  post('/xml', '<note><title>Much too long for a title</title></note>', { 'Content-Type': 'application/xml' }),
  post('/xml', '<note><title>', { 'Content-Type': 'application/xml' }),
  post('/form', 'title=Milk&code=aaaaaaaaaaaaaaaaaaaaaaaaaaaaab', {
    'Content-Type': 'application/x-www-form-urlencoded',
  }),
  post('/form', 'title=Milk&code=aaa', { 'Content-Type': 'application/x-www-form-urlencoded' }),
  post('/upload', MULTIPART, { 'Content-Type': 'multipart/form-data; boundary=b' }),
  post('/upload', MULTIPART.slice(0, -20), { 'Content-Type': 'multipart/form-data; boundary=b' }),
  get('/image'),
  get('/events'),
  get('/own'),
  get('/openapi.yaml'),
  { method: 'HEAD', path: '/xml' },
  { method: 'OPTIONS', path: '/xml' },
]

type Create = (options: StandinOptions) => Pick<Standin, 'fetch'>

/** Texts of the contracts of the examples, by the name of the example. */
export type Contracts = Readonly<Record<'shop' | 'full-service', string>>

/** Sends the same requests to a stand-in with each contract, one after the other, and collects the responses. */
export async function collectResponses(create: Create, contracts: Contracts): Promise<Received[]> {
  const clock = '2026-03-01T09:00:00Z'
  const now = () => Date.parse(clock)
  const of = (contract: string) => create({ contract, clock, now })
  return [
    ...(await sendAll(create({ clock, now }), OWN)),
    ...(await sendAll(of(contracts.shop), SHOP)),
    ...(await sendAll(of(contracts['full-service']), FULL)),
    ...(await sendAll(create({ ...MEDIA_OPTIONS, clock, now }), MEDIA)),
  ]
}

/** Headers of a connection, which a page has none of; Node adds the machine's date to responses that have no date of the sandbox. */
const OF_NODE = ['connection', 'keep-alive', 'transfer-encoding']
const isOfNode = (name: string, path: string) => OF_NODE.includes(name) || (name === 'date' && !path.startsWith('/api'))

async function sendAll(standin: Pick<Standin, 'fetch'>, requests: readonly Request_[]): Promise<Received[]> {
  const received: Received[] = []
  for (const one of requests) {
    const { method, path, body, headers } = typeof one === 'function' ? one(received) : one
    const init = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const response = await standin.fetch(path, { method, ...init, headers: { ...KEY, ...type, ...headers } })
    const kept = [...response.headers].filter(([name]) => !isOfNode(name, path))
    const bytes = new Uint8Array(await response.arrayBuffer())
    received.push({
      request: `${method} ${path}`,
      status: response.status,
      headers: Object.fromEntries(kept),
      body: new TextDecoder('latin1').decode(bytes),
    })
  }
  return received
}
