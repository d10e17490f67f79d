import { encodePointer, isObject } from '../../formats/json.ts'
import { shown } from '../../errors/problem.ts'
import type { FixtureSection } from '../fixture-reader.ts'
import {
  COLLECTION_NAME,
  createDocuments,
  DOCUMENT_ID,
  type Documents,
  isCollectionName,
  isDocumentId,
  LONGEST_COLLECTIONS,
  LONGEST_DOCUMENT,
  MOST_COLLECTIONS,
  MOST_DOCUMENTS,
  NoJson,
  type StoredDocument,
  storeDocument,
} from './collection-store.ts'

/** Documents by id by the name of their collection, of all fixture files so far. */
type CollectionFixtures = Map<string, Map<string, StoredDocument>>

type Complain = (pointer: string, complaint: string) => void

const SHAPE = 'Write each document under its id: orders: { "1": { item: Lamp } }.'

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

/** Reads `collections: {name: {id: document}}`. A document takes the place of one of the same id in a file before. */
function readCollections(value: unknown, into: CollectionFixtures, complain: Complain): void {
  for (const [name, documents] of entriesOf(value, '/collections', 'The collections', complain)) {
    const pointer = `/collections/${encodePointer(name)}`
    if (!isCollectionName(name))
      complain(pointer, `A collection is named by ${COLLECTION_NAME}, not ${shown(name)}. Rename it.`)
    const held = into.get(name) ?? new Map<string, StoredDocument>()
    into.set(name, held)
    for (const [id, document] of entriesOf(documents, pointer, `The collection ${shown(name)}`, complain)) {
      const stored = readSourceFile(id, document, (complaint) => complain(`${pointer}/${encodePointer(id)}`, complaint))
      if (stored) held.set(id, stored)
    }
    if (held.size > MOST_DOCUMENTS)
      complain(pointer, `A collection has at most ${MOST_DOCUMENTS} documents; ${name} has ${held.size}. Remove some.`)
  }
  const length = [...into.values()].flatMap((held) => [...held.values()]).reduce((sum, one) => sum + one.length, 0)
  if (into.size > MOST_COLLECTIONS)
    complain('/collections', `There are at most ${MOST_COLLECTIONS} collections; these are ${into.size}. Remove some.`)
  if (length > LONGEST_COLLECTIONS)
    complain('/collections', `All documents have at most ${LONGEST_COLLECTIONS} characters; these have ${length}.`)
}

/** The collections that a state begins with. No id that is a number is given a second time by `nextId`. */
function createCollections(fixtures: CollectionFixtures): ReadonlyMap<string, Documents> {
  return new Map([...fixtures].map(([name, held]) => [name, createDocuments(held, largestNumber(held.keys()))]))
}

function readSourceFile(id: string, value: unknown, complain: (complaint: string) => void): StoredDocument | undefined {
  if (!isDocumentId(id)) {
    complain(`The id of a document is ${DOCUMENT_ID}, not ${shown(id)}.`)
    return undefined
  }
  try {
    const stored = storeDocument(value)
    if (stored.length <= LONGEST_DOCUMENT) return stored
    complain(`A document has at most ${LONGEST_DOCUMENT} characters of JSON; this one has ${stored.length}.`)
  } catch (error) {
    if (!(error instanceof NoJson)) throw error
    complain(`The document ${shown(id)} must be a JSON object: ${error.message}. ${SHAPE}`)
  }
  return undefined
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
