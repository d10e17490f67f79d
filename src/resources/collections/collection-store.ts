import { type Json, stringifyJson } from '../../formats/json.ts'

/** A JSON object of the user's own, frozen through and through, so that everybody may look at it. */
export interface StoredDocument {
  readonly value: DocumentValue
  /** Characters of its JSON text. */
  readonly length: number
}

export type DocumentValue = Readonly<Record<string, Json>>

/** The documents of one collection by their ids, in the order of their making. A copy shares them until one of the two changes. */
export interface Documents extends Iterable<readonly [id: string, document: StoredDocument]> {
  readonly size: number
  /** How many were ever made in it, so that ids that are counted are never used twice. */
  readonly made: number
  /** Characters of all of them together. */
  readonly length: number
  get(id: string): StoredDocument | undefined
  copy(): OwnedDocuments
}

/** Those that their owner changes. */
export interface OwnedDocuments extends Documents {
  add(id: string, document: StoredDocument): void
  replace(id: string, document: StoredDocument): void
  remove(id: string): void
}

/** Everything that can grow has a bound: collections of a state, documents of a collection, and characters of their JSON text. */
export const MOST_COLLECTIONS = 100
export const MOST_DOCUMENTS = 10_000
export const LONGEST_DOCUMENT = 2 ** 20
export const LONGEST_COLLECTIONS = 64 * 2 ** 20

/** What `isCollectionName` asks for, to be said. */
export const COLLECTION_NAME = 'up to 100 letters, digits and -._~'
/** The same of `isDocumentId`. */
export const DOCUMENT_ID = 'a text of 1 to 200 characters'

export function isCollectionName(name: unknown): name is string {
  return typeof name === 'string' && /^[\w.~-]{1,100}$/.test(name)
}

export function isDocumentId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && id.length <= 200
}

/** @param made how many were ever made; at least as many as there are */
export function createDocuments(
  documents: Iterable<readonly [id: string, document: StoredDocument]> = [],
  made = 0,
): OwnedDocuments {
  const held = new Map(documents)
  let length = 0
  for (const document of held.values()) length += document.length
  return new SharedDocuments(held, Math.max(made, held.size), length)
}

/** A class, for a state has up to a hundred of them and each fork copies all: without closures one takes a few dozen bytes. */
class SharedDocuments implements OwnedDocuments {
  #held: Map<string, StoredDocument>
  /** Whether somebody else looks at the same map. Nobody tells when he no longer does, so the one who stays may copy it for nothing. */
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

/** A value that is no JSON: what it is, and where. */
export class NoJson extends Error {
  constructor(pointer: string, what: string) {
    const place = pointer.length <= 80 ? pointer : `${pointer.slice(0, 77)}...`
    super(`${place || 'the value'} is ${what}, which is no JSON`)
  }
}

/** @throws NoJson for what is no JSON object */
export function storeDocument(value: unknown): StoredDocument {
  const copied = freezeJson(value)
  if (typeof copied !== 'object' || copied === null || Array.isArray(copied)) throw new NoJson('', 'no object')
  return { value: copied as DocumentValue, length: stringifyJson(copied).length }
}

/** Deeper values would run out of stack somewhere on their way. */
const MOST_LEVELS = 1000

/**
 * A frozen copy of a JSON value. As `JSON.stringify` does it asks `toJSON` and leaves out members that are undefined; all else that
 * has no place in JSON is refused, where that would turn it into something else.
 *
 * @throws NoJson
 */
export function freezeJson(value: unknown, pointer = '', levels = MOST_LEVELS): Json {
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
  if (levels === 0) throw new NoJson(pointer, `more than ${MOST_LEVELS} levels deep`)
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
