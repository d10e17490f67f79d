import { type BehaviourTracker, splitSetting } from '../../../behaviours/tracker.ts'
import type { BehaviourId } from '../../../../types/behaviour-settings.d.ts'
import { type Call, refusal, refusalInWords } from '../../handler.ts'
import type { SearchCall } from './search-caches.ts'
import { visibleEntries } from './visible-entries.ts'
import { trackQuery, type SearchInput } from './read-query.ts'
import { type Problem, shown } from '../../../base/errors/problem.ts'
import { type Cursor, decodePlain, digest, markOf, isFor, type PlainCursor, type Query } from './cursor.ts'
import type { Entries } from '../entries/entries.ts'
import type { Order, SortValue } from '../entries/order.ts'
import { parseInstant } from '../../../base/formats/instant.ts'
import { runSteps } from '../../../engine/slices.ts'
import type { FileSet } from '../entries/file-set.ts'
import { cursorInvalid } from '../../../base/errors/resource-errors.ts'
import { requestInvalid } from '../../../base/errors/request-errors.ts'

/** Where a page starts, and in what. */
export interface PageStart {
  readonly query: Query
  /** The entries that the walk sees. */
  readonly entries: Entries
  /** The version of the file set that the walk began with. */
  readonly version: number
  readonly pages: number
  readonly given: number
  /** Entries to skip, if behaviours let pages drift; else the page starts after a position in the order. */
  readonly offset?: number
  after(order: Order): readonly SortValue[] | undefined
}

/**
 * Where the page that a token leads to starts: after the place that it remembers, or at the front where behaviours ignore the token.
 *
 * @param front the start of the search as sent
 * @throws Problem 400 when the token was not issued by this server, or for another search
 */
export function resolvePageStart(
  fileSet: FileSet,
  call: SearchCall,
  sent: SearchInput & { readonly token: string },
  front: PageStart,
): PageStart | 'empty' {
  const { tracker } = call
  const whole = front.query
  tracker.note('next.reuse', 'page.changes')
  if (tracker.settings['next.content'] === 'plain') {
    tracker.note('next.content')
    const plain = decodePlain(sent.token)
    return plain
      ? { ...front, pages: 1, after: (order) => placeOfPlain(plain, fileSet.entries, order) }
      : tampered(call, sent.token, front)
  }
  const cursor = call.cursors.decode(sent.token)
  if (!cursor) return tampered(call, sent.token, front)
  refuseOld(cursor, call)
  if (cursor.fileSetId !== fileSet.id) {
    const answer = tracker.ask('next.other-set')
    if (answer === 'error') throw invalidCursor('next.other-set', `a token of the file set ${fileSet.id}`, sent.token)
    return answer === 'ignore' ? front : resume(fileSet, { ...cursor, version: fileSet.version }, whole, call)
  }
  refuseOtherKey(cursor, call)
  if (cursor.limit !== sent.limit && tracker.ask('limit.change') === 'error') {
    throw requestInvalid([
      refusal('limit.change', { parameter: 'limit' }, `${cursor.limit}, as on the page before`, sent.limit),
    ])
  }
  return resume(fileSet, cursor, chooseQuery(cursor, sent, whole, call), call)
}

function tampered({ tracker }: Call, token: string, front: PageStart): PageStart | 'empty' {
  const answer = tracker.ask('next.tampered')
  if (answer === 'error')
    throw invalidCursor('next.tampered', 'a token from `pageContext.next` of this seed, unchanged', token)
  return answer === 'empty' ? 'empty' : front
}

/** @param came the token, or a description of what was received with it */
export function invalidCursor(
  id: BehaviourId,
  expected: string,
  came: string | undefined | { readonly words: string },
): Problem {
  const where = { parameter: 'next' }
  const violation =
    typeof came === 'object' ? refusalInWords(id, where, expected, came.words) : refusal(id, where, expected, came)
  return cursorInvalid({ violations: [violation] })
}

function refuseOld({ issued }: Cursor, { tracker, now }: Call): void {
  tracker.note('next.expiry')
  const { word, numbers } = splitSetting(tracker.settings['next.expiry'])
  if (word === 'ttl' && issued !== undefined && now - issued >= numbers[0] * 1000) {
    throw invalidCursor('next.expiry', `a token younger than ${numbers[0]} s`, {
      words: `one issued ${Math.floor((now - issued) / 1000)} s ago`,
    })
  }
}

