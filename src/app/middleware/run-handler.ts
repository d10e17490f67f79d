import { headerValues } from '../../contract/parameters/credential-location.ts'
import { sentKey } from './authenticate.ts'
import { checkUnknownMembers } from '../request/ignored.ts'
import { readEmpty } from '../request/read-empty.ts'
import { readParameters } from '../request/read-parameters.ts'
import { commit, type Middleware, type RequestContext } from '../request-context.ts'
import { setHeader } from '../../engine/request-context.ts'
import type { ContractAdapter, OperationAdapter } from '../adapter/contract-adapter.ts'
import type { SelfCheck } from '../adapter/self-check.ts'
import type { PreparedRequests, RequestParts } from '../request/prepared-requests.ts'
import type { BehaviourTracker, Recorded } from '../../behaviours/tracker.ts'
import type { Own, Stateful } from '../binding/binding.ts'
import type { Contract, Operation } from '../../contract/contract.ts'
import { generate } from '../request/generate-response.ts'
import { withNumbers } from '../../formats/json.ts'
import { type Call, type Handler, type Outcome, type Reading } from '../../resources/handler.ts'
import type { Violation } from '../../errors/problem.ts'
import { inSlices, type Slices } from '../../engine/slices.ts'
import { isSteps, type Work } from '../../engine/steps.ts'
import type { State } from '../../engine/state.ts'
import { requestInvalid } from '../../errors/request-errors.ts'

/** What the handlers are given besides the request. */
export interface HandlerDependencies extends Pick<Call, 'knownIds'> {
  readonly contract: Pick<Contract, 'document' | 'inTurns' | 'credentialLocations'>
  /** How responses follow a contract of the user's own; undefined for the one that comes with the package. */
  readonly following: ContractAdapter | undefined
  /** Undefined where no response is checked against the contract before it is sent. */
  readonly selfCheck: SelfCheck | undefined
  readonly requests: PreparedRequests
  /** Divides long work. */
  readonly slices: Slices
}

/** Decides a request and commits its events, with nothing in between: no other request can change the state in the meantime. */
export function runHandler(deps: HandlerDependencies): Middleware {
  return (_request, { locals: { context } }, next) => {
    // A search that takes several turns sees the state as it is now, and others may change it before its end.
    context.trace.nextEvent = context.sandbox.nextEvent
    const decided = decide(context, deps)
    if (decided instanceof Promise) {
      decided.then((outcome) => settle(context, outcome, deps)).then(() => next(), next)
      return
    }
    settle(context, decided, deps)
    next()
  }
}

/** Checks a response where that is asked for; one that breaks the contract leaves the state untouched. */
function settle(context: RequestContext, decided: Outcome, { selfCheck }: HandlerDependencies): void {
  const { operation } = context.route
  const outcome = selfCheck?.holds(operation.operationId) ? selfCheck.outcome(operation, decided) : decided
  commit(context, outcome.events)
  context.trace.hasChanged = outcome.events.length > 0
  context.outcome = outcome
}

function decide(context: RequestContext, deps: HandlerDependencies): Outcome | Promise<Outcome> {
  const { binding } = context
  if (binding.kind === 'generated') return generate(context, binding, deps.contract)
  if (binding.kind === 'refused') throw new Error(`operation ${binding.operation.operationId} has no handler`)
  return decideWith(context, binding, deps)
}

/**
 * Validates a request, checks that what it names exists, reads what it means, and lets the handler decide.
 *
 * @throws Problem with everything that is wrong at the first of these that fails
 */
function decideWith(
  context: RequestContext,
  binding: Stateful | Own,
  deps: HandlerDependencies,
): Outcome | Promise<Outcome> {
  const { tracker, route, body: sent, isKnownBody } = context
  const { operation } = route
  const { handler } = binding
  const state = context.faults?.state ?? context.sandbox.state
  // Responses of users' own handlers are sent as they are.
  const adapter = binding.kind === 'own' ? undefined : deps.following?.of(operation.operationId)
  const asked = { route, binding, search: context.search, settings: tracker.settings }
  const known = isKnownBody ? deps.requests.find(sent, asked) : undefined
  if (known) {
    const call = createCall(context, known, adapter, deps)
    if (known.ignored !== undefined) setHeader(context, 'x-mock-ignored', known.ignored)
    for (const recorded of known.recorded) tracker.repeat(recorded)
    handler.find(state, call)
    return follow(context, adapter, known.repeat(state, call), deps)
  }
  // What is not kept need not be recorded apart.
  const record = isKnownBody ? tracker.record : unrecorded
  const request = record(() => readRequest(context, binding, adapter))
  tracker.repeat(request)
  const { parts, violations } = request.made
  const call = createCall(context, parts, adapter, deps)
  const { bodyFaults } = context
  const held = { operation, handler, violations, bodyFaults, record }
  const reading = validateAndRead(state, call, held)
  if (reading.made.repeat && isKnownBody && !bodyFaults) {
    const { repeat } = reading.made
    deps.requests.keep(sent, asked, { ...parts, recorded: [bitsOf(request), bitsOf(reading)], repeat })
  }
  return follow(context, adapter, reading.made.decide(), deps)
}

