import { pageFaultsOf } from './faults.ts'
import type { Routed } from './find-route.ts'
import { valuesOf } from './header.ts'
import { sentKey } from './identify.ts'
import type { IdleParts } from './idle.ts'
import { nameIgnored } from './ignored.ts'
import { readEmpty } from './read-empty.ts'
import { readParameters } from './read-parameters.ts'
import { type Exchange, setHeader } from './underway.ts'
import type { Followed } from './following.ts'
import type { RequestParts } from './prepared-requests.ts'
import type { Leaning, Recorded } from '../behaviours/leaning.ts'
import type { Own, Stateful } from '../binding.ts'
import type { Operation } from '../contract/contract.ts'
import { valueAt } from '../contract/pointer.ts'
import { withNumbers } from '../json.ts'
import {
  type Call,
  type Handler,
  type Identity,
  type Outcome,
  type Reading,
  refusal,
  requestInvalid,
} from '../operations/handler.ts'
import type { Violation } from '../problem.ts'
import { inSlices } from '../slices.ts'
import { isSteps, type Work } from '../world/steps.ts'
import type { World } from '../world/world.ts'

/**
 * Schema, existence, meaning, decision.
 *
 * @throws Problem with everything that is wrong at the first of the three that fails
 */
export function decide(
  ex: Exchange,
  route: Routed,
  binding: Stateful | Own,
  identity: Identity,
  sent: unknown,
): Outcome | Promise<Outcome> {
  const { operation } = route
  const { house, leaning } = ex
  const { handler } = binding
  const world = ex.faults?.world ?? ex.sandbox.world
  // What a user's own handler answers is what he wants to be answered.
  const followed = binding.kind === 'own' ? undefined : house.following?.of(operation.operationId)
  const asked = { route, binding, search: ex.search, answers: leaning.answers }
  const known = ex.isKnownBody ? house.requests.find(sent, asked) : undefined
  if (known) {
    const call = createCall(ex, known, identity, followed)
    if (known.ignored !== undefined) setHeader(ex, 'x-mock-ignored', known.ignored)
    for (const recorded of known.recorded) leaning.repeat(recorded)
    handler.find(world, call)
    return follow(ex, followed, known.repeat(world, call))
  }
  // What is not kept need not be recorded apart.
  const record = ex.isKnownBody ? leaning.record : unrecorded
  const request = record(() => readRequest(ex, route, binding, { followed, sent }))
  leaning.repeat(request)
  const { parts, violations } = request.made
  const call = createCall(ex, parts, identity, followed)
  const { bodyFaults } = ex
  const held = { operation, handler, violations, bodyFaults, record }
  const reading = understand(world, call, held)
  if (reading.made.repeat && ex.isKnownBody && !bodyFaults) {
    const { repeat } = reading.made
    house.requests.keep(sent, asked, { ...parts, recorded: [bitsOf(request), bitsOf(reading)], repeat })
  }
  return follow(ex, followed, reading.made.decide())
}

/** Makes something without recording apart which behaviours that depends on. */
function unrecorded<Made>(make: () => Made): Recorded<Made> {
  return { made: make(), bits: NONE }
}

const NONE = new Uint32Array()

/** Without what was made, which holds the world and the request. */
function bitsOf({ bits }: Recorded<unknown>): Recorded<undefined> {
  return { made: undefined, bits }
}

/** Makes the decision, and of a success what the contract documents. */
function follow(
  { house, now }: Exchange,
  followed: Followed | undefined,
  decision: Work<Outcome>,
): Outcome | Promise<Outcome> {
  // Only long work needs slices; a create or an update is decided at once.
  const decided = isSteps(decision) ? inSlices(decision, house.slices.begin()) : decision
  if (!followed) return decided
  return decided instanceof Promise
    ? decided.then((outcome) => followed.outcome(outcome, now))
    : followed.outcome(decided, now)
}

