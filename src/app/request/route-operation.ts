import { isPreflight, setPreflightHeaders } from '../access/cors.ts'
import { CONTROL_PATH } from '../../control/server/control-request.ts'
import { finish } from '../../journal/record-exchange.ts'
import { type RequestContext, setBehavioursHeader } from '../request-context.ts'
import { setHeader } from '../../engine/request-context.ts'
import type { Operation } from '../../contract/contract.ts'
import { decodePercent } from '../../contract/pointer.ts'
import type { Route } from '../../contract/router.ts'
import { nearest } from '../../errors/nearest.ts'
import type { Problem } from '../../errors/problem.ts'
import { methodNotAllowed, pathUnknown } from '../../errors/request-errors.ts'

/** Where a request belongs; path parameters are still as they were sent. */
export interface Routed {
  readonly operation: Operation
  readonly parameters: Readonly<Record<string, string>>
}

/**
 * The operation, or undefined when the request was an OPTIONS and is answered.
 *
 * @throws Problem 404 or 405
 */
export function findRoute(context: RequestContext): Routed | undefined {
  const { request, response, tracker } = context
  const route = routeOf(context)
  if (route.kind === 'operation') return route
  if (route.kind === 'unknown') throw unknownPath(context, route.nearest)
  const method = request.method ?? ''
  const allow = [...route.allowed, 'OPTIONS'].join(', ')
  setHeader(context, 'allow', allow)
  if (method !== 'OPTIONS') {
    throw methodNotAllowed({
      detail: `${method} is not allowed on ${route.path}. Allowed: ${allow}.`,
      behaviours: ['http.method'],
    })
  }
  tracker.note('http.options')
  if (isPreflight(request) && context.headers.includes('access-control-allow-origin'))
    setPreflightHeaders(context, route.allowed)
  const rows = tracker.rows()
  setBehavioursHeader(context, rows)
  response.writeHead(204, context.headers).end()
  finish(context, rows)
  return undefined
}

/** By the path as it is, or where `http.path` is tolerant by the path that it resembles. */
function routeOf({ request, deps, tracker, path: sent, search }: RequestContext): Route {
  const method = request.method ?? ''
  const rest = { search, headers: request.headers }
  const asSent = deps.router.route(method, sent, 'strict', rest)
  if (asSent.kind !== 'unknown') return asSent
  const decoded = decodeUnreserved(sent)
  const path = decoded !== sent && tracker.ask('http.encoding') === 'decode' ? decoded : sent
  const exact = path === sent ? asSent : deps.router.route(method, path, 'strict', rest)
  if (exact.kind !== 'unknown') return exact
  const resembled = deps.router.route(method, path, 'tolerant', rest)
  return resembled.kind !== 'unknown' && tracker.ask('http.path') === 'tolerant' ? resembled : exact
}

/** Escapes of unreserved characters stand for these wherever they are (RFC 3986, 6.2.2.2). What cannot be decoded stays as it is. */
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
const MOST_KNOWN = 20

function unknownPath(context: RequestContext, meant: string | undefined): Problem {
  const { tracker, path } = context
  return pathUnknown({
    detail: `There is no path ${path}. ${hintOf(context, meant)}`,
    behaviours: [
      'error.unknown-path',
      ...tracker.rows().ids.filter((row) => row === 'http.path' || row === 'http.encoding'),
    ],
  })
}

/** What to do about a path that the contract does not have, nor the control API, which would have been asked before. */
function hintOf({ deps, path }: RequestContext, meant: string | undefined): string {
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
  const known = [...new Set(deps.contract.operations.map((one) => one.basePath + one.path))]
  return `Known paths: ${known.slice(0, MOST_KNOWN).join(', ')}${known.length > MOST_KNOWN ? ', …' : '.'}`
}
