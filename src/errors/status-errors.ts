import { STATUS_CODES } from 'node:http'
import { type ErrorEntry, Problem, type ProblemOptions } from './problem.ts'

/** Statuses that go away by themselves. */
const PASSING = new Set([429, 503])

/**
 * A response of which only the status is known, because a fault, the `Prefer` header or the contract asked for it.
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
