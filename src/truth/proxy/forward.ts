import { showViolations, VIOLATIONS_HEADER } from '../../http/violations-header.ts'
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { FallbackReason } from '../../config/config.ts'
import type { Middleware, RequestContext } from '../../app/middleware/request-context.ts'
import type { ResponseEnd } from '../../journal/exchange.ts'
import { Problem, type Violation } from '../../base/errors/problem.ts'
import { methodNotAllowed } from '../../base/errors/request-errors.ts'
import { proxyLoop, upgradeRefused, upstreamBroken, upstreamTimeout } from '../../base/errors/proxy-errors.ts'
import type { Capture } from './capture.ts'
import { endToEnd } from './forwarded-headers.ts'
import { failureOf, type Upstream } from './upstream.ts'

/** A request on its way to the service, and its response on the way back. */
export interface Forwarded {
  readonly context: RequestContext
  /** Epoch ms. */
  readonly at: number
  /** The fields of the request that were forwarded, names and values by turns. */
  sentHeaders: readonly string[]
  readonly sent: Capture
  readonly received: Capture
  /** Undefined before the head of the response has come. */
  incoming: IncomingMessage | undefined
  isOver: boolean
}

/** How it ended. */
export interface Ending {
  readonly end: ResponseEnd
  /** Why there is no whole response; undefined where there is. */
  readonly problem?: Problem
}

export interface ForwardDependencies {
  readonly upstream: Upstream
  /** Names this proxy in `Via`. */
  readonly id: string
  capture(): Capture
  realNow(): number
  /** The parts of an exchange that break the contract. */
  violationsOf(forwarded: Forwarded): readonly Violation[] | Promise<readonly Violation[]>
  /** Called once, when there is nothing more to come. */
  finish(forwarded: Forwarded, ending: Ending): void
  /** Sends the response of a request that has none from the service. */
  refuse(context: RequestContext, problem: Problem): void
  /**
   * Handles a request in place of the service: nothing of it is checked or kept here then.
   *
   * @param said the status of the service, or that it is down
   * @returns undefined to leave it to the service; rejects with a Problem where nothing can handle it
   */
  readonly instead?: ((forwarded: Forwarded, said: FallbackReason) => Promise<void> | undefined) | undefined
}

/** Forwards requests, and streams the responses back. Only a response whose violations the client asks for, by a header, is held until its end. */
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

/** The fields of a stand-in: those of a request are for the proxy, and in a response only its own say the truth about it. */
function isMockField(name: string): boolean {
  return name.startsWith('x-mock-')
}

/** Whether a request has a body (RFC 9112, 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
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
      // A client that reads slowly is not the fault of the service; it has a deadline of its own.
      if (response.writableNeedDrain) return
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
  if (!hasBody(request)) {
    outgoing.end()
    return
  }
  request.on('data', (chunk: Buffer) => sent.add(chunk))
  request.pipe(outgoing, { end: false })
  request.once('end', () => {
    if (request.rawTrailers.length > 0) outgoing.addTrailers(pairs(endToEnd(request.rawTrailers)))
    outgoing.end()
  })
}

function receive(forwarded: Forwarded, incoming: IncomingMessage, deps: ForwardDependencies): void {
  const { context, received } = forwarded
  const { request, response } = context
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
  const isAsked = (request.headers[VIOLATIONS_HEADER] ?? 'false') !== 'false'
  if (!isAsked) sendHead(forwarded, incoming)
  incoming
    .on('data', (chunk: Buffer) => {
      received.add(chunk)
      if (!response.headersSent && received.isWhole) return
      if (!response.headersSent) {
        sendHead(forwarded, incoming)
        response.write(received.bytes)
      }
      if (!response.write(chunk)) incoming.pause()
    })
    .on('end', () => {
      if (response.headersSent) endResponse(forwarded, incoming, deps)
      else void showHeld(forwarded, incoming, deps)
    })
    .on('error', () => fail(forwarded, deps, brokenOf(deps.upstream)))
  response.on('drain', () => incoming.resume())
}

/** Sends a response that was held until its end, with what is wrong in it. */
async function showHeld(forwarded: Forwarded, incoming: IncomingMessage, deps: ForwardDependencies): Promise<void> {
  const violations = await deps.violationsOf(forwarded)
  if (forwarded.isOver) return
  sendHead(forwarded, incoming, [VIOLATIONS_HEADER, showViolations(violations)])
  forwarded.context.response.write(forwarded.received.bytes)
  endResponse(forwarded, incoming, deps)
}

