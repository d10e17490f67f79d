import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Faults } from '../faults/request-faults.ts'
import type { AppDependencies } from './dependencies.ts'
import type { UnusedInputs } from './adapter/unused-inputs.ts'
import type { Trace } from '../journal/trace.ts'
import type { UsedBehaviours, BehaviourTracker } from '../behaviours/tracker.ts'
import type { Violation } from '../errors/problem.ts'
import type { Sandbox } from '../engine/sandbox.ts'
import type { StateEvent } from '../engine/event.ts'

/** One request on its way to its answer. */
export interface RequestContext {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly deps: AppDependencies
  /** Whose state is asked and changed. */
  readonly sandbox: Sandbox
  readonly tracker: BehaviourTracker
  readonly requestId: string
  /** Epoch ms by the sandbox's clock, the same for all of the exchange; read again after a fault has let it wait. */
  now: number
  /** The request target, cut at the question mark. */
  readonly path: string
  readonly search: string
  /** Epoch ms by the sandbox's clock when the request arrived. */
  readonly arrived: number
  /** Milliseconds by the machine's steady clock; for log and journal alone. */
  readonly started: number
  /** Of the answer, as they will go out: names in lower case and values by turns. Handed over at once, they need no sorting. */
  readonly headers: string[]
  /** The faults that it may meet; undefined, for most, when there are none. */
  faults?: Faults
  /** What the contract refuses of a body that is no JSON; undefined for one that is. */
  bodyFaults?: readonly Violation[]
  /** Whether a body of the same text was read before, so that it is worth remembering what it means. */
  isKnownBody?: boolean
  /** What the header `X-Mock-Ignored` names; undefined for nothing. */
  ignored?: UnusedInputs
  /** What is left behind for the journal. */
  readonly trace: Trace
}

/** Stores the events that an exchange causes; the journal remembers which they are. */
export function commit({ sandbox, trace, requestId }: RequestContext, events: readonly StateEvent[]): void {
  const first = sandbox.nextEvent
  sandbox.commit(events, requestId)
  if (events.length > 0) trace.firstEvent ??= first
  trace.nextEvent = sandbox.nextEvent
}

/** Sets a header of the answer, in the place of one that has the same name. */
export function setHeader({ headers }: Pick<RequestContext, 'headers'>, name: string, value: string): void {
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at] !== name) continue
    headers[at + 1] = value
    return
  }
  headers.push(name, value)
}

export function removeHeader({ headers }: Pick<RequestContext, 'headers'>, name: string): void {
  for (let at = 0; at < headers.length; at += 2) if (headers[at] === name) return void headers.splice(at, 2)
}

export function setHeaders(context: Pick<RequestContext, 'headers'>, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) setHeader(context, name, value)
}

/** `X-Mock-Behaviours` names the behaviours that an answer depended on. */
export function setBehavioursHeader(context: RequestContext, { text }: UsedBehaviours): void {
  if (text !== '') setHeader(context, 'x-mock-behaviours', text)
}
