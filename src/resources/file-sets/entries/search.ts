import { rememberingEach } from '../../../base/cache.ts'
import type { Added } from './changes.ts'
import { SMALL_SET } from './columns.ts'
import { compareCodePoints } from '../../../base/formats/code-points.ts'
import type { Entries } from './entries.ts'
import type { Test } from './filter.ts'
import { firstIndex } from '../../../base/first-index.ts'
import type { Order, SortValue } from './order.ts'
import { placesIn } from './sort.ts'
import type { Steps } from '../../../engine/slices.ts'
import { type SearchScope, isWhole, scopeSize, candidatesOf } from './match.ts'

export interface Listing {
  readonly entries: Entries
  readonly scope: SearchScope
  /** All filters and date filters with the rules that they are read by; null when there are none. Equal conditions have equal tests. */
  readonly conditions: unknown
  /** One for each condition. */
  readonly tests: readonly Test[]
  /** Whether an entry is in the scope and meets the conditions. */
  readonly passes: Test
  readonly order: Order
  /** Set when the order is by path, so that a directory's descendants are neighbours: the direction of that order. */
  readonly byPath?: 'ascending' | 'descending' | undefined
  /** At most this many entries are tested in one step. */
  readonly stride: number
  /** State kept between walks. */
  readonly memory: ListingMemory
}

interface ListingMemory {
  /** Whether the search is repeated, so that in a small set selecting its whole result pays off. */
  isRepeated: boolean
  /** In a small set: all matches in the base, in order. */
  selection: Uint32Array | undefined
}

/** Slots of the base from which a walk takes. */
interface SlotRun {
  readonly slots: Uint32Array
  readonly from: number
  readonly to: number
  /** Whether all of them pass, so that none need be tested. */
  readonly isSelection: boolean
}

/** After this many consecutive misses the scan switches to a precomputed selection. */
const PATIENCE = 1000

/**
 * The slots that a search finds, in order, starting after the given position. Lazy, so a page costs what it shows and the largest
 * page needs no memory. Entries never change during a walk: a change creates new ones. An `undefined` ends a step and is no slot:
 * other requests may run before the next slot is searched for.
 */
export function* search(
  listing: Listing,
  after?: readonly SortValue[],
): Generator<number | undefined, undefined, undefined> {
  const { entries, order, passes, stride } = listing
  let run = yield* begin(listing, after)
  let at = run.from
  const added = listing.entries.isUnchanged ? undefined : addedPassing(listing, after)
  let next = added?.next().value
  let border = borderOf(run, at, order, next)
  let tested = 0
  let patience = PATIENCE
  for (;;) {
    if (at === border) {
      if (next === undefined) return undefined
      yield next.slot
      next = added?.next().value
      border = borderOf(run, at, order, next)
      continue
    }
    const slot = run.slots[at++] ?? 0
    if (++tested % stride === 0 && !run.isSelection) yield undefined
    if (!entries.isGone(slot) && (run.isSelection || passes(slot))) yield slot
    else if (!run.isSelection && --patience < 0) {
      run = wholeRun(yield* select(listing))
      at = firstAfter(run.slots, order, order.valuesAt(slot))
      border = borderOf(run, at, order, next)
    }
  }
}

/** The next slot that a search finds; undefined when there is none. */
export function* nextSlot(found: ReturnType<typeof search>): Steps<number | undefined> {
  for (;;) {
    const next = found.next()
    if (next.done) return undefined
    if (next.value !== undefined) return next.value
    yield
  }
}

/** Whether a walk has to test entries, so that many may be skipped before one is found. */
export function hasToTest({ conditions, scope, byPath }: Listing): boolean {
  if (conditions !== null) return true
  return scope.directoryEntries !== 'all' || !(isWhole(scope) || (byPath !== undefined && !scope.immediateChildren))
}

/** The place in a run before which the next added entry comes. */
function borderOf({ slots, to }: SlotRun, at: number, order: Order, next: Added | undefined): number {
  if (next === undefined) return to
  const values = order.valuesAt(next.slot)
  return at + firstWhere(slots.subarray(at, to), (slot) => order.compareTo(slot, values) > 0)
}

function* addedPassing({ order, passes }: Listing, after: readonly SortValue[] | undefined) {
  const isAfter = ({ slot }: Added) => after === undefined || order.compareTo(slot, after) > 0
  for (const one of order.added.from(isAfter)) if (passes(one.slot)) yield one
  return undefined
}

/** Starts with the order of all entries, or with what is less work: an earlier selection, or one of a small directory. */
function* begin(listing: Listing, after: readonly SortValue[] | undefined): Steps<SlotRun> {
  const { entries, order, scope, conditions, byPath } = listing
  const { base } = entries
  const isEverything = conditions === null && isWhole(scope) && scope.directoryEntries === 'all'
  const isInOneRun = conditions === null && byPath !== undefined && !scope.immediateChildren
  const selection =
    isEverything || isInOneRun ? undefined : isWorthSelecting(listing) ? yield* select(listing) : findSelection(listing)
  const whole = selection ? wholeRun(selection) : yield* unselected(listing, isEverything)
  if (after === undefined || base.count === 0) return whole
  return { ...whole, from: Math.max(whole.from, firstAfter(whole.slots, order, after)) }
}

function* unselected(listing: Listing, isSelection: boolean): Steps<SlotRun> {
  const slots = yield* listing.order.slots()
  const { byPath } = listing
  return { ...(byPath === undefined ? wholeRun(slots) : descendants(listing, slots, byPath)), isSelection }
}

