import type { BehaviourTracker } from '../../../behaviours/tracker.ts'
import { parameterOf } from '../../../behaviours/parameter-of.ts'
import { resolvePageStart, limitToWindow, nextToken, type PageStart } from './page-start.ts'
import { asText, type Call, type Handler, type Outcome, refusal } from '../../handler.ts'
import { readQueryBody, type SearchInput, normalizeSearch } from './read-query.ts'
import { seenFileSet } from './visible-file-set.ts'
import type { Violation } from '../../../errors/problem.ts'
import { requestInvalid } from '../../../errors/request-errors.ts'
import { fileSetNotFound } from '../../../errors/resource-errors.ts'
import { createQuery, type Query } from '../search/cursor.ts'
import { isUuid } from '../../../engine/uuid.ts'
import { type Steps, runSteps } from '../../../engine/steps.ts'
import type { State, FileSet } from '../../../engine/state.ts'
import type { Fragment } from './search-caches.ts'
import { corruptPage } from './page-faults.ts'
import { hasToTest, nextSlot, search, select } from '../search/search.ts'
import { chanceKey, draw } from '../../../engine/random.ts'

/** interface.md 4.1 gives the default. */
const DEFAULT_LIMIT = 100

export const searchFiles: Handler = {
  normalizeBody: normalizeSearch,

  find(state, call) {
    const id = asText(call.path.fileSetId)
    if (call.tracker.answers['set.id-form'] === 'uuid-or-400' && !isUuid(id)) {
      throw requestInvalid([refusal('set.id-form', { parameter: 'fileSetId' }, 'a UUID', id)])
    }
    if (!state.fileSets.has(id)) throwIfUnknown(id, state, call.tracker)
  },

  read(state, call) {
    const { input, violations } = readSearch(call)
    const query = wholeQuery(input)
    const repeat = repeatOf(input, query)
    return { violations, decide: () => repeat(state, call), repeat }
  },
}

/** Made apart from `decide`: functions of one scope keep all that any of them needs, and this one is kept longer than a state. */
function repeatOf(input: SearchInput, query: Query) {
  return (state: State, call: Call) => decideSearch(state, call, input, query)
}

/** What a search means, before a token has its say. */
export function readSearch(call: Call): { input: SearchInput; violations: Violation[] } {
  const { query: body, violations } = readQueryBody(call.body, call.tracker)
  const directoryPath = readDirectoryPath(call, violations)
  const { next: token } = call.query
  const immediateChildren = readQuery(call, 'immediateChildren')
  if (token === '' && call.tracker.ask('next.blank') === 'error') {
    violations.push(
      refusal('next.blank', { parameter: 'next' }, 'a token from `pageContext.next`, or no `next` at all', token),
    )
  }
  const limit = readLimit(call, violations)
  const flag = typeof immediateChildren === 'boolean' ? immediateChildren : undefined
  const input = {
    body,
    directoryPath,
    immediateChildren: flag,
    limit,
    token: typeof token === 'string' && token !== '' ? token : undefined,
  }
  return { input, violations }
}

function* decideSearch(state: State, call: Call, input: SearchInput, query: Query): Steps<Outcome> {
  const fileSet = state.fileSets.get(asText(call.path.fileSetId))
  if (!fileSet || input.limit === 0) return emptyPage(call.tracker)
  const seen = yield* seenFileSet(fileSet, call)
  if (query.filters.some(({ field }) => field === 'id')) yield* seen.entries.base.indexIds()
  const place = resolvePageStart(seen, call, input, query)
  return place === 'empty'
    ? emptyPage(call.tracker)
    : yield* createPage(state, call, { fileSet: seen, place, limit: input.limit })
}

function throwIfUnknown(id: string, state: State, tracker: BehaviourTracker): void {
  const answer = tracker.ask('set.unknown')
  if (answer === 'empty') return
  const known = [...state.fileSets.keys()].slice(0, 20).join(', ')
  throw fileSetNotFound({
    status: Number(answer),
    detail: `There is no file set ${JSON.stringify(id)}. File sets: ${known}.`,
    violations: [refusal('set.unknown', { parameter: 'fileSetId' }, `one of ${known}`, id)],
  })
}

