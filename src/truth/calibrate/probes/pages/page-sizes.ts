import { isToken, type SearchSeen } from '../../search-seen.ts'
import type { Traffic } from '../../traffic.ts'

/** A page that others follow, and how many entries were asked for. */
export interface FullPage {
  readonly search: SearchSeen
  /** From 1. */
  readonly page: number
  readonly limit: number
  readonly size: number
  /** Entries of the walk so far, those of the page included. */
  readonly given: number
}

/** The limit of a search, where it is a number that services may accept. */
export function limitOf({ query, uses }: SearchSeen): number | undefined {
  const limit = query.get('limit')?.[0]
  return limit !== undefined && uses.has(`limit.max:${Number(limit)}`) && !uses.has('http.repeated')
    ? Number(limit)
    : undefined
}

/** Whether a search asks for its first page, and for one thing. */
export function isFirstPage({ query, uses }: SearchSeen): boolean {
  return !query.has('next') && !['http.repeated', 'http.json', 'body.types', 'limit.zero'].some((use) => uses.has(use))
}

/** The pages that have a token, of walks with a limit. Plain tokens hold no page number, so all pages after the first are the second. */
export function fullPages(traffic: Traffic): readonly FullPage[] {
  const isPlain = traffic.settingOf('next.content') === 'plain'
  const firsts = traffic.searches.filter(isFirstPage).map((search) => ({ search, page: 1, before: 0 }))
  const others = traffic
    .tokenUses()
    .all.filter(({ page, differs }) => !Number.isNaN(page) && differs.every((one) => one === 'limit'))
    .map(({ search, page, given }) => ({ search, page: isPlain ? 2 : page, before: given }))
  return [...firsts, ...others].flatMap(({ search, page, before }) => {
    const limit = limitOf(search)
    const size = search.files.length
    if (limit === undefined || search.outcome !== 'page' || size === 0 || !isToken(search.next)) return []
    return [{ search, page, limit, size, given: before + size }]
  })
}

/** By page number: whether pages are shorter than was asked for, though larger ones are possible; the exchanges that show it. */
export function shortPages(
  traffic: Traffic,
): ReadonlyMap<number, { readonly isShort: boolean; readonly search: SearchSeen }> {
  const pages = fullPages(traffic)
  const largest = Math.max(0, ...traffic.searches.map(({ files }) => files.length))
  const isPlain = traffic.settingOf('next.content') === 'plain'
  const found = new Map<number, { readonly isShort: boolean; readonly search: SearchSeen }>()
  for (const { search, page, limit, size, given } of pages) {
    if (limit < 2) continue
    if (size === limit) found.set(page, { isShort: false, search })
    // A page is also cut where a walk may go no further.
    const isCut = !isPlain && !traffic.tokenUses().isContinuedAfter(given)
    if (size === Math.floor(limit / 2) && limit <= largest && !isCut) found.set(page, { isShort: true, search })
  }
  return found
}

/** The directoryPath of the first page of a search that has no filter. */
export function directoryOf(search: SearchSeen): string | undefined {
  const { query, filters, dateFilters, outcome } = search
  if (!isFirstPage(search) || outcome === 'failed' || filters.length + dateFilters.length > 0) return undefined
  return query.get('directoryPath')?.[0]
}

/** Without anything that is read in several ways. */
export function isPlainPath(path: string): boolean {
  return path !== '' && !/^\/|\/$|\/\/|(^|\/)\.{1,2}(\/|$)|\0/.test(path)
}

/** Whether a search is for immediate children only, or could be: services may accept `TRUE` as well. */
export function isOfChildren({ query }: SearchSeen): boolean {
  return query.get('immediateChildren')?.[0]?.toLowerCase() === 'true'
}