/** Reads parameters and body as the contract has them, and names what has no effect. */
function readRequest(
  ex: Exchange,
  { operation, parameters }: Routed,
  binding: Stateful | Own,
  { followed, sent }: { readonly followed: Followed | undefined; readonly sent: unknown },
): { parts: RequestParts; violations: Violation[] } {
  const { leaning, request } = ex
  const { handler } = binding
  const bound = binding.kind === 'stateful' ? binding : undefined
  const { path, query, violations, unknown } = readParameters(
    operation,
    { segments: parameters, search: ex.search, headers: request.headers, bound },
    leaning,
  )
  const isNothing = sent === undefined && handler.takesNothing === true && !operation.bodyRequired
  const body = isNothing
    ? undefined
    : handler.soften(
        sent ?? readEmpty(operation, leaning, { violations, isStateful: bound !== undefined }),
        leaning,
        followed?.follows,
      )
  const strange = unknownMembers(operation, handler, { body, leaning })
  const idle = followed?.idle(query, body)
  const ignored = heedStrangers(ex, { body, strange, query: unknown, idle, violations })
  return { parts: { path, query, body, ignored }, violations }
}

function createCall(
  ex: Exchange,
  { path, query, body }: RequestParts,
  identity: Identity,
  followed: Followed | undefined,
): Call {
  const { house, request, leaning, requestId, now, faults } = ex
  return {
    operationId: ex.trace.operationId ?? '',
    requestId,
    path,
    query,
    body,
    header: (name) => joined(valuesOf(request, name)),
    identity,
    key: () => sentKey(request, house.contract),
    now,
    cursors: ex.sandbox.cursors,
    fragments: house.fragments,
    knownIds: house.knownIds,
    listings: house.listings,
    leaning,
    pageFaults: faults && pageFaultsOf(faults),
    follows: followed?.follows,
  }
}

interface Held {
  readonly operation: Operation
  readonly handler: Handler
  /** What is wrong with the parameters. */
  readonly violations: readonly Violation[]
  /** What is wrong with the body, where that was looked at before. */
  readonly bodyFaults?: readonly Violation[] | undefined
  /** Records what the reading depends on; left out where that is not asked for. */
  readonly record?: Leaning['record']
}

/**
 * Holds a call against the contract, looks for what it names, and reads its meaning: a reading that has no violations.
 *
 * @throws Problem with everything that is wrong at the first of the three that fails
 */
export function understand(
  world: World,
  call: Call,
  { operation, handler, violations, bodyFaults, record = unrecorded }: Held,
): Recorded<Reading> {
  // A handler that takes nothing is given nothing to be held against the contract.
  const faults = bodyFaults ?? (call.body === undefined ? [] : operation.checkBody(withNumbers(call.body)))
  const broken = [...violations, ...faults]
  if (broken.length > 0) throw requestInvalid(withoutRepeats([...broken, ...handler.read(world, call).violations]))
  handler.find(world, call)
  const reading = record(() => handler.read(world, call))
  call.leaning.repeat(reading)
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
  readonly idle?: IdleParts | undefined
  /** What is wrong with the request so far; what the ledger refuses is added. */
  readonly violations: Violation[]
}

/** What the contract does not know is named in the answer, or refused. @returns the header that names it */
export function heedStrangers(ex: Exchange, { body, strange, query, idle, violations }: Sent): string | undefined {
  if (strange.length > 0) ex.leaning.lean('body.unknown')
  const ignored = nameIgnored(
    ex,
    idle
      ? { query: [...query, ...idle.query], body: [...new Set([...strange, ...idle.body])] }
      : { query, body: strange },
  )
  if (strange.length > 0 && ex.leaning.ask('body.unknown') === 'error') {
    violations.push(...strange.map((pointer) => refuseStranger(body, pointer)))
  }
  return ignored
}

/** JSON pointers of members of a body that neither the contract nor a behaviour knows. */
export function unknownMembers(
  operation: Operation,
  handler: Handler,
  { body, leaning }: Pick<Call, 'body' | 'leaning'>,
): readonly string[] {
  const unknown = operation.unknownMembers(body)
  if (unknown.length === 0 || !handler.takes) return unknown
  const taken = handler.takes(leaning)
  return unknown.filter((pointer) => !taken.includes(pointer))
}

/** A member that the contract does not know, where the ledger minds it. */
export function refuseStranger(body: unknown, pointer: string): Violation {
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
