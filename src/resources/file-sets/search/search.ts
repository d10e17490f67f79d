import type { Added } from '../store/changes.ts'
import { compareCodePoints } from '../store/code-points.ts'
import type { Entries } from '../store/entries.ts'
import type { Test } from './filter.ts'
import { firstIndex } from '../store/first-index.ts'
import type { Order, SortValue } from './order.ts'
import { SMALL_SET } from './plain-texts.ts'
import { findSelection, isWhole, scopeSize, select } from './selection.ts'
import type { Steps } from '../../../engine/steps.ts'

/** Which entries are looked at, before any filter. */
export interface Scope {
  /** Numbers of the directories that were asked for: none when nothing has that path, several when paths are compared loosely. */
  readonly directories: readonly number[]
  readonly immediateChildren: boolean
  /** `dir.self`: whether a directory is listed among its own contents. */
  readonly self: boolean
  /** `dir.entries` and `dir.implied`: which directory entries can appear at all. */
  readonly directoryEntries: 'all' | 'explicit' | 'none'
}

export interface Listing {
  readonly entries: Entries
  readonly scope: Scope
  /** All filters and date filters with the rules that they are read by; null when there are none. Equal ones test alike. */
  readonly conditions: unknown
  /** Whether an entry is in the scope and meets the conditions. */
  readonly passes: Test
  /** Slots of the base, among them all that pass; undefined where testing each slot is quicker. */
  readonly candidates?: (() => readonly number[] | undefined) | undefined
  readonly order: Order
  /** Set when the order is by path, so that a directory's descendants stand together: the direction of that order. */
  readonly byPath?: 'ascending' | 'descending' | undefined
  /** So many entries are tested in one step. */
  readonly stride: number
  /** What is known of earlier walks. */
  readonly memory: ListingMemory
}

interface ListingMemory {
  /** Whether the search was asked before, so that in a small set it is worth selecting all that it finds. */
  isRepeated: boolean
  /** In a small set: all that it finds in the base, in order. */
  selection: Uint32Array | undefined
}

/** Slots of the base from which a walk takes. */
interface Run {
  readonly slots: Uint32Array
  readonly from: number
  readonly to: number
  /** Whether all of them pass, so that none need be tested. */
  readonly isSelection: boolean
}

/** A walk that has passed over so many entries for nothing has the rest selected at once. */
const PATIENCE = 1000

/**
 * The slots that a search finds, in order, beginning after the place given; lazily, so that a page costs what it shows and the
 * largest page needs no memory. The entries never change under a walk: a change makes new ones. An `undefined` is no slot but the
 * end of a step: it took a while to get there, and the next slot is still to be found.
 */
export function* search(
  listing: Listing,
  after?: readonly SortValue[],
): Generator<number | undefined, undefined, undefined> {
  const { entries, order, passes, stride } = listing
  let run = yield* begin(listing, after)
  let at = run.from
  const added = addedAfter(listing, after)
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

/** Whether a walk has to test entries, so that it may come by many before it finds one. */
export function hasToTest({ conditions, scope, byPath }: Listing): boolean {
  if (conditions !== null) return true
  return scope.directoryEntries !== 'all' || !(isWhole(scope) || (byPath !== undefined && !scope.immediateChildren))
}

/** Where the next added entry stands in a run. */
function borderOf({ slots, to }: Run, at: number, order: Order, next: Added | undefined): number {
  if (next === undefined) return to
  const values = order.valuesAt(next.slot)
  return at + firstWhere(slots.subarray(at, to), (slot) => order.compareTo(slot, values) > 0)
}

function* addedPassing({ order, passes }: Listing, after: readonly SortValue[] | undefined) {
  const isAfter = ({ slot }: Added) => after === undefined || order.compareTo(slot, after) > 0
  for (const one of order.added.from(isAfter)) if (passes(one.slot)) yield one
  return undefined
}

function addedAfter(listing: Listing, after: readonly SortValue[] | undefined) {
  return listing.entries.isUnchanged ? undefined : addedPassing(listing, after)
}

/** Takes the order of all, or what is known to be less work: an earlier selection, or one of a small directory. */
function* begin(listing: Listing, after: readonly SortValue[] | undefined): Steps<Run> {
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

function* unselected(listing: Listing, isSelection: boolean): Steps<Run> {
  const slots = yield* listing.order.slots()
  const { byPath } = listing
  return { ...(byPath === undefined ? wholeRun(slots) : descendants(listing, slots, byPath)), isSelection }
}

function isWorthSelecting({ entries: { base }, order, scope, memory, candidates }: Listing): boolean {
  return (
    candidates?.() !== undefined ||
    (memory.isRepeated && base.count <= SMALL_SET) ||
    scopeSize(base, scope) < base.count / 8 ||
    (base.count > SMALL_SET && !order.isMade)
  )
}

function wholeRun(slots: Uint32Array): Run {
  return { slots, from: 0, to: slots.length, isSelection: true }
}

function firstAfter(slots: Uint32Array, order: Order, values: readonly SortValue[]): number {
  return firstWhere(slots, (slot) => order.compareTo(slot, values) > 0)
}

/** What all entries pass. */
export const EVERYTHING: Test = () => true

/** Whether an entry is one that the scope asks for: `EVERYTHING` where it asks for all. */
export function createScopeTest(entries: Entries, scope: Scope): Test {
  const { directories, immediateChildren, self, directoryEntries } = scope
  if (directoryEntries === 'all' && isWhole(scope)) return EVERYTHING
  const within = (slot: number, directory: number) => {
    const holder = entries.holder(slot)
    if (immediateChildren ? holder === directory : entries.isWithin(directory, holder)) return true
    return self && directory > 0 && slot === entries.slotOf(directory)
  }
  return (slot) => {
    if (entries.isDirectory(slot)) {
      if (directoryEntries === 'none') return false
      if (directoryEntries === 'explicit' && entries.isImplied(slot)) return false
    }
    return directories.some((directory) => within(slot, directory))
  }
}

/** In an order by path, where the contents of the one directory asked for begin and end; everything when it is not one. */
function descendants({ entries, scope }: Listing, slots: Uint32Array, direction: 'ascending' | 'descending'): Run {
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
