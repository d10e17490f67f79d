import { requestInvalid } from '../../base/errors/request-errors.ts'
import { type ExpectedWords, violation, type Violation } from '../../base/errors/problem.ts'
import { couldMeet, type ServedOperation } from './fault-match.ts'
import type { FaultMatch, StoredFault } from '../../../types/control-api.d.ts'
import type { ArmedFault, Fault, FaultRequest, Match } from './fault.ts'
import { effectOf, FAULT_KINDS } from './fault-kinds.ts'
import { stringifyJson } from '../../base/formats/json.ts'

const COMMON = ['id', 'kind', 'match', 'chance', 'times', 'after']

interface Surroundings {
  /** A pointer to the fault in the request body. */
  readonly at?: string
  /** Absent for stored faults, which were checked against the contract when they were armed. */
  readonly operations?: readonly ServedOperation[] | undefined
}

/**
 * Reads a fault that is valid by the contract and fills in the defaults.
 *
 * @throws Problem 400 with everything that is wrong
 */
export function readFault(request: FaultRequest, id: string, { at = '', operations }: Surroundings = {}): Fault {
  const violations = [
    ...fieldViolations(request, at),
    ...matchViolations(request, at, operations),
    ...delayViolations(request.delay, at),
    ...statusViolations(request, at),
  ]
  if (violations.length > 0) throw requestInvalid(violations)
  const { chance = 1, times, after = 0 } = request
  const match = (request.match ?? {}) as Match
  const method = match.method?.toUpperCase()
  return {
    id,
    match: method === undefined ? match : { ...match, method },
    chance,
    times,
    after,
    ...effectOf(request),
  }
}

/** The faults of a state document, by id. */
export function readStoredFaults(stored: readonly StoredFault[]): Map<string, ArmedFault> {
  const read = stored.map(({ matched, struck, window, taken, ...fault }, index): [string, ArmedFault] => [
    fault.id,
    {
      fault: readFault(fault as FaultRequest, fault.id, { at: `/faults/${index}` }),
      tally: { matched, struck, window, taken },
    },
  ])
  return new Map(read)
}

/** Each kind has its own fields, and no others. */
function fieldViolations(request: FaultRequest, at: string): Violation[] {
  const { kind } = request
  const { fields } = FAULT_KINDS[kind]
  const known = fields.map((field) => field.replace('!', ''))
  const strange = Object.entries(request).filter(([name]) => !COMMON.includes(name) && !known.includes(name))
  const takes = known.length === 0 ? 'none of its own' : known.join(', ')
  const missing = fields.filter((field) => field.endsWith('!')).map((field) => field.slice(0, -1))
  return [
    ...strange.map(([name, value]) =>
      violation(
        { pointer: `${at}/${name}` },
        'kind',
        `no such field of a fault of the kind ${kind}; it has ${takes}`,
        value,
      ),
    ),
    ...missing
      .filter((name) => !(name in request))
      .map((name) => violation({ pointer: `${at}/${name}` }, 'required', `a value, which the kind ${kind} needs`)),
  ]
}

const LONGEST_FRAGMENT = 4096

