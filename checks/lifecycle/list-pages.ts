import { isObject } from '../../src/base/formats/json.ts'
import { at, follow, type PublicOperation, type Values } from '../public-documents/read-contract.ts'
import { elementsOf } from './item.ts'
import { listOf, plain } from './schemas.ts'
import { call, type Exchange, type Ids, type Session } from './session.ts'

export interface Walk {
  readonly elements: readonly unknown[]
  /** The response of each page; a walk ends with the first that is no success. */
  readonly pages: readonly Exchange[]
}

const MOST_PAGES = 50

/** All pages of a list, as far as the document or the responses tell where the next one is. */
export async function walkList(session: Session, operation: PublicOperation, ids: Ids): Promise<Walk> {
  const elements: unknown[] = []
  const pages: Exchange[] = []
  const parameters = queryParameters(session.contract.document, operation)
  for (let target: string | undefined, number = 0; number < MOST_PAGES; number++) {
    const page = await call(session, operation, ids, target === undefined ? {} : { target })
    const isRepeated = pages.some(({ response }) => response.text === page.response.text)
    pages.push(page)
    if (!page.isSuccess || page.isGenerated || isRepeated) break
    elements.push(...elementsOf(page.json))
    target = nextTarget(page, parameters)
    if (target === undefined) break
  }
  return { elements, pages }
}

/** The query parameters of an operation. */
export function queryParameters(document: Values, { pointer }: PublicOperation): readonly Values[] {
  return [pointer.slice(0, pointer.lastIndexOf('/')), pointer]
    .flatMap((holder) => listOf(at(document, `${holder}/parameters`)))
    .map((written) => follow(document, written))
    .filter((parameter) => parameter.in === 'query')
}

const TOKENS = [
  'pagetoken',
  'cursor',
  'continue',
  'nexttoken',
  'next',
  'after',
  'marker',
  'startingafter',
  'token',
  'startkey',
]
const NUMBERS = ['page', 'pagenumber', 'pageno', 'currentpage', 'pagenum']
const OFFSETS = ['offset', 'skip', 'startat', 'startindex', 'start', 'sysparmoffset']

function nextTarget(page: Exchange, parameters: readonly Values[]): string | undefined {
  const linked = nextInHeader(page) ?? nextInBody(page.json)
  if (linked !== undefined) return targetOf(linked, page.target)
  const known = (names: readonly string[]) =>
    names
      .map((name) =>
        parameters.find(
          (one) =>
            plain(String(one.name)).replace(/^page(?=number$|offset$|cursor$)/, '') === name ||
            plain(String(one.name)) === name,
        ),
      )
      .find((one) => one !== undefined)
  const count = elementsOf(page.json).length
  const token = tokenIn(page.json)
  const tokenParameter = known([
    ...(token ? [plain(token.name).replace(/^next/, ''), plain(token.name)] : []),
    ...TOKENS,
  ])
  if (token && tokenParameter) return withQuery(page.target, String(tokenParameter.name), token.value)
  if (count === 0 || hasEnded(page.json)) return undefined
  const after = known(['startingafter'])
  const last = lastId(page.json)
  if (after && last !== undefined && takesText(after)) return withQuery(page.target, String(after.name), last)
  const number = known(NUMBERS)
  if (number) return withQuery(page.target, String(number.name), String(numberIn(page.target, number, 1) + 1))
  const offset = known(OFFSETS)
  // A text is a token that only the server can make.
  if (offset && isObject(offset.schema) && offset.schema.type === 'string') return undefined
  return offset && withQuery(page.target, String(offset.name), String(numberIn(page.target, offset, 0) + count))
}

function takesText({ schema }: Values): boolean {
  return !isObject(schema) || (schema.type !== 'integer' && schema.type !== 'number')
}

/** RFC 8288. */
function nextInHeader({ response }: Exchange): string | undefined {
  const { link } = response.headers
  return [link]
    .flat()
    .join(',')
    .split(/,\s*(?=<)/)
    .map((one) => /^\s*<([^>]*)>.*\brel="?next\b/.exec(one)?.[1])
    .find((one) => one !== undefined)
}

const LINKS = [
  'next',
  'nextlink',
  'nexturl',
  'nexturi',
  'nextpageuri',
  'nextpageurl',
  'nextpage',
  'odatanextlink',
  'nexthref',
]

function nextInBody(body: unknown, depth = 0): string | undefined {
  if (!isObject(body) || depth > 3) return undefined
  for (const [name, value] of Object.entries(body)) {
    const link = isObject(value) ? (value.href ?? value.link ?? value.url) : value
    if (LINKS.includes(plain(name)) && typeof link === 'string' && /^(?:https?:|\/|\?)/.test(link)) return link
  }
  return Object.values(body)
    .map((inner) => nextInBody(inner, depth + 1))
    .find((one) => one !== undefined)
}

function tokenIn(body: unknown, depth = 0): { readonly name: string; readonly value: string } | undefined {
  if (!isObject(body) || depth > 3) return undefined
  for (const [name, value] of Object.entries(body))
    if (
      typeof value === 'string' &&
      value !== '' &&
      /^(?:next|.*next.*(?:token|cursor|marker|page|key)|continue|cursor|after|endcursor)$/.test(plain(name))
    )
      return { name, value }
  return Object.values(body)
    .map((inner) => tokenIn(inner, depth + 1))
    .find((one) => one !== undefined)
}

function hasEnded(body: unknown): boolean {
  if (!isObject(body)) return false
  return Object.entries(body).some(([name, value]) =>
    isObject(value) ? hasEnded(value) : /^(?:hasmore|hasnext|hasnextpage|more)$/.test(plain(name)) && value === false,
  )
}

function lastId(body: unknown): string | undefined {
  const last = elementsOf(body).at(-1)
  return isObject(last) && typeof last.id === 'string' ? last.id : undefined
}

/** The path and query of a link, which may be relative to the request. */
function targetOf(link: string, target: string): string {
  const { pathname, search } = new URL(link, `http://127.0.0.1${target}`)
  return `${pathname}${search}`
}

function withQuery(target: string, name: string, value: string): string {
  const url = new URL(target, 'http://127.0.0.1')
  url.searchParams.set(name, value)
  return `${url.pathname}${url.search}`
}

function numberIn(target: string, parameter: Values, first: number): number {
  const sent = new URL(target, 'http://127.0.0.1').searchParams.get(String(parameter.name))
  const usual = isObject(parameter.schema) ? parameter.schema.default : undefined
  return Number(sent ?? usual ?? first)
}
