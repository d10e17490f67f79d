import type { EntryExplanation, Neighbour } from '../../../../types/control-api.d.ts'
import type { State } from '../../../engine/state.ts'
import type { Steps } from '../../../engine/slices.ts'
import { encodeInstant } from '../../../formats/instant.ts'
import { shown } from '../../../errors/problem.ts'
import type { Call } from '../../handler.ts'
import { fold } from '../../../formats/code-points.ts'
import type { Entries } from '../entries/entries.ts'
import { parentOf } from '../entries/file-record.ts'
import { createScopeTest } from '../entries/match.ts'
import type { Order, SortValue } from '../entries/order.ts'
import { type Listing, nextSlot, search } from '../entries/search.ts'
import type { Query } from './cursor.ts'
import { type EntryClause, explainClauses, type ShownValue, valueAt } from './explain-clauses.ts'
import type { PageStart } from './page-start.ts'
import { pageSize, windowOf } from './search-files.ts'

type PlaceExplanation = NonNullable<EntryExplanation['place']>

/** The entry to explain. */
export interface EntryName {
  readonly id?: string | undefined
  readonly path?: string | undefined
}

/** A prepared search and its counts. */
export interface Explained {
  readonly state: State
  readonly call: Call
  readonly listing: Listing
  readonly query: Query
  readonly total: number
  readonly limit: number
  /** Where the page of the token starts; undefined without a token. */
  readonly begins?: { readonly place: PageStart; readonly isAccepted: boolean } | undefined
}

/** Explains why an entry is or is not in a result, and where. */
export function* explainEntry(wanted: EntryName, explained: Explained): Steps<EntryExplanation> {
  const { listing, query, call } = explained
  const { entries } = listing
  const slot = wanted.id === undefined ? entries.slotAt(wanted.path ?? '') : entries.slotWithId(wanted.id)
  if (slot === undefined) return { id: null, path: null, inResult: false, why: yield* whyMissing(entries, wanted) }
  const scope = explainScope(listing, slot)
  const clauses = explainClauses(listing, slot, query, call.tracker.settings)
  const inResult = listing.passes(slot)
  const place = inResult ? yield* explainPlace(slot, explained) : undefined
  const why = place ? whyIn(place, explained) : whyOut(scope, clauses, call.tracker.settings['filter.several'] === 'or')
  return { ...nameEntry(entries, slot), inResult, why, scope, clauses, ...(place ? { place } : {}) }
}

function* whyMissing(entries: Entries, { id, path = '' }: EntryName): Steps<string> {
  if (id !== undefined) return `The file set has no entry with the id ${shown(id)}.`
  const near = yield* findSimilar(entries, path)
  const hint = near === undefined ? '' : ` There is ${shown(near)}: paths are compared code point by code point.`
  return `The file set has no entry at the path ${shown(path)}.${hint}`
}

/** A path that differs in slashes at its ends, in case, or in its normal form. One pass. */
function* findSimilar(entries: Entries, path: string): Steps<string | undefined> {
  const normal = (text: string) => fold(text.normalize('NFC'))
  const trimmed = path
    .split('/')
    .filter((segment) => segment !== '')
    .join('/')
  if (trimmed !== path && entries.slotAt(trimmed) !== undefined) return trimmed
  const wanted = normal(trimmed)
  const read = entries.text('path')
  let looked = 0
  for (const slot of entries.slots()) {
    if (++looked % MAX_IN_A_STEP === 0) yield
    const held = read(slot) ?? ''
    if (normal(held) === wanted) return held
  }
  return undefined
}

function explainScope({ entries, scope }: Listing, slot: number): { holds: boolean; why: string } {
  const holds = createScopeTest(entries, scope)(slot)
  const { path } = nameEntry(entries, slot)
  const holder = parentOf(path)
  const place = holder === '' ? 'lies in the root' : `lies in ${shown(holder)}`
  if (scope.directories.length === 0) return { holds, why: 'no directory has the requested path' }
  const isOwn = scope.directories.some((directory) => directory > 0 && entries.slotOf(directory) === slot)
  if (isOwn) return { holds, why: `it is the directory itself, which is ${holds ? '' : 'not '}listed (dir.self)` }
  if (entries.isDirectory(slot) && scope.directoryEntries === 'none')
    return { holds, why: 'it is a directory, and those are not listed (dir.entries)' }
  if (entries.isImplied(slot) && scope.directoryEntries === 'explicit')
    return {
      holds,
      why: 'it is a directory that is only implied by the paths in it, and those are not listed (dir.implied)',
    }
  const reach = scope.immediateChildren ? 'directly in' : 'in'
  return { holds, why: `it ${place}, which is ${holds ? '' : 'not '}${reach} the requested directory` }
}

