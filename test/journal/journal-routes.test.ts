import { expect, test } from 'vitest'
import { createControlledTester, refusalOf } from '../support/control.ts'
import { connectTo, searchHead } from '../support/raw.ts'
import { KEY_HEADER, SCHEDULES, SEARCH, weekly } from '../support/tester.ts'
import { createControlClient, createStandin } from '../../src/index.ts'
import { cases, longTest } from '../support/cases.ts'

const FROZEN = { clock: '2026-03-05T14:30:00Z' }
const KEY = 'a-very-secret-key'
const idsOf = ({ exchanges }: { readonly exchanges: readonly { readonly id: number }[] }) =>
  exchanges.map(({ id }) => id)

test('an exchange is journaled as it was sent, with the behaviours it depends on', async () => {
  const { control, search } = createControlledTester(FROZEN)
  const body = { filters: [{ field: 'name', operator: 'LIKE', value: ['budget'] }] }
  const response = await search({ set: 'demo', query: 'limit=2', body })
  const { exchanges, ...rest } = await control.listExchanges()
  expect(rest).toEqual({ total: 1, forgotten: 0, next: null })
  expect(exchanges).toHaveLength(1)
  const [exchange] = exchanges
  expect(exchange).toEqual(await control.getExchange(1))
  expect(exchange).toMatchObject({
    id: 1,
    requestId: response.headers['x-request-id'],
    sandbox: 'default',
    now: '2026-03-05T14:30:00.000Z',
    operationId: 'searchFiles',
    request: { method: 'POST', url: `${SEARCH}/demo/files/search?limit=2`, body: JSON.stringify(body), isCut: false },
    answer: { status: 200, body: response.text, isCut: false, isForgotten: false },
    hasChanged: false,
    behaviours: response.headers['x-mock-behaviours']?.split(', '),
    problem: null,
    issues: [],
    fault: null,
  })
  const answered = Object.fromEntries(exchange?.answer?.headers.map(({ name, value }) => [name, value]) ?? [])
  for (const [name, value] of Object.entries(answered)) expect(response.headers[name]).toBe(value)
  expect(answered).toHaveProperty('content-length')
})

test('the journal shows why a request was refused, and that a request changed something', async () => {
  const { control, create, request } = createControlledTester(FROZEN)
  await create(weekly({ pageId: 'x' }))
  await create(weekly())
  await create('{"title"')
  await request().options(SCHEDULES)
  await request().get('/nowhere')
  const { exchanges } = await control.listExchanges()
  expect(exchanges.map(({ operationId, answer, hasChanged }) => [operationId, answer?.status, hasChanged])).toEqual([
    ['createReportSchedule', 400, false],
    ['createReportSchedule', 200, true],
    ['createReportSchedule', 400, false],
    [null, 204, false],
    [null, 404, false],
  ])
  expect(exchanges[0]?.issues).toMatchObject([{ pointer: '/pageId', code: 'type' }])
  expect(exchanges[0]?.problem).toContain('/pageId: expected an integer')
  expect(exchanges[2]?.request.body).toBe('{"title"')
  expect(exchanges[4]?.answer?.body).toContain('path-unknown')
})

test('keys are shown nowhere: in no header, address, body, archive, and cannot be searched for', async () => {
  const tester = createControlledTester(FROZEN)
  const { control, search, create, request } = tester
  const headers = { [KEY_HEADER]: KEY, Authorization: 'Bearer something-else', Cookie: 'session=abcdefgh' }
  await search({ set: 'demo', query: `limit=1&key=${KEY}`, headers })
  await create(weekly({ title: KEY }), headers)
  await request().get(`/nowhere/${KEY}`).set(headers)
  await create(weekly({ pageId: KEY }), headers)
  const texts = [JSON.stringify(await control.listExchanges()), JSON.stringify(await control.exportHar())]
  const misses = await control.verifyJournal({
    expectations: [{ match: { headers: { [KEY_HEADER]: `${KEY.slice(0, 5)}*` } } }, { match: { body: KEY } }],
  })
  expect(misses.passed).toBe(false)
  // What was asked for stands in the answer; what was found must not.
  const received = misses.results.flatMap((result) => result.misses.flatMap((miss) => miss.differences))
  texts.push(JSON.stringify(received.map((difference) => difference.received)))
  for (const text of texts) {
    expect(text).not.toContain(KEY)
    expect(text).not.toContain('something-else')
    expect(text).not.toContain('abcdefgh')
    expect(text).toContain('[redacted]')
  }
  expect((await control.listExchanges({ header: `${KEY_HEADER}: ${KEY}` })).total).toBe(0)
  expect((await control.listExchanges({ header: KEY_HEADER })).total).toBe(4)
  expect((await control.listExchanges({ path: `*${KEY}*` })).total).toBe(0)
  expect((await control.listExchanges({ body: KEY })).total).toBe(0)
})

