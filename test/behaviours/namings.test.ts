import { expect, test } from 'vitest'
import { describeBehaviour } from '../support/describe-behaviour.ts'
import { createTester, nextOf, rowsOf, weekly } from '../support/tester.ts'

/** What `X-Mock-Behaviours` names, and what it leaves out. */

const files = (...paths: string[]) => ({
  fixtures: [{ fileSets: [{ id: 'tiny', files: paths.map((path) => ({ path })) }] }],
})
const some = files('Report.txt', 'report-2.txt', 'notes.txt', 'Box/one.txt')
const like = (value: string, not = false) => ({ filters: [{ field: 'name', operator: 'LIKE', value: [value], not }] })

test('a documented behaviour is named when it is set to something else and that matters', async () => {
  const set = (id: string, value: unknown) => createTester({ ...some, behaviours: { [id]: value } })
  const search = async (id: string, value: unknown, query: string) => rowsOf(await set(id, value).search({ query }))
  expect(await search('limit.int32', 'clamp', 'limit=3000000000')).toContain('limit.int32')
  expect(await search('limit.format', 'default-if-blank', 'limit=')).toContain('limit.format')
  expect(await search('limit.max', 'clamp:2', 'limit=9')).toContain('limit.max')
  expect(await search('limit.max', 'clamp:2', '')).toContain('limit.max')
  expect(await search('http.boolean', 'any-case', 'immediateChildren=TRUE')).toContain('http.boolean')
  expect(await search('http.boolean', 'any-case', 'immediateChildren=true')).not.toContain('http.boolean')
  expect(await search('next.content', 'plain', 'limit=1')).toContain('next.content')
  const create = async (id: string, value: unknown, body: object) => rowsOf(await set(id, value).create(body))
  expect(await create('create.status', '201', weekly())).toContain('create.status')
  expect(await create('body.types', 'coerce', weekly({}, { hourOfDay: '8' }))).toContain('body.types')
  expect(await create('body.types', 'coerce', weekly())).not.toContain('body.types')
  expect(await create('zone.short', 'any', weekly({}, { timezone: 'EST' }))).toContain('zone.short')
  expect(await create('next-run.passes', 'frozen-at-write', weekly())).toContain('next-run.passes')
  const usual = rowsOf(await createTester(some).create(weekly()))
  for (const id of ['create.status', 'next-run.passes', 'body.types']) expect(usual).not.toContain(id)
})

test('a create names what would have refused it, or shown it otherwise', async () => {
  const rows = rowsOf(await createTester().create(weekly()))
  expect(rows).toEqual(expect.arrayContaining(['create.duplicate', 'response.recipients']))
})

test('a path with letters depends on whether their case counts', async () => {
  const { search } = createTester(files('Box/one.txt', '2026/one.txt'))
  expect(rowsOf(await search({ query: { directoryPath: 'Box' } }))).toContain('dir.case')
  expect(rowsOf(await search({ query: { directoryPath: '2026' } }))).not.toContain('dir.case')
})

test('a walk that goes on with {} names what its filters depend on', async () => {
  const { search } = createTester(some)
  const dateFilters = [{ field: 'created', start: '2020-01-01T00:00:00Z', end: null }]
  const body = { ...like('REPORT%'), dateFilters, fieldSort: [{ field: 'name', order: 'DESC' }] }
  const first = await search({ query: { limit: 1 }, body })
  const query = { limit: 1, next: nextOf(first) ?? '' }
  const again = rowsOf(await search({ query, body }))
  const alone = rowsOf(await search({ query }))
  const expected = ['like.case', 'like.shape', 'like.wildcards', 'date.start', 'sort.order-values', 'sort.fields']
  expect(alone).toEqual(expect.arrayContaining(expected))
  expect(alone.filter((row) => row !== 'next.omitted-query')).toEqual(again)
})

test('no order is named for a result of one entry, or none', async () => {
  const { search } = createTester(some)
  for (const [query, body] of [
    ['', like('notes')],
    ['limit=1', like('notes')],
    ['', like('nothing')],
  ] as const) {
    const rows = rowsOf(await search({ query, body }))
    for (const id of ['sort.default', 'sort.collation']) expect(rows, query).not.toContain(id)
  }
  const byName = { ...like('notes'), fieldSort: [{ field: 'name', order: 'ASC' }] }
  expect(rowsOf(await search({ query: 'limit=1', body: byName }))).not.toContain('sort.collation')
  for (const query of ['', 'limit=1']) expect(rowsOf(await search({ query }))).toContain('sort.default')
})

test('the case rule of LIKE is named where the other one would have found something else', async () => {
  const { search } = createTester(some)
  expect(rowsOf(await search({ body: like('notes') }))).not.toContain('like.case')
  expect(rowsOf(await search({ body: like('report') }))).toContain('like.case')
  expect(rowsOf(await search({ body: like('report', true) }))).toContain('like.case')
  expect(rowsOf(await search({ body: like('.txt'), query: 'limit=2' }))).toContain('like.case')
  const sensitive = createTester({ ...some, behaviours: { 'like.case': 'sensitive' } })
  expect(rowsOf(await sensitive.search({ body: like('report') }))).toContain('like.case')
})

const fractions = async ({ search }: ReturnType<typeof createTester>) => {
  const query = { directoryPath: 'moments', limit: 1000 }
  const { files: found } = (await search({ set: 'awkward', query })).body as { files: { created: string }[] }
  return Math.max(...found.map(({ created }) => (/\.(\d+)Z$/.exec(created)?.[1] ?? '').length))
}

describeBehaviour('file.created-precision', {
  millis: async (tester) => {
    expect(await fractions(tester)).toBe(3)
  },
  micros: async (tester) => {
    expect(await fractions(tester)).toBe(6)
  },
  nanos: async (tester) => {
    expect(await fractions(tester)).toBe(9)
  },
})

interface Page {
  readonly files: readonly { readonly created: string }[]
}

const spellings = async ({ search }: ReturnType<typeof createTester>) => {
  const { files } = (await search({ set: 'demo', query: 'limit=1000' })).body as Page
  // Another spelling is the same moment, and is found as such.
  const [first = { created: '' }] = files
  const same = { dateFilters: [{ field: 'created', start: first.created, end: null }] }
  expect(((await search({ set: 'demo', body: same })).body as Page).files).toContainEqual(first)
  return new Set(
    files.map(
      ({ created }) => `${/\.(\d+)/.exec(created)?.[1]?.length ?? 0} ${created.replace(/^.*T[\d:]+\.\d+/, '')}`,
    ),
  )
}

describeBehaviour('file.created-spelling', {
  z: async (tester) => {
    expect(await spellings(tester)).toEqual(new Set(['3 Z']))
  },
  offset: async (tester) => {
    expect(await spellings(tester)).toEqual(new Set(['3 +00:00']))
  },
  mixed: async (tester) => {
    expect((await spellings(tester)).size).toBe(6)
  },
})
