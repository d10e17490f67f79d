import type { BehaviourTracker, Recorded } from '../../behaviours/tracker.ts'
import { refusal } from '../../behaviours/refusal.ts'
import type { Operation } from '../../contract/contract.ts'
import { isJson } from '../../contract/media-type.ts'
import { valueAt } from '../../contract/pointer.ts'
import { removeHeader, setHeader } from '../../http/response.ts'
import type { State } from '../../engine/state.ts'
import type { Violation } from '../../base/errors/problem.ts'
import { requestInvalid } from '../../base/errors/request-errors.ts'
import { withNumbers } from '../../base/formats/json.ts'
import type { Call, Handler, Reading } from '../../resources/handler.ts'
import type { UnusedInputs } from '../../resources/resource.ts'
import type { OperationAdapter } from '../adapter/contract-adapter.ts'
import type { Own, Stateful } from '../binding/binding.ts'
import { readParameters } from './read-parameters.ts'
import type { RequestContext } from './request-context.ts'
import type { IncomingMessage } from 'node:http'
import { headerValues } from '../../contract/parameters/credential-location.ts'
import { originOf } from '../../http/address.ts'
import type { AppOptions } from '../app-options.ts'
import { sentKey } from './authenticate.ts'

/** What was read of a request: parameters, body, and the header `X-Mock-Ignored`. */
export interface RequestParts extends Pick<Call, 'path' | 'query' | 'body'> {
  readonly ignored: string | undefined
}

/** Reads parameters and body as the contract has them, and names what has no effect. */
export function readRequest(
  context: RequestContext,
  binding: Stateful | Own,
  adapter: OperationAdapter | undefined,
): { parts: RequestParts; violations: Violation[] } {
  const { tracker, request, search, body: sent } = context
  const { operation, parameters: segments } = context.route
  const { handler } = binding
  const bound = binding.kind === 'stateful' ? binding : undefined
  const { path, query, violations, unknown } = readParameters(
    operation,
    { segments, search, headers: request.headers, bound },
    tracker,
  )
  const isNothing = sent === undefined && handler.takesNothing === true && !operation.bodyRequired
  const isStateful = bound !== undefined
  const given = isNothing ? undefined : (sent ?? readEmpty(operation, tracker, { violations, isStateful }))
  const body = isNothing || !handler.normalizeBody ? given : handler.normalizeBody(given, tracker, adapter?.adaptation)
  const members = unknownMembers(operation, handler, { body, tracker })
  const unused = adapter?.unused(query, body)
  const without = unknown.filter((name) => handler.takesQuery?.(name) !== true)
  const ignored = checkUnknown(context, { body, members, query: without, unused, violations })
  return { parts: { path, query, body, ignored }, violations }
}

/**
 * An empty body is `{}`, unless the behaviour catalogue says otherwise, where the contract does not require one, or where the path of a
 * PUT says all that it must.
 *
 * @throws Problem 400 for a body that is required
 */
export function readEmpty(
  operation: Operation,
  tracker: BehaviourTracker,
  { violations, isStateful }: { readonly violations: readonly Violation[]; readonly isStateful: boolean },
): unknown {
  const { bodyRequired, bodyTypes, bodySource } = operation
  const mayBeEmpty = !bodyRequired || (isStateful && isNamedByPath(operation))
  if (mayBeEmpty && tracker.ask('http.empty-body') === 'as-empty') return {}
  const expected =
    (bodyTypes?.some(isJson) ?? true)
      ? 'a JSON object; send {} for an empty one'
      : `a body of the type ${bodyTypes?.join(' or ') ?? ''}`
  const refused = refusal(bodyRequired ? 'http.json' : 'http.empty-body', { pointer: '' }, expected)
  const byContract = bodyRequired && !isStateful ? { code: 'required', source: bodySource() } : {}
  throw requestInvalid([...violations, { ...refused, ...byContract }])
}

/**
 * Whether a PUT says all that it must by its path, and its body may be `{}`. Swagger 2.0 generators mark every body as required, and most
 * frameworks read none as `{}`.
 */
function isNamedByPath({ method, path, checkBody }: Operation): boolean {
  return method === 'PUT' && path.endsWith('}') && checkBody({}).length === 0
}

interface ValidationInput {
  readonly operation: Operation
  readonly handler: Handler
  /** What is wrong with the parameters. */
  readonly violations: readonly Violation[]
  /** What is wrong with the body, where it was validated before. */
  readonly bodyFaults?: readonly Violation[] | undefined
  /** Records the behaviours that the reading depends on. */
  readonly record: BehaviourTracker['record']
}

/**
 * Validates a call against the contract, checks that what it names exists, and reads what it means: a reading without violations.
 *
 * @throws Problem with everything that is wrong at the first of the three that fails
 */
export function validateAndRead(
  state: State,
  call: Call,
  { operation, handler, violations, bodyFaults, record }: ValidationInput,
): Recorded<Reading> {
  // A handler that takes no body has nothing to be validated.
  const found = bodyFaults ?? (call.body === undefined ? [] : operation.checkBody(withNumbers(call.body)))
  const { faults, behaviours } = handler.faultsThatCount?.(found, call.tracker) ?? { faults: found, behaviours: [] }
  const broken = [...violations, ...faults].map((one) => {
    const remedy = handler.remedyFor?.(one)
    return remedy === undefined ? one : { ...one, message: `${one.message} ${remedy}` }
  })
  if (broken.length > 0) {
    const refused = requestInvalid(onePerPlace([...broken, ...handler.read(state, call).violations]))
    throw behaviours.length > 0 ? refused.with({ behaviours: [...refused.behaviours, ...behaviours] }) : refused
  }
  handler.assertExists(state, call)
  const reading = record(() => handler.read(state, call))
  const { violations: meant } = reading.made
  if (meant.length > 0) throw requestInvalid(meant)
  return reading
}