function refuseOtherKey({ key }: Cursor, call: Call): void {
  if (call.tracker.ask('next.other-key') === 'accept' || key === undefined || key === digest(call.key())) return
  throw invalidCursor('next.other-key', 'a token that was given to the same key', { words: 'one of another key' })
}

/** The search to continue: that of the token, if the request agrees with it. */
function chooseQuery(
  cursor: Cursor,
  { body, directoryPath, immediateChildren }: SearchInput,
  whole: Query,
  { tracker }: Call,
): Query {
  const parts = { directoryPath, immediateChildren, ...body }
  const named = Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined))
  if (isFor(cursor, whole)) return whole
  if (Object.keys(named).length === 0) return continueQuery(cursor, whole, tracker)
  // Omitted parts are inherited; parts that were sent must be equal.
  if (typeof cursor.query !== 'string' && isFor(cursor, { ...cursor.query, ...named })) {
    trackQuery(cursor.query, tracker)
    return cursor.query
  }
  const answer = tracker.ask('next.conflict')
  if (answer === 'reevaluate') return whole
  if (answer === 'ignore' && typeof cursor.query !== 'string') return cursor.query
  throw invalidCursor(
    'next.conflict',
    'the same directory, flag, filters and sort as on the page before, or {} to go on with them',
    { words: differences(cursor, named) },
  )
}

/** The search of a token that was sent alone. */
function continueQuery({ query }: Cursor, whole: Query, tracker: BehaviourTracker): Query {
  const words = 'a token alone'
  const answer = tracker.ask('next.omitted-query')
  if (answer === 'reevaluate') return whole
  if (answer === 'error')
    throw invalidCursor('next.omitted-query', 'the search that the token came from, sent again', { words })
  if (typeof query !== 'string') {
    trackQuery(query, tracker)
    return query
  }
  const expected = 'the search sent again beside the token: it is over 1 KB, so the token holds only its digest'
  throw invalidCursor('next.content', expected, { words })
}

/** The parts of the search that differ from the token's, in words. */
function differences(cursor: Cursor, named: Readonly<Record<string, unknown>>): string {
  const { query } = cursor
  if (typeof query === 'string') return 'a different search'
  const names = Object.keys(named).filter((name) => !isFor(cursor, { ...query, [name]: named[name] }))
  return `a search that differs in ${names.join(', ')}`
}

function resume(fileSet: FileSet, cursor: Cursor, query: Query, call: Call): PageStart {
  const changes = call.tracker.settings['page.changes']
  const entries = changes === 'snapshot' ? entriesAt(fileSet, cursor.version, call) : fileSet.entries
  return {
    query,
    entries,
    version: cursor.version,
    pages: cursor.pages,
    given: cursor.given,
    ...(changes === 'offset' ? { offset: cursor.given } : {}),
    after: (order) => (cursor.order === markOf(order) ? cursor.place : placeOfId(cursor.place.at(-1), entries, order)),
  }
}

function entriesAt({ id, entries, version, past }: FileSet, wanted: number, call: Call): Entries {
  if (wanted === version) return entries
  const found = past.get(wanted)
  if (found) return runSteps(visibleEntries(found, id, call))
  throw invalidCursor(
    'page.changes',
    `a token of a version of ${id} that is still kept (${Math.min(...past.keys(), version)} to ${version})`,
    { words: `one of version ${wanted}` },
  )
}

/** In another order, the position of the last entry returned, if it still exists. */
function placeOfId(id: SortValue | undefined, entries: Entries, order: Order): SortValue[] {
  const slot = typeof id === 'string' ? entries.slotWithId(id) : undefined
  if (slot === undefined)
    throw invalidCursor('next.conflict', 'a token whose last entry still exists, to find its place by', {
      words: `one of ${shown(id)}`,
    })
  return order.valuesAt(slot)
}

/** The sort values of a plain token, from its five fields; the others are looked up. */
function placeOfPlain(plain: PlainCursor, entries: Entries, order: Order): SortValue[] {
  const slot = entries.slotWithId(plain.id)
  const known: Readonly<Record<string, unknown>> = {
    ...(slot === undefined ? {} : entries.record(slot)),
    ...plain,
    created: parseInstant(plain.created),
  }
  // An existing entry has null for a field without a value, such as the contentType of a directory.
  const otherwise = slot === undefined ? undefined : null
  const place = order.valuesOf((field) => (field in known ? (known[field] as SortValue | undefined) : otherwise))
  if (place) return place
  throw invalidCursor('next.content', 'a token whose last entry still exists, to look up what it is sorted by', {
    words: `one of ${shown(plain.path)}`,
  })
}