/** Refuses a fault that no request could ever match. */
function matchViolations(fault: FaultRequest, at: string, operations: Surroundings['operations']): Violation[] {
  const { kind, match: { operationId, path, body, page } = {} } = fault
  const violations: Violation[] = []
  const complain = (name: string, expected: ExpectedWords, received: unknown) =>
    violations.push(violation({ pointer: `${at}/match/${name}` }, 'match', expected, received))
  const known = operations?.find((one) => one.operationId === operationId)
  if (operations && operationId !== undefined && !known)
    complain(
      'operationId',
      operations.map((one) => one.operationId),
      operationId,
    )
  if (path !== undefined && /[?#]/.test(path)) complain('path', 'a path without a query or fragment', path)
  if (page === 1 && FAULT_KINDS[kind].needsToken)
    complain('page', 'a page from 2, for the first one has no token', page)
  if (body !== undefined && stringifyJson(body).length > LONGEST_FRAGMENT)
    complain('body', `at most ${LONGEST_FRAGMENT} characters of JSON`, body)
  const isPossible = operations?.some((operation) => couldMeet(fault, operation)) ?? true
  return violations.length > 0 || isPossible ? violations : [neverMet(fault, at, operations ?? [])]
}

/** Names the first part of a match that excludes every operation, and its possible values. */
function neverMet(fault: FaultRequest, at: string, operations: readonly ServedOperation[]): Violation {
  const { kind, match = {} } = fault
  const possible = operations.filter((operation) => couldMeet({ ...fault, match: {} }, operation))
  const refuse = (pointer: string, expected: string, received: unknown) =>
    violation({ pointer: at + pointer }, 'match', `${expected}: nothing else can meet the kind ${kind}`, received)
  if (possible.length === 0)
    return violation({ pointer: `${at}/kind` }, 'kind', 'a kind that an operation of the contract can meet', kind)
  const parts = ['operationId', 'method', 'path', 'page'] as const
  for (const [index, name] of parts.entries()) {
    const asked = Object.fromEntries(parts.slice(0, index + 1).map((part) => [part, match[part]])) as FaultMatch
    if (possible.some((operation) => couldMeet({ ...fault, match: asked }, operation))) continue
    const before = Object.fromEntries(parts.slice(0, index).map((part) => [part, match[part]])) as FaultMatch
    const left = possible.filter((operation) => couldMeet({ ...fault, match: before }, operation))
    if (name === 'page') return withoutPages(at + '/match/page', match, { left, operations })
    const values = new Set(left.map((operation) => operation[name]))
    return refuse(`/match/${name}`, [...values].slice(0, MAX_NAMED).join(' or '), match[name])
  }
  return refuse('/match', 'a match that an exchange can have', match)
}

/** @param left the operations that the rest of the match leaves */
function withoutPages(
  pointer: string,
  { page }: FaultMatch,
  { left, operations }: Readonly<Record<'left' | 'operations', readonly ServedOperation[]>>,
): Violation {
  const list = (some: readonly ServedOperation[]) =>
    `${some
      .slice(0, MAX_NAMED)
      .map((one) => one.operationId)
      .join(', ')} ${some.length === 1 ? 'has' : 'have'}`
  const paged = operations.filter(({ hasPages }) => hasPages)
  const others = paged.length === 0 ? 'and no other operation has any' : list(paged)
  return violation({ pointer }, 'match', `no page (${list(left)} no pages; ${others})`, page)
}

const MAX_NAMED = 10

const DELAYS = 'milliseconds, or from and to, or median and sigma'

function delayViolations(delay: FaultRequest['delay'], at: string): Violation[] {
  if (delay === undefined) return []
  const pointer = `${at}/delay`
  const names = Object.keys(delay).sort().join(' ')
  if (!['milliseconds', 'from to', 'median sigma'].includes(names))
    return [violation({ pointer }, 'delay', DELAYS, delay)]
  if (delay.from !== undefined && delay.to !== undefined && delay.from > delay.to)
    return [violation({ pointer: `${pointer}/to` }, 'delay', `at least ${delay.from}, which is from`, delay.to)]
  return []
}

/** Headers that frame a message are set by the server; other values would break the connection. */
const FRAMING = ['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'trailer', 'date']
const WITHOUT_BODY = [204, 205, 304]
const LONGEST_BODY = 1_048_576

function statusViolations({ kind, status, headers = {}, body }: FaultRequest, at: string): Violation[] {
  const violations: Violation[] = []
  for (const [name, value] of Object.entries(headers)) {
    if (kind === 'changed-response' && /^transfer-encoding:chunked$/i.test(`${name}:${value}`)) continue
    const pointer = `${at}/headers/${name}`
    if (!/^[!#$%&'*+.^_`|~\w-]{1,256}$/.test(name) || FRAMING.includes(name.toLowerCase()))
      violations.push(violation({ pointer }, 'header', `the name of a header, but none of ${FRAMING.join(', ')}`, name))
    else if (typeof value !== 'string' || !/^[\t\x20-\x7e\x80-\xff]{0,8192}$/.test(value))
      violations.push(
        violation({ pointer }, 'header', 'a text of at most 8192 characters that a header may hold', value),
      )
  }
  if (body === undefined) return violations
  const pointer = `${at}/body`
  if (status !== undefined && WITHOUT_BODY.includes(status))
    violations.push(violation({ pointer }, 'body', `no body, for a ${status} has none`, body))
  if (stringifyJson(body).length > LONGEST_BODY)
    violations.push(violation({ pointer }, 'body', `at most ${LONGEST_BODY} characters of JSON`, body))
  return violations
}
