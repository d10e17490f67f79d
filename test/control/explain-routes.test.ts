import { expect, test } from 'vitest'
import type { ControlError } from '../../src/index.ts'
import { createControlledTester, refusalOf } from '../support/control.ts'
import { nextOf, weekly } from '../support/tester.ts'

const FROZEN = { clock: '2026-03-05T14:30:00Z' }
const FILES = [
  { path: 'a/Budget.txt', size: 3, created: '2026-01-01T00:00:00.000Z' },
  { path: 'a/b/budget-2.txt', size: 30, created: '2026-01-02T00:00:00.000Z' },
  { path: 'a/b/other.txt', size: 30, created: '2026-01-02T00:00:00.000000001Z' },
  { path: 'c/50%.txt', size: 7, created: '2026-01-03T00:00:00.000Z' },
]

function createTiny(options: object = {}) {
  return createControlledTester({ ...FROZEN, fixtures: [{ fileSets: [{ id: 'tiny', files: FILES }] }], ...options })
}

const like = (...value: string[]) => ({ field: 'name', operator: 'LIKE', value })

test('without an entry it counts what each filter lets through, and what it alone keeps out', async () => {
  const { control } = createTiny()
  const body = {
    filters: [like('BUDGET'), { field: 'size', operator: 'GREATER_THAN', value: ['5'] }],
    dateFilters: [{ field: 'created', start: '2026-01-02T00:00:00Z', end: null, not: true }],
  }
  const explained = await control.explainSearch({ fileSetId: 'tiny', query: { directoryPath: '/a/', limit: 2 }, body })
  expect(explained).toMatchObject({
    search: { directoryPath: 'a', immediateChildren: false, filters: [{ not: false }, { not: false }] },
    scope: { directories: ['a'], entries: 4, reads: 'files and directories at any depth below "a"' },
    combined: 'all',
    total: 0,
    pages: 0,
  })
  expect(explained.clauses).toEqual([
    {
      pointer: '/filters/0',
      reads: 'name contains "BUDGET" (upper and lower case alike)',
      patterns: [{ value: 'BUDGET', means: 'any text, "budget", any text' }],
      holds: 2,
      keepsOut: 0,
    },
    { pointer: '/filters/1', reads: 'size is greater than 5', holds: 2, keepsOut: 1 },
    {
      pointer: '/dateFilters/0',
      reads: 'not: created from 2026-01-02T00:00:00.000Z (inclusive) to any time',
      holds: 1,
      keepsOut: 1,
    },
  ])
})

test('the explanation of an entry that is not in the result lists every clause that it fails, with its value', async () => {
  const { control } = createTiny()
  const body = { filters: [like('nothing', 'bud%3'), { field: 'size', operator: 'LESS_THAN', value: ['10'] }] }
  const { entry } = await control.explainSearch({ fileSetId: 'tiny', body }, { path: 'a/b/budget-2.txt' })
  expect(entry).toMatchObject({ inResult: false, path: 'a/b/budget-2.txt', scope: { holds: true } })
  expect(entry?.why).toBe(
    'It is not in the result: filter 1 asks for name contains any of "nothing", "bud%3" (upper and lower case alike; % stands for any text and _ ' +
      'for one character), and it has "budget-2.txt"; filter 2 asks for size is less than 10, and it has 30.',
  )
  expect(entry?.clauses?.[0]).toMatchObject({ held: 'budget-2.txt', met: [], holds: false })
  expect(entry?.place).toBeUndefined()
})

test.for([
  [{ directoryPath: 'c' }, 'it lies in "a", which is not in the requested directory'],
  [{ directoryPath: 'x' }, 'no directory has the requested path'],
  [{ immediateChildren: true }, 'it lies in "a", which is not directly in the requested directory'],
] as const)('the explanation of an entry elsewhere says where it is: %j', async ([query, why]) => {
  const { control } = createTiny()
  const { entry } = await control.explainSearch({ fileSetId: 'tiny', query }, { path: 'a/Budget.txt' })
  expect(entry).toMatchObject({ inResult: false, why: `It is not in the result: ${why}.` })
})

