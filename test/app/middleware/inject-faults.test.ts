import { expect, test } from 'vitest'
import type { FaultRequest, StandinOptions } from '../../../src/index.ts'
import { parseJson, stringifyJson } from '../../../src/base/formats/json.ts'
import { replay } from '../../../src/app/replay/replay.ts'
import { createControlledTester } from '../../support/control.ts'
import { complaintsOf, NOW, nextOf, pathsOf, rowsOf, weekly } from '../../support/tester.ts'
import { walk } from '../../support/walk.ts'
import { withoutStore } from '../../support/store.ts'
import { cases } from '../../support/cases.ts'

const files = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: `f${String(index).padStart(2, '0')}` }))

const TEN = { clock: '2026-03-05T14:30:00Z', fixtures: [{ fileSets: [{ id: 'tiny', files: files(10) }] }] }

/** A tester in whose default sandbox faults are armed. */
async function createFaulty(...faults: readonly FaultRequest[]) {
  const tester = createControlledTester(TEN)
  for (const fault of faults) await tester.control.armFaults(fault)
  const struck = async () => (await tester.control.listFaults()).faults.map((fault) => fault.struck)
  return { ...tester, struck }
}

test('a status takes the place of the decision: nothing is stored, and the answer names the fault', async () => {
  const { create, control, struck } = await createFaulty({ kind: 'status', status: 503, times: 1 })
  const refused = await create(weekly())
  expect(refused.status).toBe(503)
  expect(refused.headers['content-type']).toBe('application/problem+json')
  expect(refused.headers['x-mock-fault']).toBe('status-1')
  expect(rowsOf(refused)).toEqual(['auth.keys', 'error.body'])
  expect(refused.body).toEqual({
    type: '/problems/service-unavailable',
    title: 'Service Unavailable',
    status: 503,
    detail: 'Service Unavailable. Try again later.',
    instance: '/api/content/v1/reportschedules',
  })
  expect((await control.listReportSchedules()).reportSchedules).toHaveLength(6)
  expect(await struck()).toEqual([1])
  const stored = await create(weekly())
  expect(stored.body).toMatchObject({ id: 7 })
  expect(stored.headers['x-mock-fault']).toBeUndefined()
})

test('a status has the body and the headers that it was given, as JSON or as they are', async () => {
  const html = { 'Content-Type': 'text/html', 'Retry-After': '7' }
  const { search } = await createFaulty(
    { kind: 'status', status: 502, headers: html, body: '<h1>Bad Gateway</h1>', times: 1 },
    { kind: 'status', status: 500, body: { code: 'E1', id: 9_007_199_254_740_993n }, times: 1 },
    { kind: 'status', status: 202, times: 1 },
  )
  const first = await search()
  expect([first.status, first.text]).toEqual([502, '<h1>Bad Gateway</h1>'])
  expect(first.headers).toMatchObject({ 'content-type': 'text/html', 'retry-after': '7' })
  const second = await search()
  expect([second.status, second.text]).toEqual([500, '{"code":"E1","id":9007199254740993}'])
  expect(second.headers['content-type']).toBe('application/json')
  const third = await search()
  expect([third.status, third.text]).toEqual([202, ''])
  expect((await search()).status).toBe(200)
})

test.for<readonly [string, FaultRequest['match'], readonly number[]]>([
  ['everything', undefined, [418, 418, 418]],
  ['an operation', { operationId: 'searchFiles' }, [418, 200, 200]],
  ['a method', { method: 'put' }, [200, 200, 418]],
  ['a path', { path: '/api/content/v1/reportschedules' }, [200, 418, 200]],
  ['the beginning of a path', { path: '/api/content/*' }, [200, 418, 418]],
  ['a header', { header: { 'X-CLIENT': 'mobile' } }, [200, 418, 200]],
  ['the whole value of a header', { header: { 'X-Client': 'mob' } }, [200, 200, 200]],
  ['a text in the body', { body: '"frequency":"WEEKLY"' }, [200, 418, 200]],
  ['a part of the body', { body: { schedule: { daysToRun: 'MON' }, pageId: 100 } }, [200, 418, 200]],
  ['an element of an array', { body: { filters: [{ field: 'name' }] } }, [418, 200, 200]],
  ['each element that is asked for', { body: { filters: [{ field: 'name' }, { field: 'size' }] } }, [200, 200, 200]],
  ['a member with another value', { body: { title: 'weekly sales' } }, [200, 200, 200]],
  ['the first page', { page: 1 }, [418, 200, 200]],
  [
    'all that is asked for',
    { operationId: 'searchFiles', method: 'POST', path: '/api/files/*', page: 1 },
    [418, 200, 200],
  ],
])('a fault matches %s', async ([, match, statuses]) => {
  const { search, create, update } = await createFaulty({ kind: 'status', status: 418, ...(match ? { match } : {}) })
  const body = { filters: [{ field: 'name', operator: 'LIKE', value: ['f'] }] }
  const answers = [await search({ body }), await create(weekly(), { 'X-Client': 'mobile' }), await update(1, {})]
  expect(answers.map(({ status }) => status)).toEqual(statuses)
})

