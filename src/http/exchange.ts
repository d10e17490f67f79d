import type { IncomingMessage, ServerResponse } from 'node:http'
import { isPreflight, refuseForeignHost, setCorsHeaders, setPreflightHeaders } from './browsers.ts'
import type { House } from './house.ts'
import { identify } from './identify.ts'
import { readBody } from './read-body.ts'
import { readParameters } from './read-parameters.ts'
import { renderProblem } from './render-problem.ts'
import { sendBody, sendText } from './respond.ts'
import type { BehaviourId } from '../behaviours/answers.ts'
import { createLeaning, type Leaning } from '../behaviours/leaning.ts'
import { parameterOf } from '../behaviours/parameter-of.ts'
import type { Operation } from '../contract/contract.ts'
import type { Route } from '../contract/router.ts'
import { type Call, type Identity, type Outcome, refusal, requestInvalid } from '../operations/handler.ts'
import { withNumbers } from '../json.ts'
import { Problem, type Violation } from '../problem.ts'

/** One request on its way to its answer. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly house: House
  readonly leaning: Leaning
  readonly requestId: string
  /** Epoch ms by the sandbox's clock, the same for all of the exchange. */
  readonly now: number
  /** The request target, cut at the question mark. */
  readonly path: string
  readonly search: string
  /** Milliseconds by the machine's steady clock; for the log alone. */
  readonly started: number
}