test('exchanges are found by operation, method, status, path, header, body, answer and time', async () => {
  const { control, search, create, update, request } = createControlledTester(FROZEN)
  await search({ set: 'demo', query: 'limit=1', headers: { Prefer: 'code=503' }, body: { filters: [] } })
  await search({ set: 'empty' })
  await search({ set: 'demo', query: 'limit=0' })
  await create(weekly({ title: 'Month [end]' }))
  await control.advanceClock({ by: 'PT1H' })
  await update(7, { title: 'other' })
  await request().get('/nowhere')
  const found = async (filter: Parameters<typeof control.listExchanges>[0]) =>
    idsOf(await control.listExchanges(filter))
  expect(await found({ operationId: 'searchFiles' })).toEqual([1, 2, 3])
  expect(await found({ method: 'put' })).toEqual([5])
  expect(await found({ status: 400 })).toEqual([3])
  expect(await found({ status: '4xx' })).toEqual([3, 6])
  expect(await found({ path: `${SEARCH}/demo/files/search` })).toEqual([1, 3])
  expect(await found({ path: '/api/*/filesets/e*' })).toEqual([2])
  expect(await found({ path: '/api' })).toEqual([])
  expect(await found({ header: 'prefer' })).toEqual([1])
  expect(await found({ header: 'Prefer: code=*' })).toEqual([1])
  expect(await found({ header: 'Prefer: code' })).toEqual([])
  expect(await found({ body: 'Month [end]' })).toEqual([4])
  expect(await found({ body: '"title":*MON' })).toEqual([4])
  expect(await found({ body: 'MON*"title"' })).toEqual([])
  expect(await found({ answer: 'limit.zero' })).toEqual([3])
  expect(await found({ since: '2026-03-05T15:30:00Z' })).toEqual([5, 6])
  expect(await found({ status: 200, body: 'title' })).toEqual([4, 5])
  expect(await found({ fault: 'reset' })).toEqual([])
  expect(await refusalOf(control.listExchanges({ status: '9XX' }))).toContain('expected a status such as 429')
  expect(await refusalOf(control.listExchanges({ header: 'no header' }))).toContain('the name of a header')
})

test('a pattern is no regular expression, and a hostile one takes no time', async () => {
  const { control, create } = createControlledTester(FROZEN)
  await create(weekly({ title: 'a'.repeat(60_000) }))
  expect((await control.listExchanges({ body: `${'a*'.repeat(200)}b` })).total).toBe(0)
  expect((await control.listExchanges({ body: '.' })).total).toBe(0)
  expect((await control.listExchanges({ body: '(a+)+$' })).total).toBe(0)
})

test('the latest are listed, or pages from an id on', async () => {
  const { control, search } = createControlledTester(FROZEN)
  for (let count = 0; count < 7; count++) await search({ set: 'empty' })
  expect(idsOf(await control.listExchanges({ limit: 3 }))).toEqual([5, 6, 7])
  const first = await control.listExchanges({ after: 0, limit: 3 })
  expect([idsOf(first), first.next, first.total]).toEqual([[1, 2, 3], 3, 7])
  const second = await control.listExchanges({ after: first.next ?? 0, limit: 3 })
  expect([idsOf(second), second.next]).toEqual([[4, 5, 6], 6])
  const third = await control.listExchanges({ after: second.next ?? 0, limit: 3 })
  expect([idsOf(third), third.next]).toEqual([[7], null])
})

test('no text is lost on its way into the journal and out of it', async () => {
  const { control, create, search } = createControlledTester(FROZEN)
  const title = 'a\u0000b\n"\\ \u{1F4C4} \uD800 é'
  await create(weekly({ title }))
  await create(weekly({ title, pageId: title }))
  const unknown = await search({ set: '\u0000\n', query: 'x=%00%0A' })
  const { exchanges } = await control.listExchanges()
  expect(JSON.parse(exchanges[0]?.request.body ?? '')).toEqual(weekly({ title }))
  expect(exchanges[1]?.issues).toMatchObject([{ pointer: '/pageId' }])
  expect(exchanges[2]?.request.url).toContain('%00%0A')
  expect(exchanges[2]?.answer?.body).toBe(unknown.text)
  expect(exchanges.map(({ id, hasChanged }) => [id, hasChanged])).toEqual([
    [1, true],
    [2, false],
    [3, false],
  ])
})

