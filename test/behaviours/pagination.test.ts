import { expect, test } from 'vitest'
import { describeBehaviour } from '../support/describe-behaviour.ts'
import { complaintsOf, createTester, nextOf, pathsOf, rowsOf, type Tester } from '../support/tester.ts'
import { tokenOf, walk } from '../support/walk.ts'
import { sample } from '../support/cases.ts'

const LETTERS = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt']
/** Twenty files more than the default limit. */
const MANY = Array.from({ length: 120 }, (_, index) => `${String(index).padStart(3, '0')}.txt`)

const options = {
  fixtures: [
    {
      fileSets: [
        { id: 'tiny', files: LETTERS.map((path) => ({ path })) },
        { id: 'many', files: MANY.map((path) => ({ path })) },
        { id: 'large', generate: 1500 },
      ],
    },
  ],
}

describeBehaviour(
  'page.last',
  {
    absent: async ({ search }) => {
      const last = await search()
      expect(last.body).toHaveProperty('pageContext', {})
      expect(rowsOf(last)).toContain('page.last')
      const notLast = await search({ query: { limit: 2 } })
      expect(nextOf(notLast)).toMatch(/./)
      expect(rowsOf(notLast)).not.toContain('page.last')
    },
    null: async ({ search }) => {
      const last = await search()
      expect(last.body).toHaveProperty('pageContext', { next: null })
      expect(rowsOf(last)).toContain('page.last')
    },
    empty: async ({ search }) => {
      const last = await search()
      expect(last.body).toHaveProperty('pageContext', { next: '' })
      expect(rowsOf(last)).toContain('page.last')
    },
  },
  options,
)

describeBehaviour(
  'page.exact-end',
  {
    lookahead: async (tester) => {
      const full = await tester.search({ query: { limit: 5 } })
      expect(nextOf(full)).toBeUndefined()
      expect(rowsOf(full)).toContain('page.exact-end')
      expect(await walk(tester, { query: { limit: 1 } })).toEqual(LETTERS.map((path) => [path]))
    },
    'full-page-implies-next': async (tester) => {
      const full = await tester.search({ query: { limit: 5 } })
      expect(rowsOf(full)).toContain('page.exact-end')
      expect(await tester.paths({ query: { next: nextOf(full) ?? '' } })).toEqual([])
      expect(await walk(tester, { query: { limit: 2 } })).toEqual([['a.txt', 'b.txt'], ['c.txt', 'd.txt'], ['e.txt']])
    },
  },
  options,
)

test('a page that is not full, or not the last, says nothing of how an exactly full last page ends', async () => {
  const { search } = createTester(options)
  expect(rowsOf(await search({ query: { limit: 6 } }))).not.toContain('page.exact-end')
  expect(rowsOf(await search({ query: { limit: 4 } }))).not.toContain('page.exact-end')
})

describeBehaviour(
  'page.short',
  {
    never: async (tester) => {
      expect(sizes(await walk(tester, { query: { limit: 2 } }))).toEqual([2, 2, 1])
      expect(sizes(await walk(tester, { set: 'many', query: { limit: 9 } }))).toEqual([...Array<number>(13).fill(9), 3])
      expect(rowsOf(await tester.search({ query: { limit: 2 } }))).toContain('page.short')
      expect(rowsOf(await tester.search())).not.toContain('page.short')
    },
    'every-2': async (tester) => {
      expect(sizes(await walk(tester, { query: { limit: 2 } }))).toEqual([2, 1, 2])
      expect(sizes(await walk(tester, { query: { limit: 1 } }))).toEqual([1, 1, 1, 1, 1])
      const pages = await walk(tester, { set: 'many', query: { limit: 10 } })
      expect(sizes(pages)).toEqual(Array.from({ length: 16 }, (_, page) => (page % 2 === 0 ? 10 : 5)))
      expect(pages.flat()).toEqual(MANY)
    },
    'every-3': async (tester) => {
      expect(sizes(await walk(tester, { set: 'many', query: { limit: 30 } }))).toEqual([30, 30, 15, 30, 15])
    },
    random: async (tester) => {
      const pages = await walk(tester, { set: 'many', query: { limit: 6 } })
      expect(pages.flat()).toEqual(MANY)
      expect(new Set(sizes(pages))).toEqual(new Set([3, 6]))
      // No count foretells them: between two short pages there are now more, now fewer full ones.
      const runs = sizes(pages).join('').split('3')
      expect(new Set(runs.map((run) => run.length)).size).toBeGreaterThan(2)
      expect(await walk(tester, { set: 'many', query: { limit: 6 } })).toEqual(pages)
      const other = createTester({ ...options, seed: 7, behaviours: { 'page.short': 'random' } })
      expect(sizes(await walk(other, { set: 'many', query: { limit: 6 } }))).not.toEqual(sizes(pages))
    },
  },
  options,
)

