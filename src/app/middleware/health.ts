import type { RequestHandler } from 'express'
import type { Health } from '../../control/client/types.ts'
import { isLocalOrigin } from './cors.ts'

export interface HealthDependencies {
  /** It changes while the server runs. */
  readonly health: { status: Health['status'] }
  /** Origins whose pages may read the response, besides local ones. */
  readonly origins: readonly string[]
}

/**
 * Answers health checks for everybody, also where the control API is off or guarded: the body is one word. Probes come every few
 * seconds, so they are not journaled, logged or counted. 503 tells a load balancer to send requests elsewhere.
 */
export function answerHealthChecks({ health, origins }: HealthDependencies): RequestHandler {
  return ({ method, url, headers }, response, next) => {
    if (!(method === 'GET' || method === 'HEAD') || !(url === '/health' || url.startsWith('/health?'))) {
      next()
      return
    }
    const { status } = health
    const body = JSON.stringify({ status })
    const { origin } = headers
    response.setHeader('cache-control', 'no-store')
    response.setHeader('vary', 'Origin')
    if (origin !== undefined && (isLocalOrigin(origin) || origins.includes(origin)))
      response.setHeader('access-control-allow-origin', origin)
    response.writeHead(status === 'ready' ? 200 : 503, {
      'content-type': 'application/json',
      'content-length': body.length,
    })
    response.end(body)
  }
}
