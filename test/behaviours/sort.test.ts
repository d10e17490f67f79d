import { expect, test } from 'vitest'
import { describeBehaviour } from '../support/describe-behaviour.ts'
import { complaintsOf, createTester, nextOf, pathsOf, rowsOf, type Tester } from '../support/tester.ts'

/** A body that sorts by fields: `name` or `name DESC`. */
function by(...keys: readonly string[]): { fieldSort: { field: string; order: string }[] } {
  return {
    fieldSort: keys.map((key) => {
      const [field = '', order = 'ASC'] = key.split(' ')
      return { field, order }
    }),
  }
}

/** The paths of all pages, each of one entry and each continued with the token alone. */
async function oneByOne({ search }: Tester, body: unknown): Promise<string[]> {
  const paths: string[] = []
  let page = await search({ query: { limit: 1 }, body })
  for (let next = nextOf(page); next !== undefined; next = nextOf(page)) {
    paths.push(...pathsOf(page))
    page = await search({ query: { limit: 1, next } })
  }
  return [...paths, ...pathsOf(page)]
}

const file = (path: string, fields: object = {}) => ({ path, ...fields })
const set = (...files: readonly object[]) => ({ fixtures: [{ fileSets: [{ id: 'tiny', files }] }] })

// By path, by date and by id these are three orders.
const threeOrders = set(
  file('b', { id: '1', created: '2026-01-03T00:00:00.000Z' }),
  file('a', { id: '3', created: '2026-01-02T00:00:00.000Z' }),
  file('c', { id: '2', created: '2026-01-01T00:00:00.000Z' }),
)
const LETTERS = 'abcdefghijklmnopqrst'
const alphabet = { fileSets: [{ id: 'alphabet', files: Array.from(LETTERS, (path) => ({ path })) }] }
const orders = { fixtures: [...threeOrders.fixtures, alphabet] }

describeBehaviour(
  'sort.default',
  {
    path: async ({ search, paths }) => {
      const page = await search()
      expect(pathsOf(page)).toEqual(['a', 'b', 'c'])
      expect(rowsOf(page)).toContain('sort.default')
      expect(rowsOf(await search({ body: by('path') }))).not.toContain('sort.default')
      expect(await paths({ body: { fieldSort: [] } })).toEqual(['a', 'b', 'c'])
    },
    created: async (tester) => {
      expect(await tester.paths()).toEqual(['c', 'a', 'b'])
      expect(await oneByOne(tester, {})).toEqual(['c', 'a', 'b'])
      expect(rowsOf(await tester.search())).not.toContain('sort.collation')
      const plain = createTester({ ...orders, behaviours: { 'sort.default': 'created', 'next.content': 'plain' } })
      expect(await oneByOne(plain, {})).toEqual(['c', 'a', 'b'])
    },
    id: async (tester) => {
      expect(await tester.paths()).toEqual(['b', 'c', 'a'])
      expect(await oneByOne(tester, {})).toEqual(['b', 'c', 'a'])
    },
    shuffled: async (tester) => {
      const shuffled = await tester.paths({ set: 'alphabet' })
      expect(shuffled.toSorted().join('')).toBe(LETTERS)
      expect(shuffled.join('')).not.toBe(LETTERS)
      expect(await tester.paths({ set: 'alphabet' })).toEqual(shuffled)
      expect(rowsOf(await tester.search({ set: 'alphabet' }))).not.toContain('sort.collation')
      const otherSeed = createTester({ ...orders, seed: 43, behaviours: { 'sort.default': 'shuffled' } })
      expect(await otherSeed.paths({ set: 'alphabet' })).not.toEqual(shuffled)
      const few = await tester.paths()
      expect(await oneByOne(tester, {})).toEqual(few)
      const plain = createTester({ ...orders, behaviours: { 'sort.default': 'shuffled', 'next.content': 'plain' } })
      expect(await oneByOne(plain, {})).toEqual(few)
    },
  },
  orders,
)

describeBehaviour(
  'sort.order-absent',
  {
    asc: async ({ search }) => {
      for (const key of [{ field: 'created' }, { field: 'created', order: null }]) {
        const page = await search({ body: { fieldSort: [key] } })
        expect(pathsOf(page)).toEqual(['c', 'a', 'b'])
        expect(rowsOf(page)).toContain('sort.order-absent')
      }
      expect(rowsOf(await search({ body: by('created ASC') }))).not.toContain('sort.order-absent')
    },
    error: async ({ search }) => {
      for (const key of [{ field: 'created' }, { field: 'created', order: null }]) {
        const refused = await search({ body: { fieldSort: [{ field: 'name', order: 'ASC' }, key] } })
        expect(refused.status).toBe(400)
        expect(complaintsOf(refused)).toEqual(['/fieldSort/1/order sort.order-absent'])
        expect(rowsOf(refused)).toContain('sort.order-absent')
      }
    },
  },
  threeOrders,
)