function sizes(pages: readonly (readonly string[])[]): number[] {
  return pages.map((page) => page.length)
}

describeBehaviour(
  'limit.zero',
  {
    error: async ({ search }) => {
      for (const limit of ['0', '-0']) {
        const refused = await search({ query: `limit=${limit}` })
        expect(refused.status).toBe(400)
        expect(complaintsOf(refused)).toEqual(['limit limit.zero'])
        expect(rowsOf(refused)).toContain('limit.zero')
      }
    },
    default: async ({ search }) => {
      const page = await search({ set: 'many', query: { limit: 0 } })
      expect(pathsOf(page)).toEqual(MANY.slice(0, 100))
      expect(rowsOf(page)).toContain('limit.zero')
    },
    empty: async ({ search }) => {
      const page = await search({ query: { limit: 0 } })
      expect(page.status).toBe(200)
      expect(page.body).toEqual({ files: [], pageContext: {} })
      expect(rowsOf(page)).toContain('limit.zero')
    },
  },
  options,
)

describeBehaviour(
  'limit.negative',
  {
    error: async ({ search }) => {
      for (const limit of [-1, -2147483648]) {
        const refused = await search({ query: { limit } })
        expect(refused.status).toBe(400)
        expect(complaintsOf(refused)).toEqual(['limit limit.negative'])
        expect(rowsOf(refused)).toContain('limit.negative')
      }
    },
    default: async ({ search }) => {
      const page = await search({ set: 'many', query: { limit: -1 } })
      expect(pathsOf(page)).toEqual(MANY.slice(0, 100))
      expect(rowsOf(page)).toContain('limit.negative')
    },
  },
  options,
)

test('a limit that is absent is 100, and depends on no behaviour of limits', async () => {
  const { search } = createTester(options)
  const page = await search({ set: 'many' })
  expect(pathsOf(page)).toEqual(MANY.slice(0, 100))
  expect(rowsOf(page).filter((row) => row.startsWith('limit.'))).toEqual([])
})

describeBehaviour(
  'limit.max',
  {
    none: async (tester) => {
      const page = await tester.search({ set: 'large', query: { limit: 100000 } })
      expect(page.headers).toHaveProperty('transfer-encoding', 'chunked')
      expect(page.headers).not.toHaveProperty('content-length')
      expect(nextOf(page)).toBeUndefined()
      expect(pathsOf(page).length).toBeGreaterThan(1500)
      expect(pathsOf(page)).toEqual((await walk(tester, { set: 'large', query: { limit: 400 } })).flat())
      expect(await tester.paths({ query: { limit: 2147483647 } })).toEqual(LETTERS)
    },
    'clamp:3': async (tester) => {
      const page = await tester.search({ query: { limit: 4 } })
      expect(pathsOf(page)).toEqual(['a.txt', 'b.txt', 'c.txt'])
      expect(await tester.paths({ query: { next: nextOf(page) ?? '', limit: 4 } })).toEqual(['d.txt', 'e.txt'])
      expect(await tester.paths({ query: { limit: 2 } })).toEqual(['a.txt', 'b.txt'])
      expect(await walk(tester)).toEqual([
        ['a.txt', 'b.txt', 'c.txt'],
        ['d.txt', 'e.txt'],
      ])
    },
    'error:3': async ({ search, paths }) => {
      const refused = await search({ query: { limit: 4 } })
      expect(refused.status).toBe(400)
      expect(complaintsOf(refused)).toEqual(['limit limit.max'])
      for (const query of ['limit=3', '']) expect(await paths({ query })).toEqual(['a.txt', 'b.txt', 'c.txt'])
    },
  },
  options,
)

describeBehaviour(
  'limit.int32',
  {
    error: async ({ search }) => {
      for (const limit of ['2147483648', '9007199254740993', '9'.repeat(20), '9'.repeat(9000), '-2147483649']) {
        const refused = await search({ query: { limit } })
        expect(refused.status).toBe(400)
        expect(complaintsOf(refused)).toEqual(['limit limit.int32'])
      }
      expect((await search({ query: { limit: 2147483647 } })).status).toBe(200)
    },
    clamp: async ({ search, paths }) => {
      for (const limit of ['2147483648', '9'.repeat(20), '9'.repeat(9000)])
        expect(await paths({ query: { limit } })).toEqual(LETTERS)
      expect(complaintsOf(await search({ query: { limit: '-2147483649' } }))).toEqual(['limit limit.negative'])
    },
  },
  options,
)

