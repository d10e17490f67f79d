import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ORDER_HANDLERS } from './order-handlers.ts'
import { createDirectory } from '../../support/command.ts'
import { createControlledTester } from '../../support/control.ts'
import { ask, ORDERS_CONTRACT } from '../../support/contracts/orders.ts'
import { complaintsOf, NOW, startComplaintsOf, weekly } from '../../support/tester.ts'
import {
  createStandin,
  defineOperation,
  events,
  type UserEvent,
  type UserHandle,
  type OwnReportSchedule,
  problem,
  type StandinOptions,
  type UntypedOperation,
} from '../../../src/index.ts'
import { parseJson, stringifyJson } from '../../../src/base/formats/json.ts'
import { replay } from '../../../src/app/replay/replay.ts'
import { withoutReplicas, withoutStore } from '../../support/store.ts'

function createShop(options: StandinOptions = {}) {
  return createControlledTester({ contract: ORDERS_CONTRACT, handlers: ORDER_HANDLERS, files: 10, ...options })
}

test('documents are made, read, changed and removed', async () => {
  const shop = createShop()
  const made = await ask(shop, 'post', '', { body: { item: 'Lamp' } })
  expect(made.status).toBe(201)
  expect(made.headers.location).toBe('/api/orders/v1/orders/1')
  const lamp = { id: 1, item: 'Lamp', count: 1, state: 'open', placed: '2026-03-05T14:30:00.000Z' }
  expect(made.body).toEqual(lamp)
  expect((await ask(shop, 'get', '/1')).body).toEqual(lamp)
  expect((await ask(shop, 'put', '/1', { body: { item: 'Lamp', count: 2 } })).body).toEqual({ ...lamp, count: 2 })
  await ask(shop, 'post', '', { body: { item: 'Chair' } })
  expect((await ask(shop, 'get', '?state=open')).body).toMatchObject({ orders: [{ id: 1, count: 2 }, { id: 2 }] })
  expect((await ask(shop, 'get', '?state=paid')).body).toEqual({ orders: [] })
  const gone = await ask(shop, 'delete', '/2')
  expect([gone.status, gone.text, gone.headers['content-type']]).toEqual([204, '', undefined])
  expect((await ask(shop, 'get', '/2')).status).toBe(404)
  expect((await ask(shop, 'post', '', { body: { item: 'Desk' } })).body).toMatchObject({ id: 3 })
})

/** Something of every kind. */
async function trade(shop: ReturnType<typeof createShop>, key = 'key'): Promise<void> {
  await ask(shop, 'post', '', { body: { item: 'Lamp' }, key })
  await ask(shop, 'post', '', { body: { item: 'Chair', count: 12_345_678 }, key })
  await ask(shop, 'post', '', { body: { item: 'Desk' }, key })
  await ask(shop, 'put', '/2', { body: { item: 'Chair 😀' }, key })
  await ask(shop, 'delete', '/1', { key })
  await ask(shop, 'get', '/2/label', { key })
}

const itemsOf = async (shop: ReturnType<typeof createShop>, key = 'key') =>
  ((await ask(shop, 'get', '', { key })).body as { orders: { item: string }[] }).orders.map(({ item }) => item)

withoutStore('a reset, a fork, a checkpoint and an exported state know the documents', async () => {
  const shop = createShop()
  const { control } = shop
  await trade(shop)
  await control.createCheckpoint({ name: 'traded' })
  await control.forkSandbox('default', { name: 'fork' })
  const state = await control.getState()
  await ask(shop, 'delete', '/2')
  await ask(shop, 'put', '/3', { body: { item: 'Shelf' }, key: 'key@fork' })
  expect(await itemsOf(shop)).toEqual(['Desk'])
  expect(await itemsOf(shop, 'key@fork')).toEqual(['Chair 😀', 'Shelf'])
  expect(await itemsOf(shop, 'key@other')).toEqual([])
  await control.restoreCheckpoint('traded')
  expect(await itemsOf(shop)).toEqual(['Chair 😀', 'Desk'])
  await control.reset()
  expect(await itemsOf(shop)).toEqual([])
  expect((await ask(shop, 'post', '', { body: { item: 'Lamp' } })).body).toMatchObject({ id: 1 })
  await control.putState(state)
  expect(await itemsOf(shop)).toEqual(['Chair 😀', 'Desk'])
  expect(await control.getState()).toEqual({ ...state, requests: state.requests + 1 })
  expect((await ask(shop, 'post', '', { body: { item: 'Rug' } })).body).toMatchObject({ id: 4 })
})

