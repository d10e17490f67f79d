import { describe, expect, test } from 'vitest'
import { type ControlledTester, createControlledTester, refusalOf } from '../support/control.ts'
import { KEY_HEADER, nextOf, weekly } from '../support/tester.ts'
import { walk } from '../support/walk.ts'
import { createStandin, type Expectation, type ExpectationResult } from '../../src/index.ts'

const FROZEN = { clock: '2026-03-05T14:30:00Z' }

/** What is found of one expectation. */
async function found({ control }: ControlledTester, expectation: Expectation, after = 0): Promise<ExpectationResult> {
  const { passed, results } = await control.verifyJournal({ after, expectations: [expectation] })
  expect(results).toHaveLength(1)
  expect(passed).toBe(results[0]?.passed)
  return results[0]!
}

test('exchanges that match are counted', async () => {
  const tester = createControlledTester(FROZEN)
  await tester.create(weekly({ title: 'A' }))
  await tester.create(weekly({ title: 'B' }))
  await tester.search({ set: 'empty', query: 'limit=5', headers: { Prefer: 'return=minimal' } })
  const creates = { operationId: 'createReportSchedule' }
  expect(await found(tester, { name: 'two creates', match: creates, exactly: 2 })).toEqual({
    name: 'two creates',
    passed: true,
    expected: 'exactly 2 of operation "createReportSchedule"',
    received: '2 of 3 exchanges',
    matched: [1, 2],
    misses: [],
    more: 0,
  })
  const passes = async (expectation: Expectation) => (await found(tester, expectation)).passed
  expect(await passes({ match: creates })).toBe(true)
  expect(await passes({ match: creates, exactly: 1 })).toBe(false)
  expect(await passes({ match: creates, atMost: 1 })).toBe(false)
  expect(await passes({ match: creates, atLeast: 1, atMost: 2 })).toBe(true)
  expect(await passes({ match: { status: 500 }, exactly: 0 })).toBe(true)
  expect(await passes({ match: { json: { title: 'A', schedule: { daysToRun: 'MON' } } }, exactly: 1 })).toBe(true)
  expect(await passes({ match: { json: { title: 'A', schedule: { daysToRun: 'TUE' } } }, exactly: 0 })).toBe(true)
  expect(await passes({ match: { query: { limit: '5' } }, exactly: 1 })).toBe(true)
  expect(await passes({ match: { query: { limit: null } }, exactly: 2 })).toBe(true)
  expect(await passes({ match: { headers: { PREFER: 'return=*' } }, exactly: 1 })).toBe(true)
  expect(await passes({ match: { headers: { prefer: null } }, exactly: 2 })).toBe(true)
  expect(await passes({ match: { answer: '"title":"B"' }, exactly: 1 })).toBe(true)
  expect((await tester.control.verifyJournal({ after: 2, expectations: [{ match: {}, exactly: 1 }] })).passed).toBe(
    true,
  )
})

test('an expectation that fails lists the nearest misses and how they differ', async () => {
  const tester = createControlledTester(FROZEN)
  await tester.search({ set: 'empty' })
  await tester.create(weekly({ title: 'Sales' }))
  await tester.update(7, { title: 'Sales' })
  const result = await found(tester, {
    match: { operationId: 'createReportSchedule', status: 200, json: { title: 'sales' } },
  })
  expect(result).toMatchObject({
    passed: false,
    expected: 'at least 1 of operation "createReportSchedule", status 200, request body JSON with {"title":"sales"}',
    received: '0 of 3 exchanges',
  })
  expect(result.misses.map(({ exchanges }) => exchanges)).toEqual([[2], [1], [3]])
  expect(result.misses[0]).toEqual({
    exchanges: [2],
    summary: 'POST /api/content/v1/reportschedules 200',
    differences: [
      {
        what: 'request body',
        expected: 'JSON with {"title":"sales"}',
        received: expect.stringContaining('{"title":"Sales"') as string,
      },
    ],
  })
  expect(result.misses[1]?.differences.map(({ what }) => what)).toEqual(['operation', 'request body'])
})

test('an order is one in which others may come between', async () => {
  const tester = createControlledTester(FROZEN)
  await tester.search({ set: 'empty' })
  await tester.create(weekly())
  await tester.search({ set: 'demo' })
  await tester.update(7, { title: 'x' })
  const search = { operationId: 'searchFiles' }
  const create = { operationId: 'createReportSchedule' }
  const update = { operationId: 'updateReportSchedule' }
  expect(await found(tester, { order: [search, create, update] })).toMatchObject({ passed: true, matched: [1, 2, 4] })
  expect(await found(tester, { order: [create, search, update] })).toMatchObject({ passed: true, matched: [2, 3, 4] })
  expect(await found(tester, { order: [update, search] })).toMatchObject({
    passed: false,
    received: 'nothing that matches step 2 after exchange 4',
    misses: [
      { exchanges: [3], differences: [{ what: 'place', expected: 'after exchange 4', received: 'exchange 3' }] },
    ],
  })
  expect(await found(tester, { order: [search, search, search] })).toMatchObject({ passed: false, matched: [1, 3] })
  expect(await found(tester, { match: { path: '*demo*' }, order: [search, update] })).toMatchObject({ passed: false })
})

