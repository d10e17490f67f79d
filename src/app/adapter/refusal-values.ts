import { STATUS_CODES } from 'node:http'
import type { Operation } from '../../contract/contract.ts'
import { allows, shapeOf, type Shape } from '../../contract/schemas/shape.ts'
import type { Problem, Violation } from '../../base/errors/problem.ts'
import { isObject, splitPointer } from '../../base/formats/json.ts'
import type { RequestLine } from './error-dialect.ts'
import { isValidationError, jsonError, validationError } from './pydantic-error.ts'

/** The values that are known for the members of a body. */
export interface ValueSource {
  /** The value for a member by its name; undefined when there is none. It is used if the schema allows it. @param holder its object */
  member(name: string, shape: Shape, holder?: Shape): unknown
  /** The whole object, where its members make sense together alone. */
  whole?(shape: Shape): unknown
  /** A source for each element of a list by its name; undefined when there is no such list. */
  elements(name: string): readonly ValueSource[] | undefined
  /** Whether an object of this name describes the same thing as the object that holds it. */
  isSame(name: string): boolean
  /** Whether a member of this name says what kind of error it is, or in bodies with nothing else the sentence. */
  isTitle(name: string, value: unknown): boolean
  /** Which of several members is rather used for the sentence: the lower. */
  rank(name: string): number
  /** Whether a member of this name has a code for programs. */
  isCode(name: string): boolean
  /** Whether a member of this name has the id of the request, unless its example is a code. */
  isRequestId(name: string): boolean
  /** All of it in one sentence. */
  readonly sentence: string
  /** A source for each element of a list without a name. */
  readonly all?: readonly ValueSource[]
}

/** What the body of an error response can say. */
export interface SentRefusal {
  readonly problem: Problem
  /** As sent, which may differ from the problem's. */
  readonly status: number
  readonly path: string
  readonly requestId: string
  /** Epoch ms by the sandbox's clock. */
  readonly now: number
  /** The body of the request, once it was read. */
  readonly body?: unknown
  /** Of the operation; undefined where the request met none. */
  readonly parameters?: Operation['parameters'] | undefined
}

/** The refusal of a request, whose framework may say it in its own words. */
export type RefusedRequest = SentRefusal & RequestLine

/** The values of an error body, by the names that services give its members. */
export function refusalValues(refusal: SentRefusal): ValueSource {
  const { problem } = refusal
  const [first] = problem.violations
  const list = problem.violations.map((violation) => violationValues(violation, refusal))
  const own: ValueSource = {
    sentence: problem.message,
    all: list,
    ...NAMING,
    isSame: (name) => HOLDERS.has(plain(name)),
    whole: (shape) => messagesByTarget('errors', isOpen(shape) ? shape : NOTHING, problem.violations),
    member: (name, shape, holder) =>
      messagesByTarget(plain(name), shape, problem.violations) ??
      refusalValue(plain(name), shape, refusal, holder) ??
      (FIRST_TARGETS.has(plain(name)) && first ? violationValue(plain(name), shape, first) : undefined),
    elements: (name) => (LISTS.has(plain(name)) ? list : undefined),
  }
  // A list of causes must not be empty.
  return list.length > 0 ? own : { ...own, all: [own] }
}

function violationValues(violation: Violation, refusal: SentRefusal): ValueSource {
  return {
    ...NAMING,
    sentence: violation.message,
    isSame: () => false,
    whole: (shape) =>
      isValidationError(shape) ? (jsonError(refusal.problem) ?? validationError(violation, refusal)) : undefined,
    elements: () => undefined,
    member: (name, shape, holder) =>
      (hasDetail(plain(name), holder) ? undefined : violationValue(plain(name), shape, violation)) ??
      refusalValue(plain(name), shape, refusal),
  }
}

/** JSON:API has the sentence in `detail`; the `title` beside it is the same for all problems of a kind. */
function hasDetail(name: string, holder: Shape | undefined): boolean {
  return name === 'title' && holder?.properties.has('detail') === true
}

const NAMING: Pick<ValueSource, 'isCode' | 'isRequestId' | 'isTitle' | 'rank'> = {
  isRequestId: (name) => REQUESTS.has(plain(name)),
  isCode: (name) => CODES.has(plain(name)) || plain(name) === 'error',
  isTitle: (name, value) => TITLES.has(plain(name)) && !Object.values(STATUS_CODES).includes(String(value)),
  rank: (name) => [...SENTENCES, plain(name)].indexOf(plain(name)),
}

