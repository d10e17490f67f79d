import { expect, test } from 'vitest'
import {
  freezeJson,
  isCollectionName,
  NoJson,
  storeDocument,
} from '../../../../src/resources/collections/documents/stored-document.ts'

test('a stored document is a frozen copy, as JSON would make it', () => {
  const given = { date: new Date(0), list: [{ a: 1 }], nothing: undefined, ['__proto__']: { b: 2 } }
  const { value } = storeDocument(given)
  expect(JSON.stringify(value)).toBe('{"date":"1970-01-01T00:00:00.000Z","list":[{"a":1}],"__proto__":{"b":2}}')
  given.list.push({ a: 2 })
  expect(value.list).toEqual([{ a: 1 }])
  expect(Object.isFrozen(value.list) && Object.isFrozen((value.list as object[])[0])).toBe(true)
})

test.for<[unknown, string]>([
  [{ a: [NaN] }, '/a/0 is NaN'],
  [{ a: { b: () => 1 } }, '/a/b is a function'],
  [{ a: new Map() }, '/a is an instance of Map'],
  [{ a: [undefined] }, '/a/0 is undefined'],
  [Symbol('a'), 'the value is a symbol'],
])('what JSON would turn into something else is refused: %#', ([value, complaint]) => {
  expect(() => freezeJson(value)).toThrow(NoJson)
  expect(() => freezeJson(value)).toThrow(`${complaint}, which is not JSON`)
})

test.for([[[]], ['text'], [null], [7]])('a document is a JSON object, and not %j', ([value]) => {
  expect(() => storeDocument(value)).toThrow('not an object')
})

test('hidden facts are beside the value and count as characters; none are no member', () => {
  const plain = storeDocument({ a: 1 }, {})
  expect(plain).toEqual({ value: { a: 1 }, length: 7 })
  const { value, hidden, length } = storeDocument({ a: 1 }, { parent: '7', gone: undefined })
  expect([value, hidden, length]).toEqual([{ a: 1 }, { parent: '7' }, plain.length + '{"parent":"7"}'.length])
  expect(Object.isFrozen(hidden)).toBe(true)
})

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