test('a walk passes when every page was fetched once, even if a request was refused in between', async () => {
  const tester = createControlledTester(FROZEN)
  const bySize = { fieldSort: [{ field: 'size', order: 'ASC' }] }
  expect(await walk(tester, { set: 'demo', query: { limit: 400 }, body: bySize })).toHaveLength(3)
  expect(await walk(tester, { set: 'demo', query: { limit: 600 } })).toHaveLength(2)
  await tester.search({ set: 'demo', query: 'limit=x' })
  const result = await found(tester, { walkedEveryPageOnce: true })
  expect(result).toMatchObject({ passed: true, misses: [], received: '5 pages in 2 walks, 0 of them wrong' })
})

test('a walk fails when a page is skipped, fetched twice, or the walk starts again', async () => {
  const tester = createControlledTester(FROZEN)
  const { search, control } = tester
  const differences = async (after: number) =>
    (await found(tester, { walkedEveryPageOnce: true }, after)).misses.map((miss) => [
      miss.exchanges,
      miss.differences[0]?.what,
      miss.differences[0]?.received,
    ])
  const next = nextOf(await search({ set: 'demo', query: 'limit=600' }))
  expect(await differences(0)).toEqual([[[1], 'next page', 'no such request']])
  await search({ set: 'demo', query: { limit: 600, next: next ?? '' } })
  expect(await differences(0)).toEqual([])
  await search({ set: 'demo', query: { limit: 600, next: next ?? '' } })
  expect(await differences(0)).toEqual([[[2, 3], 'page', 'in exchange 2 and again in 3']])
  expect(await differences(2)).toEqual([[[3], 'page before', 'not there']])
  await search({ set: 'demo', query: 'limit=600' })
  expect(await differences(0)).toContainEqual([[1, 4], 'page', 'in exchange 1 and again in 4'])
  await control.deleteJournal()
  expect(await found(tester, { walkedEveryPageOnce: true })).toMatchObject({
    passed: false,
    received: 'no page was received',
  })
})

test('each page of a walk that is wrong counts once', async () => {
  const tester = createControlledTester(FROZEN)
  const next = nextOf(await tester.search({ set: 'demo', query: 'limit=400' })) ?? ''
  for (const _time of [1, 2]) await tester.search({ set: 'demo', query: { limit: 400, next } })
  expect(await found(tester, { walkedEveryPageOnce: true })).toMatchObject({
    received: '3 pages in 1 walk, 2 of them wrong',
  })
})

test('searches that differ only after a second question mark are two searches', async () => {
  const tester = createControlledTester(FROZEN)
  await tester.search({ set: 'empty', query: 'note=why?' })
  await tester.search({ set: 'empty', query: 'note=why?not' })
  expect(await found(tester, { walkedEveryPageOnce: true })).toMatchObject({
    passed: true,
    received: '2 pages in 2 walks, 0 of them wrong',
  })
})

test('backing off is measured for each key, by the clock that shows more', async () => {
  const limited = { ...FROZEN, behaviours: { 'rate.limit': '1 per 10' } }
  const tester = createControlledTester(limited)
  const { control, search, moveTo } = tester
  expect(await found(tester, { backedOffAtLeast: 1 })).toMatchObject({
    passed: false,
    received: 'no 429, so there was nothing to back off from',
  })
  await search({ set: 'empty' })
  expect((await search({ set: 'empty' })).status).toBe(429)
  // Nothing was sent since.
  expect((await found(tester, { backedOffAtLeast: 10 })).passed).toBe(true)
  await search({ set: 'empty', headers: { [KEY_HEADER]: 'another key' } })
  expect((await found(tester, { backedOffAtLeast: 10, match: { headers: { [KEY_HEADER]: '*' } } })).passed).toBe(true)
  await control.advanceClock({ by: 'PT10S' })
  await search({ set: 'empty' })
  expect((await found(tester, { backedOffAtLeast: 10 })).passed).toBe(true)
  expect(await found(tester, { backedOffAtLeast: 11 })).toMatchObject({
    passed: false,
    misses: [{ exchanges: [2, 4], differences: [{ what: 'wait', expected: 'at least 11 s', received: '10 s' }] }],
  })
  expect((await found(tester, { backedOffAtLeast: 10, clock: 'machine' })).passed).toBe(false)
  expect((await found(tester, { backedOffAtLeast: 10, clock: 'sandbox' })).passed).toBe(true)

  await control.deleteJournal()
  expect((await search({ set: 'empty' })).status).toBe(429)
  moveTo(Date.parse('2026-03-05T14:30:30Z'))
  await search({ set: 'empty' })
  expect((await found(tester, { backedOffAtLeast: 20 })).passed).toBe(true)
  expect((await found(tester, { backedOffAtLeast: 20, clock: 'sandbox' })).passed).toBe(false)
})

