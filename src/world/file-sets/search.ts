import { compareCodePoints } from './code-points.ts'
import type { Entries } from './entries.ts'
import type { Test } from './filter.ts'
import type { Order, SortValue } from './sort.ts'

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
  /** All filters and date filters together. */
  readonly matches: Test
  readonly order: Order
  /** Set when the order is by path, so that a directory's descendants stand together: the direction of that order. */
  readonly byPath?: 'ascending' | 'descending' | undefined
}

/**
 * The slots that a search finds, in order, beginning after the place given; lazily, so that a page costs what it shows and the
 * largest page needs no memory. The entries never change under a walk: a change makes new ones.
 */
export function* search(
  { entries, scope, matches, order, byPath }: Listing,
  after?: readonly SortValue[],
): Generator<number, undefined> {
  const { slots } = order
  const inScope = createScopeTest(entries, scope)
  const [from, to] = byPath === undefined ? [0, slots.length] : descendants(entries, scope, slots, byPath)
  const start =
    after === undefined
      ? from
      : Math.max(
          from,
          firstWhere(slots, (slot) => order.compareTo(slot, after) > 0),
        )
  for (let at = start; at < to; at++) {
    const slot = slots[at] ?? 0
    if (inScope(slot) && matches(slot)) yield slot
  }
  return undefined
}

function createScopeTest(entries: Entries, { directories, immediateChildren, self, directoryEntries }: Scope): Test {
  const { end } = entries.directories
  const within = (slot: number, directory: number) => {
    const holder = entries.directoryOf(slot)
    if (immediateChildren ? holder === directory : holder >= directory && holder < (end[directory] ?? 0)) return true
    return self && directory > 0 && slot === entries.slotOfDirectory(directory)
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
function descendants(
  entries: Entries,
  scope: Scope,
  slots: Uint32Array,
  direction: 'ascending' | 'descending',
): [number, number] {
  const [directory, another] = scope.directories
  if (directory === undefined || directory === 0 || another !== undefined || scope.self) return [0, slots.length]
  const { end } = entries.directories
  const inside = (slot: number) => {
    const holder = entries.directoryOf(slot)
    return holder >= directory && holder < (end[directory] ?? 0)
  }
  const path = entries.text('path')
  const opening = `${entries.directories.paths[directory] ?? ''}/`
  const ascending = direction === 'ascending'
  const from = firstWhere(slots, (slot) => inside(slot) || comesAfter(path(slot) ?? '', opening) === ascending)
  const length = firstWhere(slots.subarray(from), (slot) => !inside(slot))
  return [from, from + length]
}

function comesAfter(path: string, opening: string): boolean {
  return compareCodePoints(path, opening) > 0
}

/** The first index whose slot passes a test that fails for all before it and holds for all after it; a binary search. */
function firstWhere(slots: Uint32Array, holds: Test): number {
  let low = 0
  let high = slots.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(slots[middle] ?? 0)) high = middle
    else low = middle + 1
  }
  return low
}
