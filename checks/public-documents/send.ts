import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import type { PublicRequest } from './request.ts'

export interface PublicResponse {
  readonly status: number
  readonly type: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const agent = new Agent({ keepAlive: true })
const PATIENCE = 60_000

/** Sends a request and reads the response, or as much of a stream as arrives at once. */
export function send(base: string, { method, target, headers, body }: PublicRequest): Promise<PublicResponse> {
  const { port } = new URL(base)
  return new Promise((resolve, reject) => {
    const sent = request({
      agent,
      host: '127.0.0.1',
      port,
      method,
      path: target,
      timeout: PATIENCE,
      headers: {
        ...headers,
        ...(body ? { 'Content-Type': body.type, 'Content-Length': Buffer.byteLength(body.text) } : {}),
      },
    })
    sent.on('timeout', () => sent.destroy(new Error(`no response within ${PATIENCE / 1000} s`)))
    sent.on('error', reject)
    sent.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('error', reject)
      response.on('end', () => {
        const type = response.headers['content-type'] ?? ''
        resolve({ status: response.statusCode ?? 0, type, headers: response.headers, text })
      })
    })
    sent.end(body?.text)
  })
}
