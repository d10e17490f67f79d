import type { ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'
import type { BehaviourTracker } from '../../behaviours/tracker.ts'
import type { Operation } from '../../contract/contract.ts'
import type { ResponseContext } from '../../engine/control-route.ts'
import type { Sandbox } from '../../engine/sandbox.ts'
import type { State } from '../../engine/state.ts'
import type { Problem, Violation } from '../../base/errors/problem.ts'
import type { FaultHit, FaultOf, FaultStrikes } from '../../engine/faults/fault.ts'
import type { Exchange } from '../../journal/exchange.ts'
import type { Identity, Outcome } from '../../resources/handler.ts'
import type { UnusedInputs } from '../../resources/resource.ts'
import type { Stub, StubResponse } from '../../resources/user-operations/stubs/stub.ts'
import type { Binding } from '../binding/binding.ts'

/** The operation of a request. Path parameters are not decoded yet. */
export interface Routed {
  readonly operation: Operation
  readonly parameters: Readonly<Record<string, string>>
}

/**
 * What the middlewares of one request share, as `response.locals.context`. `startRequest` creates it; a member that another middleware
 * sets may be read by those that come later in `app.ts`.
 */
export interface RequestContext extends ResponseContext {
  /** The sandbox whose state the request reads and changes. */
  readonly sandbox: Sandbox
  /** Why the sandbox that the request names cannot be used; the default sandbox refuses the request then. */
  readonly refusal: Problem | undefined
  readonly tracker: BehaviourTracker
  readonly requestId: string
  /** The request target, cut at the question mark. */
  readonly path: string
  /** Without its question mark. `readBody` adds the fields of a form that is posted to a GET. */
  search: string
  /** Epoch ms by the sandbox's clock when the request arrived. */
  readonly arrived: number
  /** Epoch ms by the sandbox's clock, the same for the whole request; read again after a fault has delayed it. */
  now: number
  /** Milliseconds by the machine's monotonic clock; only for the log and the journal. */
  readonly started: number
  /** What the request leaves for the journal. */
  readonly trace: Trace
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
  /** Set by `chooseStub`: what is declared for the request; undefined for most. */
  stub: ChosenStub | undefined
  /** Set by `injectFaultsBefore`: the faults that the request may meet; undefined for most. */
  faults: Faults | undefined
  /** Set by `runHandler`. */
  outcome: Outcome
  /** Set by `runHandler`: what the header `X-Mock-Ignored` names; undefined for nothing. */
  ignored: UnusedInputs | undefined
}

/** A stub that is for the request. */
export interface ChosenStub {
  readonly stub: Stub
  /** Undefined where the request is handled as usual. */
  readonly response: StubResponse | undefined
}

/** Sets the time of a request that had to wait, or is decided again. */
export function setNow(context: Pick<RequestContext, 'now' | 'headers'>, now: number): void {
  context.now = now
  context.headers[context.headers.indexOf('date') + 1] = new Date(now).toUTCString()
}

/** What a request leaves for the journal; the middlewares fill it in. */
export interface Trace extends Traced {
  /** The body of the request, once it was read. */
  received: string | undefined
  /** The body of the response as it was sent, or its beginning. */
  answered: string | undefined
  /** Whether that was not all of it. */
  isPartial: boolean
  /** Whether `answered` is base64, since the bytes that were sent are not UTF-8. */
  isBinary: boolean
  /** The number of its first event; undefined when it caused none. */
  firstEvent: number | undefined
  /** The number of the sandbox's next event once it was handled; undefined before. */
  nextEvent: number | undefined
  /** What was wrong with a request that was handled nevertheless. */
  violations: readonly Violation[] | undefined
}

/** What the journal has of it as it is here. */
type Traced = Pick<Exchange, 'requests'> & {
  -readonly [Name in keyof Pick<Exchange, JournalMember>]: Exchange[Name]
}
type JournalMember = 'operationId' | 'end' | 'next' | 'hasChanged' | 'fault' | 'faultId' | 'repeats' | 'defect'

/** Faults that affect how a response is sent. */
export type WireFault = FaultOf<'truncated' | 'garbage' | 'slow-drip'>

/** The faults that a request may meet: those that it asks for itself, then those that are armed in its sandbox. */
export interface Faults extends FaultStrikes {
  /** The fault that affects how the response is sent, if any, where it was struck before; undefined otherwise. */
  wire?: readonly (FaultHit<WireFault> | undefined)[] | undefined
  /** What the request sees in place of its sandbox's state. */
  state?: State
}

/** Resolves after real milliseconds, or when the response's connection is closed. */
export type Wait = (milliseconds: number, response: ServerResponse) => Promise<void>

/** A middleware of the emulated operations. */
export type Middleware = RequestHandler<Record<string, string>, unknown, unknown, unknown, { context: RequestContext }>