function whyOut(scope: { holds: boolean; why: string }, clauses: readonly EntryClause[], isAnyEnough: boolean): string {
  if (!scope.holds) return `It is not in the result: ${scope.why}.`
  const failed = clauses.filter(({ holds }) => !holds)
  const reasons = failed.map(({ pointer, reads, held }) => `${pointer} (${reads}) does not hold for ${shown(held)}`)
  return `It is not in the result: ${isAnyEnough ? 'any filter would suffice, but ' : ''}${reasons.join('; ')}.`
}

function whyIn({ position, page, onPage, fromCursor }: PlaceExplanation, { total, limit }: Explained): string {
  const nowhere = limit === 0 ? 'but pages are empty' : 'but pages end before it (page.window)'
  const where = page === null ? nowhere : `number ${onPage ?? 0} of page ${page}`
  const passed = fromCursor === null ? '; a walk that continues with the cursor is past it' : ''
  return `It is in the result: ${position} of ${total}, ${where}${passed}.`
}

const MAX_IN_A_STEP = 1024

function* explainPlace(slot: number, explained: Explained): Steps<PlaceExplanation> {
  const { state, call, listing, limit, begins } = explained
  const { entries, order } = listing
  const found = yield* findPosition(listing, slot)
  if (!found) throw new Error(`slot ${slot} passes, but the search does not find it`)
  const fromFront = pageAt(call, state.seed, limit, { index: found.index })
  let fromCursor: { fromCursor?: PagePlace | null } = {}
  if (begins?.isAccepted === true) {
    const { offset, after, pages } = begins.place
    const index =
      offset === undefined ? (yield* findPosition(listing, slot, after(order)))?.index : found.index - offset
    fromCursor = {
      fromCursor: index === undefined ? null : pageAt(call, state.seed, limit, { index, firstPage: pages + 1 }),
    }
  }
  const values = order.valuesAt(slot)
  return {
    position: found.index + 1,
    page: fromFront?.page ?? null,
    onPage: fromFront?.onPage ?? null,
    ...fromCursor,
    values: order.by.map((field, index) => ({ field, value: showSortValue(values[index] ?? null) })),
    before: nameNeighbour(entries, order, slot, found.before),
    after: nameNeighbour(entries, order, slot, found.after),
  }
}

/** The position of an entry in a search. */
interface Position {
  /** How many come before it. */
  readonly index: number
  readonly before: number | undefined
  readonly after: number | undefined
}

/** Walks a search as its pages do until the entry is found; undefined if it is not. One pass over what precedes it. */
function* findPosition(listing: Listing, slot: number, after?: readonly SortValue[]): Steps<Position | undefined> {
  const found = search(listing, after)
  let before: number | undefined
  let index = 0
  for (;;) {
    const next = yield* nextSlot(found)
    if (next === undefined) return undefined
    if (next === slot) return { index, before, after: yield* nextSlot(found) }
    before = next
    index++
    if (index % MAX_WALKED === 0) yield
  }
}

const MAX_WALKED = 4096

interface PagePlace {
  readonly page: number
  readonly onPage: number
}

/** The page of the entry at an index of the result; null when there are no pages. */
export function pageAt(
  call: Call,
  seed: number,
  limit: number,
  { index, firstPage = 1 }: { index: number; firstPage?: number },
): PagePlace | null {
  if (limit === 0 || index < 0 || (firstPage === 1 && index >= windowOf(call.tracker))) return null
  if (call.tracker.settings['page.short'] === 'never')
    return { page: firstPage + Math.floor(index / limit), onPage: 1 + (index % limit) }
  let left = index
  for (let page = firstPage; ; page++) {
    const size = pageSize(call, seed, page, limit)
    if (left < size) return { page, onPage: 1 + left }
    left -= size
  }
}

export function showSortValue(value: SortValue): ShownValue {
  return typeof value === 'object' && value !== null ? encodeInstant(value) : (value as string | number | null)
}

function nameNeighbour(entries: Entries, order: Order, slot: number, neighbour: number | undefined): Neighbour | null {
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
