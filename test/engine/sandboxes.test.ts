import { describe, expect, test } from 'vitest'
import { controlContract, createControlledTester, refusalOf } from '../support/control.ts'
import { complaintsOf, KEY_HEADER, SCHEDULES, weekly } from '../support/tester.ts'
import { longTest } from '../support/cases.ts'

const FROZEN = { clock: '2026-03-05T14:30:00Z' }
const TINY = { fixtures: [{ fileSets: [{ id: 'tiny', files: [{ path: 'a' }] }] }] }
const as = (key: string) => ({ [KEY_HEADER]: key })
const inside = (name: string) => ({ 'X-Mock-Sandbox': name })

test('a key of the form anything@name works in its own sandbox, created on first use', async () => {
  const { create, update, control } = createControlledTester(FROZEN)
  expect((await create(weekly(), as('one@alice'))).body).toMatchObject({ id: 7 })
  expect((await create(weekly(), as('two@alice'))).body).toMatchObject({ id: 8 })
  expect((await create(weekly(), as('one@bob'))).body).toMatchObject({ id: 7 })
  expect((await update(8, {}, as('@alice'))).status).toBe(200)
  expect((await update(8, {}, as('one@bob'))).status).toBe(404)
  expect((await update(7, {})).status).toBe(404)
  const { sandboxes } = await control.listSandboxes()
  expect(sandboxes.map(({ name, reportSchedules }) => [name, reportSchedules])).toEqual([
    ['default', 6],
    ['alice', 8],
    ['bob', 7],
  ])
})

test('the name is what follows the last @, and @default is the default sandbox', async () => {
  const { create, control } = createControlledTester(FROZEN)
  await create(weekly(), as('jane@example.com@here'))
  await create(weekly(), as('key@default'))
  const { sandboxes } = await control.listSandboxes()
  expect(sandboxes.map(({ name, reportSchedules }) => [name, reportSchedules])).toEqual([
    ['default', 7],
    ['here', 7],
  ])
})

test('the header X-Mock-Sandbox comes before the key', async () => {
  const { create, control } = createControlledTester(FROZEN)
  await create(weekly(), { ...as('key@by-key'), ...inside('by-header') })
  expect((await control.listSandboxes()).sandboxes.map(({ name }) => name)).toEqual(['default', 'by-header'])
})

test.for([['a/b'], [''], ['..'], ['.hidden'], ['with space'], ['x'.repeat(65)], ['naïve']] as const)(
  'the name %j is refused, in a key and everywhere else, and no sandbox is made',
  async ([name]) => {
    const { request, create, control } = createControlledTester(FROZEN)
    const key = Buffer.from(`key@${name}`).toString('latin1')
    const response = await create(weekly(), as(key))
    expect(response.status).toBe(400)
    expect(response.body).toMatchObject({ type: '/problems/sandbox-name-invalid' })
    const asked = await request().get(`/__mock/clock?sandbox=${encodeURIComponent(name)}`)
    expect(asked.status).toBe(400)
    expect(await refusalOf(control.createSandbox({ name }))).toMatch('400')
    expect((await control.listSandboxes()).sandboxes).toHaveLength(1)
  },
)

test('where keys are listed, one of them with a name behind it is admitted, and no other makes a sandbox', async () => {
  const keys = [{ key: 'alice-key', userId: 27 }, { key: 'reader', rights: ['searchFiles'] }, { key: 'odd@key/1' }]
  const { create, control } = createControlledTester({ ...FROZEN, keys })
  expect((await create(weekly(), as('alice-key@one'))).status).toBe(200)
  expect((await create(weekly(), as('mallory@two'))).status).toBe(401)
  expect((await create(weekly(), as('@three'))).status).toBe(401)
  expect((await create(weekly(), as('reader@one'))).status).toBe(403)
  expect((await create(weekly(), as('odd@key/1'))).status).toBe(200)
  expect((await control.listSandboxes()).sandboxes.map(({ name }) => name)).toEqual(['default', 'one'])
  const { reportSchedules } = await control.in('one').listReportSchedules()
  expect(reportSchedules.at(-1)).toMatchObject({ id: 7, ownerId: 27 })
})

test('a missing key, a foreign host, and a key that is there twice make no sandbox', async () => {
  const { create, request, control } = createControlledTester(FROZEN)
  expect((await create(weekly(), { ...as(' '), ...inside('one') })).status).toBe(401)
  const foreign = { Host: 'evil.example', Origin: 'http://evil.example', ...as('key@two') }
  expect((await create(weekly(), foreign)).status).toBe(403)
  const twice = await request()
    .post(SCHEDULES)
    .set({ [KEY_HEADER]: ['key@three', 'key@three'] })
    .send(weekly())
  expect(twice.status).toBe(401)
  expect((await control.listSandboxes()).sandboxes).toHaveLength(1)
})

