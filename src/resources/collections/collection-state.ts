import type { StoredCollection } from '../../../types/control-api.d.ts'
import { NotReady } from '../handler.ts'
import { type EventKind, type OwnedState, type State, stateChange, type StatePart } from '../../engine/state.ts'
import type { CollectionFixture } from './fixture-collections.ts'
import type { Seeds } from './seeds/seeds.ts'
import { type TimedLifecycles, TransitionScheduler } from './lifecycles/transition-scheduler.ts'
import { createDocuments, type Documents, type OwnedDocuments } from './documents/documents.ts'
import { readCollections, writeCollection } from './documents/state-document.ts'
import { type HiddenFacts, type StoredDocument, storeDocument, writeDocument } from './documents/stored-document.ts'

declare module '../../engine/state.ts' {
  interface State {
    /** Documents of collections that were changed, or that fixtures have, by the name of the instance. */
    readonly collections: ReadonlyMap<string, Documents>
    /** The initial documents of all other instances. */
    readonly collectionSeeds: Seeds
    /** The seed that these are made by: that of the configuration. A sandbox may have another seed for what happens later. */
    readonly collectionSeed: number
  }
  interface OwnedState {
    collections: Map<string, OwnedDocuments>
    collectionSeeds: Seeds
  }
  interface Fixtures {
    /** Documents for users' handlers. */
    readonly collections: ReadonlyMap<string, CollectionFixture>
  }
  interface StateEvents {
    /** A collection exists from its first document on. */
    'document.created': NamedDocument & { readonly document: StoredDocument }
    'document.updated': NamedDocument & { readonly document: StoredDocument }
    'document.removed': NamedDocument
  }
}

interface NamedDocument {
  readonly collection: string
  readonly id: string
}

type DocumentWrite = NamedDocument & { readonly document: StoredDocument }

interface WrittenCollections {
  readonly seed: number
  readonly collectionSeed?: number
  readonly collections?: readonly StoredCollection[]
}

/** Characters of a document that count as one part. */
const PART_OF_DOCUMENT = 1024

const DOCUMENT: Pick<EventKind<DocumentWrite>, 'write' | 'read' | 'parts'> = {
  write: ({ collection, id, document }) => ({ collection, id, ...writeDocument(document) }),
  read: ({ collection, id, document, hidden }: NamedDocument & { document: unknown; hidden?: HiddenFacts }) => ({
    collection,
    id,
    document: storeDocument(document, hidden),
  }),
  parts: ({ document }) => Math.floor(document.length / PART_OF_DOCUMENT),
}

const NO_COUNT = {}

/**
 * The collections of a sandbox.
 *
 * @param seeds what they begin with
 * @param lifecycles what time changes in them
 */
export const createCollectionState = (
  seeds: () => Seeds,
  lifecycles: () => TimedLifecycles,
): StatePart<'document.created' | 'document.updated' | 'document.removed'> => ({
  name: 'collections',
  createScheduler: (sandbox) => (lifecycles().isEmpty ? undefined : new TransitionScheduler(sandbox, lifecycles)),
  events: {
    'document.created': {
      ...DOCUMENT,
      publish: ({ collection, id }) => [stateChange('document.created', { collection, id })],
      evolve: (state, { collection, id, document }) => ownDocuments(state, collection).add(id, document),
    },
    'document.updated': {
      ...DOCUMENT,
      publish: ({ collection, id }) => [stateChange('document.updated', { collection, id })],
      evolve: (state, { collection, id, document }) => ownDocuments(state, collection).replace(id, document),
    },
    'document.removed': {
      evolve: (state, { collection, id }) => ownDocuments(state, collection).remove(id),
    },
  },
  initial: ({ fixtures, seed }) => ({
    collections: seeds().takeFixtures(fixtures.collections),
    collectionSeeds: seeds(),
    collectionSeed: seed,
  }),
  rebase(state, { collectionSeeds }) {
    state.collectionSeeds = collectionSeeds
  },
  count({ collections, collectionSeeds, collectionSeed }) {
    const held = documentsShown(collections)
    const untouched = collectionSeeds.names.filter((name) => !collections.has(name))
    if (held.length === 0 && untouched.length === 0) return NO_COUNT
    const counts = untouched.map((name) => collectionSeeds.count(collectionSeed, name) ?? 0)
    return { documents: [...held.map(([, { size }]) => size), ...counts].reduce((sum, count) => sum + count, 0) }
  },
  own(state) {
    const copies = new Map<string, OwnedDocuments>()
    for (const [name, documents] of state.collections) copies.set(name, documents.copy())
    state.collections = copies
  },
  // Most states have neither.
  write(state, { list, beside }) {
    const { collections, collectionSeed, seed } = state
    const names = new Set([...collections.keys(), ...(beside?.collections.keys() ?? [])])
    const held = [...names].flatMap((name) => {
      const documents = documentsOf(state, name)
      return documents ? [[name, documents] as const] : []
    })
    return {
      ...(collectionSeed === seed ? {} : { collectionSeed }),
      ...(held.length > 0 ? { collections: list(held, ([name, one]) => writeCollection(name, one, list)) } : {}),
    }
  },
  *read({ collections = [], seed, collectionSeed = seed }: WrittenCollections, { rules }) {
    return { collections: yield* readCollections(collections, rules), collectionSeeds: seeds(), collectionSeed }
  },
})

/** Responses by idempotency key. They are documents so that forks, logs and replays have them, but no client can see them as such. */
export const IDEMPOTENCY_KEYS = '~idempotency-keys'

/** Those of the service. */
export function documentsShown(collections: State['collections']): readonly (readonly [string, Documents])[] {
  return [...collections].filter(([name]) => name !== IDEMPOTENCY_KEYS)
}

/** The documents of an instance; undefined when it has never had any. */
export function documentsOf(
  { collections, collectionSeeds, collectionSeed }: State,
  name: string,
): Documents | undefined {
  return collections.get(name) ?? collectionSeeds.get(collectionSeed, name)
}

/** Whether an instance has a document. Those that it begins with need not be made for that. @throws NotReady for many ids that are to be made first */
export function hasDocument(
  { collections, collectionSeeds, collectionSeed }: State,
  name: string,
  id: string,
): boolean {
  const changed = collections.get(name)
  if (changed) return changed.get(id) !== undefined
  const making = collectionSeeds.makeManyIds(collectionSeed, name)
  if (making) throw new NotReady(making)
  return collectionSeeds.has(collectionSeed, name, id)
}

/** Makes the documents of an instance between other requests; undefined when they are there. */
export function prepareDocuments(
  { collections, collectionSeeds, collectionSeed }: State,
  name: string,
): Promise<void> | undefined {
  return collections.has(name) ? undefined : collectionSeeds.prepare(collectionSeed, name)
}

/** Call this before documents are read at once, where `prepareDocuments` was not called. @throws NotReady for many that are to be made first */
export function requireDocuments({ collections, collectionSeeds, collectionSeed }: State, name: string): void {
  const making = collections.has(name) ? undefined : collectionSeeds.makeMany(collectionSeed, name)
  if (making) throw new NotReady(making)
}

function ownDocuments(state: OwnedState, name: string): OwnedDocuments {
  const known = state.collections.get(name)
  if (known) return known
  const made = state.collectionSeeds.get(state.collectionSeed, name)?.copy() ?? createDocuments()
  state.collections.set(name, made)
  return made
}