test('it is emptied on request and by a reset, and ids go on', async () => {
  const { control, search } = createControlledTester(FROZEN)
  await search({ set: 'empty' })
  await search({ set: 'empty' })
  expect(await control.deleteJournal()).toEqual({ removed: 2 })
  await search({ set: 'empty' })
  expect(idsOf(await control.listExchanges())).toEqual([3])
  await control.reset()
  expect(idsOf(await control.listExchanges())).toEqual([])
  await search({ set: 'empty' })
  expect(await control.listExchanges()).toMatchObject({ forgotten: 0, exchanges: [{ id: 4 }] })
  expect(await refusalOf(control.getExchange(3))).toMatch('404 /problems/exchange-not-found: ')
  expect(await refusalOf(control.getExchange(3))).toContain('from 4 to 4')
})

test('each sandbox has its own journal, and what asks the control API is in none', async () => {
  const { control, search } = createControlledTester(FROZEN)
  await search({ set: 'empty', headers: { [KEY_HEADER]: 'k@one' } })
  await search({ set: 'empty', headers: { 'X-Mock-Sandbox': 'two' } })
  await search({ set: 'demo', headers: { 'X-Mock-Sandbox': 'two' } })
  await control.getClock()
  expect((await control.listExchanges()).total).toBe(0)
  expect((await control.in('one').listExchanges()).exchanges).toMatchObject([{ id: 1, sandbox: 'one' }])
  expect((await control.in('two').listExchanges()).total).toBe(2)
})

longTest(
  'the last 1,000 of each sandbox are kept, and the number of the others is shown',
  { timeout: 60_000 },
  async () => {
    const { control, request, search } = createControlledTester(FROZEN)
    await search({ set: 'empty', headers: { 'X-Mock-Sandbox': 'quiet' } })
    for (let count = 0; count < 1003; count++) await request().get('/nowhere')
    const listed = await control.listExchanges({ limit: 1000 })
    expect([listed.total, listed.forgotten, listed.exchanges[0]?.id]).toEqual([1000, 3, 4])
    expect((await control.listExchanges({ after: 2 })).forgotten).toBe(1)
    expect((await control.in('quiet').listExchanges()).total).toBe(1)
  },
)

longTest(
  'bytes of exchanges that are kept no longer are used again, and none that is kept loses its body',
  { timeout: 60_000 },
  async () => {
    const standin = createStandin({ ...FROZEN, files: 500 })
    const url = await standin.start()
    const control = createControlClient({ url })
    const bytes = async () => Number(/^standin_journal_bytes (\d+)$/m.exec(await control.getMetrics())?.[1])
    // Equal bodies that follow each other are kept once.
    const search = async (count: number) =>
      (
        await fetch(`${url}${SEARCH}/demo/files/search?limit=${12 + (count % 7)}`, {
          method: 'POST',
          headers: { [KEY_HEADER]: 'any', 'content-type': 'application/json' },
          body: JSON.stringify({
            filters: [{ field: 'name', operator: 'LIKE', value: ['etaoinshrdl'[count % 11]], not: false }],
          }),
        })
      ).text()
    for (let count = 0; count < 1000; count++) await search(count)
    const kept = await bytes()
    const more = cases(3000, 1000)
    for (let count = 1000; count < 1000 + more; count++) await search(count)
    expect(await bytes()).toBeLessThan(kept + 4 * 2 ** 20)
    const { exchanges, forgotten } = await control.listExchanges({ limit: 1000 })
    expect([exchanges.length, forgotten, exchanges[0]?.id]).toEqual([1000, more, more + 1])
    expect(exchanges.filter(({ answer }) => answer?.isForgotten !== false)).toEqual([])
    await standin.stop()
  },
)

