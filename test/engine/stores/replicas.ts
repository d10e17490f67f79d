import { expect, onTestFinished, test } from 'vitest'
import { createStandin, type EventStore, type Standin, type StandinOptions } from '../../../src/index.ts'
import { replayRun } from '../../app/replay/replay-with-faults.ts'
import { longTest } from '../../support/cases.ts'
import { KEY_HEADER, SCHEDULES, SEARCH, weekly } from '../../support/tester.ts'

const ITEM = {
  type: 'object',
  required: ['name'],
  properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
}
const body = { 'application/json': { schema: ITEM } }
const one = { description: 'One', headers: { ETag: { schema: { type: 'string' } } }, content: body }
const none = { description: 'Refused' }
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
const IF_MATCH = { name: 'If-Match', in: 'header', schema: { type: 'string' } }

export const ITEMS = {
  openapi: '3.1.0',
  info: { title: 'Items', version: '1' },
  paths: {
    '/items': {
      get: {
        operationId: 'listItems',
        responses: {
          200: { description: 'All', content: { 'application/json': { schema: { type: 'array', items: ITEM } } } },
        },
      },
      post: { operationId: 'createItem', requestBody: { content: body }, responses: { 201: one } },
    },
    '/items/{id}': {
      parameters: [ID],
      get: { operationId: 'getItem', responses: { 200: one, 404: none } },
      put: {
        operationId: 'putItem',
        parameters: [IF_MATCH],
        requestBody: { content: body },
        responses: { 200: one, 404: none, 412: none },
      },
      delete: { operationId: 'deleteItem', responses: { 204: { description: 'Gone' }, 404: none } },
    },
  },
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** Stand-ins that share a store, and a `fetch` that asks one after the other. */
interface Replicas {
  readonly all: readonly Standin[]
  readonly fetch: Standin['fetch']
}

/** @param openStore opens the store once more, as another process would */
export type StoreSource = () => Promise<() => Promise<EventStore>>

async function createReplicas(source: StoreSource, options: StandinOptions = {}, count = 3): Promise<Replicas> {
  const open = await source()
  const all: Standin[] = []
  for (let made = 0; made < count; made++)
    all.push(createStandin({ store: await open(), documents: 0, files: 20, ...options }))
  onTestFinished(async () => {
    for (const standin of all) await standin.stop()
  })
  let turn = 0
  return { all, fetch: (input, init) => all[turn++ % count]!.fetch(input, init) }
}

function create({ fetch }: Pick<Replicas, 'fetch'>, name: string, sandbox = 'default') {
  const headers = { ...JSON_TYPE, 'x-mock-sandbox': sandbox }
  return fetch('/items', { method: 'POST', headers, body: JSON.stringify({ name }) })
}

async function namesIn({ fetch }: Pick<Replicas, 'fetch'>, sandbox = 'default'): Promise<string[]> {
  const response = await fetch('/items', { headers: { 'x-mock-sandbox': sandbox } })
  return ((await response.json()) as { name: string }[]).map(({ name }) => name)
}

/** What several stand-ins with one store do, whatever the store is. */
export function describeReplicas(name: string, source: StoreSource): void {
  test(`${name}: replicas respond as one stand-in does, byte for byte`, async () => {
    const clock = '2026-03-05T14:30:00Z'
    const { fetch } = await createReplicas(source, { clock })
    const single = createStandin({ clock, files: 20 })
    const walk = async (send: Standin['fetch']) => {
      const seen: unknown[] = []
      const headers = { ...JSON_TYPE, [KEY_HEADER]: 'key' }
      const ask = async (path: string, method: string, sent: unknown) => {
        const response = await send(path, { method, headers, body: JSON.stringify(sent) })
        const text = await response.text()
        seen.push([response.status, response.headers.get('date'), text.replace(/"requestId":"[^"]*"/, '')])
        return JSON.parse(text) as { id?: number; pageContext?: { next?: string } }
      }
      const created = await ask(SCHEDULES, 'POST', weekly())
      await ask(`${SCHEDULES}/${String(created.id)}`, 'PUT', { title: 'Renamed' })
      await ask(SCHEDULES, 'POST', { title: 1 })
      let query = '?limit=7'
      for (let page = 0; page < 3; page++) {
        const { pageContext } = await ask(`${SEARCH}/demo/files/search${query}`, 'POST', {})
        query = `?limit=7&next=${encodeURIComponent(pageContext?.next ?? '')}`
      }
      return seen
    }
    expect(await walk(fetch)).toEqual(await walk(single.fetch))
  })

  test(`${name}: creates at once get an id each, and every replica has all of them`, async () => {
    const replicas = await createReplicas(source, { contract: ITEMS })
    const names = Array.from({ length: 45 }, (_, index) => `item ${index}`)
    const made = await Promise.all(names.map((item) => create(replicas, item)))
    expect(made.map(({ status }) => status)).toEqual(names.map(() => 201))
    const ids = await Promise.all(made.map(async (response) => ((await response.json()) as { id: number }).id))
    expect(new Set(ids).size).toBe(names.length)
    const requestIds = made.map(({ headers }) => headers.get('x-request-id'))
    expect(new Set(requestIds).size).toBe(names.length)
    for (const one of replicas.all) expect((await namesIn(one)).toSorted()).toEqual(names.toSorted())
  })

  test(`${name}: of updates at once with the same entity tag one is stored, and the others are refused`, async () => {
    const replicas = await createReplicas(source, { contract: ITEMS })
    const created = await create(replicas, 'first')
    const { id } = (await created.json()) as { id: number }
    const tag = created.headers.get('etag') ?? ''
    const put = (_: unknown, index: number) =>
      replicas.fetch(`/items/${id}`, {
        method: 'PUT',
        headers: { ...JSON_TYPE, 'if-match': tag },
        body: JSON.stringify({ name: `by ${index}` }),
      })
    const statuses = (await Promise.all(Array.from({ length: 9 }, put))).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, ...Array<number>(8).fill(412)])
    const winner = `by ${statuses.indexOf(200)}`
    for (const one of replicas.all) expect(await namesIn(one)).toEqual([winner])
  })

  test(`${name}: a change is seen by the next request to every replica, a reset and a deleted sandbox too`, async () => {
    const replicas = await createReplicas(source, { contract: ITEMS })
    const [a, b, c] = replicas.all as [Standin, Standin, Standin]
    await create(a, 'one', 'team')
    expect(await namesIn(b, 'team')).toEqual(['one'])
    await b.control.in('team').createCheckpoint({ name: 'here' })
    await create(c, 'two', 'team')
    await a.control.in('team').restoreCheckpoint('here')
    expect(await namesIn(c, 'team')).toEqual(['one'])
    await c.control.in('team').reset()
    expect(await namesIn(a, 'team')).toEqual([])
    await a.control.createSandbox({ name: 'fork', from: 'team' })
    await expect(b.control.createSandbox({ name: 'fork' })).rejects.toMatchObject({ status: 409 })
    expect((await c.control.listSandboxes()).sandboxes.map((sandbox) => sandbox.name)).toEqual([
      'default',
      'team',
      'fork',
    ])
    await create(a, 'old', 'fork')
    await b.control.deleteSandbox('fork')
    expect(await namesIn(a, 'fork')).toEqual([])
  })

  test(`${name}: how many sandboxes there may be holds over all replicas, and deleted ones make room in each`, async () => {
    const { all } = await createReplicas(source, { contract: ITEMS, maxSandboxes: 3 })
    const [a, b, c] = all as [Standin, Standin, Standin]
    for (let number = 0; number < 6; number++) {
      expect((await create(a, 'one', `job-${number}`)).status).toBe(201)
      await b.control.deleteSandbox(`job-${number}`)
    }
    await create(a, 'one', 'kept')
    await create(b, 'one', 'kept-too')
    const tooMany = await create(c, 'one', 'more')
    expect([tooMany.status, await tooMany.text()]).toEqual([409, expect.stringContaining('There are 3 sandboxes')])
    await expect(c.control.createSandbox({ name: 'more' })).rejects.toMatchObject({ status: 409 })
    for (const one of all) expect(await namesIn(one, 'kept')).toEqual(['one'])
  })

  test(`${name}: a fault strikes as often as it should, whichever replicas are asked`, async () => {
    const replicas = await createReplicas(source, { contract: ITEMS })
    await replicas.all[0]!.control.armFaults({ kind: 'status', status: 503, times: 4 })
    const asked = await Promise.all(Array.from({ length: 30 }, () => replicas.fetch('/items')))
    expect(asked.filter(({ status }) => status === 503)).toHaveLength(4)
    await replicas.all[1]!.control.armFaults({ kind: 'garbage', times: 3 })
    const texts = await Promise.all(Array.from({ length: 20 }, async () => (await replicas.fetch('/items')).text()))
    expect(texts.filter((text) => text !== '[]')).toHaveLength(3)
    const faults = await Promise.all(replicas.all.map(({ control }) => control.listFaults()))
    expect(faults.map((list) => list.faults[0]?.struck)).toEqual([4, 4, 4])
  })

  test(`${name}: a rate limit counts the requests to all replicas, and who waited may ask any of them`, async () => {
    let now = Date.parse('2026-03-05T14:30:00Z')
    const options = { contract: ITEMS, clock: '2026-03-05T14:30:10Z', now: () => now }
    const replicas = await createReplicas(source, options)
    const [a, b, c] = replicas.all as [Standin, Standin, Standin]
    const passed = async () => {
      const asked = await Promise.all(Array.from({ length: 9 }, () => replicas.fetch('/items')))
      expect(asked.every(({ status }) => status === 200 || status === 429)).toBe(true)
      return asked.filter(({ status }) => status === 200).length
    }
    await a.control.armFaults({ kind: 'rate-limit', limit: 2, seconds: 60 })
    expect(await passed()).toBe(2)
    now += 50_000
    // The clock of the sandbox is frozen, so its window never ends; the replica that refused is not the one that is asked again.
    expect(await passed()).toBe(2)
    await b.control.removeFaults()
    await c.control.putBehaviours({ 'rate.limit': '4 per 60' })
    expect(await passed()).toBe(4)
    expect((await b.fetch('/items')).headers.get('retry-after')).toBe('50')
    now += 50_000
    expect(await passed()).toBe(4)
    await a.control.advanceClock({ by: 'PT1M' })
    expect(await passed()).toBe(4)
    await b.control.reset()
    await c.control.putBehaviours({ 'rate.limit': '4 per 60' })
    expect(await passed()).toBe(4)
  })

  test(`${name}: a sandbox expires once it is used through no replica, and its name begins anew`, async () => {
    let now = Date.parse('2026-03-05T14:30:00Z')
    const replicas = await createReplicas(source, { contract: ITEMS, now: () => now, sandboxTtl: '1h' })
    const [a, b, c] = replicas.all as [Standin, Standin, Standin]
    const listed = async ({ control }: Standin) =>
      (await control.listSandboxes()).sandboxes.map((one) => `${one.name} ${String(one.expiresAt)}`)
    await create(a, 'usual', 'team')
    await b.control.createSandbox({ name: 'short', ttl: '10m' })
    await c.control.forkSandbox('team', { name: 'fork', ttl: '3h' })
    now += 599_999
    expect(await namesIn(b, 'team')).toEqual(['usual'])
    const all = ['default null', 'team 2026-03-05T15:39:59.999Z', 'short 2026-03-05T14:40:00.000Z']
    expect(await listed(c)).toEqual([...all, 'fork 2026-03-05T17:30:00.000Z'])
    now += 1
    for (const one of replicas.all) expect(await listed(one)).toHaveLength(3)
    now += 3_599_999
    expect(await namesIn(c, 'fork')).toEqual(['usual'])
    expect(await Promise.all([namesIn(a, 'team'), namesIn(b, 'team'), namesIn(c, 'team')])).toEqual([[], [], []])
    await create(c, 'anew', 'team')
    now += 2 * 3_600_000
    expect(await listed(b)).toHaveLength(2)
    now += 3_600_000
    // A name that begins anew is no fork any more.
    expect(await namesIn(b, 'fork')).toEqual([])
    expect(await listed(a)).toEqual(['default null', expect.stringMatching(/^fork /)])
  })

  test(`${name}: what falls due happens once, whichever replica is asked first`, async () => {
    let now = Date.parse('2026-03-05T14:30:00Z')
    const replicas = await createReplicas(source, { now: () => now })
    const headers = { ...JSON_TYPE, [KEY_HEADER]: 'key' }
    await replicas.fetch(SCHEDULES, { method: 'POST', headers, body: JSON.stringify(weekly()) })
    now += 40 * 86_400_000
    const histories = await Promise.all(replicas.all.map(({ control }) => control.getHistory()))
    const [first] = histories.map(({ events }) => events.map(({ number, type }) => `${number} ${type}`))
    expect(first?.filter((text) => text.endsWith('report-schedule.ran')).length).toBeGreaterThan(4)
    for (const { events } of histories) expect(events.map(({ number, type }) => `${number} ${type}`)).toEqual(first)
    const advanced = await replicas.all[1]!.control.advanceClock({ by: 'P7D' })
    const clocks = await Promise.all(replicas.all.map(({ control }) => control.getClock()))
    expect(clocks.map((clock) => clock.now)).toEqual(clocks.map(() => advanced.now))
  })

  test(`${name}: advances of the clock at once add up, whichever replicas are asked`, async () => {
    const replicas = await createReplicas(source, { clock: '2026-03-05T14:30:00Z' })
    const advanced = await Promise.all(
      Array.from({ length: 6 }, (_, at) => replicas.all[at % 3]!.control.advanceClock({ by: 'PT1M' })),
    )
    const minutes = advanced.map(({ now }) => new Date(now).getUTCMinutes())
    expect(minutes.toSorted((a, b) => a - b)).toEqual([31, 32, 33, 34, 35, 36])
  })

  longTest(`${name}: a replica that starts later has what was changed, also behind a snapshot`, async () => {
    const open = await source()
    const options = { contract: ITEMS, documents: 0 }
    const first = createStandin({ ...options, store: await open() })
    for (let number = 0; number < 1100; number++) await create(first, `item ${number}`)
    const later = createStandin({ ...options, store: await open() })
    expect(await namesIn(later)).toEqual(await namesIn(first))
    const [last, next] = await Promise.all([create(first, 'last'), create(later, 'next')])
    expect([last.status, next.status]).toEqual([201, 201])
    expect(await namesIn(later)).toEqual(await namesIn(first))
    await first.stop()
    await later.stop()
  })

  test(`${name}: every replica verifies, lists and covers what was answered before, by whichever replica`, async () => {
    const replicas = await createReplicas(source, { contract: ITEMS })
    const { all } = replicas
    for (let round = 1; round <= 5; round++) {
      for (let made = 0; made < 4; made++) await create(replicas, `${round}.${made}`, 'team')
      await namesIn(replicas, 'team')
      const { control } = all[round % 3]!
      const counted = await control.in('team').verifyJournal({
        expectations: [
          { match: { operationId: 'createItem' }, exactly: round * 4 },
          { order: [{ body: `*"${round}.0"*` }, { body: `*"${round}.3"*` }, { operationId: 'listItems' }] },
        ],
      })
      expect(counted).toMatchObject({ passed: true, exchanges: round * 5, forgotten: 0 })
    }
    const lists = await Promise.all(all.map(({ control }) => control.in('team').listExchanges()))
    expect(lists.map(({ total }) => total)).toEqual([25, 25, 25])
    expect(lists[1]).toEqual(lists[0])
    expect(lists[2]).toEqual(lists[0])
    expect(new Set(lists[0]?.exchanges.map(({ requestId }) => requestId)).size).toBe(25)
    expect(lists[0]?.exchanges.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, index) => index + 1))
    for (const { control } of all) {
      const { operations } = await control.in('team').getCoverage()
      expect(operations.map(({ operationId, requests }) => [operationId, requests])).toContainEqual(['createItem', 20])
    }
  })

  test(`${name}: a reset and a deleted journal begin it again in all replicas`, async () => {
    const replicas = await createReplicas(source, { contract: ITEMS })
    const [a, b, c] = replicas.all as [Standin, Standin, Standin]
    const totals = async () => {
      const lists = await Promise.all(replicas.all.map(({ control }) => control.in('team').listExchanges()))
      return lists.map(({ total, forgotten }) => [total, forgotten])
    }
    for (let made = 0; made < 6; made++) await create(replicas, `one ${made}`, 'team')
    await b.control.in('team').reset()
    expect(await totals()).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ])
    await create(a, 'two', 'team')
    await create(c, 'three', 'team')
    expect((await b.control.in('team').listExchanges()).exchanges.map(({ id }) => id)).toEqual([7, 8])
    expect(await c.control.in('team').deleteJournal()).toEqual({ removed: 2 })
    await create(b, 'four', 'team')
    expect(await totals()).toEqual([
      [1, 0],
      [1, 0],
      [1, 0],
    ])
    const { operations } = await a.control.in('team').getCoverage()
    expect(operations).toContainEqual(expect.objectContaining({ operationId: 'createItem', requests: 9 }))
    await b.control.in('team').deleteCoverage()
    await create(c, 'five', 'team')
    for (const { control } of replicas.all)
      expect((await control.in('team').getCoverage()).operations).toContainEqual(
        expect.objectContaining({ operationId: 'createItem', requests: 1 }),
      )
  })

  test(`${name}: the journal keeps the latest thousand exchanges of all replicas, and says how many are forgotten`, async () => {
    const replicas = await createReplicas(source, { contract: ITEMS })
    for (let sent = 0; sent < 1200; sent += 30)
      await Promise.all(Array.from({ length: 30 }, () => replicas.fetch('/items')))
    for (const { control } of replicas.all) {
      const expectation = { expectations: [{ match: { operationId: 'listItems' }, atMost: 1100 }] }
      const { exchanges, forgotten, passed } = await control.verifyJournal(expectation)
      expect([exchanges, forgotten, passed]).toEqual([1000, 200, false])
      const { operations } = await control.getCoverage()
      expect(operations).toContainEqual(expect.objectContaining({ operationId: 'listItems', requests: 1200 }))
    }
  })

  test(`${name}: a stream shows the exchanges of all replicas`, async () => {
    const { all } = await createReplicas(source, { contract: ITEMS })
    const [a, b] = all as [Standin, Standin]
    await create(b, 'before', 'team')
    const leaving = new AbortController()
    const stream = await a.fetch('/__mock/stream?sandbox=team', { signal: leaving.signal })
    await create(b, 'shown', 'team')
    let text = ''
    for await (const chunk of stream.body ?? []) {
      text += new TextDecoder().decode(chunk as Uint8Array)
      if (text.includes('event: exchange')) break
    }
    expect(text).toContain('shown')
    expect(text).not.toContain('before')
  })

  test(`${name}: what one replica changes reaches a stream and a waiting read of another, which is asked nothing`, async () => {
    const { get, post } = ITEMS.paths['/items']
    const wait = { name: 'timeout', in: 'query', description: 'Seconds to wait.', schema: { type: 'integer' } }
    const events = { description: 'Changes', content: { 'text/event-stream': { schema: ITEM } } }
    const paths = {
      '/items': { get: { ...get, parameters: [wait] }, post },
      '/items/events': { get: { operationId: 'followItems', responses: { 200: events } } },
    }
    const { all } = await createReplicas(source, { contract: { ...ITEMS, paths }, clock: '2026-03-05T14:30:00Z' }, 2)
    const [here, there] = all.map((standin) => ({ fetch: standin.fetch }))
    const waiting = here!.fetch('/items?timeout=30')
    const { body: stream } = await here!.fetch('/items/events')
    const reader = stream!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await create(there!, 'of the other')).status).toBe(201)
    let text = ''
    while (!text.includes('data: ')) text += (await reader.read()).value ?? ''
    expect(text).toContain('of the other')
    expect(await (await waiting).json()).toEqual([{ id: 1, name: 'of the other' }])
    await reader.cancel()
  })

  test(`${name}: a stub that one replica declares is used by all, as often as it says together`, async () => {
    const replicas = await createReplicas(source, { contract: ITEMS }, 2)
    const stub = { operation: 'listItems', respond: { status: 200, body: [], validate: false }, times: 3 }
    await replicas.all[0]!.control.declareStubs({ name: 'none', ...stub })
    const stubs: unknown[] = []
    for (let turn = 0; turn < 4; turn++)
      stubs.push((await replicas.all[(turn + 1) % 2]!.fetch('/items')).headers.get('x-mock-stub'))
    expect(stubs).toEqual(['none', 'none', 'none', null])
    expect(await replicas.all[1]!.control.listStubs()).toMatchObject({ stubs: [{ name: 'none', uses: 3 }] })
  })

  test(`${name}: what replicas were asked is replayed from one file`, async () => {
    const replicas = await createReplicas(source, { contract: ITEMS, clock: '2026-03-05T14:30:00Z' })
    for (let made = 0; made < 4; made++) await create(replicas, `item ${made}`, 'team')
    await Promise.all(['a', 'b', 'c'].map((made) => create(replicas, made, 'team')))
    await namesIn(replicas, 'team')
    const { skipped, exchanges, difference } = await replayRun(replicas.all[1]!.control.in('team'))
    expect({ skipped, exchanges, difference }).toEqual({ skipped: [], exchanges: 8, difference: undefined })
  })

  test(`${name}: a stand-in with other settings is refused`, async () => {
    const open = await source()
    const first = createStandin({ store: await open(), files: 0 })
    await first.start()
    const other = createStandin({ store: await open(), files: 0, seed: 7 })
    await expect(other.start()).rejects.toThrow(/The store: .*--seed 42, and this start has 7/)
    await first.stop()
    await other.stop()
  })
}
