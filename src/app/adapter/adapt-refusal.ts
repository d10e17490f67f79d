import type { RenderedProblem } from '../response/render-problem.ts'
import type { Operation } from '../../contract/contract.ts'
import type { Documented } from '../../contract/schemas/documented.ts'
import { fill, type Words } from './fill-schema.ts'
import { isObject, parseJson, stringifyJson } from '../../formats/json.ts'
import { STATUS_CODES } from 'node:http'
import { defaultValues } from './complete-object.ts'
import { allows, type Shape } from '../../contract/schemas/shape.ts'
import type { Problem, Violation } from '../../errors/problem.ts'

/** As many alternatives of a schema are tried. */
const MOST_TRIES = 4

interface Place {
  readonly operation: Operation
  readonly documented: Documented
  readonly document: unknown
}

/**
 * The body of a refusal as its operation documents it. The usual body stays where nothing is documented, or where it fits what
 * is and says what the documented members are for; else one is made to fit. When none that we can make fits, the first goes out:
 * its members have the names that the client knows.
 */
export function fittedBody(refusal: Refusal, usual: RenderedProblem, place: Place): RenderedProblem {
  const { operation, documented, document } = place
  const { status } = refusal
  const { contentType, schema } = documented.answer(status) ?? {}
  if (contentType === undefined) return usual
  if (schema === undefined) return { contentType, body: usual.body }
  const fits = (body: unknown) => operation.checkAnswer(status, body, contentType).length === 0
  const sent = parseJson(usual.body)
  const tries = triedBodies(refusal, document, schema)
  const fitting = tries.find(fits)
  if (fits(sent) && (fitting === undefined || saysAll(sent, fitting))) return { contentType, body: usual.body }
  // A problem document may have members of any name (RFC 9457, 3.2), so nothing need be left out of one.
  const whole = contentType === PROBLEM && isObject(sent) && isObject(fitting) ? { ...fitting, ...sent } : fitting
  return { contentType, body: stringifyJson(fits(whole) ? whole : (fitting ?? tries[0])) }
}

const PROBLEM = 'application/problem+json'

/** Whether a body has every member that the contract names for what it says: a client reads `message`, not our `detail`. */
function saysAll(sent: unknown, made: unknown): boolean {
  return !isObject(made) || (isObject(sent) && Object.keys(made).every((name) => Object.hasOwn(sent, name)))
}

/** What a schema makes of a refusal, with each of its alternatives. */
export function triedBodies(refusal: Refusal, document: unknown, schema: unknown): unknown[] {
  const words = refusalWords(refusal)
  return Array.from({ length: MOST_TRIES }, (_, branch) => fill(document, schema, words, branch))
}

/** One refusal, as far as a body can tell of it. */
export interface Refusal {
  readonly problem: Problem
  /** As it is sent, which may be another than the problem's. */
  readonly status: number
  readonly path: string
  readonly requestId: string
  /** Epoch ms by the sandbox's clock. */
  readonly now: number
}

/** The words of a refusal: which member of an error body says what, by the names that services give them. */
function refusalWords(refusal: Refusal): Words {
  const { problem, now, requestId } = refusal
  const [first] = problem.violations
  const list = problem.violations.map((violation) => violationWords(violation, refusal))
  const own: Words = {
    now,
    uuid: requestId,
    sentence: problem.message,
    all: list,
    isSame: (name) => HOLDERS.has(plain(name)),
    member: (name, shape) =>
      byPlace(plain(name), shape, problem.violations) ??
      ofRefusal(plain(name), shape, refusal) ??
      (FIRST_PLACES.has(plain(name)) && first ? ofViolation(plain(name), shape, first) : undefined),
    elements(name) {
      return LISTS.has(plain(name)) ? list : undefined
    },
    invent: ({ pointer, name }, shape) =>
      isBound(shape) ? defaultValues({ pointer, name }, shape, { key: 0, now }) : undefined,
  }
  // A list must say something, and what has no parts is its own.
  return list.length > 0 ? own : { ...own, all: [own] }
}

function violationWords(violation: Violation, refusal: Refusal): Words {
  const { now, requestId } = refusal
  return {
    now,
    uuid: requestId,
    sentence: violation.message,
    isSame: () => false,
    elements: () => undefined,
    member: (name, shape) => ofViolation(plain(name), shape, violation) ?? ofRefusal(plain(name), shape, refusal),
  }
}

/** What is wrong at each place, as a map: `{"name": ["is too long"]}`. */
function byPlace(name: string, shape: Shape, violations: readonly Violation[]): unknown {
  const { additionalProperties: inner } = shape.keywords
  if (!LISTS.has(name) || !shape.types.has('object') || !isObject(inner) || violations.length === 0) return undefined
  const isText = inner.type === 'string'
  const isTexts = inner.type === 'array' && isObject(inner.items) && inner.items.type === 'string'
  if (!isText && !isTexts) return undefined
  const places = Map.groupBy(violations, placeOf)
  const said = [...places].map(([place, some]) => [place, some.map(({ message }) => message)] as const)
  return Object.fromEntries(said.map(([place, messages]) => [place, isText ? messages.join(' ') : messages]))
}

function placeOf({ pointer, parameter, header }: Violation): string {
  return pointer ?? parameter ?? header ?? ''
}

