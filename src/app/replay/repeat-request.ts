import { isUtf8 } from 'node:buffer'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import type { ReplayExchange } from '../../control/client/types.ts'

/** A response as a replay records and compares it. */
export type ReplayedResponse = ReplayExchange['answer']

/** Sends the request of an exchange again, over a connection of its own. Resolves to whatever comes, broken off or not. */
export function sendAgain(exchange: ReplayExchange, port: number): Promise<ReplayedResponse> {
  return exchange.answer.status === 0 ? sendForBytes(exchange, port) : sendForResponse(exchange, port)
}

function sendForResponse({ method, url, headers, body }: ReplayExchange, port: number): Promise<ReplayedResponse> {
  const options = { host: '127.0.0.1', port, method, path: url, setHost: false, agent: false }
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const sent = request({ ...options, headers: [...headers, ...lengthOf(body)] }, (response) => {
      const { statusCode: status = 0, rawHeaders } = response
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      // A response that is broken off is what some faults are about; `close` follows.
      response.on('error', () => undefined)
      response.on('close', () =>
        resolve({
          status,
          headers: rawHeaders,
          ...encodeBody(contentOf(response, Buffer.concat(chunks))),
          ...(response.complete ? {} : { isComplete: false }),
        }),
      )
    })
    sent.on('error', () => resolve({ status: 0, headers: [] }))
    sent.end(body)
  })
}

/** A body as the journal has it: before it was compressed. */
function contentOf({ headers, complete }: IncomingMessage, bytes: Buffer): Buffer {
  return complete && headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
}

/** For a request that got no HTTP response: everything that comes over the connection. */
function sendForBytes({ method, url, headers, body }: ReplayExchange, port: number): Promise<ReplayedResponse> {
  const fields = [...headers, ...lengthOf(body)]
  const lines = fields.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`))
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1')
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      // A server that does respond would keep the connection open.
      if (chunk.subarray(0, 5).toString('latin1') === 'HTTP/') socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      const bytes = Buffer.concat(chunks)
      const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(bytes.subarray(0, 12).toString('latin1')) ?? []
      if (status !== undefined) return resolve({ status: Number(status), headers: [] })
      resolve({ status: 0, headers: [], ...(bytes.length === 0 ? {} : encodeBody(bytes)), isComplete: false })
    })
    socket.write(`${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
    if (body !== undefined) socket.write(body)
  })
}

function lengthOf(body: string | undefined): string[] {
  return body === undefined ? [] : ['Content-Length', String(Buffer.byteLength(body))]
}

function encodeBody(bytes: Buffer): Pick<ReplayedResponse, 'body' | 'encoding'> {
  return isUtf8(bytes) ? { body: bytes.toString() } : { body: bytes.toString('base64'), encoding: 'base64' }
}
