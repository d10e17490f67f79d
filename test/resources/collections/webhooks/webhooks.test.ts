import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import request from 'supertest'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { createMemoryStore, createStandin, type StandinOptions } from '../../../../src/index.ts'
import { createDirectory, runCommand } from '../../../support/command.ts'
import { startService } from '../../../support/servers/proxy.ts'
import { serve } from '../../../support/serve.ts'
import { startReceiver } from '../../../support/servers/webhook-receiver.ts'
import { longTest } from '../../../support/cases.ts'

const CLOCK = '2026-03-01T09:00:00Z'

const ORDER = {
  type: 'object',
  required: ['id', 'customer', 'status'],
  properties: {
    id: { type: 'integer', readOnly: true },
    customer: { type: 'string' },
    pin: { type: 'string', writeOnly: true },
    status: { type: 'string', enum: ['placed', 'shipped', 'cancelled'] },
    callbackUrl: { type: 'string' },
    createdAt: { type: 'string', format: 'date-time', readOnly: true },
  },
}
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const one = (schema: object) => ({ description: 'ok', ...json(schema) })
const ref = { $ref: '#/components/schemas/Order' }
const message = (schema: object, more: object = {}) => ({
  post: { ...more, requestBody: json(schema), responses: { 200: { description: 'taken' } } },
})

const SHOP = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/orders': {
      get: { operationId: 'listOrders', responses: { 200: one({ type: 'array', items: ref }) } },
      post: {
        operationId: 'createOrder',
        requestBody: json({ ...ORDER, required: ['customer'] }),
        responses: { 201: one(ref) },
        callbacks: {
          orderShipped: {
            '{$request.body#/callbackUrl}?order={$response.body#/id}': message({
              type: 'object',
              required: ['orderId', 'status', 'at'],
              properties: {
                orderId: { type: 'integer' },
                status: { type: 'string' },
                at: { type: 'string', format: 'date-time' },
              },
            }),
          },
        },
      },
    },
    '/orders/{orderId}': {
      parameters: [{ name: 'orderId', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'getOrder', responses: { 200: one(ref), 404: { description: 'none' } } },
      patch: {
        operationId: 'updateOrder',
        requestBody: json({ type: 'object', properties: ORDER.properties }),
        responses: { 200: one(ref) },
      },
      delete: { operationId: 'deleteOrder', responses: { 204: { description: 'gone' } } },
    },
    '/reports': {
      post: {
        operationId: 'makeReport',
        requestBody: json({ type: 'object', properties: { notify: { type: 'string' } } }),
        responses: { 202: one({ type: 'object', properties: { jobId: { type: 'string' } }, required: ['jobId'] }) },
        callbacks: {
          ready: {
            '{$request.body#/notify}': message({
              type: 'object',
              required: ['jobId', 'ok'],
              properties: { jobId: { type: 'string' }, ok: { type: 'boolean', const: true } },
            }),
          },
        },
      },
    },
  },
  webhooks: {
    orderEvent: message({
      type: 'object',
      required: ['type', 'created', 'data'],
      properties: {
        type: { enum: ['order.created', 'order.shipped', 'order.deleted', 'order.polished'] },
        created: { type: 'string', format: 'date-time' },
        data: ref,
      },
    }),
  },
  components: { schemas: { Order: ORDER } },
}

function start(options: StandinOptions = {}) {
  const standin = createStandin({ contract: SHOP, clock: CLOCK, ...options })
  onTestFinished(() => standin.stop())
  const create = async (body: object = {}) => {
    const response = await request(standin.app)
      .post('/orders')
      .send({ customer: 'ann', ...body })
    expect(response.status).toBe(201)
    return response.body as { id: number }
  }
  const ship = (id: number) => request(standin.app).patch(`/orders/${id}`).send({ status: 'shipped' })
  return { ...standin, create, ship }
}