async function expectOrderRefused({ search }: Tester, order: string): Promise<void> {
  const refused = await search({ body: { fieldSort: [{ field: 'created', order }] } })
  expect(refused.status, order).toBe(400)
  expect(complaintsOf(refused)).toEqual(['/fieldSort/0/order sort.order-values'])
  expect(rowsOf(refused)).toContain('sort.order-values')
}

describeBehaviour(
  'sort.order-values',
  {
    closed: async (tester) => {
      const ascending = await tester.search({ body: by('created ASC') })
      const descending = await tester.search({ body: by('created DESC') })
      expect(pathsOf(ascending)).toEqual(['c', 'a', 'b'])
      expect(pathsOf(descending)).toEqual(['b', 'a', 'c'])
      expect(rowsOf(ascending)).not.toContain('sort.order-values')
      expect(rowsOf(descending)).toContain('sort.order-values')
      for (const order of ['asc', 'Desc', '', ' ASC', 'ASCENDING', 'toString', 'null']) {
        await expectOrderRefused(tester, order)
      }
    },
    'any-case': async (tester) => {
      expect(await tester.paths({ body: by('created asc') })).toEqual(['c', 'a', 'b'])
      expect(await tester.paths({ body: by('created Desc') })).toEqual(['b', 'a', 'c'])
      for (const order of ['', ' asc', 'ascending', 'DESC_NULLS_LAST']) await expectOrderRefused(tester, order)
    },
    'asc-only': async (tester) => {
      expect(await tester.paths({ body: by('created ASC') })).toEqual(['c', 'a', 'b'])
      for (const order of ['DESC', 'asc']) await expectOrderRefused(tester, order)
    },
  },
  threeOrders,
)

// Each field that can be sorted by has an order of its own.
const sortable = set(
  file('a/3', {
    id: 'B',
    fileType: 'X',
    contentType: 'a/b',
    size: 10,
    createdBy: -1,
    created: '2026-01-01T00:00:00.000Z',
  }),
  file('b/1', {
    id: 'a',
    fileType: 'W',
    contentType: 'a/c',
    size: 9,
    createdBy: 0,
    created: '2025-12-31T23:59:59.999999999Z',
  }),
  file('c/2', {
    id: 'A',
    fileType: 'Y',
    contentType: 'a/a',
    size: 9007199254740993n,
    createdBy: -10,
    created: '2025-12-31T23:59:59.999Z',
  }),
)
const sortedBy = {
  id: ['c/2', 'a/3', 'b/1'],
  path: ['a/3', 'b/1', 'c/2'],
  name: ['b/1', 'c/2', 'a/3'],
  fileType: ['b/1', 'a/3', 'c/2'],
  contentType: ['c/2', 'a/3', 'b/1'],
  size: ['b/1', 'a/3', 'c/2'],
  created: ['c/2', 'b/1', 'a/3'],
  createdBy: ['c/2', 'a/3', 'b/1'],
}
const onlyFiles = { filters: [{ field: 'fileType', operator: 'EQUALS', value: ['DIRECTORY'], not: true }] }

describeBehaviour(
  'sort.fields',
  {
    default: async (tester) => {
      for (const [field, paths] of Object.entries(sortedBy)) {
        const page = await tester.search({ body: { ...onlyFiles, ...by(field) } })
        expect(pathsOf(page), field).toEqual(paths)
        expect(await tester.paths({ body: { ...onlyFiles, ...by(`${field} DESC`) } }), field).toEqual(
          paths.toReversed(),
        )
        expect(await oneByOne(tester, { ...onlyFiles, ...by(field) }), field).toEqual(paths)
        expect(rowsOf(page).includes('sort.fields'), field).toBe(field !== 'created')
      }
      const others = ['hash', 'hashAlgorithm', 'downloadUrl', 'connectorKey', 'indexStatus', 'indexReason']
      for (const field of others) {
        const refused = await tester.search({ body: by(field) })
        expect(refused.status, field).toBe(400)
        expect(complaintsOf(refused)).toEqual(['/fieldSort/0/field sort.unknown'])
      }
    },
    'name,created': async ({ search, paths }) => {
      expect(await paths({ body: { ...onlyFiles, ...by('name') } })).toEqual(sortedBy.name)
      const refused = await search({ body: by('created', 'size') })
      expect(refused.status).toBe(400)
      expect(complaintsOf(refused)).toEqual(['/fieldSort/1/field sort.unknown'])
      expect(refused.text).toContain('one of name, created')
    },
  },
  sortable,
)

