import { expect, test } from 'vitest'
import { createContractTester } from '../support/contracts/small-contract.ts'
import { createTester } from '../support/tester.ts'
import { createStandin } from '../../src/index.ts'

const start = (fixture: unknown) => () => createStandin({ fixtures: [fixture] })

test.for([
  [{ fileSets: [{ id: 'a' }, { id: 'a' }] }, 'The file set "a" is there twice. Join them, or rename one.'],
  [{ fileSets: [{ id: 5 }] }, 'The `id` of the file set is 5. Give it one: any text'],
  [{ fileSets: [{ files: [] }] }, 'The file set has no `id`. Add one: any text'],
  [{ fileSets: [{ id: 'a', files: [{ path: 'b', fileType: 'folder' }] }] }, 'Write DIRECTORY for a directory.'],
  [{ fileSets: [{ id: 'a', files: [{ path: 'b' }, { path: 'b' }] }] }, 'The path "b" is there twice. Remove one'],
  [
    {
      fileSets: [
        {
          id: 'a',
          files: [
            { path: 'b', id: '1' },
            { path: 'c', id: '1' },
          ],
        },
      ],
    },
    'The id "1" is there twice.',
  ],
  [{ fileSets: [{ id: 'a', files: [{ path: '/b' }] }] }, 'begins or ends with a slash; remove it'],
  [{ fileSets: [{ id: 'a', files: [{ path: 'b', size: -1 }] }] }, 'File 1 (b): size must be'],
  [
    { fileSets: [{ id: 'a', generate: 1e9 }] },
    '`generate` must be a number of files from 0 to 10000000; it is 1000000000.',
  ],
  [{ fileSets: [{ id: 'a', generate: 1, files: [] }] }, 'has both `files` and `generate`. Remove one of them.'],
  [{ collection: {} }, 'The file has an unknown field `collection`. Did you mean `collections`?'],
  [
    { collections: ['orders'] },
    'The collections must be a mapping; it is ["orders"]. Write each document under its id: orders: { "1": { item: Lamp } }, or list all that there are.',
  ],
  [{ collections: { orders: 'Lamp' } }, 'The collection "orders" must be a mapping; it is "Lamp".'],
  [{ collections: { orders: ['Lamp'] } }, 'The document "1" must be a JSON object: the value is no object, which is'],
  [
    { collections: { 'my orders': {} } },
    `A collection is named by up to 300 letters, digits and -._~%!'()*, in parts with / between them, not "my orders".`,
  ],
  [
    { collections: { orders: { 1: 'Lamp' } } },
    'The document "1" must be a JSON object: the value is no object, which is',
  ],
  [{ collections: { orders: { '': {} } } }, 'The id of a document is a text of 1 to 200 characters, not "".'],
  [
    { collections: { orders: { 1: { item: 'x'.repeat(2 ** 20) } } } },
    'A document has at most 1048576 characters of JSON; this one has 1048587.',
  ],
  [{ reportSchedules: [{ title: 'x', pageId: 1, viewId: 2 }] }, 'Report schedule 1: schedule must be'],
] as const)('a fixture that is wrong is refused with its remedy: %j', ([fixture, complaint]) => {
  expect(start(fixture)).toThrow(complaint)
})

test('a fixture with too many documents or collections is refused', () => {
  const empty = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, {}]))
  expect(start({ collections: { orders: empty(200_001) } })).toThrow(
    'A collection has at most 200000 documents; orders has 200001.',
  )
  expect(start({ collections: empty(10_001) })).toThrow('There are at most 10000 collections; these are 10001.')
})

test('what a fixture leaves out is filled in from the path', async () => {
  const { search } = createTester({ fixtures: [{ fileSets: [{ id: 'tiny', files: [{ path: 'a/b.PNG' }] }] }] })
  const { files } = (await search({ body: { filters: [{ field: 'fileType', operator: 'EQUALS', value: ['IMAGE'] }] } }))
    .body as { files: unknown[] }
  expect(files).toMatchObject([
    {
      path: 'a/b.PNG',
      name: 'b.PNG',
      contentType: 'image/png',
      size: 0,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      created: '2026-03-05T00:00:00.000Z',
      createdBy: 1,
    },
  ])
})

test('a set of the same name as one that is there takes its place, and generated sets have any size', async () => {
  const fixture = {
    fileSets: [
      { id: 'empty', files: [{ path: 'now here' }] },
      { id: 'large', generate: 3000 },
    ],
  }
  const { paths } = createTester({ fixtures: [fixture] })
  expect(await paths({ set: 'empty' })).toEqual(['now here'])
  expect((await paths({ set: 'large', query: { limit: 100_000 } })).filter((path) => path.includes('.'))).toHaveLength(
    3000,
  )
})

test('files are checked too where the contract has no search', () => {
  const file = { path: 'q1.pdf', size: 'big', created: '2026-13-31T09:00:00.000Z' }
  const paths = { '/pets': { get: { responses: { 200: { description: 'Pets' } } } } }
  expect(() => createContractTester(paths, {}, { fixtures: [{ fileSets: [{ id: 'a', files: [file] }] }] })).toThrow(
    /File 1 \(q1\.pdf\): size must be an integer, 0 or more; it is "big"[^]*created must be a date-time/,
  )
})