test('a webhook is sent when the state changes as its name says', async () => {
  const receiver = await startReceiver()
  const { app, control, create, ship } = start({ webhooks: `${receiver.url}/hooks` })
  const { id } = await create({ pin: '1234' })
  await ship(id)
  // Neither was changed by this.
  await request(app).patch(`/orders/${id}`).send({ customer: 'bob' })
  await request(app).delete(`/orders/${id}`)
  const { webhooks } = await control.listWebhooks()
  expect(webhooks.map(({ event, status }) => [event, status])).toEqual([
    ['order.created', 'delivered'],
    ['order.shipped', 'delivered'],
    ['order.deleted', 'delivered'],
  ])
  expect(receiver.bodies()).toEqual([
    {
      type: 'order.created',
      created: '2026-03-01T09:00:00.000Z',
      data: { id, customer: 'ann', status: 'placed', createdAt: '2026-03-01T09:00:00.000Z' },
    },
    expect.objectContaining({ type: 'order.shipped', data: expect.objectContaining({ status: 'shipped' }) as object }),
    expect.objectContaining({ type: 'order.deleted', data: expect.objectContaining({ customer: 'bob' }) as object }),
  ])
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hooks', '/hooks', '/hooks'])
})

test('the library of Standard Webhooks accepts the signature, by the clock of the sandbox', async () => {
  const receiver = await startReceiver()
  const secret = `whsec_${Buffer.from('a secret of the test').toString('base64')}`
  const { control, create } = start({ webhooks: receiver.url, webhookSecret: secret, clock: new Date().toISOString() })
  await create()
  await control.listWebhooks()
  await control.putBehaviours({ 'webhooks.delivery': 'wrong-signature' })
  await create()
  await control.listWebhooks()
  const [right, wrong] = receiver.received
  const verify = (one = right) =>
    new Webhook(secret).verify(one?.body ?? '', (one?.headers ?? {}) as Record<string, string>)
  expect(verify()).toMatchObject({ type: 'order.created' })
  expect(() => verify(wrong)).toThrow('No matching signature found')
})

test('a callback goes where the request says, when the item becomes what its name says', async () => {
  const receiver = await startReceiver()
  const { control, create, ship } = start()
  const { id } = await create({ callbackUrl: `${receiver.url}/shipped` })
  const other = await create()
  await ship(other.id)
  await control.listWebhooks()
  expect(receiver.received).toHaveLength(0)
  await ship(id)
  const { webhooks } = await control.listWebhooks({ event: 'createOrder orderShipped' })
  expect(webhooks).toMatchObject([{ status: 'delivered', about: { collection: 'orders', id: String(id) } }])
  expect(receiver.received[0]?.path).toBe(`/shipped?order=${id}`)
  expect(receiver.bodies()).toEqual([{ orderId: id, status: 'shipped', at: '2026-03-01T09:00:00.000Z' }])
})

test('a callback of an operation without a collection is sent once that has succeeded', async () => {
  const receiver = await startReceiver()
  const { app, control } = start()
  const { body } = (await request(app).post('/reports').send({ notify: receiver.url })) as { body: { jobId: string } }
  await request(app).post('/reports').send({ notify: 5 })
  await request(app).post('/reports').send({})
  await control.listWebhooks()
  expect(receiver.bodies()).toEqual([{ jobId: body.jobId, ok: true }])
})

test('what is not accepted is sent again by the clock of the sandbox, with the same id', async () => {
  const receiver = await startReceiver((number) => (number < 4 ? 503 : 200))
  const { control, create } = start({ webhooks: receiver.url })
  await create()
  expect((await control.listWebhooks()).webhooks).toMatchObject([
    { status: 'waiting', nextAttempt: '2026-03-01T09:00:05.000Z', attempts: [{ isAccepted: false, status: 503 }] },
  ])
  await control.advanceClock({ by: 'PT1H' })
  const { webhooks } = await control.listWebhooks()
  expect(webhooks[0]?.attempts.map(({ at, status }) => [at.slice(11, 19), status])).toEqual([
    ['09:00:00', 503],
    ['09:00:05', 503],
    ['09:05:05', 503],
    ['09:35:05', 200],
  ])
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([webhooks[0]?.id]))
  expect(webhooks[0]?.status).toBe('delivered')
})

