import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import request from 'supertest'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { createMemoryStore, createStandin, type StandinOptions } from '../../../../src/index.ts'
import { createDirectory, runCommand } from '../../../support/command.ts'
import { serve } from '../../../support/serve.ts'
import { startReceiver } from '../../../support/webhook-receiver.ts'

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
  const { control, create, ship } = start({ webhooks: 'https://hooks.example.com/in' })
  const { id } = await create({ callbackUrl: 'http://10.0.0.1/internal' })
  await ship(id)
  const { webhooks } = await control.listWebhooks()
  expect(webhooks.map(({ event, status, why, attempts }) => [event, status, why, attempts])).toEqual([
    ['order.created', 'captured', expect.stringContaining('Pass --allow-callback') as string, []],
    ['order.shipped', 'captured', expect.stringContaining('hooks.example.com') as string, []],
    ['createOrder orderShipped', 'captured', expect.stringContaining('10.0.0.1') as string, []],
  ])
  await expect(control.setWebhookTarget({ url: 'http://169.254.169.254/' })).rejects.toThrow(
    'an http or https address of this machine',
  )
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
  const contract = {
    ...SHOP,
    webhooks: {
      ...SHOP.webhooks,
      weather: message({ type: 'object' }),
      gone: message({ type: 'object' }, { 'x-standin': { on: 'order deleted' } }),
    },
  }
  const { path, remove } = createDirectory({ 'openapi.json': JSON.stringify(contract, undefined, 1) })
  onTestFinished(remove)
  const check = runCommand(['check', '--contract', 'openapi.json'], { cwd: path })
  await check.ended
  const lines = check.stdout().replaceAll(/openapi\.json:\d+: /g, '')
  expect(lines).toContain('webhook order.created: sent when an order is created')
  expect(lines).toContain('webhook order.shipped: sent when /status of an order becomes shipped')
  expect(lines).toContain('webhook order.polished: never sent')
  expect(lines).toContain('webhook weather: never sent')
  expect(lines).toContain('webhook gone: sent when an order is deleted')
  expect(lines).toContain('callback makeReport ready: sent when makeReport has succeeded')
})

test('a contract without webhooks has none, and says so', async () => {
  const { control } = createStandin()
  expect(await control.listWebhooks()).toMatchObject({ total: 0, webhooks: [] })
  await expect(control.setWebhookTarget({ url: 'http://127.0.0.1:1' })).rejects.toThrow('describes no webhooks')
})