/** The messages by member or parameter: `{"name": ["is too long"], "lines.0.amount": […]}`. */
function messagesByTarget(name: string, shape: Shape, violations: readonly Violation[]): unknown {
  const { additionalProperties: inner } = shape.keywords
  if (!LISTS.has(name) || !shape.types.has('object') || !isObject(inner) || violations.length === 0) return undefined
  const isText = inner.type === 'string'
  const isTexts = inner.type === 'array' && isObject(inner.items) && inner.items.type === 'string'
  if (!isText && !isTexts) return undefined
  const byTarget = Map.groupBy(violations, dotted)
  const texts = [...byTarget].map(([target, some]) => [target, some.map(({ message }) => message)] as const)
  return Object.fromEntries(texts.map(([target, messages]) => [target, isText ? messages.join(' ') : messages]))
}

function targetOf({ pointer, parameter, header }: Violation): string {
  return pointer ?? parameter ?? header ?? ''
}

/** `lines.0.amount` of `/lines/0/amount`, as those that list messages by member write it. */
function dotted(violation: Violation): string {
  const names = splitPointer(violation.pointer ?? '')
  return names.length > 0 ? names.join('.') : targetOf(violation)
}

/** `error_description`, `errorDescription` and `Error-Description` are one name. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '')
}

/** An object with the location of a violation, as in JSON:API. */
const SOURCES = new Set(['source', 'location', 'target'])
const HOLDERS = new Set(['error', 'fault', 'problem', 'err', 'exception'])
const LISTS = new Set(
  'errors details detail violations issues fielderrors validationerrors invalidparams invalidparameters causes messages error'.split(
    ' ',
  ),
)
const SENTENCES = new Set(
  'message msg detail details description errordescription errormessage errormsg reason usermessage developermessage longmessage text'.split(
    ' ',
  ),
)
const TITLES = new Set(
  'title summary error errortitle errortype statustext statusreason reasonphrase shortmessage name'.split(' '),
)
/** Beside a sentence, they have the reason phrase of the status: Spring, Nest, Fastify, Boom. */
const PHRASES = new Set(['error', 'statustext', 'statusreason', 'reasonphrase'])
const goesWithPhrase = (name: string) => SENTENCES.has(plain(name)) || name === 'timestamp'
const CODES = new Set('code errorcode errcode errorid kind slug key type'.split(' '))
const STATUSES = new Set('status statuscode httpstatus httpstatuscode httpcode code errorcode'.split(' '))
const PATHS = new Set('path instance uri url resource endpoint requesturi'.split(' '))
const REQUESTS = new Set('requestid traceid correlationid errorid toe reference id logref transactionid'.split(' '))
const TIMES = new Set('timestamp time date datetime occurredat'.split(' '))
const TARGETS = new Set(
  'field fieldname property propertypath pointer path location loc parameter param name source target key attribute'.split(
    ' ',
  ),
)
/** Of the targets, those that are written as a name, and not as a pointer. */
const FIELDS = new Set('field fieldname property propertypath param name key attribute'.split(' '))
/** The location of the first violation, in bodies with one. */
const FIRST_TARGETS = new Set(['field', 'fieldname', 'param', 'parameter', 'pointer', 'property'])
const RULES = new Set('code rule type keyword constraint errorcode reasoncode'.split(' '))
const VALUES = new Set('value received rejectedvalue invalidvalue actual input'.split(' '))

function refusalValue(
  name: string,
  shape: Shape,
  { problem, status, path, requestId, now }: SentRefusal,
  { properties }: Shape = NOTHING,
): unknown {
  if (STATUSES.has(name) && !allows(shape, 'string')) return status
  if (allows(shape, 'integer') && TIMES.has(name) && !allows(shape, 'string')) return now
  if (name === 'success' || name === 'ok') return false
  if (name === 'error' && shape.types.has('boolean')) return true
  if (!allows(shape, 'string')) return undefined
  if (CODES.has(name)) return codeOf(problem.id, status, shape)
  if (name === 'status' && Array.isArray(shape.keywords.enum)) return failing(shape.keywords.enum)
  // Google's APIs: `{"error": {"code": 404, "message": …, "status": "NOT_FOUND"}}` (AIP-193).
  if (name === 'status' && properties.has('code') && properties.has('message')) return canonicalCode(status)
  if (STATUSES.has(name)) return shape.types.size === 0 ? status : String(status)
  if (PHRASES.has(name) && !shape.keywords.enum && [...properties.keys()].some(goesWithPhrase))
    return STATUS_CODES[status] ?? problem.title
  // As `http-errors` and what builds on it name their errors.
  if (name === 'name' && properties.has('statusCode'))
    return `${(STATUS_CODES[status] ?? '').replaceAll(/\W/g, '')}Error`
  if (TITLES.has(name)) return shape.keywords.enum ? codeOf(problem.id, status, shape) : problem.title
  if (SENTENCES.has(name)) return problem.message
  if (PATHS.has(name)) return path
  if (REQUESTS.has(name)) return requestId
  return TIMES.has(name) ? new Date(now).toISOString() : undefined
}

