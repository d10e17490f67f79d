import type { Received } from './provocations.ts'
import { createControlledTester } from '../../support/control.ts'
import { weekly } from '../../support/tester.ts'
import { createMemoryStore, type EventStore } from '../../../src/index.ts'

/** A store in memory, one method of which does something else. */
function storeWith(changed: { readonly [Name in keyof EventStore]?: EventStore[Name] | undefined }): EventStore {
  const store = createMemoryStore()
  return new Proxy(store, {
    get: (target, name: keyof EventStore) => {
      const member = name in changed ? changed[name] : target[name]
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

function createReplica(store: EventStore) {
  return createControlledTester({ store, files: 3, clock: '2026-03-05T14:30:00Z' })
}

function refuseAll(): never {
  throw new Error('connect ECONNREFUSED')
}

export const REPLICA_PROVOCATIONS: Readonly<Record<string, () => Promise<Received>>> = {
  'sandbox-overtaken': () => createReplica(storeWith({ append: () => false })).create(weekly()),
  'store-away': () => createReplica(storeWith({ list: refuseAll })).create(weekly()),
  'journal-partial': async () => {
    const store = storeWith({ exchanges: undefined })
    const [first, second] = [createReplica(store), createReplica(store)]
    await first.create(weekly())
    await second.create(weekly())
    return first.request().get('/__mock/journal')
  },
}
