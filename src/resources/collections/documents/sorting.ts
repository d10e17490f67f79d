import { type Json, stringifyJson } from '../../../base/formats/json.ts'
import type { Entry } from './stored-document.ts'
import { compareKeys, type Key, keyOf, STRUCTURE } from './key.ts'
import {
  type Condition,
  elementsOf,
  isSearch,
  matcher,
  type Place,
  readerOf,
  type Selection,
  valueReader,
} from './selection.ts'

/** What an index orders a document by. */
export interface IndexKey {
  readonly keys: readonly Key[]
  readonly seq: number
  /** Of the element, where the index has each element of a list. */
  readonly position: number
}

/** What an index has of each document, and in which order. */
export interface Sorting {
  /** The same for sortings that are the same. */
  readonly name: string
  /** Searches for a new text are the most frequent reason for a new index. */
  readonly isForText?: true
  indexKeysOf(entry: Entry): readonly IndexKey[]
  /** For each key, whether it is descending. */
  readonly directions: readonly boolean[]
  /** The latest first where the keys are equal. */
  readonly newestFirst: boolean
}

/** Never 0 for two different entries of an index. */
export function compareIndexKeys({ directions, newestFirst }: Sorting, a: IndexKey, b: IndexKey): number {
  for (let at = 0; at < directions.length; at++) {
    const compared = compareInOrder(a.keys[at] ?? null, b.keys[at] ?? null, directions[at] === true)
    if (compared !== 0) return compared
  }
  return (newestFirst ? b.seq - a.seq : a.seq - b.seq) || a.position - b.position
}

/** The order of a selection: one key for each document. */
export interface DocumentOrder extends Sorting {
  indexKeyOf(entry: Entry): IndexKey
  placeOf(entry: Entry): Place
  indexKeyAt(place: Place): IndexKey
}

export function orderOf({ order, newestFirst = false }: Pick<Selection, 'order' | 'newestFirst'>): DocumentOrder {
  const readers = order.map(({ pointer }) => readerOf(pointer))
  const directions = order.map(({ descending }) => descending)
  const indexKeyOf = (entry: Entry) =>
    indexKey(
      readers.map((read) => keyOf(read(entry))),
      entry.seq,
    )
  return {
    name: `order ${JSON.stringify([order.map(({ pointer, descending }) => [pointer, descending]), newestFirst])}`,
    indexKeyOf,
    indexKeysOf: (entry) => [indexKeyOf(entry)],
    directions,
    newestFirst,
    placeOf: (entry) => ({ values: readers.map((read) => valueIn(read(entry))), seq: entry.seq }),
    indexKeyAt: ({ values, seq }) => indexKey(values.map(keyOf), seq),
  }
}

function compareInOrder(a: Key, b: Key, descending: boolean): number {
  const order = compareKeys(a, b)
  return descending && a !== null && b !== null ? -order : order
}

/** All lists and objects have the same key, so a long one need not be read. */
function valueIn(value: Json | undefined): Json {
  return keyOf(value) === STRUCTURE ? [] : (value ?? null)
}

/** By the values that a condition compares; for a text search, and for groups of conditions, the documents that meet it. */
export function sortingFor(condition: Condition): Sorting {
  if (isSearch(condition)) {
    const matches = matcher(condition)
    return {
      name: `text ${stringifyJson(condition)}`,
      isForText: true,
      indexKeysOf: (entry) => (matches(entry) ? [indexKey([], entry.seq)] : []),
      directions: [],
      newestFirst: false,
    }
  }
  const read = valueReader(condition)
  return {
    name: 'hidden' in condition ? `hidden ${condition.hidden}` : `values ${condition.pointer}`,
    indexKeysOf: (entry) =>
      elementsOf(read(entry)).map((value, position) => indexKey([keyOf(value)], entry.seq, position)),
    directions: [false],
    newestFirst: false,
  }
}

function indexKey(keys: readonly Key[], seq: number, position = 0): IndexKey {
  return { keys, seq, position }
}
