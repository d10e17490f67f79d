import type { IncomingMessage, ServerResponse } from 'node:http'
import { requestInvalid } from '../base/errors/request-errors.ts'
import { violation } from '../base/errors/problem.ts'
import type { Sandbox } from './sandbox.ts'
import type { Sandboxes } from './sandboxes.ts'
import type { StateRules } from './state.ts'
import type { Work, Pause } from './slices.ts'

/**
 * Routes of the control API. Each folder brings handlers for its own operations, by the operationId of `spec/control.openapi.yaml`,
 * which has their methods, paths and parameters.
 */

/** What every handler is given besides the request. */
export interface EngineNeeds {
  readonly sandboxes: Sandboxes
  /** Checks documents that come from outside. */
  readonly rules: StateRules
  /** The machine's clock, epoch ms. */
  readonly realNow: () => number
}

/** A parameter, decoded as the contract types it. */
export type ControlParameterValue = string | number | bigint | boolean

/** The input of a control operation, and what else its handler names. */
export type ControlCall<Needs = unknown> = RequestedCall & Needs

/** It is valid by the contract. */
interface RequestedCall extends EngineNeeds {
  readonly path: Readonly<Record<string, ControlParameterValue>>
  readonly query: Readonly<Record<string, ControlParameterValue>>
  /** A JSON value; undefined for operations without a body. */
  readonly body: unknown
  /** The sandbox that the request names; created on first use, unless the request only reads. @throws Problem 400 or 409 */
  sandbox(): Sandbox
  /** Whether the request names a sandbox. */
  readonly namesSandbox: boolean
  /** Where the app is served, as the request has it: `http://127.0.0.1:4010`, without a trailing slash. */
  address(): string
  /** The request header `Last-Event-ID`. */
  readonly lastEventId: string | undefined
  /** Gives other requests their turn during long work. */
  readonly pause: Pause
}

/** A response that is being prepared: what it takes to set its headers and send it. */
export interface ResponseContext {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Lower-case names and values by turns, as `writeHead` takes them without sorting. */
  readonly headers: string[]
}

/** A response as data: a JSON value, a text, or a stream. Without any of them it has no content. */
export interface ControlResponse {
  readonly status: number
  readonly body?: unknown
  /** The header of what was created. */
  readonly location?: string
  readonly text?: { readonly contentType: string; readonly content: string | Iterable<string> }
  /** Sends a response that goes on until one side closes it. */
  readonly stream?: (context: ResponseContext) => void
}

/**
 * Handles a control operation.
 *
 * It decides and commits synchronously, so nothing comes between. Operations that only read may run in steps, and an advance of the clock
 * takes turns while other requests to the sandbox wait. @throws Problem
 */
export type ControlHandler<Needs = unknown> = (
  call: ControlCall<Needs>,
) => Work<ControlResponse> | Promise<ControlResponse>

/** A handler, and what is special about its operation. */
export interface ControlRoute<Needs = unknown> {
  readonly handle: ControlHandler<Needs>
  /** It changes nothing, although its method is not `GET`. */
  readonly isReadOnly?: true
  /**
   * A sandbox in `?sandbox=`, which people type, has to be there. One that a header or a key names is created all the same: tests begin by
   * a reset of theirs.
   */
  readonly refusesTypos?: true
  /** Checks a body before it is validated against the contract. @throws Problem */
  precheck?(body: unknown): void
  /** Whether the body may have a member that the contract does not list, by its JSON pointer. */
  accepts?(pointer: string, needs: EngineNeeds): boolean
}

/** By operationId. */
export type ControlRoutes<Needs = unknown> = Readonly<Record<string, ControlHandler<Needs> | ControlRoute<Needs>>>

export function ok(body: unknown): ControlResponse {
  return { status: 200, body }
}

export function created(body: unknown): ControlResponse {
  return { status: 201, body }
}

export const NO_CONTENT: ControlResponse = { status: 204 }

/** A query parameter that counts something. @throws Problem 400 */
export function readCount(
  { query }: Pick<ControlCall, 'query'>,
  parameter: string,
  bounds: { least: number; most: number; otherwise: number },
): number {
  const value = query[parameter] ?? bounds.otherwise
  if (typeof value === 'number' && value >= bounds.least && value <= bounds.most) return value
  const expected = `an integer from ${bounds.least} to ${bounds.most.toLocaleString('en')}`
  throw requestInvalid([violation({ parameter }, 'range', expected, value)])
}

/** The bounds of the parameter `limit`. */
export const LIMIT = { least: 1, most: 100_000, otherwise: 1000 }
