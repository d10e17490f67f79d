import type { StoredCollection } from '../../../types/control-api.d.ts'
import { type EventKind, type OwnedState, type State, stateChange, type StatePart } from '../../engine/state.ts'
import { type Violation, violation } from '../../errors/problem.ts'
import { counted } from '../../errors/wording.ts'
import { requestInvalid } from '../../errors/request-errors.ts'
import type { ResourceFactory } from '../resource.ts'
import { collectionFixtures } from './fixture-collections.ts'
import { createDocuments, type Documents, type OwnedDocuments } from './documents/documents.ts'
import { COLLECTION_NAME, DOCUMENT_ID, isCollectionName, isDocumentId, type Limit, LIMITS } from './documents/limits.ts'
import { type StoredDocument, storeDocument } from './documents/stored-document.ts'

declare module '../../engine/state.ts' {
  interface State {
    /** Documents of users' operations, by collection. */
    readonly collections: ReadonlyMap<string, Documents>
  }
  interface OwnedState {
    collections: Map<string, OwnedDocuments>
  }
  interface Fixtures {
    /** Documents for users' handlers. */
    readonly collections: ReadonlyMap<string, Documents>
  }
  interface StateEvents {
    /** A collection exists from its first document on. */
    'document.created': Named & { readonly document: StoredDocument }
    'document.updated': Named & { readonly document: StoredDocument }
    'document.removed': Named
  }
}

interface Named {
  readonly collection: string
  readonly id: string
}

type Written = Named & { readonly document: StoredDocument }

/** Characters of a document that count as one part. */
const PART_OF_DOCUMENT = 1024

const DOCUMENT: Pick<EventKind<Written>, 'write' | 'read' | 'parts'> = {
  write: ({ collection, id, document }) => ({ collection, id, document: document.value }),
  read: ({ collection, id, document }: Named & { document: unknown }) => ({
    collection,
    id,
    document: storeDocument(document),
  }),
  parts: ({ document }) => Math.floor(document.length / PART_OF_DOCUMENT),
}

/** The collections of a sandbox. */
const collectionState: StatePart<'document.created' | 'document.updated' | 'document.removed'> = {
  name: 'collections',
  events: {
    'document.created': {
      ...DOCUMENT,
      publish: ({ collection, id }) => [stateChange('document.created', { collection, id })],
      evolve: (state, { collection, id, document }) => documentsOf(state, collection).add(id, document),
    },
    'document.updated': {
      ...DOCUMENT,
      publish: ({ collection, id }) => [stateChange('document.updated', { collection, id })],
      evolve: (state, { collection, id, document }) => documentsOf(state, collection).replace(id, document),
    },
    'document.removed': {
      evolve: (state, { collection, id }) => documentsOf(state, collection).remove(id),
    },
  },
  initial: ({ fixtures }) => ({ collections: fixtures.collections }),
  own(state) {
    const copies = new Map<string, OwnedDocuments>()
    for (const [name, documents] of state.collections) copies.set(name, documents.copy())
    state.collections = copies
  },
  // Most states have none.
  write: ({ collections }) => (collections.size > 0 ? { collections: [...collections].map(writeCollection) } : {}),
  read: ({ collections = [] }: { collections?: readonly StoredCollection[] }) => ({
    collections: readCollections(collections),
  }),
}

/** Documents of users' operations, whose handlers come from `defineOperation`. */
export const createCollections: ResourceFactory = () => ({
  state: collectionState,
  fixtures: collectionFixtures,
  summarise: summariseCollections,
  operations: [],
})

function summariseCollections({ collections }: State): readonly string[] {
  const documents = [...collections.values()].reduce((sum, { size }) => sum + size, 0)
  return documents === 0 ? [] : [`${counted(documents, 'document')} in ${counted(collections.size, 'collection')}`]
}

function documentsOf({ collections }: OwnedState, name: string): OwnedDocuments {
  const known = collections.get(name)
  if (known) return known
  const made = createDocuments()
  collections.set(name, made)
  return made
}

function writeCollection([name, documents]: readonly [string, Documents]): StoredCollection {
  const written = [...documents].map(([id, { value }]) => ({ id, document: value }))
  return { name, made: documents.made, documents: written }
}

/** @throws Problem 400 for what no operation could have created */
function readCollections(stored: readonly StoredCollection[]): ReadonlyMap<string, Documents> {
  const violations: Violation[] = []
  const expect = (isSo: boolean, pointer: string, expected: string, received: unknown) => {
    if (!isSo) violations.push(violation({ pointer }, 'collections', expected, received))
  }
  const limit = (name: Limit, size: number, pointer: string, unit = '') =>
    expect(size <= LIMITS[name], pointer, `at most ${LIMITS[name]}${unit}`, size)
  const collections = new Map<string, Documents>()
  limit('collections', stored.length, '/collections')
  for (const [index, { name, made, documents }] of stored.entries()) {
    const at = `/collections/${index}`
    expect(isCollectionName(name), `${at}/name`, COLLECTION_NAME, name)
    expect(!collections.has(name), `${at}/name`, 'each collection once', name)
    limit('documents', documents.length, `${at}/documents`)
    const ids = new Set<string>()
    const held = documents.map(({ id, document }, place) => {
      const where = `${at}/documents/${place}`
      expect(isDocumentId(id), `${where}/id`, DOCUMENT_ID, id)
      expect(!ids.has(id), `${where}/id`, 'each id once', id)
      ids.add(id)
      const read = storeDocument(document)
      limit('document', read.length, `${where}/document`, ' characters')
      return [id, read] as const
    })
    collections.set(name, createDocuments(held, made))
  }
  const length = [...collections.values()].reduce((sum, one) => sum + one.length, 0)
  limit('all', length, '/collections', ' characters')
  if (violations.length > 0) throw requestInvalid(violations)
  return collections
}
