import { createServer as createHttpServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { StartRefused } from '../problem.ts'

/** A socket for an app. */
export interface AppServer {
  /** Resolves to the port when requests are taken. @throws StartRefused when the address is not to be had */
  start(host: string, port: number): Promise<number>
  /** Lets open answers finish, for as long as `patience` (ms) at most, and closes. */
  stop(patience: number): Promise<void>
}

/** Milliseconds after which a slow client is cut off. */
export interface Deadlines {
  /** For all headers of a request. */
  readonly headers: number
  /** For a whole request. */
  readonly request: number
  /** For the next byte, either way. */
  readonly idle: number
}

/** Long sort values make long tokens, and those travel in the address. */
const LARGEST_HEADER = 65_536
const SECOND = 1000
const DEADLINES: Deadlines = { headers: 10 * SECOND, request: 30 * SECOND, idle: 60 * SECOND }

export function createServer(app: RequestListener, deadlines = DEADLINES): AppServer {
  const server = createHttpServer(
    {
      maxHeaderSize: LARGEST_HEADER,
      headersTimeout: deadlines.headers,
      requestTimeout: deadlines.request,
      // Left alone, Node looks for late requests every half minute only.
      connectionsCheckingInterval: deadlines.headers / 10,
      keepAliveTimeout: 30 * SECOND,
    },
    app,
  )
  server.setTimeout(deadlines.idle)
  // An expectation that we do not know may be passed over (RFC 9110, 10.1.1), and then the answer is one of ours.
  server.on('checkExpectation', app)
  answerMalformed(server)
  return {
    start: (host, port) => listen(server, host, port),
    stop: (patience) => close(server, patience),
  }
}

/** Answers what is not even a request, unless an answer has begun on that connection: nobody could tell the two apart. */
function answerMalformed(server: Server): void {
  const underWay = new WeakMap<Duplex, ServerResponse[]>()
  server.on('request', ({ socket }, response) => {
    const answers = underWay.get(socket)
    if (!answers) underWay.set(socket, [response])
    // Nearly always it is the one before, and it is closed: its place is taken, and no listener was needed.
    else if (answers.length === 1 && answers[0]?.closed) answers[0] = response
    else underWay.set(socket, [...answers.filter(({ closed }) => !closed), response])
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const hasBegun = (underWay.get(socket) ?? []).some(({ closed, headersSent }) => headersSent && !closed)
    if (error.code === 'ECONNRESET' || !socket.writable || hasBegun) socket.destroy()
    else socket.end(malformed(error.code), () => socket.destroy())
  })
}

/** An answer to what is not even a request. */
function malformed(code: string | undefined): string {
  const [status, title] =
    code === 'HPE_HEADER_OVERFLOW'
      ? ([431, 'Request Header Fields Too Large'] as const)
      : code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ([408, 'Request Timeout'] as const)
        : ([400, 'Bad Request'] as const)
  const body = JSON.stringify({
    type: '/problems/http-malformed',
    title,
    status,
    detail: `This is no HTTP request that can be read (${code ?? 'no reason'}).`,
  })
  return [
    `HTTP/1.1 ${status} ${title}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => reject(new StartRefused([complaint(error, host, port)]))
    server.once('error', refuse)
    server.listen(port, host, () => {
      server.off('error', refuse)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

function complaint({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is taken. Stop what runs there, or pass --port 0 for a free one.`
  if (code === 'EACCES') return `Port ${port} may not be used by this user. Pass one above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is no address of this machine. Pass --host 127.0.0.1, or 0.0.0.0 for all.`
  return message
}

/** Milliseconds between two looks for connections that have come to rest. */
const SWEEP = 20

function close(server: Server, patience: number): Promise<void> {
  if (!server.listening) return Promise.resolve()
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), patience)
    // A connection is kept alive after its last answer, and nothing tells when that is.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP)
    server.close(() => {
      clearTimeout(cut)
      clearInterval(sweep)
      resolve()
    })
  })
}
