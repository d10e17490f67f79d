import { STATUS_CODES } from 'node:http'
import { defineError, type ErrorEntry, Problem, type ProblemOptions } from './problem.ts'

// Errors of operations for which there is no response, and of responses of which only the status is known.

export const operationRefused = defineError('operation-refused', 501, 'The mock cannot respond to this operation')
export const operationMissing = defineError('operation-missing', 409, 'The contract has no such operation')
export const preferenceInvalid = defineError('preference-invalid', 400, 'The preference is not valid')
export const preferenceUnknown = defineError('preference-unknown', 404, 'The preference cannot be met')
export const mockDefect = defineError('mock-defect', 500, 'The mock has a defect')

/** Whether a status goes away by itself. */
export function isPassing(status: number): boolean {
  return status === 429 || status === 503
}

/**
 * A response with a given status, for a fault, the `Prefer` header or the contract.
 *
 * @example statusProblem(503).id // 'service-unavailable'
 */
export function statusProblem(status: number, options: ProblemOptions = {}): Problem {
  const entry = statusEntry(status)
  const detail = isPassing(status) ? `${entry.title}. Try again later.` : `${entry.title}.`
  return new Problem(entry, { detail, ...options })
}

/** The entry of a status that no other error of the catalogue describes. */
export function statusEntry(status: number): ErrorEntry {
  const title = STATUS_CODES[status] ?? 'Error'
  return { id: title.toLowerCase().replaceAll(/[^a-z]+/g, '-'), status, title }
}

/** A refusal of a user's own handler, under the title that it gave. */
export function handlerProblem(status: number, title: string, detail: string): Problem {
  const id = title
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return new Problem({ id: id || 'refused', status, title }, { detail })
}
