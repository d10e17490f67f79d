import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { ResponseContext } from '../../engine/control-route.ts'
import { setHeader } from '../../http/response.ts'
import { controlLocalOnly, pageRefused, tokenMissing, tokenWrong } from '../../base/errors/control-errors.ts'
import { shown } from '../../base/errors/problem.ts'
import { isLoopback } from '../../base/network/local-names.ts'
import { type AllowedHosts, refuseTwoHosts, wrongHost } from '../../http/allowed-hosts.ts'
import { InProcessSocket } from '../../http/in-process-socket.ts'
import { isLocalOrigin, isPreflight, setPreflightHeaders } from '../../http/cors.ts'

/** Who may use the control API. */
export interface Access {
  /** The token that requests must carry; undefined allows only requests of this machine. */
  readonly token: string | undefined
  /** Origins of web pages that may use it besides local ones, as a browser writes them. */
  readonly origins: readonly string[]
  readonly hosts: AllowedHosts
}

/**
 * Allows requests of this machine, or with `--control-token` those that carry the token. Of web pages it allows only those of this
 * machine, so that a page that happens to be open in a browser here can do nothing.
 *
 * @returns false for a preflight, which is answered by the headers that are set here
 * @throws Problem 400, 401 or 403
 */
export function guardControl(context: ResponseContext, { token, origins, hosts }: Access): boolean {
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
    // Preflights carry no token.
    setPreflightHeaders(context, ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE'])
    return false
  }
  if (token === undefined) {
    refuseRemote(request, hosts)
    refuseWebhook(request)
  } else refuseWithoutToken(request, token)
  return true
}

/** A callback of another stand-in on this machine goes where a client of that one says. */
function refuseWebhook({ headers }: IncomingMessage): void {
  if (headers['x-mock-webhook'] === undefined) return
  throw controlLocalOnly({ detail: 'A webhook of a stand-in cannot use the control API.' })
}

/** Pages send `Origin` with every request that could change something, and `Sec-Fetch-Site` also when they only load an address. */
function refuseForeignPage({ headers }: IncomingMessage, origins: readonly string[]): void {
  const { origin } = headers
  const isForeign =
    origin === undefined
      ? headers['sec-fetch-site'] === 'cross-site'
      : !isLocalOrigin(origin) && !origins.includes(origin)
  if (!isForeign) return
  const page = origin === undefined ? 'a page of another site' : `a page of ${shown(origin)}`
  throw pageRefused({
    detail: `The request came from ${page}. Use a page of localhost, or start with --control-token and --allow-origin.`,
  })
}

function refuseRemote({ socket, headers }: IncomingMessage, hosts: AllowedHosts): void {
  const refuse = (reason: string) =>
    controlLocalOnly({ detail: `The request came ${reason}. Start with --control-token, and send the token.` })
  if (!isLoopback(socket.remoteAddress ?? '')) throw refuse(`from ${shown(socket.remoteAddress ?? 'nowhere')}`)
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined)
    throw refuse('through a proxy, so it may come from anywhere')
  // A page whose own name resolves to this machine (DNS rebinding) is foreign too, and browsers do not always send its origin.
  if (!hosts.has(headers.host) && !(socket instanceof InProcessSocket)) throw wrongHost(headers.host)
}

/** Compares digests, which have one length, in constant time. */
function refuseWithoutToken({ headers }: IncomingMessage, token: string): void {
  const sent = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (sent !== undefined && timingSafeEqual(digest(sent), digest(token))) return
  const [refused, reason] =
    sent === undefined
      ? ([tokenMissing, 'The request has no token.'] as const)
      : ([tokenWrong, 'The token is wrong.'] as const)
  throw refused({
    detail: `${reason} Send the header Authorization: Bearer …, with the token of --control-token.`,
    headers: { 'www-authenticate': 'Bearer realm="standin control"' },
  })
}
