import type { StoredDocument } from './stored-document.ts'

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
