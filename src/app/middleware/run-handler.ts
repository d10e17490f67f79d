import { createOwnedCache } from '../../base/cache.ts'
import type { Recorded } from '../../behaviours/tracker.ts'
import type { State } from '../../engine/state.ts'
import { setHeader } from '../../http/response.ts'
import { setSession } from '../../http/session-header.ts'
import { isSteps, type Work, inSlices } from '../../engine/slices.ts'
import { untilStored } from '../../engine/stores/shared-log.ts'
import { NotReady, type Outcome, type Reading } from '../../resources/handler.ts'
import type { OperationAdapter } from '../adapter/contract-adapter.ts'
import type { AppOptions } from '../app-options.ts'
import type { Own, Stateful } from '../binding/binding.ts'
import type { BelowItem } from '../../resources/resource.ts'
import { decodeSegment } from './read-styled.ts'
import { asksForStream } from '../generated/stream.ts'
import type { ResponseGenerator } from '../generated/generator.ts'
import { preferredResponse } from '../faults/prefer.ts'
import type { StubResponse } from '../../resources/user-operations/stubs/stub.ts'
import { notHandled } from './read-body.ts'
import { withNumbers } from '../../base/formats/json.ts'
import { decodePercent } from '../../contract/pointer.ts'
import { leaveOutInvalid, noteViolations, warns } from './leave-out-invalid.ts'
import { waitForNews } from '../streams/wait-for-news.ts'
import { followChanges } from '../streams/follow-changes.ts'
import { createGenerateInstead, generate, blameState } from '../generated/generate-response.ts'
import { commit } from './record-exchange.ts'
import {
  addIgnored,
  createCall,
  headerOf,
  IGNORED_HEADER,
  readRequest,
  type RequestParts,
  validateAndRead,
} from './read-request.ts'
import { type Middleware, type RequestContext, type Routed, setNow } from './request-context.ts'
import type { BehaviourSettings } from '../../../types/behaviour-settings.d.ts'

type HandlerDependencies = Pick<
  AppOptions,
  'contract' | 'contractAdapter' | 'learned' | 'selfCheck' | 'validation' | 'slices' | 'log' | 'streams' | 'stubs'
>

interface Handled {
  readonly context: RequestContext
  readonly state: State
  readonly binding: Stateful | Own
}

interface Running extends HandlerDependencies {
  readonly prepared: PreparedRequests
  /** Whether the handler has prepared the request. */
  readonly isPrepared?: boolean
}

/** Decides a request and commits its events, with nothing in between: no other request can change the state in the meantime. */
export function runHandler(deps: HandlerDependencies): Middleware {
  const running = { ...deps, prepared: createPreparedRequests() }
  const generateInstead = createGenerateInstead(deps)
  return (_request, { locals: { context } }, next) => {
    const fail = (error: unknown) => {
      const blamed = context.stub?.response ? error : blameState(context, error)
      const generated = generateInstead(context, blamed)
      if (!generated) {
        next(blamed)
        return
      }
      generated.then((outcome) => {
        context.outcome = outcome
        next()
      }, next)
    }
    const { headers, sandbox, stub, binding } = context
    const { length } = headers
    const poll = stub?.response ? undefined : binding.poll
    // What changes while it is decided, is news.
    const position = poll && sandbox.changes?.open(sandbox)
    const decide = () => {
      headers.length = length
      return decideStored(context, running)
    }
    const wait = () => poll && waitForNews(context, poll, { streams: deps.streams, decide, position })
    try {
      const decided = decide()
      const done = decided instanceof Promise ? decided.then(wait) : wait()
      if (done) done.then(() => next(), fail)
      else next()
    } catch (error) {
      fail(error)
    }
  }
}

/** Decides a request; where other processes share the sandbox, until that is stored. */
function decideStored(context: RequestContext, running: Running): void | Promise<void> {
  const { shared } = context.sandbox
  return shared ? runShared(context, running, () => shared.confirm()) : runWhenReady(context, running)
}

