import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { startService } from './proxy.ts'

const ORDER = {
  type: 'object',
  required: ['id', 'number'],
  properties: { id: { type: 'integer', readOnly: true }, number: { type: 'integer' } },
}
const json = (schema: object) => ({ content: { 'application/json': { schema } } })

/** Orders, each of which is told. */
export const ORDERS = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/orders': {
      get: { responses: { 200: { description: 'All', ...json({ type: 'array', items: ORDER }) } } },
      post: { requestBody: json(ORDER), responses: { 201: { description: 'One', ...json(ORDER) } } },
    },
  },
  webhooks: { 'order.created': { post: { requestBody: json(ORDER), responses: { 200: { description: 'Taken' } } } } },
}

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
