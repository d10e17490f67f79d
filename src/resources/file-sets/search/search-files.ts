import { type BehaviourTracker, splitSetting } from '../../../behaviours/tracker.ts'
import { resolvePageStart, type PageStart, invalidCursor } from './page-start.ts'
import { type Call, type Fragment, type Handler, type Outcome, refusal } from '../../handler.ts'
import { asText } from '../../../base/formats/json.ts'
import { type SearchInput, normalizeSearch, readSearch, wholeQuery } from './read-query.ts'
import { restrictFileSet } from './visible-entries.ts'
import { requestInvalid } from '../../../base/errors/request-errors.ts'
import { shown } from '../../../base/errors/problem.ts'
import { fileSetNotFound } from '../../../base/errors/resource-errors.ts'
import { type Query, encodePlain, markOf, digest } from './cursor.ts'
import { type Steps, runSteps } from '../../../engine/slices.ts'
import type { FileSet } from '../entries/file-set.ts'
import type { State } from '../../../engine/state.ts'
import type { FaultStrikes } from '../../../engine/faults/fault.ts'
import { corruptPage } from '../../../engine/faults/page-faults.ts'
import { createSearchCall, type SearchCaches, type SearchCall } from './search-caches.ts'
import { hasToTest, nextSlot, search, select, type Listing } from '../entries/search.ts'
import { chanceKey, draw, isUuid } from '../../../engine/random.ts'

export function createSearchFiles(caches: SearchCaches): Handler {
  return {
    normalizeBody: normalizeSearch,

    assertExists(state, call) {
      const id = asText(call.path.fileSetId)
      if (call.tracker.settings['set.id-form'] === 'uuid-or-400' && !isUuid(id)) {
        throw requestInvalid([refusal('set.id-form', { parameter: 'fileSetId' }, 'a UUID', id)])
      }
      if (!state.fileSets.has(id)) throwIfUnknown(id, state, call.tracker)
    },

    read(state, call) {
      const { input, violations } = readSearch(call)
      const query = wholeQuery(input)
      const repeat = repeatOf(caches, input, query)
      return { violations, decide: () => repeat(state, call), repeat }
    },
  }
}

/** A separate function: a closure inside `read` would keep the state alive. */
function repeatOf(caches: SearchCaches, input: SearchInput, query: Query) {
  return (state: State, call: Call) => decideSearch(state, createSearchCall(caches, state, call), input, query)
}

function* decideSearch(state: State, call: SearchCall, input: SearchInput, query: Query): Steps<Outcome> {
  const fileSet = state.fileSets.get(asText(call.path.fileSetId))
  if (!fileSet || input.limit === 0) return emptyPage(call.tracker)
  const visible = yield* visibleFileSet(fileSet, call)
  if (query.filters.some(({ field }) => field === 'id')) yield* visible.entries.base.indexIds()
  const front = firstPage(visible, query)
  const place =
    input.token === undefined ? front : resolvePageStart(visible, call, { ...input, token: input.token }, front)
  return place === 'empty'
    ? emptyPage(call.tracker)
    : yield* createPage(state, call, { fileSet: visible, place, limit: input.limit })
}

/** The file set as the call sees it: as it is, unless behaviours delay or restrict what a search finds. */
export function* visibleFileSet(fileSet: FileSet, call: Call): Steps<FileSet> {
  const { settings, note } = call.tracker
  if (fileSet.version > 0) note('search.lag', 'file.pending')
  note('search.visible')
  const isWhole =
    settings['search.lag'] === 'none' && settings['file.pending'] === 'complete' && settings['search.visible'] === 'all'
  return isWhole ? fileSet : yield* restrictFileSet(fileSet, call)
}

/** The start of a walk. A walk is a sequence of pages of one search. */
export function firstPage({ entries, version }: FileSet, query: Query): PageStart {
  return { query, entries, version, pages: 0, given: 0, after: () => undefined }
}

function throwIfUnknown(id: string, state: State, tracker: BehaviourTracker): void {
  const answer = tracker.ask('set.unknown')
  if (answer === 'empty') return
  const known = [...state.fileSets.keys()].slice(0, 20).join(', ')
  throw fileSetNotFound({
    status: Number(answer),
    detail: `There is no file set ${shown(id)}. File sets: ${known}.`,
    violations: [refusal('set.unknown', { parameter: 'fileSetId' }, `one of ${known}`, id)],
  })
}

