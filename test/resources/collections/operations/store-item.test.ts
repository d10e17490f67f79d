import { expect, test } from 'vitest'
import { inPath, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, OWN_KEY, type Json } from '../../../support/contracts/small-contract.ts'

const CENTS = { type: 'integer', minimum: 0, maximum: 1000 }
const COMPUTED = { ...CENTS, readOnly: true }

/** A server of orders with these members besides their id. */
function createOrders(properties: Json, example?: Json) {
  const one = shows(ref('Order'))
  const shown = example ? { ...one, content: { 'application/json': { schema: ref('Order'), example } } } : one
  const paths = {
    '/orders': { post: { requestBody: takes(ref('Order')), responses: { 201: one } } },
    '/orders/{orderId}': {
      parameters: [inPath('orderId')],
      get: { responses: { 200: shown } },
      patch: { requestBody: takes({ type: 'object' }), responses: { 200: one } },
    },
  }
  const Order = {
    type: 'object',
    required: ['id', ...Object.keys(properties)],
    properties: { id: COMPUTED, ...properties },
  }
  const { request } = createContractTester(paths, { Order })
  const send = async (method: 'post' | 'patch', path: string, body: object) =>
    (await request()[method](path).set(OWN_KEY).send(body)).body as Json
  return {
    create: (body: object) => send('post', '/orders', body),
    change: (id: number, body: object) => send('patch', `/orders/${id}`, body),
  }
}

const LINE = { type: 'object', properties: { quantity: { type: 'integer' }, unitPrice: CENTS } }
const LINES = { type: 'array', items: LINE }

test('a total that clients cannot write is the sum of the lines, and follows them', async () => {
  const { create, change } = createOrders({ lines: LINES, total: COMPUTED })
  const order = await create({
    lines: [
      { quantity: 2, unitPrice: 30 },
      { quantity: 1, unitPrice: 15 },
    ],
  })
  expect(order).toMatchObject({ total: 75 })
  const lines = [{ quantity: 3, unitPrice: 30 }]
  expect(await change(order.id as number, { lines })).toMatchObject({ lines, total: 90 })
})

test('what clients may write stays as they wrote it', async () => {
  const { create } = createOrders({ quantity: { type: 'integer' }, unitPrice: CENTS, total: CENTS })
  const bought = { quantity: 70, unitPrice: 3 }
  expect(await create({ ...bought, total: 200 })).toMatchObject({ ...bought, total: 200 })
})

test('a total beyond what the contract allows is not shown', async () => {
  const { create } = createOrders({ quantity: { type: 'integer' }, unitPrice: CENTS, total: COMPUTED })
  const { total } = await create({ quantity: 1000, unitPrice: 1000 })
  expect(total).toBeLessThanOrEqual(1000)
})

test('the total of an example that does not add up stays as it is', async () => {
  const example = { id: 1, lines: [{ quantity: 2, unitPrice: 30 }], total: 66, note: 'with shipping' }
  const { change } = createOrders({ lines: LINES, total: COMPUTED, note: { type: 'string' } }, example)
  expect(await change(1, { note: 'sent' })).toEqual({ ...example, note: 'sent' })
})

test('a day that was sent is kept where responses show a moment, and a moment where they show a day', async () => {
  const text = { type: 'string' }
  const Order = (format: object) => ({
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer', readOnly: true }, due_on: { ...text, ...format } },
  })
  for (const [taken, shown, sent, kept] of [
    ['date', 'date-time', '2026-11-20', '2026-11-20T00:00:00Z'],
    ['date-time', 'date', '2026-11-20T10:00:00+02:00', '2026-11-20'],
  ]) {
    const paths = {
      '/orders': { post: { requestBody: takes(Order({ format: taken })), responses: { 201: shows(ref('Order')) } } },
      '/orders/{orderId}': { parameters: [inPath('orderId')], get: { responses: { 200: shows(ref('Order')) } } },
    }
    const { request } = createContractTester(paths, { Order: Order({ format: shown }) })
    const response = await request().post('/orders').set(OWN_KEY).send({ due_on: sent })
    expect(response.body).toMatchObject({ due_on: kept })
  }
})
