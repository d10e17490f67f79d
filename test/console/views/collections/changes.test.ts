import { expect, test } from 'vitest'
import { mergePatchOf, pretty, textOf, withValueAt } from '../../../../console/src/views/collections/changes.ts'

test('a value at a pointer is set, made and removed in a copy', () => {
  const document = { a: 1, lines: [{ b: 2 }, { b: 3 }] }
  expect(withValueAt(document, '/lines/1/b', 4)).toEqual({ a: 1, lines: [{ b: 2 }, { b: 4 }] })
  expect(withValueAt(document, '/lines/0', undefined)).toEqual({ a: 1, lines: [{ b: 3 }] })
  expect(withValueAt(document, '/x~1y/z', true)).toEqual({ ...document, 'x/y': { z: true } })
  expect(withValueAt(document, '/a', undefined)).toEqual({ lines: document.lines })
  expect(document).toEqual({ a: 1, lines: [{ b: 2 }, { b: 3 }] })
})

test('a merge patch has what changed, and null for what was removed', () => {
  const before = { a: 1, b: { c: 1, d: 2 }, e: [1, null], f: 'x' }
  expect(mergePatchOf(before, { a: 2, b: { c: 1 }, e: [1, null], f: 'x' })).toEqual({ a: 2, b: { d: null } })
  expect(mergePatchOf(before, { ...before, e: [null] })).toEqual({ e: [null] })
  expect(mergePatchOf(before, before)).toEqual({})
})

test('a member that becomes null needs the whole document', () => {
  expect(mergePatchOf({ a: 1 }, { a: null })).toBeUndefined()
  expect(mergePatchOf({ a: { b: 1 } }, { a: { b: null } })).toBeUndefined()
  expect(mergePatchOf({}, { a: { b: { c: null } } })).toBeUndefined()
  expect(mergePatchOf({ a: null, b: 1 }, { a: null, b: 2 })).toEqual({ b: 2 })
})

test('integers beyond 2^53 keep their digits', () => {
  expect(pretty({ id: 9_007_199_254_740_993n })).toBe('{\n  "id": 9007199254740993\n}')
  expect([textOf(9_007_199_254_740_993n), textOf('a'), textOf(true), textOf(null)]).toEqual([
    '9007199254740993',
    'a',
    'true',
    '',
  ])
})
