import { createVector, differences, firstIndex } from '../../../engine/persistent.ts'
import type { Steps } from '../../../engine/slices.ts'
import type { Entries, Entry } from './entry.ts'
import type { Sorting, Spot } from './sorting.ts'

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
const MANY = 8

/** The index of other entries, from an index of some that they were changed from. */
function* update(index: Index, entries: Entries, sorting: Sorting): Steps<Index> {
  const changed = [...differences(index.entries, entries)]
  if (index !== NOTHING && changed.length * MANY > index.postings.length)
    return yield* update(NOTHING, entries, sorting)
  const removed: number[] = []
  const added: Posted[] = []
  for (const [at, place] of changed.entries()) {
    for (const { spot } of postedAt(index.entries, place, sorting)) removed.push(firstFrom(index, spot, sorting))
    added.push(...postedAt(entries, place, sorting))
    if (isEndOfStep(at)) yield
  }
  const sorted = yield* sortInSteps(added, (a, b) => sorting.compare(a.spot, b.spot))
  return {
    entries,
    postings: yield* merge(
      index,
      removed.sort((a, b) => a - b),
      sorted,
      sorting,
    ),
  }
}

function postedAt(entries: Entries, place: number, sorting: Sorting): readonly Posted[] {
  const entry = entries.get(place)
  return (entry ? sorting.spotsOf(entry) : []).map((spot) => ({ spot, posting: place * POSITIONS + spot.position }))
}

/** The first posting that does not come before a spot. */
function firstFrom(index: Index, spot: Spot, sorting: Sorting): number {
  return firstIndex(index.postings.length, (at) => {
    const other = spotAt(index, at, sorting)
    return other !== undefined && sorting.compare(other, spot) >= 0
  })
}

/** The postings of an index without some of them, and with others. @param removed ascending indexes */
function* merge(
  index: Index,
  removed: readonly number[],
  added: readonly Posted[],
  sorting: Sorting,
): Steps<Float64Array> {
  const { postings } = index
  const merged = new Float64Array(postings.length - removed.length + added.length)
  let [taken, filled, gone] = [0, 0, 0]
  const takeUntil = (end: number) => {
    for (let next = removed[gone]; next !== undefined && next < end; next = removed[++gone]) {
      take(next)
      taken = next + 1
    }
    take(end)
  }
  const take = (end: number) => {
    if (end <= taken) return
    merged.set(postings.subarray(taken, end), filled)
    filled += end - taken
    taken = end
  }
  for (const [at, { spot, posting }] of added.entries()) {
    if (taken < postings.length) takeUntil(firstFrom(index, spot, sorting))
    merged[filled++] = posting
    if (isEndOfStep(at)) yield
  }
  takeUntil(postings.length)
  return merged
}

/** Items that are handled between two steps, and sorted at once. */
const STEP = 512

function isEndOfStep(at: number): boolean {
  return at % STEP === STEP - 1
}

function* sortInSteps<Item>(items: Item[], compare: (a: Item, b: Item) => number): Steps<Item[]> {
  if (items.length <= STEP) return items.sort(compare)
  const half = items.length >>> 1
  const [first, second] = [
    yield* sortInSteps(items.slice(0, half), compare),
    yield* sortInSteps(items.slice(half), compare),
  ]
  const sorted: Item[] = []
  let [left, right] = [0, 0]
  for (let at = 0; at < items.length; at++) {
    const [a, b] = [first[left], second[right]]
    const isLeft = b === undefined || (a !== undefined && compare(a, b) <= 0)
    sorted.push((isLeft ? a : b) as Item)
    if (isLeft) left++
    else right++
    if (isEndOfStep(at)) yield
  }
  return sorted
}
