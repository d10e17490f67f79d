import type {
  ClauseCounts,
  ExplainRequest,
  CursorExplanation,
  ExplainedSearch,
  SearchExplanation,
  SortedBy,
} from '../../../../types/control-api.d.ts'
import type { State } from '../../../engine/state.ts'
import type { Steps } from '../../../engine/slices.ts'
import { Problem, violation } from '../../../base/errors/problem.ts'
import { requestInvalid } from '../../../base/errors/request-errors.ts'
import type { Explanation } from '../../resource.ts'
import { asList, asText, isObject } from '../../../base/formats/json.ts'
import { Entries } from '../entries/entries.ts'
import type { FileSet } from '../entries/file-set.ts'
import { createScopeTest } from '../entries/match.ts'
import { createRecords } from '../entries/records.ts'
import { type Listing, nextSlot, search } from '../entries/search.ts'
import { type Cursor, decodePlain, markOf, type PlainCursor, type Query } from './cursor.ts'
import { boundText, describeClauses } from './explain-clauses.ts'
import { type EntrySelector, explainEntry, nameEntry, pageAt, showSortValue } from './explain-entry.ts'
import { createListing } from './listing.ts'
import { orderOfSearch } from '../entries/order.ts'
import { type PageStart, resolvePageStart } from './page-start.ts'
import { readFilter } from './read-filter.ts'
import { readFieldSort, readSearch, type SearchInput, wholeQuery } from './read-query.ts'
import type { BehaviourTracker } from '../../../behaviours/tracker.ts'
import { createSearchCall, type SearchCaches, type SearchCall } from './search-caches.ts'
import { firstPage, visibleFileSet, windowOf } from './search-files.ts'

/** The members of a search, which are easily sent without `search` around them. */
const MEMBERS = ['fileSetId', 'query', 'body', 'filters', 'dateFilters', 'fieldSort', 'directoryPath']

/** Explains why a search responds as it does, and why it has one file or not. */
export function createSearchExplanation(caches: SearchCaches): Explanation {
  return {
    optional: ['file'],
    refuseBare(body) {
      const bare = MEMBERS.find((name) => Object.hasOwn(body, name))
      if (bare === undefined) return
      const expected =
        'search, with the search in it: {"search":{"fileSetId":"demo","query":{"limit":3},"body":{"filters":[]}}}'
      throw requestInvalid([violation({ pointer: `/${bare}` }, 'explain', expected, body[bare])])
    },
    explain({ search, file }: ExplainRequest & { readonly search: object }, { dryRun, sandbox }) {
      const { fileSetId, query = {}, body = {} } = search
      const pointers = { body: '/search/body', query: '/search/query', parameters: { fileSetId: '/search/fileSetId' } }
      const { state } = sandbox()
      const simulated = dryRun({ handlerKind: 'searchFiles', path: { fileSetId }, query, body, pointers }, sandbox())
      simulated.validateAndRead()
      return explainSearch(state, createSearchCall(caches, state, simulated.call), file)
    },
  }
}

/**
 * Explains the result of a search, and the position of an entry in it. It uses the listing that the search walks, and tests every
 * entry once, or twice to explain an entry.
 *
 * @param call a valid search, except for its token
 * @throws Problem as the search does, if behaviours refuse the directory
 */
function* explainSearch(state: State, call: SearchCall, wanted?: EntrySelector): Steps<SearchExplanation> {
  const { input } = readSearch(call)
  const id = asText(call.path.fileSetId)
  const fileSet = yield* visibleFileSet(state.fileSets.get(id) ?? nothing(id), call)
  const { place, cursor } = findPageStart(state, call, fileSet, input)
  const { entries, query } = place
  const { tracker } = call
  const { listing } = createListing(entries, query, tracker, state.seed)
  const { clauses, total, inScope } = yield* countClauses(listing, query, tracker)
  const begins = input.token === undefined ? undefined : { place, isAccepted: cursor?.accepted === true }
  const entry =
    wanted && (yield* explainEntry(wanted, { state, call, listing, query, total, limit: input.limit, begins }))
  return {
    fileSetId: fileSet.id,
    search: showQuery(query),
    limit: input.limit,
    overlooked: findIgnored(call),
    scope: describeScope(listing, query, inScope),
    combined: tracker.settings['filter.several'] === 'or' ? 'any' : 'all',
    clauses,
    order: describeOrder(listing, tracker),
    total,
    pages: pageAt(call, state.seed, input.limit, { index: Math.min(total, windowOf(tracker)) - 1 })?.page ?? 0,
    ...(cursor
      ? { cursor: { ...cursor, ...(cursor.accepted ? { leadsTo: yield* findNext(listing, place) } : {}) } }
      : {}),
    ...(entry ? { entry } : {}),
    behaviours: tracker.used().ids,
  }
}