/**
 * Decides a request until what it changes, and what it read, is stored. `X-Mock-Event` says which event of the sandbox is the next one: the
 * response shows all before it.
 */
function runShared(context: RequestContext, running: Running, confirm: () => Promise<void> | undefined): Promise<void> {
  const { headers, sandbox, trace } = context
  const { length } = headers
  let isFirst = true
  return untilStored(() => {
    if (!isFirst) {
      headers.length = length
      trace.firstEvent = undefined
      setNow(context, sandbox.now())
    }
    isFirst = false
    return runWhenReady(context, running)
  }, confirm).finally(() => {
    setHeader(context, 'x-mock-event', String(trace.nextEvent))
    setSession(context, sandbox)
  })
}

/** Like `NotReady`, for what a handler prepares. */
class NotPrepared extends Error {
  readonly making: Promise<void>

  constructor(making: Promise<void>) {
    super('what the handler reads is not made yet')
    this.making = making
  }
}

/** @throws NotPrepared for what the request reads and is not there yet */
function prepare({ context, binding }: Handled, { isPrepared }: Running): void {
  const { route, sandbox, request } = context
  const making = isPrepared
    ? undefined
    : binding.handler.prepare?.(sandbox.state, route.parameters, (name) => headerOf(request, name))
  if (making) throw new NotPrepared(making)
}

/**
 * Runs a handler again when what it needs was made: handlers are pure, and have changed nothing yet. Other requests are handled
 * meanwhile, so the request is decided by the state as it is then.
 */
function runWhenReady(context: RequestContext, running: Running): void | Promise<void> {
  try {
    return run(context, running)
  } catch (error) {
    if (error instanceof NotPrepared)
      return error.making.then(() => runWhenReady(context, { ...running, isPrepared: true }))
    if (!(error instanceof NotReady)) throw error
    const making = Promise.resolve(inSlices(error.steps, running.slices.begin()))
    return making.then(() => runWhenReady(context, running))
  }
}

function run(context: RequestContext, running: Running): void | Promise<void> {
  // A search that takes several turns sees the state as it is now, and others may change it before its end.
  const { nextEvent, state } = context.sandbox
  context.trace.nextEvent = nextEvent
  const decided = decide(context, context.faults?.state ?? state, running)
  if (decided instanceof Promise) return decided.then((outcome) => settle(context, outcome, running))
  settle(context, decided, running)
}

/** Checks a response where that is asked for; one that breaks the contract leaves the state untouched. */
function settle(context: RequestContext, decided: Outcome, { selfCheck, stubs }: HandlerDependencies): void {
  const { stub, route } = context
  const { operation } = route
  const isChecked = stub?.response ? stub.response.isChecked : selfCheck?.holds(operation.operationId)
  const outcome = isChecked ? (selfCheck ?? stubs.check()).outcome(operation, decided, stub?.stub) : decided
  if (stub?.response) setHeader(context, 'x-mock-stub', encodeURI(stub.stub.name))
  commit(context, outcome.events)
  context.trace.hasChanged = outcome.events.length > 0
  context.outcome = outcome
}

function decide(context: RequestContext, state: State, running: Running): Outcome | Promise<Outcome> {
  const { binding, stub } = context
  if (stub?.response) return decideStub({ context, state }, stub.response, running)
  if (binding.kind === 'generated' && binding.below) assertAbove({ context, state }, binding.below, running)
  const live = binding.stream && followChanges(context, binding.stream, running)
  if (live) return live
  if (binding.kind === 'generated') return generate(context, binding.generator, running)
  if (binding.kind === 'refused') throw notHandled(binding)
  const generator = binding.kind === 'stateful' ? binding.generator : undefined
  if (generator && asksForGenerated(context, generator)) return generate(context, generator, running)
  return decideWith({ context, state, binding }, running)
}

