import { expect, test } from 'vitest'
import {
  addressOf,
  childName,
  findCollection,
  findGap,
  readAddress,
} from '../../../../console/src/views/collections/address.ts'

const of = (name: string, parent: string | null = null, path = `/v1/${name}`) => ({ name, path, parent })
const ORDERS = of('customers/{customerId}/orders', 'customers')
const NOTES = of('customers/{customerId}/orders/{orderId}/notes', ORDERS.name)
const ITEMS = of('shop/items/history')
const VISITS = of('visits', 'owners', '/v1/owners/{ownerId}/visits')
const ALL = [of('customers'), ORDERS, NOTES, ITEMS, VISITS, of('owners')]

test.for([
  ['#/collections', undefined, undefined],
  ['#/collections/customers', 'customers', undefined],
  ['#/collections/customers/items/7', 'customers', '7'],
  ['#/collections/customers/1/orders/items/3', 'customers/1/orders', '3'],
  ['#/collections/shop/items/history', 'shop/items/history', undefined],
  ['#/collections/files/a%252Fb/versions/items/x%2Fy', 'files/a%2Fb/versions', 'x/y'],
] as const)('%s is read', ([hash, name, id]) => {
  expect(readAddress(hash, ALL)).toEqual({ name, id })
  expect(name === undefined ? '#/collections' : addressOf(name, id)).toBe(hash)
})

test('an instance belongs to its collection', () => {
  expect(findCollection('customers/1/orders', ALL)).toBe(ORDERS)
  expect(findCollection('visits/7', ALL)).toBe(VISITS)
  expect(findCollection('nothing', ALL)).toBeUndefined()
})

test('a nested collection asks for the ids of its parents, the outermost first', () => {
  const first = findGap(NOTES.name, ALL)
  expect(first).toMatchObject({ parameter: 'customerId', parent: 'customers' })
  const second = findGap(first?.fill('a/b') ?? '', ALL)
  expect(second).toMatchObject({ parameter: 'orderId', parent: 'customers/a%2Fb/orders' })
  expect(second?.fill('2')).toBe('customers/a%2Fb/orders/2/notes')
  expect(findGap('customers/1/orders/2/notes', ALL)).toBeUndefined()
  expect(findGap('visits', ALL)).toMatchObject({ parameter: 'ownerId', parent: 'owners' })
})

test('what lies below an item is named with its id', () => {
  expect(childName(ORDERS, { instance: 'customers', id: '1' })).toBe('customers/1/orders')
  expect(childName(NOTES, { instance: 'customers/1/orders', id: '2' })).toBe('customers/1/orders/2/notes')
  expect(childName(VISITS, { instance: 'owners', id: '7' })).toBe('visits/7')
})
