import { expect, test } from 'vitest'
import { readAddress, writeAddress } from '../../../console/src/views/files/address.ts'
import { BLOCK, nearestBlocks, partToLoad } from '../../../console/src/views/files/blocks.ts'
import { readJsonLines } from '../../../console/src/views/files/json-lines.ts'
import { EMPTY_FORM, httpRequestOf, requestOf } from '../../../console/src/views/files/search-request.ts'

test.for([{}, { fileSetId: 'demo' }, { fileSetId: 'a/b %2F ü', fileId: 'x/y?#' }])(
  'an address leads back to what it names: %j',
  (address) => {
    expect(readAddress(`#/files${writeAddress(address)}`)).toEqual(address)
  },
)

test('only blocks that are looked at and not there are loaded, in one part', () => {
  const loaded = new Set([0])
  const has = (block: number) => loaded.has(block)
  expect(partToLoad(0, 30, has)).toBeUndefined()
  expect(partToLoad(BLOCK - 10, BLOCK + 10, has)).toEqual({ offset: BLOCK, limit: BLOCK })
  expect(partToLoad(5 * BLOCK - 10, 5 * BLOCK + 10, has)).toEqual({ offset: 4 * BLOCK, limit: 2 * BLOCK })
})

test('of many blocks the nearest are kept', () => {
  const blocks = new Map(Array.from({ length: 80 }, (_, block) => [block, block]))
  const kept = nearestBlocks(blocks, 70 * BLOCK)
  expect(kept.size).toBe(50)
  expect(kept.has(70)).toBe(true)
  expect(kept.has(0)).toBe(false)
})

test('a form is sent without the parts that are left empty', () => {
  expect(requestOf(EMPTY_FORM)).toEqual({ query: { limit: '100' }, body: {} })
  expect(
    requestOf({
      directoryPath: 'finance',
      immediateChildren: true,
      limit: '',
      filters: [
        { field: 'name', operator: 'IN', values: 'a\nb\n', not: true },
        { field: 'size', operator: 'IS_NULL', values: 'left over', not: false },
      ],
      dateFilters: [{ start: '2026-03-01T09:00', end: '', not: false }],
      sorts: [{ field: 'created', order: 'DESC' }],
    }),
  ).toEqual({
    query: { directoryPath: 'finance', immediateChildren: 'true' },
    body: {
      filters: [
        { field: 'name', operator: 'IN', value: ['a', 'b'], not: true },
        { field: 'size', operator: 'IS_NULL', value: [], not: false },
      ],
      dateFilters: [{ field: 'created', start: '2026-03-01T09:00:00.000Z', end: null, not: false }],
      fieldSort: [{ field: 'created', order: 'DESC' }],
    },
  })
})

test('a search goes where the contract has it, with its key and the sandbox', () => {
  const operation = {
    operationId: 'find',
    method: 'POST',
    path: '/sets/{set}/find',
    basePath: '/v2',
    handler: 'searchFiles',
    keyHeaders: { Authorization: 'Bearer {key}' },
    faultKinds: [],
    hasPages: true,
  }
  const target = { operation, serviceUrl: 'http://localhost:1', fileSetId: 'a b', apiKey: 'k', sandbox: 'mine' }
  expect(httpRequestOf({ query: { limit: '3' }, body: {} }, target, 'next one')).toEqual({
    url: 'http://localhost:1/v2/sets/a%20b/find?limit=3&next=next+one',
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer k', 'X-Mock-Sandbox': 'mine' },
    body: '{}',
  })
})

test('files are read from JSON lines, with integers of any size', () => {
  expect(readJsonLines('{"path":"a.txt","size":9007199254740993}\n\n{"path":"b"}\n')).toEqual([
    { path: 'a.txt', size: 9007199254740993n },
    { path: 'b' },
  ])
  expect(readJsonLines('[{"path":"a"}]')).toEqual([{ path: 'a' }])
})

test.for([
  ['', 'one JSON object a line'],
  ['{"path":"a"}\n{"path":', 'Line 2 is not JSON'],
  ['{"path":"a"}\n{"name":"b"}', 'Line 2: expected an object with a path'],
  ['[{"path":7}]', 'Element 1: expected an object with a path'],
] as const)('what is not a file is refused with its line: %j', ([text, message]) => {
  expect(() => readJsonLines(text)).toThrow(message)
})