test('a test verifies that the client accepts every webhook', async () => {
  const receiver = await startReceiver((number) => (number === 1 ? 500 : 200))
  const { control, create } = start({ webhooks: receiver.url })
  const verify = async () =>
    (await control.verifyJournal({ expectations: [{ acceptedEveryWebhook: true }] })).results[0]
  expect(await verify()).toMatchObject({ passed: false, received: 'no webhook was sent' })
  await create()
  expect(await verify()).toMatchObject({
    passed: false,
    received: '1 webhook, 1 of them not accepted',
    misses: [{ differences: [{ what: 'response at 2026-03-01T09:00:00.000Z', expected: '2xx', received: '500' }] }],
  })
  await control.advanceClock({ by: 'PT5S' })
  expect(await verify()).toMatchObject({ passed: true, received: '1 webhook, 0 of them not accepted' })
})

test('a receiver that is gone is not asked again', async () => {
  const receiver = await startReceiver(() => 410)
  const { control, create } = start({ webhooks: receiver.url })
  await create()
  await control.advanceClock({ by: 'P3D' })
  expect((await control.listWebhooks()).webhooks).toMatchObject([
    { status: 'failed', attempts: [{ status: 410 }], why: 'The last attempt ended with 410.' },
  ])
})

test('addresses of other machines get nothing unless they are named', async () => {
  const { control, create, ship } = start()
  const { id } = await create({ callbackUrl: 'http://10.0.0.1/internal' })
  await ship(id)
  const { webhooks } = await control.listWebhooks({ event: 'createOrder orderShipped' })
  expect(webhooks).toMatchObject([
    {
      status: 'captured',
      why: '10.0.0.1 is another machine. Pass --allow-callback 10.0.0.1 to send there.',
      attempts: [],
    },
  ])
  for (const [url, why] of [
    ['http://169.254.169.254/', '169.254.169.254 is another machine.'],
    ['http://localhost.example.com/', 'localhost.example.com is another machine.'],
    ['http://127.0.0.1@example.com/', 'a user or a password'],
    ['http://ann:pw@127.0.0.1/', 'a user or a password'],
    ['file:///etc/passwd', 'is no http or https address.'],
    ['nonsense', 'is no http or https address.'],
  ] as const)
    await expect(control.setWebhookTarget({ url })).rejects.toThrow(why)
})

test('a server that other machines can reach sends nothing to this one, unless its user says so', async () => {
  const receiver = await startReceiver()
  const sent = async (options: StandinOptions) => {
    const { control, create, ship } = start({ host: '0.0.0.0', webhooks: receiver.url, ...options })
    await ship((await create({ callbackUrl: receiver.url })).id)
    return (await control.listWebhooks()).webhooks.map(({ event, status }) => `${event} ${status}`)
  }
  expect(await sent({})).toEqual([
    'order.created delivered',
    'order.shipped delivered',
    'createOrder orderShipped captured',
  ])
  expect(await sent({ allowCallback: '127.0.0.1' })).toContain('createOrder orderShipped delivered')
})

test('a server sends nothing to itself', async () => {
  const { create, ship, control, start: listen } = start()
  const url = await listen()
  await ship((await create({ callbackUrl: `${url}/__mock/reset` })).id)
  expect((await control.listWebhooks({ event: 'createOrder orderShipped' })).webhooks).toMatchObject([
    { status: 'captured', why: 'It is the address of this server itself.' },
  ])
  await expect(control.setWebhookTarget({ url: `${url}/orders` })).rejects.toThrow('the address of this server itself')
})

