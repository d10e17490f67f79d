import request from 'supertest'
import { expect, test } from 'vitest'
import { createControlledTester } from '../support/control.ts'

/** The first five minutes of docs/collections.md, and what else the contract of the shop promises. */

interface Item {
  readonly id: number
  readonly [member: string]: unknown
}

interface Page {
  readonly data: readonly Item[]
  readonly total: number
}

function openShop() {
  const { standin, control } = createControlledTester({
    contract: 'examples/shop/contract.yaml',
    clock: '2026-03-05T14:30:00Z',
    selfCheck: true,
  })
  const send = async (
    method: 'get' | 'post' | 'put' | 'patch' | 'delete',
    path: string,
    body?: object,
    headers = {},
  ) => {
    const response = await request(standin.app)[method](path).set(headers).send(body)
    const { status } = response
    return { status, headers: response.headers as Readonly<Record<string, string>>, body: response.body as Item }
  }
  const list = async (path: string) => (await send('get', path)).body as unknown as Page
  return { standin, control, send, list }
}

function orderOf(customerId: number) {
  return { customerId, lines: [{ productId: 1, quantity: 2, unitPrice: 3450 }] }
}

const GRACE = { name: 'Grace Hopper', email: 'grace@example.com', country: 'US' }

test('the start line says what was found, and nothing of what the contract does not have', () => {
  const { standin } = openShop()
  expect(standin.summary).toMatch(/^15 operations: 13 in 4 collections, 1 action, 1 generated, /)
  expect(standin.summary).not.toMatch(/file|report/)
  expect(standin.notes).toEqual([])
  expect(standin.exampleRequest('http://shop')).toBe("curl 'http://shop/customers'")
})