/** A file set that does not exist, where behaviours respond with an empty page. */
function nothing(id: string): FileSet {
  return { id, entries: new Entries(id, createRecords(id, [])), version: 0, past: new Map() }
}

/** Where the page starts; at the front if the token is refused or ignored. */
function findPageStart(state: State, call: SearchCall, fileSet: FileSet, input: SearchInput) {
  const query = wholeQuery(input)
  const front = firstPage(fileSet, query)
  const { token } = input
  if (token === undefined) return { place: front, cursor: undefined }
  const meaning = explainToken(state, call, token)
  try {
    const place = resolvePageStart(fileSet, call, { ...input, token }, front)
    const isTaken = place !== 'empty' && place.pages > 0
    const cursor: CursorExplanation = {
      ...meaning,
      accepted: isTaken,
      ...(isTaken ? {} : { refusal: 'A behaviour ignores it.' }),
    }
    return { place: place === 'empty' ? front : place, cursor }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { place: front, cursor: { ...meaning, accepted: false, refusal: error.message } }
  }
}

/** One pass over the entries: how many match each clause, and how many only that clause excludes. */
function* countClauses(
  { entries, scope, tests, passes, stride }: Listing,
  query: Query,
  { settings }: BehaviourTracker,
): Steps<{ clauses: ClauseCounts[]; total: number; inScope: number }> {
  const isInScope = createScopeTest(entries, scope)
  const bypasses = settings['dir.filtered'] === 'bypass'
  const allMust = settings['filter.several'] !== 'or'
  const holds = tests.map(() => 0)
  const keepsOut = tests.map(() => 0)
  let [total, inScope, looked] = [0, 0, 0]
  for (const slot of entries.slots()) {
    if (++looked % stride === 0) yield
    if (!isInScope(slot)) continue
    inScope++
    if (passes(slot)) total++
    const isUntested = bypasses && entries.isDirectory(slot)
    let [failed, last] = [0, -1]
    for (let at = 0; at < tests.length; at++) {
      if (isUntested || tests[at]?.(slot) === true) holds[at] = (holds[at] ?? 0) + 1
      else {
        failed++
        last = at
      }
    }
    if (failed === 1 && (allMust || tests.length === 1)) keepsOut[last] = (keepsOut[last] ?? 0) + 1
  }
  const clauses = describeClauses(query, settings).map((clause, at) => ({
    ...clause,
    holds: holds[at] ?? 0,
    keepsOut: keepsOut[at] ?? 0,
  }))
  return { clauses, total, inScope }
}

function describeScope({ entries, scope }: Listing, query: Query, inScope: number): SearchExplanation['scope'] {
  const directories = scope.directories.map((directory) => pathOf(entries, directory))
  const what = { all: 'files and directories', explicit: 'files and explicit directories', none: 'files' }
  const reach = scope.immediateChildren ? 'directly in' : 'at any depth below'
  const where =
    directories.length === 0
      ? `no directory has the path ${JSON.stringify(query.directoryPath)}`
      : `${what[scope.directoryEntries]} ${reach} ${directories.map((path) => (path === '' ? 'the root' : JSON.stringify(path))).join(', ')}`
  return { reads: `${where}${scope.self ? ', and the directory itself' : ''}`, directories, entries: inScope }
}

function pathOf(entries: Entries, directory: number): string {
  const slot = entries.slotOf(directory)
  return slot === undefined ? '' : nameEntry(entries, slot).path
}

