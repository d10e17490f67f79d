import type { IncomingMessage } from 'node:http'
import type { ResponseContext } from '../engine/control-route.ts'
import { isLocalName } from '../base/network/local-names.ts'
import { setHeader } from './response.ts'

/** Whether an `Origin` header, as browsers write it, is that of a page of this machine: `http://localhost\\.evil.example` is not. */
export function isLocalOrigin(origin: string): boolean {
  try {
    const { protocol, hostname, origin: written } = new URL(origin)
    return (protocol === 'http:' || protocol === 'https:') && written === origin.toLowerCase() && isLocalName(hostname)
  } catch {
    return false
  }
}

/** Whether the request is a CORS preflight (Fetch standard). */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

/** Sets the headers that let a browser send its request. Pages may send any header: only the key matters here. */
export function setPreflightHeaders(
  context: Pick<ResponseContext, 'request' | 'headers'>,
  methods: readonly string[],
): void {
  const { headers } = context.request
  setHeader(context, 'access-control-allow-methods', methods.join(', '))
  setHeader(context, 'access-control-allow-headers', headers['access-control-request-headers'] ?? '*')
  setHeader(context, 'access-control-max-age', PREFLIGHT_SECONDS)
  if (headers['access-control-request-private-network'] === 'true')
    setHeader(context, 'access-control-allow-private-network', 'true')
}

const PREFLIGHT_SECONDS = '600'
