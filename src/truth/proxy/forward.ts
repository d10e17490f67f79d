import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Middleware, RequestContext } from '../../app/middleware/request-context.ts'
import type { Problem } from '../../base/errors/problem.ts'
import { methodNotAllowed } from '../../base/errors/request-errors.ts'
import { proxyLoop, upgradeRefused, upstreamBroken, upstreamTimeout } from '../../base/errors/proxy-errors.ts'
import { brokenOf, end, fail, type Forwarded, type ForwardDependencies, hasBody, takeOver } from './forwarded.ts'
import { endToEnd, isMockField, trailersOf } from './forwarded-headers.ts'
import { sendBack } from './send-back.ts'
import { failureOf, type Upstream } from './upstream.ts'

/** Forwards requests, and sends the responses back. */
export function forward(deps: ForwardDependencies): Middleware {
  return (request, response, next) => {
    const { context } = response.locals
    const refusal = refusalOf(request, deps)
    if (refusal) {
      next(refusal)
      return
    }
    const sentHeaders = requestHeadersOf(request, deps)
    const [sent, received] = [deps.capture(), deps.capture()]
    const at = deps.realNow()
    const forwarded: Forwarded = { context, at, sentHeaders, sent, received, incoming: undefined, isOver: false }
    send(forwarded, deps, false)
  }
}

function refusalOf({ method, headers }: IncomingMessage, { upstream, id }: ForwardDependencies): Problem | undefined {
  // Its response shows cookies and keys to scripts that cannot read them (RFC 9110, 9.3.8).
  if (method === 'TRACE')
    return methodNotAllowed({ detail: 'TRACE is not forwarded, since its response would repeat cookies and keys.' })
  if (
    headers.upgrade
      ?.toLowerCase()
      .split(/[, /]+/)
      .includes('websocket')
  )
    return upgradeRefused({ detail: `A WebSocket is not forwarded. Connect to ${upstream.name} itself.` })
  if (headers.via?.includes(id)) return proxyLoop({ detail: `${upstream.name} leads back to this proxy.` })
  return undefined
}

function requestHeadersOf(request: IncomingMessage, { upstream, id }: ForwardDependencies): string[] {
  const { rawHeaders, headers, method = '' } = request
  const kept = endToEnd(rawHeaders, (name) => name === 'host' || isMockField(name))
  const fields = ['Host', upstream.host, ...kept, 'Via', `${request.httpVersion} ${id}`]
  if (headers['transfer-encoding'] !== undefined) fields.push('Transfer-Encoding', 'chunked')
  else if (headers['content-length'] === undefined && /^(POST|PUT|PATCH)$/.test(method))
    fields.push('Content-Length', '0')
  return fields
}

function send(forwarded: Forwarded, deps: ForwardDependencies, isRepeated: boolean): void {
  const { context, sentHeaders: headers } = forwarded
  const { request, response } = context
  const { upstream } = deps
  let outgoing: ClientRequest
  try {
    const { method = 'GET', url = '/' } = request
    outgoing = upstream.request({ method, path: upstream.prefix + url, headers }, isRepeated)
  } catch (error) {
    fail(forwarded, deps, failureOf(upstream, error as Error))
    return
  }
  outgoing
    .on('continue', () => response.writeContinue())
    .on('information', (information) => passInformation(response, information))
    .on('response', (incoming) => {
      try {
        receive(forwarded, incoming, deps)
      } catch (error) {
        // Node reads some heads that it refuses to write.
        incoming.destroy()
        fail(
          forwarded,
          deps,
          upstreamBroken({ detail: `${upstream.name} sent a head that is not valid: ${String(error)}.` }),
        )
      }
    })
    .on('timeout', () => {
      // A client that reads slowly, or a fault that sends slowly, is not the fault of the service; both have a deadline of their own.
      if (response.writableNeedDrain || context.faults?.wire?.[0]) return
      fail(forwarded, deps, lateOf(forwarded, upstream, outgoing.writableNeedDrain))
      outgoing.destroy()
    })
    .on('error', (error: NodeJS.ErrnoException) => {
      if (forwarded.incoming || forwarded.isOver) {
        // It responded before it had read all of the body.
        request.unpipe(outgoing)
        request.resume()
      } else if (!isRepeated && mayRepeat(request, outgoing, error)) {
        outgoing.removeAllListeners('close')
        send(forwarded, deps, true)
      } else fail(forwarded, deps, failureOf(upstream, error))
    })
    // Without a response or an error when it switches to another protocol, which was not asked for.
    .on('close', () => {
      if (!forwarded.incoming) fail(forwarded, deps, brokenOf(upstream))
    })
  response.once('close', () => {
    outgoing.destroy()
    end(forwarded, deps, { end: 'left' })
  })
  sendBody(forwarded, outgoing)
}

/** RFC 9110, 15.2: interim responses are forwarded. */
function passInformation(
  response: RequestContext['response'],
  { statusCode, headers }: { readonly statusCode: number; readonly headers: NodeJS.Dict<string | string[]> },
): void {
  if (statusCode === 102) response.writeProcessing()
  else if (statusCode === 103 && headers.link !== undefined) response.writeEarlyHints({ link: headers.link })
}

const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])

/** A kept connection may end just when it is used again. Only then, and only where it changes nothing, a proxy repeats (RFC 9110, 9.2.2). */
function mayRepeat(
  request: IncomingMessage,
  { reusedSocket }: ClientRequest,
  { code }: NodeJS.ErrnoException,
): boolean {
  return reusedSocket && code === 'ECONNRESET' && IDEMPOTENT.has(request.method ?? '') && !hasBody(request)
}

function sendBody({ context: { request }, sent }: Forwarded, outgoing: ClientRequest): void {
  if (!hasBody(request) || request.readableEnded) {
    outgoing.end()
    return
  }
  request.on('data', (chunk: Buffer) => sent.add(chunk))
  request.pipe(outgoing, { end: false })
  request.once('end', () => {
    if (request.rawTrailers.length > 0) outgoing.addTrailers(trailersOf(request.rawTrailers))
    outgoing.end()
  })
}

function receive(forwarded: Forwarded, incoming: IncomingMessage, deps: ForwardDependencies): void {
  if (forwarded.isOver) {
    incoming.destroy()
    return
  }
  const { statusCode = 0 } = incoming
  // A final response begins at 200 (RFC 9110, 15); a switch of protocols was not asked for.
  if (statusCode < 200) throw new RangeError(`the status ${statusCode}`)
  if (takeOver(forwarded, deps, statusCode)) {
    incoming.resume()
    return
  }
  forwarded.incoming = incoming
  sendBack(forwarded, incoming, deps)
}

/** @param isFull whether the service has not taken what was sent to it */
function lateOf({ context: { request }, incoming }: Forwarded, { name, timeout }: Upstream, isFull: boolean): Problem {
  const what = incoming
    ? `${name} sent no more of its response`
    : request.complete
      ? `${name} sent no response`
      : isFull
        ? `${name} took no more of the request`
        : 'The client sent no more of its request'
  return upstreamTimeout({ detail: `${what} for ${timeout / 1000} s.` })
}
