import { follow, valueAt } from '../../../../contract/pointer.ts'
import type { Operation } from '../../../../contract/contract.ts'
import { responseName } from '../../../../contract/schemas/documented.ts'
import { type Shape, shapeOf } from '../../../../contract/schemas/shape.ts'
import { asObject } from '../../../../base/formats/json.ts'
import { type Fill, fillOf } from './envelope-fillers.ts'
import { changedFact, type PageChange } from './page-change.ts'
import { linkHeader, type PageFacts } from './page-facts.ts'
import { wordsOf } from '../../../../base/formats/names.ts'

/** A documented header of a response. */
export interface PageHeader {
  readonly name: string
  readonly shape: Shape
}

/** The documented headers of a response. */
export function readPageHeaders(document: unknown, { pointer }: Operation, status: number): readonly PageHeader[] {
  const held = follow(document, valueAt(document, `${pointer}/responses`))
  const responses = asObject(held)
  const response = follow(document, responses[responseName(status, responses) ?? ''])
  const headers = asObject(asObject(response).headers)
  return Object.entries(headers).map(([name, written]) => {
    const header = follow(document, written)
    return { name, shape: shapeOf(document, asObject(header).schema) }
  })
}

/** The headers of a response that tell of its page, among those that the contract documents. */
export function pageHeaders(
  headers: readonly PageHeader[],
  facts: PageFacts,
  usesTokens: boolean,
): Readonly<Record<string, string>> {
  const filled = headers.flatMap((header): [string, string][] => {
    const value = fillOfHeader(header, usesTokens)?.(facts)
    return value === undefined ? [] : [[header.name.toLowerCase(), String(value)]]
  })
  return Object.fromEntries(filled)
}

/** The headers of a page of a service that other items change, by lower-case names. */
export function joinedHeaders(
  headers: readonly PageHeader[],
  usesTokens: boolean,
  { header, ...change }: PageChange & { header(name: string): string | undefined },
): Readonly<Record<string, string>> {
  const changed = headers.flatMap((one): [string, string][] => {
    const name = one.name.toLowerCase()
    const [fill, value] = [fillOfHeader(one, usesTokens), header(name)]
    return fill && value !== undefined ? [[name, String(changedFact(fill, value, change))]] : []
  })
  return Object.fromEntries(changed)
}

const NUMBER = shapeOf(undefined, { type: 'integer' })
const TEXT = shapeOf(undefined, { type: 'string' })

/** Headers are often documented as texts, whatever they hold. */
function fillOfHeader({ name, shape }: PageHeader, usesTokens: boolean): Fill | undefined {
  if (/^link$/i.test(name)) return linkHeader
  if (/^content-range$/i.test(name)) return contentRange
  const isNumber = shape.types.has('integer') || shape.types.has('number')
  const shapes = isNumber ? [NUMBER] : usesTokens ? [TEXT, NUMBER] : [NUMBER, TEXT]
  for (const words of headerWords(name))
    for (const one of shapes) {
      const fill = fillOf({ name: words.join(''), holder: '', shape: one, hasTotal: false, usesTokens })
      if (fill) return fill
    }
  return undefined
}

/** RFC 9110, 14.4, with a unit of items. */
function contentRange({ offset, count, total }: PageFacts): string {
  return count === 0 ? `items */${total}` : `items ${offset}-${offset + count - 1}/${total}`
}

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