test('a customer is created, read, changed, listed and deleted', async () => {
  const { send, list } = openShop()
  expect((await list('/customers')).data.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  const dates = { createdAt: '2026-03-05T14:30:00.000Z', updatedAt: '2026-03-05T14:30:00.000Z' }
  const created = await send('post', '/customers', GRACE)
  expect([created.status, created.body]).toEqual([201, { id: 11, ...GRACE, ...dates }])
  expect(await send('get', '/customers/11')).toMatchObject({ status: 200, body: created.body })
  const changed = { ...created.body, city: 'Arlington' }
  expect(await send('patch', '/customers/11', { city: 'Arlington' })).toMatchObject({ status: 200, body: changed })
  expect((await list('/customers')).data.at(-1)).toEqual(changed)
  expect((await send('delete', '/customers/11')).status).toBe(204)
  expect(await send('get', '/customers/11')).toMatchObject({
    status: 404,
    body: { status: 404, detail: 'There is no customer 11.' },
  })
  expect((await list('/customers')).data).toHaveLength(10)
})

test('lists page, search, filter and sort as the contract documents', async () => {
  const { send, list } = openShop()
  await send('post', '/customers', GRACE)
  expect(await list('/customers?page=3&perPage=5')).toMatchObject({ data: [GRACE], page: 3, perPage: 5, total: 11 })
  expect(await list('/customers?q=hopper&country=US&sort=-createdAt')).toMatchObject({ data: [GRACE], total: 1 })
  const { data: products } = await list('/products?minPrice=500&maxPrice=2000&sort=-price')
  const prices = products.map(({ price }) => Number(price))
  expect(prices).not.toEqual([])
  expect(prices).toEqual(prices.filter((price) => price >= 500 && price <= 2000).toSorted((a, b) => b - a))
  expect((await send('get', '/customers?perPage=1000')).status).toBe(400)
})

test('the settings are one document, which is replaced', async () => {
  const { send } = openShop()
  const settings = { shopName: 'Round the Corner', currency: 'GBP', freeShippingFrom: 2500 }
  const replaced = await send('put', '/settings', settings)
  expect(replaced).toMatchObject({ status: 200, body: { ...settings, updatedAt: '2026-03-05T14:30:00.000Z' } })
  expect((await send('get', '/settings')).body).toEqual(replaced.body)
})

test('what is about no collection is generated', async () => {
  const { send } = openShop()
  const { status, headers, body } = await send('post', '/shipping-quotes', { country: 'FR', weight: 800 })
  expect([status, headers['x-mock-generated']]).toEqual([200, 'true'])
  expect(Object.keys(body)).toEqual(['price', 'days'])
})

test('an order belongs to its customer', async () => {
  const { send, list } = openShop()
  const { id: customerId } = (await send('post', '/customers', GRACE)).body
  const order = orderOf(customerId)
  const placed = await send('post', '/orders', order)
  expect(placed).toMatchObject({ status: 201, body: { ...order, id: 11, status: 'placed', total: 6900 } })
  expect((await list(`/customers/${customerId}/orders`)).data).toEqual([placed.body])
  expect((await send('get', '/customers/99/orders')).status).toBe(404)
})

test('an order refers to a customer and to products that exist, and goes with its customer', async () => {
  const { send } = openShop()
  const placed = await send('post', '/orders', orderOf(2))
  expect(placed).toMatchObject({ status: 201, headers: { location: '/orders/11' } })
  const refused = await send('post', '/orders', {
    ...orderOf(2),
    lines: [{ productId: 77, quantity: 1, unitPrice: 1 }],
  })
  expect(refused).toMatchObject({
    status: 422,
    body: { detail: expect.stringContaining('/lines/0/productId') as string },
  })
  expect((await send('post', '/orders', orderOf(99))).status).toBe(422)
  await send('delete', '/customers/2')
  expect((await send('get', '/orders/11')).status).toBe(404)
})

test('an order that is sent again with its idempotency key is placed once', async () => {
  const { send, list } = openShop()
  const place = () => send('post', '/orders', orderOf(1), { 'Idempotency-Key': 'monday' })
  const placed = await place()
  expect((await place()).body).toEqual(placed.body)
  expect((await list('/orders')).total).toBe(11)
})

test('settings that somebody else changed are not replaced', async () => {
  const { send } = openShop()
  const { headers, body } = await send('get', '/settings')
  const replace = () => send('put', '/settings', { ...body, currency: 'USD' }, { 'If-Match': headers.etag ?? '' })
  expect((await replace()).status).toBe(200)
  expect((await replace()).status).toBe(412)
})

test('an order is cancelled until it is shipped, which happens by the clock', async () => {
  const { send, control } = openShop()
  const order = { customerId: 1, lines: [{ productId: 1, quantity: 2, unitPrice: 3450 }] }
  await send('post', '/orders', order)
  await send('post', '/orders', order)
  expect(await send('post', '/orders/11/cancel')).toMatchObject({ status: 200, body: { id: 11, status: 'cancelled' } })
  await control.advanceClock({ by: 'P1D' })
  expect((await send('get', '/orders/11')).body).toMatchObject({ status: 'cancelled' })
  expect((await send('get', '/orders/12')).body).toMatchObject({ status: 'shipped' })
  expect(await send('post', '/orders/12/cancel')).toMatchObject({
    status: 409,
    body: { detail: 'The status of the order is shipped: no request may change it.' },
  })
  await control.advanceClock({ by: 'P2D' })
  expect((await send('get', '/orders/12')).body).toMatchObject({ status: 'delivered' })
})

test('an order is cancelled as long as it is not shipped, which it is a day later', async () => {
  const { send, list, control } = openShop()
  const place = async () => (await send('post', '/orders', orderOf(1))).body
  const [first, second] = [await place(), await place()]
  expect(await send('post', `/orders/${first.id}/cancel`)).toMatchObject({
    status: 200,
    body: { ...first, status: 'cancelled' },
  })
  await control.advanceClock({ by: 'PT23H59M59S' })
  expect((await send('get', `/orders/${second.id}`)).body.status).toBe('placed')
  await control.advanceClock({ by: 'PT1S' })
  expect((await list('/orders?status=shipped&createdAfter=2026-03-05T14:00:00Z')).data).toMatchObject([
    { id: second.id, status: 'shipped' },
  ])
  expect(await send('post', `/orders/${second.id}/cancel`)).toMatchObject({
    status: 409,
    body: { detail: 'The status of the order is shipped: no request may change it.' },
  })
  await control.advanceClock({ by: 'P2D' })
  const statuses = (await list('/customers/1/orders?perPage=100')).data.slice(-2).map(({ status }) => status)
  expect(statuses).toEqual(['cancelled', 'delivered'])
})

test('a reset brings back what the shop began with, and forgets the rest', async () => {
  const { send, list, control } = openShop()
  const before = await list('/customers')
  await send('delete', '/customers/3')
  await send('post', '/customers', GRACE)
  await control.reset()
  expect(await list('/customers')).toEqual(before)
})

test('the shop holds what it began with and what was created, and no idempotency key is a document of it', async () => {
  const { control, send } = openShop()
  expect(await control.getSandbox('default')).toMatchObject({ documents: 31 })
  await send('post', '/orders', orderOf(1), { 'Idempotency-Key': 'once' })
  expect(await control.getSandbox('default')).toMatchObject({ documents: 32 })
  const { instances } = await control.listCollections()
  expect(instances.map(({ name, count }) => [name, count])).toEqual([['orders', 11]])
  expect((await send('post', '/orders', orderOf(1), { 'Idempotency-Key': 'once' })).body).toMatchObject({ id: 11 })
})

test('its options are told, so that a test can create the same', async () => {
  const { control } = openShop()
  const { options } = await control.getInfo()
  expect(options).toEqual({ contract: 'examples/shop/contract.yaml', clock: '2026-03-05T14:30:00.000Z' })
})
