import { expect, test } from 'vitest'
import { defineOperation } from '../../../../src/index.ts'
import { createControlledTester, refusalOf } from '../../../support/control.ts'
import { createPetShop } from '../../../support/contracts/pets.ts'

const shop = () => createControlledTester({ contract: 'examples/shop/contract.yaml' }).control

test('the schema of a collection comes in one piece', async () => {
  const { collection, schema, isShortened } = await shop().getCollectionSchema('orders')
  expect(collection).toBe('orders')
  expect(isShortened).toBe(false)
  expect(schema).toMatchObject({ $ref: '#/$defs/Order' })
  const { Order, OrderLine, Cents } = schema.$defs as Record<string, object>
  expect(Order).toMatchObject({
    required: ['id', 'customerId', 'status', 'lines', 'total', 'createdAt'],
    properties: { lines: { items: { $ref: '#/$defs/OrderLine' } } },
  })
  expect(OrderLine).toMatchObject({ properties: { unitPrice: { $ref: '#/$defs/Cents' } } })
  expect(Cents).toEqual({ type: 'integer', minimum: 0, maximum: 100_000_000 })
})

test('it says how a status may change, by requests and by time', async () => {
  const { statuses } = await shop().getCollectionSchema('orders')
  expect(statuses).toEqual([
    {
      member: '/status',
      changes: [
        { from: 'placed', to: ['cancelled'], byTime: { to: 'shipped', milliseconds: 86_400_000 } },
        { from: 'shipped', to: [], byTime: { to: 'delivered', milliseconds: 172_800_000 } },
        { from: 'cancelled', to: [] },
        { from: 'delivered', to: [] },
      ],
    },
  ])
})

test('it says which members name documents of other collections', async () => {
  const { references } = await shop().getCollectionSchema('orders')
  expect(references).toEqual([
    { member: '/customerId', collection: 'customers' },
    { member: '/lines/*/productId', collection: 'products' },
  ])
})

test('it names the lists of the collection and their parameters', async () => {
  const { lists } = await shop().getCollectionSchema('orders')
  expect(lists).toEqual([
    {
      operationId: 'listOrders',
      path: '/orders',
      pathParameters: [],
      queryParameters: ['page', 'perPage', 'status', 'customerId', 'createdAfter', 'sort'],
    },
    {
      operationId: 'listOrdersOfCustomer',
      path: '/customers/{customerId}/orders',
      pathParameters: ['customerId'],
      queryParameters: ['page', 'perPage', 'status'],
    },
  ])
})

test('a collection that does not exist is refused with the one that was meant', async () => {
  expect(await refusalOf(shop().getCollectionSchema('ordres'))).toBe(
    '404 /problems/collection-not-found: The sandbox default has no collection "ordres". Did you mean orders?',
  )
})

test('a collection that only handlers know has a schema that allows anything', async () => {
  const handlers = [defineOperation('deletePet', () => ({ status: 204 }))]
  const { control } = createPetShop({ handlers, fixtures: [{ collections: { notes: { '3': { text: 'Hi' } } } }] })
  expect(await control.getCollectionSchema('notes')).toMatchObject({ collection: null, schema: {}, lists: [] })
})