test('a fault can strike one page of a walk alone', async () => {
  const { search, struck } = await createFaulty({ kind: 'status', status: 503, match: { page: 3 }, times: 1 })
  await expect(walk({ search }, { query: { limit: 3 } })).rejects.toThrow('page 3: 503')
  expect(await walk({ search }, { query: { limit: 3 } })).toHaveLength(4)
  expect(await struck()).toEqual([1])
})

test('it lets some pass first, strikes so often, and then is spent but still listed', async () => {
  const { search, control } = await createFaulty({ id: 'twice', kind: 'status', status: 500, after: 2, times: 2 })
  const statuses: number[] = []
  for (let request = 0; request < 6; request++) statuses.push((await search()).status)
  expect(statuses).toEqual([200, 200, 500, 500, 200, 200])
  expect(await control.getFault('twice')).toMatchObject({ matched: 4, struck: 2, spent: true, times: 2, after: 2 })
})

test('chance comes from the seed: the same for the same one, another for another, and about as often as asked for', async () => {
  const draws = cases(200, 100)
  const pattern = async (seed: number) => {
    const { search, control } = createControlledTester({ ...TEN, seed })
    await control.armFaults({ kind: 'status', status: 500, chance: 0.3 })
    let text = ''
    for (let request = 0; request < draws; request++) text += (await search()).status === 500 ? 'x' : '.'
    return text
  }
  const [one, again, other] = [await pattern(1), await pattern(1), await pattern(2)]
  expect(again).toBe(one)
  expect(other).not.toBe(one)
  const struck = one.replaceAll('.', '').length
  // Three deviations of a binomial with a chance of 0.3 to each side.
  const deviation = Math.sqrt(draws * 0.3 * 0.7)
  expect(struck).toBeGreaterThan(draws * 0.3 - 3 * deviation)
  expect(struck).toBeLessThan(draws * 0.3 + 3 * deviation)
})

test('faults are asked in the order of their arming, and none behind the one that ends the exchange', async () => {
  const { search, control } = await createFaulty(
    { id: 'first', kind: 'status', status: 500, times: 1 },
    { id: 'second', kind: 'status', status: 502 },
  )
  expect([(await search()).status, (await search()).status]).toEqual([500, 502])
  expect((await control.listFaults()).faults).toMatchObject([
    { id: 'first', matched: 1, struck: 1 },
    { id: 'second', matched: 1, struck: 1 },
  ])
})

test('what is refused before it is an operation with a key and a body has met no fault', async () => {
  const { request, search, struck } = await createFaulty({ kind: 'status', status: 503 })
  expect((await request().get('/nowhere')).status).toBe(404)
  expect((await search({ headers: { 'X-SERVICE-Developer-Token': ' ' } })).status).toBe(401)
  expect((await search({ body: '{' })).status).toBe(400)
  expect((await request().get('/__mock/clock')).status).toBe(200)
  expect(await struck()).toEqual([0])
})

test('a rate limit is satisfied by advancing the clock', async () => {
  const { search, control, struck } = await createFaulty({ kind: 'rate-limit', limit: 2, seconds: 60 })
  const statuses = async (count: number) => {
    const all: number[] = []
    for (let request = 0; request < count; request++) all.push((await search()).status)
    return all
  }
  await control.advanceClock({ by: 'PT20S' })
  expect(await statuses(3)).toEqual([200, 200, 429])
  const refused = await search()
  expect(refused.headers['retry-after']).toBe('40')
  expect(refused.body).toMatchObject({ type: '/problems/too-many-requests', status: 429 })
  expect(rowsOf(refused)).not.toContain('rate.limit')
  await control.advanceClock({ by: 'PT39S' })
  expect((await search()).headers['retry-after']).toBe('1')
  await control.advanceClock({ by: 'PT1S' })
  expect(await statuses(3)).toEqual([200, 200, 429])
  expect(await struck()).toEqual([4])
})