const UNKNOWN_FIELDS = ['colour', '', 'Created', ' created', '__proto__', 'constructor', '\ud800']

describeBehaviour(
  'sort.unknown',
  {
    error: async ({ search }) => {
      for (const key of [...UNKNOWN_FIELDS.map((field) => ({ field })), {}, { field: null }]) {
        const refused = await search({ body: { fieldSort: [{ ...key, order: 'ASC' }] } })
        expect(refused.status).toBe(400)
        expect(complaintsOf(refused)).toEqual(['/fieldSort/0/field sort.unknown'])
        expect(rowsOf(refused)).toContain('sort.unknown')
      }
      expect((await search({ body: by('crated') })).text).toContain('Did you mean created?')
    },
    ignore: async ({ search, paths }) => {
      for (const field of UNKNOWN_FIELDS) {
        const colour = { field, order: 'ASC' }
        const page = await search({ body: { fieldSort: [colour, ...by('created DESC').fieldSort] } })
        expect(pathsOf(page), field).toEqual(['b', 'a', 'c'])
        expect(rowsOf(page)).toContain('sort.unknown')
        expect(await paths({ body: { fieldSort: [colour] } }), field).toEqual(['a', 'b', 'c'])
      }
      expect(rowsOf(await search({ body: by('created') }))).not.toContain('sort.unknown')
    },
  },
  threeOrders,
)

describeBehaviour(
  'sort.duplicate',
  {
    first: async ({ search }) => {
      const page = await search({ body: by('created ASC', 'name', 'created DESC') })
      expect(pathsOf(page)).toEqual(['c', 'a', 'b'])
      expect(rowsOf(page)).toContain('sort.duplicate')
      expect(rowsOf(await search({ body: by('created', 'name') }))).not.toContain('sort.duplicate')
    },
    error: async ({ search }) => {
      const refused = await search({ body: by('created ASC', 'name', 'created ASC') })
      expect(refused.status).toBe(400)
      expect(complaintsOf(refused)).toEqual(['/fieldSort/2/field sort.duplicate'])
      expect(rowsOf(refused)).toContain('sort.duplicate')
      expect((await search({ body: by('created', 'name') })).status).toBe(200)
    },
  },
  threeOrders,
)

// Two directories, which have no size, among files of two sizes. By id the directory `y` comes before `b`.
const nulls = set(
  file('b', { id: '2', fileType: 'DIRECTORY' }),
  file('y', { id: '1', fileType: 'DIRECTORY' }),
  file('a', { id: '3', size: 7 }),
  file('z', { id: '4', size: 0 }),
)

/** Both orders, in one page and page by page, so that a cursor stands on a null. */
async function expectSizes(tester: Tester, ascending: string[], descending: string[]): Promise<void> {
  expect(await tester.paths({ body: by('size ASC') })).toEqual(ascending)
  expect(await tester.paths({ body: by('size DESC') })).toEqual(descending)
  expect(await oneByOne(tester, by('size ASC'))).toEqual(ascending)
  expect(await oneByOne(tester, by('size DESC'))).toEqual(descending)
}

describeBehaviour(
  'sort.nulls',
  {
    largest: async (tester) => {
      await expectSizes(tester, ['z', 'a', 'y', 'b'], ['y', 'b', 'a', 'z'])
      expect(await tester.paths({ body: by('size', 'path') })).toEqual(['z', 'a', 'b', 'y'])
      expect(rowsOf(await tester.search({ body: by('size') }))).toContain('sort.nulls')
      expect(rowsOf(await tester.search({ body: by('created') }))).not.toContain('sort.nulls')
      expect(rowsOf(await tester.search({ body: { ...onlyFiles, ...by('size') } }))).not.toContain('sort.nulls')
      // Without a null on it, the first page still owes its entries to the rule.
      expect(rowsOf(await tester.search({ query: { limit: 1 }, body: by('size') }))).toContain('sort.nulls')
    },
    first: async (tester) => expectSizes(tester, ['y', 'b', 'z', 'a'], ['y', 'b', 'a', 'z']),
    last: async (tester) => expectSizes(tester, ['z', 'a', 'y', 'b'], ['a', 'z', 'y', 'b']),
  },
  nulls,
)

