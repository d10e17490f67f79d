import { vectorOf } from '../../../engine/persistent.ts'
import { Indexes } from './indexes.ts'
import { type StoredDocument, type DocumentEntries, entriesIn, type Entry } from './stored-document.ts'

/** The documents of one collection by id, in the order they were created. A copy shares them until one of the two changes. */
export interface Documents extends Iterable<readonly [id: string, document: StoredDocument]> {
  readonly size: number
  /** How many were ever created, so that counted ids are not used again. */
  readonly made: number
  /** Characters of all of them together. */
  readonly length: number
  /** The documents as they are now: later changes do not show in it. */
  readonly entries: DocumentEntries
  readonly indexes: Indexes
  /** The ids that were removed last, and not created again since; the latest last. */
  readonly removed: Iterable<string>
  get(id: string): StoredDocument | undefined
  /** A document with its id and the number of its creation. */
  entry(id: string): Entry | undefined
  /** Whether a document with this id was recently removed. Only the last thousand are remembered. */
  wasRemoved(id: string): boolean
  /** An earlier version of the documents, or else the earliest known one; undefined if nothing was changed. */
  before(changes: number): OwnedDocuments | undefined
  copy(): OwnedDocuments
}

/** Documents that their owner changes. */
export interface OwnedDocuments extends Documents {
  add(id: string, document: StoredDocument): void
  replace(id: string, document: StoredDocument): void
  remove(id: string): void
}

/** Earlier versions that a collection remembers. Each shares most of its memory with the next. */
const MOST_PAST = 4

/** Removed ids that a collection remembers. */
export const MOST_REMOVED = 1000

/**
 * @param documents each with the number of its creation, if that is not the one after the document before it
 * @param made how many were ever created
 */
export function createDocuments(
  documents: Iterable<readonly [id: string, document: StoredDocument, seq?: number]> = [],
  made = 0,
  removed: Iterable<string> = [],
): OwnedDocuments {
  const entries: Entry[] = []
  const places = new Map<string, number>()
  for (const [id, document, seq = (entries.at(-1)?.seq ?? 0) + 1] of documents) {
    places.set(id, entries.length)
    entries.push({ id, seq, document })
  }
  return new SharedDocuments({
    entries: vectorOf<Entry | undefined>(undefined, entries),
    places,
    end: entries.length,
    made: Math.max(made, entries.at(-1)?.seq ?? 0),
    length: entries.reduce((sum, { document }) => sum + document.length, 0),
    removed: new Set(removed),
    past: NO_PAST,
  })
}

/** The id of the document that was created first. */
export function firstId(documents: Documents | undefined): string | undefined {
  for (const [id] of documents ?? []) return id
  return undefined
}

interface DocumentsContent {
  readonly entries: DocumentEntries
  /** By id, the index in the entries. */
  readonly places: Map<string, number>
  /** The index of the next document. */
  readonly end: number
  readonly made: number
  readonly length: number
  readonly removed: Set<string>
  readonly past: readonly DocumentEntries[]
}

const NO_PAST: readonly DocumentEntries[] = []

/** A class, because each fork copies up to ten thousand of them: without closures one takes a few dozen bytes. */
class SharedDocuments implements OwnedDocuments {
  entries: DocumentEntries
  made: number
  length: number
  #end: number
  #places: Map<string, number>
  #removed: Set<string>
  /** The latest last. */
  #past: readonly DocumentEntries[]
  #indexes: Indexes | undefined
  /** Whether another copy may use the same map and set. There is no reference count, so the last owner may make one unnecessary copy. */
  #isShared = false

  constructor({ entries, places, end, made, length, removed, past }: DocumentsContent) {
    this.#past = past
    this.entries = entries
    this.made = made
    this.length = length
    this.#end = end
    this.#places = places
    this.#removed = removed
  }

  get size(): number {
    return this.#places.size
  }

  get indexes(): Indexes {
    return (this.#indexes ??= new Indexes())
  }

  get removed(): Iterable<string> {
    return this.#removed
  }

  get(id: string): StoredDocument | undefined {
    return this.entry(id)?.document
  }

  entry(id: string): Entry | undefined {
    const place = this.#places.get(id)
    return place === undefined ? undefined : this.entries.get(place)
  }

  wasRemoved(id: string): boolean {
    return this.#removed.has(id)
  }

  before(changes: number): OwnedDocuments | undefined {
    const entries = this.#past.at(-changes) ?? this.#past[0]
    return entries && createDocuments([...entriesIn(entries)].map(({ id, document, seq }) => [id, document, seq]))
  }

  copy(): OwnedDocuments {
    this.#isShared = true
    const { entries, made, length } = this
    const copy = new SharedDocuments({
      entries,
      made,
      length,
      end: this.#end,
      places: this.#places,
      removed: this.#removed,
      past: this.#past,
    })
    copy.#isShared = true
    copy.#indexes = this.#indexes?.copy()
    return copy
  }

  add(id: string, document: StoredDocument): void {
    this.#own()
    const place = this.#end++
    this.made++
    this.length += document.length
    this.#places.set(id, place)
    this.#removed.delete(id)
    this.#change(place, { id, seq: this.made, document })
  }

  replace(id: string, document: StoredDocument): void {
    const place = this.#places.get(id)
    const known = place === undefined ? undefined : this.entries.get(place)
    if (place === undefined || !known) return
    this.length += document.length - known.document.length
    this.#change(place, { id, seq: known.seq, document })
  }

  remove(id: string): void {
    const place = this.#places.get(id)
    if (place === undefined) return
    this.#own()
    this.length -= this.entries.get(place)?.document.length ?? 0
    this.#places.delete(id)
    this.#change(place, undefined)
    this.#removed.add(id)
    for (const oldest of this.#removed) {
      if (this.#removed.size <= MOST_REMOVED) break
      this.#removed.delete(oldest)
    }
    if (this.#end > 2 * this.size + 1024) this.#closeUp()
  }

  *[Symbol.iterator](): Generator<[string, StoredDocument], undefined> {
    for (const { id, document } of entriesIn(this.entries)) yield [id, document]
  }

  #change(place: number, entry: Entry | undefined): void {
    this.#past = [...this.#past.slice(1 - MOST_PAST), this.entries]
    this.entries = this.entries.set(place, entry)
  }

  /** Forgets the places of removed documents. */
  #closeUp(): void {
    const entries = [...entriesIn(this.entries)]
    this.entries = vectorOf<Entry | undefined>(undefined, entries)
    this.#places = new Map(entries.map(({ id }, place) => [id, place]))
    this.#end = entries.length
  }

  #own(): void {
    if (!this.#isShared) return
    this.#places = new Map(this.#places)
    this.#removed = new Set(this.#removed)
    this.#isShared = false
  }
}