test('a webhook cannot use the control API, whoever sent it', async () => {
  const { app } = start()
  const { status, body } = (await request(app).post('/__mock/reset').set('X-Mock-Webhook', 'msg_1')) as {
    status: number
    body: { detail: string }
  }
  expect([status, body.detail]).toEqual([403, 'A webhook of a stand-in cannot use the control API.'])
})

longTest('a message that waits is never forgotten, and one that was not accepted still counts', async () => {
  const receiver = await startReceiver((number) => (number === 1 ? 410 : 204))
  const { control, create } = start({ webhooks: receiver.url })
  await create()
  await control.listWebhooks()
  for (let number = 0; number < 1100; number++) await create()
  const { total, forgotten, lost } = await control.listWebhooks()
  expect(receiver.received).toHaveLength(1101)
  expect([total, forgotten, lost]).toEqual([1000, 101, 1])
  const [result] = (await control.verifyJournal({ expectations: [{ acceptedEveryWebhook: true }] })).results
  expect(result).toMatchObject({
    passed: false,
    received: '1000 webhooks, 0 of them not accepted; 1 that are no longer kept were not accepted',
  })
})

test('a slow address does not hold up the others', async () => {
  const receiver = await startReceiver()
  const slow = await startService(() => undefined)
  const { app, control, create } = start()
  await request(app).post('/reports').send({ notify: slow })
  await control.setWebhookTarget({ url: receiver.url })
  await create()
  await expect.poll(() => receiver.received.length).toBe(1)
})

test('what time changes is told at its time, also within a longer move of the clock', async () => {
  const receiver = await startReceiver(() => 500)
  const transitions = { status: { placed: [{ to: 'shipped', after: 'P1D' }, 'cancelled'] } }
  const contract = {
    ...SHOP,
    paths: { ...SHOP.paths, '/orders': { ...SHOP.paths['/orders'], 'x-standin': { transitions } } },
  }
  const { control, create } = start({ contract, webhooks: receiver.url })
  await create()
  await control.advanceClock({ by: 'P10D' })
  const { webhooks } = await control.listWebhooks({ event: 'order.shipped' })
  expect(webhooks[0]?.createdAt).toBe('2026-03-02T09:00:00.000Z')
  expect(webhooks[0]?.attempts.map(({ at }) => at).slice(0, 3)).toEqual([
    '2026-03-02T09:00:00.000Z',
    '2026-03-02T09:00:05.000Z',
    '2026-03-02T09:05:05.000Z',
  ])
  expect(webhooks[0]?.attempts).toHaveLength(10)
})

test('what is cleared is not sent again, and what fails when it is sent by hand is tried again', async () => {
  const receiver = await startReceiver(() => 500)
  const { control, create } = start({ webhooks: receiver.url })
  await create()
  await control.listWebhooks()
  expect(await control.deleteWebhooks()).toEqual({ removed: 1 })
  await control.advanceClock({ by: 'P3D' })
  expect((await control.listWebhooks()).total).toBe(0)
  expect(receiver.received).toHaveLength(1)
  await control.setWebhookTarget({ url: null })
  await create()
  await control.setWebhookTarget({ url: receiver.url })
  const [captured] = (await control.listWebhooks()).webhooks
  expect(await control.redeliverWebhook(captured?.id ?? '')).toMatchObject({
    status: 'waiting',
    nextAttempt: '2026-03-04T09:00:05.000Z',
  })
})

test('nothing that happened is told twice, and what did not happen is not told', async () => {
  const receiver = await startReceiver()
  const { app, control, create } = start({ webhooks: receiver.url })
  const { id } = await create({ status: 'shipped', callbackUrl: receiver.url })
  const once = () =>
    request(app)
      .post('/orders')
      .set('Idempotency-Key', 'abc')
      .send({ customer: 'bob', status: 'shipped', callbackUrl: receiver.url })
  await once()
  await once()
  await request(app).patch(`/orders/${id}`).send({ status: 'shipped' })
  const { webhooks } = await control.listWebhooks()
  expect(webhooks.map(({ event }) => event).toSorted()).toEqual([
    'createOrder orderShipped',
    'createOrder orderShipped',
    'order.created',
    'order.created',
    'order.shipped',
    'order.shipped',
  ])
})

