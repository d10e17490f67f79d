import { expect, test } from 'vitest'
import { describeBehaviour } from '../support/describe-behaviour.ts'
import {
  complaintsOf,
  createTester,
  KEY_HEADER,
  NOW,
  nextOf,
  pathsOf,
  rowsOf,
  SEARCH,
  type SearchOptions,
  type Tester,
} from '../support/tester.ts'
import { tokenOf, walk } from '../support/walk.ts'
import { sample } from '../support/cases.ts'

const LETTERS = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt']

/** Ids run against the alphabet, sizes with it, and dates against it. */
const reports = LETTERS.map((name, index) => ({
  path: `reports/${name}`,
  id: `id-${9 - index}`,
  size: 10 + index,
  created: `2026-01-0${9 - index}T00:00:00.000Z`,
}))

const options = {
  fixtures: [
    {
      fileSets: [
        { id: 'tiny', files: [...reports, { path: 'notes/secret plan.md' }, { path: 'z.md' }] },
        { id: 'other', files: ['reports/b.txt', 'reports/c.txt', 'reports/x.txt'].map((path) => ({ path })) },
      ],
    },
  ],
}

/** A search in which every part differs from the default; it finds e, d, c, b and a, in this order. */
const everyPart = {
  query: { directoryPath: 'reports', immediateChildren: true, limit: 2 },
  body: {
    filters: [{ field: 'name', operator: 'LIKE', value: ['.txt'], not: false }],
    dateFilters: [{ field: 'created', start: '2026-01-01T00:00:00Z', end: null, not: false }],
    fieldSort: [{ field: 'created', order: 'ASC' }],
  },
}

const refusesToken = async ({ search }: Tester, row: string, searchOptions: SearchOptions) => {
  const refused = await search(searchOptions)
  expect(refused.status).toBe(400)
  expect(refused.body).toHaveProperty('type', '/problems/cursor-invalid')
  expect(complaintsOf(refused)).toEqual([`next ${row}`])
  return refused
}

describeBehaviour(
  'next.blank',
  {
    first: async ({ search }) => {
      const page = await search({ query: 'next=&limit=2' })
      expect(pathsOf(page)).toEqual(['notes', 'notes/secret plan.md'])
      expect(rowsOf(page)).toContain('next.blank')
      expect(rowsOf(page)).not.toContain('page.changes')
    },
    error: async ({ search }) => {
      const refused = await search({ query: 'next=' })
      expect(refused.status).toBe(400)
      expect(complaintsOf(refused)).toEqual(['next next.blank'])
      expect(rowsOf(refused)).toContain('next.blank')
    },
  },
  options,
)

describeBehaviour(
  'next.omitted-query',
  {
    inherit: async (tester) => {
      const next = await tokenOf(tester, everyPart)
      const page = await tester.search({ query: { limit: 2, next } })
      expect(pathsOf(page)).toEqual(['reports/c.txt', 'reports/b.txt'])
      expect(rowsOf(page)).not.toContain('next.conflict')
      expect(await tester.paths({ query: { next: nextOf(page) ?? '' } })).toEqual(['reports/a.txt'])
      for (const body of ['', { filters: null, fieldSort: null }]) {
        expect(await tester.paths({ query: { limit: 2, next, directoryPath: '' }, body })).toEqual(pathsOf(page))
      }
    },
    reevaluate: async (tester) => {
      const next = await tokenOf(tester, { query: { directoryPath: 'reports', limit: 2 } })
      // Everything after reports/b.txt, and no longer what lies in reports alone.
      expect(await tester.paths({ query: { next } })).toEqual([
        'reports/c.txt',
        'reports/d.txt',
        'reports/e.txt',
        'z.md',
      ])
      expect(await tester.paths({ query: { next, directoryPath: 'reports' } })).toEqual([
        'reports/c.txt',
        'reports/d.txt',
        'reports/e.txt',
      ])
    },
    error: async (tester) => {
      const next = await tokenOf(tester, everyPart)
      await refusesToken(tester, 'next.omitted-query', { query: { limit: 2, next } })
      expect(await tester.paths({ ...everyPart, query: { ...everyPart.query, next } })).toEqual([
        'reports/c.txt',
        'reports/b.txt',
      ])
      // Of a search without any part nothing is left out.
      const bare = await tokenOf(tester, { query: { limit: 6 } })
      expect(await tester.paths({ query: { next: bare } })).toEqual(['reports/d.txt', 'reports/e.txt', 'z.md'])
    },
  },
  options,
)