/** Makes something without recording apart which behaviours that depends on. */
function unrecorded<Made>(make: () => Made): Recorded<Made> {
  return { made: make(), bits: NONE }
}

const NONE = new Uint32Array()

/** Without what was made, which holds the state and the request. */
function bitsOf({ bits }: Recorded<unknown>): Recorded<undefined> {
  return { made: undefined, bits }
}

/** Makes the decision, and of a success what the contract documents. */
function follow(
  { now }: RequestContext,
  adapter: OperationAdapter | undefined,
  decision: Work<Outcome>,
  { slices }: Pick<HandlerDependencies, 'slices'>,
): Outcome | Promise<Outcome> {
  // Only long work needs slices; a create or an update is decided at once.
  const decided = isSteps(decision) ? inSlices(decision, slices.begin()) : decision
  if (!adapter) return decided
  return decided instanceof Promise
    ? decided.then((outcome) => adapter.outcome(outcome, now))
    : adapter.outcome(decided, now)
}

/** Reads parameters and body as the contract has them, and names what has no effect. */
function readRequest(
  context: RequestContext,
  binding: Stateful | Own,
  adapter: OperationAdapter | undefined,
): { parts: RequestParts; violations: Violation[] } {
  const { tracker, request, body: sent } = context
  const { operation, parameters } = context.route
  const { handler } = binding
  const bound = binding.kind === 'stateful' ? binding : undefined
  const { path, query, violations, unknown } = readParameters(
    operation,
    { segments: parameters, search: context.search, headers: request.headers, bound },
    tracker,
  )
  const isNothing = sent === undefined && handler.takesNothing === true && !operation.bodyRequired
  const body = isNothing
    ? undefined
    : handler.normalizeBody(
        sent ?? readEmpty(operation, tracker, { violations, isStateful: bound !== undefined }),
        tracker,
        adapter?.follows,
      )
  const strange = unknownMembers(operation, handler, { body, tracker })
  const idle = adapter?.idle(query, body)
  const ignored = checkUnknownMembers(context, { body, strange, query: unknown, idle, violations })
  return { parts: { path, query, body, ignored }, violations }
}

function createCall(
  context: RequestContext,
  { path, query, body }: RequestParts,
  adapter: OperationAdapter | undefined,
  { contract, knownIds }: HandlerDependencies,
): Call {
  const { request, identity, tracker, requestId, now, faults } = context
  return {
    operationId: context.route.operation.operationId,
    requestId,
    path,
    query,
    body,
    header: (name) => joined(headerValues(request.rawHeaders, name)),
    identity,
    key: () => sentKey(request, contract),
    now,
    knownIds,
    tracker,
    faults,
    follows: adapter?.follows,
  }
}

interface ValidationInput {
  readonly operation: Operation
  readonly handler: Handler
  /** What is wrong with the parameters. */
  readonly violations: readonly Violation[]
  /** What is wrong with the body, where that was looked at before. */
  readonly bodyFaults?: readonly Violation[] | undefined
  /** Records what the reading depends on; left out where that is not asked for. */
  readonly record?: BehaviourTracker['record']
}

/**
 * Holds a call against the contract, looks for what it names, and reads its meaning: a reading that has no violations.
 *
 * @throws Problem with everything that is wrong at the first of the three that fails
 */
export function validateAndRead(
  state: State,
  call: Call,
  { operation, handler, violations, bodyFaults, record = unrecorded }: ValidationInput,
): Recorded<Reading> {
  // A handler that takes nothing is given nothing to be held against the contract.
  const faults = bodyFaults ?? (call.body === undefined ? [] : operation.checkBody(withNumbers(call.body)))
  const broken = [...violations, ...faults]
  if (broken.length > 0) throw requestInvalid(withoutRepeats([...broken, ...handler.read(state, call).violations]))
  handler.find(state, call)
  const reading = record(() => handler.read(state, call))
  call.tracker.repeat(reading)
  const { violations: meant } = reading.made
  if (meant.length > 0) throw requestInvalid(meant)
  return reading
}

/** JSON pointers of members of a body that neither the contract nor a behaviour knows. */
export function unknownMembers(
  operation: Operation,
  handler: Handler,
  { body, tracker }: Pick<Call, 'body' | 'tracker'>,
): readonly string[] {
  const unknown = operation.unknownMembers(body)
  if (unknown.length === 0 || !handler.takes) return unknown
  const taken = handler.takes(tracker)
  return unknown.filter((pointer) => !taken.includes(pointer))
}

function joined(values: readonly string[]): string | undefined {
  return values.length === 0 ? undefined : values.join(', ')
}

/** One place is complained about once, and the contract's complaint comes first. */
function withoutRepeats<T extends { readonly pointer?: string; readonly parameter?: string }>(
  violations: readonly T[],
): T[] {
  const places = new Map<string, T>()
  for (const violation of violations) {
    const place = JSON.stringify([violation.pointer, violation.parameter])
    if (!places.has(place)) places.set(place, violation)
  }
  return [...places.values()]
}
