import type { IncomingMessage } from 'node:http'
import type { Recorded } from '../../behaviours/tracker.ts'
import type { Operation } from '../../contract/contract.ts'
import { headerValues } from '../../contract/parameters/credential-location.ts'
import type { State } from '../../engine/state.ts'
import { Defect } from '../../base/errors/problem.ts'
import type { ServerLog } from '../../journal/server-log.ts'
import { originOf } from '../../http/address.ts'
import { isSteps, type Work, inSlices } from '../../engine/slices.ts'
import { type Call, NotReady, type Outcome } from '../../resources/handler.ts'
import type { OperationAdapter } from '../adapter/contract-adapter.ts'
import type { ResponseGenerator } from '../generated/generator.ts'
import type { AppOptions } from '../app-options.ts'
import type { Own, Stateful } from '../binding/binding.ts'
import { prefersGenerated } from '../faults/prefer.ts'
import { sentKey } from './authenticate.ts'
import { generate } from './generate-response.ts'
import { commit } from './record-exchange.ts'
import { createPreparedRequests, type PreparedRequests } from './prepared-requests.ts'
import { addIgnored, IGNORED_HEADER, readRequest, type RequestParts, validateAndRead } from './read-request.ts'
import type { Middleware, RequestContext } from './request-context.ts'

type HandlerDependencies = Pick<AppOptions, 'contract' | 'contractAdapter' | 'selfCheck' | 'slices' | 'log'>

interface Handled {
  readonly context: RequestContext
  readonly state: State
  readonly binding: Stateful | Own
}

interface Running extends HandlerDependencies {
  readonly prepared: PreparedRequests
}

/** Decides a request and commits its events, with nothing in between: no other request can change the state in the meantime. */
export function runHandler(deps: HandlerDependencies): Middleware {
  const running = { ...deps, prepared: createPreparedRequests() }
  const note = createNotes(deps.log)
  return (_request, { locals: { context } }, next) => {
    const fail = (error: unknown) => {
      const blamed = blameState(context, error)
      const generator = blamed instanceof Defect ? generatorInstead(context) : undefined
      if (!generator || !(blamed instanceof Defect)) {
        next(blamed)
        return
      }
      note(context.route.operation, blamed)
      generate(context, generator, deps.contract).then((outcome) => {
        context.outcome = outcome
        next()
      }, next)
    }
    try {
      const preparing = prepare(context)
      const done = preparing ? preparing.then(() => runWhenReady(context, running)) : runWhenReady(context, running)
      if (done instanceof Promise) {
        done.then(() => next(), fail)
        return
      }
    } catch (error) {
      fail(error)
      return
    }
    next()
  }
}

/** A read that inference cannot show as the contract has it is generated, as if it had not been understood. */
function generatorInstead({ binding }: RequestContext): ResponseGenerator | undefined {
  return binding.kind === 'stateful' && binding.operation.method === 'GET' ? binding.generator : undefined
}

/** Logs each operation whose response was generated instead, once. */
function createNotes(log: Pick<ServerLog, 'note'>): (operation: Operation, defect: Defect) => void {
  const noted = new Set<Operation>()
  return (operation, { message, violations: [first] }) => {
    if (noted.has(operation)) return
    noted.add(operation)
    const { method, path } = operation
    log.note(
      `${method} ${path} is generated, since its collection cannot be shown as documented: ${first?.message ?? message}`,
    )
  }
}

/** A response may break the contract because of what the state has: then that is the problem. */
function blameState({ binding, sandbox }: RequestContext, error: unknown): unknown {
  if (binding.kind !== 'stateful' || !(error instanceof Defect)) return error
  return binding.builtin.blameState?.(sandbox.state, error.violations) ?? error
}

/** Other requests are handled until what this one reads is there, so it is decided afterwards, by the state as it is then. */
function prepare({ binding, route, sandbox }: RequestContext): Promise<void> | undefined {
  return binding.kind === 'stateful' ? binding.handler.prepare?.(sandbox.state, route.parameters) : undefined
}

/** Runs a handler again when what it needs was made: handlers are pure, and have changed nothing yet. */
function runWhenReady(context: RequestContext, running: Running): void | Promise<void> {
  try {
    return run(context, running)
  } catch (error) {
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
function settle(context: RequestContext, decided: Outcome, { selfCheck }: HandlerDependencies): void {
  const { operation } = context.route
  const outcome = selfCheck?.holds(operation.operationId) ? selfCheck.outcome(operation, decided) : decided
  commit(context, outcome.events)
  context.trace.hasChanged = outcome.events.length > 0
  context.outcome = outcome
}

function decide(context: RequestContext, state: State, running: Running): Outcome | Promise<Outcome> {
  const { binding } = context
  if (binding.kind === 'generated') return generate(context, binding.generator, running.contract)
  if (binding.kind === 'refused') throw new Error(`operation ${binding.operation.operationId} has no handler`)
  const generator = binding.kind === 'stateful' ? binding.generator : undefined
  if (generator && prefersGenerated(context.request, generator)) return generate(context, generator, running.contract)
  return decideWith({ context, state, binding }, running)
}

/**
 * Validates a request, checks that what it names exists, reads what it means, and lets the handler decide.
 *
 * @throws Problem with everything that is wrong at the first of these that fails
 */
function decideWith({ context, state, binding }: Handled, running: Running): Outcome | Promise<Outcome> {
  const { tracker, route, body: sent, isKnownBody, bodyFaults, headers, search } = context
  const { operation } = route
  const { handler } = binding
  // Responses of users' own handlers are sent as they are.
  const adapter = binding.kind === 'own' ? undefined : running.contractAdapter?.of(operation.operationId)
  const key = { route, binding, search, settings: tracker.settings }
  const known = isKnownBody ? running.prepared.find(sent, key) : undefined
  if (known) {
    const call = createCall(context, known, adapter, running)
    if (known.ignored !== undefined) headers.push(IGNORED_HEADER, known.ignored)
    for (const recorded of known.recorded) tracker.repeat(recorded)
    handler.assertExists(state, call)
    return finish(known.repeat(state, call), context, adapter, running)
  }
  // What is not kept need not be recorded apart.
  const record = isKnownBody ? tracker.record : unrecorded
  const request = record(() => readRequest(context, binding, adapter))
  const { parts, violations } = request.made
  const call = createCall(context, parts, adapter, running)
  const reading = validateAndRead(state, call, { operation, handler, violations, bodyFaults, record })
  const { repeat, ignored = [] } = reading.made
  addIgnored(context, ignored)
  if (repeat && isKnownBody && !bodyFaults)
    running.prepared.keep(sent, key, { ...parts, recorded: [bitsOf(request), bitsOf(reading)], repeat })
  return finish(reading.made.decide(), context, adapter, running)
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

function createCall(
  context: RequestContext,
  { path, query, body }: RequestParts,
  adapter: OperationAdapter | undefined,
  { contract }: HandlerDependencies,
): Call {
  const { request, identity, tracker, requestId, now, faults } = context
  return {
    operationId: context.route.operation.operationId,
    requestId,
    path,
    query,
    body,
    header(name) {
      const values = headerValues(request.rawHeaders, name)
      return values.length === 0 ? undefined : values.join(', ')
    },
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

/** The request target, with the path that the app is mounted under. */
function targetOf(request: IncomingMessage): string {
  return 'originalUrl' in request ? String(request.originalUrl) : (request.url ?? '')
}
