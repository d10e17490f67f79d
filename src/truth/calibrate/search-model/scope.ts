import type { SeenEntry, SearchSeen } from '../search-seen.ts'
import { tryParseJson } from '../../../base/formats/json.ts'
import type { Traffic } from '../traffic.ts'

/** What is known of the entries that searches look through: those of a file set, of a directory, or the children of one. */
export interface Scope {
  /** All entries that any search of this scope returned. */
  readonly known: Map<unknown, SeenEntry>
  /** The places of the entries in the longest walk without filters and sorts. */
  places: ReadonlyMap<unknown, number>
  /** How many entries its first page had. */
  pageSize: number
  /** Counts the changes. */
  version: number
}

/** A search whose first page says what it found. */
export interface Found {
  readonly search: SearchSeen
  readonly entries: readonly SeenEntry[]
  /** Whether nothing was found beyond the entries. */
  readonly isComplete: boolean
}

export function idOf({ id, path }: SeenEntry): unknown {
  return typeof id === 'string' ? id : path
}

/** The scope of a first page; undefined for a search whose parameters leave doubts. */
export function scopeOf({ query, fileSet, key, uses, body, exchange }: SearchSeen): string | undefined {
  const names = [...query.keys()]
  const [limit, children] = ['limit', 'immediateChildren'].map((name) => query.get(name)?.[0])
  if (names.some((name) => !PARAMETERS.has(name) || query.get(name)?.length !== 1)) return undefined
  if (limit !== undefined && !/^[1-9]\d*$/.test(limit)) return undefined
  if (children !== undefined && children !== 'true' && children !== 'false') return undefined
  if (UNREADABLE.some((use) => uses.has(use)) || (body === undefined && (exchange.request.body ?? '').trim() !== ''))
    return undefined
  return JSON.stringify([fileSet, key, query.get('directoryPath')?.[0] ?? '', children === 'true'])
}

const PARAMETERS = new Set(['limit', 'directoryPath', 'immediateChildren'])
const UNREADABLE = ['http.json', 'http.path', 'http.encoding', 'http.media-type', 'error.bad-escape']

/** What a walk found: its pages as long as each asks for the same as the first. */
export function findEntries(first: SearchSeen, traffic: Traffic): Found {
  const walk = traffic.walkFrom(first)
  const other = walk.pages.findIndex((page) => !isSame(first, page))
  const pages = other < 0 ? walk.pages : walk.pages.slice(0, other)
  return { search: first, entries: pages.flatMap(({ files }) => files), isComplete: other < 0 && walk.isComplete }
}

function isSame(first: SearchSeen, page: SearchSeen): boolean {
  const parts = ['directoryPath', 'immediateChildren'].map((name) =>
    [first, page].map(({ query }) => query.get(name)?.[0]),
  )
  return (
    first.key === page.key &&
    parts.every(([one, other]) => one === other) &&
    (page === first || JSON.stringify(tryParseJson(first.exchange.request.body)) === JSON.stringify(page.body))
  )
}

/** Adds what a search found to its scope. */
export function addFound(scopes: Map<string, Scope>, key: string, { search, entries }: Found): void {
  const scope = scopes.get(key) ?? { known: new Map(), places: new Map(), pageSize: 0, version: 0 }
  scopes.set(key, scope)
  const before = scope.known.size
  for (const entry of entries) scope.known.set(idOf(entry), entry)
  if (scope.known.size > before) scope.version++
  const { filters, dateFilters, sorts } = search
  if (filters.length + dateFilters.length + sorts.length > 0 || entries.length <= scope.places.size) return
  scope.places = new Map(entries.map((entry, place) => [idOf(entry), place]))
  if (!search.query.has('limit')) scope.pageSize = search.files.length
  scope.version++
}
