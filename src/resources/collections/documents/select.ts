import { createOwnedCache } from '../../../base/cache.ts'
import { stringifyJson } from '../../../base/formats/json.ts'
import { NotReady } from '../../handler.ts'
import { firstIndex } from '../../../base/first-index.ts'
import { runFewSteps, runSteps, type Steps } from '../../../engine/slices.ts'
import type { Documents } from './documents.ts'
import { type DocumentEntries, entriesIn, type Entry } from './stored-document.ts'
import { type Index, type Indexes, placeIn, indexKeyAt } from './indexes.ts'
import { compareKeys, isEqual, type Key, keyOf, kindOf, STRUCTURE } from './key.ts'
import {
  type Condition,
  elementsOf,
  isAbove,
  isBelow,
  isSearch,
  matcher,
  type Place,
  type KeyRange,
  type Selection,
  valueReader,
} from './selection.ts'
import { compareIndexKeys, type DocumentOrder, orderOf, sortingFor } from './sorting.ts'

/** The documents of a selection, in its order. */
export interface SelectedDocuments {
  readonly count: number
  /** The latest window is kept: what is made of it can be kept by it. */
  slice(offset: number, limit: number): readonly Entry[]
  /** The index of the first document that comes after a place. */
  indexAfter(place: Place): number
  placeOf(entry: Entry): Place
}

/** Selects at once. Of many documents it may take long to make an index: where a request waits, use `selectInSteps`. */
export function select(documents: Documents, selection: Selection): SelectedDocuments {
  return runSteps(selectInSteps(documents, selection))
}

/** At most this many steps, a few milliseconds. With an existing index, selecting takes fewer. */
const AT_ONCE = 4

/** Selects at once if few steps suffice. @throws NotReady if an index must be made first; its progress is kept */
export function selectNow(documents: Documents, selection: Selection): SelectedDocuments {
  const steps = selectInSteps(documents, selection)
  const selected = runFewSteps(steps, AT_ONCE)
  if (!selected) throw new NotReady(steps)
  return selected
}

/** Up to this many documents are checked or sorted without an index. */
const FEW = 256

/**
 * Selections of entries, which never change: a walk asks for the same with each page, and many clients do. Bytes, of all collections
 * together.
 */
const recent = createOwnedCache<string, SelectedDocuments>({
  most: 2 ** 24,
  sizeOf: ({ count }) => count * (count <= FEW ? 128 : 8) + LONGEST_NAME,
})
const LONGEST_NAME = 2048

/** Selects from the documents as they are at the first step. */
export function* selectInSteps({ size, entries, indexes }: Documents, selection: Selection): Steps<SelectedDocuments> {
  const name = stringifyJson(selection)
  const known = recent.get(entries, name)
  if (known) return known
  const { conditions } = selection
  const order = orderOf(selection)
  const selected =
    size <= FEW
      ? selectedBySorting([...entriesIn(entries)].filter(meets(conditions)), order)
      : yield* selectByIndexes(entries, indexes, { conditions, order })
  if (name.length <= LONGEST_NAME) recent.set(entries, name, selected)
  return selected
}

function* selectByIndexes(
  entries: DocumentEntries,
  indexes: Indexes,
  { conditions, order }: { readonly conditions: readonly Condition[]; readonly order: DocumentOrder },
): Steps<SelectedDocuments> {
  if (conditions.length === 0) return selectedByIndex(yield* indexes.refresh(order, entries), order)
  const found = yield* search(entries, indexes, conditions)
  if ('few' in found) return selectedBySorting(found.few, order)
  const { postings } = yield* indexes.refresh(order, entries)
  return selectedByIndex({ entries, postings: markedPostings(postings, found) }, order)
}

function meets(conditions: readonly Condition[]): (entry: Entry) => boolean {
  const matchers = conditions.map(matcher)
  return (entry) => matchers.every((matches) => matches(entry))
}

function selectedBySorting(entries: readonly Entry[], order: DocumentOrder): SelectedDocuments {
  const keyed = entries.map((entry) => ({ entry, key: order.indexKeyOf(entry) }))
  keyed.sort((a, b) => compareIndexKeys(order, a.key, b.key))
  return selected(keyed.length, (at) => keyed[at]?.entry, order)
}