/** As they go over the wire: a bare plus sign is a space there. */
const NO_INTEGERS = [
  'abc',
  '1.5',
  '1.0',
  '1e2',
  '+5',
  '%2B5',
  '0x10',
  '%205',
  '5%20',
  '007',
  '٣',
  '１',
  '--1',
  '1,000',
  'NaN',
  'null',
  '%00',
]

describeBehaviour(
  'limit.format',
  {
    strict: async ({ search }) => {
      for (const limit of [...NO_INTEGERS, '', '%20']) {
        const refused = await search({ query: `limit=${limit.startsWith('%') ? limit : encodeNonAscii(limit)}` })
        expect(refused.status, limit).toBe(400)
        expect(complaintsOf(refused), limit).toEqual(['limit limit.format'])
      }
    },
    'default-if-blank': async ({ search, paths }) => {
      expect(await paths({ set: 'many', query: 'limit=' })).toEqual(MANY.slice(0, 100))
      for (const limit of NO_INTEGERS) {
        const refused = await search({ query: `limit=${encodeNonAscii(limit)}` })
        expect(complaintsOf(refused), limit).toEqual(['limit limit.format'])
      }
    },
  },
  options,
)

function encodeNonAscii(text: string): string {
  return text.replaceAll(/[^\x00-\x7f]/g, encodeURIComponent)
}

describeBehaviour(
  'limit.change',
  {
    honour: async (tester) => {
      const next = await tokenOf(tester, { query: { limit: 2 } })
      const page = await tester.search({ query: { limit: 1, next } })
      expect(pathsOf(page)).toEqual(['c.txt'])
      expect(rowsOf(page)).toContain('limit.change')
      expect(await tester.paths({ query: { limit: 3, next } })).toEqual(['c.txt', 'd.txt', 'e.txt'])
      expect(rowsOf(await tester.search({ query: { limit: 2, next } }))).not.toContain('limit.change')
    },
    error: async (tester) => {
      const next = await tokenOf(tester, { query: { limit: 2 } })
      for (const query of [{ next, limit: 3 }, { next }]) {
        const refused = await tester.search({ query })
        expect(refused.status).toBe(400)
        expect(complaintsOf(refused)).toEqual(['limit limit.change'])
        expect(rowsOf(refused)).toContain('limit.change')
      }
      expect(await walk(tester, { query: { limit: 2 } })).toEqual([['a.txt', 'b.txt'], ['c.txt', 'd.txt'], ['e.txt']])
    },
  },
  options,
)

const RENAMED = 'e2f3a8a0-0000-4000-8000-000000000001'

/** One file a day, from the first of January; the third has an id that it keeps when it is renamed. */
const daily = {
  fixtures: [
    {
      fileSets: [
        {
          id: 'tiny',
          files: LETTERS.map((path, day) => ({
            path,
            created: `2026-01-0${day + 1}T00:00:00.000Z`,
            ...(path === 'c.txt' ? { id: RENAMED } : {}),
          })),
        },
      ],
    },
  ],
}
const byDate = { fieldSort: [{ field: 'created', order: 'ASC' }] }

describeBehaviour(
  'page.changes',
  {
    keyset: async (tester) => {
      const first = await tester.search({ query: { limit: 2 } })
      expect(rowsOf(first)).not.toContain('page.changes')
      // Its last entry goes, two come before it, one comes after it, and one that was not given yet goes.
      tester.standin.removeFiles('tiny', ['b.txt', 'd.txt'])
      tester.standin.addFiles('tiny', [{ path: 'aa.txt' }, { path: 'ab.txt' }, { path: 'cc.txt' }])
      const second = await tester.search({ query: { limit: 10, next: nextOf(first) ?? '' } })
      expect(pathsOf(second)).toEqual(['c.txt', 'cc.txt', 'e.txt'])
      expect(rowsOf(second)).toContain('page.changes')
    },
    snapshot: async (tester) => {
      const first = await tester.search({ query: { limit: 2 } })
      tester.standin.removeFiles('tiny', ['b.txt', 'd.txt'])
      tester.standin.addFiles('tiny', [{ path: 'aa.txt' }, { path: 'cc.txt' }])
      const second = await tester.search({ query: { limit: 2, next: nextOf(first) ?? '' } })
      expect(pathsOf(second)).toEqual(['c.txt', 'd.txt'])
      expect(rowsOf(second)).toContain('page.changes')
      tester.standin.removeFiles('tiny', ['e.txt'])
      expect(await tester.paths({ query: { limit: 2, next: nextOf(second) ?? '' } })).toEqual(['e.txt'])
      expect(await tester.paths()).toEqual(['a.txt', 'aa.txt', 'c.txt', 'cc.txt'])
    },
    offset: async (tester) => {
      const next = await tokenOf(tester, { query: { limit: 2 } })
      tester.standin.addFiles('tiny', [{ path: 'aa.txt' }])
      // An insertion before the page shows an entry twice…
      const second = await tester.search({ query: { limit: 2, next } })
      expect(pathsOf(second)).toEqual(['b.txt', 'c.txt'])
      expect(rowsOf(second)).toContain('page.changes')
      tester.standin.removeFiles('tiny', ['aa.txt', 'a.txt'])
      // … and deletions skip as many: d.txt and e.txt have moved to where others were given.
      expect(await tester.paths({ query: { limit: 2, next: nextOf(second) ?? '' } })).toEqual([])
    },
  },
  daily,
)

