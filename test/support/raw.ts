import { connect, type Socket } from 'node:net'
import { KEY_HEADER, SEARCH } from './tester.ts'

/** A client that writes whatever bytes a test wants, where a decent one would not. */
export interface RawClient {
  readonly socket: Socket
  send(text: string): void
  /** Resolves when what came matches, within a chunk and a bit. Rejects when the connection ends before. */
  until(pattern: RegExp): Promise<void>
  /** What came so far, a character for each byte. */
  received(): string
  /** Resolves to all that came, once the connection is at its end. */
  readonly closed: Promise<string>
}

export async function connectTo(url: string): Promise<RawClient> {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  const chunks: string[] = []
  // The last chunk and a bit before: to look through all that came, each time, would take longer than to send it.
  let latest = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    chunks.push(chunk)
    latest = latest.slice(-1000) + chunk
  })
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(chunks.join(''))))
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  // Some tests are about being cut off; `closed` resolves then.
  socket.on('error', () => undefined)
  return {
    socket,
    closed,
    send: (bytes) => void socket.write(bytes, 'latin1'),
    received: () => chunks.join(''),
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!pattern.test(latest)) return
          socket.off('data', look)
          resolve()
        }
        socket.on('data', look)
        socket.once('close', () => reject(new Error(`closed before ${String(pattern)} came: ${latest.slice(-500)}`)))
        look()
      }),
  }
}

/** Connects, sends, and resolves to all that comes until the server closes. */
export async function exchangeRaw(url: string, bytes: string): Promise<string> {
  const client = await connectTo(url)
  client.send(bytes)
  return client.closed
}

/** The head of a search as text, up to the empty line. */
export function searchHead(headers: Readonly<Record<string, string | number>> = {}, query = '', set = 'demo'): string {
  const all = { Host: 'localhost', [KEY_HEADER]: 'key', 'Content-Type': 'application/json', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${SEARCH}/${set}/files/search${query} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** The body of an answer that came whole, its chunks put together. */
export function bodyOf(text: string): string {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const body = rest.join('\r\n\r\n')
  if (!/^transfer-encoding: chunked$/im.test(head)) return body
  let whole = ''
  for (let at = 0; ;) {
    const line = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.slice(at, line), 16)
    if (!(size > 0)) return whole
    whole += body.slice(line + 2, line + 2 + size)
    at = line + 2 + size + 2
  }
}

/** What a client received: a status of 0 when it was no HTTP response, or nothing at all. */
export interface Answered {
  readonly status: number
  /** Of the body, as far as it came; of everything that came where it was no HTTP response. */
  readonly body: Buffer
}

/** Sends one request over a connection of its own, and resolves to all that comes, broken off or not. */
export async function sendOnce(
  url: string,
  { method, path, headers, body }: { method: string; path: string; headers: Record<string, string>; body: string },
): Promise<Answered> {
  const all = { Host: 'localhost', 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const text = await exchangeRaw(url, `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(text) ?? []
  return { status: Number(status ?? 0), body: Buffer.from(status === undefined ? text : bodyOf(text), 'latin1') }
}
