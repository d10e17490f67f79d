import { expect, test } from 'vitest'
import type { StoredCollection } from '../../../../types/control-api.d.ts'
import { defineOperation, events, type StandinOptions } from '../../../../src/index.ts'
import { createControlledTester, refusalOf } from '../../../support/control.ts'
import { ask, ORDERS_CONTRACT } from '../../../support/contracts/orders.ts'
import { ORDER_HANDLERS } from '../../user-operations/order-handlers.ts'

const createShop = (options: StandinOptions = {}) =>
  createControlledTester({ contract: ORDERS_CONTRACT, handlers: ORDER_HANDLERS, ...options })

const LAMP = { id: 7, item: 'Lamp', count: 1, state: 'open', placed: '2026-03-05T14:30:00.000Z' }

/** Documents 1 to 7 of a customer were created, and only one of them is left. */
const ORDERS_OF_A_CUSTOMER = {
  name: 'customers/caf%C3%A9/orders',
  made: 7,
  documents: [{ id: '7', document: LAMP, hidden: { customer: 'café', since: 1_772_700_000_000 }, number: 5 }],
  removed: ['2', '6'],
}

async function stateWith(...collections: readonly StoredCollection[]) {
  const shop = createShop()
  return { shop, state: { ...(await shop.control.getState()), collections } }
}

test('a state document has hidden facts, the numbers of creations, and the ids that were removed lately', async () => {
  const { shop, state } = await stateWith(ORDERS_OF_A_CUSTOMER)
  await shop.control.putState(state)
  expect((await shop.control.getState()).collections).toEqual([ORDERS_OF_A_CUSTOMER])
  await shop.control.forkSandbox('default', { name: 'fork' })
  expect((await shop.control.in('fork').getState()).collections).toEqual([ORDERS_OF_A_CUSTOMER])
})

test('a document that a handler updates keeps its hidden facts, and one that it removes is remembered', async () => {
  const { name } = ORDERS_OF_A_CUSTOMER
  const handlers = [
    defineOperation('getOrder', () => ({
      status: 200,
      body: LAMP,
      events: [events.update(name, 7, { item: 'Desk' })],
    })),
    defineOperation('deleteOrder', () => ({ status: 204, events: [events.remove(name, 7)] })),
    ...ORDER_HANDLERS.filter(({ operationId }) => !['getOrder', 'deleteOrder'].includes(operationId)),
  ]
  const shop = createShop({ handlers })
  const { state } = await stateWith(ORDERS_OF_A_CUSTOMER)
  await shop.control.putState(state)
  expect((await ask(shop, 'get', '/7')).status).toBe(200)
  const [kept] = ORDERS_OF_A_CUSTOMER.documents
  expect((await shop.control.getState()).collections).toEqual([
    { ...ORDERS_OF_A_CUSTOMER, documents: [{ ...kept, document: { item: 'Desk' } }] },
  ])
  expect((await shop.control.getHistory()).events.at(-1)).toMatchObject({
    type: 'document.updated',
    collection: name,
    hidden: { customer: 'café' },
  })
  expect((await ask(shop, 'delete', '/7')).status).toBe(204)
  expect((await shop.control.getState()).collections).toEqual([
    { ...ORDERS_OF_A_CUSTOMER, documents: [], removed: ['2', '6', '7'] },
  ])
})

test.for<[Partial<StoredCollection>, string]>([
  [{ name: 'customers//orders' }, '/collections/0/name'],
  [{ documents: [{ id: '', document: {} }] }, '/collections/0/documents/0/id'],
  [
    {
      documents: [
        { id: '1', document: {}, number: 3 },
        { id: '2', document: {}, number: 3 },
      ],
    },
    '/collections/0/documents/1/number',
  ],
  [{ documents: [1, 2].map(() => ({ id: '1', document: {} })) }, '/collections/0/documents/1/id'],
  [{ removed: Array.from({ length: 1001 }, (_, id) => `${id}`) }, '/collections/0/removed'],
])('a state that no operation could have made is refused: %#', async ([members, place]) => {
  const { shop, state } = await stateWith({ name: 'orders', made: 0, documents: [], ...members })
  expect(await refusalOf(shop.control.putState(state))).toContain(place)
})
