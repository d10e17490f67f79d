import type { IncomingMessage, ServerResponse } from 'node:http'
import { refuseForeignHost, setCorsHeaders } from './browsers.ts'
import { chooseSandbox } from './choose-sandbox.ts'
import { decide } from './decide.ts'
import { findRoute } from './find-route.ts'
import type { House } from './house.ts'
import { identify } from './identify.ts'
import { readBody } from './read-body.ts'
import { refuse } from './refuse.ts'
import { sendBody } from './respond.ts'
import { type Exchange, logExchange, setBehavioursHeader } from './underway.ts'
import { createLeaning } from '../behaviours/leaning.ts'
import { parameterOf } from '../behaviours/parameter-of.ts'
import type { Outcome } from '../operations/handler.ts'
import { Problem } from '../problem.ts'

/** The way of a request, in the order of the ledger's `http.order`. Each stage throws a Problem to refuse. */
export async function exchange(request: IncomingMessage, response: ServerResponse, house: House): Promise<void> {
  const { behaviours } = house
  const { sandbox, refusal } = chooseSandbox(request, house)
  const [path = '', ...search] = (request.url ?? '/').split('?')
  const leaning = createLeaning(behaviours)
  const ex: Exchange = {
    request,
    response,
    house,
    sandbox,
    leaning,
    requestId: sandbox.nextRequestId(),
    now: sandbox.now(),
    path,
    search: search.join('?'),
    started: house.elapsed(),
  }
  setCommonHeaders(ex)
  try {
    if (refusal) throw refusal
    refuseForeignHost(request, house)
    if (setCorsHeaders(request, response, house)) leaning.lean('cors')
    const route = findRoute(ex)
    if (!route) return
    const identity = identify(request, route.operation.operationId, house, leaning)
    refuseOverRate(ex)
    const body = await readBody(request, leaning)
    const outcome = decide(ex, route, identity, body)
    // From reading the body to here nothing waits, so no other request comes between deciding and storing.
    sandbox.commit(outcome.events)
    await answer(ex, outcome)
  } catch (error) {
    refuse(ex, error)
  }
}

function setCommonHeaders({ response, requestId, now }: Exchange): void {
  response.setHeader('date', new Date(now).toUTCString())
  response.setHeader('cache-control', 'no-store')
  response.setHeader('x-request-id', requestId)
}

function refuseOverRate({ sandbox, leaning, now }: Exchange): void {
  const { word, numbers } = parameterOf(leaning.answers['rate.limit'])
  if (word === 'off') return
  leaning.lean('rate.limit')
  const wait = sandbox.rateLimit.take(now, ...numbers)
  if (wait === 0) return
  throw new Problem(429, 'too-many-requests', 'There were too many requests', {
    detail: `${numbers[0]} requests are allowed in ${numbers[1]} s. Try again in ${wait} s.`,
    headers: { 'retry-after': String(wait) },
    rows: ['rate.limit'],
  })
}

async function answer(ex: Exchange, { status, headers, body }: Outcome): Promise<void> {
  const { response, leaning } = ex
  response.statusCode = status
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value)
  const rows = leaning.rows()
  setBehavioursHeader(response, rows)
  await sendBody(response, body)
  logExchange(ex, rows)
}