test.for<readonly [string, StandinOptions, readonly FaultRequest[]]>([
  ['the kind rate-limit', TEN, [{ kind: 'rate-limit', limit: 2, seconds: 60 }]],
  ['the behaviour rate.limit', { ...TEN, behaviours: { 'rate.limit': '2 per 60' } }, []],
])('under a frozen clock, waiting as long as Retry-After says satisfies a limit of %s', async ([, options, faults]) => {
  const { search, control, moveTo } = createControlledTester(options)
  for (const fault of faults) await control.armFaults(fault)
  const statusAt = async (second: number) => {
    moveTo(NOW + second * 1000)
    const { status, headers } = await search()
    return [status, headers['retry-after']]
  }
  await control.advanceClock({ by: 'PT20S' })
  expect([await statusAt(0), await statusAt(100), await statusAt(200)]).toEqual([
    [200, undefined],
    [200, undefined],
    [429, '40'],
  ])
  // Asking again meanwhile does not make the wait longer.
  expect([await statusAt(239), await statusAt(240), await statusAt(241)]).toEqual([
    [429, '40'],
    [200, undefined],
    [200, undefined],
  ])
  expect(await statusAt(300)).toEqual([429, '40'])
  await control.advanceClock({ by: 'PT30S' })
  expect([await statusAt(301), await statusAt(311)]).toEqual([
    [429, '10'],
    [200, undefined],
  ])
  expect((await control.getHistory()).events.filter(({ type }) => type === 'rate-limit.lifted')).toHaveLength(2)
  const value = parseJson(stringifyJson(await control.getReplay()))
  expect(await replay({ file: 'run.json', value, lineOf: () => 1 })).toMatchObject({
    exchanges: 9,
    difference: undefined,
  })
})

test('a token expires in mid-walk, and the walk can begin again', async () => {
  const { search, struck } = await createFaulty({ kind: 'cursor-expired', match: { page: 3 }, times: 1 })
  const query = { limit: 3 }
  const second = await search({ query: { ...query, next: nextOf(await search({ query })) ?? '' } })
  const third = await search({ query: { ...query, next: nextOf(second) ?? '' } })
  expect(third.status).toBe(400)
  expect(third.body).toMatchObject({ type: '/problems/cursor-invalid' })
  expect(complaintsOf(third)).toEqual(['next next.expiry'])
  expect((await walk({ search }, { query })).flat()).toHaveLength(10)
  expect(await struck()).toEqual([1])
})

test('a stale read sees a file set as it was, and strikes only where it was otherwise', async () => {
  const { paths, control, struck } = await createFaulty({ kind: 'stale-read', times: 2 })
  expect(await paths()).toHaveLength(10)
  expect(await struck()).toEqual([0])
  await control.addFiles('tiny', [{ path: 'new-1' }])
  await control.addFiles('tiny', [{ path: 'new-2' }])
  expect(await paths()).toEqual([...files(10).map(({ path }) => path), 'new-1'])
  expect(await paths()).toHaveLength(11)
  expect(await paths()).toHaveLength(12)
  await control.armFaults({ kind: 'stale-read', versions: 16 })
  expect(await paths()).toHaveLength(10)
})

test('the schedule changes between two calls, and an entity tag shows it', async () => {
  const fault = { kind: 'conflicting-edit', match: { operationId: 'updateReportSchedule' }, times: 1 } as const
  const { update, control } = await createFaulty(fault)
  await update(1, { pageId: 77 })
  expect(await control.getReportSchedule(1)).toMatchObject({ pageId: 77, revision: 3 })
  expect((await control.getReportSchedule(1)).title).toMatch(/ \(edited\)$/)

  const tagged = createControlledTester({ ...TEN, behaviours: { 'update.concurrent': 'etag' } })
  await tagged.control.armFaults({ ...fault, after: 1 })
  const etag = (await tagged.update(1, { pageId: 7 })).headers.etag ?? ''
  expect((await tagged.update(1, { pageId: 8 }, { 'If-Match': etag })).status).toBe(412)
  expect(await tagged.control.getReportSchedule(1)).toMatchObject({ pageId: 7 })
})

