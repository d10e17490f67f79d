import type { FaultRequest } from './fault.ts'
import type { HandlerKind } from '../resources/builtin-operations.ts'
import type { FaultKind } from './fault.ts'

/** An operation of the service, as far as faults are concerned. */
export interface ServedOperation {
  readonly operationId: string
  /** In upper case. */
  readonly method: string
  /** With the base path in front, as the contract has it: `/items/{itemId}`. */
  readonly path: string
  readonly nature: HandlerKind
}

/** Kinds that can do something to some operations only. */
const OPERATIONS: Readonly<Partial<Record<FaultKind, readonly HandlerKind[]>>> = {
  'lost-answer': ['createReportSchedule', 'updateReportSchedule', 'own'],
  'cursor-expired': ['searchFiles'],
  'short-page': ['searchFiles'],
  'duplicate-entry': ['searchFiles'],
  'missing-entry': ['searchFiles'],
  'stale-read': ['searchFiles'],
  'conflicting-edit': ['searchFiles', 'updateReportSchedule'],
}

/** What has to do something to a fault's kind; undefined for a kind that can meet any operation. */
function naturesFor({
  kind,
  edit = 'change',
}: Pick<FaultRequest, 'kind' | 'edit'>): readonly HandlerKind[] | undefined {
  // Of a search, only the file that a page ended with can be edited, and only by being removed.
  return kind === 'conflicting-edit' && edit === 'change' ? ['updateReportSchedule'] : OPERATIONS[kind]
}

/** Whether some exchange with an operation could meet a fault. What depends on state, headers or bodies is taken to be possible. */
export function couldMeet(fault: FaultRequest, operation: ServedOperation): boolean {
  const { operationId, method, path, page } = fault.match ?? {}
  const handlerKinds = naturesFor(fault)
  return (
    operation.nature !== 'refused' &&
    (handlerKinds === undefined || handlerKinds.includes(operation.nature)) &&
    (operationId === undefined || operationId === operation.operationId) &&
    (method === undefined || method.toUpperCase() === operation.method) &&
    (path === undefined || couldBePath(path, operation.path)) &&
    (page === undefined || operation.nature === 'searchFiles')
  )
}

/** Whether a path that is matched, perhaps with a star at its end, may be one of a template. In doubt it may. */
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

/** In the form in which `http.path: tolerant` compares them, the most lenient one. */
function segmentsOf(path: string): string[] {
  return path
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeLeniently)
}

function decodeLeniently(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
