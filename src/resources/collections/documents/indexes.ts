import { firstIndex } from '../../../base/first-index.ts'
import { createVector, differences } from '../../../engine/persistent.ts'
import type { Steps } from '../../../engine/slices.ts'
import { identity, sortInSteps } from '../../../engine/sort-in-steps.ts'
import type { DocumentEntries, Entry } from './stored-document.ts'
import { digitsOf } from './digits.ts'
import type { Key } from './key.ts'
import { compareIndexKeys, type Sorting, type IndexKey } from './sorting.ts'

/** The documents of a collection, sorted. It never changes, so copies of a collection share it. */
export interface Index {
  readonly entries: DocumentEntries
  /** In order; `placeIn` and `indexKeyAt` read them. */
  readonly postings: Float64Array
}

/** A posting is a place in the entries and a position in a list: a document has fewer characters than this. */
const POSITIONS = 2 ** 21

/** The place in the entries of the document that a posting is for. */
export function placeIn(posting: number): number {
  return Math.floor(posting / POSITIONS)
}

export function indexKeyAt({ entries, postings }: Index, at: number, sorting: Sorting): IndexKey | undefined {
  const posting = postings[at] ?? 0
  const entry = entries.get(placeIn(posting))
  return entry && sorting.indexKeysOf(entry)[posting % POSITIONS]
}

/** Indexes that a collection keeps: for texts, and others. Those used longest ago are dropped. */
const MOST = { texts: 4, others: 16 }

interface HeldIndex {
  index?: Index
  updating?: Steps<Index> | undefined
}

/** The indexes of a collection. A write updates none of them: the next request that needs one does. */
export class Indexes {
  readonly #texts = new Map<string, HeldIndex>()
  readonly #others = new Map<string, HeldIndex>()

  copy(): Indexes {
    const copy = new Indexes()
    for (const [name, { index }] of this.#texts) if (index) copy.#texts.set(name, { index })
    for (const [name, { index }] of this.#others) if (index) copy.#others.set(name, { index })
    return copy
  }

  /** The index of these entries, made or brought up to date. Requests that need it at the same time share the work. */
  *refresh(sorting: Sorting, entries: DocumentEntries): Steps<Index> {
    const held = this.#hold(sorting)
    while (held.index?.entries !== entries) {
      held.updating ??= update(held.index ?? NOTHING, entries, sorting)
      const step = held.updating.next()
      if (!step.done) yield
      else {
        held.index = step.value
        held.updating = undefined
      }
    }
    return held.index
  }

  #hold({ name, isForText }: Sorting): HeldIndex {
    const [all, most] = isForText ? [this.#texts, MOST.texts] : [this.#others, MOST.others]
    const held = all.get(name) ?? {}
    all.delete(name)
    all.set(name, held)
    for (const oldest of all.keys()) {
      if (all.size <= most) break
      all.delete(oldest)
    }
    return held
  }
}

const NOTHING: Index = { entries: createVector<Entry | undefined>(undefined), postings: new Float64Array() }

interface Posted {
  readonly key: IndexKey
  readonly posting: number
}

/** Where more than one in so many documents changed, sorting all is quicker than finding them. */
const MANY = 64

/** The index of other entries, from an index of some that they were changed from. */
function* update(index: Index, entries: DocumentEntries, sorting: Sorting): Steps<Index> {
  if (index.entries.length === 0) return yield* create(entries, sorting)
  const changed = [...differences(index.entries, entries)]
  if (changed.length * MANY > index.postings.length) return yield* create(entries, sorting)
  const removed = changed.flatMap((place) =>
    postingsAt(index.entries, place, sorting).map(({ key }) => firstFrom(index, key, sorting)),
  )
  const added = changed.flatMap((place) => postingsAt(entries, place, sorting))
  added.sort((a, b) => compareIndexKeys(sorting, a.key, b.key))
  const places = added.map(({ key, posting }) => [firstFrom(index, key, sorting), posting] as const)
  return {
    entries,
    postings: merge(
      index.postings,
      removed.sort((a, b) => a - b),
      places,
    ),
  }
}

/** Documents that are read in one step. */
const STEP = 1024

function* create(entries: DocumentEntries, sorting: Sorting): Steps<Index> {
  const postings: number[] = []
  const columns = sorting.directions.map((): Key[] => [])
  for (let place = 0; place < entries.length; place++) {
    const entry = entries.get(place)
    for (const { keys, position } of entry ? sorting.indexKeysOf(entry) : []) {
      postings.push(place * POSITIONS + position)
      // Counted: with entries() this is the slowest part of an index.
      for (let level = 0; level < columns.length; level++) columns[level]?.push(keys[level] ?? null)
    }
    if (place % STEP === STEP - 1) yield
  }
  let sorted = identity(postings.length)
  if (sorting.newestFirst) sorted.reverse()
  for (const [level, column] of [...columns.entries()].reverse())
    for (const digits of yield* digitsOf(column, sorting.directions[level] === true))
      sorted = yield* sortInSteps(sorted, digits)
  return { entries, postings: Float64Array.from(sorted, (at) => postings[at] ?? 0) }
}

function postingsAt(entries: DocumentEntries, place: number, sorting: Sorting): readonly Posted[] {
  const entry = entries.get(place)
  return (entry ? sorting.indexKeysOf(entry) : []).map((key) => ({ key, posting: place * POSITIONS + key.position }))
}

/** The first posting that does not come before a key. */
function firstFrom(index: Index, key: IndexKey, sorting: Sorting): number {
  return firstIndex(index.postings.length, (at) => {
    const other = indexKeyAt(index, at, sorting)
    return other !== undefined && compareIndexKeys(sorting, other, key) >= 0
  })
}

/**
 * Postings without some of them, and with others.
 *
 * @param removed ascending indexes
 * @param added each with the index that it comes before, in order
 */
function merge(
  postings: Float64Array,
  removed: readonly number[],
  added: readonly (readonly [before: number, posting: number])[],
): Float64Array {
  const merged = new Float64Array(postings.length - removed.length + added.length)
  let [taken, filled, gone] = [0, 0, 0]
  const take = (end: number) => {
    if (end <= taken) return
    merged.set(postings.subarray(taken, end), filled)
    filled += end - taken
    taken = end
  }
  const takeUntil = (end: number) => {
    for (let next = removed[gone]; next !== undefined && next < end; next = removed[++gone]) {
      take(next)
      taken = next + 1
    }
    take(end)
  }
  for (const [before, posting] of added) {
    takeUntil(before)
    merged[filled++] = posting
  }
  takeUntil(postings.length)
  return merged
}