/** The way of a request, in the order of the ledger's `http.order`. Each stage throws a Problem to refuse. */
export async function exchange(request: IncomingMessage, response: ServerResponse, house: House): Promise<void> {
  const { sandbox, behaviours } = house
  const [path = '', ...search] = (request.url ?? '/').split('?')
  const leaning = createLeaning(behaviours)
  const ex: Exchange = {
    request,
    response,
    house,
    leaning,
    requestId: sandbox.nextRequestId(),
    now: sandbox.now(),
    path,
    search: search.join('?'),
    started: house.elapsed(),
  }
  setCommonHeaders(ex)
  try {
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

interface Routed {
  readonly operation: Operation
  readonly parameters: Readonly<Record<string, string>>
}

/** The operation, or undefined when the request was an OPTIONS and is answered. */
function findRoute(ex: Exchange): Routed | undefined {
  const { request, response, leaning } = ex
  const route = routeOf(ex)
  if (route.kind === 'operation') return route
  if (route.kind === 'unknown') throw pathUnknown(ex, route.nearest)
  const method = request.method ?? ''
  const allow = [...route.allowed, 'OPTIONS'].join(', ')
  response.setHeader('allow', allow)
  if (method !== 'OPTIONS') {
    throw new Problem(405, 'method-not-allowed', 'The method is not allowed here', {
      detail: `${method} is not allowed on ${route.path}. Allowed: ${allow}.`,
      rows: ['http.method'],
    })
  }
  leaning.lean('http.options')
  if (isPreflight(request) && response.hasHeader('access-control-allow-origin'))
    setPreflightHeaders(request, response, route.allowed)
  const rows = leaning.rows()
  setBehavioursHeader(response, rows)
  response.writeHead(204).end()
  logExchange(ex, rows)
  return undefined
}

/** By the path as it is, or where `http.path` is tolerant by the path that it resembles. */
function routeOf({ request, house, leaning, path }: Exchange): Route {
  const method = request.method ?? ''
  const exact = house.router.route(method, path, 'strict')
  if (exact.kind !== 'unknown') return exact
  const resembled = house.router.route(method, path, 'tolerant')
  return resembled.kind !== 'unknown' && leaning.ask('http.path') === 'tolerant' ? resembled : exact
}

function pathUnknown({ house, leaning, path }: Exchange, nearest: string | undefined): Problem {
  const known = [...new Set(house.contract.operations.map((one) => one.path))]
  const hint = nearest === undefined ? `Known paths: ${known.join(', ')}.` : `Did you mean ${nearest}?`
  return new Problem(404, 'path-unknown', 'There is no such path', {
    detail: `There is no path ${path}. ${hint}`,
    rows: ['error.unknown-path', ...leaning.rows().filter((row) => row === 'http.path')],
  })
}

function refuseOverRate({ house, leaning, now }: Exchange): void {
  const { word, numbers } = parameterOf(leaning.answers['rate.limit'])
  if (word === 'off') return
  leaning.lean('rate.limit')
  const wait = house.sandbox.rateLimit.take(now, ...numbers)
  if (wait === 0) return
  throw new Problem(429, 'too-many-requests', 'There were too many requests', {
    detail: `${numbers[0]} requests are allowed in ${numbers[1]} s. Try again in ${wait} s.`,
    headers: { 'retry-after': String(wait) },
    rows: ['rate.limit'],
  })
}

/** Schema, existence, meaning, decision. */
function decide(ex: Exchange, { operation, parameters }: Routed, identity: Identity, sent: unknown): Outcome {
  const { house, leaning, request } = ex
  const handler = house.handlers.get(operation.operationId)
  if (!handler) throw new Error(`operation ${operation.operationId} has no handler`)
  const { path, query, violations, unknown } = readParameters(operation, parameters, ex.search, leaning)
  const body = handler.soften(sent ?? readEmpty(operation, leaning, violations), leaning)
  const call: Call = {
    operationId: operation.operationId,
    path,
    query,
    body,
    header: (name) => request.headersDistinct[name]?.join(', '),
    identity,
    now: ex.now,
    cursors: house.sandbox.cursors,
    leaning,
  }
  const strange = operation.unknownMembers(body)
  nameIgnored(ex, unknown, strange)
  if (strange.length > 0 && leaning.ask('body.unknown') === 'error') {
    violations.push(
      ...strange.map((pointer) => refusal('body.unknown', { pointer }, 'no member that the contract does not know')),
    )
  }
  const broken = [...violations, ...operation.checkBody(withNumbers(body))]
  const { world } = house.sandbox
  if (broken.length > 0) throw requestInvalid(withoutRepeats([...broken, ...handler.read(world, call).violations]))
  handler.find(world, call)
  const reading = handler.read(world, call)
  if (reading.violations.length > 0) throw requestInvalid(reading.violations)
  return reading.decide()
}

/** An empty body is `{}` where the contract does not ask for one, unless the ledger says otherwise. */
function readEmpty({ bodyRequired }: Operation, leaning: Leaning, violations: readonly Violation[]): unknown {
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
function nameIgnored({ response, leaning }: Exchange, query: readonly string[], pointers: readonly string[]): void {
  if (pointers.length > 0) leaning.lean('body.unknown')
  const names = [
    ...query.slice(0, MOST_IGNORED).map((name) => `query ${encodeURI(name.toWellFormed())}`),
    ...pointers.map((pointer) => `body ${encodeURI(pointer.toWellFormed())}`),
  ]
  if (names.length > 0) response.setHeader('x-mock-ignored', names.map((name) => name.slice(0, 120)).join(', '))
}

const MOST_IGNORED = 20

async function answer(ex: Exchange, { status, headers, body }: Outcome): Promise<void> {
  const { response, leaning } = ex
  response.statusCode = status
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value)
  const rows = leaning.rows()
  setBehavioursHeader(response, rows)
  await sendBody(response, body)
  logExchange(ex, rows)
}

function setBehavioursHeader(response: ServerResponse, rows: readonly string[]): void {
  if (rows.length > 0) response.setHeader('x-mock-behaviours', rows.join(', '))
}

/** Whatever is no Problem is a defect of ours: logged with its stack, marked, and never the client's fault. */
function refuse(ex: Exchange, error: unknown): void {
  const { request, response, house, requestId, path } = ex
  if (response.destroyed) return
  const isDefect = !(error instanceof Problem)
  if (isDefect) house.log.defect(error, { requestId, method: request.method ?? '', url: request.url ?? '' })
  if (response.headersSent) {
    response.destroy()
    return
  }
  const problem = isDefect ? mockDefect(requestId) : error
  response.statusCode = problem.status
  for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value)
  if (isDefect) response.setHeader('x-mock-defect', requestId)
  const rows = refusingRows(ex, problem)
  setBehavioursHeader(response, rows)
  const { contentType, body } = renderProblem(problem, path, requestId, house.behaviours.answers['error.body'])
  sendText(response, contentType, body)
  logExchange(ex, rows, problem.message)
}

function mockDefect(requestId: string): Problem {
  const detail = `The stand-in failed; this is a defect of the mock, not of the request. Its log has the stack under ${requestId}.`
  return new Problem(500, 'mock-defect', 'The mock has a defect', { detail })
}

/** A refusal leans on the rows that refused, and on those that had let the request come so far. */
function refusingRows({ house, leaning }: Exchange, { rows, violations }: Problem): string[] {
  const refusing = createLeaning(house.behaviours)
  const named = violations.flatMap(({ source }) => source?.split('#')[1] ?? [])
  const passed = leaning.rows().filter((row) => row === 'auth.keys' || row === 'cors')
  refusing.lean('error.body', ...([...rows, ...named, ...passed] as BehaviourId[]))
  return refusing.rows()
}

function logExchange(
  { request, response, house, requestId, started }: Exchange,
  rows: readonly string[],
  problem?: string,
): void {
  const milliseconds = house.elapsed() - started
  house.log.exchange({
    requestId,
    method: request.method ?? '',
    url: request.url ?? '',
    status: response.statusCode,
    milliseconds,
    rows,
    problem,
  })
}