test('parts of a search that are left out beside a token are inherited when the others agree', async () => {
  const tester = createTester(options)
  const next = await tokenOf(tester, everyPart)
  const { filters, fieldSort } = everyPart.body
  for (const body of [{ filters }, { fieldSort }, {}]) {
    const page = await tester.search({ query: { next, limit: 2, directoryPath: 'reports' }, body })
    expect(pathsOf(page)).toEqual(['reports/c.txt', 'reports/b.txt'])
  }
})

test('another spelling of the same search is no other search', async () => {
  const tester = createTester(options)
  const next = await tokenOf(tester, everyPart)
  const body = {
    fieldSort: [
      { order: 'ASC', field: 'created' },
      { field: 'created', order: 'DESC' },
    ],
    filters: [{ value: ['.txt'], operator: 'LIKE', field: 'name' }],
    dateFilters: [{ field: 'created', start: '2026-01-01T01:00:00.000+01:00' }],
  }
  const page = await tester.search({
    query: { directoryPath: '//reports/', immediateChildren: true, limit: 2, next },
    body,
  })
  expect(pathsOf(page)).toEqual(['reports/c.txt', 'reports/b.txt'])
})

/** The search of `everyPart` with one part changed. */
const conflicts: readonly {
  readonly query?: Record<string, string | number | boolean>
  readonly body?: Record<string, unknown>
}[] = [
  { query: { directoryPath: 'notes' } },
  { query: { directoryPath: '/' } },
  { query: { immediateChildren: false } },
  { body: { filters: [{ field: 'name', operator: 'LIKE', value: ['b'], not: false }] } },
  { body: { filters: [{ field: 'name', operator: 'LIKE', value: ['.txt'], not: true }] } },
  { body: { filters: [] } },
  { body: { dateFilters: [] } },
  {
    body: {
      dateFilters: [{ field: 'created', start: '2026-01-01T00:00:00Z', end: '2026-12-31T00:00:00Z', not: false }],
    },
  },
  { body: { fieldSort: [{ field: 'created', order: 'DESC' }] } },
  { body: { fieldSort: [{ field: 'name', order: 'ASC' }] } },
  {
    body: {
      fieldSort: [
        { field: 'created', order: 'ASC' },
        { field: 'name', order: 'ASC' },
      ],
    },
  },
]

