import { createVector, differences, firstIndex } from '../../../engine/persistent.ts'
import type { Steps } from '../../../engine/slices.ts'
import { identity, sortInSteps } from '../../../engine/sort-in-steps.ts'
import type { Entries, Entry } from './entry.ts'
import { digitsOf } from './digits.ts'
import type { Key } from './key.ts'
import { compareSpots, type Sorting, type Spot } from './sorting.ts'

/** The documents of a collection, sorted. It never changes, so copies of a collection share it. */
export interface Index {
  readonly entries: Entries
  /** In order; `placeIn` and `spotAt` read them. */
  readonly postings: Float64Array
}

/** A posting is a place in the entries and a position in a list: a document has fewer characters than this. */
const POSITIONS = 2 ** 21

/** The place in the entries of the document that a posting is for. */
export function placeIn(posting: number): number {
  return Math.floor(posting / POSITIONS)
}

export function spotAt({ entries, postings }: Index, at: number, sorting: Sorting): Spot | undefined {
  const posting = postings[at] ?? 0
  const entry = entries.get(placeIn(posting))
  return entry && sorting.spotsOf(entry)[posting % POSITIONS]
}

/** Indexes that a collection keeps: for texts, and others. Those used longest ago are dropped. */
const MOST = { texts: 4, others: 16 }

interface Held {
  index?: Index
  updating?: Steps<Index> | undefined
}

/** The indexes of a collection. They are made when they are first needed, and brought up to date when they are next needed. */
export class Indexes {
  readonly #texts = new Map<string, Held>()
  readonly #others = new Map<string, Held>()

  copy(): Indexes {
    const copy = new Indexes()
    for (const [name, { index }] of this.#texts) if (index) copy.#texts.set(name, { index })
    for (const [name, { index }] of this.#others) if (index) copy.#others.set(name, { index })
    return copy
  }

  /** An index of these entries. Others may need it too while it is made; then they make it together. */
  *bring(sorting: Sorting, entries: Entries): Steps<Index> {
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

  #hold({ name, isForText }: Sorting): Held {
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
  readonly spot: Spot
  readonly posting: number
}

/** Where more than one in so many documents changed, sorting all is quicker than finding them. */
const MANY = 64

/** The index of other entries, from an index of some that they were changed from. */
function* update(index: Index, entries: Entries, sorting: Sorting): Steps<Index> {
  const changed = [...differences(index.entries, entries)]
  if (changed.length * MANY > index.postings.length) return yield* create(entries, sorting)
  const removed = changed.flatMap((place) =>
    postedAt(index.entries, place, sorting).map(({ spot }) => firstFrom(index, spot, sorting)),
  )
  const added = changed.flatMap((place) => postedAt(entries, place, sorting))
  added.sort((a, b) => compareSpots(sorting, a.spot, b.spot))
  const places = added.map(({ spot, posting }) => [firstFrom(index, spot, sorting), posting] as const)
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

function* create(entries: Entries, sorting: Sorting): Steps<Index> {
  const postings: number[] = []
  const columns = sorting.directions.map((): Key[] => [])
  for (let place = 0; place < entries.length; place++) {
    const entry = entries.get(place)
    for (const { keys, position } of entry ? sorting.spotsOf(entry) : []) {
      postings.push(place * POSITIONS + position)
      for (const [level, column] of columns.entries()) column.push(keys[level] ?? null)
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

function postedAt(entries: Entries, place: number, sorting: Sorting): readonly Posted[] {
  const entry = entries.get(place)
  return (entry ? sorting.spotsOf(entry) : []).map((spot) => ({ spot, posting: place * POSITIONS + spot.position }))
}

/** The first posting that does not come before a spot. */
function firstFrom(index: Index, spot: Spot, sorting: Sorting): number {
  return firstIndex(index.postings.length, (at) => {
    const other = spotAt(index, at, sorting)
    return other !== undefined && compareSpots(sorting, other, spot) >= 0
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