/** Pages up to this size are built before sending, with a Content-Length; larger ones are streamed. */
const LARGEST_READY_PAGE = 1000

interface RequestedPage {
  readonly fileSet: FileSet
  readonly place: PageStart
  readonly limit: number
}

/** The page of a file set that begins at a place. */
function* createPage(state: State, call: SearchCall, request: RequestedPage): Steps<Outcome> {
  const { tracker } = call
  const { place, limit } = request
  const { entries } = place
  const { listing, recordBehaviours } = call.listings.prepare(entries, place.query, tracker, state.seed)
  const found = search(listing, place.offset === undefined ? place.after(listing.order) : undefined)
  for (let skipped = 0; skipped < (place.offset ?? 0); skipped++) yield* nextSlot(found)

  const size = limitToWindow(pageSize(call, state.seed, place.pages + 1, limit), place.given, tracker)
  const isNextImplied = tracker.settings['page.exact-end'] === 'full-page-implies-next'
  const progress: PageProgress = {
    found,
    isNextImplied,
    most: size,
    last: undefined,
    given: 0,
    isCut: false,
    isLast: false,
  }
  const page = { request, listing, progress }
  const first = call.faults ? yield* corruptStart(progress, size, call.faults) : []
  const { 'dir.fields': fields, 'file.created-spelling': spelling } = tracker.settings
  const form = { isFilled: fields !== 'bare', spelling }
  if (size > LARGEST_READY_PAGE) {
    // The headers are sent before the entries are known, so they list every behaviour that the page may depend on.
    recordBehaviours({ slots: 'unknown', isWhole: false }, tracker)
    tracker.note('page.last', 'page.exact-end', 'page.short')
    // Rendering while sending cannot give way to other requests, so the slow part comes first.
    if (hasToTest(listing)) yield* select(listing)
    else yield* listing.order.slots()
    const fragments = rendered(first, progress, call.fragments.uncached(entries, form))
    const context = () => createContext(call, page, mustPeek(progress) && runSteps(nextSlot(found)) !== undefined)
    return { status: 200, body: { page: { fragments, streamed: true, context } }, events: [] }
  }
  const slots = call.faults ? first : yield* takeSlots(progress, size)
  const context = createContext(call, page, mustPeek(progress) && (yield* nextSlot(found)) !== undefined)
  recordBehaviours({ slots, isWhole: place.pages === 0 && progress.isLast }, tracker)
  const fragments = call.fragments.cached(entries, form, slots)
  return { status: 200, body: { page: { fragments, streamed: false, context: () => context } }, events: [] }
}

/** The entries of a page found so far. An entry is identified by its slot, its number in the file set (see `entries/base.ts`). */
interface PageProgress {
  readonly found: ReturnType<typeof search>
  /** `page.exact-end`: whether a full page gets a token without checking for another entry. */
  readonly isNextImplied: boolean
  /** Entries that the page may have. */
  most: number
  given: number
  last: number | undefined
  isCut: boolean
  /** Whether there is no page after it; set by `createContext`. */
  isLast: boolean
}

/** The first entries of a page as faults show them. */
function* corruptStart(progress: PageProgress, size: number, faults: FaultStrikes): Steps<readonly number[]> {
  const slots = yield* takeSlots(progress, LARGEST_READY_PAGE)
  const { shown: asShown, kept } = corruptPage({ found: slots, limit: size, continues: true }, faults)
  progress.isCut = kept < slots.length
  if (progress.isCut) [progress.given, progress.last] = [kept, slots[kept - 1]]
  // A duplicate counts towards the size of the page.
  else progress.most -= Math.max(0, asShown.length - kept)
  return asShown
}

/** Whether only one more entry shows that there is another page. */
function mustPeek({ last, isCut, given, most, isNextImplied }: PageProgress): boolean {
  return last !== undefined && !isCut && given === most && !isNextImplied
}