function describeOrder({ order }: Listing, { settings }: BehaviourTracker): SearchExplanation['order'] {
  const nulls = { largest: 'null counts as the largest', first: 'null first', last: 'null last' }[
    settings['sort.nulls']
  ]
  const texts = settings['sort.collation'] === 'codepoint' ? 'text character by character' : 'text whatever its case'
  const reads = order.by[0] === 'draw' ? 'shuffled, the same way each time' : `${nulls}, ${texts}, equal ones by id`
  return { reads, by: order.by }
}

/** JSON pointers of parts of the body that were ignored. Reading them again records nothing new. */
function findIgnored({ body, tracker }: SearchCall): string[] {
  const reader = { tracker, violations: [] }
  if (!isObject(body)) return []
  const filters = asList(body.filters)
  const keys = asList(body.fieldSort)
  const keysOf = (count: number) => readFieldSort(keys.slice(0, count), reader).length
  return [
    ...filters.flatMap((filter, index) =>
      isObject(filter) && readFilter(filter, '', reader) === undefined ? [`/filters/${index}`] : [],
    ),
    ...keys.flatMap((_, index) => (keysOf(index + 1) > keysOf(index) ? [] : [`/fieldSort/${index}`])),
  ]
}

function* findNext(listing: Listing, place: PageStart): Steps<CursorExplanation['leadsTo']> {
  const found = search(listing, place.offset === undefined ? place.after(listing.order) : undefined)
  for (let skipped = 0; skipped < (place.offset ?? 0); skipped++) yield* nextSlot(found)
  const next = yield* nextSlot(found)
  return next === undefined ? null : nameEntry(listing.entries, next)
}

/** The content of a token, whether or not it is accepted. */
type TokenMeaning = Omit<CursorExplanation, 'accepted' | 'refusal' | 'leadsTo'>

/** Decodes a token, without the keys that it was made with. */
function explainToken(state: State, call: SearchCall, token: string): TokenMeaning {
  if (call.tracker.settings['next.content'] === 'plain') {
    const plain = decodePlain(token)
    return plain ? { readable: true, last: lastOfPlain(plain) } : { readable: false }
  }
  const cursor = call.cursors.decode(token)
  if (!cursor) return { readable: false }
  const { fileSetId, query, pages, given, version, limit, issued } = cursor
  return {
    readable: true,
    fileSetId,
    search: typeof query === 'string' ? null : showQuery(query),
    last: lastOf(cursor, state, call.tracker),
    pages,
    entries: given,
    version,
    limit,
    ...(issued === undefined ? {} : { issued: new Date(issued).toISOString() }),
  }
}

function showQuery({ dateFilters, ...rest }: Query): NonNullable<ExplainedSearch> {
  const bound = (text: string | null) => (text === null ? null : boundText(text))
  return { ...rest, dateFilters: dateFilters.map((one) => ({ ...one, start: bound(one.start), end: bound(one.end) })) }
}

function lastOf(cursor: Cursor, state: State, tracker: BehaviourTracker): CursorExplanation['last'] {
  const { place } = cursor
  const tie = place.at(-1)
  const id = typeof tie === 'string' ? tie : ''
  const entries = state.fileSets.get(cursor.fileSetId)?.entries
  const slot = entries?.slotWithId(id)
  const path = entries && slot !== undefined ? nameEntry(entries, slot).path : null
  return { id, path, values: namedValues(cursor, state, tracker) }
}

/** The values that the token remembers, by their fields where the order that they come from is known. */
function namedValues(
  { fileSetId, query, place, order: mark }: Cursor,
  state: State,
  tracker: BehaviourTracker,
): SortedBy {
  const entries = state.fileSets.get(fileSetId)?.entries
  const order =
    entries && typeof query !== 'string' ? orderOfSearch(entries, query, tracker.settings, state.seed).order : undefined
  const by = order && markOf(order) === mark ? order.by : []
  return place.map((value, index) => ({
    field: by[index] ?? (index === place.length - 1 ? 'id' : `key ${index + 1}`),
    value: showSortValue(value),
  }))
}

function lastOfPlain({ id, path, ...known }: PlainCursor): CursorExplanation['last'] {
  const values = Object.entries(known).map(([field, value]) => ({ field, value: showSortValue(value) }))
  return { id, path, values }
}
