import { boundText } from './explain-clauses.ts'
import { nameEntry, showSortValue } from './explain-entry.ts'
import type { CursorExplanation, ExplainedSearch, SortedBy } from './explanation.ts'
import type { SearchCall } from './search-caches.ts'
import { createOrder } from './listing.ts'
import type { BehaviourTracker } from '../../../behaviours/tracker.ts'
import { type Cursor, decodePlain, markOf, type PlainCursor, type Query } from './cursor.ts'
import type { State } from '../../../engine/state.ts'

/** The content of a token, whether or not it is accepted. */
export type TokenMeaning = Omit<CursorExplanation, 'accepted' | 'refusal' | 'leadsTo'>

/** Decodes a token, without the keys that it was made with. */
export function explainToken(state: State, call: SearchCall, token: string): TokenMeaning {
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

export function showQuery({ dateFilters, ...rest }: Query): ExplainedSearch {
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
    entries && typeof query !== 'string' ? createOrder(entries, query, silent(tracker), state.seed).order : undefined
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

/** A tracker with the same settings that records nothing. */
export function silent({ settings }: BehaviourTracker): BehaviourTracker {
  return {
    settings,
    ask: (id) => settings[id],
    note: () => undefined,
    used: () => ({ ids: [], text: '' }),
    record: (make) => ({ made: make(), bits: new Uint32Array() }),
    repeat: () => undefined,
  }
}
