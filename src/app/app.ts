import type { IncomingMessage, RequestListener } from 'node:http'
import express from 'express'
import { controlExchange } from '../control/server/control-exchange.ts'
import { CONTROL_PATH } from '../control/server/control-request.ts'
import { createExchange } from './handle-request.ts'
import { answerHealthCheck, isHealthCheck } from './health.ts'
import type { AppDependencies } from './dependencies.ts'

/**
 * The app, apart from any socket. Our own paths are Express's; all others go straight to the exchange, which asks nothing of
 * Express and need not pay for it (decisions/0008-request-performance.md).
 */
export function createApp(deps: AppDependencies): RequestListener {
  const exchange = createExchange(deps)
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  const { control } = deps
  if (control)
    app.use(CONTROL_PATH, (request, response) => {
      // Express cuts the path that it was mounted on.
      request.url = request.originalUrl
      return controlExchange(request, response, deps, control())
    })
  app.use(exchange)
  return (request, response) => {
    const target = readTarget(request)
    if (!target.startsWith(CONTROL_PATH))
      // What fails here has failed while it told of a failure.
      exchange(request, response).catch(() => response.destroy())
    else if (isHealthCheck(request, target)) answerHealthCheck(request, response, deps)
    else app(request, response)
  }
}

/**
 * A server must take a whole address for a path, and its host instead of the one in the header (RFC 9112, 3.2.2); clients behind a
 * proxy send one.
 */
function readTarget(request: IncomingMessage): string {
  const { url = '/' } = request
  if (url.startsWith('/')) return url
  const [start = '', authority] = /^[a-z][a-z\d+.-]*:\/\/([^/?]*)/i.exec(url) ?? []
  if (authority !== undefined) request.headers.host = authority.slice(authority.lastIndexOf('@') + 1)
  const path = url.slice(start.length)
  request.url = path.startsWith('?') || path === '' ? `/${path}` : path
  return request.url
}