test('free texts, headers, lists and integers say what the document says of them', async () => {
  const receiver = await startReceiver()
  const event = {
    type: 'object',
    required: ['id', 'type', 'version', 'at', 'account', 'order_id'],
    properties: {
      id: { type: 'string' },
      type: { type: 'string' },
      version: { type: 'string', default: 'v9' },
      at: { type: 'integer' },
      account: { type: 'string', example: 'acct_1' },
      order_id: { type: 'integer' },
    },
  }
  const parameters = [
    { name: 'X-Event', in: 'header', required: true, schema: { type: 'string' } },
    { name: 'X-Delivery-Id', in: 'header', required: true, schema: { type: 'string' } },
    { name: 'X-Kind', in: 'header', schema: { const: 'orders' } },
    { name: 'tenant', in: 'query', schema: { const: 't1' } },
  ]
  const contract = {
    ...SHOP,
    webhooks: { 'order.created': message({ type: 'array', items: event }, { parameters }) },
  }
  const { control, create } = start({ contract, webhooks: receiver.url })
  const { id } = await create()
  await create()
  const [first] = (await control.listWebhooks()).webhooks
  const [one, other] = receiver.bodies() as unknown as [[Record<string, unknown>], [Record<string, unknown>]]
  expect(one).toEqual([
    {
      id: expect.any(String) as string,
      type: 'order.created',
      version: 'v9',
      at: 1772355600,
      account: 'acct_1',
      order_id: id,
    },
  ])
  expect(other[0].id).not.toBe(one[0].id)
  expect(receiver.received[0]?.path).toBe('/?tenant=t1')
  expect(receiver.received[0]?.headers).toMatchObject({
    'x-event': 'order.created',
    'x-delivery-id': first?.id,
    'x-kind': 'orders',
    'content-type': 'application/json',
  })
})

test('each sandbox has its own address, and a message is sent again from the control API', async () => {
  const receiver = await startReceiver()
  const { app, control, create } = start()
  const mine = control.in('mine')
  await mine.setWebhookTarget({ url: `${receiver.url}/mine` })
  await request(app).post('/orders').set('X-Mock-Sandbox', 'mine').send({ customer: 'ann' })
  await create()
  const [sent] = (await mine.listWebhooks()).webhooks
  expect((await control.listWebhooks()).webhooks).toMatchObject([{ status: 'captured', url: null }])
  expect((await mine.redeliverWebhook(sent?.id ?? '')).attempts).toHaveLength(2)
  expect(receiver.received.map(({ path, headers }) => [path, headers['x-mock-sandbox']])).toEqual([
    ['/mine', 'mine'],
    ['/mine', 'mine'],
  ])
  await expect(mine.redeliverWebhook('msg_none')).rejects.toThrow('has no webhook msg_none')
  await mine.reset()
  expect((await mine.listWebhooks()).total).toBe(0)
  // A receiver that drops ids that it knows must not drop those of the next test.
  await request(app).post('/orders').set('X-Mock-Sandbox', 'mine').send({ customer: 'ann' })
  expect((await mine.listWebhooks()).webhooks[0]?.id).not.toBe(sent?.id)
  const [captured] = (await control.listWebhooks()).webhooks
  await expect(control.redeliverWebhook(captured?.id ?? '')).rejects.toThrow('cannot be sent. It has no address.')
})

