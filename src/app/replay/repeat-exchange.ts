import { isUtf8 } from 'node:buffer'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import type { ReplayExchange } from '../../control/client/types.ts'

/** A response as a replay records and compares it. */
type ReplayedResponse = ReplayExchange['answer']

/** Sends the request of an exchange again, on a connection of its own. Resolves to whatever comes back, complete or not. */
export function sendAgain(exchange: ReplayExchange, port: number): Promise<ReplayedResponse> {
  return exchange.answer.status === 0 ? sendForBytes(exchange, port) : sendForResponse(exchange, port)
}

function sendForResponse({ method, url, headers, body }: ReplayExchange, port: number): Promise<ReplayedResponse> {
  const options = { host: '127.0.0.1', port, method, path: url, setHost: false, agent: false }
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    // Without a length Node would send an empty body in chunks.
    const isBare = body === undefined && !/^(?:GET|HEAD|DELETE|OPTIONS|TRACE)$/.test(method)
    const length = lengthOf(isBare ? '' : body)
    const sent = request({ ...options, headers: [...headers, ...length] }, (response) => {
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      // Some faults break the response off; `close` follows.
      response.on('error', () => undefined)
      response.on('close', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.rawHeaders,
          ...encodeBody(contentOf(response, Buffer.concat(chunks))),
          ...(response.complete ? {} : { isComplete: false }),
        }),
      )
    })
    sent.on('error', () => resolve({ status: 0, headers: [] }))
    sent.end(body)
  })
}

/** The journal keeps bodies as they were before compression. */
function contentOf({ headers, complete }: IncomingMessage, bytes: Buffer): Buffer {
  return complete && headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
}

/** For a request that got no HTTP response: all bytes of the connection. */
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

/** The first difference between two responses, as a clause; undefined when there is none. */
export function compareResponses(was: ReplayedResponse, is: ReplayedResponse): string | undefined {
  if (was.status !== is.status) return `the status was ${was.status}, and is ${is.status}`
  const [before, after] = [headerLines(was.headers), headerLines(is.headers)]
  for (let line = 0; line < Math.max(before.length, after.length); line++) {
    if (before[line] !== after[line])
      return `a header was ${before[line] ?? 'not there'}, and is ${after[line] ?? 'not there'}`
  }
  if (was.isComplete !== is.isComplete)
    return `the response was ${was.isComplete === false ? 'broken off, and is complete' : 'complete, and is broken off'}`
  // A body that the journal has dropped is compared by status and length only.
  return was.body === undefined ? undefined : compareTexts('the body', was.body, is.body ?? '')
}

/** Headers that Node adds for the connection. */
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding'])

function headerLines(headers: readonly string[]): string[] {
  return headers.flatMap((value, at) => {
    const name = (headers[at - 1] ?? '').toLowerCase()
    return at % 2 === 0 || OF_THE_CONNECTION.has(name) ? [] : [`${name}: ${value}`]
  })
}

/** Characters shown from the first difference on. */
const MAX_SHOWN = 60

export function compareTexts(what: string, was: string, is: string): string | undefined {
  if (was === is) return undefined
  let at = 0
  while (was[at] === is[at]) at++
  const part = (text: string) => (at < text.length ? JSON.stringify(text.slice(at, at + MAX_SHOWN)) : 'at its end')
  return `${what} differs from character ${at + 1} on: it was ${part(was)}, and is ${part(is)}`
}