test('the explanation of an entry that does not exist suggests one', async () => {
  const { control } = createTiny()
  const explain = async (file: object) => (await control.explainSearch({ fileSetId: 'tiny' }, file)).entry
  expect(await explain({ path: '/a/budget.TXT' })).toMatchObject({
    id: null,
    path: null,
    inResult: false,
    why: 'There is no file or directory at the path "/a/budget.TXT". Did you mean "a/Budget.txt"?',
    matches: [{ path: 'a/Budget.txt' }],
  })
  expect(await explain({ path: 'nothing' })).toEqual({
    ...{ id: null, path: null, inResult: false, matches: [] },
    why: 'There is no file or directory at the path "nothing".',
  })
  expect((await explain({ id: 'nobody' }))?.why).toBe('The file set has no file or directory with the id "nobody".')
})

test('a name or a part of it finds the entries that have it, those of this name first', async () => {
  const { control } = createTiny()
  const pathsFor = async (path: string) =>
    (await control.explainSearch({ fileSetId: 'tiny' }, { path })).entry?.matches?.map((one) => one.path)
  expect(await pathsFor('budget-2.txt')).toEqual(['a/b/budget-2.txt'])
  const parts = await pathsFor('BUDGET')
  expect(parts).toContain('a/Budget.txt')
  expect(parts).toContain('a/b/budget-2.txt')
  expect((await pathsFor('b'))?.[0]).toBe('a/b')
  expect(await pathsFor('/')).toEqual([])
})

test('the place of an entry names its neighbours, and what parted them', async () => {
  const { control } = createTiny()
  const body = { fieldSort: [{ field: 'size', order: 'DESC' }, { field: 'created' }], filters: [like('.txt')] }
  const explained = await control.explainSearch(
    { fileSetId: 'tiny', query: { limit: 2 }, body },
    { path: 'a/b/other.txt' },
  )
  expect(explained.order.by).toEqual(['size', 'created', 'id'])
  expect(explained.entry?.why).toBe('It is in the result: 2 of 4, number 2 of page 1.')
  expect(explained.entry?.place).toMatchObject({
    position: 2,
    values: [
      { field: 'size', value: 30 },
      { field: 'created', value: '2026-01-02T00:00:00.000000001Z' },
      { field: 'id' },
    ],
    before: { path: 'a/b/budget-2.txt', decidedBy: 'created', value: '2026-01-02T00:00:00.000Z' },
    after: { path: 'c/50%.txt', decidedBy: 'size', value: 7 },
  })
})

test('pages end where the window of pages does', async () => {
  const { control } = createTiny({ behaviours: { 'page.window': '3' } })
  const search = { fileSetId: 'tiny', query: { limit: 2 } }
  const explained = await control.explainSearch(search, { path: 'c/50%.txt' })
  expect(explained).toMatchObject({ total: 7, pages: 2, entry: { place: { position: 7, page: null } } })
  expect(explained.entry?.why).toBe('It is in the result: 7 of 7, but the pages end before it (page.window).')
})

test.for([
  ['50\\%', 'any text, "50%", any text'],
  ['%a__b%', 'any text, "a", any one character, any one character, "b", any text'],
  ['', 'any text'],
] as const)('LIKE %j is %s', async ([value, means]) => {
  const { control } = createTiny()
  const { clauses } = await control.explainSearch({ fileSetId: 'tiny', body: { filters: [like(value)] } })
  expect(clauses[0]?.patterns).toEqual([{ value, means }])
})

test('behaviours decide how clauses are read', async () => {
  const behaviours = {
    'like.shape': 'anchored',
    'like.case': 'sensitive',
    'like.wildcards': 'literal',
    'filter.several': 'or',
  }
  const { control } = createTiny({ behaviours })
  const body = { filters: [like('50%.txt'), like('Budget.txt')] }
  const explained = await control.explainSearch({ fileSetId: 'tiny', body }, { path: 'c/50%.txt' })
  expect(explained).toMatchObject({ combined: 'any', total: 2, entry: { inResult: true } })
  expect(explained.clauses.map(({ reads, holds }) => [reads, holds])).toEqual([
    ['name is, as a whole, "50%.txt" (upper and lower case differ; % and _ stand for themselves)', 1],
    ['name is, as a whole, "Budget.txt" (upper and lower case differ)', 1],
  ])
  expect(explained.entry?.clauses?.map(({ holds, met }) => [holds, met])).toEqual([
    [true, ['50%.txt']],
    [false, []],
  ])
  expect(explained.behaviours).toContain('filter.several')
})

