import { type Problem, shown, violation, type Where } from '../base/errors/problem.ts'
import { requestInvalid } from '../base/errors/request-errors.ts'
import type { Exchange } from './exchange.ts'
import { pathOf, queryOf } from '../base/network/http-message.ts'
import { contains, partMatch, tryParse, wholeMatch } from './match-values.ts'
import type { Redactor } from './redact.ts'
import { cleanerOf } from './show-exchange.ts'

/** What checking exchanges needs. */
export interface JournalNeeds {
  /** Removes keys from what is shown. */
  readonly redactor: Redactor
  /** The operations of the contract, by operationId. */
  readonly operationTraits: ReadonlyMap<string, OperationTraits>
}

/** What some expectations depend on. */
export interface OperationTraits {
  /** Whether each success creates something. */
  readonly isCreate?: boolean
  /** The query parameter for the token of the next page; absent for operations without pages. */
  readonly pageParameter?: string | undefined
  /**
   * Its value for the first page, or an empty text. Where it is given, a value has a meaning only together with the rest of the request,
   * as the number of a page has.
   */
  readonly firstPage?: string
}

/** What an exchange must have; absent parts match any. Texts are patterns where nothing else is said. */
export interface ExchangeMatch {
  readonly operationId?: string | undefined
  readonly method?: string | undefined
  /** For the whole path as sent. */
  readonly path?: string | undefined
  /** A status, a class such as `4XX`, or 0 for an exchange without a response. */
  readonly status?: number | string | undefined
  /** By the name of a query parameter; null requires that there is none. */
  readonly query?: Readonly<Record<string, string | null>> | undefined
  /** The same of request headers. */
  readonly headers?: Readonly<Record<string, string | null>> | undefined
  /** For a part of the request body. */
  readonly body?: string | undefined
  /** JSON that the request body must contain. */
  readonly json?: unknown
  /** For a part of the response body. */
  readonly answer?: string | undefined
  /** The kind of the fault that affected it. */
  readonly fault?: string | undefined
}

/** One condition of a match. */
export interface Clause {
  /** The part of the exchange: `status`, `request header prefer`. */
  readonly what: string
  readonly expected: string
  /** What the exchange has there, without keys, for messages. */
  received(exchange: Exchange): string
  /** Unknown when the deciding part of a body was cut or dropped. */
  matches(exchange: Exchange): boolean | 'unknown'
}

/**
 * The conditions of a match, cheap ones first. They see values without keys, so no pattern can guess one.
 *
 * @param pointer of the match, for violations; empty for query parameters
 * @throws Problem 400 for an impossible status or operation, since nothing could ever match
 */
export function clausesOf(
  match: ExchangeMatch,
  { redactor, operationTraits }: JournalNeeds,
  pointer: string,
): readonly Clause[] {
  const { operationId, method, path, status, query = {}, headers = {}, body, json, answer, fault } = match
  if (operationId !== undefined && !operationTraits.has(operationId))
    throw unknownOperation(operationId, [...operationTraits.keys()], pointer)
  const clauses: Clause[] = []
  if (operationId !== undefined) clauses.push(equal('operation', operationId, (exchange) => exchange.operationId))
  if (method !== undefined) clauses.push(equal('method', method.toUpperCase(), (exchange) => exchange.method))
  if (status !== undefined) clauses.push(statusClause(String(status), whereOf('status', pointer)))
  if (fault !== undefined) clauses.push(equal('fault', fault, (exchange) => exchange.fault))
  if (path !== undefined)
    clauses.push(pattern('path', path, (exchange) => [cleanerOf(exchange, redactor)(pathOf(exchange.url))]))
  for (const [name, value] of Object.entries(query))
    clauses.push(
      pattern(`query parameter ${name}`, value, (exchange) =>
        queryOf(redactor.url(exchange.url)).getAll(name).map(cleanerOf(exchange, redactor)),
      ),
    )
  for (const [name, value] of Object.entries(headers))
    clauses.push(pattern(`request header ${name}`, value, (exchange) => headerValues(exchange, name, redactor)))
  if (body !== undefined) clauses.push(textClause('request body', body, requestOf, redactor))
  if (json !== undefined) clauses.push(jsonClause(json, redactor))
  if (answer !== undefined) clauses.push(textClause('answer body', answer, responseOf, redactor))
  return clauses
}

function unknownOperation(operationId: string, known: readonly string[], pointer: string): Problem {
  return requestInvalid([violation(whereOf('operationId', pointer), 'match', known, operationId)])
}

