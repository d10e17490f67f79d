import { CONTROL_PATH } from '../../control/path.ts'
import type { Contract } from '../../contract/contract.ts'
import { bareType } from '../../contract/media-type.ts'
import { decodePercent } from '../../contract/pointer.ts'
import { createRouter, type Route, type Router, withHead } from '../../contract/router.ts'
import { methodWords } from '../../contract/template.ts'
import { createCache } from '../../base/cache.ts'
import type { Problem } from '../../base/errors/problem.ts'
import { methodNotAllowed, pathUnknown } from '../../base/errors/request-errors.ts'
import { nearest } from '../../base/errors/wording.ts'
import { isPreflight, setPreflightHeaders } from '../../http/cors.ts'
import type { Bindings } from '../binding/binding.ts'
import type { RecordExchange } from './record-exchange.ts'
import type { Middleware, RequestContext } from './request-context.ts'

interface RoutingDependencies {
  readonly bindings: Bindings
  readonly contract: Operations
  readonly record: RecordExchange
}

type Operations = Pick<Contract, 'operations'>

/** Finds the operation of a request by the contract's paths, and responds to OPTIONS. @throws Problem 404 or 405 */
export function routeOperation({ bindings, contract, record }: RoutingDependencies): Middleware {
  const exact = createRouter(contract.operations)
  const routers = { '405': rememberRoutes(exact), 'as-get': rememberRoutes(withHead(exact)) }
  const takesCalls = hasRpcMethods(contract)
  const bases = [...new Set(contract.operations.flatMap(({ basePath }) => basePath || []))].slice(0, MOST_BASES)
  return (request, { locals: { context } }, next) => {
    const { tracker } = context
    const router = routers[tracker.settings['http.head']]
    const route = (takesCalls ? routeCall(context, router) : undefined) ?? routeOf(context, router)
    if (request.method === 'HEAD' && isRead(route)) tracker.note('http.head')
    if (route.kind === 'unknown') {
      // Clients forget the path of the server, which documents do not repeat.
      const below = bases.map((base) => base + context.path)
      const meant = below.find((path) => router.route('GET', path, 'strict').kind !== 'unknown')
      throw unknownPath(context, meant ?? route.nearest, contract)
    }
    if (route.kind === 'wrong-method') {
      answerOptions(context, route, record)
      return
    }
    const { operationId } = route.operation
    const binding = bindings.get(operationId)
    if (!binding) throw new Error(`operation ${operationId} is not bound`)
    context.route = route
    context.binding = binding
    context.trace.operationId = operationId
    next()
  }
}

/** Operations may have servers of their own. */
const MOST_BASES = 10

/** Whether most paths of a contract name a method, as those of APIs in the style of remote procedure calls do. */
function hasRpcMethods({ operations }: Operations): boolean {
  return operations.filter(({ path }) => methodWords(path)).length * 2 > operations.length
}

/** Routes a form that is posted to a method to the GET that the contract has of it, as `http.posted-call` says. */
function routeCall(context: RequestContext, router: Router): Route | undefined {
  const { request, tracker, path, search } = context
  const isForm = bareType(request.headers['content-type'] ?? '') === 'application/x-www-form-urlencoded'
  if (request.method !== 'POST' || !isForm || !methodWords(path)) return undefined
  const sent = { search, headers: request.headers }
  if (router.route('POST', path, 'strict', sent).kind !== 'wrong-method') return undefined
  const route = router.route('GET', path, 'strict', sent)
  return route.kind === 'operation' && tracker.ask('http.posted-call') === 'as-get' ? route : undefined
}

/** Whether a HEAD is taken for the GET of its path, or could be. */
function isRead(route: Route): boolean {
  if (route.kind === 'operation') return route.operation.method === 'GET'
  return route.kind === 'wrong-method' && route.allowed.includes('GET')
}

const METHODS = new Set(['http.head', 'http.posted-call'])

