import { expect, onTestFinished, test } from 'vitest'
import { createStandin, type EventStore, type Standin, type StandinOptions } from '../../../src/index.ts'
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

const ITEMS = {
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

  test(`${name}: a replica that starts later has what was changed, also behind a snapshot`, async () => {
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

  test(`${name}: a journal that lacks the exchanges of other replicas verifies nothing`, async () => {
    const { all } = await createReplicas(source, { contract: ITEMS })
    const [a, b] = all as [Standin, Standin]
    const expectation = { expectations: [{ match: { operationId: 'createItem' }, exactly: 1 }] }
    await create(a, 'one', 'alone')
    expect(await a.control.in('alone').verifyJournal(expectation)).toMatchObject({ passed: true })
    await create(b, 'two', 'alone')
    for (const { control } of [a, b])
      await expect(control.in('alone').verifyJournal(expectation)).rejects.toMatchObject({
        type: '/problems/journal-partial',
      })
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
