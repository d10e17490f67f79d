import type { IncomingMessage, ServerResponse } from 'node:http'
import type { House } from './house.ts'
import type { Leaning } from '../behaviours/leaning.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'

/** One request on its way to its answer. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly house: House
  /** Whose world is asked and changed. */
  readonly sandbox: Sandbox
  readonly leaning: Leaning
  readonly requestId: string
  /** Epoch ms by the sandbox's clock, the same for all of the exchange. */
  readonly now: number
  /** The request target, cut at the question mark. */
  readonly path: string
  readonly search: string
  /** Milliseconds by the machine's steady clock; for the log alone. */
  readonly started: number
}

/** `X-Mock-Behaviours` names the rows of the ledger that an answer leaned on. */
export function setBehavioursHeader(response: ServerResponse, rows: readonly string[]): void {
  if (rows.length > 0) response.setHeader('x-mock-behaviours', rows.join(', '))
}

/** One line of the log. */
export function logExchange(
  { request, response, house, requestId, started }: Exchange,
  rows: readonly string[],
  problem?: string,
): void {
  const milliseconds = house.elapsed() - started
  house.log.exchange({
    requestId,
    method: request.method ?? '',
    url: request.url ?? '',
    status: response.statusCode,
    milliseconds,
    rows,
    problem,
  })
}