/** @throws Problem 405 for any other method, or 404 where `http.method` says so */
function answerOptions(
  context: RequestContext,
  { allowed, path }: Extract<Route, { kind: 'wrong-method' }>,
  record: RecordExchange,
): void {
  const { request, response, tracker, headers } = context
  const method = request.method ?? ''
  const allow = [...new Set([...allowed, 'OPTIONS'])].join(', ')
  if (method !== 'OPTIONS') {
    const behaviours = ['http.method' as const, ...tracker.used().ids.filter((behaviour) => METHODS.has(behaviour))]
    if (tracker.settings['http.method'] === '404')
      throw pathUnknown({ detail: `There is no ${method} ${path}. It has ${allow}.`, behaviours })
    headers.push('allow', allow)
    throw methodNotAllowed({ detail: `${method} is not allowed on ${path}. Allowed: ${allow}.`, behaviours })
  }
  headers.push('allow', allow)
  tracker.note('http.options')
  if (isPreflight(request) && headers.includes('access-control-allow-origin')) setPreflightHeaders(context, allowed)
  const used = tracker.used()
  if (used.text !== '') headers.push('x-mock-behaviours', used.text)
  response.writeHead(204, headers).end()
  record(context, used)
}

/** Routes by the exact path, or where `http.path` is tolerant by a similar one. */
function routeOf({ request, tracker, path: sent, search }: RequestContext, router: Router): Route {
  const method = request.method ?? ''
  const rest = { search, headers: request.headers }
  const asSent = router.route(method, sent, 'strict', rest)
  if (asSent.kind !== 'unknown') return asSent
  const decoded = decodeUnreserved(sent)
  const path = decoded !== sent && tracker.ask('http.encoding') === 'decode' ? decoded : sent
  const exact = path === sent ? asSent : router.route(method, path, 'strict', rest)
  if (exact.kind !== 'unknown') return exact
  const ended = /^(GET|HEAD)$/.test(method) ? router.route(method, `${path}/`, 'strict', rest) : exact
  if (ended.kind === 'operation' && tracker.ask('http.missing-slash') === 'same') return ended
  const deep = router.route(method, path, 'deep', rest)
  if (deep.kind === 'operation' && tracker.ask('http.path-parameter') === 'whole') return deep
  const similar = router.route(method, path, 'tolerant', rest)
  return similar.kind !== 'unknown' && tracker.ask('http.path') === 'tolerant' ? similar : exact
}

/** Decodes escapes of unreserved characters, which are the same path (RFC 3986, 6.2.2.2). Invalid escapes stay. */
function decodeUnreserved(path: string): string {
  if (!path.includes('%')) return path
  return path
    .split('/')
    .map((segment) => {
      if (decodePercent(segment) === segment) return segment
      return segment.replaceAll(/%[\dA-Fa-f]{2}/g, (escape) => {
        const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
        return /[\w.~-]/.test(character) ? character : escape
      })
    })
    .join('/')
}

/** A contract may have hundreds. */
const MAX_LISTED = 20

const PATHS = new Set(['http.path', 'http.missing-slash', 'http.path-parameter', 'http.encoding'])

function unknownPath(context: RequestContext, meant: string | undefined, contract: Operations): Problem {
  const { tracker, path } = context
  return pathUnknown({
    detail: `There is no path ${path}. ${hintOf(path, meant, contract)}`,
    behaviours: ['error.unknown-path', ...tracker.used().ids.filter((behaviour) => PATHS.has(behaviour))],
  })
}

/** What to do about an unknown path. */
function hintOf(path: string, meant: string | undefined, { operations }: Operations): string {
  const [, first = ''] = path.split('/', 2)
  const rest = path.slice(first.length + 1)
  if (`/${first}` === CONTROL_PATH)
    return 'The control API is switched off: start without --no-control, or with control: true.'
  if (
    first !== '' &&
    nearest(first, [CONTROL_PATH.slice(1)]) !== undefined &&
    (meant === undefined || first.startsWith('_'))
  )
    return `Did you mean ${CONTROL_PATH}${rest}?`
  if (meant !== undefined) return `Did you mean ${meant}?`
  const known = [...new Set(operations.map((one) => one.basePath + one.path))]
  return `Known paths: ${known.slice(0, MAX_LISTED).join(', ')}${known.length > MAX_LISTED ? ', …' : '.'}`
}

const MAX_ROUTES = 2000
/** Longer paths are not worth the room. */
const LONGEST_PATH = 200

/** Caches the routes of exact paths, since clients call the same few again and again. */
function rememberRoutes(router: Router): Router {
  const recent = createCache<string, Route>({ most: MAX_ROUTES })
  return {
    route(method, path, rule, sent) {
      if (rule !== 'strict' || path.length > LONGEST_PATH) return router.route(method, path, rule, sent)
      const key = `${method} ${path}`
      const known = recent.get(key)
      if (known) return known
      const route = router.route(method, path, rule, sent)
      if (route.kind === 'operation' && !route.isConditional) recent.set(key, route)
      return route
    },
  }
}
