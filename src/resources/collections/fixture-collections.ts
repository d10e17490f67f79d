import { encodePointer, isObject } from '../../formats/json.ts'
import { shown } from '../../errors/problem.ts'
import type { FixtureSection } from '../fixture-reader.ts'
import { createDocuments, type Documents } from './documents/documents.ts'
import {
  COLLECTION_NAME,
  DOCUMENT_ID,
  findExceeded,
  isCollectionName,
  isDocumentId,
  type Limit,
  LIMITS,
} from './documents/limits.ts'
import { NoJson, type StoredDocument, storeDocument } from './documents/stored-document.ts'

/** The documents of one collection in fixtures. */
export interface CollectionFixture {
  readonly documents: Documents
  /** Whether they are all that it begins with; else they are added to those that its contract gives it. */
  readonly isWhole: boolean
}

/** The documents of all fixture files so far, by id. */
interface Held {
  readonly documents: Map<string, StoredDocument>
  isWhole: boolean
}

type CollectionFixtures = Map<string, Held>

type Complain = (pointer: string, complaint: string) => void

const SHAPE = 'Write each document under its id: orders: { "1": { item: Lamp } }, or list all that there are.'

/** The section `collections` of fixture files. */
export const collectionFixtures: FixtureSection = {
  members: ['collections'],
  start() {
    const collections: CollectionFixtures = new Map()
    return {
      readFile: (top, { complain }) => readCollections(top.collections, collections, complain),
      finish: () => ({ collections: createCollections(collections) }),
    }
  },
}

/**
 * Reads `collections: {name: {id: document}}`. A document replaces one of the same id in an earlier file. A list of documents replaces
 * all of them, also those that the contract gives the collection: `collections: {orders: []}`.
 */
function readCollections(value: unknown, into: CollectionFixtures, complain: Complain): void {
  for (const [name, documents] of entriesOf(value, '/collections', 'The collections', complain)) {
    const pointer = `/collections/${encodePointer(name)}`
    if (!isCollectionName(name))
      complain(pointer, `A collection is named by ${COLLECTION_NAME}, not ${shown(name)}. Rename it.`)
    const held = into.get(name) ?? { documents: new Map<string, StoredDocument>(), isWhole: false }
    into.set(name, held)
    const isList = Array.isArray(documents)
    if (isList) {
      held.documents.clear()
      held.isWhole = true
    }
    const entries = isList
      ? listed(documents)
      : entriesOf(documents, pointer, `The collection ${shown(name)}`, complain)
    for (const [index, [id, document]] of entries.entries()) {
      const stored = readDocument(id, document, `${pointer}/${isList ? index : encodePointer(id)}`, complain)
      if (stored) held.documents.set(id, stored)
    }
    refuseExcess({ documents: held.documents.size }, pointer, name, complain)
  }
  const all = [...into.values()]
    .flatMap(({ documents }) => [...documents.values()])
    .reduce((sum, one) => sum + one.length, 0)
  refuseExcess({ collections: into.size, all }, '/collections', '', complain)
}

const EXCESS: Readonly<Record<Limit, (most: number, size: number, name: string) => string>> = {
  collections: (most, size) => `There are at most ${most} collections; these are ${size}. Remove some.`,
  documents: (most, size, name) => `A collection has at most ${most} documents; ${name} has ${size}. Remove some.`,
  document: (most, size) => `A document has at most ${most} characters of JSON; this one has ${size}.`,
  all: (most, size) => `All documents have at most ${most} characters; these have ${size}.`,
}

function refuseExcess(sizes: Partial<Record<Limit, number>>, pointer: string, name: string, complain: Complain): void {
  for (const [limit, size] of findExceeded(sizes)) complain(pointer, EXCESS[limit](LIMITS[limit], size, name))
}

/** The collections of the initial state. `nextId` continues after the largest id that is a number. */
function createCollections(fixtures: CollectionFixtures): ReadonlyMap<string, CollectionFixture> {
  return new Map(
    [...fixtures].map(([name, { documents, isWhole }]) => [
      name,
      { documents: createDocuments(documents, largestNumber(documents.keys())), isWhole },
    ]),
  )
}

/** The documents of a list by their `id`, or by their place in it. */
function listed(documents: readonly unknown[]): [string, unknown][] {
  return documents.map((one, index) => {
    const id = isObject(one) ? one.id : undefined
    return [typeof id === 'string' || typeof id === 'number' ? String(id) : String(index + 1), one]
  })
}

function readDocument(id: string, value: unknown, pointer: string, complain: Complain): StoredDocument | undefined {
  if (!isDocumentId(id)) {
    complain(pointer, `The id of a document is ${DOCUMENT_ID}, not ${shown(id)}.`)
    return undefined
  }
  try {
    const stored = storeDocument(value)
    refuseExcess({ document: stored.length }, pointer, '', complain)
    return stored
  } catch (error) {
    if (!(error instanceof NoJson)) throw error
    complain(pointer, `The document ${shown(id)} must be a JSON object: ${error.message}. ${SHAPE}`)
    return undefined
  }
}

function entriesOf(value: unknown, pointer: string, what: string, complain: Complain): [string, unknown][] {
  if (value === undefined || value === null) return []
  if (isObject(value)) return Object.entries(value)
  complain(pointer, `${what} must be a mapping; it is ${shown(value)}. ${SHAPE}`)
  return []
}

function largestNumber(ids: Iterable<string>): number {
  let largest = 0
  for (const id of ids) if (/^\d{1,15}$/.test(id)) largest = Math.max(largest, Number(id))
  return largest
}
