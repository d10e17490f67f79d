import type { FaultRequest } from '../../../engine/faults/fault.ts'
import type { Mutant } from './mutant.ts'
import type { SeenExchange } from '../seen.ts'

export interface Disturbance {
  readonly name: string
  readonly change: string
  readonly fault: FaultRequest
  /** Whether it can show in an exchange; always when absent. */
  readonly shows?: (exchange: SeenExchange) => boolean
  /** Whether it happens to every request, and not only once. */
  readonly isLasting?: true
  readonly changesData?: true
}

/** Milliseconds: noticeable, and within the time limits that clients have. */
const SLOW = 500
const RETRY_AFTER = { 'retry-after': '1' }

/** What networks and gateways do, whatever a contract says. */
const DISTURBANCES: readonly Disturbance[] = [
  {
    name: 'slow',
    change: 'A response takes half a second.',
    fault: { kind: 'latency', delay: { milliseconds: SLOW } },
  },
  {
    name: '503',
    change: 'A request is refused with 503 and Retry-After: 1.',
    fault: { kind: 'status', status: 503, headers: RETRY_AFTER },
  },
  {
    name: '429',
    change: 'A request is refused with 429 and Retry-After: 1.',
    fault: { kind: 'status', status: 429, headers: RETRY_AFTER },
  },
  { name: 'reset', change: 'The connection is reset before the request is handled.', fault: { kind: 'reset' } },
  {
    name: 'lost',
    change: 'The change is stored, and the response is lost.',
    fault: { kind: 'lost-answer' },
    shows: ({ hasChanged }) => hasChanged,
  },
  {
    name: 'small-pages',
    change: 'All pages have half as many entries as asked for.',
    fault: { kind: 'short-page' },
    shows: ({ next }) => next !== undefined,
    isLasting: true,
  },
  {
    name: 'deleted-entry',
    change: 'An entry is deleted between two pages.',
    fault: { kind: 'missing-entry', match: { page: 2 } },
    shows: ({ next }) => next !== undefined,
    changesData: true,
  },
  {
    name: 'pieces',
    change: 'Responses come in pieces.',
    fault: { kind: 'slow-drip', pieces: 5, milliseconds: 100 },
    isLasting: true,
  },
  {
    name: 'short-page',
    change: 'A page has one entry, and the next one begins after it.',
    fault: { kind: 'short-page', entries: 1 },
    shows: ({ next }) => next !== undefined,
  },
]

/** One disturbance of each kind for each operation that the tests requested. */
export function wireMutants(seen: readonly SeenExchange[]): Mutant[] {
  const byOperation = Map.groupBy(seen, ({ operationId }) => operationId)
  return [...byOperation].flatMap(([operationId, exchanges]) =>
    operationId === undefined
      ? []
      : DISTURBANCES.filter(({ shows }) => shows === undefined || exchanges.some(shows)).map(
          ({ name, change, fault, isLasting, changesData }): Mutant => ({
            id: `${operationId} ${name}`,
            operationId,
            kind: 'wire',
            change,
            usual: 'It is answered at once.',
            ...(changesData ? { changesData } : {}),
            faults: [{ ...fault, match: { ...fault.match, operationId }, ...(isLasting ? {} : { times: 1 }) }],
          }),
        ),
  )
}