/** Whether a text of the schema must be of a kind; any other that nobody knows stays empty. */
function isBound({ keywords }: Shape): boolean {
  return keywords.pattern !== undefined
}

/** `error_description`, `errorDescription` and `Error-Description` are one name. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '')
}

/** An object that says where one thing is wrong, as in JSON:API. */
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
const CODES = new Set('code errorcode errcode errorid kind slug key type'.split(' '))
const STATUSES = new Set('status statuscode httpstatus httpstatuscode httpcode code errorcode'.split(' '))
const PATHS = new Set('path instance uri url resource endpoint requesturi'.split(' '))
const REQUESTS = new Set('requestid traceid correlationid errorid toe reference id logref transactionid'.split(' '))
const TIMES = new Set('timestamp time date datetime occurredat'.split(' '))
const PLACES = new Set(
  'field fieldname property propertypath pointer path location loc parameter param name source target key attribute'.split(
    ' ',
  ),
)
/** Where the first violation is, in bodies that tell one. */
const FIRST_PLACES = new Set(['field', 'fieldname', 'param', 'parameter', 'pointer', 'property'])
const RULES = new Set('code rule type keyword constraint errorcode reasoncode'.split(' '))
const VALUES = new Set('value received rejectedvalue invalidvalue actual input'.split(' '))

function ofRefusal(name: string, shape: Shape, { problem, status, path, requestId, now }: Refusal): unknown {
  if (STATUSES.has(name) && !allows(shape, 'string')) return status
  if (allows(shape, 'integer') && TIMES.has(name) && !allows(shape, 'string')) return now
  if (name === 'success' || name === 'ok') return false
  if (name === 'error' && shape.types.has('boolean')) return true
  if (!allows(shape, 'string')) return undefined
  if (CODES.has(name)) return codeOf(problem.id, status, shape)
  if (name === 'status' && Array.isArray(shape.keywords.enum)) return failing(shape.keywords.enum)
  if (STATUSES.has(name)) return shape.types.size === 0 ? status : String(status)
  if (TITLES.has(name)) return shape.keywords.enum ? codeOf(problem.id, status, shape) : problem.title
  if (SENTENCES.has(name)) return problem.message
  if (PATHS.has(name)) return path
  if (REQUESTS.has(name)) return requestId
  return TIMES.has(name) ? new Date(now).toISOString() : undefined
}

/** Of `success` and `error` the latter. */
function failing(allowed: readonly unknown[]): unknown {
  return allowed.find((one) => typeof one === 'string' && /error|fail|invalid/i.test(one))
}

function ofViolation(name: string, shape: Shape, violation: Violation): unknown {
  const { pointer, parameter, code, message, expected, received } = violation
  const place = placeOf(violation)
  if (SOURCES.has(name) && shape.types.has('object')) return sourceOf(violation, shape)
  if (PLACES.has(name)) return allows(shape, 'string') ? place : (pointer?.split('/').slice(1) ?? [place])
  if (!allows(shape, 'string')) return undefined
  if (name === 'in') return pointer !== undefined ? 'body' : parameter !== undefined ? 'query' : 'header'
  if (SENTENCES.has(name) || name === 'error' || name === 'title') return message
  if (RULES.has(name)) return shape.keywords.enum ? codeOf(code, 400, shape) : code
  if (name === 'expected') return expected
  return VALUES.has(name) ? received : undefined
}

/** Of the kinds of places that a schema names the one that is meant; undefined where it does not name that kind. */
function sourceOf({ pointer, parameter, header }: Violation, { properties }: Shape): unknown {
  const known = Object.entries({ pointer, parameter, header }).filter(
    ([name, place]) => place !== undefined && properties.has(name),
  )
  return known.length === 0 ? undefined : Object.fromEntries(known)
}

/** A word for programs: the problem's own, or of those that are allowed the one that means the status. */
function codeOf(slug: string, status: number, { keywords }: Shape): unknown {
  const { enum: allowed, format } = keywords
  if (format === 'uri' || format === 'uri-reference') return `/problems/${slug}`
  if (!Array.isArray(allowed)) return slug
  const texts = allowed.filter((one): one is string => typeof one === 'string')
  const same = texts.find((one) => plain(one) === plain(slug))
  const phrase = plain(STATUS_CODES[status] ?? '')
  const meant = MEANINGS.find(([statuses]) => statuses.includes(status))?.[1]
  return same ?? texts.find((one) => plain(one) === phrase) ?? texts.find((one) => meant?.test(one)) ?? texts[0]
}

const MEANINGS: readonly (readonly [readonly number[], RegExp])[] = [
  [[400, 422], /invalid|validation|bad|malformed|unprocess/i],
  [[401], /unauth|credential|api.?key|token|login/i],
  [[403], /forbid|denied|permission|access|unauth/i],
  [[404, 410], /not.?found|unknown|missing|no.?such|gone/i],
  [[409, 412], /conflict|exist|duplicat|stale|precondition/i],
  [[413], /large|size/i],
  [[415], /media|content.?type|unsupported/i],
  [[429], /rate|limit|too.?many|throttl/i],
  [[500, 502, 503, 504, 507], /internal|server|unavailable|error/i],
]
