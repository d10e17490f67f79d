import type { IncomingMessage } from 'node:http'
import type { FallbackReason } from '../../config/config.ts'
import type { RequestContext } from '../../app/middleware/request-context.ts'
import type { ResponseEnd } from '../../journal/exchange.ts'
import { Problem, type Violation } from '../../base/errors/problem.ts'
import { upstreamBroken } from '../../base/errors/proxy-errors.ts'
import type { Capture } from './capture.ts'
import type { Upstream } from './upstream.ts'

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

/** Joins the text of a body. The headers of the result, lower-case names and values, replace those of the service. */
export type JoinBody = (text: string | undefined) => Promise<{
  /** Undefined for a body that stays as it is. */
  readonly text: string | undefined
  readonly headers: Readonly<Record<string, string>>
}>

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
  /** Finds how the body of a response is joined with what the sandbox has; undefined for one that stays as it is. */
  readonly joining?: ((forwarded: Forwarded, incoming: IncomingMessage) => JoinBody | undefined) | undefined
}

/** Whether a request has a body (RFC 9112, 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

export function brokenOf({ name }: Upstream): Problem {
  return upstreamBroken({ detail: `${name} closed the connection before its response was complete.` })
}

/** Once its head is sent, a response can only be broken off. */
export function fail(forwarded: Forwarded, deps: ForwardDependencies, problem: Problem): void {
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
export function takeOver(forwarded: Forwarded, deps: ForwardDependencies, said: FallbackReason): boolean {
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

export function end(forwarded: Forwarded, deps: ForwardDependencies, ending: Ending): void {
  if (forwarded.isOver) return
  forwarded.isOver = true
  deps.finish(forwarded, ending)
  forwarded.sent.release()
  forwarded.received.release()
}
