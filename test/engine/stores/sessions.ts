import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createStandin, type EventStore, type Standin } from '../../../src/index.ts'
import { ITEMS, type StoreSource } from './replicas.ts'

const SESSION = 'x-mock-session'

/** The same store, which counts how often its streams are read, and may be away. */
function watched(store: EventStore, seen: { reads: number; isAway: boolean }): EventStore {
  return new Proxy(store, {
    get(target, name: keyof EventStore) {
      const member = target[name]
      if (typeof member !== 'function' || name === 'isLong') return member
      return (...given: never[]) => {
        if (seen.isAway) throw new Error('ECONNREFUSED')
        if (name === 'read') seen.reads++
        return (member as (...all: never[]) => unknown)(...given)
      }
    },
  })
}

async function createTwo(source: StoreSource) {
  const open = await source()
  const seen = { reads: 0, isAway: false }
  const start = async () =>
    createStandin({ contract: ITEMS, documents: 0, store: watched(await open(), seen), consistency: 'session' })
  const [a, b] = [await start(), await start()]
  onTestFinished(async () => {
    seen.isAway = false
    await a.stop()
    await b.stop()
  })
  const headers = { 'content-type': 'application/json', 'x-mock-sandbox': 'team' }
  const create = async ({ fetch }: Standin, name: string) => {
    const { status, headers: sent } = await fetch('/items', { method: 'POST', headers, body: JSON.stringify({ name }) })
    return { status, session: sent.get(SESSION) ?? '' }
  }
  const list = async ({ fetch }: Standin, session = '') => {
    const response = await fetch('/items', { headers: { ...headers, [SESSION]: session } })
    const names = response.status === 200 ? ((await response.json()) as { name: string }[]).map(({ name }) => name) : []
    return { status: response.status, names, session: response.headers.get(SESSION) ?? '' }
  }
  return { a, b, seen, create, list }
}

/** What `--consistency session` promises over a store. */
export function describeSessions(name: string, source: StoreSource): void {
  test(`${name}: a client that sends X-Mock-Session back sees its own changes through every replica`, async () => {
    const { a, b, create, list } = await createTwo(source)
    const names: string[] = []
    for (let made = 0; made < 20; made++) {
      const [here, there] = made % 2 === 0 ? [a, b] : [b, a]
      names.push(`own ${made}`)
      const { session } = await create(here, `own ${made}`)
      const seen = await list(there, session)
      expect(seen.names).toEqual(names)
      expect(seen.session).toBe(session)
    }
  })

  test(`${name}: reads of a session ask the store once in a while, and others see a change within a second`, async () => {
    const { a, b, seen, create, list } = await createTwo(source)
    await create(a, 'first')
    let { session } = await list(b)
    seen.reads = 0
    for (let asked = 0; asked < 200; asked++) ({ session } = await list(b, session))
    expect(seen.reads).toBeLessThan(50)
    await create(a, 'second')
    await expect.poll(async () => (await list(b)).names, { timeout: 1000 }).toEqual(['first', 'second'])
    await sleep(1100)
    await create(a, 'third')
    await sleep(1100)
    // The first read after a pause shows it too.
    expect((await list(b)).names).toEqual(['first', 'second', 'third'])
  })

  test(`${name}: while the store is away a session is served what its replica has, and neither changes nor later points`, async () => {
    const { a, b, seen, create, list } = await createTwo(source)
    await create(a, 'first')
    const { session } = await list(b)
    const later = await create(a, 'second')
    seen.isAway = true
    expect((await list(b, later.session)).status).toBe(503)
    for (let asked = 0; asked < 5; asked++) {
      await sleep(30)
      expect(await list(b, session)).toMatchObject({ status: 200, names: ['first'] })
    }
    expect((await create(b, 'lost')).status).toBe(503)
    seen.isAway = false
    await expect.poll(async () => (await list(b, later.session)).names).toEqual(['first', 'second'])
    expect((await create(b, 'third')).status).toBe(201)
  })

  test(`${name}: a sandbox that was deleted and made again is another session`, async () => {
    const { a, b, create, list } = await createTwo(source)
    for (const item of ['one', 'two', 'three']) await create(a, item)
    await list(b)
    await a.control.deleteSandbox('team')
    const { session } = await create(a, 'anew')
    expect((await list(b, session)).names).toEqual(['anew'])
    // What is no point of this sandbox makes the replica read, and refuses nothing.
    for (const other of ['1', '99.x', 'anything']) expect((await list(b, other)).names).toEqual(['anew'])
  })

  test(`${name}: the control API responds with the session too`, async () => {
    const { a, b, create, list } = await createTwo(source)
    await create(a, 'first')
    await list(b)
    const reset = await a.fetch('/__mock/reset?sandbox=team', { method: 'POST' })
    expect((await list(b, reset.headers.get(SESSION) ?? '')).names).toEqual([])
  })

  test(`${name}: of changes at once in a session each is stored once`, async () => {
    const { a, b, create, list } = await createTwo(source)
    const names = Array.from({ length: 30 }, (_, at) => `item ${at}`)
    const made = await Promise.all(names.map((item, at) => create(at % 2 === 0 ? a : b, item)))
    expect(made.map(({ status }) => status)).toEqual(names.map(() => 201))
    const last = made.map(({ session }) => session).toSorted((x, y) => Number.parseInt(y) - Number.parseInt(x))[0]
    for (const one of [a, b]) expect((await list(one, last)).names.toSorted()).toEqual(names.toSorted())
  })
}

/** Of a store whose moments are those of a clock. */
export function describeSessionJournal(name: string, source: StoreSource): void {
  test(`${name}: the journal has what a session was answered, in order`, async () => {
    const { a, b, create, list } = await createTwo(source)
    await create(a, 'first')
    await list(b)
    await a.control.in('team').deleteJournal()
    for (let asked = 0; asked < 10; asked++) {
      const { session } = await create(a, `item ${asked}`)
      await list(b, session)
    }
    const { exchanges } = await b.control.in('team').listExchanges()
    expect(exchanges.map(({ operationId }) => operationId)).toEqual(
      Array.from({ length: 20 }, (_, at) => (at % 2 ? 'listItems' : 'createItem')),
    )
  })
}
