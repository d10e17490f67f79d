import { type RequestHandler, Router } from 'express'
import type { Health } from '../../control/client/types.ts'
import { CONTROL_PATH } from '../../control/server/read-request.ts'
import type { AppDependencies } from '../dependencies.ts'
import { isLocalOrigin } from '../../http/cors.ts'

type Dependencies = HealthDependencies & Pick<AppDependencies, 'control'>

/** The control API below `/__mock`, with its health check. Where it is switched off, its other paths are unknown like any. */
export function controlApi(deps: Dependencies): Router {
  return Router().use(answerHealthChecks(deps), answerControlRequests(deps))
}

function answerControlRequests({ control }: Pick<AppDependencies, 'control'>): RequestHandler {
  return (request, response, next) => {
    if (!control) {
      next()
      return
    }
    // Express has cut off the path of the control API, and before it the one that the app is mounted under.
    request.url = request.originalUrl.slice(request.baseUrl.length - CONTROL_PATH.length)
    return control(request, response)
  }
}

interface HealthDependencies {
  /** It changes while the server runs. */
  readonly health: { status: Health['status'] }
  /** Origins whose pages may read the response, besides local ones. */
  readonly origins: readonly string[]
}

/**
 * Answers health checks for everybody, also where the control API is off or guarded: the body is one word. Probes come every few
 * seconds, so they are not journaled, logged or counted. 503 tells a load balancer to send requests elsewhere.
 */
function answerHealthChecks({ health, origins }: HealthDependencies): RequestHandler {
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