test('of stand-ins that share a store, the one that was asked sends', async () => {
  const receiver = await startReceiver()
  const store = createMemoryStore()
  const [one, other] = [start({ store, webhooks: receiver.url }), start({ store, webhooks: receiver.url })]
  await one.create()
  await request(other.app).get('/orders')
  await other.create()
  await request(one.app).get('/orders')
  await one.control.listWebhooks()
  await other.control.listWebhooks()
  expect(receiver.received).toHaveLength(2)
})

test('a changed contract changes what is sent', async () => {
  const receiver = await startReceiver()
  const { path, remove } = createDirectory({ 'openapi.json': JSON.stringify(SHOP) })
  onTestFinished(remove)
  const { command, url } = await serve(['--contract', 'openapi.json', '--watch', '--webhooks', receiver.url], {
    cwd: path,
  })
  const create = () =>
    fetch(`${url}/orders`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"customer":"ann"}',
    })
  await create()
  const body = { type: 'object', required: ['customer', 'id'], properties: ORDER.properties }
  const changed = { ...SHOP, webhooks: { 'order.created': message(body) } }
  writeFileSync(join(path, 'openapi.json'), JSON.stringify(changed))
  await command.until(/\nreloaded: /)
  await create()
  await expect.poll(() => receiver.received.length).toBe(2)
  expect(receiver.bodies().map((body) => body.type ?? body.customer)).toEqual(['order.created', 'ann'])
})

test('equal requests give equal messages', async () => {
  const bodies = async () => {
    const { control, create } = start()
    await create()
    return (await control.listWebhooks()).webhooks
  }
  expect(await bodies()).toEqual(await bodies())
})

test('endpoints that a client registers with the service get the events that they list, signed by their secret', async () => {
  const receiver = await startReceiver()
  const HOOK = {
    type: 'object',
    required: ['id', 'url'],
    properties: {
      id: { type: 'integer', readOnly: true },
      url: { type: 'string' },
      events: { type: 'array', items: { type: 'string' } },
      secret: { type: 'string' },
    },
  }
  const contract = {
    ...SHOP,
    paths: {
      ...SHOP.paths,
      '/webhook_endpoints': {
        get: { responses: { 200: one({ type: 'array', items: HOOK }) } },
        post: { requestBody: json({ ...HOOK, required: ['url'] }), responses: { 201: one(HOOK) } },
      },
      '/webhook_endpoints/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { responses: { 200: one(HOOK) } },
      },
    },
  }
  const { app, control, create, ship } = start({ contract, clock: new Date().toISOString() })
  const register = (body: object) => request(app).post('/webhook_endpoints').send(body)
  await register({ url: `${receiver.url}/all`, secret: 'of-all' })
  await register({ url: `${receiver.url}/shipped`, events: ['order.shipped'] })
  const { id } = await create()
  await ship(id)
  await control.listWebhooks()
  expect(receiver.received.map(({ path }) => path)).toEqual(['/all', '/all', '/shipped'])
  const [first] = receiver.received
  new Webhook('of-all', { format: 'raw' }).verify(first?.body ?? '', (first?.headers ?? {}) as Record<string, string>)
})

test('standin check says when each is sent, and which are never', async () => {
  const { post, ...rest } = SHOP.paths['/orders']
  const callbacks = { ...post.callbacks, bad: { '{$request.foo}': message({ type: 'object' }) } }
  const contract = {
    ...SHOP,
    paths: { ...SHOP.paths, '/orders': { ...rest, post: { ...post, callbacks } } },
    webhooks: {
      ...SHOP.webhooks,
      weather: message({ type: 'object' }),
      gone: message({ type: 'object' }, { 'x-standin': { on: 'order deleted' } }),
      odd: message({ type: 'object' }, { 'x-standin': { on: 'nothing.created' } }),
    },
  }
  const { path, remove } = createDirectory({ 'openapi.json': JSON.stringify(contract, undefined, 1) })
  onTestFinished(remove)
  const check = runCommand(['check', '--contract', 'openapi.json'], { cwd: path })
  await check.ended
  const lines = check.stdout().replaceAll(/openapi\.json:\d+: /g, '')
  expect(lines).toContain('webhook order.created (orderEvent): sent when an order is created')
  expect(lines).toContain('webhook order.shipped (orderEvent): sent when /status of an order becomes shipped')
  expect(lines).toContain(
    'note: webhook orderEvent: order.polished is never sent, since its name and its description say no change',
  )
  expect(lines).toContain('note: webhook weather is never sent')
  expect(lines).toContain('note: webhook odd is never sent, since x-standin says {"on":"nothing.created"}')
  expect(lines).toContain('note: callback createOrder bad: "{$request.foo}" is no address.')
  expect(lines).toContain('webhook gone: sent when an order is deleted')
  expect(lines).toContain('callback makeReport ready: sent when makeReport has succeeded')
})

