import type { ExchangeRecord } from '../types.ts'
import { keyOf, memberPath } from '../as-code.ts'

export type ValueType = 'Number' | 'String'

/** A longer list is compared by its length and its first elements. */
const LONGEST = 5
const SHOWN = 2

interface CutBody {
  /** The body with the first elements of long lists. */
  readonly shown: unknown
  /** The long lists. */
  readonly long: readonly { readonly path: string; readonly length: number }[]
  /** The same of the response, as code. */
  readonly actual: string
}

/** Cuts long lists of a body: itself, or its members. */
export function cutLists(body: unknown): CutBody {
  const isLong = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > LONGEST
  if (isLong(body))
    return {
      shown: body.slice(0, SHOWN),
      long: [{ path: 'body', length: body.length }],
      actual: `body.slice(0, ${SHOWN})`,
    }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { shown: body, long: [], actual: 'body' }
  const long = Object.entries(body).flatMap(([name, value]) => (isLong(value) ? [[name, value] as const] : []))
  if (long.length === 0) return { shown: body, long: [], actual: 'body' }
  const firsts = long.map(([name]) => `${keyOf(name)}: ${memberPath('body', name)}.slice(0, ${SHOWN})`)
  return {
    shown: { ...body, ...Object.fromEntries(long.map(([name, list]) => [name, list.slice(0, SHOWN)])) },
    long: long.map(([name, { length }]) => ({ path: memberPath('body', name), length })),
    actual: `{ ...body, ${firsts.join(', ')} }`,
  }
}

interface BodyMember {
  readonly exchange: ExchangeRecord
  readonly name: string
  readonly path: string
  /** What is expected of a value that is another one each time. */
  readonly any: (path: string, type: ValueType) => unknown
}

/** A body as a test expects it: what is another value each time is compared by its type. */
export function expectedBody(body: unknown, exchange: ExchangeRecord, any: BodyMember['any']): unknown {
  return generalised(body, { exchange, name: '', path: 'body', any })
}

function generalised(value: unknown, member: BodyMember): unknown {
  const { path, any } = member
  if (isFleeting(value, member)) return any(path, typeof value === 'number' ? 'Number' : 'String')
  if (Array.isArray(value)) return value.map((one, at) => generalised(one, { ...member, path: `${path}[${at}]` }))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      generalised(inner, { ...member, name, path: memberPath(path, name) }),
    ]),
  )
}

/** Ids of the request, tokens, instants that depend on the clock, and ids of what was created. */
function isFleeting(value: unknown, { exchange, name }: BodyMember): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false
  if (value === exchange.requestId || /^next$|token$/i.test(name)) return true
  if (isNear(value, exchange) || /^next.*(?:date|run|at)$/i.test(name)) return true
  const isId = /^(?:id|uuid|href|url|self|location)$/i.test(name) || /(?:[a-z]I|_i)d$/.test(name)
  return isCreation(exchange) && isId && !(exchange.request.body ?? '').includes(JSON.stringify(value))
}

/** Whether the response has ids that the service chose. */
function isCreation({ request, answer, hasChanged }: ExchangeRecord): boolean {
  return request.method === 'POST' && hasChanged && (answer?.status ?? 0) < 300
}

const DAY = 86_400_000

/** Whether it is an instant of the day around the request. */
function isNear(value: string | number, { now }: ExchangeRecord): boolean {
  const instant =
    typeof value === 'number' ? value : /^\d{4}-\d\d-\d\d[T ]\d\d:/.test(value) ? Date.parse(value) : Number.NaN
  return Math.abs(instant - Date.parse(now)) < DAY
}
