import type { IncomingMessage, ServerResponse } from 'node:http'
import { isLocalOrigin } from './access/cors.ts'
import { CONTROL_PATH } from '../control/server/control-request.ts'
import type { AppDependencies } from './dependencies.ts'

const HEALTH_PATH = `${CONTROL_PATH}/health`

export function isHealthCheck({ method }: IncomingMessage, target: string): boolean {
  return (method === 'GET' || method === 'HEAD') && (target === HEALTH_PATH || target.startsWith(`${HEALTH_PATH}?`))
}

/**
 * Answers everybody, without the guard of the control API and also where that is off: it says nothing but this one word. Probes come
 * every few seconds, so they are neither journaled nor logged nor counted. 503 tells a load balancer to send requests elsewhere.
 */
export function answerHealthCheck(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { health, origins }: AppDependencies,
) {
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
