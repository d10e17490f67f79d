import { decodePercent } from '../../contract/pointer.ts'
import type { FaultRequest, Match } from './fault.ts'
import { FAULT_KINDS } from './fault-kinds.ts'
import { type Json, isObject, stringifyJson } from '../../base/formats/json.ts'

/** The parts of a request that a fault can match. */
export interface ExchangeFacts {
  readonly operationId: string
  readonly method: string
  readonly path: string
  /** @param name in lower case */
  header(name: string): string | undefined
  readonly body: unknown
  /** From 1; undefined for other requests and unreadable tokens. */
  page(): number | undefined
}

/** Cheap conditions come first. Nothing of a request is used as a pattern. */
export function isMatch(match: Match, facts: ExchangeFacts): boolean {
  const { operationId, method, path, header = {}, body, page } = match
  return (
    (operationId === undefined || operationId === facts.operationId) &&
    (method === undefined || method === facts.method) &&
    (path === undefined || isPath(path, facts.path)) &&
    Object.entries(header).every(([name, value]) => facts.header(name.toLowerCase()) === value) &&
    (page === undefined || page === facts.page()) &&
    (body === undefined || holds(facts.body, body))
  )
}

function isPath(wanted: string, path: string): boolean {
  return wanted.endsWith('*') ? path.startsWith(wanted.slice(0, -1)) : path === wanted
}

function holds(body: unknown, wanted: Json): boolean {
  if (typeof wanted !== 'string') return contains(body, wanted)
  return body !== undefined && stringifyJson(body).includes(wanted)
}

/**
 * Whether a JSON value contains another: objects all its members, arrays an element that contains each of its elements, in any
 * order; other values are equal.
 *
 * @example contains({ filters: [{ field: 'name', not: true }] }, { filters: [{ field: 'name' }] }) // true
 */
export function contains(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return Array.isArray(value) && wanted.every((one) => value.some((element) => contains(element, one)))
  if (isObject(wanted))
    return (
      isObject(value) &&
      Object.entries(wanted).every(([name, inner]) => Object.hasOwn(value, name) && contains(value[name], inner))
    )
  return value === wanted
}

/** An operation of the contract, as faults see it. */
export interface ServedOperation {
  readonly operationId: string
  /** In upper case. */
  readonly method: string
  /** With the base path in front, as the contract has it: `/items/{itemId}`. */
  readonly path: string
  /** Whether it is served at all. */
  readonly canFail: boolean
  /** Whether its requests ask for pages. */
  readonly hasPages: boolean
  /** The behaviours that its responses may depend on: ids, or the first part of several. */
  readonly dependsOn: readonly string[]
  /** Whether it can meet a fault of a kind that only some operations can. */
  meets(fault: Pick<FaultRequest, 'kind' | 'edit'>): boolean
}

/** Whether a request to an operation could match a fault. Conditions on state, headers and bodies are assumed to hold. */
export function couldMeet(fault: FaultRequest, operation: ServedOperation): boolean {
  const { operationId, method, path, page } = fault.match ?? {}
  return (
    operation.canFail &&
    (!FAULT_KINDS[fault.kind].isOperationSpecific || operation.meets(fault)) &&
    (operationId === undefined || operationId === operation.operationId) &&
    (method === undefined || method.toUpperCase() === operation.method) &&
    (path === undefined || couldBePath(path, operation.path)) &&
    (page === undefined || operation.hasPages)
  )
}

/** Whether a matched path, which may end with `*`, could be one of a template. When in doubt, it could. */
function couldBePath(wanted: string, template: string): boolean {
  const isOpen = wanted.endsWith('*')
  const segments = segmentsOf(isOpen ? wanted.slice(0, -1) : wanted)
  const places = segmentsOf(template.replace(/[?#].*$/, ''))
  const last = isOpen && !wanted.endsWith('/*') ? segments.pop() : undefined
  if (isOpen ? segments.length > places.length : segments.length !== places.length) return false
  if (!segments.every((segment, at) => couldBeSegment(segment, places[at]))) return false
  const next = places[segments.length]
  return last === undefined || (next !== undefined && (isParameter(next) || next.startsWith(last)))
}

function couldBeSegment(segment: string, place = ''): boolean {
  return isParameter(place) || segment === place
}

function isParameter(place: string): boolean {
  return place.includes('{')
}

/** Normalised like `http.path: tolerant`, the most lenient comparison. */
function segmentsOf(path: string): string[] {
  return path
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodePercent)
}
