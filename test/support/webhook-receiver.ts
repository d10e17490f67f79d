import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { startService } from './proxy.ts'

interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A server of a client that takes webhooks. @param status of its response to the request of a number, from 1 */
export async function startReceiver(status: (number: number) => number = () => 204) {
  const received: Received[] = []
  const url = await startService((request, response) => {
    void text(request).then((body) => {
      received.push({ path: request.url ?? '', headers: request.headers, body })
      response.writeHead(status(received.length)).end()
    })
  })
  return { url, received, bodies: () => received.map(({ body }) => JSON.parse(body) as Record<string, unknown>) }
}