/** @param hasNext whether another entry was found after a full page */
function createContext(
  call: SearchCall,
  {
    request,
    listing,
    progress,
  }: { readonly request: RequestedPage; readonly listing: Listing; readonly progress: PageProgress },
  hasNext: boolean,
): unknown {
  const { tracker } = call
  const { last, given, most, isCut, isNextImplied } = progress
  const hasMore = last !== undefined && (isCut || (given === most && (isNextImplied || hasNext)))
  if (isNextImplied || (!hasMore && given === request.limit)) tracker.note('page.exact-end')
  progress.isLast = !hasMore
  if (!hasMore) return lastContext(tracker)
  tracker.note('page.short')
  return { next: nextToken(call, { ...request, listing, last, given }) }
}

/** Takes up to `count` entries. A top-level function: generator closures slow V8 down. */
function* takeSlots(progress: PageProgress, count: number): Steps<number[]> {
  const slots: number[] = []
  while (slots.length < count && progress.given < progress.most && !progress.isCut) {
    const next = progress.found.next()
    if (next.done) break
    if (next.value === undefined) yield
    else {
      slots.push((progress.last = next.value))
      progress.given++
    }
  }
  return slots
}

function take(progress: PageProgress): number | undefined {
  if (progress.given >= progress.most || progress.isCut) return undefined
  const next = runSteps(nextSlot(progress.found))
  if (next === undefined) return undefined
  progress.given++
  return (progress.last = next)
}

function* rendered(
  first: readonly number[],
  progress: PageProgress,
  render: (slot: number) => Fragment,
): Generator<Fragment> {
  for (const slot of first) yield render(slot)
  for (let slot = take(progress); slot !== undefined; slot = take(progress)) yield render(slot)
}

/** The requested size, or half of it (at least one entry) where `page.short` makes the page short. */
export function pageSize({ tracker }: Call, seed: number, page: number, limit: number): number {
  const { word, numbers } = splitSetting(tracker.settings['page.short'])
  const short =
    word === 'every'
      ? page % numbers[0] === 0
      : word === 'random' && draw(chanceKey(seed, 'short page'), page) % 2 === 0
  if (!short) return limit
  tracker.note('page.short')
  return Math.max(1, Math.floor(limit / 2))
}

function lastContext(tracker: BehaviourTracker): unknown {
  const mark = tracker.ask('page.last')
  return mark === 'absent' ? {} : { next: mark === 'null' ? null : '' }
}

/** An empty last page. */
function emptyPage(tracker: BehaviourTracker): Outcome {
  const context = lastContext(tracker)
  return { status: 200, body: { page: { fragments: [], streamed: false, context: () => context } }, events: [] }
}

/** `page.window`: how many entries the pages of a walk show together; infinite for all. */
export function windowOf({ settings: { 'page.window': window } }: BehaviourTracker): number {
  return window === 'none' ? Infinity : Number(window)
}

/** `page.window`: how many entries a page of at most `size` may show after the entries already returned. @throws Problem 400 when none */
function limitToWindow(size: number, given: number, tracker: BehaviourTracker): number {
  const window = windowOf(tracker)
  if (given > 0) tracker.note('page.window')
  const room = window - given
  if (room < size) tracker.note('page.window')
  if (room > 0) return Math.min(room, size)
  throw invalidCursor('page.window', `a page that begins before entry ${window + 1} of the search`, {
    words: `one that begins after entry ${given}`,
  })
}

interface LastEntry extends RequestedPage {
  readonly listing: Listing
  /** The slot of the last entry of the page. */
  readonly last: number
  /** Entries on the page. */
  readonly given: number
}

/** The token that leads to the page after this one. */
function nextToken(
  { cursors, tracker, now, key }: SearchCall,
  { fileSet, place, listing: { order, memory }, last, given, limit }: LastEntry,
): string {
  if (tracker.ask('next.content') === 'plain') return encodePlain(place.entries.record(last))
  const cursor = {
    fileSetId: fileSet.id,
    query: place.query,
    place: order.valuesAt(last),
    order: markOf(order),
    pages: place.pages + 1,
    given: place.given + given,
    version: place.version,
    limit,
    issued: tracker.settings['next.expiry'] === 'none' ? undefined : now,
    key: tracker.settings['next.other-key'] === 'accept' ? undefined : digest(key()),
  }
  return cursors.encode(cursor, memory.isRepeated)
}
