import type { IncomingMessage, ServerResponse } from 'node:http'
import { refuseHost } from './allowed-hosts.ts'
import { setCorsHeaders } from './browsers.ts'
import { bindingOf } from './binding-of.ts'
import { chooseSandbox } from './choose-sandbox.ts'
import { decide } from './decide.ts'
import { findRoute, type Routed } from './find-route.ts'
import type { House } from './house.ts'
import { createHttpDate } from './http-date.ts'
import { finish } from './finish.ts'
import { generate } from './generate.ts'
import { identify, identifyFreely } from './identify.ts'
import { injectBefore, loseAnswer, mayBeFaulty } from './inject-fault.ts'
import { createKnownBodies, readBody } from './read-body.ts'
import { readOtherBody } from './read-other-body.ts'
import { refuseOtherMedia } from './refuse-other-media.ts'
import { refuseOverRate } from './refuse-over-rate.ts'
import { refuse } from './refuse.ts'
import { sendBody } from './respond.ts'
import { createTrace } from './trace.ts'
import { whenFree } from './when-free.ts'
import { commit, type Exchange, setBehavioursHeader, setHeaders } from './underway.ts'
import { createLeaning } from '../behaviours/leaning.ts'
import type { Outcome } from '../operations/handler.ts'

/** The way of a request, in the order of the ledger's `http.order`. Each stage throws a Problem to refuse. */
export function createExchange(house: House): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const dateOf = createHttpDate()
  const known = createKnownBodies()
  return async (request, response) => {
    const { sandbox, refusal } = chooseSandbox(request, house)
    const ex = begin(request, response, { house, sandbox }, dateOf)
    try {
      refuseHost(request, house)
      if (refusal) throw refusal
      if (setCorsHeaders(ex)) ex.leaning.lean('cors')
      const route = findRoute(ex)
      if (!route) return
      ex.trace.operationId = route.operation.operationId
      const identity =
        route.operation.waysIn.length > 0
          ? identify(request, route.operation, house, ex.leaning)
          : identifyFreely(request, house)
      refuseOverRate(ex)
      const binding = bindingOf(house, route)
      if (binding.kind === 'stateful') refuseOtherMedia(ex)
      const body = route.operation.bodyTypes
        ? await readOtherBody(ex, route.operation, route.operation.bodyTypes)
        : await readBody(request, ex.leaning, {
            trace: ex.trace,
            known: { bodies: known, behaviours: sandbox.behaviours, found: () => (ex.isKnownBody = true) },
            isAny: binding.kind !== 'stateful',
          })
      if (sandbox.isBusy) await whenFree(ex)
      if (mayBeFaulty(ex) && (await injectBefore(ex, route, body))) return
      const { nextEvent } = sandbox
      const decided =
        binding.kind === 'generated'
          ? await generate(ex, route, binding, body)
          : decide(ex, route, binding, identity, body)
      const outcome = checked(ex, route, decided instanceof Promise ? await decided : decided)
      // A decision with events waits for nothing, so no other request comes between deciding and storing.
      commit(ex, outcome.events)
      // A search that took several turns saw the world as it was before the first of them.
      if (decided instanceof Promise) ex.trace.nextEvent = nextEvent
      ex.trace.hasChanged = outcome.events.length > 0
      if (ex.faults && loseAnswer(ex, outcome)) return
      if (outcome.headers) setHeaders(ex, outcome.headers)
      setBehavioursHeader(ex, ex.leaning.rows())
      // Nearly every answer is sent at once, and then there is nothing to wait for.
      const sending = sendBody(ex, outcome.status, outcome.body)
      if (sending) await sending
      finish(ex, ex.leaning.rows())
    } catch (error) {
      await refuse(ex, error)
    }
  }
}

/** Where answers are held against the contract, one that breaks it leaves the world untouched. */
function checked({ house: { selfCheck } }: Exchange, { operation }: Routed, outcome: Outcome): Outcome {
  return selfCheck?.holds(operation.operationId) ? selfCheck.outcome(operation, outcome) : outcome
}

/** One moment, one id and the headers of every answer. */
function begin(
  request: IncomingMessage,
  response: ServerResponse,
  { house, sandbox }: Pick<Exchange, 'house' | 'sandbox'>,
  dateOf: (now: number) => string,
): Exchange {
  const target = request.url ?? '/'
  const mark = target.indexOf('?')
  const requestId = sandbox.nextRequestId()
  const { requests } = sandbox
  const now = sandbox.now()
  const headers = ['date', dateOf(now), 'cache-control', 'no-store', 'x-request-id', requestId]
  if (sandbox !== house.sandboxes.default) headers.push('x-mock-sandbox', sandbox.name)
  return {
    request,
    response,
    house,
    sandbox,
    leaning: createLeaning(sandbox.behaviours),
    requestId,
    arrived: now,
    now,
    path: mark < 0 ? target : target.slice(0, mark),
    search: mark < 0 ? '' : target.slice(mark + 1),
    started: house.elapsed(),
    headers,
    trace: createTrace(requests),
  }
}