test('the schedule, or the last file of a page, is removed between two calls', async () => {
  const { update, search, control, struck } = await createFaulty({ kind: 'conflicting-edit', edit: 'remove' })
  expect((await update(999, {})).status).toBe(404)
  expect(await struck()).toEqual([0])
  expect((await update(1, {})).status).toBe(404)
  expect((await control.listReportSchedules()).reportSchedules.map(({ id }) => id)).toEqual([2, 3, 4, 5, 6])
  expect((await walk({ search }, { query: { limit: 4 } })).flat()).toHaveLength(10)
  const left = (await control.listFiles('tiny')).files.map(({ path }) => path)
  expect(left).toEqual(['f00', 'f01', 'f02', 'f04', 'f05', 'f06', 'f08', 'f09'])
})

test('faults belong to their sandbox, and forks, checkpoints and states hold what they have met', async () => {
  const { control, search } = await createFaulty({ id: 'odd', kind: 'status', status: 500, after: 1, times: 2 })
  const status = async (name: string) => (await search({ headers: { 'X-Mock-Sandbox': name } })).status
  expect(await status('default')).toBe(200)
  await control.forkSandbox('default', { name: 'fork' })
  await control.createSandbox({ name: 'fresh' })
  await control.in('other').putState(await control.getState())
  await control.createCheckpoint({ name: 'before' })
  for (const name of ['default', 'fork', 'other']) expect([name, await status(name)]).toEqual([name, 500])
  expect(await status('fresh')).toBe(200)
  expect([await status('default'), await status('default')]).toEqual([500, 200])
  await control.restoreCheckpoint('before')
  expect(await control.getFault('odd')).toMatchObject({ matched: 1, struck: 0 })
  expect([await status('default'), await status('default'), await status('default')]).toEqual([500, 500, 200])
  await control.reset()
  expect((await control.listFaults()).faults).toEqual([])
  expect((await control.in('fork').reset()).requests).toBeGreaterThan(0)
  expect(await control.in('fork').getFault('odd')).toMatchObject({ matched: 1, struck: 0 })
})

withoutStore('a fault that matches nothing changes no byte of an answer', async () => {
  const plain = createControlledTester(TEN)
  const { search, create } = await createFaulty({
    kind: 'status',
    status: 500,
    match: { header: { 'X-Not': 'there' } },
  })
  const [one, two] = [await plain.search({ query: { limit: 3 } }), await search({ query: { limit: 3 } })]
  expect([two.headers, two.text]).toEqual([one.headers, one.text])
  expect((await create(weekly())).text).toBe((await plain.create(weekly())).text)
})

test('a page keeps its paths when an unrelated fault is armed for large pages', async () => {
  const { search } = await createFaulty({ kind: 'missing-entry', match: { page: 99 } })
  expect(pathsOf(await search({ set: 'demo', query: { limit: 5000 } }))).toEqual(
    pathsOf(await createControlledTester(TEN).search({ set: 'demo', query: { limit: 5000 } })),
  )
})

test.for([
  ['add', { op: 'add', at: '/files/*/added', to: 1 }, { path: 'f00', added: 1 }],
  ['replace', { op: 'replace', at: '/files/*/size', to: null }, { path: 'f00', size: null }],
  ['replace nothing that is not there', { op: 'replace', at: '/files/*/added', to: 1 }, { path: 'f00' }],
  ['remove', { op: 'remove', at: '/files/0/name' }, { path: 'f00', size: 0 }],
  ['other of text', { op: 'other', at: '/files/*/path' }, { path: 'f01' }],
  ['other of a number', { op: 'other', at: '/files/*/size' }, { size: 1 }],
  ['other of an instant', { op: 'other', at: '/files/*/created' }, { created: '2026-03-06T00:00:00.000Z' }],
  ['other of some', { op: 'other', at: '/files/*/path', to: ['f00', 'g'] }, { path: 'g' }],
  ['reverse', { op: 'reverse', at: '/files' }, { path: 'f09' }],
  ['first', { op: 'first', at: '/files' }, { path: 'f00' }],
  ['enlarge', { op: 'enlarge', at: '/files/*/size' }, { size: 2 ** 53 }],
  ['enlarge nothing but integers', { op: 'enlarge', at: '/files/*/path' }, { path: 'f00' }],
  ['zone', { op: 'zone', at: '/files/*/created' }, { created: '2026-03-05T05:30:00.000+05:30' }],
  ['precision', { op: 'precision', at: '/files/*/created' }, { created: '2026-03-05T00:00:00.000000Z' }],
  ['fill', { op: 'fill', at: '/files/*/added', to: 1 }, { path: 'f00', added: 1 }],
  ['fill nothing that is there', { op: 'fill', at: '/files/*/path', to: 'g' }, { path: 'f00' }],
  ['lengthen', { op: 'lengthen', at: '/files/*/path' }, { path: `f00${'~'.repeat(500)}` }],
  ['precision of nothing but instants', { op: 'precision', at: '/files/*/path' }, { path: 'f00' }],
] as const)('a changed body: %s', async ([name, change, expected]) => {
  const fixtures = [
    {
      fileSets: [{ id: 'tiny', files: files(10).map((one) => ({ ...one, size: 0, created: '2026-03-05T00:00:00Z' })) }],
    },
  ]
  const { search, control } = createControlledTester({ ...TEN, fixtures })
  await control.armFaults({ kind: 'changed-body', changes: [change] })
  const { body, headers } = (await search()) as { body: { files: Record<string, unknown>[] }; headers: object }
  const shown = body.files
  expect(shown[0]).toMatchObject(expected)
  expect([Object.hasOwn(shown[0]!, 'name'), Object.hasOwn(shown[0]!, 'added')]).toEqual([
    change.op !== 'remove',
    'added' in expected,
  ])
  expect(shown).toHaveLength(change.op === 'first' ? 1 : 10)
  expect('x-mock-fault' in headers).toBe(!name.includes('nothing'))
})