test('a sandbox starts like the baseline, whatever the others have done, or like another one', async () => {
  const { create, control } = createControlledTester({ ...FROZEN, ...TINY })
  await create(weekly(), as('k@one'))
  await control.in('one').addFiles('tiny', [{ path: 'b' }])
  const fresh = await control.createSandbox({ name: 'fresh' })
  const copy = await control.forkSandbox('one', { name: 'copy' })
  const same = await control.createSandbox({ name: 'same', from: 'one', seed: 7 })
  expect([fresh, copy, same].map(({ reportSchedules, seed }) => [reportSchedules, seed])).toEqual([
    [6, 42],
    [7, 42],
    [7, 7],
  ])
  await control.in('copy').addFiles('tiny', [{ path: 'c' }])
  const paths = async (name: string) => (await control.in(name).listFiles('tiny')).files.map(({ path }) => path)
  expect([await paths('one'), await paths('copy'), await paths('fresh')]).toEqual([['a', 'b'], ['a', 'b', 'c'], ['a']])
})

test('a reset goes back to where the sandbox began, a fork to the fork', async () => {
  const { create, control } = createControlledTester(FROZEN)
  await create(weekly(), as('k@one'))
  await control.forkSandbox('one', { name: 'two' })
  await create(weekly(), as('k@two'))
  expect(await control.in('two').reset()).toMatchObject({ reportSchedules: 7 })
  expect(await control.in('one').reset()).toMatchObject({ reportSchedules: 6, requests: 0 })
})

