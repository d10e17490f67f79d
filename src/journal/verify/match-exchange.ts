import type { ControlNeeds } from '../../engine/control-route.ts'
import { requestInvalid } from '../../errors/request-errors.ts'
import { violation, type Where, type Problem, shown } from '../../errors/problem.ts'
import { cleanerOf } from '../show-exchange.ts'
import type { ExchangeMatch } from '../../../types/control-api.d.ts'
import { isObject, parseJson } from '../../formats/json.ts'
import { oneOf } from '../../errors/wording.ts'
import type { Exchanged } from '../exchanged.ts'
import type { Redactor } from '../redact.ts'
import { partMatch, wholeMatch } from '../wildcard.ts'

declare module '../../engine/control-route.ts' {
  interface ControlNeeds {
    /** Removes keys from what is shown. */
    readonly redactor: Redactor
    /** The operations of the contract, by operationId. */
    readonly operationTraits: ReadonlyMap<string, OperationTraits>
  }
}

/** What checking exchanges needs. */
export type JournalNeeds = Pick<ControlNeeds, 'redactor' | 'operationTraits'>

/** What some expectations depend on. */
export interface OperationTraits {
  /** Whether each success creates something. */
  readonly isCreate?: boolean
  /** The query parameter for the token of the next page; absent for operations without pages. */
  readonly pageParameter?: string
}

/** One condition of a match. */
export interface Clause {
  /** The part of the exchange: `status`, `request header prefer`. */
  readonly what: string
  readonly expected: string
  /** What the exchange has there, without keys, for messages. */
  received(exchange: Exchanged): string
  /** Unknown when the deciding part of a body was cut or dropped. */
  holds(exchange: Exchanged): boolean | 'unknown'
}

/** The kept part of a body. */
interface Part {
  readonly text: string | undefined
  /** Whether the body was longer. */
  readonly isPartial: boolean
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
    throw unknownOperation(operationId, operationTraits, pointer)
  const isGiven = (clause: Clause | undefined) => clause !== undefined
  return [
    operationId === undefined ? undefined : equal('operation', operationId, (context) => context.operationId),
    method === undefined ? undefined : equal('method', method.toUpperCase(), (context) => context.method),
    status === undefined ? undefined : statusClause(String(status), whereOf('status', pointer)),
    fault === undefined ? undefined : equal('fault', fault, (context) => context.fault),
    path === undefined
      ? undefined
      : pattern('path', path, (context) => [cleanerOf(context, redactor)(context.url.split('?', 1)[0] ?? '')]),
    ...Object.entries(query).map(([name, value]) =>
      pattern(`query parameter ${name}`, value, (context) =>
        queryValues(redactor.url(context.url), name).map(cleanerOf(context, redactor)),
      ),
    ),
    ...Object.entries(headers).map(([name, value]) =>
      pattern(`request header ${name}`, value, (context) => headerValues(context, name, redactor)),
    ),
    body === undefined ? undefined : textClause('request body', body, requestOf, redactor),
    json === undefined ? undefined : jsonClause(json, redactor),
    answer === undefined ? undefined : textClause('answer body', answer, answerOf, redactor),
  ].filter(isGiven)
}

function unknownOperation(
  operationId: string,
  operationTraits: JournalNeeds['operationTraits'],
  pointer: string,
): Problem {
  const where = whereOf('operationId', pointer)
  return requestInvalid([violation(where, 'match', oneOf([...operationTraits.keys()], operationId), operationId)])
}

/** Where a part of a match stands in the request. */
function whereOf(name: string, pointer: string): Where {
  return pointer === '' ? { parameter: name } : { pointer: `${pointer}/${name}` }
}

/** Whether an exchange meets all conditions. */
export function holdsAll(clauses: readonly Clause[], exchange: Exchanged): boolean | 'unknown' {
  let isUnknown = false
  for (const clause of clauses) {
    const holds = clause.holds(exchange)
    if (holds === false) return false
    isUnknown ||= holds === 'unknown'
  }
  return isUnknown ? 'unknown' : true
}

function equal(what: string, expected: string, valueOf: (exchange: Exchanged) => string | undefined): Clause {
  return {
    what,
    expected: shown(expected),
    received: (exchange) => shown(valueOf(exchange)),
    holds: (exchange) => valueOf(exchange) === expected,
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
    holds: ({ status }) =>
      isClass ? Math.floor(status / 100) === Number(expected.charAt(0)) : status === Number(expected),
  }
}