test('fixtures may bring documents: every sandbox begins with them, and a reset goes back to them', async () => {
  const placed = '2026-03-01T00:00:00.000Z'
  const lamp = { id: 7, item: 'Lamp', count: 1, state: 'open', placed }
  const desk = { id: 9, item: 'Desk', count: 2, state: 'paid', placed }
  const fixtures = [
    { collections: { orders: { 7: lamp, 9: { ...desk, item: 'Table' } } } },
    { collections: { orders: { 9: desk } } },
  ]
  const shop = createShop({ fixtures })
  expect((await ask(shop, 'get', '/7')).body).toEqual(lamp)
  expect(await itemsOf(shop)).toEqual(['Lamp', 'Desk'])
  expect((await ask(shop, 'post', '', { body: { item: 'Chair' } })).body).toMatchObject({ id: 10 })
  await ask(shop, 'delete', '/7')
  expect(await itemsOf(shop)).toEqual(['Desk', 'Chair'])
  expect(await itemsOf(shop, 'key@other')).toEqual(['Lamp', 'Desk'])
  await shop.control.reset()
  expect(await itemsOf(shop)).toEqual(['Lamp', 'Desk'])
  const run = parseJson(stringifyJson(await shop.control.getReplay()))
  const again = await replay(
    { file: 'run.json', value: run, lineOf: () => 1 },
    { from: 'own', definitions: ORDER_HANDLERS },
  )
  expect(again.difference).toBeUndefined()
  const { path, remove } = createDirectory({})
  for (const count of [3, 4]) {
    const kept = createShop({ fixtures, data: join(path, 'data') })
    await ask(kept, 'post', '', { body: { item: 'Chair' } })
    expect(await itemsOf(kept)).toHaveLength(count)
    await kept.standin.stop()
  }
  remove()
})

test('a log in a file has the documents again after a restart, and when it was written anew', async () => {
  const directory = createDirectory({})
  const data = join(directory.path, 'data')
  const clock = '2026-03-05T14:30:00Z'
  const during = async <Result>(work: (shop: ReturnType<typeof createShop>) => Promise<Result>): Promise<Result> => {
    const shop = createShop({ data, clock })
    try {
      return await work(shop)
    } finally {
      await shop.standin.stop()
    }
  }
  const look = async ({ control }: ReturnType<typeof createShop>) => [
    await control.getState(),
    await control.getHistory(),
  ]
  const before = await during(async (shop) => {
    await trade(shop)
    await shop.control.createCheckpoint({ name: 'here' })
    return look(shop)
  })
  expect(await during(look)).toEqual(before)
  // So much that the log is written anew, as a snapshot, with lists that take several lines.
  const large = { item: 'x'.repeat(100_000), 'a/b~c': Array.from({ length: 1200 }, (_, index) => index) }
  const [state] = await during(async (shop) => {
    for (let time = 0; time < 40; time++) await ask(shop, 'put', '/3', { body: large })
    return look(shop)
  })
  expect(statSync(join(data, 'sandbox-1.jsonl')).size).toBeLessThan(3_000_000)
  expect((await during(look))[0]).toEqual(state)
  await during(async (shop) => {
    await shop.control.restoreCheckpoint('here')
    expect(await itemsOf(shop)).toEqual(['Chair 😀', 'Desk'])
  })
  directory.remove()
})

withoutReplicas('a run is done again byte for byte, chance and documents included', async () => {
  const shop = createShop({ clock: '2026-03-05T14:30:00Z' })
  await trade(shop)
  await shop.create(weekly())
  await ask(shop, 'get', '/99')
  const value = parseJson(stringifyJson(await shop.control.getReplay()))
  const document = { file: 'run.json', value, lineOf: () => 1 }
  const report = await replay(document, { from: 'test', definitions: ORDER_HANDLERS })
  expect(report).toMatchObject({ exchanges: 8, events: 6, skipped: [], difference: undefined })
  await expect(replay(document)).rejects.toThrow('the run had handlers of its own for listOrders, createOrder')
  const other = [
    defineOperation('getOrder', () => problem(404, 'Gone')),
    ...ORDER_HANDLERS.filter(({ operationId }) => operationId !== 'getOrder'),
  ]
  expect((await replay(document, { from: 'test', definitions: other })).difference).toContain('exchange 8 of 8')
})