describeBehaviour(
  'next.conflict',
  {
    error: async (tester) => {
      const next = await tokenOf(tester, everyPart)
      for (const { query, body } of conflicts) {
        const refused = await refusesToken(tester, 'next.conflict', {
          query: { ...everyPart.query, ...query, next },
          body: { ...everyPart.body, ...body },
        })
        expect(rowsOf(refused)).toContain('next.conflict')
        const differing = [...Object.keys(query ?? {}), ...Object.keys(body ?? {})].join(', ')
        expect(refused.body).toMatchObject({
          detail: expect.stringContaining(`, got a search that differs in ${differing}.`) as string,
        })
        expect((refused.body as { errors: object[] }).errors[0]).not.toHaveProperty('received')
      }
      const page = await tester.search({ ...everyPart, query: { ...everyPart.query, next } })
      expect(rowsOf(page)).not.toContain('next.conflict')
    },
    ignore: async (tester) => {
      const next = await tokenOf(tester, everyPart)
      for (const { query, body } of conflicts) {
        const page = await tester.search({
          query: { ...everyPart.query, ...query, next },
          body: { ...everyPart.body, ...body },
        })
        expect(pathsOf(page)).toEqual(['reports/c.txt', 'reports/b.txt'])
        expect(rowsOf(page)).toContain('next.conflict')
      }
    },
    reevaluate: async (tester) => {
      const next = await tokenOf(tester, { query: { directoryPath: 'reports', limit: 2 } })
      const filters = [{ field: 'name', operator: 'IN', value: ['a.txt', 'd.txt', 'z.md'], not: false }]
      const page = await tester.search({ query: { next, directoryPath: '/' }, body: { filters } })
      expect(pathsOf(page)).toEqual(['reports/d.txt', 'z.md'])
      expect(rowsOf(page)).toContain('next.conflict')
      // In another order, what comes after reports/b.txt is what is older.
      const sorted = {
        query: { next, directoryPath: 'reports' },
        body: { fieldSort: [{ field: 'created', order: 'DESC' }] },
      }
      expect(await tester.paths(sorted)).toEqual(['reports/c.txt', 'reports/d.txt', 'reports/e.txt'])
      const ascending = { ...sorted, body: { fieldSort: [{ field: 'created', order: 'ASC' }] } }
      expect(await tester.paths(ascending)).toEqual(['reports/a.txt'])
      // That entry is the only trace of the place in an order that the token does not know.
      tester.standin.removeFiles('tiny', ['reports/b.txt'])
      await refusesToken(tester, 'next.conflict', sorted)
    },
  },
  options,
)

test('a token of a long query continues in another order too, where a behaviour runs the search as sent', async () => {
  const tester = createTester({ ...options, behaviours: { 'next.conflict': 'reevaluate' } })
  const value = ['.txt', ...Array.from({ length: 120 }, (_, index) => `no such name ${index}`)]
  const filters = [{ field: 'name', operator: 'LIKE', value, not: false }]
  const sorted = (field: string, order = 'ASC') => ({ filters, fieldSort: [{ field, order }] })
  const next = await tokenOf(tester, { query: { limit: 2 }, body: sorted('created') })
  // The last entry given was d.txt.
  expect(await tester.paths({ query: { next }, body: sorted('name') })).toEqual(['reports/e.txt'])
  expect(await tester.paths({ query: { next }, body: sorted('size', 'DESC') })).toEqual([
    'reports/c.txt',
    'reports/b.txt',
    'reports/a.txt',
  ])
})

test('a token outlives a restart under another order', async () => {
  const orders = ['path', 'created', 'id', 'shuffled'].map((order) => ({ 'sort.default': order }))
  const rules = [...orders, { 'sort.collation': 'case-insensitive' }, { 'sort.nulls': 'first' }]
  for (const before of rules) {
    const first = await createTester({ ...options, behaviours: before }).search({ query: { limit: 3 } })
    const last = pathsOf(first).at(-1) ?? ''
    for (const after of rules) {
      const tester = createTester({ ...options, behaviours: after })
      const all = await tester.paths()
      // What follows the last entry given, in the order of today.
      expect(await tester.paths({ query: { next: nextOf(first) ?? '' } })).toEqual(all.slice(all.indexOf(last) + 1))
    }
  }
})

describeBehaviour(
  'next.other-set',
  {
    error: async (tester) => {
      const next = await tokenOf(tester, { query: { directoryPath: 'reports', limit: 2 } })
      const query = { directoryPath: 'reports', next }
      const refused = await refusesToken(tester, 'next.other-set', { set: 'other', query })
      expect(rowsOf(refused)).toContain('next.other-set')
      expect(rowsOf(await tester.search({ query }))).not.toContain('next.other-set')
    },
    ignore: async (tester) => {
      const next = await tokenOf(tester, { query: { directoryPath: 'reports', limit: 2 } })
      const page = await tester.search({ set: 'other', query: { directoryPath: 'reports', next } })
      expect(pathsOf(page)).toEqual(['reports/b.txt', 'reports/c.txt', 'reports/x.txt'])
      expect(rowsOf(page)).toContain('next.other-set')
    },
    reevaluate: async (tester) => {
      const next = await tokenOf(tester, { query: { directoryPath: 'reports', limit: 2 } })
      const page = await tester.search({ set: 'other', query: { directoryPath: 'reports', next } })
      expect(pathsOf(page)).toEqual(['reports/c.txt', 'reports/x.txt'])
      expect(rowsOf(page)).toContain('next.other-set')
    },
  },
  options,
)