function endResponse(forwarded: Forwarded, { rawTrailers }: IncomingMessage, deps: ForwardDependencies): void {
  const { response } = forwarded.context
  if (rawTrailers.length > 0) response.addTrailers(pairs(endToEnd(rawTrailers, isMockField)))
  response.end()
  end(forwarded, deps, { end: 'whole' })
}

function pairs(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as [string, string]] : []))
}

/** Pages may read what they asked for. */
const FOR_PAGES = ['Vary', 'Origin', 'Access-Control-Expose-Headers', 'X-Mock-Violations']

const OWN_FIELDS = new Set(['x-mock-sandbox', 'x-mock-answered-by'])

/** Of the fields that are set for every request, a forwarded response has those for pages of other origins. */
function sendHead({ context }: Forwarded, incoming: IncomingMessage, added: readonly string[] = []): void {
  const { response, headers } = context
  const own = headers.flatMap((name, at) =>
    at % 2 === 0 && (name.startsWith('access-control-') || OWN_FIELDS.has(name)) ? [name, headers[at + 1] ?? ''] : [],
  )
  const isShared = own.includes('access-control-allow-origin')
  // Of the service's, what a page may read adds up with the proxy's own.
  const isOwn = (name: string) => name.startsWith('access-control-') && name !== 'access-control-expose-headers'
  const kept = endToEnd(incoming.rawHeaders, (name) => isMockField(name) || (isShared && isOwn(name)))
  const all = [...kept, ...own, ...added, ...(isShared ? FOR_PAGES : [])]
  response.sendDate = false
  response.writeHead(incoming.statusCode ?? 502, incoming.statusMessage, all)
  headers.splice(0, headers.length, ...all)
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

function brokenOf({ name }: Upstream): Problem {
  return upstreamBroken({ detail: `${name} closed the connection before its response was complete.` })
}

/** Once its head is sent, a response can only be broken off. */
function fail(forwarded: Forwarded, deps: ForwardDependencies, problem: Problem): void {
  const { context } = forwarded
  const { request, response } = context
  if (forwarded.isOver) return
  if (response.headersSent) {
    end(forwarded, deps, { end: 'broken', problem })
    response.destroy()
    return
  }
  if (isDown(problem, request) && takeOver(forwarded, deps, 'down')) return
  // What is left of the body is read and dropped, or the client could not read the response.
  request.unpipe()
  request.resume()
  if (!request.complete) context.headers.push('connection', 'close')
  deps.refuse(context, problem)
  end(forwarded, deps, { end: 'whole', problem })
}

/** Lets the stand-in handle a request. @returns whether it does */
function takeOver(forwarded: Forwarded, deps: ForwardDependencies, said: FallbackReason): boolean {
  const handled = deps.instead?.(forwarded, said)
  if (!handled) return false
  forwarded.isOver = true
  const { context } = forwarded
  const refuse = (error: unknown) => {
    if (context.response.headersSent || !(error instanceof Problem)) {
      context.response.destroy()
      return
    }
    deps.refuse(context, error)
    deps.finish(forwarded, { end: 'whole', problem: error })
  }
  void handled.catch(refuse).finally(() => {
    forwarded.sent.release()
    forwarded.received.release()
  })
  return true
}

/** Whether it is the service, and not its client, that is the reason. */
function isDown({ status }: Problem, { complete }: IncomingMessage): boolean {
  return status === 502 || (status === 504 && complete)
}

function end(forwarded: Forwarded, deps: ForwardDependencies, ending: Ending): void {
  if (forwarded.isOver) return
  forwarded.isOver = true
  deps.finish(forwarded, ending)
  forwarded.sent.release()
  forwarded.received.release()
}
