import type { Base } from '../store/base.ts'
import type { Order } from './order.ts'
import { SMALL_SET } from './plain-texts.ts'
import type { Listing, Scope } from './search.ts'
import type { Steps } from '../../../engine/steps.ts'

/** So many slots are put in order by comparing them; more are picked from the order of all. */
const MOST_COMPARED = 4096

/** What a search found among the slots of the base, in order: made once, for all pages of it. */
export function* select(listing: Listing): Steps<Uint32Array> {
  const known = findSelection(listing)
  if (known) return known
  const { entries, memory } = listing
  const { base } = entries
  const selection = yield* makeSelection(listing)
  // In a small set a selection is quickly made, and its name would take longer.
  if (base.count > SMALL_SET) return base.selections.get(nameOf(listing), () => selection)
  memory.selection = selection
  return selection
}

function* makeSelection({
  entries: { base },
  order,
  passes,
  scope,
  candidates: findCandidates,
  stride,
}: Listing): Steps<Uint32Array> {
  const found: number[] = []
  const candidates = findCandidates?.()
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
  const isQuicker = found.length <= MOST_COMPARED && (!order.isMade || found.length < base.count / 64)
  if (isQuicker) return compareAll(found, order)
  const some = order.isMade || found.length > base.count / 4 ? undefined : order.sortSome(Uint32Array.from(found))
  return some ? yield* some : pick(found, base.count, yield* order.slots())
}

/** The selection, if it was made before. */
export function findSelection(listing: Listing): Uint32Array | undefined {
  const { base } = listing.entries
  if (base.count <= SMALL_SET) return listing.memory.selection
  return base.selections.find(nameOf(listing))
}

/** Shared by all that ask the same of this base, also in other sandboxes. */
function nameOf({ order, scope, conditions }: Listing): string {
  return JSON.stringify([order.name, scope, conditions])
}

/** Whether the scope is the whole file set. */
export function isWhole({ directories, immediateChildren }: Scope): boolean {
  return directories.length === 1 && directories[0] === 0 && !immediateChildren
}

/** How many slots of the base the scope has at most, before any filter. */
export function scopeSize(base: Base, { directories, immediateChildren }: Scope): number {
  const { end, count } = base.directories
  let size = 0
  for (const directory of directories) {
    if (directory >= count) continue
    const files = immediateChildren ? filesRightIn(base, directory) : base.filesBelow(directory)
    size += files + (end[directory] ?? 0) - directory
  }
  return size
}

function filesRightIn({ files: { before } }: Base, directory: number): number {
  return (before[directory + 1] ?? 0) - (before[directory] ?? 0)
}

/** The slots of the base that the scope may have, each once. */
function* candidatesOf(base: Base, { directories, immediateChildren, self }: Scope): Generator<number> {
  const { files } = base
  const { count, end } = base.directories
  // Directories that are compared loosely may lie in each other.
  if (directories.length > 1) {
    for (let slot = 0; slot < base.count; slot++) yield slot
    return
  }
  for (const directory of directories) {
    if (directory >= count) continue
    const last = immediateChildren ? directory + 1 : (end[directory] ?? 0)
    const places = files.before[last] ?? 0
    for (let place = files.before[directory] ?? 0; place < places; place++) yield files.at(place)
    for (
      let child = directory + 1;
      child < (end[directory] ?? 0);
      child = immediateChildren ? (end[child] ?? 0) : child + 1
    )
      yield base.slotOf(child)
    if (self && directory > 0) yield base.slotOf(directory)
  }
}

function compareAll(found: readonly number[], order: Order): Uint32Array {
  const places = found.map((slot) => ({ slot, values: order.valuesAt(slot) }))
  places.sort((a, b) => order.compareValues(a.values, b.values))
  return Uint32Array.from(places, ({ slot }) => slot)
}

/** Some slots in the order of all, by their places in it. */
function putInOrder(found: readonly number[], slots: Uint32Array): Uint32Array {
  const places = placesIn(slots)
  // `Uint32Array.from` with a function takes several times as long as all the rest.
  const sorted = new Uint32Array(found.length)
  for (let at = 0; at < sorted.length; at++) sorted[at] = places[found[at] ?? 0] ?? 0
  sorted.sort()
  for (let at = 0; at < sorted.length; at++) sorted[at] = slots[sorted[at] ?? 0] ?? 0
  return sorted
}

/** Where each slot stands in an order of all. */
function placesIn(slots: Uint32Array): Uint32Array {
  const known = placesOf.get(slots)
  if (known) return known
  const places = new Uint32Array(slots.length)
  for (let at = 0; at < slots.length; at++) places[slots[at] ?? 0] = at
  placesOf.set(slots, places)
  return places
}

const placesOf = new WeakMap<Uint32Array, Uint32Array>()

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