test('a file that is renamed between two pages appears exactly once where the order does not go by its path', async () => {
  const tester = createTester(daily)
  const first = await tester.search({ query: { limit: 3 }, body: byDate })
  expect(pathsOf(first)).toEqual(['a.txt', 'b.txt', 'c.txt'])
  tester.standin.removeFiles('tiny', ['c.txt'])
  tester.standin.addFiles('tiny', [{ path: 'z.txt', id: RENAMED, created: '2026-01-03T00:00:00.000Z' }])
  expect(await tester.paths({ query: { limit: 3, next: nextOf(first) ?? '' }, body: byDate })).toEqual([
    'd.txt',
    'e.txt',
  ])
})

test('whatever comes and goes meanwhile, what is present throughout appears exactly once', async () => {
  const tester = createTester(options)
  const seen: string[] = []
  let next: string | undefined
  let page = 0
  do {
    const answer = await tester.search({ set: 'many', query: { limit: 7, ...(next === undefined ? {} : { next }) } })
    seen.push(...pathsOf(answer))
    next = nextOf(answer)
    const anchor = pathsOf(answer).at(-1) ?? ''
    tester.standin.removeFiles('many', [anchor])
    tester.standin.addFiles('many', [{ path: `000-new-${page}.txt` }, { path: `999-new-${page}.txt` }])
    page++
  } while (next !== undefined && page < 100)
  expect(seen.filter((path) => !path.includes('new'))).toEqual(MANY)
  expect(new Set(seen).size).toBe(seen.length)
})

test('pages of any size, in any order, add up to the whole list', async () => {
  const fields = ['id', 'path', 'name', 'fileType', 'contentType', 'size', 'created', 'createdBy']
  for (const [turn, content] of ['opaque', 'plain'].entries()) {
    const tester = createTester({ ...options, behaviours: { 'next.content': content } })
    for (const field of sample(fields, 4, turn)) {
      for (const [order, limit] of [
        ['ASC', 7],
        ['DESC', 31],
      ] as const) {
        const whole = { set: 'awkward', body: { fieldSort: [{ field, order }] } }
        const all = await tester.paths({ ...whole, query: { limit: 1000 } })
        expect(all.length).toBeGreaterThan(100)
        expect((await walk(tester, { ...whole, query: { limit } })).flat(), `${field} ${order}`).toEqual(all)
      }
    }
  }
})

describeBehaviour(
  'page.window',
  {
    none: async (tester) => {
      expect(await walk(tester, { query: { limit: 2 } })).toHaveLength(3)
      expect(rowsOf(await tester.search())).not.toContain('page.window')
    },
    3: async (tester) => {
      const first = await tester.search({ query: { limit: 2 } })
      expect(pathsOf(first)).toEqual(['a.txt', 'b.txt'])
      const second = await tester.search({ query: { limit: 2, next: nextOf(first) ?? '' } })
      expect(pathsOf(second)).toEqual(['c.txt'])
      expect(rowsOf(second)).toContain('page.window')
      const beyond = await tester.search({ query: { limit: 2, next: nextOf(second) ?? '' } })
      expect(beyond.status).toBe(400)
      expect(complaintsOf(beyond)).toEqual(['next page.window'])
      expect(rowsOf(beyond)).toContain('page.window')
      expect(await tester.paths()).toEqual(['a.txt', 'b.txt', 'c.txt'])
      expect(await tester.paths({ set: 'large', query: { limit: 1200 } })).toHaveLength(3)
    },
    5: async (tester) => {
      const whole = await tester.search()
      expect(pathsOf(whole)).toEqual(LETTERS)
      expect(nextOf(whole)).toBeUndefined()
    },
  },
  options,
)

