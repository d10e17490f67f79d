import type { IncomingMessage } from 'node:http'

/** The origin that a request was sent to. A proxy that ends TLS says so; any other value of the header is none. */
export function originOf({ headers, socket }: IncomingMessage): string {
  const forwarded = String(headers['x-forwarded-proto']).split(',')[0]?.trim().toLowerCase()
  const isEncrypted = 'encrypted' in socket && socket.encrypted === true
  const scheme = forwarded === 'https' || forwarded === 'http' ? forwarded : isEncrypted ? 'https' : 'http'
  return `${scheme}://${headers.host ?? 'localhost'}`
}

/** The path that Express has cut off the target of a request: where the app, or the router, is mounted. */
export function mountOf(request: IncomingMessage): string {
  return 'baseUrl' in request ? String(request.baseUrl) : ''
}