/** One violation for each place: the first, which is the contract's. */
function onePerPlace(violations: readonly Violation[]): Violation[] {
  const places = new Map<string, Violation>()
  for (const violation of violations) {
    const place = JSON.stringify([violation.pointer, violation.parameter])
    if (!places.has(place)) places.set(place, violation)
  }
  return [...places.values()]
}

/** JSON pointers of members of a body that neither the contract nor a behaviour knows. */
export function unknownMembers(
  operation: Operation,
  handler: Handler,
  { body, tracker }: Pick<Call, 'body' | 'tracker'>,
): readonly string[] {
  const unknown = operation.unknownMembers(body)
  if (unknown.length === 0 || !handler.takes) return unknown
  const taken = handler.takes(tracker, body)
  return unknown.filter((pointer) => !taken.includes(pointer))
}

/** Parts of a request that the contract does not have. */
interface UnknownParts {
  readonly body: unknown
  /** JSON pointers of members of the body. */
  readonly members: readonly string[]
  /** Names of query parameters. */
  readonly query: readonly string[]
  /** What the user's contract has and no handler uses. */
  readonly unused?: UnusedInputs | undefined
  /** What is wrong with the request so far; unknown members are added where `body.unknown` refuses them. */
  readonly violations: Violation[]
}

/** Names what has no effect in a header, or refuses it. @returns the header */
export function checkUnknown(
  context: RequestContext,
  { body, members, query, unused, violations }: UnknownParts,
): string | undefined {
  const { tracker } = context
  if (members.length > 0) tracker.note('body.unknown')
  const ignored = nameIgnored(
    context,
    unused
      ? { query: [...query, ...unused.query], body: [...new Set([...members, ...unused.body])] }
      : { query, body: members },
  )
  if (members.length > 0 && tracker.settings['body.unknown'] === 'error')
    violations.push(...members.map((pointer) => unknownMemberError(body, pointer)))
  return ignored
}

/** The error for a member that the contract does not know, where `body.unknown` refuses these. */
export function unknownMemberError(body: unknown, pointer: string): Violation {
  return refusal('body.unknown', { pointer }, 'no member that the contract does not know', valueAt(body, pointer))
}

/** Names what was sent and had no effect. */
export const IGNORED_HEADER = 'x-mock-ignored'
const MAX_QUERY = 20
const LONGEST = 120

/** Sets the header that names what was sent and has no effect, percent-encoded, since a name may hold any character. */
function nameIgnored(context: RequestContext, parts: UnusedInputs): string | undefined {
  const { query, body } = parts
  if (query.length + body.length === 0) return undefined
  context.ignored = parts
  const names = [
    ...query.slice(0, MAX_QUERY).map((name) => `query ${encodeURI(name.toWellFormed())}`),
    ...body.map((pointer) => `body ${encodeURI(pointer.toWellFormed())}`),
  ]
  const text = names.map((name) => name.slice(0, LONGEST)).join(', ')
  setHeader(context, IGNORED_HEADER, text)
  return text
}

/** Names members of the body too that have no effect, as their reading found. */
export function addIgnored(context: RequestContext, members: readonly string[]): void {
  if (members.length === 0) return
  const { query = [], body = [] } = context.ignored ?? {}
  removeHeader(context, IGNORED_HEADER)
  nameIgnored(context, { query, body: [...new Set([...body, ...members])] })
}

/** Leaves out of the header what the request is refused for, since that was not ignored. */
export function leaveOutRefused(context: RequestContext, violations: readonly Violation[]): void {
  if (!context.ignored) return
  const isAtFault = (pointer: string) =>
    violations.some((one) => one.pointer === pointer || one.pointer?.startsWith(`${pointer}/`))
  removeHeader(context, IGNORED_HEADER)
  nameIgnored(context, {
    query: context.ignored.query.filter((name) => !violations.some(({ parameter }) => parameter === name)),
    body: context.ignored.body.filter((pointer) => !isAtFault(pointer)),
  })
}

export function createCall(
  context: RequestContext,
  { path, query, body }: RequestParts,
  adapter: OperationAdapter | undefined,
  { contract }: Pick<AppOptions, 'contract'>,
): Call {
  const { request, identity, tracker, requestId, now, faults } = context
  return {
    operationId: context.route.operation.operationId,
    requestId,
    path,
    query,
    body,
    header: (name) => headerOf(request, name),
    url: () => targetOf(request),
    origin: () => originOf(request),
    identity,
    key: () => sentKey(request, contract),
    now,
    tracker,
    faults,
    adaptation: adapter?.adaptation,
  }
}

/** All values of a header as one text. @param name in lower case */
export function headerOf({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  const values = headerValues(rawHeaders, name)
  return values.length === 0 ? undefined : values.join(', ')
}

/** The request target, with the path that the app is mounted under. */
export function targetOf(request: IncomingMessage): string {
  return 'originalUrl' in request ? String(request.originalUrl) : (request.url ?? '')
}
