import { createPetShop, inPath, ref, shows, takes } from '../../support/contracts/pets.ts'
import { createOrderTester, list } from '../../support/contracts/order-list.ts'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import request from 'supertest'
import { onTestFinished } from 'vitest'
import { createStandin } from '../../../src/index.ts'
import { ORDERS } from '../../support/servers/webhook-receiver.ts'
import { PROXY_PROVOCATIONS } from './proxy-provocations.ts'
import { REPLICA_PROVOCATIONS } from './replica-provocations.ts'
import { ORDER_HANDLERS } from '../../resources/user-operations/order-handlers.ts'
import { createDirectory } from '../../support/command.ts'
import { createControlledTester, type ControlledTester } from '../../support/control.ts'
import { failOnce } from '../../support/disk/failing-disk.ts'
import { ask, ORDERS_CONTRACT } from '../../support/contracts/orders.ts'
import { bodyOf, connectTo, exchangeRaw, searchHead } from '../../support/raw.ts'
import { createContractTester, OWN_KEY, type Json } from '../../support/contracts/small-contract.ts'
import { KEY_HEADER, SCHEDULES, SEARCH, weekly } from '../../support/tester.ts'
import { stringifyJson } from '../../../src/base/formats/json.ts'
import { defineOperation, events, type StandinOptions, type UserEvent } from '../../../src/index.ts'

/** What a client received. */
export interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

type Method = 'get' | 'post' | 'put' | 'delete' | 'patch'

const TINY: StandinOptions = {
  clock: '2026-03-05T14:30:00Z',
  fixtures: [{ fileSets: [{ id: 'tiny', files: [{ path: 'dir/a.txt' }, { path: 'b.txt' }] }] }],
}
const SHOP: StandinOptions = { contract: 'examples/shop/contract.yaml', clock: '2026-03-05T14:30:00Z' }
const readPet = { responses: { 200: shows(ref('Pet')) } }
const petList = shows({ type: 'array', items: ref('Pet') })
const LONG = 'x'.repeat(2 ** 20)
const ALMOST_LONG = LONG.slice(20)

function start(options: StandinOptions = {}): ControlledTester {
  return createControlledTester({ ...TINY, ...options })
}

/** One request to the control API. */
async function control(method: Method, path: string, body?: object, tester = start()): Promise<Received> {
  const sending = tester.request()[method](`/__mock${path}`)
  return body === undefined ? sending : sending.set('Content-Type', 'application/json').send(stringifyJson(body))
}

/** Several requests to the control API of one server; the response to the last one. */
async function controlAll(requests: readonly (readonly [Method, string, object?])[]): Promise<Received> {
  const tester = start()
  const responses: Received[] = []
  for (const [method, path, body] of requests) responses.push(await control(method, path, body, tester))
  return responses.at(-1)!
}

async function listen(tester: ControlledTester): Promise<string> {
  onTestFinished(() => tester.standin.stop())
  return tester.standin.start()
}

/** The last of the responses in what came over a connection. */
function lastOf(text: string): Received {
  const response = text.slice(text.lastIndexOf('HTTP/1.1 '))
  const contentType = /^content-type: (.*)$/im.exec(response)?.[1]?.trim() ?? ''
  return {
    status: Number(response.slice(9, 12)),
    headers: { 'content-type': contentType },
    body: JSON.parse(bodyOf(response)) as unknown,
  }
}

async function raw(bytes: string): Promise<Received> {
  return lastOf(await exchangeRaw(await listen(start()), bytes))
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

/** A request to an operation that stores documents. */
async function store(happening: () => readonly UserEvent[], fixture: object = {}): Promise<Received> {
  const order = { id: 7, item: 'Lamp', count: 1, state: 'open', placed: '2026-03-05T14:30:00.000Z' }
  const getOrder = defineOperation('getOrder', () => ({ status: 200, body: order, events: happening() }))
  const others = ORDER_HANDLERS.filter(({ operationId }) => operationId !== 'getOrder')
  const shop = createControlledTester({
    contract: ORDERS_CONTRACT,
    handlers: [getOrder, ...others],
    fixtures: [fixture],
  })
  return ask(shop, 'get', '/7')
}

/** A request to a contract with one operation, `/thing`. */
async function thing(method: 'get' | 'post', operation: Json, { headers = {}, body = '' } = {}): Promise<Received> {
  const tester = createContractTester({ '/thing': { [method]: { operationId: 'thing', ...operation } } })
  const sending = tester
    .request()
    [method]('/thing')
    .set({ ...OWN_KEY, ...headers })
  return body === '' ? sending : sending.send(body)
}

const answered = (schema: Json, type = 'application/json') => ({
  responses: { 200: { description: 'ok', content: { [type]: { schema } } } },
})

/** A server whose clock is being advanced over tens of thousands of runs, which takes many turns of the event loop. */
async function advancing() {
  const tester = start({ files: 0 })
  const url = await listen(tester)
  const state = await tester.control.getState()
  const [sample] = state.reportSchedules
  const reportSchedules = numbers(1500).map((id) => ({ ...sample, id: id + 1, title: `Report ${id}` }))
  await tester.control.putState({ ...state, reportSchedules, nextReportScheduleId: 1501 } as typeof state)
  const leaving = new AbortController()
  const advance = fetch(`${url}/__mock/clock/advance`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"by":"P350D"}',
    signal: leaving.signal,
  }).catch(() => undefined)
  await fetch(`${url}/__mock/health`)
  const leave = () => {
    leaving.abort()
    return advance
  }
  return { url, leave }
}

