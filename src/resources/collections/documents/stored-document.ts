import { type Json, stringifyJson } from '../../../base/formats/json.ts'
import type { Vector } from '../../../engine/persistent.ts'

/** A JSON object of the user, deeply frozen, so that everyone may share it. */
export interface StoredDocument {
  readonly value: DocumentValue
  /** Facts beside the value, which no response shows: the ids of its parents, since when a status holds. Absent where there are none. */
  readonly hidden?: HiddenFacts
  /** Characters of the JSON text of both. */
  readonly length: number
}

export type HiddenFacts = Readonly<Record<string, Json>>

export type DocumentValue = Readonly<Record<string, Json>>

/** A value that is not JSON: what it is, and where. */
export class NoJson extends Error {
  constructor(pointer: string, what: string) {
    const place = pointer.length <= 80 ? pointer : `${pointer.slice(0, 77)}...`
    super(`${place || 'the value'} is ${what}, which is not JSON`)
  }
}

/** @throws NoJson for anything but JSON objects */
export function storeDocument(value: unknown, hidden: object = {}): StoredDocument {
  const [stored, facts] = [freezeMembers(value), freezeMembers(hidden)]
  const length = stringifyJson(stored).length
  if (Object.keys(facts).length === 0) return { value: stored, length }
  return { value: stored, hidden: facts, length: length + stringifyJson(facts).length }
}

/** @throws NoJson */
function freezeMembers(value: unknown): DocumentValue {
  const copied = freezeJson(value)
  if (typeof copied !== 'object' || copied === null || Array.isArray(copied)) throw new NoJson('', 'not an object')
  return copied as DocumentValue
}

/** Its members in an event and in a state document. */
export function writeDocument({ value, hidden }: StoredDocument): WrittenDocument {
  return hidden ? { document: value, hidden } : { document: value }
}

interface WrittenDocument {
  readonly document: DocumentValue
  readonly hidden?: HiddenFacts
}

/** Deeper values would overflow the stack. */
const MAX_LEVELS = 1000

/**
 * A frozen copy of a JSON value. Like `JSON.stringify` it calls `toJSON` and omits undefined members; other values that are not JSON
 * are refused, where `JSON.stringify` would change them.
 *
 * @throws NoJson
 */
export function freezeJson(value: unknown, pointer = '', levels = MAX_LEVELS): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value
    case 'number':
      if (!Number.isFinite(value)) throw new NoJson(pointer, String(value))
      return value
    case 'object':
      return value === null ? null : freezeObject(value, pointer, levels)
    case 'undefined':
    case 'function':
    case 'symbol':
      throw new NoJson(pointer, typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`)
  }
}

function freezeObject(value: object, pointer: string, levels: number): Json {
  if (levels === 0) throw new NoJson(pointer, `more than ${MAX_LEVELS} levels deep`)
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return freezeJson((value.toJSON as () => unknown)(), pointer, levels - 1)
  if (Array.isArray(value))
    return Object.freeze(value.map((one: unknown, index) => freezeJson(one, `${pointer}/${index}`, levels - 1)))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw new NoJson(pointer, `an instance of ${value.constructor.name}`)
  const members = Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    inner === undefined ? [] : [[name, freezeJson(inner, `${pointer}/${name}`, levels - 1)] as const],
  )
  return Object.freeze(Object.fromEntries(members))
}

/** A document of a collection. It is never changed: another one takes its place. */
export interface Entry {
  readonly id: string
  /** The number of its creation. Those of later documents are larger. */
  readonly seq: number
  readonly document: StoredDocument
}

/** Documents in the order they were created, by place; undefined where one was removed. */
export type DocumentEntries = Vector<Entry | undefined>

/** In the order they were created. */
export function* entriesIn({ pages }: DocumentEntries): Generator<Entry, undefined> {
  for (const page of pages) {
    for (const entry of page ?? []) if (entry) yield entry
  }
}

/**
 * The most collections of a state, documents of a collection, and characters of JSON of one document and of all. Each parent has
 * collections of its own.
 */
export const LIMITS = { collections: 10_000, documents: 200_000, document: 2 ** 20, all: 256 * 2 ** 20 } as const
export type Limit = keyof typeof LIMITS

/** The limits that sizes exceed. Fixtures, imported states and users' handlers report them in their own words. */
export function findExceeded(
  sizes: Partial<Record<Limit, number>>,
): readonly (readonly [limit: Limit, size: number])[] {
  const limits = Object.keys(LIMITS) as Limit[]
  return limits.flatMap((limit) => {
    const size = sizes[limit] ?? 0
    return size > LIMITS[limit] ? [[limit, size] as const] : []
  })
}

/** What `isCollectionName` accepts, in words. */
export const COLLECTION_NAME = "up to 300 letters, digits and -._~%!'()*, in parts with / between them"
/** What `isDocumentId` accepts, in words. */
export const DOCUMENT_ID = 'a text of 1 to 200 characters'

/** A nested collection is named by its path, ids as `encodeURIComponent` writes them: `customers/1/orders`. */
export function isCollectionName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= 300 && /^[\w.~%!'()*-]+(?:\/[\w.~%!'()*-]+)*$/.test(name)
}

export function isDocumentId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && id.length <= 200
}
