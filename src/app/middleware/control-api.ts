import { type RequestHandler, Router } from 'express'
import { CONTROL_PATH } from '../../control/path.ts'
import { isLocalOrigin } from '../../http/cors.ts'
import type { AppOptions } from '../app-options.ts'
import { serveConsole } from '../pages/console.ts'
import { serveDocs } from '../pages/docs.ts'

/** Pages of `origins` may read the health check. */
type ControlApiDependencies = Pick<AppOptions, 'health' | 'origins' | 'control' | 'log' | 'elapsed'>

/** The control API and its console below `/__mock`, with a health check. Where it is switched off, its other paths are unknown like any. */
export function controlApi(dependencies: ControlApiDependencies): Router {
  const { control } = dependencies
  const router = Router().use(answerHealthChecks(dependencies))
  if (!control) return router
  return router.use(serveConsole(), serveDocs(), (request, response) => {
    // Express has cut off the path of the control API, and before it the one that the app is mounted under.
    request.url = request.originalUrl.slice(request.baseUrl.length - CONTROL_PATH.length)
    return control(request, response)
  })
}

/**
 * Answers health checks for everybody, also where the control API is off or guarded: the body names no address. Probes come every few
 * seconds, so they are not journaled or counted, and logged with `--log verbose` only. 503 tells a load balancer to send requests elsewhere.
 */
function answerHealthChecks({ health, origins, log, elapsed }: ControlApiDependencies): RequestHandler {
  return ({ method, url, originalUrl, headers }, response, next) => {
    if (!(method === 'GET' || method === 'HEAD') || !(url === '/health' || url.startsWith('/health?'))) {
      next()
      return
    }
    const started = elapsed()
    const { status, store } = health
    const body = JSON.stringify({ status, store })
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
    if (!log.isVerbose) return
    const milliseconds = elapsed() - started
    log.exchange({ requestId: '', method, url: originalUrl, status: response.statusCode, milliseconds, behaviours: [] })
  }
}