function isWorthSelecting({ entries: { base }, order, scope, memory, passes }: Listing): boolean {
  return (
    (memory.isRepeated && base.count <= SMALL_SET) ||
    passes.candidates?.() !== undefined ||
    scopeSize(base, scope) < base.count / 8 ||
    (base.count > SMALL_SET && !order.isMade)
  )
}

function wholeRun(slots: Uint32Array): SlotRun {
  return { slots, from: 0, to: slots.length, isSelection: true }
}

function firstAfter(slots: Uint32Array, order: Order, values: readonly SortValue[]): number {
  return firstWhere(slots, (slot) => order.compareTo(slot, values) > 0)
}

/** In an order by path, the run of the contents of the requested directory; everything if there is not exactly one. */
function descendants({ entries, scope }: Listing, slots: Uint32Array, direction: 'ascending' | 'descending'): SlotRun {
  const whole = { slots, from: 0, to: slots.length, isSelection: false }
  const { base } = entries
  const [directory, another] = scope.directories
  if (directory === undefined || directory === 0 || another !== undefined || scope.self) return whole
  if (directory >= base.directories.count) return { ...whole, to: 0 }
  const inside = (slot: number) => {
    const holder = base.holder(slot)
    return holder >= directory && holder < (base.directories.end[directory] ?? 0)
  }
  const path = base.text('path').at
  const opening = `${base.directories.paths[directory] ?? ''}/`
  const ascending = direction === 'ascending'
  const from = firstWhere(slots, (slot) => inside(slot) || comesAfter(path(slot) ?? '', opening) === ascending)
  const length = firstWhere(slots.subarray(from), (slot) => !inside(slot))
  return { ...whole, from, to: from + length }
}

function comesAfter(path: string, opening: string): boolean {
  return compareCodePoints(path, opening) > 0
}

/** The first place whose slot passes a test that fails for all before it and holds for all after it. */
function firstWhere(slots: Uint32Array, holds: Test): number {
  return firstIndex(slots.length, (at) => holds(slots[at] ?? 0))
}

/** Up to this many slots are sorted by comparison; more are picked from the order of all entries. */
const MAX_COMPARED = 4096

/** The matches of a search in the base, in order: created once for all of its pages. */
export function* select(listing: Listing): Steps<Uint32Array> {
  const known = findSelection(listing)
  if (known) return known
  const { entries, memory } = listing
  const { base } = entries
  const selection = yield* makeSelection(listing)
  // In a small set, making a selection is quicker than making its name.
  if (base.count > SMALL_SET) base.selections.set(nameOf(listing), selection)
  else memory.selection = selection
  return selection
}

function* makeSelection({ entries: { base }, order, passes, scope, stride }: Listing): Steps<Uint32Array> {
  const found: number[] = []
  const candidates = passes.candidates?.()
  if (candidates || !isWhole(scope)) {
    let tested = 0
    for (const slot of candidates ?? candidatesOf(base, scope)) {
      if (passes(slot)) found.push(slot)
      if (++tested % stride === 0) yield
    }
  } else
    for (let slot = 0; slot < base.count; slot++) {
      if (passes(slot)) found.push(slot)
      if (slot % stride === 0) yield
    }
  if (base.count <= SMALL_SET && (candidates || order.isMade)) return putInOrder(found, yield* order.slots())
  const isQuicker = found.length <= MAX_COMPARED && (!order.isMade || found.length < base.count / 64)
  if (isQuicker) return compareAll(found, order)
  return pick(found, base.count, yield* order.slots())
}

/** The selection, if it was made before. */
function findSelection(listing: Listing): Uint32Array | undefined {
  const { base } = listing.entries
  if (base.count <= SMALL_SET) return listing.memory.selection
  return base.selections.get(nameOf(listing))
}

/** Equal searches of this base share a selection, also across sandboxes. */
function nameOf({ order, scope, conditions }: Listing): string {
  return JSON.stringify([order.name, scope, conditions])
}

function compareAll(found: readonly number[], order: Order): Uint32Array {
  const places = found.map((slot) => ({ slot, values: order.valuesAt(slot) }))
  places.sort((a, b) => order.compareValues(a.values, b.values))
  return Uint32Array.from(places, ({ slot }) => slot)
}

/** Some slots in the order of all, by their places in it. */
function putInOrder(found: readonly number[], slots: Uint32Array): Uint32Array {
  const places = placesOf(slots)
  // `Uint32Array.from` with a function takes several times as long as all the rest.
  const sorted = new Uint32Array(found.length)
  for (let at = 0; at < sorted.length; at++) sorted[at] = places[found[at] ?? 0] ?? 0
  sorted.sort()
  for (let at = 0; at < sorted.length; at++) sorted[at] = slots[sorted[at] ?? 0] ?? 0
  return sorted
}

const placesOf = rememberingEach((slots: Uint32Array) => placesIn(slots, false))

function pick(found: readonly number[], count: number, slots: Uint32Array): Uint32Array {
  const isFound = new Uint8Array(count)
  for (const slot of found) isFound[slot] = 1
  const picked = new Uint32Array(found.length)
  let filled = 0
  for (let at = 0; at < count; at++) {
    const slot = slots[at] ?? 0
    if (isFound[slot] === 1) picked[filled++] = slot
  }
  return picked
}
