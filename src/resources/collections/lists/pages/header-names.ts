import { wordsOf } from '../../../../base/formats/names.ts'

/** What begins names of headers and says nothing: `X-`, `X-Pagination-`, `X-Paging-`. */
const PREFIXES = /^(x|pagination|paging)$/

/** Limits of a service, which are not those of a list. */
const OF_THE_SERVICE = /rate|quota|retry|concurren/

/**
 * The words of a header's name as a query parameter would have them, the likeliest first; none for a header that is not about pages. A
 * name may begin with that of its service.
 *
 * @example headerWords('x-ms-continuation') // [['ms', 'continuation'], ['continuation']]
 */
export function headerWords(name: string): readonly (readonly string[])[] {
  const words = wordsOf(name)
  if (words.some((word) => OF_THE_SERVICE.test(word))) return []
  const first = words.findIndex((word) => !PREFIXES.test(word))
  const bare = first < 0 ? words.slice(-1) : words.slice(first)
  return bare.length > 1 ? [bare, bare.slice(1)] : [bare]
}
