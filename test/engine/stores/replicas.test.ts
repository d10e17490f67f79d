import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createMemoryStore, createStandin, type EventStore, StartupError } from '../../../src/index.ts'
import { describeReplicas } from './replicas.ts'

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
  isAway = true
  await expect(standin.control.createCheckpoint({ name: 'lost' })).rejects.toMatchObject({ status: 503 })
  const response = await standin.fetch('/api/files/v1/filesets/demo/files/search', { method: 'POST', body: '{}' })
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
  isAway = false
  const { checkpoints } = await standin.control.listCheckpoints()
  expect(checkpoints.map(({ name }) => name)).toEqual(['before'])
})

test('a store and what does not go with it are refused at the start', () => {
  const start = () => createStandin({ store: createMemoryStore(), data: '/nowhere', sandboxTtl: '1h' })
  expect(start).toThrow(StartupError)
  expect(start).toThrow(/not both[^]*do not expire/)
})