const NOTHING = shapeOf({}, {})

/** Whether it is a map: it names no members, and describes any. */
function isOpen({ properties, types, keywords }: Shape): boolean {
  return types.has('object') && properties.size === 0 && isObject(keywords.additionalProperties)
}

/** The canonical codes of gRPC that Google's APIs send as well (`google.rpc.Code`). */
function canonicalCode(status: number): string {
  return CANONICAL.get(status) ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL')
}

const CANONICAL = new Map([
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [409, 'ALREADY_EXISTS'],
  [412, 'FAILED_PRECONDITION'],
  [429, 'RESOURCE_EXHAUSTED'],
  [501, 'UNIMPLEMENTED'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
])

/** Of `success` and `error`, the latter. */
function failing(allowed: readonly unknown[]): unknown {
  return allowed.find((one) => typeof one === 'string' && /error|fail|invalid/i.test(one))
}

function violationValue(name: string, shape: Shape, violation: Violation): unknown {
  const { pointer, parameter, code, message, expected, received } = violation
  const target = targetOf(violation)
  if (SOURCES.has(name) && shape.types.has('object')) return sourceOf(violation, shape)
  if (FIELDS.has(name) && pointer !== undefined && allows(shape, 'string')) return dotted(violation)
  if (TARGETS.has(name)) return allows(shape, 'string') ? target : (pointer?.split('/').slice(1) ?? [target])
  if (!allows(shape, 'string')) return undefined
  if (name === 'in') return pointer !== undefined ? 'body' : parameter !== undefined ? 'query' : 'header'
  if (SENTENCES.has(name) || name === 'error' || name === 'title') return message
  if (RULES.has(name)) return shape.keywords.enum ? codeOf(code, 400, shape) : code
  if (name === 'expected') return expected
  return VALUES.has(name) ? received : undefined
}

/** The location of a violation as a schema with `pointer`, `parameter` or `header` has it; undefined if it lacks the one needed. */
function sourceOf({ pointer, parameter, header }: Violation, { properties }: Shape): unknown {
  const known = Object.entries({ pointer, parameter, header }).filter(
    ([name, value]) => value !== undefined && properties.has(name),
  )
  return known.length === 0 ? undefined : Object.fromEntries(known)
}

/** A code for programs: the problem's own, or the allowed one that means the status. */
function codeOf(slug: string, status: number, { keywords }: Shape): unknown {
  const { enum: allowed, format } = keywords
  // RFC 9457, 4.2.1: where only an absolute URI is allowed, the kind of problem is that of its status.
  if (format === 'uri') return 'about:blank'
  if (format === 'uri-reference') return `/problems/${slug}`
  if (!Array.isArray(allowed)) return slug
  const texts = allowed.filter((one): one is string => typeof one === 'string' && !ZERO.test(one))
  const same = texts.find((one) => plain(one) === plain(slug))
  const phrase = plain(STATUS_CODES[status] ?? '')
  const meant = MEANINGS.find(([statuses]) => statuses.includes(status))?.[1]
  return same ?? texts.find((one) => plain(one) === phrase) ?? texts.find((one) => meant?.test(one)) ?? allowed[0]
}

/** The value 0 of an enumeration of Protocol Buffers, which stands for none: `no_not_found_error`, `CODE_UNSPECIFIED`. */
const ZERO = /^no_(?:\w+_)?errors?$|(?:^|_)unspecified$/i

const MEANINGS: readonly (readonly [readonly number[], RegExp])[] = [
  [[400, 422], /invalid|validation|bad|malformed|unprocess/i],
  [[401], /unauth|authenticat|credential|api.?key|token|login/i],
  [[403], /forbid|denied|permission|access|unauth/i],
  [[404, 410], /not.?found|unknown|missing|no.?such|gone/i],
  [[409, 412], /conflict|exist|duplicat|stale|precondition/i],
  [[413], /large|size/i],
  [[415], /media|content.?type|unsupported/i],
  [[429], /rate|limit|too.?many|throttl/i],
  [[500, 502, 503, 504, 507], /internal|server|unavailable|error/i],
]