longTest(
  'all journals together keep within 16 MiB: bodies of answers go first, then exchanges',
  { timeout: 60_000 },
  async () => {
    const { control, search } = createControlledTester({ ...FROZEN, files: 5000 })
    const bytes = async () => Number(/^standin_journal_bytes (\d+)$/m.exec(await control.getMetrics())?.[1])
    const name = (count: number) => ({ 'X-Mock-Sandbox': `s${count % 3}` })
    // Equal bodies that follow each other are kept once.
    const page = (count: number) => `limit=${100 + (count % 50)}`
    for (let count = 0; count < 240; count++) await search({ set: 'demo', query: page(count), headers: name(count) })
    expect(await bytes()).toBeLessThan(16 * 2 ** 20)
    const { exchanges } = await control.in('s0').listExchanges()
    expect(exchanges).toHaveLength(80)
    expect(exchanges[0]?.answer).toMatchObject({ status: 200, body: null, isForgotten: true })
    expect(exchanges.at(-1)?.answer).toMatchObject({ isForgotten: false, isCut: false })

    const long = { filters: [{ field: 'name', operator: 'LIKE', value: ['x'.repeat(60_000)] }] }
    for (let count = 0; count < 200; count++) await search({ set: 'empty', body: long, headers: name(count) })
    expect(await bytes()).toBeLessThan(16 * 2 ** 20)
    const after = await control.in('s0').listExchanges({ limit: 1000 })
    expect(after.forgotten).toBeGreaterThan(0)
    expect(after.exchanges[0]?.id).toBe(after.forgotten + 1)
  },
)

test('long bodies are cut, on both sides and however they are sent', async () => {
  const { control, search, create } = createControlledTester({ ...FROZEN, files: 3000 })
  await create(weekly({ title: 'é'.repeat(100_000) }))
  const ready = await search({ set: 'demo', query: 'limit=1000' })
  const streamed = await search({ set: 'demo', query: 'limit=100000' })
  const small = await search({ set: 'empty', query: 'limit=100000' })
  const { exchanges } = await control.listExchanges()
  expect([exchanges[0]?.request.isCut, exchanges[0]?.request.body?.length]).toEqual([true, 65_536])
  for (const [index, text] of [ready.text, streamed.text].entries()) {
    const { body, isCut } = exchanges[index + 1]?.answer ?? {}
    expect(isCut).toBe(true)
    expect(body?.length).toBeGreaterThan(60_000)
    expect(body?.length).toBeLessThan(70_000)
    expect(text.startsWith(body ?? '?')).toBe(true)
  }
  expect(exchanges[3]?.answer).toMatchObject({ isCut: false, body: small.text })
})

test('a request whose client leaves before its answer is journaled without one', async () => {
  const standin = createStandin(FROZEN)
  const url = await standin.start()
  const control = createControlClient({ url })
  try {
    const client = await connectTo(url)
    client.send(searchHead({ 'Content-Length': 100 }))
    client.send('{"fi')
    // The head was read once this is answered, for it was sent first.
    await control.getClock()
    client.socket.destroy()
    let total = 0
    for (let tries = 0; total === 0 && tries < 200; tries++) ({ total } = await control.listExchanges({ status: 0 }))
    expect((await control.listExchanges()).exchanges).toMatchObject([
      { answer: null, operationId: 'searchFiles', request: { body: null } },
    ])
  } finally {
    await standin.stop()
  }
})

test('the log has no keys either', async () => {
  const { createReloadableStandin } = await import('../../src/app/setup/create-standin.ts')
  const { createConfig } = await import('../../src/config/create-config.ts')
  const { createPrettyLog } = await import('../../src/journal/server-log.ts')
  const lines: string[] = []
  const log = createPrettyLog({ write: (line) => lines.push(line), now: () => 0, hasColours: false, isVerbose: true })
  const standin = createReloadableStandin(createConfig([]), { log })
  const { default: request } = await import('supertest')
  await request(standin.app).post(`${SEARCH}/demo/files/search?limit=x${KEY}`).set(KEY_HEADER, KEY).send({})
  await request(standin.app).get(`/nowhere/${KEY}`).set(KEY_HEADER, KEY)
  expect(lines).toHaveLength(2)
  expect(lines.join('')).not.toContain(KEY)
  expect(lines.join('')).toContain('[redacted]')
})

test('an exchange names the fault that struck it, its kind and its id', async () => {
  const { control, search } = createControlledTester(FROZEN)
  await search({ set: 'demo' })
  await control.armFaults({ id: 'outage', kind: 'status', status: 503, times: 1 })
  await search({ set: 'demo' })
  const { exchanges } = await control.listExchanges()
  expect(exchanges.map(({ fault, faultId }) => [fault, faultId])).toEqual([
    [null, undefined],
    ['status', 'outage'],
  ])
})
