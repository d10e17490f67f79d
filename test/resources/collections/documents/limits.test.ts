import { expect, test } from 'vitest'
import { isCollectionName } from '../../../../src/resources/collections/documents/limits.ts'

test.for([
  'orders',
  'file-set_notes.v2~',
  'customers/1/orders',
  'shops/caf%C3%A9/orders',
  "customers/O'Neill(2)!*/orders",
  'x'.repeat(300),
])('%j names a collection', (name) => {
  expect(isCollectionName(name)).toBe(true)
})

test.for(['', '/', 'my orders', '/orders', 'orders/', 'customers//orders', 'café', 'x'.repeat(301), 7])(
  '%j names no collection',
  (name) => {
    expect(isCollectionName(name)).toBe(false)
  },
)
