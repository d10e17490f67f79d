import { decodePercent } from '../../contract/pointer.ts'
import { asObject, isObject, tryParseJson, asList } from '../../base/formats/json.ts'
import { headerOf, type RecordedExchange } from '../recordings/recorded-exchange.ts'
import { findUses, type SentSearch } from './uses.ts'

/** A search and its response, as probes read them. */
export interface SearchSeen extends SentSearch {
  readonly kind: 'search'
  /** See `findUses`. */
  readonly uses: ReadonlySet<string>
  readonly status: number
  /** A page came; the request was refused, with a status from 400 to 499; or neither. */
  readonly outcome: 'page' | 'refused' | 'failed'
  /** Of a page. */
  readonly files: readonly SeenEntry[]
  /** `pageContext.next` of a page, null and undefined as they are. */
  readonly next: unknown
}

/** A file record or directory entry of a response. */
export type SeenEntry = Readonly<Record<string, unknown>> & { readonly path: string }

/** The search of an exchange; undefined when it is another request. */
export function readSearch(exchange: RecordedExchange, keyHeader: string): SearchSeen | undefined {
  const { request, response } = exchange
  const [path, query] = splitTarget(request.url)
  const [, encoded] = SEARCH_PATH.exec(path) ?? []
  if (encoded === undefined || request.method !== 'POST') return undefined
  const body = tryParseJson(request.body)
  const lists = asObject(body)
  const page = response.status === 200 && response.isWhole ? tryParseJson(response.body) : undefined
  const files = entriesOf(page)
  const sent = {
    kind: 'search' as const,
    exchange,
    fileSet: decodePercent(encoded),
    query: readQuery(query),
    key: headerOf(request.headers, keyHeader),
    body,
    filters: asList(lists.filters).filter(isObject),
    sorts: asList(lists.fieldSort).filter(isObject),
    dateFilters: asList(lists.dateFilters).filter(isObject),
    status: response.status,
    outcome: outcomeOf(response.status, files !== undefined),
    files: files ?? [],
    next: asObject(asObject(page).pageContext).next,
  }
  return { ...sent, uses: findUses(sent, path, query) }
}

/** The entries of a page; undefined for any other body. */
export function entriesOf(page: unknown): SeenEntry[] | undefined {
  return isObject(page) && Array.isArray(page.files) ? page.files.filter(isEntry) : undefined
}

export function isToken(next: unknown): next is string {
  return typeof next === 'string' && next !== ''
}

/** Without regard to case and slashes, since a service may accept them. */
const SEARCH_PATH = /^\/+api\/+files\/+v1\/+filesets\/+([^/]*)\/+files\/+search\/*$/i

function outcomeOf(status: number, isPage: boolean): SearchSeen['outcome'] {
  if (isPage) return 'page'
  return status >= 400 && status < 500 ? 'refused' : 'failed'
}

function isEntry(value: unknown): value is SeenEntry {
  return isObject(value) && typeof value.path === 'string'
}

export function splitTarget(url: string): [path: string, query: string] {
  const mark = url.indexOf('?')
  return mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)]
}

function readQuery(query: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(query)) values.set(name, [...(values.get(name) ?? []), value])
  return values
}