test.for([
  ['another status', { status: 202 }, 202, 'application/json', /"files":/],
  ['a status that has no body', { status: 204 }, 204, undefined, /^$/],
  [
    'headers',
    { status: 200, headers: { 'Content-Type': 'application/vnd.files+json' } },
    200,
    'application/vnd.files+json',
    /"files":/,
  ],
  ['a body', { status: 200, body: { files: [] } }, 200, 'application/json', /^\{"files":\[\]\}$/],
  ['no body', { status: 202, body: '' }, 202, undefined, /^$/],
  ['nothing of another class', { status: 404, body: {} }, 200, 'application/json', /"files":/],
] as const)('a changed response: %s', async ([name, fields, status, type, body]) => {
  const { search } = await createFaulty({ kind: 'changed-response', ...fields })
  const received = await search({ query: { limit: 3 } })
  expect([received.status, received.headers['content-type'], received.text]).toEqual([
    status,
    type,
    expect.stringMatching(body),
  ])
  expect(received.headers['x-mock-fault']).toBe(name.startsWith('nothing') ? undefined : 'changed-response-1')
})

test('a response is changed once the operation has run', async () => {
  const { create, control } = await createFaulty({ kind: 'changed-response', status: 202, body: '' })
  expect((await create(weekly())).status).toBe(202)
  expect((await control.listReportSchedules()).reportSchedules).toHaveLength(7)
})

test('a changed response may come in chunks, without a length', async () => {
  const { search } = await createFaulty({
    kind: 'changed-response',
    status: 200,
    headers: { 'Transfer-Encoding': 'chunked' },
  })
  const received = await search({ query: { limit: 3 } })
  const headers = received.headers as Record<string, string>
  expect([headers['transfer-encoding'], headers['content-length']]).toEqual(['chunked', undefined])
  expect(pathsOf(received)).toHaveLength(3)
})

test('a changed response is without a header whose text is empty', async () => {
  const { search } = await createFaulty({ kind: 'changed-response', status: 200, headers: { 'Cache-Control': '' } })
  const received = await search({ query: { limit: 3 } })
  expect([received.status, received.headers['cache-control']]).toEqual([200, undefined])
})

test('a redirect without an address leads to the same one', async () => {
  const { search } = await createFaulty({ kind: 'status', status: 307, times: 1 })
  const received = await search({ set: 'demo', query: { limit: 3 } })
  expect([received.status, received.get('location')]).toEqual([307, '/api/files/v1/filesets/demo/files/search?limit=3'])
})

test('a longer token of a page leads to the same page', async () => {
  const { search, control } = createControlledTester(TEN)
  const nextOf = async () => {
    const received = await search({ set: 'demo', query: { limit: 3 } })
    return (received.body as { pageContext: { next: string } }).pageContext.next
  }
  const usual = await nextOf()
  await control.armFaults({ kind: 'changed-body', changes: [{ op: 'lengthen', at: '/pageContext/next' }], times: 1 })
  const longer = await nextOf()
  expect(longer).toBe(usual + '~'.repeat(500))
  const [one, other] = [usual, longer].map((next) => search({ set: 'demo', query: { limit: 3, next } }))
  expect(pathsOf(await other!)).toEqual(pathsOf(await one!))
})
