import { pageFaultsOf } from './faults.ts'
import type { Routed } from './find-route.ts'
import { valuesOf } from './header.ts'
import { sentKey } from './identify.ts'
import type { IdleParts } from './idle.ts'
import { readParameters } from './read-parameters.ts'
import { type Exchange, setHeader } from './underway.ts'
import type { Leaning } from '../behaviours/leaning.ts'
import type { Own, Stateful } from '../binding.ts'
import type { Operation } from '../contract/contract.ts'
import { valueAt } from '../contract/pointer.ts'
import { withNumbers } from '../json.ts'
import { type Call, type Handler, type Identity, type Outcome, refusal, requestInvalid } from '../operations/handler.ts'
import type { Violation } from '../problem.ts'
import type { World } from '../world/world.ts'

/**
 * Schema, existence, meaning, decision.
 *
 * @throws Problem with everything that is wrong at the first of the three that fails
 */
export function decide(
  ex: Exchange,
  { operation, parameters }: Routed,
  binding: Stateful | Own,
  identity: Identity,
  sent: unknown,
): Outcome {
  const { house, leaning, request } = ex
  const { path, query, violations, unknown } = readParameters(
    operation,
    parameters,
    ex.search,
    leaning,
    request.headers,
  )
  const { handler } = binding
  // What a user's own handler answers is what he wants to be answered.
  const followed = binding.kind === 'own' ? undefined : house.following?.of(operation.operationId)
  const isNothing = sent === undefined && handler.takesNothing === true && !operation.bodyRequired
  const body = isNothing
    ? undefined
    : handler.soften(sent ?? readEmpty(operation, leaning, violations), leaning, followed?.follows)
  const call: Call = {
    operationId: operation.operationId,
    requestId: ex.requestId,
    path,
    query,
    body,
    header: (name) => joined(valuesOf(request, name)),
    identity,
    key: () => sentKey(request, house.contract),
    now: ex.now,
    cursors: ex.sandbox.cursors,
    fragments: house.fragments,
    leaning,
    pageFaults: ex.faults && pageFaultsOf(ex.faults),
    follows: followed?.follows,
  }
  heedStrangers(ex, operation, { body, query: unknown, idle: followed?.idle(query, body), violations })
  const { bodyFaults } = ex
  const held = { operation, handler, violations, bodyFaults }
  const outcome = understand(ex.faults?.world ?? ex.sandbox.world, call, held).decide()
  return followed ? followed.outcome(outcome, ex.now) : outcome
}

interface Held {
  readonly operation: Operation
  readonly handler: Handler
  /** What is wrong with the parameters. */
  readonly violations: readonly Violation[]
  /** What is wrong with the body, where that was looked at before. */
  readonly bodyFaults?: readonly Violation[] | undefined
}

/**
 * Holds a call against the contract, looks for what it names, and reads its meaning: a reading that has no violations.
 *
 * @throws Problem with everything that is wrong at the first of the three that fails
 */
export function understand(
  world: World,
  call: Call,
  { operation, handler, violations, bodyFaults }: Held,
): ReturnType<Handler['read']> {
  // A handler that takes nothing is given nothing to be held against the contract.
  const faults = bodyFaults ?? (call.body === undefined ? [] : operation.checkBody(withNumbers(call.body)))
  const broken = [...violations, ...faults]
  if (broken.length > 0) throw requestInvalid(withoutRepeats([...broken, ...handler.read(world, call).violations]))
  handler.find(world, call)
  const reading = handler.read(world, call)
  if (reading.violations.length > 0) throw requestInvalid(reading.violations)
  return reading
}

interface Sent {
  readonly body: unknown
  /** Names of query parameters that the contract does not know. */
  readonly query: readonly string[]
  /** What a contract of the user's own knows, and nobody looks at. */
  readonly idle?: IdleParts | undefined
  /** What is wrong with the request so far; what the ledger refuses is added. */
  readonly violations: Violation[]
}

/** What the contract does not know is named in the answer, or refused. */
export function heedStrangers(ex: Exchange, operation: Operation, { body, query, idle, violations }: Sent): void {
  const strange = operation.unknownMembers(body)
  if (strange.length > 0) ex.leaning.lean('body.unknown')
  if (idle) nameIgnored(ex, [...query, ...idle.query], [...new Set([...strange, ...idle.body])])
  else nameIgnored(ex, query, strange)
  if (strange.length > 0 && ex.leaning.ask('body.unknown') === 'error') {
    violations.push(...strange.map((pointer) => refuseStranger(body, pointer)))
  }
}

/** A member that the contract does not know, where the ledger minds it. */
export function refuseStranger(body: unknown, pointer: string): Violation {
  return refusal('body.unknown', { pointer }, 'no member that the contract does not know', valueAt(body, pointer))
}

function joined(values: readonly string[]): string | undefined {
  return values.length === 0 ? undefined : values.join(', ')
}

/**
 * An empty body is `{}` where the contract does not ask for one, unless the ledger says otherwise.
 *
 * @throws Problem 400 for a body that must be there
 */
export function readEmpty({ bodyRequired }: Operation, leaning: Leaning, violations: readonly Violation[]): unknown {
  if (!bodyRequired && leaning.ask('http.empty-body') === 'as-empty') return {}
  const expected = 'a JSON object; send {} for an empty one'
  const row = bodyRequired ? 'http.json' : 'http.empty-body'
  throw requestInvalid([...violations, refusal(row, { pointer: '' }, expected)])
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

/** `X-Mock-Ignored` names what was sent and had no effect; percent-encoded, for a name may hold anything. */
function nameIgnored(ex: Exchange, query: readonly string[], pointers: readonly string[]): void {
  if (query.length + pointers.length === 0) return
  const names = [
    ...query.slice(0, MOST_IGNORED).map((name) => `query ${encodeURI(name.toWellFormed())}`),
    ...pointers.map((pointer) => `body ${encodeURI(pointer.toWellFormed())}`),
  ]
  setHeader(ex, 'x-mock-ignored', names.map((name) => name.slice(0, 120)).join(', '))
}

const MOST_IGNORED = 20
