import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { House } from './house.ts'
import { type Exchange, setHeader } from './underway.ts'
import type { Answers } from '../behaviours/answers.ts'
import { Problem, shown } from '../problem.ts'

/** What concerns web pages only: which may call (CORS), and which must not even reach us under another name (DNS rebinding). */

const EXPOSED = [
  'X-Request-Id',
  'X-Mock-Behaviours',
  'X-Mock-Ignored',
  'X-Mock-Defect',
  'X-Mock-Fault',
  'X-Mock-Generated',
  'X-Mock-Sandbox',
  'ETag',
  'Retry-After',
  'WWW-Authenticate',
  'Allow',
].join(', ')
const PREFLIGHT_SECONDS = '600'

/**
 * A page that lets its own name point at this machine could read everything. Its browser tells the page's name in `Host`, so a
 * request of a browser under a foreign name is refused.
 *
 * @throws Problem 403
 */
export function refuseForeignHost(request: IncomingMessage, house: House): void {
  if (!isForeignHost(request, house)) return
  throw new Problem(403, 'host-refused', 'The host is not allowed', {
    detail: `A browser asked for the host ${shown(request.headers.host ?? '')}. Use localhost, or allow the name with --allow-host.`,
    rows: ['cors'],
  })
}

/** Whether a browser asks for a host by a name that is not ours. */
export function isForeignHost({ headers }: IncomingMessage, { hosts }: House): boolean {
  return (headers.origin !== undefined || hasFetchMetadata(headers)) && !isOurHost(headers.host, hosts)
}

/** Whether a `Host` header has a local name, or one of those that are allowed besides. */
export function isOurHost(host: string | undefined, hosts: readonly string[]): boolean {
  const name = hostName(`http://${host ?? ''}`)
  return name !== undefined && (isLocal(name) || hosts.includes(name))
}

/** Whether the page of an `Origin` header came from this machine. */
export function isLocalOrigin(origin: string): boolean {
  const name = hostName(origin)
  return name !== undefined && /^https?:\/\//.test(origin) && isLocal(name)
}

/** Every browser of today sends headers whose names begin so; one of them is enough. */
function hasFetchMetadata(headers: IncomingHttpHeaders): boolean {
  for (const name in headers) if (name.startsWith('sec-fetch-')) return true
  return false
}

function hostName(address: string): string | undefined {
  try {
    return new URL(address).hostname.toLowerCase()
  } catch {
    return undefined
  }
}

function isLocal(name: string): boolean {
  return name === 'localhost' || name === '127.0.0.1' || name === '[::1]' || name.endsWith('.localhost')
}

/** Whether pages of this origin may call. */
function isAllowed(origin: string, rule: Answers['cors'], origins: readonly string[]): boolean {
  if (rule === 'off') return false
  if (rule === 'any' || origins.includes(origin)) return true
  return rule === 'local' && isLocalOrigin(origin)
}

/** Whether a page came from where it calls; it needs no leave then, though browsers name its origin all the same. */
function isSame(origin: string, host: string | undefined): boolean {
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)
}

/** Sets the CORS headers of an answer; without an allowed origin only `Vary`, since another one may get another answer. */
export function setCorsHeaders(ex: Exchange): boolean {
  const { request, house, sandbox } = ex
  const { origins, refusedOrigins } = house
  const rule = sandbox.behaviours.answers.cors
  if (rule !== 'off') setHeader(ex, 'vary', 'Origin')
  const { origin, host } = request.headers
  if (origin === undefined) return false
  if (!isAllowed(origin, rule, origins)) {
    if (!isSame(origin, host)) refusedOrigins(origin, rule)
    return false
  }
  setHeader(ex, 'access-control-allow-origin', origin)
  setHeader(ex, 'access-control-allow-credentials', 'true')
  setHeader(ex, 'access-control-expose-headers', EXPOSED)
  return true
}

/** Whether the request asks what it may ask (Fetch standard, CORS-preflight request). */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

/** The headers that let a browser go on. Whatever headers the page wants to send are fine: none of them has power here but the key. */
export function setPreflightHeaders(ex: Pick<Exchange, 'request' | 'headers'>, methods: readonly string[]): void {
  const { headers } = ex.request
  setHeader(ex, 'access-control-allow-methods', methods.join(', '))
  setHeader(ex, 'access-control-allow-headers', headers['access-control-request-headers'] ?? '*')
  setHeader(ex, 'access-control-max-age', PREFLIGHT_SECONDS)
  if (headers['access-control-request-private-network'] === 'true')
    setHeader(ex, 'access-control-allow-private-network', 'true')
}
