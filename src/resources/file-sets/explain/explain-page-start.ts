import { valueAt } from './explain-clauses.ts'
import type { Neighbour, ShownValue, SortedBy } from './explanation.ts'
import type { Call } from '../../handler.ts'
import { pageSize } from '../operation/search-page.ts'
import type { Entries } from '../store/entries.ts'
import type { Order, SortValue } from '../search/order.ts'
import { type Listing, nextSlot, search } from '../search/search.ts'
import { encodeInstant } from '../../../engine/instant.ts'
import type { Steps } from '../../../engine/steps.ts'

/** Where an entry stands in a walk. */
export interface Stand {
  /** How many come before it. */
  readonly index: number
  readonly before: number | undefined
  readonly after: number | undefined
}

/** Walks a search as its pages do until the entry comes; undefined when it does not. One pass over what comes before it. */
export function* findStand(listing: Listing, slot: number, after?: readonly SortValue[]): Steps<Stand | undefined> {
  const found = search(listing, after)
  let before: number | undefined
  let index = 0
  for (;;) {
    const next = yield* nextSlot(found)
    if (next === undefined) return undefined
    if (next === slot) return { index, before, after: yield* nextSlot(found) }
    before = next
    index++
    if (index % MOST_IN_A_STEP === 0) yield
  }
}

const MOST_IN_A_STEP = 4096

export interface PagePlace {
  readonly page: number
  readonly onPage: number
}

/** The page of the entry that has so many before it, when pages are made by `limit`; null when there are no pages. */
export function pageAt(
  call: Call,
  seed: number,
  limit: number,
  { index, firstPage = 1 }: { index: number; firstPage?: number },
): PagePlace | null {
  const window = call.tracker.answers['page.window']
  if (limit === 0 || index < 0 || (window !== 'none' && firstPage === 1 && index >= Number(window))) return null
  if (call.tracker.answers['page.short'] === 'never')
    return { page: firstPage + Math.floor(index / limit), onPage: 1 + (index % limit) }
  let left = index
  for (let page = firstPage; ; page++) {
    const size = pageSize(call, seed, page, limit)
    if (left < size) return { page, onPage: 1 + left }
    left -= size
  }
}

/** What an order goes by, and what an entry has there. */
export function sortedBy(order: Order, slot: number): SortedBy[] {
  const values = order.valuesAt(slot)
  return order.by.map((field, index) => ({ field, value: showSortValue(values[index] ?? null) }))
}

export function showSortValue(value: SortValue): ShownValue {
  return typeof value === 'object' && value !== null ? encodeInstant(value) : value
}

export function nameNeighbour(
  entries: Entries,
  order: Order,
  slot: number,
  neighbour: number | undefined,
): Neighbour | null {
  if (neighbour === undefined) return null
  const at = order.decider(slot, neighbour)
  return {
    ...nameEntry(entries, neighbour),
    decidedBy: order.by[at] ?? 'id',
    value: showSortValue(order.valuesAt(neighbour)[at] ?? null),
  }
}

export function nameEntry(entries: Entries, slot: number): { id: string; path: string } {
  return { id: String(valueAt(entries, slot, 'id')), path: String(valueAt(entries, slot, 'path')) }
}
