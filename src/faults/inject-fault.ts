import { preferableStatuses } from '../app/binding/binding.ts'
import { createFaults, faultedRequest, type Faults, operationFaultsOf } from './request-faults.ts'
import { finish } from '../journal/record-exchange.ts'
import { preferredFaults } from '../responses/prefer.ts'
import { rateLimited } from '../app/middleware/limit-rate.ts'
import { sendReady } from '../app/middleware/send-response.ts'
import { cut } from './corrupt-response.ts'
import { commit, type RequestContext, whenSandboxIsFree } from '../app/request-context.ts'
import { setHeaders } from '../engine/request-context.ts'
import { stringifyJson } from '../formats/json.ts'
import type { Outcome } from '../resources/handler.ts'
import { statusProblem } from '../errors/response-errors.ts'
import { secondsLeft } from './rate-limit.ts'
import { delayOf, type FaultHit, type FaultOf, LONGEST_WAIT } from './fault.ts'
import type { SilentRetries } from './silent-retries.ts'
import type { FaultEffect } from '../resources/resource.ts'

/** Faults that strike before a request is decided. The wire's own, which spoil an answer, are in `spoil.ts`, those of a page in `spoil-page.ts`. */
const BEFORE = [
  'latency',
  'status',
  'rate-limit',
  'reset',
  'empty',
  'cursor-expired',
  'stale-read',
  'conflicting-edit',
] as const

type Before = FaultOf<(typeof BEFORE)[number]>

/** Whether a fault may strike: most exchanges are asked no more than this. */
export function mayBeFaulty({ sandbox, request }: RequestContext): boolean {
  return sandbox.state.faults.size > 0 || request.headers.prefer !== undefined
}

export interface InjectionDependencies {
  readonly contract: { readonly document: unknown }
  /** Undefined for the packaged contract. */
  readonly following: unknown
  readonly silentRetries: SilentRetries
  /** The machine's clock, epoch ms. */
  realNow(): number
}

/**
 * Asks the faults that strike before deciding. Delays add up, and they are waited for before anything else is done; the first
 * fault that ends the exchange ends it.
 *
 * @returns whether the exchange is answered, or ended, by a fault
 * @throws Problem for a fault that is a refusal
 */
export async function injectBefore(context: RequestContext, deps: InjectionDependencies): Promise<boolean> {
  const { contract, following } = deps
  const preferable = preferableStatuses(context.binding, context.tracker.settings, {
    document: contract.document,
    isAdapted: following !== undefined,
  })
  const faults = createFaults(context, preferredFaults(context.request, preferable))
  context.faults = faults
  liftLimits(context, deps)
  const repeated = deps.silentRetries.take(context)
  if (repeated !== undefined) return endRepeated(context, repeated, deps)
  let milliseconds = 0
  const toDo: FaultHit<Before>[] = []
  for (const strike of faults.strikes(BEFORE, (fault) => isPossible(context, fault))) {
    const { fault } = strike
    if (fault.kind === 'latency') milliseconds += delayOf(fault.delay, [strike.share('one'), strike.share('two')])
    else toDo.push(strike)
    if (ENDING.has(fault.kind)) break
  }
  if (milliseconds > 0) {
    await context.wait(Math.min(milliseconds, LONGEST_WAIT), context.response)
    await whenSandboxIsFree(context)
  }
  for (const { fault } of toDo) if (await act(context, faults, fault, deps)) return true
  return false
}

/** Ends a request that a browser repeated by itself like the one before. No fault has met it: it is the same strike. */
function endRepeated(context: RequestContext, exchangeId: number, { silentRetries }: InjectionDependencies): true {
  const kind = context.sandbox.journal.find(exchangeId)?.fault === 'empty' ? 'empty' : 'reset'
  context.trace.fault = kind
  context.trace.repeats = exchangeId
  silentRetries.end(context, kind, exchangeId)
  return true
}

/** Lifts the limits whose clients have waited by the machine's clock. That is no deed of this exchange, so it comes before all of them. */
function liftLimits(context: RequestContext, deps: InjectionDependencies): void {
  for (const { fault } of context.sandbox.state.faults.values()) {
    if (fault.kind === 'rate-limit' && context.sandbox.askedWaits.isOver(metBy(context, fault, deps)))
      context.sandbox.commit([{ type: 'rate-limit.lifted', faultId: fault.id }])
  }
}

function metBy({ now }: RequestContext, { id, seconds }: FaultOf<'rate-limit'>, { realNow }: InjectionDependencies) {
  return { id, seconds, now, real: realNow() }
}

const ENDING: ReadonlySet<string> = new Set(['status', 'rate-limit', 'reset', 'empty', 'cursor-expired'])

async function act(
  context: RequestContext,
  faults: Faults,
  fault: Before,
  deps: InjectionDependencies,
): Promise<boolean> {
  switch (fault.kind) {
    case 'latency':
      return false
    case 'status':
      await sendStatus(context, fault)
      return true
    case 'rate-limit':
      context.sandbox.askedWaits.refuse(metBy(context, fault, deps))
      throw rateLimited(fault.limit, fault.seconds, secondsLeft(context.now, fault.seconds))
    case 'reset':
    case 'empty':
      deps.silentRetries.end(context, fault.kind)
      return true
    case 'cursor-expired':
    case 'stale-read':
    case 'conflicting-edit': {
      const { problem, state, events = [] } = effectOf(context, fault) ?? {}
      if (problem) throw problem
      if (state) faults.state = state
      commit(context, events)
      return false
    }
  }
}

type OfAnOperation = FaultOf<'cursor-expired' | 'stale-read' | 'conflicting-edit'>

function effectOf(context: RequestContext, fault: OfAnOperation): FaultEffect | undefined {
  return operationFaultsOf(context)?.before?.(fault, faultedRequest(context))
}

/** Whether a fault that needs something of the state, or of a walk, has it. */
function isPossible(context: RequestContext, fault: Before): boolean {
  switch (fault.kind) {
    case 'cursor-expired':
    case 'stale-read':
    case 'conflicting-edit':
      return effectOf(context, fault) !== undefined
    default:
      return true
  }
}

/** As it was told to be; a bare one is a refusal in the form that the behaviour catalogue gives to all of them. */
async function sendStatus(context: RequestContext, { status, headers, body }: FaultOf<'status'>): Promise<void> {
  if (body === undefined && status >= 400) throw statusProblem(status, { headers })
  setHeaders(context, headers)
  if (body === undefined) context.response.writeHead(status, context.headers).end()
  else if (typeof body === 'string')
    await sendReady(context, status, headers['content-type'] ?? 'text/plain; charset=utf-8', body)
  else await sendReady(context, status, headers['content-type'] ?? 'application/json', stringifyJson(body))
  finish(context, context.tracker.used())
}

/**
 * After the change was stored: whether the answer is lost.
 *
 * @throws Problem 504 where a gateway gives up
 */
export function loseAnswer(context: RequestContext, { events }: Outcome): boolean {
  const [strike] = context.faults && events.length > 0 ? context.faults.strikes(['lost-answer']).take(1) : []
  if (!strike) return false
  const { fault } = strike
  if (fault.by === 'gateway-timeout') throw statusProblem(504, { detail: 'The service did not answer in time.' })
  cut(context, fault.by)
  return true
}