/** One of the values matches the pattern; null requires that there is none. */
function pattern(what: string, expected: string | null, valuesOf: (exchange: Exchanged) => readonly string[]): Clause {
  const matches = expected === null ? undefined : wholeMatch(expected)
  return {
    what,
    expected: expected === null ? 'nothing' : shown(expected),
    received: (exchange) =>
      valuesOf(exchange)
        .map((value) => shown(value))
        .join(', ') || 'nothing',
    holds(exchange) {
      const values = valuesOf(exchange)
      return matches ? values.some(matches) : values.length === 0
    },
  }
}

function queryValues(url: string, name: string): string[] {
  const mark = url.indexOf('?')
  return mark < 0 ? [] : new URLSearchParams(url.slice(mark + 1)).getAll(name)
}

function headerValues(exchange: Exchanged, name: string, redactor: Redactor): string[] {
  const { requestHeaders } = exchange
  const clean = cleanerOf(exchange, redactor)
  const asked = name.toLowerCase()
  return requestHeaders.flatMap((value, at) =>
    at % 2 === 1 && requestHeaders[at - 1]?.toLowerCase() === asked ? [clean(redactor.header(name, value))] : [],
  )
}

function requestOf({ requestBody, isRequestCut }: Exchanged): Part {
  return { text: requestBody, isPartial: isRequestCut }
}

function answerOf({ answerBody, isAnswerBinary, isAnswerCut, isAnswerForgotten }: Exchanged): Part {
  return {
    text: isAnswerBinary ? undefined : answerBody,
    isPartial: isAnswerCut || isAnswerForgotten,
  }
}

function textClause(what: string, expected: string, partOf: (exchange: Exchanged) => Part, redactor: Redactor): Clause {
  const matches = partMatch(expected)
  const cleanPart = (exchange: Exchanged): Part => {
    const { text, isPartial } = partOf(exchange)
    return { text: text === undefined ? undefined : cleanerOf(exchange, redactor)(text), isPartial }
  }
  return {
    what,
    expected: `one with ${shown(expected)} in it`,
    received(exchange) {
      const { text, isPartial } = cleanPart(exchange)
      if (text === undefined) return isPartial ? 'one that was let go to make room' : 'nothing'
      return shown(text) + (isPartial ? ' (cut)' : '')
    },
    holds(exchange) {
      const { text, isPartial } = cleanPart(exchange)
      if (text !== undefined && matches(text)) return true
      return isPartial ? 'unknown' : false
    },
  }
}

/** The body as JSON contains the expected value: objects every expected member, arrays exactly the expected elements. */
function jsonClause(expected: unknown, redactor: Redactor): Clause {
  return {
    what: 'request body',
    expected: `JSON with ${shown(expected)}`,
    received(exchange) {
      const { text } = requestOf(exchange)
      return text === undefined ? 'nothing' : shown(tryParse(cleanerOf(exchange, redactor)(text)))
    },
    holds(exchange) {
      const { text, isPartial } = requestOf(exchange)
      if (isPartial) return 'unknown'
      return text !== undefined && hasAll(tryParse(cleanerOf(exchange, redactor)(text)), expected)
    },
  }
}

/** Text that is not JSON stays a text, and so does JSON nested so deep that comparing it would exhaust the stack. */
export function tryParse(text: string): unknown {
  try {
    const value = parseJson(text)
    return isDeeperThan(DEEPEST, value) ? text : value
  } catch {
    return text
  }
}

const DEEPEST = 500

function isDeeperThan(levels: number, value: unknown): boolean {
  let level = [value]
  for (let depth = 0; depth <= levels && level.length > 0; depth++) {
    level = level.flatMap((one): unknown[] => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return level.length > 0
}

function hasAll(value: unknown, expected: unknown): boolean {
  if (Array.isArray(expected))
    return (
      Array.isArray(value) &&
      value.length === expected.length &&
      expected.every((element, at) => hasAll(value[at], element))
    )
  if (!isObject(expected)) return value === expected
  return (
    isObject(value) &&
    Object.entries(expected).every(([name, inner]) => Object.hasOwn(value, name) && hasAll(value[name], inner))
  )
}
