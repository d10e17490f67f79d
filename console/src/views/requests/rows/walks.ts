import type { ExchangeRecord } from '../../../../../src/control/client/types.ts'
import { isJson, isSame, type Json } from '../../../parts/json-value.ts'
import { parsedJson } from '../parsed-json.ts'

/** A row of the list: one exchange, or the pages of one walk through a list. */
export interface Row {
  /** The exchange that the row shows: the latest page of a walk. */
  readonly exchange: ExchangeRecord
  /** The pages in the order of their requests; undefined for a request that is no part of a walk. */
  readonly walk: Walk | undefined
  /** The number of its page in the walk, where pages have rows of their own. */
  readonly page: number | undefined
}

export interface Walk {
  readonly pages: readonly ExchangeRecord[]
  /** The parameter, or the member of the body, that leads to the next page. */
  readonly parameter: string
  /** Whether the last page was fetched, so that there are no more. */
  readonly isWhole: boolean
}

/**
 * Rows of exchanges, the latest first, with the pages of a walk in one.
 *
 * @param open ids of first pages, whose walks are shown page by page
 */
export function rowsOf(exchanges: readonly ExchangeRecord[], open: ReadonlySet<number>): readonly Row[] {
  const walks = findWalks(exchanges)
  const rows: Row[] = []
  for (const exchange of exchanges) {
    const walk = walks.get(exchange)
    if (!walk) rows.push({ exchange, walk, page: undefined })
    else if (isOpen(walk, open)) rows.push({ exchange, walk, page: pageOf(walk, exchange) })
    else if (walk.pages.at(-1) === exchange) rows.push({ exchange, walk, page: undefined })
  }
  return rows
}

/** A page that failed has the number of the one that it would have been. */
function pageOf({ pages }: Walk, exchange: ExchangeRecord): number {
  return pages.slice(0, pages.indexOf(exchange)).filter(isReceived).length + 1
}

function isOpen({ pages }: Walk, open: ReadonlySet<number>): boolean {
  return pages.some(({ id }) => open.has(id))
}

/** `4 pages`, or `page 3 of 4`; the number of pages is known once the last one was read. */
export function pageWords({ pages, isWhole }: Walk, page: number | undefined): string {
  const count = `${pages.filter(isReceived).length}${isWhole ? '' : '+'}`
  return page === undefined ? `${count} pages` : `page ${page} of ${count}`
}

function isReceived({ answer }: ExchangeRecord): boolean {
  return answer !== null && answer.isComplete && answer.status >= 200 && answer.status < 300
}

/** Exchanges that a page of a walk may be looked for in, so that a long list stays quick. */
const WINDOW = 200

/** Each page with its walk. Each page but the first was asked for with the token that the page before it gave. */
function findWalks(latestFirst: readonly ExchangeRecord[]): ReadonlyMap<ExchangeRecord, Walk> {
  const found = new Map<ExchangeRecord, { pages: ExchangeRecord[]; parameter: string }>()
  const waiting: ExchangeRecord[] = []
  for (const exchange of latestFirst.toReversed()) {
    const at = waiting.findIndex((before) => parameterBetween(before, exchange) !== undefined)
    const before = waiting[at]
    const parameter = before && parameterBetween(before, exchange)
    if (before && parameter !== undefined) {
      // A page that failed may be asked for again.
      if (isReceived(exchange)) waiting.splice(at, 1)
      const walk = found.get(before) ?? { pages: [before], parameter }
      walk.pages.push(exchange)
      found.set(before, walk)
      found.set(exchange, walk)
    }
    if (exchange.next !== undefined) waiting.unshift(exchange)
    if (waiting.length > WINDOW) waiting.pop()
  }
  return new Map(
    [...found].map(([exchange, walk]) => [
      exchange,
      { ...walk, isWhole: walk.pages.some((page) => isReceived(page) && page.next === undefined) },
    ]),
  )
}

/** The parameter of the next page, if one exchange asks for the page after another one, and for nothing else that is new. */
function parameterBetween(before: ExchangeRecord, after: ExchangeRecord): string | undefined {
  const { next, request: a } = before
  const { request: b } = after
  if (next === undefined || before.operationId !== after.operationId || a.method !== b.method) return undefined
  if (a.url.split('?', 1)[0] !== b.url.split('?', 1)[0]) return undefined
  const [earlier, later] = [partsOf(a), partsOf(b)]
  return Object.keys(later).find((parameter) => {
    if (String(later[parameter]) !== next) return false
    // The token may be sent with the first request again, with a part of it, or alone.
    return Object.entries(later).every(([name, value]) => name === parameter || isSame(value, earlier[name]))
  })
}

/** The parameters of a request and the members of its body, by name. */
function partsOf({ url, body }: ExchangeRecord['request']): Json {
  const members = body === null ? undefined : parsedJson(body)
  const query = Object.fromEntries(new URL(url, 'http://localhost').searchParams)
  if (members === undefined) return query
  return isJson(members) ? { ...members, ...query } : { body: members, ...query }
}
