import type { IncomingMessage, ServerResponse } from 'node:http'
import { refuseHost } from './access/allowed-hosts.ts'
import { setCorsHeaders } from './access/cors.ts'
import { bindingOf } from './binding/binding-of.ts'
import { chooseSandbox } from './choose-sandbox.ts'
import { runHandler } from './request/run-handler.ts'
import { findRoute, type Routed } from './request/route-operation.ts'
import type { AppDependencies } from './dependencies.ts'
import { createHttpDate } from './http-date.ts'
import { finish } from '../journal/record-exchange.ts'
import { generate } from '../responses/generate.ts'
import { identify, identifyFreely } from './access/authenticate.ts'
import { injectBefore, loseAnswer, mayBeFaulty } from '../faults/inject-fault.ts'
import { createKnownBodies, readBody } from './request/read-body.ts'
import { readOtherBody } from './request/read-other-body.ts'
import { refuseOtherMedia } from './request/refuse-other-media.ts'
import { refuseOverRate } from './access/limit-rate.ts'
import { refuse } from './response/refuse.ts'
import { sendBody } from './response/send-response.ts'
import { createTrace } from '../journal/trace.ts'
import { whenFree } from './when-free.ts'
import { commit, type RequestContext, setBehavioursHeader } from './request-context.ts'
import { setHeaders } from '../engine/request-context.ts'
import { createBehaviourTracker } from '../behaviours/tracker.ts'
import type { Outcome } from '../resources/handler.ts'

/** The way of a request, in the order of the behaviour `http.order`. Each stage throws a Problem to refuse. */
export function createExchange(
  deps: AppDependencies,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const dateOf = createHttpDate()
  const known = createKnownBodies()
  return async (request, response) => {
    const { sandbox, refusal } = chooseSandbox(request, deps)
    const context = begin(request, response, { deps, sandbox }, dateOf)
    try {
      refuseHost(request, deps)
      if (refusal) throw refusal
      if (setCorsHeaders(context)) context.tracker.note('cors')
      const route = findRoute(context)
      if (!route) return
      context.trace.operationId = route.operation.operationId
      const identity =
        route.operation.waysIn.length > 0
          ? identify(request, route.operation, deps, context.tracker)
          : identifyFreely(request, deps)
      refuseOverRate(context)
      const binding = bindingOf(deps, route)
      if (binding.kind === 'stateful') refuseOtherMedia(context)
      const body = route.operation.bodyTypes
        ? await readOtherBody(context, route.operation, route.operation.bodyTypes)
        : await readBody(request, context.tracker, {
            trace: context.trace,
            known: { bodies: known, behaviours: sandbox.behaviours, found: () => (context.isKnownBody = true) },
            isAny: binding.kind !== 'stateful',
          })
      if (sandbox.isBusy) await whenFree(context)
      if (mayBeFaulty(context) && (await injectBefore(context, route, body))) return
      const { nextEvent } = sandbox
      const decided =
        binding.kind === 'generated'
          ? await generate(context, route, binding, body)
          : runHandler(context, route, binding, identity, body)
      const outcome = checked(context, route, decided instanceof Promise ? await decided : decided)
      // A decision with events waits for nothing, so no other request comes between deciding and storing.
      commit(context, outcome.events)
      // A search that took several turns saw the state as it was before the first of them.
      if (decided instanceof Promise) context.trace.nextEvent = nextEvent
      context.trace.hasChanged = outcome.events.length > 0
      if (context.faults && loseAnswer(context, outcome)) return
      if (outcome.headers) setHeaders(context, outcome.headers)
      setBehavioursHeader(context, context.tracker.rows())
      // Nearly every answer is sent at once, and then there is nothing to wait for.
      const sending = sendBody(context, outcome.status, outcome.body)
      if (sending) await sending
      finish(context, context.tracker.rows())
    } catch (error) {
      await refuse(context, error)
    }
  }
}

/** Where answers are held against the contract, one that breaks it leaves the state untouched. */
function checked({ deps: { selfCheck } }: RequestContext, { operation }: Routed, outcome: Outcome): Outcome {
  return selfCheck?.holds(operation.operationId) ? selfCheck.outcome(operation, outcome) : outcome
}

/** One moment, one id and the headers of every answer. */
function begin(
  request: IncomingMessage,
  response: ServerResponse,
  { deps, sandbox }: Pick<RequestContext, 'deps' | 'sandbox'>,
  dateOf: (now: number) => string,
): RequestContext {
  const target = request.url ?? '/'
  const mark = target.indexOf('?')
  const requestId = sandbox.nextRequestId()
  const { requests } = sandbox
  const now = sandbox.now()
  const headers = ['date', dateOf(now), 'cache-control', 'no-store', 'x-request-id', requestId]
  if (sandbox !== deps.sandboxes.default) headers.push('x-mock-sandbox', sandbox.name)
  return {
    request,
    response,
    deps,
    sandbox,
    tracker: createBehaviourTracker(sandbox.behaviours),
    requestId,
    arrived: now,
    now,
    path: mark < 0 ? target : target.slice(0, mark),
    search: mark < 0 ? '' : target.slice(mark + 1),
    started: deps.elapsed(),
    headers,
    trace: createTrace(requests),
  }
}
