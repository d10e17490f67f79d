import type { SearchSeen } from '../../search-seen.ts'
import { isFirstPage } from '../pages/page-sizes.ts'

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