test('filters and sort keys that a behaviour ignores are named', async () => {
  const behaviours = {
    'filter.fields': { unknown: 'ignore' },
    'sort.unknown': 'ignore',
    'sort.duplicate': 'first',
  }
  const { control } = createTiny({ behaviours })
  const body = {
    filters: [like('budget'), { field: 'nmae', operator: 'LIKE', value: ['x'] }],
    fieldSort: [{ field: 'name' }, { field: 'sise' }, { field: 'name', order: 'DESC' }],
  }
  const { overlooked, total } = await control.explainSearch({ fileSetId: 'tiny', body })
  expect([overlooked, total]).toEqual([['/filters/1', '/fieldSort/1', '/fieldSort/2'], 2])
})

test('a cursor is explained: its search, how far it is, and where it leads', async () => {
  const { control, search } = createTiny()
  const body = { filters: [like('.txt')], fieldSort: [{ field: 'size', order: 'ASC' }] }
  const next = nextOf(await search({ query: { limit: 2, directoryPath: 'a' }, body })) ?? ''
  const explained = await control.explainSearch(
    { fileSetId: 'tiny', query: { next, limit: 2 } },
    { path: 'a/b/other.txt' },
  )
  expect(explained.search).toMatchObject({ directoryPath: 'a', filters: [{ value: ['.txt'] }] })
  expect(explained.cursor).toMatchObject({
    accepted: true,
    readable: true,
    fileSetId: 'tiny',
    search: { directoryPath: 'a', fieldSort: [{ field: 'size', order: 'ASC' }] },
    last: { values: [{ field: 'size', value: 30 }, { field: 'id' }] },
    pages: 1,
    entries: 2,
    version: 0,
    limit: 2,
  })
  const paths = [explained.cursor?.last?.path, explained.cursor?.leadsTo?.path].sort()
  expect(paths).toEqual(['a/b/budget-2.txt', 'a/b/other.txt'])
  const passed = await control.explainSearch({ fileSetId: 'tiny', query: { next, limit: 2 } }, { path: 'a/Budget.txt' })
  expect(passed.entry).toMatchObject({ inResult: true, place: { page: 1, fromCursor: null } })
  expect(passed.entry?.why).toContain('the pages that the cursor leads to come after it')
})

test('a cursor that the service refuses is explained all the same', async () => {
  const { control, search } = createTiny()
  const next = nextOf(await search({ query: { limit: 2 } })) ?? ''
  const other = await control.explainSearch({ fileSetId: 'tiny', query: { next }, body: { filters: [like('x')] } })
  expect(other.cursor).toMatchObject({
    accepted: false,
    readable: true,
    refusal: expect.stringContaining('the same directory, flag, filters and sort as on the page before') as string,
    last: { path: 'a/Budget.txt' },
  })
  const foreign = await control.explainSearch({ fileSetId: 'demo', query: { next } })
  expect(foreign.cursor).toMatchObject({ accepted: false, fileSetId: 'tiny' })
  const torn = await control.explainSearch({ fileSetId: 'tiny', query: { next: next.slice(1) } })
  expect(torn.cursor).toMatchObject({ accepted: false, readable: false })
  expect(torn.cursor).not.toHaveProperty('last')
  await control.deleteFile('tiny', other.cursor?.last?.id ?? '')
  const gone = await control.explainSearch({ fileSetId: 'tiny', query: { next } })
  expect(gone.cursor).toMatchObject({ accepted: true, last: { path: null }, leadsTo: { path: 'a/b' } })
})