/** One request for each error of the catalogue that a client can receive. */
export const PROVOCATIONS: Readonly<Record<string, () => Promise<Received>>> = {
  'http-malformed': () => raw('good morning\r\n\r\n'),
  'host-repeated': () =>
    raw(searchHead({ Host: 'localhost\r\nHost: localhost', 'Content-Length': 0, Connection: 'close' })),
  'host-refused': () => start().request().get('/__mock/info').set('Host', 'evil.example'),
  'path-unknown': () => start().request().get('/nowhere').set(KEY_HEADER, 'key'),
  'path-invalid': () => start().request().put(`${SCHEDULES}/%ff`).set(KEY_HEADER, 'key').send({}),
  'method-not-allowed': () => start().request().patch(SCHEDULES).set(KEY_HEADER, 'key'),
  'key-missing': () => start().request().post(SCHEDULES).send({}),
  'operation-forbidden': () =>
    start({ keys: [{ key: 'reader', userId: 7, rights: ['searchFiles'] }] }).create(weekly(), {
      [KEY_HEADER]: 'reader',
    }),
  'too-many-requests': async () => {
    const tester = start({ behaviours: { 'rate.limit': '1 per 60' } })
    await tester.search()
    return tester.search()
  },
  'unsupported-media-type': () => start().search({ headers: { 'Content-Type': 'text/plain' } }),
  'not-acceptable': () => start({ behaviours: { 'http.accept': '406' } }).search({ headers: { Accept: 'image/png' } }),
  'content-too-large': () => start().create(weekly({ title: LONG })),
  'json-invalid': () => start().create('{'),
  'xml-invalid': () =>
    thing(
      'post',
      {
        requestBody: { content: { 'application/xml': { schema: { type: 'object' } } } },
        ...answered({ type: 'string' }),
      },
      { headers: { 'Content-Type': 'application/xml' }, body: '<a>' },
    ),
  'form-invalid': () =>
    thing(
      'post',
      {
        requestBody: { content: { 'multipart/form-data': { schema: { type: 'object' } } } },
        ...answered({ type: 'string' }),
      },
      { headers: { 'Content-Type': 'multipart/form-data; boundary=x' }, body: 'no form' },
    ),
  'request-invalid': () => start().create({ title: 7 }),

  'operation-refused': () => thing('get', answered({ type: 'integer', not: { multipleOf: 2 } })),
  'operation-missing': async () => {
    const tester = createContractTester({
      '/thing': { get: { operationId: 'thing', ...answered({ type: 'string' }) } },
    })
    return control('post', '/explain', { search: { fileSetId: 'demo' } }, tester)
  },
  'preference-invalid': () => start().search({ headers: { Prefer: 'wait=never' } }),
  'preference-unknown': () => thing('get', answered({ type: 'string' }), { headers: { Prefer: 'example=none' } }),
  'mock-defect': () => store(() => [{} as UserEvent]),

  'file-set-not-found': () => start().search({ set: 'none' }),
  'directory-not-found': () =>
    start({ behaviours: { 'dir.missing': '404' } }).search({ query: { directoryPath: 'none' } }),
  'cursor-invalid': () => start().search({ query: { next: 'made-up' } }),
  'page-not-found': () => {
    const query = { page: { type: 'integer' } }
    return list(createOrderTester({ query, behaviours: { 'collections.page-beyond': 'error' } }), 'page=9')
  },
  'file-not-found': () => control('get', '/file-sets/tiny/files/none'),
  'directory-held': async () => {
    const tester = start()
    const { files } = await tester.control.listFiles('tiny', { path: 'dir' })
    return control('delete', `/file-sets/tiny/files/${files[0]!.id}`, undefined, tester)
  },
  'file-set-exists': () => control('post', '/file-sets', { id: 'tiny' }),
  'too-many-file-sets': async () => {
    const tester = start({ files: 0 })
    const fileSets = numbers(1000).map((id) => ({ id: `set-${id}`, version: 0, files: [] }))
    await tester.control.putState({ ...(await tester.control.getState()), fileSets })
    return control('post', '/file-sets', { id: 'another' }, tester)
  },
  'too-many-files': async () => {
    const tester = start()
    const generated = { seed: 1, files: 10_000_000, firstMoment: '2026-03-05T00:00:00.000Z' }
    const fileSets = ['a', 'b', 'c'].map((id) => ({ id, version: 0, generated }))
    return control('put', '/state', { ...(await tester.control.getState()), fileSets }, tester)
  },
  'item-not-found': () => request(createPetShop().standin.app).get('/pets/99').set(OWN_KEY),
  'item-exists': async () => {
    const { standin } = createPetShop({}, {}, { NewPet: { type: 'object', properties: { id: { type: 'integer' } } } })
    return request(standin.app).post('/pets').set(OWN_KEY).send({ id: 1 })
  },
  'collection-not-found': () => control('get', '/collections/none'),
  'document-invalid': async () => {
    const lose = () => ({ status: 204, events: [events.update('pets', 1, { id: 1, name: 'Rex', status: 'odd' })] })
    const { standin } = createPetShop({ handlers: [defineOperation('deletePet', lose)] })
    await request(standin.app).delete('/pets/1').set(OWN_KEY)
    return request(standin.app).get('/pets/1').set(OWN_KEY)
  },
  'document-required': () => {
    const settings = { type: 'object', properties: { theme: { type: 'string' } } }
    const shown = { responses: { 200: { description: 'ok', content: { 'application/json': { schema: settings } } } } }
    const requestBody = { content: { 'application/json': { schema: settings } } }
    const tester = createContractTester({ '/settings': { get: shown, put: { ...shown, requestBody } } })
    return control('delete', '/collections/settings/singleton', undefined, tester)
  },
  'item-held': async () => {
    const post = { requestBody: takes(ref('NewPet')), responses: { 201: shows(ref('Pet')) } }
    const young = { parameters: [inPath('petId')], get: { responses: { 200: petList } }, post }
    const { standin } = createPetShop(
      { behaviours: { 'collections.cascade': 'refuse' } },
      { '/pets/{petId}/young': young },
    )
    await request(standin.app).post('/pets/1/young').set(OWN_KEY).send({ name: 'Rex' })
    return request(standin.app).delete('/pets/1').set(OWN_KEY)
  },
  'precondition-required': () => {
    const parameters = [inPath('petId'), { name: 'If-Match', in: 'header', schema: { type: 'string' } }]
    const responses = { 200: shows(ref('Pet')), 428: { description: 'conditional' } }
    const put = { requestBody: takes(ref('NewPet')), responses }
    const { standin } = createPetShop({}, { '/pets/{petId}': { parameters, get: readPet, put } })
    return request(standin.app).put('/pets/1').set(OWN_KEY).send({ name: 'Rex' })
  },
  'patch-test-failed': () => {
    const content = { 'application/json-patch+json': { schema: { type: 'array', items: { type: 'object' } } } }
    const patch = { requestBody: { content }, responses: { 200: shows(ref('Pet')) } }
    const { standin } = createPetShop({}, { '/pets/{petId}': { parameters: [inPath('petId')], get: readPet, patch } })
    const type = 'application/json-patch+json'
    return request(standin.app)
      .patch('/pets/1')
      .set(OWN_KEY)
      .type(type)
      .send([{ op: 'test', path: '/id', value: 2 }])
  },
  'idempotency-key-reused': async () => {
    const key = { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }
    const post = { parameters: [key], requestBody: takes(ref('NewPet')), responses: { 201: shows(ref('Pet')) } }
    const { standin } = createPetShop({}, { '/pets': { get: { responses: { 200: petList } }, post } })
    const create = (name: string) =>
      request(standin.app)
        .post('/pets')
        .set({ ...OWN_KEY, 'Idempotency-Key': 'one' })
        .send({ name })
    await create('Rex')
    return create('Max')
  },
  'transition-refused': async () => {
    const tester = createControlledTester(SHOP)
    await tester
      .request()
      .post('/orders')
      .send({ customerId: 1, lines: [{ productId: 1, quantity: 1, unitPrice: 1 }] })
    await tester.control.advanceClock({ by: 'P1D' })
    return tester.request().post('/orders/11/cancel')
  },
  'too-many-transitions': async () => {
    // A thousand jobs that take a hundred steps each.
    const steps = numbers(101).map((step) => `step-${step}`)
    const status = Object.fromEntries(
      steps.slice(1).map((to, at): [string, object] => [`step-${at}`, [{ to, after: 'PT1H' }]]),
    )
    const properties = { id: { type: 'integer' }, status: { type: 'string', enum: steps } }
    const job = { type: 'object', required: ['id'], properties }
    const tester = createContractTester({
      '/jobs': {
        'x-standin': { transitions: { status } },
        get: { responses: { 200: shows({ type: 'array', items: job }) } },
        post: { requestBody: takes(job), responses: { 201: shows(job) } },
      },
      '/jobs/{jobId}': { parameters: [inPath('jobId')], get: { responses: { 200: shows(job) } } },
    })
    const hidden = { since: { '/status': '2026-03-05T14:30:00Z' } }
    const documents = numbers(1001).map((id) => ({
      id: String(id + 1),
      document: { id: id + 1, status: 'step-0' },
      hidden,
    }))
    const collections = [{ name: 'jobs', made: documents.length, documents }]
    await tester.control.putState({ ...(await tester.control.getState()), collections })
    return control('post', '/clock/advance', { by: 'P9D' }, tester)
  },
  'report-schedule-not-found': () => start().update(999, { title: 'x' }),
  'report-schedule-forbidden': async () => {
    const tester = start({
      behaviours: { 'schedule.owner': 'owner-only-403' },
      keys: [
        { key: 'one', userId: 1 },
        { key: 'two', userId: 2 },
      ],
    })
    const created = await tester.create(weekly(), { [KEY_HEADER]: 'one' })
    return tester.update((created.body as { id: number }).id, { title: 'x' }, { [KEY_HEADER]: 'two' })
  },
  'report-schedule-conflict': async () => {
    const tester = start({ behaviours: { 'create.duplicate': 'conflict-on-title' } })
    await tester.create(weekly())
    return tester.create(weekly())
  },
  'too-many-report-schedules': async () => {
    const tester = start({ behaviours: { 'update.unknown-id': 'create' } })
    await tester.update(Number.MAX_SAFE_INTEGER, weekly())
    return tester.create(weekly())
  },
  'delivery-not-found': () => control('get', '/deliveries/999'),
  'link-not-found': () =>
    start({ behaviours: { 'links.exist': 'listed' }, fixtures: [{ pages: [9], views: [9] }] }).create(weekly()),
  'precondition-failed': async () => {
    const tester = start({ behaviours: { 'update.concurrent': 'etag' } })
    return tester.update(1, { title: 'x' }, { 'If-Match': '"stale"' })
  },
  'no-webhooks': () => control('put', '/webhooks/target', { url: null }),
  'webhook-not-found': () => control('post', '/webhooks/msg_none/attempts'),
  'webhook-not-sent': async () => {
    const { app, control: client } = createStandin({ contract: ORDERS })
    await request(app).post('/orders').send({ number: 1 })
    const [sent] = (await client.listWebhooks()).webhooks
    return request(app).post(`/__mock/webhooks/${sent?.id}/attempts`)
  },
  'no-run-to-come': async () => {
    const tester = start()
    const state = await tester.control.getState()
    await tester.control.putState({ ...state, reportSchedules: [] })
    return control('post', '/clock/advance', { toNextRun: true }, tester)
  },
  'too-many-runs': () => control('post', '/clock/advance', { by: 'P900Y' }),
  'document-too-large': () => store(() => [events.create('long', 1, { text: LONG })]),
  'too-many-documents': () =>
    store(() => [events.create('many', 'one more', {})], {
      collections: { many: Object.fromEntries(numbers(200_000).map((id) => [id, {}])) },
    }),
  'too-many-collections': () =>
    store(() => [events.create('one-more', 1, {})], {
      collections: Object.fromEntries(numbers(10_000).map((id) => [`customers/${id}/orders`, {}])),
    }),
  'documents-too-large': () =>
    store(() => [events.create('many', 'one more', { text: LONG.slice(1000) })], {
      collections: { many: Object.fromEntries(numbers(256).map((id) => [id, { text: ALMOST_LONG }])) },
    }),

  'sandbox-name-invalid': () => start().search({ headers: { 'X-Mock-Sandbox': '.hidden' } }),
  'sandbox-ttl-invalid': () => start().search({ headers: { 'X-Mock-Sandbox': 'a', 'X-Mock-Sandbox-TTL': 'soon' } }),
  'sandbox-not-found': () => control('get', '/sandboxes/none'),
  'sandbox-exists': () => control('post', '/sandboxes', { name: 'default' }),
  'sandbox-needed': () => control('delete', '/sandboxes/default'),
  'too-many-sandboxes': () => control('post', '/sandboxes', { name: 'second' }, start({ maxSandboxes: 1 })),
  'sandbox-busy': async () => {
    const { url, leave } = await advancing()
    const client = await connectTo(url)
    client.send(`${searchHead({ 'Content-Length': 2 }, '', 'tiny')}{}`.repeat(1000))
    const last = exchangeRaw(url, `${searchHead({ 'Content-Length': 2, Connection: 'close' }, '', 'tiny')}{}`)
    const refused = lastOf(await last)
    await leave()
    client.socket.destroy()
    return refused
  },
  'event-not-found': () => control('post', '/sandboxes/default/fork', { name: 'past', at: 99 }),
  'event-not-kept': async () => {
    const tester = start()
    await tester.create(weekly())
    // More runs than a history in memory keeps.
    await tester.control.advanceClock({ by: 'P150Y' })
    return control('post', '/sandboxes/default/fork', { name: 'past', at: 0 }, tester)
  },
  'checkpoint-not-found': () => control('post', '/checkpoints/none/restore'),
  'too-many-checkpoints': () => controlAll(numbers(101).map((id) => ['post', '/checkpoints', { name: `c${id}` }])),
  'state-too-large': async () => {
    const tester = start({ files: 0 })
    // Each directory on the way to a file is an entry too.
    const files = numbers(2500).map((id) => ({ path: `${id}${'/d'.repeat(40)}` }))
    for (const id of ['one', 'two']) await tester.control.createFileSet({ id, files })
    return control('get', '/state', undefined, tester)
  },
  'state-too-new': async () => {
    const tester = start()
    return control('put', '/state', { ...(await tester.control.getState()), version: 99 }, tester)
  },
  'log-not-written': async () => {
    const { path, remove } = createDirectory({})
    onTestFinished(remove)
    const data = join(path, 'data')
    mkdirSync(data)
    const tester = start({ data })
    onTestFinished(() => tester.standin.stop())
    // Which call writes the event is the log's own business; the first that fails to is refused.
    for (let nth = 1; ; nth++) {
      const disk = failOnce(data, nth)
      const response = await tester.create(weekly()).finally(() => disk.restore())
      if (response.status !== 200 || !disk.hasFailed()) return response
    }
  },

  'page-refused': () => start().request().get('/__mock/info').set('Origin', 'https://evil.example'),
  'control-local-only': () => start().request().get('/__mock/info').set('Forwarded', 'for=203.0.113.9'),
  'token-missing': () => start({ controlToken: 'a-secret-token' }).request().get('/__mock/info'),
  'token-wrong': () =>
    start({ controlToken: 'a-secret-token' })
      .request()
      .get('/__mock/info')
      .set('Authorization', 'Bearer another-token'),
  'exchange-not-found': () => control('get', '/journal/999'),
  'too-many-listeners': async () => {
    const url = await listen(start())
    const stopped = new AbortController()
    const streams = numbers(64).map(() => fetch(`${url}/__mock/stream`, { signal: stopped.signal }))
    await Promise.all(streams)
    const refused = await fetch(`${url}/__mock/stream`)
    const body: unknown = await refused.json()
    stopped.abort()
    return { status: refused.status, headers: Object.fromEntries(refused.headers), body }
  },
  'fault-exists': () =>
    controlAll([
      ['post', '/faults', { id: 'mine', kind: 'empty' }],
      ['post', '/faults', { id: 'mine', kind: 'empty' }],
    ]),
  'fault-not-found': () => control('get', '/faults/none'),
  'stub-not-found': () => control('delete', '/stubs/none'),
  'too-many-stubs': () => {
    const stub = { operation: 'createReportSchedule', respond: { status: 429 } }
    const stubs = numbers(1000).map((id) => ({ ...stub, name: `s${id}` }))
    return controlAll([
      ['post', '/stubs', { stubs }],
      ['post', '/stubs', { ...stub, name: 'more' }],
    ])
  },
  'too-many-faults': () => controlAll(numbers(101).map((id) => ['post', '/faults', { id: `f${id}`, kind: 'empty' }])),
  ...PROXY_PROVOCATIONS,
  ...REPLICA_PROVOCATIONS,
}

/** A search that is refused with any status that a fault asks for. */
export async function refusedWith(status: number): Promise<Received> {
  const tester = start()
  await tester.control.armFaults({ kind: 'status', status })
  return tester.request().post(`${SEARCH}/tiny/files/search`).set(KEY_HEADER, 'key').send({})
}