/** What was sent, or what a contract of the user's own says is meant without it. A token stands for all that was sent before it. */
function readQuery({ query, follows, tracker }: Call, name: string): unknown {
  const sent = query[name]
  if (sent !== undefined || !follows) return sent
  const isInToken = Boolean(query.next) && tracker.answers['next.content'] !== 'plain'
  return isInToken ? undefined : follows.usualQuery[name]
}

function readDirectoryPath(call: Call, violations: Violation[]): string | undefined {
  const { tracker } = call
  const sent = readQuery(call, 'directoryPath')
  if (typeof sent !== 'string' || sent === '') return undefined
  const segments = sent.split('/')
  const hasDots = segments.some((segment) => segment === '.' || segment === '..' || segment.includes('\0'))
  if (hasDots && tracker.ask('dir.dots') === 'error') {
    violations.push(refusal('dir.dots', { parameter: 'directoryPath' }, 'no segment `.` or `..` and no NUL', sent))
  }
  if (segments.every((segment) => segment !== '')) return sent
  return tracker.ask('dir.slashes') === 'exact' ? sent : segments.filter((segment) => segment !== '').join('/')
}

function readLimit(call: Call, violations: Violation[]): number {
  const { tracker } = call
  const sent = call.query.limit
  const { word, numbers } = parameterOf(tracker.answers['limit.max'])
  const most = word === 'none' ? Infinity : numbers[0]
  const usual = call.follows?.usualQuery.limit
  // The largest limit holds for those who name none, too.
  const byDefault = Math.min(isCount(usual) ? usual : DEFAULT_LIMIT, call.follows?.mostEntries ?? Infinity, most)
  if (typeof sent !== 'number') {
    if (byDefault === most) tracker.note('limit.max')
    return byDefault
  }
  const where = { parameter: 'limit' }
  if (sent === 0) {
    const answer = tracker.ask('limit.zero')
    if (answer === 'error') violations.push(refusal('limit.zero', where, 'an integer from 1 to 2147483647', sent))
    return answer === 'empty' ? 0 : byDefault
  }
  if (sent < 0) {
    if (tracker.ask('limit.negative') === 'error')
      violations.push(refusal('limit.negative', where, 'an integer from 1 to 2147483647', sent))
    return byDefault
  }
  if (sent <= most) return sent
  tracker.note('limit.max')
  if (word === 'error') violations.push(refusal('limit.max', where, `at most ${most}`, sent))
  return most
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}

/** The search as sent, every part that was left out being empty. */
export function wholeQuery({ body, directoryPath, immediateChildren }: SearchInput): Query {
  const { fieldSort = [], filters = [], dateFilters = [] } = body
  return createQuery({
    directoryPath: directoryPath ?? '',
    immediateChildren: immediateChildren ?? false,
    fieldSort,
    filters,
    dateFilters,
  })
}

/** Pages up to this size are made at once and sent with their length; larger ones are made while they are sent. */
const LARGEST_READY_PAGE = 1000

interface Asked {
  readonly fileSet: FileSet
  readonly place: PageStart
  readonly limit: number
}

