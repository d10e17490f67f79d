import { expect, test } from 'vitest'
import { ORDER_HANDLERS } from '../own/order-handlers.ts'
import { createControlledTester } from '../support/control.ts'
import { ask, ORDERS_CONTRACT } from '../support/orders.ts'
import { type StandinOptions } from '../../src/index.ts'

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