const dated = (path: string, day: number) => ({ path, created: `2026-01-0${day}T00:00:00.000Z` })
const inDirectory = {
  fixtures: [{ fileSets: [{ id: 'tiny', files: [dated('d/1', 1), dated('d/4', 4), dated('2', 2), dated('3', 3)] }] }],
}

test.for<[order: string, change: string, pages: string[][]]>([
  // By date, the directory stands where its earliest file stands, or stood.
  ['ASC', 'the earliest file of a directory is deleted', [['d', 'd/1'], ['2', '3'], ['d/4']]],
  [
    'DESC',
    'the earliest file of a directory is deleted',
    [
      ['d/4', '3'],
      ['2', 'd'],
    ],
  ],
  ['ASC', 'an earlier file comes', [['d', 'd/1'], ['2', '3'], ['d/4']]],
  [
    'DESC',
    'an earlier file comes',
    [
      ['d/4', '3'],
      ['2', 'd/1'],
      ['d', 'd/0'],
    ],
  ],
])('a walk by created %s shows a directory once when %s', async ([order, change, expected]) => {
  const tester = createTester(inDirectory)
  const body = { fieldSort: [{ field: 'created', order }] }
  const pages: string[][] = []
  let next: string | undefined
  do {
    const page = await tester.search({ query: { limit: 2, ...(next === undefined ? {} : { next }) }, body })
    // The order of what has one date follows from ids, which are not what this is about.
    pages.push(pathsOf(page).toSorted((a, b) => expected.flat().indexOf(a) - expected.flat().indexOf(b)))
    next = nextOf(page)
    if (pages.length > 1) continue
    if (change.startsWith('the')) tester.standin.removeFiles('tiny', ['d/1'])
    else tester.standin.addFiles('tiny', [{ path: 'd/0', created: '2025-12-31T00:00:00.000Z' }])
  } while (next !== undefined)
  expect(pages).toEqual(expected)
})

test('a snapshot outlives a change of many files at once', async () => {
  const tester = createTester({ ...options, behaviours: { 'page.changes': 'snapshot' } })
  const next = await tokenOf(tester, { query: { limit: 2 } })
  tester.standin.addFiles(
    'tiny',
    Array.from({ length: 40 }, (_, index) => ({ path: `new-${index}.txt` })),
  )
  expect(await tester.paths({ query: { next } })).toEqual(['c.txt', 'd.txt', 'e.txt'])
})

test('a snapshot that is no longer kept is refused', async () => {
  const tester = createTester({ ...options, behaviours: { 'page.changes': 'snapshot' } })
  const next = await tokenOf(tester, { query: { limit: 2 } })
  for (let change = 0; change < 17; change++) tester.standin.addFiles('tiny', [{ path: `new-${change}.txt` }])
  const refused = await tester.search({ query: { next } })
  expect(refused.status).toBe(400)
  expect(complaintsOf(refused)).toEqual(['next page.changes'])
})

test('a first page depends on no behaviour of tokens', async () => {
  const { search } = createTester(options)
  for (const query of [{}, { limit: 2 }, { limit: 5000 }]) {
    const rows = rowsOf(await search({ query }))
    expect(rows.filter((row) => row.startsWith('next.') || row === 'page.changes' || row.startsWith('like.'))).toEqual(
      [],
    )
  }
})

const ODD_LIMITS = [
  '-',
  '+',
  '%',
  '%ZZ',
  '%ED%A0%80',
  '1'.repeat(39),
  '1'.repeat(4000),
  '-'.repeat(4000),
  '%F0%9F%98%80',
  '1&limit=2',
  '[]',
  '{}',
  '1;2',
  '∞',
]

test('no spelling of a limit makes the server fail', async () => {
  for (const behaviours of [
    {},
    { 'limit.int32': 'clamp', 'limit.format': 'default-if-blank', 'limit.max': 'clamp:2' },
  ]) {
    const { search }: Tester = createTester({ ...options, behaviours })
    for (const limit of ODD_LIMITS) {
      const answer = await search({ query: `limit=${encodeNonAscii(limit)}` })
      expect(answer.headers, limit).not.toHaveProperty('x-mock-defect')
      expect(answer.status, limit).toBeLessThan(500)
    }
  }
})
