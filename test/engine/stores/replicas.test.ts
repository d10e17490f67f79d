import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createMemoryStore, createStandin, type EventStore, StartupError } from '../../../src/index.ts'
import { takesAll } from '../../support/cases.ts'
import { KEY_HEADER } from '../../support/tester.ts'
import { describeReplicas } from './replicas.ts'
import { describeSessions } from './sessions.ts'

// One that answers late does all that one does that answers at once.
if (takesAll)
  describeReplicas('memory', () => {
    const store = createMemoryStore()
    return Promise.resolve(() => Promise.resolve(store))
  })

/** The same store, whose answers come some turns of the event loop later. */
function later(store: EventStore): EventStore {
  let asked = 0
  return new Proxy(store, {
    get(target, name: keyof EventStore) {
      const member = target[name]
      if (typeof member !== 'function' || name === 'isLong') return member
      return async (...given: never[]) => {
        const turns = asked++ % 3
        for (let turn = 0; turn < turns; turn++) await nextTurn()
        const answer = await (member as (...all: never[]) => unknown)(...given)
        await nextTurn()
        return answer
      }
    },
  })
}

describeReplicas('memory that answers late', () => {
  const store = later(createMemoryStore())
  return Promise.resolve(() => Promise.resolve(store))
})

// With exchanges that no clock orders, every request reads.
describeSessions('memory without exchanges', () => {
  const { exchanges: _none, ...store } = createMemoryStore()
  return Promise.resolve(() => Promise.resolve(store))
})

test('a consistency that there is not is refused at the start', () => {
  const start = () => createStandin({ store: createMemoryStore(), consistency: 'eventual' as 'session' })
  expect(start).toThrow(/^options\.consistency: Expected strong or session; got "eventual"\./)
})

test('a store that is away refuses requests with 503 and Retry-After, changes nothing, and comes back', async () => {
  const store = createMemoryStore()
  let isAway = false
  const failing = new Proxy(store, {
    get(target, name: keyof typeof store) {
      const member = target[name]
      if (typeof member !== 'function') return member
      return (...given: never[]) => {
        if (isAway && name !== 'isLong') throw new Error('ECONNREFUSED')
        return (member as (...all: never[]) => unknown)(...given)
      }
    },
  })
  const standin = createStandin({ store: failing, files: 3 })
  await standin.control.createCheckpoint({ name: 'before' })
  const health = () => standin.control.getHealth()
  expect(await health()).toMatchObject({ status: 'ready', store: { kind: 'memory', status: 'ready' } })
  isAway = true
  const refused = standin.control.createCheckpoint({ name: 'lost' })
  await expect(refused).rejects.toMatchObject({
    status: 503,
    message: expect.stringContaining('ECONNREFUSED. Nothing was changed') as string,
  })
  expect(await health()).toMatchObject({ status: 'ready', store: { status: 'away' } })
  const response = await standin.fetch('/api/files/v1/filesets/demo/files/search', { method: 'POST', body: '{}' })
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
  isAway = false
  const { checkpoints } = await standin.control.listCheckpoints()
  expect(checkpoints.map(({ name }) => name)).toEqual(['before'])
  expect(await health()).toMatchObject({ store: { status: 'ready', behind: 1 } })
  await expect.poll(health).toMatchObject({ store: { behind: 0 } })
})

test('a replica that ended before its exchanges were stored leaves a journal that verifies nothing, until it begins again', async () => {
  const store = createMemoryStore()
  const standin = createStandin({ store, files: 3 })
  const search = () => standin.fetch('/api/files/v1/filesets/demo/files/search', { method: 'POST', body: '{}' })
  await search()
  const [{ stream } = { stream: '' }] = await store.list()
  const working = async () => (await store.exchanges?.look(stream))?.working.size
  await expect.poll(working).toBe(0)
  await store.exchanges?.begin(stream, 'killed', 3)
  const expectation = { expectations: [{ match: { method: 'POST' }, exactly: 1 }] }
  for (let asked = 0; asked < 2; asked++)
    await expect(standin.control.verifyJournal(expectation)).rejects.toMatchObject({
      type: '/problems/journal-partial',
      message: expect.stringMatching(/^A replica has handled requests to the sandbox, and ended or hangs/) as string,
    })
  await standin.control.reset()
  await search()
  expect(await standin.control.verifyJournal(expectation)).toMatchObject({ passed: true })
})

test('a slow request keeps nobody from the exchanges that are over', async () => {
  const store = createMemoryStore()
  const [slow, other] = [createStandin({ store, files: 3 }), createStandin({ store, files: 3 })]
  const search = { method: 'POST', headers: { [KEY_HEADER]: 'key', 'content-type': 'application/json' }, body: '{}' }
  const path = '/api/files/v1/filesets/demo/files/search'
  await other.control.armFaults({
    kind: 'latency',
    delay: { milliseconds: 1500 },
    match: { operationId: 'searchFiles' },
  })
  const late = slow.fetch(path, search)
  expect((await slow.fetch('/elsewhere')).status).toBe(404)
  expect(await other.control.listExchanges()).toMatchObject({ total: 1 })
  await late
  expect(await other.control.listExchanges()).toMatchObject({ total: 2 })
})

test('where a store shares no exchanges, a journal that lacks those of other replicas verifies nothing', async () => {
  const { exchanges: _none, ...store } = createMemoryStore()
  const [a, b] = [createStandin({ store, files: 3 }), createStandin({ store, files: 3 })]
  const search = ({ fetch }: typeof a) =>
    fetch('/api/files/v1/filesets/demo/files/search', { method: 'POST', body: '{}' })
  const expectation = { expectations: [{ match: { method: 'POST' }, exactly: 1 }] }
  await search(a)
  expect(await a.control.verifyJournal(expectation)).toMatchObject({ passed: true })
  await search(b)
  for (const { control } of [a, b])
    await expect(control.verifyJournal(expectation)).rejects.toMatchObject({ type: '/problems/journal-partial' })
})

test('a store and what does not go with it are refused at the start', () => {
  const start = () => createStandin({ store: createMemoryStore(), data: '/nowhere' })
  expect(start).toThrow(StartupError)
  expect(start).toThrow(/not both/)
})