test('chance follows from the seed and the number of the request', async () => {
  const label = async (seed: number, times: number) => {
    const shop = createShop({ seed })
    let text = ''
    for (let time = 0; time < times; time++) text = (await ask(shop, 'get', '/7/label')).text
    return text
  }
  expect(await label(1, 1)).toMatch(/^Order 7, parcel [\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  expect(await label(1, 2)).toBe(await label(1, 2))
  expect(await label(1, 2)).not.toBe(await label(1, 1))
  expect(await label(1, 1)).not.toBe(await label(2, 1))
})

test('the contract is asked before the handler, and the key before the contract', async () => {
  const shop = createShop()
  // This contract's errors are a status and a title, so the header says what is wrong.
  const refused = await ask(shop, 'post', '', { body: { count: 0 } })
  expect(refused.body).toEqual({ status: 400, title: 'The request is not valid' })
  expect(refused.headers['x-mock-problem']).toMatch(/^request-invalid: \/item: expected .*\(and 1 more\)$/)
  expect(complaintsOf(await ask(shop, 'get', '/seven'))).toEqual(['orderId type'])
  expect((await ask(shop, 'get', '/7', { key: ' ' })).status).toBe(401)
})

test('history, stream and journal show documents', async () => {
  const shop = createShop()
  await trade(shop)
  const { events } = await shop.control.getHistory()
  expect(events.map(({ type, id }) => [type, id])).toEqual([
    ['document.created', '1'],
    ['document.created', '2'],
    ['document.created', '3'],
    ['document.updated', '2'],
    ['document.removed', '1'],
  ])
  expect(events[3]).toMatchObject({ collection: 'orders', document: { id: 2, item: 'Chair 😀' } })
  const { exchanges } = await shop.control.listExchanges()
  expect(exchanges.map(({ operationId, hasChanged }) => [operationId, hasChanged])).toContainEqual([
    'updateOrder',
    true,
  ])
})

/** Asks one handler of the user's own, which answers GET of an order. */
async function askOne(handle: UserHandle<UntypedOperation>, options: StandinOptions = {}) {
  const shop = createShop({ handlers: [defineOperation('getOrder', handle), ...OTHERS], ...options })
  const before = await shop.control.getState()
  const answer = await ask(shop, 'get', '/7')
  return { shop, answer, before }
}

const OTHERS = ORDER_HANDLERS.filter(({ operationId }) => operationId !== 'getOrder')
const ORDER = { id: 7, item: 'Lamp', count: 1, state: 'open', placed: '2026-03-05T14:30:00.000Z' }
const done = (...happening: UserEvent[]) => ({ status: 200, body: ORDER, events: happening })
const weeklyInfo = weekly() as unknown as OwnReportSchedule

withoutReplicas.for<[string, UserHandle<UntypedOperation>, string]>([
  [
    'throws',
    () => {
      throw new TypeError('out of lamps')
    },
    'The handler of getOrder threw TypeError: out of lamps.',
  ],
  [
    'throws anything',
    () => {
      throw ['lamp'][0] as unknown as Error
    },
    'threw lamp.',
  ],
  [
    'calls itself without end',
    function again(state, call): never {
      return again(state, call)
    },
    'RangeError',
  ],
  ['returns nothing', () => undefined as never, 'returned nothing. Return { status, body, headers, events }.'],
  ['returns a promise', (() => Promise.reject(new Error('late'))) as never, 'a promise. Handlers cannot wait'],
  ['returns no status', () => ({ body: ORDER }) as never, 'the status nothing. Give it one from 200 to 599.'],
  ['returns a status beyond', () => ({ status: 700, body: ORDER }), 'the status 700.'],
  ['returns an unknown member', () => ({ status: 200, bdy: ORDER }) as never, 'the member bdy. Known: status, body'],
  ['returns a body of no JSON', () => ({ status: 200, body: { id: () => 7 } }), '/id is a function, which is not JSON'],
  [
    'returns a body within itself',
    () => {
      const body: Record<string, unknown> = {}
      body.body = body
      return { status: 200, body }
    },
    'more than 1000 levels deep',
  ],
  [
    'returns a wrong header',
    () => ({ status: 200, body: ORDER, headers: { 'x-a': 'b\nc' } }),
    'which HTTP does not allow',
  ],
  [
    'sets a header of ours',
    () => ({ status: 200, body: ORDER, headers: { Date: 'now' } }),
    'the header date, which is set for it',
  ],
  ['sends a body with 204', () => ({ status: 204, body: ORDER }), 'a body with the status 204, which has none'],
  [
    'updates what is not there',
    () => done(events.update('orders', 7, ORDER)),
    'events[0]: there is no document "7" in orders.',
  ],
  [
    'removes what is not there',
    () => done(events.create('orders', 7, ORDER), events.remove('order', 7)),
    'events[1]: there is no document "7" in order. Did you mean the collection orders?',
  ],
  [
    'creates twice',
    () => done(events.create('orders', 7, ORDER), events.create('orders', 7, ORDER)),
    'events[1]: there is a document "7" in orders already.',
  ],
  ['stores no object', () => done(events.create('orders', 7, [])), 'a document must be a JSON object'],
  ['names a collection badly', () => done(events.create('my orders', 7, ORDER)), 'a collection is named by'],
  ['leaves out a parent', () => done(events.create('customers//orders', 7, ORDER)), 'a collection is named by'],
  ['returns an unknown event', () => done({ type: 'order.paid' } as never), 'events[0]: it is not an event.'],
  ['returns no event', () => done(null as never), 'events[0]: it is not an event.'],
  [
    'removes a schedule that is not there',
    () => done(events.removeReportSchedule(99)),
    'there is no report schedule 99.',
  ],
  [
    'makes a wrong schedule',
    () => done(events.createReportSchedule({ ...weeklyInfo, title: '' })),
    'the report schedule is not valid: /title',
  ],
  ['adds a wrong file', () => done(events.addFiles('demo', [{ path: '/a' }])), 'begins or ends with a slash'],
  [
    'adds to no file set',
    () => done(events.addFiles('demmo', [{ path: 'a' }])),
    'there is no file set "demmo". Did you mean "demo"?',
  ],
  ['removes no file', () => done(events.removeFiles('demo', ['nowhere'])), 'demo has no file "nowhere".'],
  ['removes a number', () => done(events.removeFiles('demo', [7 as never])), 'demo has no file 7.'],
  [
    'changes what it was given',
    (_world, call) => {
      ;(call.path as Record<string, unknown>).orderId = 8
      return problem(404, 'No')
    },
    'TypeError: Cannot assign to read only property',
  ],
])('a handler that %s is a defect of the mock, and the state is unchanged', async ([, handle, complaint]) => {
  const { shop, answer, before } = await askOne(handle)
  expect(answer.status).toBe(500)
  expect(answer.body).toMatchObject({ type: '/problems/mock-defect', title: 'The mock has a defect' })
  expect((answer.body as { detail: string }).detail).toContain(complaint)
  expect(answer.headers['x-mock-defect']).toBe(answer.headers['x-request-id'])
  expect(await shop.control.getState()).toEqual({ ...before, requests: before.requests + 1 })
  const [exchange] = (await shop.control.listExchanges()).exchanges
  expect(exchange?.problem).toContain(complaint)
  expect(exchange?.defect).toMatch(/\n +at /)
})

test('a handler has its own copy of the body: its changes are seen nowhere else', async () => {
  const rename = defineOperation('createOrder', (state, { body = {}, now }) => {
    const id = state.collection('orders').nextId
    body.item = `${String(body.item)}!`
    const order = Object.assign(body, { id, count: 1, state: 'open', placed: new Date(now).toISOString() })
    return { status: 201, body: order, events: [events.create('orders', id, order)] }
  })
  const shop = createShop({
    handlers: [...ORDER_HANDLERS.filter(({ operationId }) => operationId !== 'createOrder'), rename],
  })
  const send = async (): Promise<unknown> => (await ask(shop, 'post', '', { body: { item: 'Lamp' } })).body
  expect(await send()).toMatchObject({ id: 1, item: 'Lamp!' })
  expect(await send()).toMatchObject({ id: 2, item: 'Lamp!' })
  expect(await itemsOf(shop)).toEqual(['Lamp!', 'Lamp!'])
})

test('the stack of what a handler threw stands in journal and log, beginning where it was thrown', async () => {
  const { shop } = await askOne(function lookForLamps() {
    throw new TypeError('out of lamps')
  })
  const [exchange] = (await shop.control.listExchanges()).exchanges
  expect(exchange?.defect).toMatch(
    /^The handler of getOrder threw TypeError: out of lamps\nTypeError: out of lamps\n +at .*lookForLamps.*user-handlers\.test\.ts/,
  )
})

test('what a handler may have happen besides: report schedules, their runs, file sets and files', async () => {
  const handle: UserHandle<UntypedOperation> = (state) => {
    const id = state.nextReportScheduleId
    return done(
      events.createReportSchedule({
        ...weeklyInfo,
        schedule: {
          ...weeklyInfo.schedule,
          additionalRecipients: [{ type: 'EMAIL', value: 'jane@example.com' }],
        },
      }),
      events.runReportSchedule(id),
      events.runReportSchedule(1),
      events.changeReportSchedule(1, { title: 'Off', schedule: { enabled: false } }),
      events.removeReportSchedule(2),
      events.createFileSet('mine', [{ path: 'a.txt' }]),
      events.addFiles('mine', [{ path: 'b/c.txt', size: 7 }]),
      events.removeFiles('mine', ['a.txt']),
      events.removeFileSet('empty'),
    )
  }
  const { shop, answer } = await askOne(handle)
  expect(answer.status).toBe(200)
  const { reportSchedules } = await shop.control.listReportSchedules()
  expect(reportSchedules.map(({ id }) => id)).toEqual([1, 3, 4, 5, 6, 7])
  expect(reportSchedules[0]).toMatchObject({ title: 'Off', revision: 2, nextRun: null, schedule: { enabled: false } })
  expect(reportSchedules.at(-1)).toMatchObject({
    id: 7,
    title: 'Weekly sales',
    nextRun: '2026-03-09T12:30:00.000Z',
    lastRun: '2026-03-05T14:30:00.000Z',
  })
  expect((await shop.control.listRuns(7)).runs).toMatchObject([{ id: 1, at: '2026-03-05T14:30:00.000Z' }])
  expect((await shop.control.listRuns(1)).runs).toMatchObject([{ id: 2 }])
  expect((await shop.control.listDeliveries({ scheduleId: 7 })).deliveries).toMatchObject([
    { scheduleId: 7, recipient: { value: 'jane@example.com' } },
  ])
  expect((await shop.control.listFiles('mine')).files.map(({ path }) => path)).toContain('b/c.txt')
  expect((await shop.control.listFileSets()).fileSets.map(({ id }) => id)).not.toContain('empty')
})

test('a handler sees schedules, runs, deliveries and file sets', async () => {
  const seen: unknown[] = []
  const { shop } = await askOne((state, call) => {
    const first = state.reportSchedules.get(1)
    const demo = state.fileSets.get('demo')
    const file = demo?.list({ limit: 1 })[0]
    seen.push({
      schedules: state.reportSchedules.size,
      first: [first?.id, first?.nextRun, first?.lastRun],
      runs: state.reportSchedules.runs().length,
      deliveries: state.reportSchedules.deliveries(1).length,
      sets: state.fileSets.list().map(({ id, files }) => [id, files]),
      same: demo?.at(file?.path ?? '') !== undefined && demo.get(file?.id ?? '')?.path === file?.path,
      frozen: Object.isFrozen(file) && Object.isFrozen(first?.schedule),
      call: [call.operationId, call.path.orderId, call.now, call.identity.userId, call.body, call.header('x-a')],
    })
    return { status: 200, body: ORDER }
  })
  await shop.control.advanceClock({ by: 'P30D' })
  await ask(shop, 'get', '/7')
  const call = ['getOrder', 7, NOW, 1, undefined, undefined]
  expect(seen[0]).toMatchObject({
    schedules: 6,
    runs: 0,
    deliveries: 0,
    sets: [
      ['demo', 10],
      ['awkward', 135],
      ['empty', 0],
    ],
    same: true,
    frozen: true,
    call,
  })
  const after = seen[1] as { runs: number; first: readonly (number | undefined)[] }
  const ids = [1, 2, 3, 4, 5, 6]
  const runs = await Promise.all(ids.map((id) => shop.control.listRuns(id)))
  expect(after.runs).toBe(runs.reduce((sum, one) => sum + one.runs.length, 0))
  expect(after.runs).toBeGreaterThan(0)
  const { nextRun, lastRun } = await shop.control.getReportSchedule(1)
  expect(after.first).toEqual([1, Date.parse(nextRun ?? ''), Date.parse(lastRun ?? '')])
})

test('a refusal has the service’s error shape, also where a behaviour gives it another', async () => {
  const refuse = () => problem(409, 'The order is paid', 'Order 7 is paid and cannot be changed.')
  const usual = (await askOne(refuse)).answer
  expect(usual.body).toMatchObject({
    type: '/problems/the-order-is-paid',
    title: 'The order is paid',
    status: 409,
    detail: 'Order 7 is paid and cannot be changed.',
  })
  const service = (await askOne(refuse, { behaviours: { 'error.body': 'service' } })).answer
  expect(service.body).toMatchObject({
    status: 409,
    statusReason: 'Conflict',
    message: 'Order 7 is paid and cannot be changed.',
  })
})

test('documents have bounds, and what goes beyond one is refused', async () => {
  const many = (count: number) => done(...Array.from({ length: count }, (_, index) => events.create('many', index, {})))
  const tooMany = (await askOne(() => many(1001))).answer
  expect((tooMany.body as { detail: string }).detail).toContain('events: expected at most 1000, got 1001.')
  const tooLong = (await askOne(() => done(events.create('long', 1, { text: 'x'.repeat(2 ** 20) })))).answer
  expect([tooLong.status, (tooLong.body as { type: string }).type]).toEqual([409, '/problems/document-too-large'])
  const entries = (count: number, name = '') =>
    Array.from({ length: count }, (_, index) => [`${name}${index}`, {}] as const)
  const storing = (collections: object) => {
    let event = events.create('', '', {})
    const getOrder = defineOperation('getOrder', () => done(event))
    const shop = createShop({ handlers: [getOrder, ...OTHERS], fixtures: [{ collections }] })
    return async (collection: string, id: string) => {
      event = events.create(collection, id, {})
      const answer = await ask(shop, 'get', '/7')
      return [answer.status, (answer.body as { type?: string }).type]
    }
  }
  const document = storing({ many: Object.fromEntries(entries(199_999)) })
  expect(await document('many', 'the last')).toEqual([200, undefined])
  expect(await document('many', 'one more')).toEqual([409, '/problems/too-many-documents'])
  const order = storing(Object.fromEntries(entries(10_000, 'orders/')))
  expect(await order('orders/9999', 'new')).toEqual([200, undefined])
  expect(await order('orders/new', 'new')).toEqual([409, '/problems/too-many-collections'])
})

test.for<[unknown, string]>([
  [
    [defineOperation('getOder', () => problem(404, 'No'))],
    'options.handlers: the contract has no operation "getOder". Did you mean "getOrder"?',
  ],
  [[{ operationId: 'getOrder' }], 'options.handlers: element 1 is not an operation. Make it with defineOperation'],
  [[ORDER_HANDLERS[0], ORDER_HANDLERS[0]], 'the operation listOrders is there twice. Remove one.'],
  [
    'handlers.ts',
    'handlers: createStandin cannot import a file, because an import needs an await. Give what it exports: (await import("./handlers.ts")).default.',
  ],
  [7, 'options.handlers: Expected the path of a file, or operations made with defineOperation; got number.'],
])('handlers that are wrong stop the start: %j', ([handlers, complaint]) => {
  const start = () => createStandin({ contract: ORDERS_CONTRACT, handlers: handlers as never })
  expect(startComplaintsOf(start).join('\n')).toContain(complaint)
})
