import type { Operation } from '../../contract/contract.ts'
import { valueAt } from '../../contract/pointer.ts'
import type { ValidationMode } from '../../config/config.ts'
import { changeValue } from '../../base/formats/change-value.ts'
import type { Violation } from '../../base/errors/problem.ts'
import { setHeader } from '../../http/response.ts'
import { showViolations, VIOLATIONS_HEADER } from '../../http/violations-header.ts'
import { hintOfOperation } from '../../resources/collections/infer/hints.ts'
import type { RequestParts } from './read-request.ts'
import type { RequestContext } from './request-context.ts'

/** Whether an operation handles requests that break the contract: `--validation warn`, or `x-standin: { validation: warn }`. */
export function warns(operation: Operation, validation: ValidationMode): boolean {
  return (hintOfOperation(operation).validation ?? validation) === 'warn'
}

/** How often a request is validated again: what is left out may have been required. */
const MAX_TURNS = 4

interface Left {
  readonly parts: RequestParts
  /** What was wrong with the request. */
  readonly broken: readonly Violation[]
}

/**
 * A request without what is wrong with it, as if that had not been sent. The parameters of the path stay, since they say what the request is
 * about. What is missing stays missing, but an element of a list that lacks a member is left out.
 *
 * @param violations of the parameters, which are read before
 * @param validate finds what is wrong with the body and, by what the handler knows, with the rest
 */
export function leaveOutInvalid(
  given: RequestParts,
  violations: readonly Violation[],
  validate: (parts: RequestParts) => readonly Violation[],
): Left {
  let parts = given
  let faults = [...violations, ...validate(given)]
  const broken = faults
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const named = new Set(faults.map(({ parameter }) => parameter))
    const query = Object.entries(parts.query).filter(([name]) => !named.has(name))
    const body = withoutPlaces(parts.body, faults)
    if (body === parts.body && query.length === Object.keys(parts.query).length) break
    parts = { ...parts, query: Object.fromEntries(query), body }
    faults = [...validate(parts)]
  }
  return { parts, broken }
}

function withoutPlaces(body: unknown, faults: readonly Violation[]): unknown {
  const places = new Set(faults.flatMap(({ pointer }) => (pointer === undefined ? [] : (placeOf(pointer, body) ?? []))))
  // The last elements of a list go first, so that the others keep their places.
  const backwards = [...places].sort((one, other) => other.localeCompare(one, 'en', { numeric: true }))
  return backwards.reduce((left, at) => (at === '' ? {} : changeValue(left, { op: 'remove', at })), body)
}

/** The value that is wrong, or the element of a list that lacks it. Undefined for what is missing elsewhere. */
function placeOf(pointer: string, body: unknown): string | undefined {
  return valueAt(body, pointer) === undefined ? /^.*\/\d+(?=\/)/.exec(pointer)?.[0] : pointer
}

/** Says in the header `X-Mock-Violations` and in the journal what broke the contract and was left out. */
export function noteViolations(context: RequestContext, violations: readonly Violation[]): void {
  context.trace.violations = violations
  setHeader(context, VIOLATIONS_HEADER, showViolations(violations))
}