/** The page of a file set that begins at a place. */
function* createPage(state: State, call: Call, { fileSet, place, limit }: Asked): Steps<Outcome> {
  const { tracker } = call
  const { entries } = place
  const { listing, leanOn } = call.listings.prepare(entries, place.query, tracker, state.seed)
  const after = place.offset === undefined ? place.after(listing.order) : undefined
  const found = search(listing, after)
  for (let skipped = 0; skipped < (place.offset ?? 0); skipped++) yield* nextSlot(found)

  const size = limitToWindow(pageSize(call, state.seed, place.pages + 1, limit), place.given, tracker)
  const implied = tracker.answers['page.exact-end'] === 'full-page-implies-next'
  const walk: Walk = { found, most: size, last: undefined, given: 0, isCut: false, isLast: false }
  // One row more tells whether there is another page. A page that was filled may skip the look, if the behaviour catalogue says so.
  const needsLook = () => walk.last !== undefined && !walk.isCut && walk.given === walk.most && !implied
  const context = (hasNext: boolean) => {
    const { last, given, most, isCut } = walk
    const more = last !== undefined && (isCut || (given === most && (implied || hasNext)))
    if (implied || (!more && given === limit)) tracker.note('page.exact-end')
    walk.isLast = !more
    if (!more) return lastContext(tracker)
    tracker.note('page.short')
    return { next: nextToken(call, { fileSet, place, listing, last, given, limit }) }
  }
  let first: readonly number[] = []
  if (call.pageFaults) {
    const slots = yield* taken(walk, LARGEST_READY_PAGE)
    const { shown, kept } = corruptPage(slots, size, call.pageFaults)
    first = shown
    walk.isCut = kept < slots.length
    if (walk.isCut) [walk.given, walk.last] = [kept, slots[kept - 1]]
    // An entry that is there twice takes a place on the page.
    else walk.most -= Math.max(0, shown.length - kept)
  }
  const form = tracker.answers['dir.fields'] === 'bare' ? 'bare' : 'filled'
  if (size > LARGEST_READY_PAGE) {
    // The headers leave before the entries are known, so they name every row that the page may come to depend on.
    leanOn({ slots: 'unknown', isWhole: false }, tracker)
    tracker.note('page.last', 'page.exact-end', 'page.short')
    // Nothing can be put off while the page is sent, so what takes long is done before.
    if (hasToTest(listing)) yield* select(listing)
    else yield* listing.order.slots()
    const fragments = rendered(first, walk, call.fragments.passer(entries, form))
    const lastly = () => context(needsLook() && runSteps(nextSlot(found)) !== undefined)
    return { status: 200, body: { page: { fragments, streamed: true, context: lastly } }, events: [] }
  }
  const slots = call.pageFaults ? first : yield* taken(walk, size)
  const pageContext = context(needsLook() && (yield* nextSlot(found)) !== undefined)
  leanOn({ slots, isWhole: place.pages === 0 && walk.isLast }, tracker)
  const fragments = slots.map(call.fragments.reader(entries, form))
  return { status: 200, body: { page: { fragments, streamed: false, context: () => pageContext } }, events: [] }
}

/** The entries of a page that were found so far. */
interface Walk {
  readonly found: ReturnType<typeof search>
  /** Entries that the page may have. */
  most: number
  given: number
  last: number | undefined
  isCut: boolean
  /** Whether there is no page after it; known once its context was made. */
  isLast: boolean
}

/** Takes so many entries. It stands here, as each closure that is a generator brings a hidden class for the garbage collector. */
function* taken(walk: Walk, count: number): Steps<number[]> {
  const slots: number[] = []
  while (slots.length < count && walk.given < walk.most && !walk.isCut) {
    const next = walk.found.next()
    if (next.done) break
    if (next.value === undefined) yield
    else {
      slots.push((walk.last = next.value))
      walk.given++
    }
  }
  return slots
}

function take(walk: Walk): number | undefined {
  if (walk.given >= walk.most || walk.isCut) return undefined
  const next = runSteps(nextSlot(walk.found))
  if (next === undefined) return undefined
  walk.given++
  return (walk.last = next)
}

function* rendered(first: readonly number[], walk: Walk, render: (slot: number) => Fragment): Generator<Fragment> {
  for (const slot of first) yield render(slot)
  for (let slot = take(walk); slot !== undefined; slot = take(walk)) yield render(slot)
}

/** Shorter than asked for only where the behaviour catalogue wants short pages: half, and at least one entry. */
export function pageSize({ tracker }: Call, seed: number, page: number, limit: number): number {
  const { word, numbers } = parameterOf(tracker.answers['page.short'])
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

/** A page without entries, and the last one. */
function emptyPage(tracker: BehaviourTracker): Outcome {
  const context = lastContext(tracker)
  return { status: 200, body: { page: { fragments: [], streamed: false, context: () => context } }, events: [] }
}
