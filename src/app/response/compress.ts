import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import type { RequestContext } from '../request-context.ts'
import { setHeader } from '../../engine/request-context.ts'

/** Bytes; shorter bodies gain nothing. */
const SHORTEST_COMPRESSED = 1024

/** Whether `http.compression` decides how a body goes out, which is recorded. @param length bytes */
export function trackCompression({ request, tracker }: RequestContext, length: number): boolean {
  if (length <= SHORTEST_COMPRESSED || !acceptsGzip(request.headers['accept-encoding'])) return false
  tracker.note('http.compression')
  return true
}

/** Whether a body is to be compressed; the headers that say so are set. @param length bytes; Infinity while it is not known */
export function startCompression(context: RequestContext, length: number): boolean {
  const { request, tracker, headers } = context
  if (tracker.settings['http.compression'] === 'off') return false
  const vary = headers[headers.indexOf('vary') + 1]
  setHeader(context, 'vary', headers.includes('vary') ? `${vary ?? ''}, Accept-Encoding` : 'Accept-Encoding')
  if (length <= SHORTEST_COMPRESSED || !acceptsGzip(request.headers['accept-encoding'])) return false
  setHeader(context, 'content-encoding', 'gzip')
  return true
}

/** Off the event loop's thread. */
export const compress = promisify(gzip) as (text: string) => Promise<Buffer>

/** A stream that compresses what is written to it for the client, and ends with it. */
export function compressTo(response: RequestContext['response']) {
  const stream = createGzip()
  stream.pipe(response)
  // A stream without a reader would never drain.
  response.once('close', () => stream.destroy())
  return stream
}

/** RFC 9110, 12.5.3. */
function acceptsGzip(accepted: string | string[] | undefined): boolean {
  if (accepted === undefined) return false
  const weights = new Map<string, number>()
  for (const coding of String(accepted).split(',')) {
    const [name = '', weight = ''] = coding.split(';').map((part) => part.trim().toLowerCase())
    weights.set(name, weight.startsWith('q=') ? Number(weight.slice(2)) : 1)
  }
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0
}
