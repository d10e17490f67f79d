import type { EntryExplanation, Neighbour } from '../../../../types/control-api.d.ts'
import type { State } from '../../../engine/state.ts'
import type { Steps } from '../../../engine/slices.ts'
import { encodeInstant } from '../../../base/formats/instant.ts'
import { shown } from '../../../base/errors/problem.ts'
import type { Call } from '../../handler.ts'
import { fold } from '../../../base/formats/code-points.ts'
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
export interface EntrySelector {
  readonly id?: string | undefined
  readonly path?: string | undefined
}

/** A prepared search and its counts. */
export interface ExplainedSearch {
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
export function* explainEntry(wanted: EntrySelector, explained: ExplainedSearch): Steps<EntryExplanation> {
  const { listing, query, call } = explained
  const { entries } = listing
  const slot = wanted.id === undefined ? entries.slotAt(wanted.path ?? '') : entries.slotWithId(wanted.id)
  if (slot === undefined) return yield* explainMissing(entries, wanted)
  const scope = explainScope(listing, slot)
  const clauses = explainClauses(listing, slot, query, call.tracker.settings)
  const inResult = listing.passes(slot)
  const place = inResult ? yield* explainPlace(slot, explained) : undefined
  const why = place ? whyIn(place, explained) : whyOut(scope, clauses, call.tracker.settings['filter.several'] === 'or')
  return { ...nameEntry(entries, slot), inResult, why, scope, clauses, ...(place ? { place } : {}) }
}

function* explainMissing(entries: Entries, { id, path = '' }: EntrySelector): Steps<EntryExplanation> {
  const missing = { id: null, path: null, inResult: false }
  if (id !== undefined) return { ...missing, why: `The file set has no file or directory with the id ${shown(id)}.` }
  const matches = yield* findMatches(entries, path)
  const [first, ...others] = matches
  const more = others.length === 0 ? '' : ` or one of ${others.length} others`
  const hint = first === undefined ? '' : ` Did you mean ${shown(first.path)}${more}?`
  return { ...missing, why: `There is no file or directory at the path ${shown(path)}.${hint}`, matches }
}

/** Entries whose path has a text in it, whatever the case: first those that have it as their path, then as their name. One pass. */
function* findMatches(entries: Entries, text: string): Steps<{ id: string; path: string }[]> {
  const normal = (one: string) => fold(one.normalize('NFC'))
  const wanted = normal(
    text
      .split('/')
      .filter((segment) => segment !== '')
      .join('/'),
  )
  if (wanted === '') return []
  const read = entries.text('path')
  const found: number[][] = [[], [], [], []]
  let looked = 0
  for (const slot of entries.slots()) {
    if (++looked % MAX_IN_A_STEP === 0) yield
    const ranked = found[rankOf(normal(read(slot) ?? ''), wanted)]
    if (ranked && ranked.length < MAX_MATCHES) ranked.push(slot)
  }
  return found
    .flat()
    .slice(0, MAX_MATCHES)
    .map((slot) => nameEntry(entries, slot))
}

/** The lower, the likelier; 4 for a path that does not have the text in it. */
function rankOf(path: string, wanted: string): number {
  if (path === wanted) return 0
  const name = path.slice(path.lastIndexOf('/') + 1)
  return name === wanted ? 1 : name.includes(wanted) ? 2 : path.includes(wanted) ? 3 : 4
}

const MAX_MATCHES = 10

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
      why: 'it is a directory that is there only because something lies in it, and those are not listed (dir.implied)',
    }
  const reach = scope.immediateChildren ? 'directly in' : 'in'
  return { holds, why: `it ${place}, which is ${holds ? '' : 'not '}${reach} the requested directory` }
}

function whyOut(scope: { holds: boolean; why: string }, clauses: readonly EntryClause[], isAnyEnough: boolean): string {
  if (!scope.holds) return `It is not in the result: ${scope.why}.`
  const failed = clauses.filter(({ holds }) => !holds)
  const reasons = failed.map(
    ({ pointer, reads, held }) => `${nameClause(pointer)} asks for ${reads}, and it has ${shown(held)}`,
  )
  return `It is not in the result: ${isAnyEnough ? 'one filter is enough, but ' : ''}${reasons.join('; ')}.`
}

/** `filter 1` for `/filters/0` */
function nameClause(pointer: string): string {
  const number = Number(/\d+$/.exec(pointer)?.[0] ?? 0) + 1
  return pointer.startsWith('/dateFilters') ? `date filter ${number}` : `filter ${number}`
}

function whyIn({ position, page, onPage, fromCursor }: PlaceExplanation, { total, limit }: ExplainedSearch): string {
  const nowhere = limit === 0 ? 'but pages are empty' : 'but the pages end before it (page.window)'
  const where = page === null ? nowhere : `number ${onPage ?? 0} of page ${page}`
  const passed = fromCursor === null ? '; the pages that the cursor leads to come after it' : ''
  return `It is in the result: ${position} of ${total}, ${where}${passed}.`
}

const MAX_IN_A_STEP = 1024

function* explainPlace(slot: number, explained: ExplainedSearch): Steps<PlaceExplanation> {
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
interface EntryPosition {
  /** How many come before it. */
  readonly index: number
  readonly before: number | undefined
  readonly after: number | undefined
}

/** Walks a search as its pages do until the entry is found; undefined if it is not. One pass over what precedes it. */
function* findPosition(listing: Listing, slot: number, after?: readonly SortValue[]): Steps<EntryPosition | undefined> {
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