test('a create may be sent again after a refusal, but not after it was stored', async () => {
  const tester = createControlledTester(FROZEN)
  const { create } = tester
  const passes = async () => (await found(tester, { neverSentSameCreateTwice: true })).passed
  await create(weekly({ pageId: 'wrong' }))
  await create(weekly({ pageId: 'wrong' }))
  await create(weekly({ title: 'A' }))
  await create(weekly({ title: 'B' }))
  await create(weekly({ title: 'A' }), { [KEY_HEADER]: 'another key' })
  expect(await passes()).toBe(true)
  // The same members in another order.
  const { title, ...rest } = weekly({ title: 'A' })
  await create({ ...rest, title })
  expect(await found(tester, { neverSentSameCreateTwice: true })).toMatchObject({
    passed: false,
    received: '6 creates, 1 of them repeated',
    misses: [{ exchanges: [3, 6] }],
  })
})

test('a count of one is written in the singular', async () => {
  const tester = createControlledTester(FROZEN)
  await tester.search({ set: 'empty' })
  expect(await found(tester, { walkedEveryPageOnce: true })).toMatchObject({
    received: '1 page in 1 walk, 0 of them wrong',
  })
  expect(await found(tester, { match: {}, exactly: 0 })).toMatchObject({ received: '1 of 1 exchange' })
  await tester.create(weekly())
  expect(await found(tester, { neverSentSameCreateTwice: true })).toMatchObject({
    received: '1 create, 0 of them repeated',
  })
})

test('what is forgotten never passes', { timeout: 60_000 }, async () => {
  const tester = createControlledTester(FROZEN)
  const { standin, create } = tester
  await create(weekly())
  // In process: a thousand connections take longer than the requests.
  for (let count = 0; count < 1000; count++) await standin.fetch('/nowhere')
  const creates = { operationId: 'createReportSchedule' }
  const none = await found(tester, { match: creates, exactly: 0 })
  expect(none).toMatchObject({
    passed: false,
    received: expect.stringContaining('1 more exchange was dropped to make room, so what it had is unknown') as string,
  })
  expect((await found(tester, { neverSentSameCreateTwice: true })).passed).toBe(false)
  expect((await found(tester, { match: { status: 404 }, exactly: 1000 })).passed).toBe(false)
  expect((await found(tester, { match: { status: 404 }, atLeast: 1000 })).passed).toBe(true)
  // After it nothing is missing.
  expect((await found(tester, { match: creates, exactly: 0 }, 1)).passed).toBe(true)
})

test('a body that is cut neither passes nor counts as none', async () => {
  const tester = createControlledTester(FROZEN)
  await tester.create(weekly({ title: `${'x'.repeat(70_000)} end` }))
  expect(await found(tester, { match: { body: 'end"' }, exactly: 0 })).toMatchObject({
    passed: false,
    received: expect.stringContaining('1 more may match') as string,
  })
  expect((await found(tester, { match: { body: 'end"' } })).passed).toBe(false)
  expect((await found(tester, { match: { body: 'xxx' } })).passed).toBe(true)
  expect((await found(tester, { match: { json: { pageId: 100 } } })).passed).toBe(false)
})

test.for<[Expectation | Record<string, unknown>, string]>([
  [{}, '/expectations/0: expected at least one of name, match, exactly'],
  [{ walkedEveryPageOnc: true }, 'Did you mean walkedEveryPageOnce?'],
  [{ order: [{}] }, '/expectations/0/order: expected an array of at least 2 elements, got [{}].'],
  [
    { backedOffAtLeast: 1, clock: 'sandbux' },
    'expected one of either, sandbox, machine, got "sandbux". Did you mean sandbox?',
  ],
  [{ name: 'nothing' }, 'expected match with exactly, atLeast or atMost'],
  [{ match: {}, exactly: 1, atMost: 2 }, 'one thing at a time'],
  [{ walkedEveryPageOnce: true, neverSentSameCreateTwice: true }, 'one thing at a time'],
  [{ match: { status: 'many' } }, '/expectations/0/match/status: expected a status such as 429'],
  [{ match: { satus: 200 } }, 'Did you mean status?'],
  [{ atLeast: -1 }, '/expectations/0/atLeast'],
])('%j is refused: %s', async ([expectation, complaint]) => {
  const { control } = createControlledTester(FROZEN)
  const refusal = await refusalOf(control.verifyJournal({ expectations: [expectation] }))
  expect(refusal).toMatch(/^400 \/problems\/request-invalid/)
  expect(refusal).toContain(complaint)
})