test('what the service refuses is refused, with its place in the explanation that was asked for', async () => {
  const { control } = createTiny()
  const body = {
    filters: [
      { field: 'nmae', operator: 'LIKE', value: ['x'] },
      { field: 'name', operator: 7 },
    ],
  }
  const refused = control.explainSearch({ fileSetId: 'tiny', query: { limit: 0 }, body })
  const { status, errors } = await refused.then(
    () => ({ status: 200, errors: [] }),
    (error: unknown) => error as ControlError,
  )
  expect([status, ...errors.map(({ pointer, code }) => `${pointer ?? ''} ${code}`)]).toEqual([
    400,
    '/search/body/filters/1/operator type',
    '/search/body/filters/0/field filter.fields',
    '/search/body/filters/1/value filter.empty',
    '/search/query/limit limit.zero',
  ])
  for (const { pointer, message } of errors) expect(message.startsWith(`${pointer ?? ''}: expected`)).toBe(true)
  expect(await refusalOf(control.explainSearch({ fileSetId: 'tiny', query: { limit: 0 } }))).toBe(
    '400 /problems/request-invalid: /search/query/limit: expected an integer from 1 to 2147483647, got 0.',
  )
  expect(await refusalOf(control.explainSearch({ fileSetId: 'tniy' }))).toMatch('404 /problems/file-set-not-found')
  const both = { search: { fileSetId: 'tiny' }, schedule: { id: 1 } }
  const response = await createTiny()
    .request()
    .post('/__mock/explain')
    .set('Content-Type', 'application/json')
    .send(both)
  expect(response.status).toBe(400)
})

test('it looks at the sandbox that is named, changes nothing, and uses up no request id', async () => {
  const { control, search } = createTiny()
  await control.in('other').addFiles('tiny', [{ path: 'more.txt' }])
  expect((await control.in('other').explainSearch({ fileSetId: 'tiny' })).total).toBe(8)
  expect((await control.explainSearch({ fileSetId: 'tiny' })).total).toBe(7)
  await control.explainReportSchedule({ info: weekly() })
  expect((await control.listReportSchedules()).reportSchedules).toHaveLength(6)
  expect((await search()).headers['x-request-id']).toBe((await createTiny().search()).headers['x-request-id'])
})

test('a schedule in a gap: the time that was meant, and the time that it became', async () => {
  const { control, create } = createTiny()
  const info = weekly({}, { daysToRun: 'SUN', hourOfDay: 2, minOfHour: 30 })
  const explained = await control.explainReportSchedule({ info })
  expect(explained).toMatchObject({
    scheduleId: null,
    nextRunDate: 1772955000000,
    why: 'It runs next at 2026-03-08T03:30:00-04:00 in America/New_York: the clocks skip 02:30 that day, so it runs after the gap (next-run.gap).',
    run: {
      reads: 'WEEKLY on SUN at 02:30',
      timezone: 'America/New_York',
      countedFrom: { at: '2026-03-05T14:30:00.000Z', localTime: '2026-03-05T09:30:00-05:00' },
      offset: '-04:00',
    },
  })
  expect(explained.run?.days).toEqual([
    {
      date: '2026-03-08',
      weekday: 'SUN',
      intended: '02:30',
      clocks: 'gap',
      at: '2026-03-08T07:30:00.000Z',
      localTime: '2026-03-08T03:30:00-04:00',
      verdict: 'next',
    },
  ])
  expect(explained.behaviours).toContain('next-run.gap')
  const { id, schedule } = (await create(info)).body as { id: number; schedule: { nextRunDate: number } }
  expect(await control.explainReportSchedule({ id })).toMatchObject({
    scheduleId: id,
    nextRunDate: schedule.nextRunDate,
  })
})

test('a gap that is skipped, an overlap, and a run of today that is over', async () => {
  const { control } = createTiny({ behaviours: { 'next-run.gap': 'skip' } })
  const gap = await control.explainReportSchedule({
    info: weekly({}, { daysToRun: 'SUN', hourOfDay: 2, minOfHour: 30 }),
  })
  expect(gap.run?.days.map(({ date, verdict, at }) => [date, verdict, at])).toEqual([
    ['2026-03-08', 'skipped', null],
    ['2026-03-15', 'next', '2026-03-15T06:30:00.000Z'],
  ])
  await control.putClock({ mode: 'frozen', now: '2026-10-30T12:00:00Z' })
  const overlap = await control.explainReportSchedule({
    info: weekly({}, { daysToRun: 'SUN', hourOfDay: 1, minOfHour: 30 }),
  })
  expect(overlap.why).toContain('the clocks show that time twice (next-run.overlap)')
  expect(overlap.run?.days.map(({ clocks }) => clocks)).toEqual(['overlap'])
  await control.putClock({ mode: 'frozen', now: '2026-10-30T11:59:59Z' })
  const today = await control.explainReportSchedule({
    info: weekly({}, { daysToRun: 'FRI', hourOfDay: 8, minOfHour: 0 }),
  })
  expect(today.run?.days.map(({ date, verdict }) => [date, verdict])).toEqual([['2026-10-30', 'next']])
  await control.putClock({ mode: 'frozen', now: '2026-10-30T13:00:00Z' })
  const over = await control.explainReportSchedule({
    info: weekly({}, { daysToRun: 'FRI', hourOfDay: 8, minOfHour: 0 }),
  })
  expect(over.run?.days.map(({ date, verdict }) => [date, verdict])).toEqual([
    ['2026-10-30', 'too early'],
    ['2026-11-06', 'next'],
  ])
})

