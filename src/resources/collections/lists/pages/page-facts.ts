/** Which page a link leads to. */
export type Rel = 'self' | 'first' | 'prev' | 'next' | 'last'

/** The facts about a page that members around a list may contain. */
export interface PageFacts {
  /** Items on all pages. */
  readonly total: number
  /** Items on this page. */
  readonly count: number
  /** The most items of a page. */
  readonly size: number
  /** Items before this page. */
  readonly offset: number
  /** Items before the next page: with those of this one, unless a fault repeats or omits some. */
  readonly end: number
  /** The number of the first page, which is 0 or 1. */
  readonly firstPage: number
  readonly firstId: string | undefined
  readonly lastId: string | undefined
  /** The token of the page after or before this one; undefined where there is none. */
  token(rel: 'next' | 'prev'): string | undefined
  /** The token for what is created later, on the last page. */
  startToken(): string | undefined
  /** The value of a parameter that the request has; undefined for none, and for a list of values. */
  sent(parameter: string): string | number | boolean | undefined
  /** The path and query of a page; undefined where there is no such page, or no parameter that leads to it. */
  link(rel: Rel): string | undefined
  /** Scheme and authority that the client used: `http://localhost:4010`. */
  readonly origin: string
}

export function pagesOf({ total, size }: Pick<PageFacts, 'total' | 'size'>): number {
  return size === 0 ? 0 : Math.ceil(total / size)
}

/** The number of the page as clients count. */
export function pageNumber({ offset, size, firstPage }: PageFacts): number {
  return firstPage + (size === 0 ? 0 : Math.floor(offset / size))
}

/** The number of the page before; of the last one for a page beyond the end, undefined for the first. */
export function previousPage({ offset, ...facts }: PageFacts): number | undefined {
  const { size, total } = facts
  return offset > 0 ? pageNumber({ ...facts, offset: offsetBefore({ offset, size, total }) }) : undefined
}

/** Where the page before begins: the last one, for a page beyond the end. */
export function offsetBefore({ offset, size, total }: Pick<PageFacts, 'offset' | 'size' | 'total'>): number {
  const last = Math.max(0, pagesOf({ total, size }) - 1) * size
  return Math.max(0, offset < total ? offset - size : last)
}

export function hasNext({ end, total }: Pick<PageFacts, 'end' | 'total'>): boolean {
  return end < total
}

/** The header `Link` (RFC 8288); undefined where there is nothing to link to. */
export function linkHeader(facts: PageFacts): string | undefined {
  const rels = ['prev', 'next', 'last', 'first'] as const
  const links = rels.flatMap((rel) => {
    const path = facts.link(rel)
    return path === undefined ? [] : [`<${facts.origin}${path}>; rel="${rel}"`]
  })
  return links.length === 0 ? undefined : links.join(', ')
}

/** The facts about an invented page. */
export const sample = (offset: number, count: number, total: number): PageFacts => ({
  offset,
  count,
  total,
  end: offset + count,
  size: 2,
  firstPage: 1,
  firstId: '1',
  lastId: '2',
  origin: 'http://localhost',
  sent: () => undefined,
  startToken: () => (offset + count < total ? undefined : 'AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRob'),
  token: (rel) =>
    (rel === 'next' ? offset + count < total : offset > 0) ? 'AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRob' : undefined,
  link: (rel) =>
    (rel === 'next' && offset + count >= total) || (rel === 'prev' && offset === 0) ? undefined : '/items?page=2',
})

/** A page that is neither the first nor the last. */
export const MIDDLE = sample(2, 2, 6)
