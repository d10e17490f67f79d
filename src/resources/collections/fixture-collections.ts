import { encodePointer, isObject, type Members } from '../../base/formats/json.ts'
import { shown, type Violation } from '../../base/errors/problem.ts'
import type { FixtureSection } from '../fixture-reader.ts'
import { createDocuments, type Documents } from './documents/documents.ts'
import {
  NoJson,
  type StoredDocument,
  storeDocument,
  COLLECTION_NAME,
  DOCUMENT_ID,
  findExceeded,
  isCollectionName,
  isDocumentId,
  type Limit,
  LIMITS,
} from './documents/stored-document.ts'
import type { Complain } from './lifecycles/read-transitions.ts'

/** The documents of one collection in fixtures. */
export interface CollectionFixture {
  readonly documents: Documents
  /** Whether they replace the documents that the contract gives the collection, rather than being added to them. */
  readonly isWhole: boolean
}

/** How the documents of fixtures are checked. */
export interface FixtureRules {
  /** Why the collection does not exist, as sentences; undefined if it does, or if handlers may use it. */
  refuseName(name: string): string | undefined
  /** The id in a document; undefined if it follows only from its key or index. */
  idIn(name: string, value: Members): string | undefined
  /** The violations that remain in a document after missing members are filled in. @param key under which it is written; undefined in a list */
  findWrong(name: string, document: GivenDocument): readonly Violation[]
  /** The members of a document that its collection does not know, with the one that was probably meant, by their pointers. */
  findUnknown(name: string, value: Members): ReadonlyMap<string, string>
  /** Why nested collections such as `customers/7/orders` have no parent item, as sentences by their names. */
  findOrphans(fixtures: ReadonlyMap<string, CollectionFixture>): ReadonlyMap<string, string>
}

export interface GivenDocument {
  readonly id: string
  readonly key: string | undefined
  readonly value: Members
}

/** The documents of all fixture files so far, by id. */
interface LoadedCollection {
  readonly documents: Map<string, StoredDocument>
  isWhole: boolean
  /** Reports a problem at the collection in the last file that contains it. */
  complain(complaint: string): void
}

type CollectionFixtures = Map<string, LoadedCollection>

const SHAPE = 'Write each document under its id: orders: { "1": { item: Lamp } }, or list all that there are.'

/** The section `collections` of fixture files. */
export const collectionFixtures: FixtureSection = {
  members: ['collections'],
  start({ collections: { fixtures: rules } }) {
    const collections: CollectionFixtures = new Map()
    return {
      readFile: (top, reader) => readCollections(top.collections, collections, { ...reader, rules }),
      check() {
        if (collections.size === 0) return
        for (const [name, why] of rules.findOrphans(createCollections(collections)))
          collections.get(name)?.complain(why)
      },
      finish: () => ({ collections: createCollections(collections) }),
    }
  },
}

/**
 * Reads `collections: {name: {id: document}}`. A document replaces one of the same id in an earlier file. A list of documents replaces
 * all of them, also those that the contract gives the collection: `collections: {orders: []}`.
 */
function readCollections(value: unknown, into: CollectionFixtures, reader: CollectionReader): void {
  const { complain, rules } = reader
  for (const [name, documents] of entriesOf(value, '/collections', 'The collections', complain)) {
    const pointer = `/collections/${encodePointer(name)}`
    if (!isCollectionName(name))
      complain(pointer, `A collection is named by ${COLLECTION_NAME}, not ${shown(name)}. Rename it.`)
    const unknown = rules.refuseName(name)
    if (unknown !== undefined) {
      complain(pointer, `${pointer}: ${unknown}`)
      continue
    }
    const held = {
      ...(into.get(name) ?? { documents: new Map<string, StoredDocument>(), isWhole: false }),
      complain: (complaint: string) => complain(pointer, `${pointer}: ${complaint}`),
    }
    into.set(name, held)
    const isList = Array.isArray(documents)
    if (isList) {
      held.documents.clear()
      held.isWhole = true
    }
    const entries = isList
      ? documents.map((one: unknown, index): FixtureEntry => ({ place: String(index), key: undefined, value: one }))
      : entriesOf(documents, pointer, `The collection ${shown(name)}`, complain).map(([key, one]): FixtureEntry => ({
          place: key,
          key,
          value: one,
        }))
    for (const given of entries) {
      const read = readDocument(name, given, reader)
      if (!read) continue
      if (isList && held.documents.has(read.id)) complainOfId(`${pointer}/${given.place}`, read.id, complain)
      held.documents.set(read.id, read.stored)
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

/** A document in a fixture: under a key, or in a list. */
interface FixtureEntry {
  /** The key, or the index in the list. */
  readonly place: string
  readonly key: string | undefined
  readonly value: unknown
}

interface CollectionReader {
  readonly complain: Complain
  readonly note?: Complain
  readonly rules: FixtureRules
}

/** A document in a list is identified by its id, or else by its index. */
function readDocument(
  name: string,
  { place, key, value }: FixtureEntry,
  { complain, note, rules }: CollectionReader,
): { readonly id: string; readonly stored: StoredDocument } | undefined {
  const pointer = `/collections/${encodePointer(name)}/${encodePointer(place)}`
  const own = isObject(value)
    ? (rules.idIn(name, value) ?? (key === undefined ? textOf(value.id) : undefined))
    : undefined
  const id = own ?? key ?? String(Number(place) + 1)
  if (!isDocumentId(id)) {
    complain(pointer, `The id of a document is ${DOCUMENT_ID}, not ${shown(id)}.`)
    return undefined
  }
  try {
    const stored = storeDocument(value)
    refuseExcess({ document: stored.length }, pointer, '', complain)
    for (const one of rules.findWrong(name, { id, key, value: stored.value }))
      complain(`${pointer}${one.pointer ?? ''}`, `${pointer}${one.message} Change it, or remove it.`)
    for (const [at, remedy] of rules.findUnknown(name, stored.value))
      note?.(pointer + at, `${pointer}${at} is not in the schema of ${name}.${remedy}`)
    return { id, stored }
  } catch (error) {
    if (!(error instanceof NoJson)) throw error
    complain(pointer, `The document ${shown(id)} must be a JSON object: ${error.message}. ${SHAPE}`)
    return undefined
  }
}

function textOf(id: unknown): string | undefined {
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

function complainOfId(pointer: string, id: string, complain: Complain): void {
  const expected = 'an id that no other document of the list has'
  complain(`${pointer}/id`, `${pointer}/id: expected ${expected}, got ${shown(id)}. Change it, or remove one.`)
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
