import type { ListParameter } from '../list-parameter.ts'
import { hasNext, offsetBefore, type PageFacts, type Rel } from './page-facts.ts'
import type { PagePosition } from '../read-list-query.ts'

/** How pages of a list are asked for. */
export interface PageStyle {
  readonly kind: 'page' | 'offset' | 'token'
  /** The parameter that leads to a page. */
  readonly name: string
  /** The number of the first page, or of the first item. */
  readonly first: number
  /** The parameter for the page before, where it is another one. */
  readonly before?: string | undefined
  /** Whether the value comes from the previous page, and is not the id of an item. */
  readonly isOpaque?: boolean
}

/** The parameter that links set: the one of the request, else the page number, which can also lead to the last page. */
export function styleOf(parameters: readonly ListParameter[], position?: PagePosition): PageStyle | undefined {
  const numbered = (['page', 'offset'] as const).flatMap((kind): PageStyle[] => {
    const parameter = parameters.find(({ meaning }) => meaning.kind === kind)
    return parameter && 'first' in parameter.meaning && parameter.meaning.tokens !== 'given'
      ? [{ kind, name: parameter.name, first: parameter.meaning.first }]
      : []
  })
  const cursor = (direction: string) =>
    parameters.find(({ meaning }) => meaning.kind === 'cursor' && meaning.direction === direction)
  const after = cursor('after') ?? parameters.find(({ meaning }) => 'tokens' in meaning && meaning.tokens === 'given')
  const isOpaque = !('takesId' in (after?.meaning ?? {}))
  const before = cursor('before')?.name
  const tokens: PageStyle[] = after ? [{ kind: 'token', name: after.name, first: 0, before, isOpaque }] : []
  const styles = [...numbered, ...tokens]
  const asked = position?.kind === 'after' || position?.kind === 'before' ? 'token' : position?.kind
  return styles.find(({ kind }) => kind === asked) ?? styles[0]
}

interface LinkOptions extends Pick<PageFacts, 'offset' | 'end' | 'total' | 'size' | 'token'> {
  /** The path and query of the request. */
  readonly url: string
  readonly style: PageStyle | undefined
  /** All parameters that lead to pages. */
  readonly positions: readonly string[]
}

/** The path and query of a page: those of the request with another position. */
export function linkTo(rel: Rel, options: LinkOptions): string | undefined {
  const { url, style, positions } = options
  if (rel === 'self') return url
  if (!style || !isThere(rel, options)) return undefined
  const [path = '', search = ''] = splitUrl(url)
  const query = new URLSearchParams(search)
  for (const name of positions) query.delete(name)
  const name = rel === 'prev' ? (style.before ?? style.name) : style.name
  const value = valueFor(rel, style, options)
  if (value === undefined) return undefined
  if (value !== '') query.set(name, value)
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

function splitUrl(url: string): readonly string[] {
  const mark = url.indexOf('?')
  return mark < 0 ? [url] : [url.slice(0, mark), url.slice(mark + 1)]
}

/** Whether there is such a page. */
export function isThere(rel: Rel, options: Pick<LinkOptions, 'offset' | 'end' | 'total' | 'size'>): boolean {
  if (rel === 'next') return options.size > 0 && hasNext(options)
  return rel !== 'prev' || options.offset > 0
}

/** The value of the parameter; empty for none, undefined where nothing leads to the page. */
function valueFor(
  rel: Rel,
  { kind, first }: PageStyle,
  { offset, end, size, total, token }: LinkOptions,
): string | undefined {
  if (kind === 'token') return rel === 'first' ? '' : rel === 'next' || rel === 'prev' ? token(rel) : undefined
  const last = size === 0 ? 0 : Math.max(0, Math.ceil(total / size) - 1)
  if (kind === 'offset') {
    const offsets = {
      self: offset,
      first: 0,
      prev: offsetBefore({ offset, size, total }),
      next: end,
      last: last * size,
    }
    return String(first + offsets[rel])
  }
  const page = size === 0 ? 0 : Math.floor(offset / size)
  // A page beyond the end comes after the last one.
  const pages = { self: page, first: 0, prev: Math.min(page - 1, last), next: page + 1, last }
  return String(first + pages[rel])
}