/** What is declared for a request: a response of its own, or one of the document with the changes and headers of its own. */
function decideStub(
  { context, state }: Pick<Handled, 'context' | 'state'>,
  { handler, documented }: StubResponse,
  running: Running,
): Outcome | Promise<Outcome> {
  const decideOwn = () => decideWith({ context, state, binding: { kind: 'own', handler } }, running)
  if (!documented) return decideOwn()
  const generator = running.stubs.generatorOf(context.binding)
  const { operation } = context.route
  const asDeclared = generate(context, generator, running, documented)
  return asDeclared.then(async (outcome) => {
    // An example of the document may break it; no stub was written for that.
    const { body, status } = outcome
    const isBroken = 'json' in body && !operation.acceptsResponse(status, withNumbers(body.json))
    if (context.stub?.stub.isPair && isBroken) {
      context.stub = undefined
      return generate(context, generator, running)
    }
    const { headers, events } = await decideOwn()
    return { ...outcome, headers: { ...outcome.headers, ...headers }, events }
  })
}

/** Asks for the item that the path of a generated operation goes through. @throws Problem 404 where there is none */
function assertAbove({ context, state }: Pick<Handled, 'context' | 'state'>, below: BelowItem, running: Running): void {
  const { parameters } = context.route
  const making = running.isPrepared
    ? undefined
    : below.prepare?.(context.sandbox.state, parameters, (name) => headerOf(context.request, name))
  if (making) throw new NotPrepared(making)
  const path = Object.fromEntries(Object.entries(parameters).map(([name, text]) => [name, decodeSegment(text)]))
  below.assertExists(
    state,
    createCall(context, { path, query: {}, body: undefined, ignored: undefined }, undefined, running),
  )
}

/** Whether a request asks for a response of the document instead of one of the state. @throws Problem 400 for an invalid preference */
function asksForGenerated({ route, body, request }: RequestContext, generator: ResponseGenerator): boolean {
  if (route.operation.method === 'POST' && (asksForStream(body) || generator.completes(body))) return true
  return request.headers.prefer !== undefined && Object.keys(preferredResponse(request, generator)).length > 0
}

/**
 * Validates a request, checks that what it names exists, reads what it means, and lets the handler decide.
 *
 * @throws Problem with everything that is wrong at the first of these that fails
 */
function decideWith(handled: Handled, running: Running): Outcome | Promise<Outcome> {
  const { context, state, binding } = handled
  const { tracker, route, headers } = context
  const { url = '' } = context.request
  const { operation } = route
  const { handler } = binding
  // Responses of users' own handlers are sent as they are.
  const adapter = binding.kind === 'own' ? undefined : running.contractAdapter?.of(operation.operationId)
  const key = { route, binding, settings: tracker.settings }
  const owner = ownerOf(context)
  const known = owner && running.prepared.find(owner, url, key)
  if (known) {
    prepare(handled, running)
    const call = createCall(context, known, adapter, running)
    if (known.ignored !== undefined) headers.push(IGNORED_HEADER, known.ignored)
    for (const recorded of known.recorded) tracker.repeat(recorded)
    handler.assertExists(state, call)
    return finish(known.repeat(state, call), context, adapter, running)
  }
  // What is not kept need not be recorded apart.
  const record = owner ? tracker.record : unrecorded
  const request = record(() => readRequest(context, binding, adapter))
  const { parts, violations, bodyFaults } = readable(handled, request.made, running)
  // A GET that is refused shows nothing, so nothing is made for it.
  if (violations.length === 0 || operation.method !== 'GET') prepare(handled, running)
  const call = createCall(context, parts, adapter, running)
  const reading = validateAndRead(state, call, { operation, handler, violations, bodyFaults, record })
  const { repeat, ignored = [] } = reading.made
  addIgnored(context, ignored)
  if (repeat && owner && !bodyFaults) {
    const recorded = [bitsOf(request), bitsOf(reading)]
    running.prepared.keep(owner, url, { ...parts, ...key, recorded, repeat })
  }
  return finish(reading.made.decide(), context, adapter, running)
}

