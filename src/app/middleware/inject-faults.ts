import type { AppOptions } from '../app-options.ts'
import { preferableStatuses } from '../binding/bound-operations.ts'
import { setHeaders } from '../../http/response.ts'
import { statusProblem } from '../../base/errors/response-errors.ts'
import {
  delayOf,
  type Fault,
  type FaultHit,
  type KnownFaultKind,
  type FaultOf,
  type FaultStrikes,
  LONGEST_WAIT,
} from '../../engine/faults/fault.ts'
import { OPERATION_SPECIFIC_KINDS } from '../../engine/faults/fault-kinds.ts'
import { liftLimit, refuseByFault, secondsLeft } from '../../engine/faults/rate-limit.ts'
import { untilStored } from '../../engine/stores/shared-log.ts'
import { stringifyJson } from '../../base/formats/json.ts'
import { whenFree } from '../../http/wait.ts'
import type { FaultEffect } from '../../resources/resource.ts'
import { rateLimited } from './limit-rate.ts'
import { createSilentRetries, cut, type SilentRetries, wireFault } from '../faults/corrupt-response.ts'
import { preferredFaults } from '../faults/prefer.ts'
import { commit, type RecordExchange } from './record-exchange.ts'
import { targetOf } from './read-request.ts'
import { type Middleware, type RequestContext, setNow } from './request-context.ts'
import { createFaults, faultedRequest, operationFaultsOf } from '../faults/request-faults.ts'
import { sendReady } from './send-response.ts'

/** Faults that affect a request before it is handled. `../faults/corrupt-response.ts` has those of the response. */
const BEFORE: readonly KnownFaultKind[] = ['latency', 'status', 'rate-limit', 'reset', 'empty']
const KINDS = [...BEFORE, ...OPERATION_SPECIFIC_KINDS]

interface InjectionDependencies extends Pick<AppOptions, 'isAfterService' | 'elapsed' | 'realNow'> {
  readonly contract: { readonly document: unknown }
  /** Undefined for the packaged contract. */
  readonly contractAdapter: unknown
  readonly record: RecordExchange
  /** Whether a service handles the requests: what they prefer is for the service. */
  readonly isForwarded?: boolean | undefined
}

interface Injection extends InjectionDependencies {
  readonly silentRetries: SilentRetries
}

/** Waits while the sandbox's clock is advanced, then injects the faults that affect a request before it is handled. */
export function injectFaultsBefore(deps: InjectionDependencies): Middleware {
  const injection = {
    ...deps,
    silentRetries: createSilentRetries(deps),
  }
  return (request, { locals: { context } }, next) => {
    const { sandbox } = context
    const mayFail = sandbox.state.faults.size > 0 || (context.stub?.stub.faults.length ?? 0) > 0
    const mayPrefer = request.headers.prefer !== undefined && deps.isForwarded !== true
    if (!sandbox.isBusy && !mayFail && !mayPrefer) {
      next()
      return
    }
    const inject = async () => {
      if (sandbox.isBusy) await readTimeWhenFree(context)
      return injectBefore(context, injection)
    }
    inject().then((isEnded) => {
      if (!isEnded) next()
    }, next)
  }
}

/** Injects the faults that affect a request once its changes are stored: the response is lost. @throws Problem 504 */
export function injectFaultsAfter({ record }: Pick<InjectionDependencies, 'record'>): Middleware {
  return (_request, { locals: { context } }, next) => {
    const { faults, outcome, sandbox } = context
    const lose = () =>
      faults && outcome.events.length > 0 ? [...faults.strikes(['lost-answer']).take(1)][0] : undefined
    const end = (hit: ReturnType<typeof lose>) => {
      if (!hit) next()
      else if (hit.fault.by === 'gateway-timeout')
        next(statusProblem(504, { detail: 'The service did not answer in time.' }))
      else cut(context, hit.fault.by, record)
    }
    const { shared } = sandbox
    if (!faults || !shared) {
      end(lose())
      return
    }
    // What strikes is stored before anything is sent.
    const strike = () => {
      const hit = lose()
      faults.wire = hit || 'empty' in outcome.body ? [] : [wireFault({ faults: { ...faults, wire: undefined } })]
      return hit
    }
    untilStored(strike, () => shared.confirm()).then(end, next)
  }
}

/** Waits while another request advances the sandbox's clock, then reads the time again. @throws Problem 503 */
async function readTimeWhenFree(context: RequestContext): Promise<void> {
  const { sandbox } = context
  await whenFree([sandbox])
  setNow(context, sandbox.now())
}

/**
 * Injects the faults in the order they were armed. Delays add up and come first; the first fault that ends the request ends it.
 *
 * @returns whether a fault has ended the request
 * @throws Problem for a fault that refuses the request
 */
