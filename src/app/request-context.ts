import type { Faults } from '../faults/request-faults.ts'
import type { AppDependencies } from './dependencies.ts'
import type { UnusedInputs } from './adapter/unused-inputs.ts'
import type { Trace } from '../journal/trace.ts'
import type { UsedBehaviours } from '../behaviours/tracker.ts'
import type { Violation } from '../errors/problem.ts'
import { type RequestContext as BaseContext, setHeader } from '../engine/request-context.ts'
import type { StateEvent } from '../engine/event.ts'

/** What the middlewares of one emulated request share. */
export interface RequestContext extends BaseContext {
  readonly deps: AppDependencies
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

/** `X-Mock-Behaviours` names the behaviours that an answer depended on. */
export function setBehavioursHeader(context: RequestContext, { text }: UsedBehaviours): void {
  if (text !== '') setHeader(context, 'x-mock-behaviours', text)
}
