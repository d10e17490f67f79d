import { pageFaultsOf } from '../../faults/request-faults.ts'
import type { Routed } from './route-operation.ts'
import { valuesOf } from '../header.ts'
import { sentKey } from '../access/authenticate.ts'
import type { UnusedInputs } from '../adapter/unused-inputs.ts'
import { nameIgnored } from './ignored.ts'
import { readEmpty } from './read-empty.ts'
import { readParameters } from './read-parameters.ts'
import type { RequestContext } from '../request-context.ts'
import { setHeader } from '../../engine/request-context.ts'
import type { OperationAdapter } from '../adapter/contract-adapter.ts'
import type { RequestParts } from './prepared-requests.ts'
import type { BehaviourTracker, Recorded } from '../../behaviours/tracker.ts'
import type { Own, Stateful } from '../binding/binding.ts'
import type { Operation } from '../../contract/contract.ts'
import { valueAt } from '../../contract/pointer.ts'
import { withNumbers } from '../../formats/json.ts'
import { type Call, type Handler, type Identity, type Outcome, type Reading, refusal } from '../../resources/handler.ts'
import type { Violation } from '../../errors/problem.ts'
import { inSlices } from '../../engine/slices.ts'
import { isSteps, type Work } from '../../engine/steps.ts'
import type { State } from '../../engine/state.ts'
import { requestInvalid } from '../../errors/request-errors.ts'

/**
 * Schema, existence, meaning, decision.
 *
 * @throws Problem with everything that is wrong at the first of the three that fails
 */
export function runHandler(
  context: RequestContext,
  route: Routed,
  binding: Stateful | Own,
  identity: Identity,
  sent: unknown,
): Outcome | Promise<Outcome> {
  const { operation } = route
  const { deps, tracker } = context
  const { handler } = binding
  const state = context.faults?.state ?? context.sandbox.state
  // What a user's own handler answers is what he wants to be answered.
  const adapter = binding.kind === 'own' ? undefined : deps.following?.of(operation.operationId)
  const asked = { route, binding, search: context.search, answers: tracker.answers }
  const known = context.isKnownBody ? deps.requests.find(sent, asked) : undefined
  if (known) {
    const call = createCall(context, known, identity, adapter)
    if (known.ignored !== undefined) setHeader(context, 'x-mock-ignored', known.ignored)
    for (const recorded of known.recorded) tracker.repeat(recorded)
    handler.find(state, call)
    return follow(context, adapter, known.repeat(state, call))
  }
  // What is not kept need not be recorded apart.
  const record = context.isKnownBody ? tracker.record : unrecorded
  const request = record(() => readRequest(context, route, binding, { adapter, sent }))
  tracker.repeat(request)
  const { parts, violations } = request.made
  const call = createCall(context, parts, identity, adapter)
  const { bodyFaults } = context
  const held = { operation, handler, violations, bodyFaults, record }
  const reading = validateAndRead(state, call, held)
  if (reading.made.repeat && context.isKnownBody && !bodyFaults) {
    const { repeat } = reading.made
    deps.requests.keep(sent, asked, { ...parts, recorded: [bitsOf(request), bitsOf(reading)], repeat })
  }
  return follow(context, adapter, reading.made.decide())
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
  { deps, now }: RequestContext,
  adapter: OperationAdapter | undefined,
  decision: Work<Outcome>,
): Outcome | Promise<Outcome> {
  // Only long work needs slices; a create or an update is decided at once.
  const decided = isSteps(decision) ? inSlices(decision, deps.slices.begin()) : decision
  if (!adapter) return decided
  return decided instanceof Promise
    ? decided.then((outcome) => adapter.outcome(outcome, now))
    : adapter.outcome(decided, now)
}

/** Reads parameters and body as the contract has them, and names what has no effect. */
function readRequest(
  context: RequestContext,
  { operation, parameters }: Routed,
  binding: Stateful | Own,
  { adapter, sent }: { readonly adapter: OperationAdapter | undefined; readonly sent: unknown },
): { parts: RequestParts; violations: Violation[] } {
  const { tracker, request } = context
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
  identity: Identity,
  adapter: OperationAdapter | undefined,
): Call {
  const { deps, request, tracker, requestId, now, faults } = context
  return {
    operationId: context.trace.operationId ?? '',
    requestId,
    path,
    query,
    body,
    header: (name) => joined(valuesOf(request, name)),
    identity,
    key: () => sentKey(request, deps.contract),
    now,
    cursors: context.sandbox.cursors,
    fragments: deps.fragments,
    knownIds: deps.knownIds,
    listings: deps.listings,
    tracker,
    pageFaults: faults && pageFaultsOf(faults),
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

interface Sent {
  readonly body: unknown
  /** JSON pointers of members of the body that nothing knows. */
  readonly strange: readonly string[]
  /** Names of query parameters that the contract does not know. */
  readonly query: readonly string[]
  /** What a contract of the user's own knows, and nobody looks at. */
  readonly idle?: UnusedInputs | undefined
  /** What is wrong with the request so far; what the behaviour catalogue refuses is added. */
  readonly violations: Violation[]
}

/** What the contract does not know is named in the answer, or refused. @returns the header that names it */
export function checkUnknownMembers(
  context: RequestContext,
  { body, strange, query, idle, violations }: Sent,
): string | undefined {
  if (strange.length > 0) context.tracker.note('body.unknown')
  const ignored = nameIgnored(
    context,
    idle
      ? { query: [...query, ...idle.query], body: [...new Set([...strange, ...idle.body])] }
      : { query, body: strange },
  )
  if (strange.length > 0 && context.tracker.ask('body.unknown') === 'error') {
    violations.push(...strange.map((pointer) => unknownMemberError(body, pointer)))
  }
  return ignored
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

/** A member that the contract does not know, where the behaviour catalogue minds it. */
export function unknownMemberError(body: unknown, pointer: string): Violation {
  return refusal('body.unknown', { pointer }, 'no member that the contract does not know', valueAt(body, pointer))
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