async function injectBefore(context: RequestContext, injection: Injection): Promise<boolean> {
  if (injection.silentRetries.endAgain(context)) return true
  const { shared } = context.sandbox
  const strike = () => {
    const declared = context.stub?.stub.faults ?? []
    const faults = createFaults(context, [...preferredBy(context, injection), ...declared])
    context.faults = faults
    liftLimits(context, injection)
    return strikeBefore(context, faults, injection)
  }
  const { milliseconds, hits } = shared ? await untilStored(strike, () => shared.confirm()) : strike()
  if (milliseconds > 0) {
    await context.wait(Math.min(milliseconds, LONGEST_WAIT), context.response)
    await readTimeWhenFree(context)
  }
  for (const { fault } of hits) if (await inject(context, fault, injection)) return true
  return false
}

/** @throws Problem 400 for an invalid preference */
function preferredBy(
  { request, binding, tracker }: RequestContext,
  { contract: { document }, contractAdapter, isForwarded }: Injection,
): readonly Fault[] {
  if (isForwarded) return []
  const isAdapted = contractAdapter !== undefined
  const preferable = preferableStatuses(binding, tracker.settings, { document, isAdapted })
  return preferredFaults(request, preferable, binding.poll?.usesPrefer)
}

/** The faults that strike a request before it is handled, and for how long they delay it. */
function strikeBefore(
  context: RequestContext,
  faults: FaultStrikes,
  { isAfterService }: Injection,
): { milliseconds: number; hits: readonly FaultHit[] } {
  let milliseconds = 0
  const hits: FaultHit[] = []
  const { state } = context.sandbox
  const isMet = ({ id }: Fault) => isAfterService === true && state.faults.has(id)
  const isPossible = (fault: Fault) =>
    BEFORE.includes(fault.kind) ? !isMet(fault) : effectOf(context, fault) !== undefined
  for (const hit of faults.strikes(KINDS, isPossible)) {
    const { fault } = hit
    if (fault.kind === 'latency') milliseconds += delayOf(fault.delay, [hit.share('one'), hit.share('two')])
    else hits.push(hit)
    // The request meets no fault behind one that ends it.
    if (BEFORE.includes(fault.kind) ? fault.kind !== 'latency' : effectOf(context, fault)?.problem) break
  }
  return { milliseconds, hits }
}

/** Lifts rate limits whose clients have waited by the machine's clock. That is not caused by this request, so it comes first. */
function liftLimits(context: RequestContext, { realNow }: Injection): void {
  const { sandbox, now } = context
  for (const { fault } of sandbox.state.faults.values()) {
    if (fault.kind !== 'rate-limit') continue
    const { id, seconds } = fault
    liftLimit(sandbox, { id, seconds, now, real: realNow() })
  }
}

/** Injects one fault. @returns whether it has ended the request @throws Problem for a fault that refuses the request */
async function inject(context: RequestContext, fault: Fault, injection: Injection): Promise<boolean> {
  const { sandbox, now } = context
  switch (fault.kind) {
    case 'status':
      await sendStatus(context, fault, injection.record)
      return true
    case 'rate-limit': {
      const { id, seconds } = fault
      await refuseByFault(sandbox, { id, seconds, now, real: injection.realNow() })
      throw rateLimited(fault, secondsLeft(now, seconds))
    }
    case 'reset':
    case 'empty':
      injection.silentRetries.end(context, fault.kind)
      return true
    default: {
      const { problem, state, events = [] } = effectOf(context, fault) ?? {}
      if (problem) throw problem
      if (state && context.faults) context.faults.state = state
      commit(context, events)
      return false
    }
  }
}

/** What a fault of a kind that only some operations can meet does to this request; undefined for nothing. */
function effectOf(context: RequestContext, fault: Fault): FaultEffect | undefined {
  return operationFaultsOf(context)?.before?.(fault, faultedRequest(context))
}

/** Sends the response of a `status` fault. An error without a body is a Problem, so that it has the service's own format. */
async function sendStatus(
  context: RequestContext,
  { status, headers, body }: FaultOf<'status'>,
  record: RecordExchange,
): Promise<void> {
  if (body === undefined && status >= 400) throw statusProblem(status, { headers })
  setHeaders(context, headers)
  const isRedirect = status >= 300 && status < 400 && status !== 304
  if (isRedirect && headers.location === undefined) setHeaders(context, { location: targetOf(context.request) })
  if (body === undefined) context.response.writeHead(status, context.headers).end()
  else {
    const [usual, text] =
      typeof body === 'string' ? ['text/plain; charset=utf-8', body] : ['application/json', stringifyJson(body)]
    await sendReady(context, { status, contentType: headers['content-type'] ?? usual, text })
  }
  record(context, context.tracker.used())
}