/** What the handler reads of a request, and what it has to refuse of it: nothing where what is wrong is left out. */
function readable(handled: Handled, read: ReturnType<typeof readRequest>, running: Running) {
  const { context, state, binding } = handled
  const { bodyFaults, route } = context
  const { operation } = route
  const { learned, validation } = running
  const isLenient = warns(operation, validation)
  if (!isLenient && !learned?.mayAccept(operation)) return { ...read, bodyFaults }
  const check = (body: unknown) =>
    body === read.parts.body && bodyFaults
      ? bodyFaults
      : body === undefined
        ? []
        : operation.checkBody(withNumbers(body))
  const sent = Object.entries(route.parameters).map(([name, text]) => [name, decodePercent(text)] as const)
  const path = { ...Object.fromEntries(sent), ...read.parts.path }
  const { parts, broken } = leaveOutInvalid({ ...read.parts, path }, read.violations, (parts) => {
    const faults = check(parts.body)
    return faults.length > 0
      ? faults
      : binding.handler.read(state, createCall(context, parts, undefined, running)).violations
  })
  if (broken.length === 0) return { ...read, bodyFaults }
  // The service takes it as it is.
  if (learned?.accepts(operation, broken)) return { parts: read.parts, violations: [], bodyFaults: [] }
  if (!isLenient) return { ...read, bodyFaults }
  noteViolations(context, broken)
  return { parts, violations: [], bodyFaults: [] }
}

function unrecorded<Made>(make: () => Made): Recorded<Made> {
  return { made: make(), bits: NONE }
}

const NONE = new Uint32Array()

/** Without what was made, which holds the state and the request. */
function bitsOf({ bits }: Recorded<unknown>): Recorded<undefined> {
  return { made: undefined, bits }
}

/** Does the work of a decision, and adapts its outcome to the contract. */
function finish(
  work: Work<Outcome>,
  { now, request }: RequestContext,
  adapter: OperationAdapter | undefined,
  { slices }: HandlerDependencies,
): Outcome | Promise<Outcome> {
  // Only long work needs slices; a create or an update is decided at once.
  const decided = isSteps(work) ? inSlices(work, slices.begin()) : work
  if (!adapter) return decided
  const { accept } = request.headers
  return decided instanceof Promise
    ? decided.then((outcome) => adapter.outcome(outcome, now, accept))
    : adapter.outcome(decided, now, accept)
}

/**
 * What a request is kept with: a body that was read before, or the route of a GET, of which equal paths share one. Requests that also
 * depend on headers or cookies are not kept.
 */
function ownerOf({ request, route, body, isKnownBody }: RequestContext): object | undefined {
  const { method, parameters } = route.operation
  const isKept = isKnownBody || (body === undefined && method === 'GET' && request.method !== 'POST')
  if (!isKept || parameters.some((parameter) => parameter.in !== 'path' && parameter.in !== 'query')) return undefined
  return typeof body === 'object' && body !== null ? body : route
}

/** All that the meaning of a request depends on besides its body and its target. */
interface RequestKey {
  readonly route: Routed
  readonly binding: Stateful | Own
  readonly settings: BehaviourSettings
}

/** A request that was validated and read. */
interface PreparedRequest extends RequestParts, RequestKey {
  /** The behaviours that reading it depended on. */
  readonly recorded: readonly Recorded<unknown>[]
  readonly repeat: NonNullable<Reading['repeat']>
}

/** Requests of the same bytes are read and validated only once. */
interface PreparedRequests {
  find(owner: object, url: string, key: RequestKey): PreparedRequest | undefined
  keep(owner: object, url: string, request: PreparedRequest): void
}

/** Requests, of all operations together. */
const MOST_PREPARED = 4096

function createPreparedRequests(): PreparedRequests {
  const prepared = createOwnedCache<string, PreparedRequest>({ most: MOST_PREPARED })
  return {
    find(owner, url, { route, binding, settings }) {
      const known = prepared.get(owner, url)
      return known?.route === route && known.binding === binding && known.settings === settings ? known : undefined
    },
    keep: prepared.set,
  }
}