test('of the events that its body may name, a webhook of the name of one is that one', async () => {
  const event = SHOP.webhooks.orderEvent
  const contract = {
    ...SHOP,
    webhooks: {
      'order.created': event,
      onOrderShipped: event,
      elsewhere: { post: { ...event.post, operationId: 'order_deleted' } },
    },
  }
  const standin = createStandin({ contract, documents: 0, clock: CLOCK })
  onTestFinished(() => standin.stop())
  await request(standin.app).post('/orders').send({ customer: 'Ann' })
  await request(standin.app).patch('/orders/1').send({ status: 'shipped' })
  await request(standin.app).delete('/orders/1')
  const { webhooks } = await standin.control.listWebhooks()
  expect(webhooks.map(({ webhook, event: named }) => [webhook, named])).toEqual([
    ['order.created', 'order.created'],
    ['onOrderShipped', 'order.shipped'],
    ['elsewhere', 'order.deleted'],
  ])
})

test('a contract without webhooks has none, and says so', async () => {
  const { control } = createStandin()
  expect(await control.listWebhooks()).toMatchObject({ total: 0, webhooks: [] })
  await expect(control.setWebhookTarget({ url: 'http://127.0.0.1:1' })).rejects.toThrow('describes no webhooks')
})

test('a description says when a webhook is sent, and a link which operation sends it', async () => {
  const order = message({ type: 'object', properties: { order: ref } })
  const told = { told: { operationRef: '#/webhooks/first/post' } }
  const { get, post } = SHOP.paths['/orders']
  const linked = {
    ...SHOP.paths['/orders/{orderId}'].patch,
    responses: { 200: { ...one(ref), links: { x: { operationId: 'sendThird' } } } },
  }
  const contract = {
    ...SHOP,
    webhooks: {
      first: order,
      second: {
        post: { ...order.post, description: 'Your address is called when an order is cancelled, at most once.' },
      },
      third: { post: { ...order.post, operationId: 'sendThird' } },
      fourth: { post: { ...order.post, summary: 'We tell you of news.' } },
    },
    paths: {
      '/orders': { get, post: { ...post, callbacks: {}, responses: { 201: { ...one(ref), links: told } } } },
      '/orders/{orderId}': { ...SHOP.paths['/orders/{orderId}'], patch: linked },
    },
  }
  const standin = createStandin({ contract, documents: 0, clock: CLOCK })
  onTestFinished(() => standin.stop())
  const { app } = standin
  await request(app).post('/orders').send({ customer: 'Ann' })
  await request(app).patch('/orders/1').send({ status: 'shipped' })
  await request(app).patch('/orders/1').send({ status: 'cancelled' })
  const { webhooks } = await standin.control.listWebhooks()
  const sent = webhooks.map(({ webhook, body }) => [
    webhook,
    (JSON.parse(body) as { order: { status: string } }).order.status,
  ])
  expect(sent.toSorted()).toEqual([
    ['first', 'placed'],
    ['second', 'cancelled'],
    ['third', 'cancelled'],
    ['third', 'shipped'],
  ])
})
