import type { IncomingMessage } from 'node:http'
import { isLocalName } from './allowed-hosts.ts'
import type { RequestContext } from '../request-context.ts'
import { setHeader } from '../../engine/request-context.ts'
import type { BehaviourSettings } from '../../behaviours/settings.ts'

/** Which web pages may call (CORS). */

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

/** Whether an `Origin` header is that of a page of this machine, written as browsers write it: `http://localhost\\.evil.example` is none. */
export function isLocalOrigin(origin: string): boolean {
  try {
    const { protocol, hostname, origin: written } = new URL(origin)
    return (protocol === 'http:' || protocol === 'https:') && written === origin.toLowerCase() && isLocalName(hostname)
  } catch {
    return false
  }
}

/** Whether pages of this origin may call. */
function isAllowed(origin: string, rule: BehaviourSettings['cors'], origins: readonly string[]): boolean {
  if (rule === 'off') return false
  if (rule === 'any' || origins.includes(origin)) return true
  return rule === 'local' && isLocalOrigin(origin)
}

/** Whether a page came from where it calls; it needs no leave then, though browsers name its origin all the same. */
function isSame(origin: string, host: string | undefined): boolean {
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)
}

/** Sets the CORS headers of an answer; without an allowed origin only `Vary`, since another one may get another answer. */
export function setCorsHeaders(context: RequestContext): boolean {
  const { request, deps, sandbox } = context
  const { origins, refusedOrigins } = deps
  const rule = sandbox.behaviours.answers.cors
  if (rule !== 'off') setHeader(context, 'vary', 'Origin')
  const { origin, host } = request.headers
  if (origin === undefined) return false
  if (!isAllowed(origin, rule, origins)) {
    if (!isSame(origin, host)) refusedOrigins(origin, rule)
    return false
  }
  setHeader(context, 'access-control-allow-origin', origin)
  setHeader(context, 'access-control-allow-credentials', 'true')
  setHeader(context, 'access-control-expose-headers', EXPOSED)
  return true
}

/** Whether the request asks what it may ask (Fetch standard, CORS-preflight request). */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

/** The headers that let a browser go on. Whatever headers the page wants to send are fine: none of them has power here but the key. */
export function setPreflightHeaders(
  context: Pick<RequestContext, 'request' | 'headers'>,
  methods: readonly string[],
): void {
  const { headers } = context.request
  setHeader(context, 'access-control-allow-methods', methods.join(', '))
  setHeader(context, 'access-control-allow-headers', headers['access-control-request-headers'] ?? '*')
  setHeader(context, 'access-control-max-age', PREFLIGHT_SECONDS)
  if (headers['access-control-request-private-network'] === 'true')
    setHeader(context, 'access-control-allow-private-network', 'true')
}