function selectedByIndex({ entries, postings }: Index, order: DocumentOrder): SelectedDocuments {
  return selected(postings.length, (at) => entries.get(placeIn(postings[at] ?? 0)), order)
}

function selected(count: number, entryAt: (at: number) => Entry | undefined, order: DocumentOrder): SelectedDocuments {
  let latest: { readonly offset: number; readonly limit: number; readonly entries: readonly Entry[] } | undefined
  return {
    count,
    slice(offset, limit) {
      if (latest?.offset === offset && latest.limit === limit) return latest.entries
      const entries: Entry[] = []
      for (let at = offset; at < Math.min(count, offset + limit); at++) {
        const entry = entryAt(at)
        if (entry) entries.push(entry)
      }
      latest = { offset, limit, entries }
      return entries
    },
    indexAfter(place) {
      const key = order.indexKeyAt(place)
      return firstIndex(count, (at) => {
        const entry = entryAt(at)
        return entry !== undefined && compareIndexKeys(order, order.indexKeyOf(entry), key) > 0
      })
    },
    placeOf: order.placeOf,
  }
}

/** By place in the entries, how many conditions a document met one after the other. */
interface Marks {
  readonly marks: Uint16Array
  /** The mark of documents that met all conditions. */
  readonly all: number
  readonly count: number
}

/** Continues without indexes once few documents are left. */
function* search(
  entries: DocumentEntries,
  indexes: Indexes,
  conditions: readonly Condition[],
): Steps<Marks | { readonly few: readonly Entry[] }> {
  const marks = new Uint16Array(entries.length)
  // A new search text is looked up in all documents.
  const inOrder = [...conditions].sort((a, b) => Number(isSearch(a)) - Number(isSearch(b)))
  let count = 0
  for (const [at, condition] of inOrder.entries()) {
    const ranges = yield* rangesOf(condition, entries, indexes)
    count = 0
    for (const range of ranges) {
      for (const posting of range) {
        const place = placeIn(posting)
        if (marks[place] !== at) continue
        marks[place] = at + 1
        count++
      }
    }
    if (count > FEW) continue
    const left = ranges.flatMap((range) => [...range].map(placeIn).filter((place) => marks[place] === at + 1))
    const few = [...new Set(left)].map((place) => entries.get(place)).filter((entry) => entry !== undefined)
    return { few: few.filter(meets(inOrder.slice(at + 1))) }
  }
  return { marks, all: inOrder.length, count }
}

/** The postings of marked documents. */
function markedPostings(postings: Float64Array, { marks, all, count }: Marks): Float64Array {
  const left = new Float64Array(count)
  let filled = 0
  for (const posting of postings) if (marks[placeIn(posting)] === all) left[filled++] = posting
  return left
}

/** The postings of the documents that meet a condition. */
function* rangesOf(condition: Condition, entries: DocumentEntries, indexes: Indexes): Steps<readonly Float64Array[]> {
  const sorting = sortingFor(condition)
  const index = yield* indexes.refresh(sorting, entries)
  const { postings } = index
  if (isSearch(condition)) return [postings]
  const first: First = (holds) =>
    firstIndex(postings.length, (at) => holds(indexKeyAt(index, at, sorting)?.keys[0] ?? null))
  if ('oneOf' in condition) {
    const read = valueReader(condition)
    return condition.oneOf.map((value) => {
      const key = keyOf(value)
      const equal = postings.subarray(
        first((other) => compareKeys(other, key) >= 0),
        first((other) => compareKeys(other, key) > 0),
      )
      if (key !== STRUCTURE) return equal
      return equal.filter((posting) => {
        const entry = entries.get(placeIn(posting))
        return entry && elementsOf(read(entry)).some((one) => isEqual(one, value))
      })
    })
  }
  return [postings.subarray(...limitsOf(condition, first))]
}

/** The index of the first posting whose key passes a test that all later ones pass too. */
type First = (holds: (key: Key) => boolean) => number

function limitsOf({ from, to }: KeyRange, first: First): [start: number, end: number] {
  const bound = from ?? to
  if (!bound) return [0, Infinity]
  const kind = kindOf(keyOf(bound.value))
  if (to && kindOf(keyOf(to.value)) !== kind) return [0, 0]
  return [
    first((key) => (from ? !isBelow(key, from) : kindOf(key) >= kind)),
    first((key) => (to ? isAbove(key, to) : kindOf(key) > kind)),
  ]
}
