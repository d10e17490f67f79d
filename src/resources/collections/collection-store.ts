import { type Json, stringifyJson } from '../../formats/json.ts'

/** A JSON object of the user, deeply frozen, so that everyone may share it. */
export interface StoredDocument {
  readonly value: DocumentValue
  /** Characters of its JSON text. */
  readonly length: number
}

/** An event of a user's handler on documents. */
export type DocumentEvent =
  | { readonly type: 'create-document'; readonly collection: string; readonly id: string; readonly document: object }
  | { readonly type: 'update-document'; readonly collection: string; readonly id: string; readonly document: object }
  | { readonly type: 'remove-document'; readonly collection: string; readonly id: string }

export type DocumentValue = Readonly<Record<string, Json>>

/** The documents of one collection by id, in the order they were created. A copy shares them until one of the two changes. */
export interface Documents extends Iterable<readonly [id: string, document: StoredDocument]> {
  readonly size: number
  /** How many were ever created, so that counted ids are never used twice. */
  readonly made: number
  /** Characters of all of them together. */
  readonly length: number
  get(id: string): StoredDocument | undefined
  copy(): OwnedDocuments
}

/** Documents that their owner changes. */
export interface OwnedDocuments extends Documents {
  add(id: string, document: StoredDocument): void
  replace(id: string, document: StoredDocument): void
  remove(id: string): void
}

/** The most collections of a state, documents of a collection, and characters of JSON of one document and of all. */
export const LIMITS = { collections: 100, documents: 10_000, document: 2 ** 20, all: 64 * 2 ** 20 } as const
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
export const COLLECTION_NAME = 'up to 100 letters, digits and -._~'
/** What `isDocumentId` accepts, in words. */
export const DOCUMENT_ID = 'a text of 1 to 200 characters'

export function isCollectionName(name: unknown): name is string {
  return typeof name === 'string' && /^[\w.~-]{1,100}$/.test(name)
}

export function isDocumentId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && id.length <= 200
}

/** @param made how many were ever created */
export function createDocuments(
  documents: Iterable<readonly [id: string, document: StoredDocument]> = [],
  made = 0,
): OwnedDocuments {
  const held = new Map(documents)
  let length = 0
  for (const document of held.values()) length += document.length
  return new SharedDocuments(held, Math.max(made, held.size), length)
}

/** A class, because each fork copies up to a hundred of them: without closures one takes a few dozen bytes. */
class SharedDocuments implements OwnedDocuments {
  #held: Map<string, StoredDocument>
  /** Whether another copy may use the same map. There is no reference count, so the last owner may make one unnecessary copy. */
  #isShared = false
  made: number
  length: number

  constructor(held: Map<string, StoredDocument>, made: number, length: number) {
    this.#held = held
    this.made = made
    this.length = length
  }

  get size(): number {
    return this.#held.size
  }

  get(id: string): StoredDocument | undefined {
    return this.#held.get(id)
  }

  copy(): OwnedDocuments {
    const copy = new SharedDocuments(this.#held, this.made, this.length)
    this.#isShared = copy.#isShared = true
    return copy
  }

  add(id: string, document: StoredDocument): void {
    this.made++
    this.replace(id, document)
  }

  replace(id: string, document: StoredDocument): void {
    this.length += document.length - this.#lengthOf(id)
    this.#own().set(id, document)
  }

  remove(id: string): void {
    this.length -= this.#lengthOf(id)
    this.#own().delete(id)
  }

  [Symbol.iterator](): IterableIterator<[string, StoredDocument]> {
    return this.#held.entries()
  }

  #lengthOf(id: string): number {
    return this.#held.get(id)?.length ?? 0
  }

  #own(): Map<string, StoredDocument> {
    if (this.#isShared) this.#held = new Map(this.#held)
    this.#isShared = false
    return this.#held
  }
}

/** A value that is not JSON: what it is, and where. */
export class NoJson extends Error {
  constructor(pointer: string, what: string) {
    const place = pointer.length <= 80 ? pointer : `${pointer.slice(0, 77)}...`
    super(`${place || 'the value'} is ${what}, which is no JSON`)
  }
}

/** @throws NoJson for anything but a JSON object */
export function storeDocument(value: unknown): StoredDocument {
  const copied = freezeJson(value)
  if (typeof copied !== 'object' || copied === null || Array.isArray(copied)) throw new NoJson('', 'no object')
  return { value: copied as DocumentValue, length: stringifyJson(copied).length }
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
