import { STATUS_CODES } from 'node:http'
import { defineError, type ErrorEntry, Problem, type ProblemOptions } from './problem.ts'

// Errors of operations for which there is no response, and of responses of which only the status is known.

export const operationRefused = defineError('operation-refused', 501, {
  title: 'The mock cannot respond to this operation',
  cause: 'The contract documents no response that Standin can give: no example and no value fits the schema.',
  remedy: 'Give the response an example, or write a handler for the operation.',
})

export const operationMissing = defineError('operation-missing', 409, {
  title: 'The contract has no such operation',
  cause: 'The contract has no operation that the built-in one is bound to.',
  remedy: 'Bind an operation with `x-standin`; `standin check` lists the bindings.',
})

export const preferenceInvalid = defineError('preference-invalid', 400, {
  title: 'The preference is not valid',
  cause: 'The `Prefer` header has a preference that cannot be read.',
  remedy: 'Write it as the detail shows, for instance `Prefer: code=404`.',
})

export const preferenceUnknown = defineError('preference-unknown', 404, {
  title: 'The preference cannot be met',
  cause: 'The contract documents no such status or example for this operation.',
  remedy: 'Ask for a documented one; the detail names what is missing.',
})

export const mockDefect = defineError('mock-defect', 500, {
  title: 'The mock has a defect',
  cause: 'Standin or one of your handlers failed. The response has the header `X-Mock-Defect`, and no state changed.',
  remedy: 'Look for the request id in the log, which has the stack.',
})

/** Statuses that go away by themselves. */
const PASSING = new Set([429, 503])

/**
 * A response with a given status, for a fault, the `Prefer` header or the contract.
 *
 * @example statusProblem(503).id // 'service-unavailable'
 */
export function statusProblem(status: number, options: ProblemOptions = {}): Problem {
  const entry = statusEntry(status)
  const detail = PASSING.has(status) ? `${entry.title}. Try again later.` : `${entry.title}.`
  return new Problem(entry, { detail, ...options })
}

/** The entry of a status that no other error of the catalogue describes. */
export function statusEntry(status: number): ErrorEntry {
  const title = STATUS_CODES[status] ?? 'Error'
  return {
    id: title.toLowerCase().replaceAll(/[^a-z]+/g, '-'),
    status,
    title,
    cause: 'A fault or the `Prefer` header asked for this status, or the service would send it here.',
    remedy: PASSING.has(status) ? 'Try again later.' : 'Remove the fault or the preference if you did not expect it.',
  }
}

/** A refusal of a user's own handler, under the title that it gave. */
export function handlerProblem(status: number, title: string, detail: string): Problem {
  const id = title
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return new Problem({ id: id || 'refused', status, title }, { detail })
}