test('a seed of its own governs request ids and tokens', async () => {
  const { search, control } = createControlledTester(FROZEN)
  await control.createSandbox({ name: 'same' })
  await control.createSandbox({ name: 'other', seed: 7 })
  const of = async (name: string) => search({ set: 'demo', query: { limit: 1 }, headers: as(`k@${name}`) })
  const [first, same, other] = [await of('default'), await of('same'), await of('other')]
  expect(same.headers['x-request-id']).toBe(first.headers['x-request-id'])
  expect(same.text).toBe(first.text)
  expect(other.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
  expect(other.text).not.toBe(first.text)
})

test('a sandbox can be read and deleted, and its name begins anew', async () => {
  const { create, control } = createControlledTester(FROZEN)
  await create(weekly(), as('k@one'))
  expect(await control.getSandbox('one')).toMatchObject({ name: 'one', requests: 1, reportSchedules: 7, fileSets: 3 })
  await control.deleteSandbox('one')
  expect(await refusalOf(control.getSandbox('one'))).toMatch('404 /problems/sandbox-not-found')
  expect((await create(weekly(), as('k@one'))).body).toMatchObject({ id: 7 })
  expect(await refusalOf(control.deleteSandbox('default'))).toMatch('Reset it instead')
  expect(await refusalOf(control.deleteSandbox('ona'))).toMatch('Did you mean one?')
  expect(await refusalOf(control.createSandbox({ name: 'one' }))).toMatch('409 /problems/sandbox-exists')
  expect(await refusalOf(control.createSandbox({ name: 'two', from: 'nowhere' }))).toMatch('404')
})

test('one sandbox too many is refused, and the refusal says how to free one', async () => {
  const { create, control } = createControlledTester({ ...FROZEN, maxSandboxes: 3 })
  await create(weekly(), as('k@one'))
  await create(weekly(), as('k@two'))
  const refused = await create(weekly(), as('k@three'))
  expect(refused.status).toBe(409)
  expect(refused.body).toMatchObject({
    type: '/problems/too-many-sandboxes',
    detail:
      'There are 3 sandboxes; 3 are allowed. Free one with DELETE /__mock/sandboxes/one (the oldest). Allow more with --max-sandboxes, or let unused ones expire with --sandbox-ttl 1h.',
  })
  expect(await refusalOf(control.in('three').reset())).toMatch('409')
  await control.deleteSandbox('one')
  expect((await create(weekly(), as('k@three'))).status).toBe(200)
})

longTest('256 sandboxes are allowed by default', async () => {
  const { control } = createControlledTester(FROZEN)
  for (let number = 1; number < 256; number++) await control.createSandbox({ name: `s${number}` })
  expect(await refusalOf(control.createSandbox({ name: 'last' }))).toMatch('There are 256 sandboxes')
})

test('the control API takes the sandbox from the query, then the header, then the key', async () => {
  const { request, control } = createControlledTester(FROZEN)
  const ask = async (query: string, headers: Record<string, string>) =>
    request().post(`/__mock/reset${query}`).set(headers)
  const name = async (query: string, headers: Record<string, string>) =>
    ((await ask(query, headers)).body as { name: string }).name
  // A reset makes no sandbox that its query names.
  await control.createSandbox({ name: 'q' })
  expect(await name('?sandbox=q', { ...inside('h'), ...as('k@k') })).toBe('q')
  expect(await name('', { ...inside('h'), ...as('k@k') })).toBe('h')
  expect(await name('', as('k@k'))).toBe('k')
  expect(await name('', as('plain'))).toBe('default')
  expect((await control.listSandboxes()).sandboxes).toHaveLength(4)
})

test('a rate limit counts for each sandbox alone', async () => {
  const { create } = createControlledTester({ ...FROZEN, behaviours: { 'rate.limit': '1 per 60' } })
  expect((await create(weekly(), as('k@one'))).status).toBe(200)
  expect((await create(weekly(), as('k@one'))).status).toBe(429)
  expect((await create(weekly(), as('k@two'))).status).toBe(200)
})

test('a request that is refused for its sandbox depends on no behaviour but the form of errors', async () => {
  const { create } = createControlledTester(FROZEN)
  const response = await create({}, as('k@a b'))
  expect(complaintsOf(response)).toEqual([])
  expect(response.headers['x-mock-behaviours']).toBe('error.body')
})

test('an answer names the sandbox that it came from, unless it is the default one, refusals included', async () => {
  const { search, create, request } = createControlledTester({ ...FROZEN, ...TINY })
  const named = async (asked: Promise<{ headers: Record<string, string> }>) => (await asked).headers['x-mock-sandbox']
  expect(await named(search())).toBeUndefined()
  expect(await named(search({ headers: as('key@default') }))).toBeUndefined()
  expect(await named(search({ headers: as('key@alice') }))).toBe('alice')
  expect(await named(search({ headers: inside('bob') }))).toBe('bob')
  expect(await named(create({}, inside('bob')))).toBe('bob')
  expect(await named(request().get('/nowhere').set(inside('bob')))).toBe('bob')
  // A name that cannot be makes no sandbox, so the default one refuses it.
  expect(await named(search({ headers: inside('a/b') }))).toBeUndefined()
})

test('an answer of the control API names the sandbox that it is about, however it was chosen', async () => {
  const { request } = createControlledTester(FROZEN)
  const ask = async (path: string, headers = {}) => {
    const answer = await request().get(`/__mock/${path}`).set(headers)
    return [answer.status, answer.headers['x-mock-sandbox']]
  }
  await Promise.all(['alice', 'bob', 'carol'].map((name) => request().post('/__mock/reset').set(inside(name))))
  expect(await ask('clock')).toEqual([200, undefined])
  expect(await ask('clock?sandbox=alice')).toEqual([200, 'alice'])
  expect(await ask('clock', inside('bob'))).toEqual([200, 'bob'])
  expect(await ask('clock', as('key@carol'))).toEqual([200, 'carol'])
  expect(await ask('report-schedules/99?sandbox=alice')).toEqual([404, 'alice'])
  // They are about no sandbox, or about all.
  expect(await ask('info?sandbox=alice')).toEqual([400, undefined])
  expect(await ask('sandboxes', inside('bob'))).toEqual([200, undefined])
})

test('reading never creates a sandbox: a GET of the control API for one that is not there is 404', async () => {
  const { control, request } = createControlledTester(FROZEN)
  const paths = controlContract.operations.flatMap(({ method, path, parameters }) =>
    method === 'GET' && !path.includes('{') && parameters.some(({ name }) => name === 'sandbox') ? [path] : [],
  )
  expect(paths.length).toBeGreaterThan(10)
  for (const path of paths) {
    for (const answer of [
      await request().get(`/__mock${path}?sandbox=alcie`),
      await request().get(`/__mock${path}`).set(inside('alcie')),
      await request().get(`/__mock${path}`).set(as('key@alcie')),
    ])
      expect([answer.status, (answer.body as { type: string }).type], path).toEqual([
        404,
        '/problems/sandbox-not-found',
      ])
  }
  expect((await control.listSandboxes()).sandboxes).toHaveLength(1)
})

test('a POST of the control API that only reads creates no sandbox either', async () => {
  const { control, request } = createControlledTester(FROZEN)
  const reads = [
    ['explain', { search: { fileSetId: 'demo' } }],
    ['explain', { schedule: { id: 1 } }],
    ['explain', { schedule: { info: weekly() } }],
    ['journal/verify', { expectations: [{ match: { method: 'POST' }, exactly: 0 }] }],
  ] as const
  for (const [path, body] of reads) {
    for (const [query, headers] of [
      ['?sandbox=alcie', {}],
      ['', inside('alcie')],
      ['', as('key@alcie')],
    ] as const) {
      const answer = await request().post(`/__mock/${path}${query}`).set(headers).send(body)
      expect([answer.status, (answer.body as { type: string }).type], path).toEqual([
        404,
        '/problems/sandbox-not-found',
      ])
    }
    expect((await request().post(`/__mock/${path}`).send(body)).status).toBe(200)
  }
  expect((await control.listSandboxes()).sandboxes).toHaveLength(1)
})

test('a control request that is refused creates no sandbox, and one that is accepted creates it', async () => {
  const { control, request } = createControlledTester(FROZEN)
  const refused = [
    ['post', 'faults', { kind: 'nonsense' }],
    ['post', 'faults', { kind: 'status', status: 503, match: { operationId: 'nowhere' } }],
    ['post', 'faults', { preset: 'flaky', chance: 1 }],
    ['put', 'state', { version: 1 }],
    ['put', 'clock', { mode: 'frozen', now: 'soon' }],
    ['post', 'clock/advance', { by: 'P1000000Y' }],
    ['post', 'clock/advance', { by: '-P1D' }],
    ['put', 'behaviours', { 'limit.zero': 'nonsense' }],
    ['post', 'file-sets', { id: 'demo' }],
    ['post', 'file-sets/tiny/files', { files: [{ path: 'a' }] }],
    ['post', 'explain', { search: { fileSetId: 'tiny' } }],
    ['post', 'journal/verify', { expectations: [{ match: { path: '[' }, exactly: 'x' }] }],
    ['post', 'checkpoints/none/restore', undefined],
    ['delete', 'checkpoints/none', undefined],
    ['delete', 'report-schedules/99', undefined],
    ['delete', 'file-sets/none', undefined],
    ['delete', 'faults/none', undefined],
  ] as const
  for (const [method, path, body] of refused)
    for (const [query, headers] of [
      ['?sandbox=new', {}],
      ['', inside('new')],
      ['', as('key@new')],
    ] as const) {
      const sent = request()[method](`/__mock/${path}${query}`).set(headers)
      const { status } = await (body === undefined ? sent : sent.send(body))
      expect(status, `${method} ${path}`).toBeGreaterThanOrEqual(400)
      expect((await control.listSandboxes()).sandboxes, `${method} ${path}`).toHaveLength(1)
    }
  await control.in('new').armFaults({ kind: 'status', status: 503 })
  // A refusal takes nothing away from a sandbox that exists.
  await request().put('/__mock/state?sandbox=new').send({}).expect(400)
  expect((await control.in('new').listFaults()).faults).toHaveLength(1)
})

describe('a fork with the journal of what it was forked from', () => {
  async function fork(options: object) {
    const tester = createControlledTester(FROZEN)
    const { control, create, update } = tester
    await create(weekly({ title: 'One' }))
    await control.putClock({ mode: 'frozen', now: '2026-03-05T15:00:00Z' })
    await update(7, { title: 'Two' })
    await control.forkSandbox('default', { name: 'fork', journal: true, ...options })
    const list = async () => (await control.in('fork').listExchanges()).exchanges
    return { ...tester, forked: control.in('fork'), list }
  }

  test('shows where exchanges happened, and goes on from the last', async () => {
    const { list, update, search, control } = await fork({})
    await update(7, { title: 'Three' }, inside('fork'))
    await search({ set: 'demo' })
    expect((await list()).map(({ id, sandbox, copiedFrom }) => [id, sandbox, copiedFrom])).toEqual([
      [1, 'fork', 'default'],
      [2, 'fork', 'default'],
      [3, 'fork', undefined],
    ])
    expect((await control.listExchanges()).exchanges.map(({ id }) => id)).toEqual([1, 2, 3])
    expect((await control.in('fork').getExchange(2)).request.body).toContain('Two')
    await control.in('fork').reset()
    expect(await list()).toEqual([])
    expect((await control.listExchanges()).total).toBe(3)
  })

  test('begins just before an exchange, by the clock of then, so that it can be repeated', async () => {
    const { list, forked, update } = await fork({ before: 2 })
    expect((await forked.getClock()).now).toBe('2026-03-05T15:00:00.000Z')
    expect((await forked.getReportSchedule(7)).title).toBe('One')
    expect((await list()).map(({ id }) => id)).toEqual([1, 2])
    const [, first] = await list()
    expect((await update(7, { title: 'Two' }, inside('fork'))).text).toBe(first?.answer?.body)
  })

  test('ends with the last exchange before an event', async () => {
    expect((await (await fork({ at: 0 })).list()).map(({ id }) => id)).toEqual([1])
  })

  test('is replayed without what was copied, and does not know the state before it', async () => {
    const { forked, update } = await fork({})
    await update(7, { title: 'Three' }, inside('fork'))
    expect((await forked.getReplay()).exchanges).toHaveLength(1)
    expect(await refusalOf(forked.getState({ before: 1 }))).toMatch(/^409 .* happened in the sandbox default/)
  })

  test('has no journal unless it is asked for', async () => {
    expect(await (await fork({ journal: false })).list()).toEqual([])
  })
})