test.for([
  ['skip', '2026-05-31T12:30:00.000Z', 'skipped (days.short-month)'],
  ['clamp-to-last', '2026-04-30T12:30:00.000Z', '30 (days.short-month)'],
] as const)('months without such a day: %s', async ([shortMonth, at, became]) => {
  const { control } = createTiny({ clock: '2026-04-02T00:00:00Z', behaviours: { 'days.short-month': shortMonth } })
  const info = weekly({}, { frequency: 'MONTHLY', daysToRun: '31' })
  const { run } = await control.explainReportSchedule({ info })
  expect(run).toMatchObject({ at, shortMonths: [{ month: '2026-04', day: 31, became }] })
})

test('a disabled schedule says what would be', async () => {
  const { control, create } = createTiny()
  const { id } = (await create(weekly({}, { enabled: false }))).body as { id: number }
  const { run, nextRunDate, why } = await control.explainReportSchedule({ id })
  expect([nextRunDate, run?.at]).toEqual([null, '2026-03-09T12:30:00.000Z'])
  expect(why).toMatch(/^It is disabled/)
})

test('a schedule that is not there, or would be refused', async () => {
  const { control } = createTiny()
  expect(await refusalOf(control.explainReportSchedule({ id: 99 }))).toMatch('404 /problems/report-schedule-not-found')
  await expect(control.explainReportSchedule({ info: weekly({}, { daysToRun: 'SUNDAY' }) })).rejects.toMatchObject({
    status: 400,
    errors: [{ pointer: '/schedule/info/schedule/daysToRun', code: 'days.weekly' }],
  })
})

test.for([
  [{ fileSetId: '\uD800', query: {}, body: {} }, '/search/fileSetId'],
  [{ fileSetId: 'tiny', query: { directoryPath: 'a/\uDC00' }, body: {} }, '/search/query/directoryPath'],
] as const)(
  'half of a surrogate pair, which no address can hold, is refused with its place: %j',
  async ([search, pointer]) => {
    const { control } = createTiny()
    await expect(control.explainSearch(search)).rejects.toMatchObject({
      status: 400,
      errors: [{ pointer, code: 'encoding' }],
    })
  },
)

test('a search and a list are explained as they were just before a request', async () => {
  const { control, search } = createControlledTester({ clock: '2026-03-05T14:30:00Z' })
  await control.createFileSet({ id: 'own', files: [{ path: 'a.txt' }, { path: 'b.txt' }] })
  await search({ set: 'own' })
  const { files } = await control.listFiles('own')
  await control.deleteFile('own', files[0]!.id)
  await control.putBehaviours({ 'sort.nulls': 'first' })
  const asked = { fileSetId: 'own', query: {}, body: {} }
  const now = await control.explainSearch(asked, { path: 'a.txt' })
  const then = await control.explainSearch(asked, { path: 'a.txt' }, { before: 1 })
  expect([now.total, now.entry?.inResult, now.order.reads.slice(0, 10)]).toEqual([1, false, 'null first'])
  expect([then.total, then.entry?.inResult, then.order.reads.slice(0, 10)]).toEqual([2, true, 'null count'])
  await expect(control.explainSearch(asked, undefined, { before: 9 })).rejects.toMatchObject({ status: 404 })
  expect((await control.listSandboxes()).sandboxes).toHaveLength(1)
})