/** What clients send that have lost a token, changed it on its way, or made one up. */
function badTokens(token: string): string[] {
  const characters = token.split('')
  const changed = characters.map(
    (character, at) => token.slice(0, at) + (character === 'A' ? 'B' : 'A') + token.slice(at + 1),
  )
  const truncated = characters.map((_, at) => token.slice(0, at)).slice(1)
  const swapped = characters.map((one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join('')
  const reversed = characters.toReversed().join('')
  const made = ['null', 'undefined', 'NaN', '[object Object]', '0', 'true', '{}', ' ', '\0', '😀', 'c2VjcmV0', '\ud800']
  const padded = [
    `${token}=`,
    `${token}==`,
    `${token} `,
    ` ${token}`,
    `${token}\n`,
    `${token}A`,
    `A${token}`,
    token + token,
  ]
  return [
    ...sample(changed, 5),
    ...sample(truncated, 5),
    swapped,
    reversed,
    ...padded,
    ...made,
    'x'.repeat(10_000),
    'AQ'.repeat(5000),
  ]
}

describeBehaviour(
  'next.tampered',
  {
    error: async (tester) => {
      const token = await tokenOf(tester, { query: { limit: 2 } })
      for (const next of badTokens(token)) {
        const refused = await refusesToken(tester, 'next.tampered', { query: { limit: 2, next } })
        expect(rowsOf(refused)).toContain('next.tampered')
      }
      expect(rowsOf(await tester.search({ query: { limit: 2, next: token } }))).not.toContain('next.tampered')
    },
    'first-page': async (tester) => {
      const token = await tokenOf(tester, { query: { limit: 2 } })
      for (const next of ['null', 'undefined', `${token}=`, token.slice(0, -1)]) {
        const page = await tester.search({ query: { limit: 2, next } })
        expect(pathsOf(page)).toEqual(['notes', 'notes/secret plan.md'])
        expect(rowsOf(page)).toContain('next.tampered')
      }
    },
    empty: async (tester) => {
      const token = await tokenOf(tester, { query: { limit: 2 } })
      for (const next of ['null', 'undefined', `${token}=`, token.slice(0, -1)]) {
        const page = await tester.search({ query: { limit: 2, next } })
        expect(page.body).toEqual({ files: [], pageContext: {} })
        expect(rowsOf(page)).toContain('next.tampered')
      }
    },
  },
  options,
)

/** Finds two directories and a file; all that it names would be seen in a token that is not encrypted. */
const secret = {
  query: { directoryPath: '', limit: 1 },
  body: { filters: [{ field: 'name', operator: 'LIKE', value: ['confidential', 'secret', 'notes'], not: false }] },
}

describeBehaviour(
  'next.content',
  {
    opaque: async (tester) => {
      const token = await tokenOf(tester, secret)
      expect(token).toMatch(/^[A-Za-z0-9_-]+$/)
      for (const text of [token, Buffer.from(token, 'base64url').toString('latin1')]) {
        expect(text).not.toMatch(/secret|plan|notes|name|filter|tiny|LIKE|confid|[{}[\]"]{2}/i)
      }
      expect(await tokenOf(tester, secret)).toBe(token)
      // Two places are two tokens, which share nothing but the version.
      const other = await tokenOf(tester, { query: { limit: 1 } })
      expect(other.slice(4, 12)).not.toBe(token.slice(4, 12))
    },
    plain: async (tester) => {
      const first = await tester.search({ query: { directoryPath: 'reports', limit: 2 } })
      const token = nextOf(first) ?? ''
      const held = Buffer.from(token, 'base64').toString()
      expect(Buffer.from(held).toString('base64')).toBe(token)
      expect(JSON.parse(held)).toEqual({
        id: 'id-8',
        path: 'reports/b.txt',
        name: 'b.txt',
        size: 11,
        created: '2026-01-08T00:00:00.000Z',
      })
      expect(Object.keys(JSON.parse(held) as object)).toEqual(['id', 'path', 'name', 'size', 'created'])
      expect(await tester.paths({ query: { directoryPath: 'reports', next: token } })).toEqual([
        'reports/c.txt',
        'reports/d.txt',
        'reports/e.txt',
      ])
      const all = (await tester.paths()).toSorted()
      for (const field of ['id', 'path', 'name', 'size', 'created', 'fileType', 'contentType', 'createdBy']) {
        const pages = await walk(tester, { query: { limit: 2 }, body: { fieldSort: [{ field, order: 'DESC' }] } })
        expect(pages.flat().toSorted(), field).toEqual(all)
      }
      for (const next of [
        'null',
        'e30=',
        'W10=',
        'bnVsbA==',
        'MQ==',
        token.slice(8),
        Buffer.from('{"id":1}').toString('base64'),
      ]) {
        await refusesToken(tester, 'next.tampered', { query: { next } })
      }
    },
  },
  options,
)

test('plain tokens are padded', async () => {
  const tester = createTester({ ...options, behaviours: { 'next.content': 'plain' } })
  const tokens = await Promise.all([1, 2, 3, 4, 5, 6].map((limit) => tokenOf(tester, { query: { limit } })))
  expect(tokens.every((token) => token.length % 4 === 0)).toBe(true)
  expect(tokens.some((token) => token.endsWith('='))).toBe(true)
})

test('a plain token continues when its entry is gone, as far as the token itself says where', async () => {
  const at = { limit: 3, directoryPath: 'reports' }
  for (const field of ['id', 'path', 'name', 'size', 'created', 'contentType', 'createdBy']) {
    const tester = createTester({ ...options, behaviours: { 'next.content': 'plain' } })
    const body = { fieldSort: [{ field, order: 'DESC' }] }
    const [first = [], second = []] = await walk(tester, { query: at, body })
    const next = await tokenOf(tester, { query: at, body })
    tester.standin.removeFiles('tiny', first.slice(-1))
    const searchOptions = { query: { ...at, next }, body }
    if (field.startsWith('c') && field !== 'created') await refusesToken(tester, 'next.content', searchOptions)
    else expect(await tester.paths(searchOptions), field).toEqual(second)
  }
})

test('a plain token goes on in every default order, also when its entry is gone', async () => {
  for (const order of ['path', 'created', 'id', 'shuffled']) {
    const tester = createTester({ ...options, behaviours: { 'next.content': 'plain', 'sort.default': order } })
    const all = await tester.paths()
    expect((await walk(tester, { query: { limit: 3 } })).flat(), order).toEqual(all)
    // Directories go with their last file; here the third entry is looked for that is a file.
    const size = all.findIndex((path, at) => at >= 2 && path.startsWith('reports/')) + 1
    const next = await tokenOf(tester, { query: { limit: size } })
    tester.standin.removeFiles('tiny', all.slice(size - 1, size))
    expect(await tester.paths({ query: { next } }), order).toEqual(all.slice(size))
  }
})

test('a query over 1 KB is not in the token, and must be sent again beside it', async () => {
  const tester = createTester(options)
  const value = ['.txt', ...Array.from({ length: 120 }, (_, index) => `no such name ${index}`)]
  const long = { query: { limit: 2 }, body: { filters: [{ field: 'name', operator: 'LIKE', value, not: false }] } }
  const next = await tokenOf(tester, long)
  expect(next.length).toBeLessThan(500)
  const page = await tester.search({ ...long, query: { limit: 2, next } })
  expect(pathsOf(page)).toEqual(['reports/c.txt', 'reports/d.txt'])
  await refusesToken(tester, 'next.content', { query: { limit: 2, next } })
  const [filter] = long.body.filters
  await refusesToken(tester, 'next.conflict', {
    query: { limit: 2, next },
    body: { filters: [{ ...filter, not: true }] },
  })
  await refusesToken(tester, 'next.conflict', { query: { limit: 2, next, directoryPath: 'reports' } })
})

test('a query just within 1 KB is in the token', async () => {
  const tester = createTester(options)
  const filters = [{ field: 'name', operator: 'LIKE', value: ['.txt', 'x'.repeat(800)], not: false }]
  const next = await tokenOf(tester, { query: { limit: 2 }, body: { filters } })
  expect(await tester.paths({ query: { limit: 2, next } })).toEqual(['reports/c.txt', 'reports/d.txt'])
})

const SECOND = 1000

describeBehaviour(
  'next.expiry',
  {
    none: async (tester) => {
      const next = await tokenOf(tester, everyPart)
      tester.moveTo('2126-01-01T00:00:00Z')
      const page = await tester.search({ query: { limit: 2, next } })
      expect(pathsOf(page)).toEqual(['reports/c.txt', 'reports/b.txt'])
      expect(rowsOf(page)).toContain('next.expiry')
      // Another process, or a replica, of the same seed.
      expect(await createTester(options).paths({ query: { limit: 2, next } })).toEqual(pathsOf(page))
      expect(await tokenOf(createTester(options), everyPart)).toBe(next)
      await refusesToken(createTester({ ...options, seed: 43 }), 'next.tampered', { query: { limit: 2, next } })
    },
    'ttl:60': async (tester) => {
      const next = await tokenOf(tester, everyPart)
      tester.moveTo(NOW + 60 * SECOND - 1)
      const page = await tester.search({ query: { limit: 2, next } })
      expect(pathsOf(page)).toEqual(['reports/c.txt', 'reports/b.txt'])
      tester.moveTo(NOW + 60 * SECOND)
      const refused = await refusesToken(tester, 'next.expiry', { query: { limit: 2, next } })
      expect(rowsOf(refused)).toContain('next.expiry')
      // Each token has a life of its own.
      expect(await tester.paths({ query: { limit: 2, next: nextOf(page) ?? '' } })).toEqual(['reports/a.txt'])
    },
  },
  options,
)

describeBehaviour(
  'next.reuse',
  {
    default: async (tester) => {
      const next = await tokenOf(tester, { query: { limit: 2 } })
      const once = await tester.search({ query: { limit: 2, next } })
      const later = await tester.search({ query: { limit: 2, next: nextOf(once) ?? '' } })
      const twice = await tester.search({ query: { limit: 2, next } })
      expect(twice.text).toBe(once.text)
      expect(later.text).not.toBe(once.text)
      expect(rowsOf(twice)).toContain('next.reuse')
    },
  },
  options,
)

describeBehaviour(
  'next.auth',
  {
    default: async (tester) => {
      const next = await tokenOf(tester, { query: { limit: 2 } })
      const request = () =>
        tester.request().post(`${SEARCH}/tiny/files/search?next=${next}`).set('Content-Type', 'application/json')
      const refused = await request().send('{}')
      expect(refused.status).toBe(401)
      expect(refused.headers).toHaveProperty('www-authenticate')
      expect((await request().set(KEY_HEADER, ' ').send('{}')).status).toBe(401)
      expect((await request().set(KEY_HEADER, next).send('{}')).status).toBe(200)
      const listed = createTester({ ...options, keys: [{ key: 'mine' }], behaviours: { 'auth.keys': 'listed' } })
      expect((await listed.search({ query: { next }, headers: { [KEY_HEADER]: 'other' } })).status).toBe(401)
      expect((await listed.search({ query: { next }, headers: { [KEY_HEADER]: 'mine' } })).status).toBe(200)
    },
  },
  options,
)
