import type { ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'
import type { UsedBehaviours } from '../behaviours/tracker.ts'
import type { Operation } from '../contract/contract.ts'
import type { StateEvent } from '../engine/state.ts'
import { type RequestContext as BaseContext, setHeader } from '../engine/request-context.ts'
import type { Problem, Violation } from '../errors/problem.ts'
import type { Faults } from '../faults/request-faults.ts'
import type { Recording } from '../journal/record-exchange.ts'
import type { Trace } from '../journal/trace.ts'
import { whenFree } from '../http/wait.ts'
import type { Identity, Outcome } from '../resources/handler.ts'
import type { UnusedInputs } from './adapter/contract-adapter.ts'
import type { Binding } from './binding/binding.ts'

/** Where a request belongs; path parameters are not decoded yet. */
export interface Routed {
  readonly operation: Operation
  readonly parameters: Readonly<Record<string, string>>
}

/**
 * What the middlewares of one request share, as `response.locals.context`. `startRequest` creates it; a member that another middleware
 * sets may be read by those that come later in `app.ts`.
 */
export interface RequestContext extends BaseContext {
  /** Why the sandbox that the request names cannot be used; the default sandbox refuses the request then. */
  readonly refusal: Problem | undefined
  /** What the request leaves for the journal. */
  readonly trace: Trace
  /** Where the exchange is recorded once it is over. */
  readonly recording: Recording
  readonly wait: Wait
  /** Set by `routeOperation`. */
  route: Routed
  /** Set by `routeOperation`: how the operation is handled. */
  binding: Binding
  /** Set by `authenticate`. */
  identity: Identity
  /** Set by `readBody`: the value of the body, undefined when there is none. */
  body: unknown
  /** Set by `readBody`: what the contract refuses of a body that is not JSON; undefined for JSON. */
  bodyFaults: readonly Violation[] | undefined
  /** Set by `readBody`: whether the same body was read before, so that what it means is worth keeping. */
  isKnownBody: boolean
  /** Set by `injectFaultsBefore`: the faults that the request may meet; undefined for most. */
  faults: Faults | undefined
  /** Set by `runHandler`. */
  outcome: Outcome
  /** Set by `runHandler`: what the header `X-Mock-Ignored` names; undefined for nothing. */
  ignored: UnusedInputs | undefined
}

/** Resolves after real milliseconds, or when the response's connection is gone. */
type Wait = (milliseconds: number, response: ServerResponse) => Promise<void>

/** A middleware of the emulated operations. */
export type Middleware = RequestHandler<Record<string, string>, unknown, unknown, unknown, { context: RequestContext }>

/** Commits the events of a request; the journal remembers which they are. */
export function commit({ sandbox, trace, requestId }: RequestContext, events: readonly StateEvent[]): void {
  const first = sandbox.nextEvent
  sandbox.commit(events, requestId)
  if (events.length === 0) return
  trace.firstEvent ??= first
  trace.nextEvent = sandbox.nextEvent
}

/** `X-Mock-Behaviours` lists the undocumented behaviours that a response depended on. */
export function setBehavioursHeader(context: RequestContext, { text }: UsedBehaviours): void {
  if (text !== '') setHeader(context, 'x-mock-behaviours', text)
}

/** Waits while another request advances the sandbox's clock, then reads the time again. @throws Problem 503 */
export async function whenSandboxIsFree(context: RequestContext): Promise<void> {
  await whenFree([context.sandbox])
  context.now = context.sandbox.now()
  setHeader(context, 'date', new Date(context.now).toUTCString())
}