// An emoji is two UTF-16 units that sort below U+FF5E, and one code point that sorts above; to a locale an accent is no
// letter, and capitals come first by code point only. By id `Z` comes before `z`.
const awkward = ['\u{1f600}', '\uff5e', '\u00e9', 'e\u0301', 'B', 'a-b', 'a b', 'ab', 'a']
const texts = set(...awkward.map((path) => file(path)), file('z', { id: '2' }), file('Z', { id: '1' }))
const byCodePoint = ['B', 'Z', 'a', 'a b', 'a-b', 'ab', 'e\u0301', 'z', '\u00e9', '\uff5e', '\u{1f600}']
const byFoldedCodePoint = ['a', 'a b', 'a-b', 'ab', 'B', 'e\u0301', 'Z', 'z', '\u00e9', '\uff5e', '\u{1f600}']

describeBehaviour(
  'sort.collation',
  {
    codepoint: async (tester) => {
      for (const field of ['name', 'path']) {
        expect(await tester.paths({ body: by(field) })).toEqual(byCodePoint)
        expect(await tester.paths({ body: by(`${field} DESC`) })).toEqual(byCodePoint.toReversed())
        expect(await oneByOne(tester, by(field))).toEqual(byCodePoint)
      }
      expect(rowsOf(await tester.search({ body: by('name') }))).toContain('sort.collation')
      expect(rowsOf(await tester.search({ body: by('size') }))).not.toContain('sort.collation')
      expect(rowsOf(await tester.search({ query: { limit: 1 }, body: by('name') }))).toContain('sort.collation')
    },
    'case-insensitive': async (tester) => {
      for (const body of [{}, by('path'), by('name'), by('name', 'size DESC')]) {
        expect(await tester.paths({ body })).toEqual(byFoldedCodePoint)
        expect(await oneByOne(tester, body)).toEqual(byFoldedCodePoint)
      }
      // A tie goes by id whatever the direction.
      const descending = byFoldedCodePoint.with(6, 'z').with(7, 'Z').toReversed()
      expect(await tester.paths({ body: by('name DESC') })).toEqual(descending)
    },
  },
  texts,
)

// Equal in size and date; their ids in code point order are B, a, U+FF5E, an emoji.
const ties = set(
  file('1', { id: '\u{1f600}' }),
  file('2', { id: 'a' }),
  file('3', { id: '\uff5e' }),
  file('4', { id: 'B' }),
)

describeBehaviour(
  'sort.tie',
  {
    default: async (tester) => {
      for (const body of [by('size'), by('size DESC'), by('created DESC', 'createdBy'), by('fileType DESC')]) {
        expect(await tester.paths({ body })).toEqual(['4', '2', '3', '1'])
        expect(await oneByOne(tester, body)).toEqual(['4', '2', '3', '1'])
        expect(rowsOf(await tester.search({ body }))).toContain('sort.tie')
      }
      expect(await tester.paths({ body: by('size', 'id DESC') })).toEqual(['1', '3', '2', '4'])
      for (const body of [by('path'), by('size', 'id'), by('name')]) {
        expect(rowsOf(await tester.search({ body }))).not.toContain('sort.tie')
      }
    },
  },
  ties,
)

describeBehaviour(
  'sort.max',
  {
    default: async ({ search }) => {
      const sixteen = by(...Array.from({ length: 15 }, () => 'size'), 'created')
      const most = await search({ body: sixteen })
      expect(pathsOf(most)).toEqual(['c', 'a', 'b'])
      expect(rowsOf(most)).not.toContain('sort.max')
      const refused = await search({ body: by(...Array.from({ length: 17 }, () => 'name')) })
      expect(refused.status).toBe(400)
      expect(complaintsOf(refused)).toEqual(['/fieldSort sort.max'])
      expect(rowsOf(refused)).toContain('sort.max')
    },
    '2': async ({ search, paths }) => {
      expect(await paths({ body: by('size', 'created') })).toEqual(['c', 'a', 'b'])
      const refused = await search({ body: by('size', 'created', 'name') })
      expect(complaintsOf(refused)).toEqual(['/fieldSort sort.max'])
    },
  },
  threeOrders,
)

test('a plain token keeps every digit of a size', async () => {
  const sizes = [9007199254740992n, 9007199254740993n, 9007199254740994n].map((size) => file(String(size), { size }))
  const tester = createTester({ ...set(...sizes), behaviours: { 'next.content': 'plain' } })
  const first = await tester.search({ query: { limit: 2 }, body: by('size') })
  const second = await tester.search({ query: { limit: 2, next: nextOf(first) ?? '' }, body: by('size') })
  expect([...pathsOf(first), ...pathsOf(second)]).toEqual(sizes.map(({ path }) => path))
})