test('an operation that the contract does not have is refused: nothing would ever match it', async () => {
  const { control } = createControlledTester()
  const match = { operationId: 'createReport' }
  const refused = 'expected one of searchFiles, createReportSchedule, updateReportSchedule, got "createReport".'
  const verify = control.verifyJournal({ expectations: [{ match, exactly: 0 }] })
  expect(await refusalOf(verify)).toMatch(`/expectations/0/match/operationId: ${refused}`)
  const inOrder = control.verifyJournal({ expectations: [{ order: [{ method: 'POST' }, match] }] })
  expect(await refusalOf(inOrder)).toMatch(`/expectations/0/order/1/operationId: ${refused}`)
  expect(await refusalOf(control.listExchanges(match))).toMatch(`operationId: ${refused}`)
})

test.for([
  ['arrays', '['.repeat(30_000) + ']'.repeat(30_000)],
  ['objects', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)],
  ['arrays with a long number', '['.repeat(30_000) + '12345678901234567890' + ']'.repeat(30_000)],
])('a body of deeply nested %s in the journal is verified like any other', async ([, body]) => {
  const tester = createControlledTester(FROZEN)
  expect((await tester.create(body)).status).toBe(400)
  await tester.create(body)
  const json = await found(tester, { match: { json: { title: 'Weekly sales' } }, exactly: 1 })
  expect(json.misses[0]?.differences[0]?.received).toMatch(/ characters\)$/)
  expect(await found(tester, { neverSentSameCreateTwice: true })).toMatchObject({ passed: true, matched: [1, 2] })
})

const SHOP = { ...FROZEN, contract: 'examples/shop/contract.yaml' }

describe('a good client', () => {
  const search = { set: 'demo', query: 'limit=600' }
  const mistakes: Readonly<Record<string, (tester: ControlledTester) => Promise<unknown>>> = {
    'next page: expected requested; received no such request': ({ search: send }) => send(search),
    'create: expected once, or again with the same Idempotency-Key; received stored by exchange 1, and sent again in 2 without one':
      async ({ create }) => {
        await create(weekly())
        await create(weekly())
      },
    'wait: expected at least 3 s after the 503; received 0': async ({ control, search: send }) => {
      await control.armFaults({ kind: 'status', status: 503, headers: { 'Retry-After': '3' }, times: 1 })
      await send({ set: 'empty' })
      await send({ set: 'empty' })
    },
    'wait: expected at least 1 s after the 429; received 0': async ({ control, search: send }) => {
      await control.armFaults({ kind: 'status', status: 429, headers: {}, times: 1 })
      await send({ set: 'empty' })
      await send({ set: 'empty' })
    },
    'refused request: expected not sent again unchanged; received refused by exchange 1, and sent again in 2': async ({
      search: send,
    }) => {
      await send({ set: 'empty', query: 'limit=x' })
      await send({ set: 'empty', query: 'limit=x' })
    },
  }

  test.each(Object.entries(mistakes))('%s', async (message, make) => {
    const tester = createControlledTester(FROZEN)
    await make(tester)
    await expect(tester.control.expectGoodClient()).rejects.toThrow(message)
  })

  test('needs no GET twice while nothing changes', async () => {
    const { control, fetch } = createStandin(SHOP)
    const get = () => fetch('/customers/1')
    await get()
    await control.changeDocument('customers', '1', { name: 'Grace Hopper' })
    await get()
    await control.advanceClock({ by: 'PT2S' })
    await get()
    await control.expectGoodClient()
    await get()
    await expect(control.expectGoodClient()).rejects.toThrow(
      'request: expected once; received in exchange 3 and again in 4, with nothing changed between',
    )
  })

  test('may walk to the end, wait, and correct what was refused', async () => {
    const tester = createControlledTester(FROZEN)
    await tester.control.expectGoodClient()
    await walk(tester, { set: 'demo', query: { limit: 600 } })
    await tester.search({ set: 'empty', query: 'limit=x' })
    await tester.search({ set: 'empty', query: 'limit=5' })
    await tester.control.armFaults({ kind: 'status', status: 503, headers: { 'Retry-After': '3' }, times: 1 })
    await tester.search({ set: 'empty' })
    await tester.control.advanceClock({ by: 'PT3S' })
    await tester.search({ set: 'empty' })
    await tester.control.expectGoodClient()
  })

  test('is told of five mistakes, and how many more there are', async () => {
    const tester = createControlledTester(FROZEN)
    for (let count = 0; count < 20; count++) await tester.create(weekly())
    await expect(tester.control.expectGoodClient()).rejects.toThrow('and 14 more')
  })
})