/** The place of a part of a match in the request. */
function whereOf(name: string, pointer: string): Where {
  return pointer === '' ? { parameter: name } : { pointer: `${pointer}/${name}` }
}

/** Whether an exchange meets all conditions. */
export function matchesAll(clauses: readonly Clause[], exchange: Exchange): boolean | 'unknown' {
  let isUnknown = false
  for (const clause of clauses) {
    const matches = clause.matches(exchange)
    if (matches === false) return false
    isUnknown ||= matches === 'unknown'
  }
  return isUnknown ? 'unknown' : true
}

function equal(what: string, expected: string, valueOf: (exchange: Exchange) => string | undefined): Clause {
  return {
    what,
    expected: shown(expected),
    received: (exchange) => shown(valueOf(exchange)),
    matches: (exchange) => valueOf(exchange) === expected,
  }
}

/** `429`, `4XX`, or `0` for an exchange without a response. */
function statusClause(expected: string, where: Where): Clause {
  if (!/^([1-5]\d\d|[1-5]XX|0)$/i.test(expected))
    throw requestInvalid([violation(where, 'status', 'a status such as 429, a class such as 4XX, or 0', expected)])
  const isClass = /XX$/i.test(expected)
  return {
    what: 'status',
    expected: expected.toUpperCase(),
    received: ({ status }) => String(status),
    matches: ({ status }) =>
      isClass ? Math.floor(status / 100) === Number(expected.charAt(0)) : status === Number(expected),
  }
}

/** One of the values matches the pattern; null requires that there is none. */
function pattern(what: string, expected: string | null, valuesOf: (exchange: Exchange) => readonly string[]): Clause {
  const matches = expected === null ? undefined : wholeMatch(expected)
  return {
    what,
    expected: expected === null ? 'nothing' : shown(expected),
    received: (exchange) =>
      valuesOf(exchange)
        .map((value) => shown(value))
        .join(', ') || 'nothing',
    matches(exchange) {
      const values = valuesOf(exchange)
      return matches ? values.some(matches) : values.length === 0
    },
  }
}

function headerValues(exchange: Exchange, name: string, redactor: Redactor): string[] {
  const { requestHeaders } = exchange
  const clean = cleanerOf(exchange, redactor)
  const asked = name.toLowerCase()
  return requestHeaders.flatMap((value, at) =>
    at % 2 === 1 && requestHeaders[at - 1]?.toLowerCase() === asked ? [clean(redactor.header(name, value))] : [],
  )
}

/** The kept part of a body. */
interface Kept {
  readonly text: string | undefined
  /** Whether the body was longer. */
  readonly isPartial: boolean
}

function requestOf({ requestBody, isRequestCut }: Exchange): Kept {
  return { text: requestBody, isPartial: isRequestCut }
}

function responseOf({ responseBody, isResponseBinary, isResponseCut, isResponseDropped }: Exchange): Kept {
  return { text: isResponseBinary ? undefined : responseBody, isPartial: isResponseCut || isResponseDropped }
}

function textClause(what: string, expected: string, partOf: (exchange: Exchange) => Kept, redactor: Redactor): Clause {
  const matches = partMatch(expected)
  const textOf = (exchange: Exchange, { text }: Kept) =>
    text === undefined ? undefined : cleanerOf(exchange, redactor)(text)
  return {
    what,
    expected: `one with ${shown(expected)} in it`,
    received(exchange) {
      const part = partOf(exchange)
      const text = textOf(exchange, part)
      if (text === undefined) return part.isPartial ? 'one that was dropped to make room' : 'nothing'
      return shown(text) + (part.isPartial ? ' (cut)' : '')
    },
    matches(exchange) {
      const part = partOf(exchange)
      const text = textOf(exchange, part)
      if (text !== undefined && matches(text)) return true
      return part.isPartial ? 'unknown' : false
    },
  }
}

/** The body as JSON contains the expected value: objects every expected member, arrays exactly the expected elements. */
function jsonClause(expected: unknown, redactor: Redactor): Clause {
  const valueOf = (exchange: Exchange) => tryParse(cleanerOf(exchange, redactor)(exchange.requestBody ?? ''))
  return {
    what: 'request body',
    expected: `JSON with ${shown(expected)}`,
    received: (exchange) => (exchange.requestBody === undefined ? 'nothing' : shown(valueOf(exchange))),
    matches(exchange) {
      if (exchange.isRequestCut) return 'unknown'
      return exchange.requestBody !== undefined && contains(valueOf(exchange), expected)
    },
  }
}
