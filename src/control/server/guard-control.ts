import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type AllowedHosts, wrongHost, isLoopback, refuseTwoHosts } from '../../http/allowed-hosts.ts'
import { isLocalOrigin, isPreflight, setPreflightHeaders } from '../../http/cors.ts'
import type { ControlUnderway } from './control-exchange.ts'
import type { ControlDependencies, ControlApiDependencies } from './dependencies.ts'
import { setHeader } from '../../engine/request-context.ts'
import { shown } from '../../errors/problem.ts'
import { controlLocalOnly, pageRefused, tokenMissing, tokenWrong } from '../../errors/control-errors.ts'

/**
 * Who may use the control API: whoever is on this machine, or with `--control-token` whoever bears the token; of web pages only
 * those of this machine, so that a page that happens to be open in a browser here can do nothing.
 *
 * @returns whether to go on; a preflight request is answered by the headers that are set here
 * @throws Problem 400, 401 or 403
 */
export function guardControl(
  context: ControlUnderway,
  { origins, hosts }: ControlApiDependencies,
  { token }: ControlDependencies,
): boolean {
  const { request } = context
  refuseTwoHosts(request)
  refuseForeignPage(request, token === undefined ? [] : origins)
  const { origin } = request.headers
  setHeader(context, 'vary', 'Origin')
  if (origin !== undefined) {
    setHeader(context, 'access-control-allow-origin', origin)
    setHeader(context, 'access-control-expose-headers', 'X-Mock-Sandbox')
  }
  if (isPreflight(request)) {
    // A preflight has no token, and only gets the permission to ask.
    setPreflightHeaders(context, ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'])
    return false
  }
  if (token === undefined) refuseForeigner(request, hosts)
  else refuseWithoutToken(request, token)
  return true
}

/** `Origin` is there on every request of a page that could change something; `Sec-Fetch-Site` also where a page just loads an address. */
function refuseForeignPage({ headers }: IncomingMessage, origins: readonly string[]): void {
  const { origin } = headers
  const isForeign =
    origin === undefined
      ? headers['sec-fetch-site'] === 'cross-site'
      : !isLocalOrigin(origin) && !origins.includes(origin)
  if (!isForeign) return
  throw pageRefused({
    detail: `The request came from ${origin === undefined ? 'a page of another site' : `a page of ${shown(origin)}`}. Use a page of localhost, or start with --control-token and --allow-origin.`,
  })
}

function refuseForeigner({ socket, headers }: IncomingMessage, hosts: AllowedHosts): void {
  const remedy = 'Start with --control-token, and bear the token.'
  if (!isLoopback(socket.remoteAddress ?? '')) {
    throw controlLocalOnly({
      detail: `The request came from ${shown(socket.remoteAddress ?? 'nowhere')}. ${remedy}`,
    })
  }
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) {
    throw controlLocalOnly({
      detail: `The request came through a proxy, so it may come from anywhere. ${remedy}`,
    })
  }
  // A page that lets its own name point at this machine is foreign too, and browsers do not always say that they are one.
  if (!hosts.has(headers.host)) throw wrongHost(headers.host)
}

/** Digests have one length, and comparing them tells nothing by the time it takes. */
function refuseWithoutToken({ headers }: IncomingMessage, token: string): void {
  const sent = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (sent !== undefined && timingSafeEqual(digest(sent), digest(token))) return
  const [refused, why] =
    sent === undefined
      ? ([tokenMissing, 'The request has no token.'] as const)
      : ([tokenWrong, 'The token is not the right one.'] as const)
  throw refused({
    detail: `${why} Send the header Authorization: Bearer …, with the token of --control-token.`,
    headers: { 'www-authenticate': 'Bearer realm="standin control"' },
  })
}
