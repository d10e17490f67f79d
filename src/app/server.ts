import {
  createServer as createHttpServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
  type ServerOptions,
  STATUS_CODES,
} from 'node:http'
import type { Express } from 'express'
import { type AddressInfo, Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { StartupError } from '../base/errors/problem.ts'
import { httpMalformed } from '../base/errors/request-errors.ts'

/** A socket for an app. */
export interface AppServer {
  /** Resolves to the port once requests are accepted. @throws StartupError when the address is not available */
  start(host: string, port: number): Promise<number>
  /** Serves a connection that is no network's. */
  accept(socket: Duplex): void
  /** Lets open responses finish, for at most `patience` ms, and closes. */
  stop(patience: number): Promise<void>
}

/** Milliseconds after which a slow client is disconnected. */
export interface Deadlines {
  /** For all headers of a request. */
  readonly headers: number
  /** For a whole request. */
  readonly request: number
  /** For the next byte, either way. */
  readonly idle: number
}

/** Long sort values make long tokens, and those are sent in the URL. */
const LARGEST_HEADER = 65_536
const SECOND = 1000
const DEADLINES: Deadlines = { headers: 10 * SECOND, request: 30 * SECOND, idle: 60 * SECOND }

export interface ServerSettings {
  readonly deadlines?: Deadlines | undefined
  /** Whether the app sends `100 Continue` itself; by default it is sent before the app is asked. */
  readonly sendsContinue?: boolean | undefined
  /** Milliseconds for which a stop keeps idle connections open. A client that uses one meanwhile gets its response, which closes it. */
  readonly quiet?: number | undefined
}

export function createServer(
  app: RequestListener,
  { deadlines = DEADLINES, sendsContinue = false, quiet = 0 }: ServerSettings = {},
): AppServer {
  const listener: RequestListener = (request, response) => {
    readTarget(request)
    app(request, response)
  }
  const server = createHttpServer(
    {
      maxHeaderSize: LARGEST_HEADER,
      headersTimeout: deadlines.headers,
      requestTimeout: deadlines.request,
      // By default, Node looks for late requests every 30 seconds only.
      connectionsCheckingInterval: deadlines.headers / 10,
      keepAliveTimeout: 30 * SECOND,
      ...classesOf(app),
    },
    listener,
  )
  server.setTimeout(deadlines.idle)
  // Unknown expectations may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', listener)
  if (sendsContinue) server.on('checkContinue', listener)
  const underWay = createUnderWay(server)
  answerMalformed(server, underWay)
  return {
    start: (host, port) => listen(server, host, port),
    accept: (socket) => void server.emit('connection', socket),
    stop: (patience) => close(server, underWay, { patience, quiet }),
  }
}

/**
 * Classes for requests and responses that have the prototypes of an Express application from the start: it sets the prototypes of each
 * request and response, which costs nothing where they are the same.
 */
function classesOf(app: RequestListener): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  if (!isExpress(app)) return {}
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request)
  Object.setPrototypeOf(AppResponse.prototype, app.response)
  app.request = AppRequest.prototype as Express['request']
  app.response = AppResponse.prototype as Express['response']
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse as typeof ServerResponse }
}

function isExpress(app: RequestListener): app is Express {
  return 'request' in app && 'response' in app
}

/** Clients behind a proxy send an absolute URL: its path is the target, and its host replaces the header (RFC 9112, 3.2.2). */
function readTarget(request: IncomingMessage): void {
  const { url = '/' } = request
  if (url.startsWith('/')) return
  const [start = '', authority] = /^[a-z][a-z\d+.-]*:\/\/([^/?]*)/i.exec(url) ?? []
  if (authority !== undefined) request.headers.host = authority.slice(authority.lastIndexOf('@') + 1)
  const path = url.slice(start.length)
  request.url = path.startsWith('?') || path === '' ? `/${path}` : path
}

/** The responses of each open connection that are not sent yet, in the order of their requests. */
interface UnderWay {
  of(socket: Duplex): readonly ServerResponse[]
  /** From now on the last response of each connection says `Connection: close`, and ends it. */
  endConnections(): void
  /** Whether a response is being sent that did not say so: its connection will be idle. */
  willKeepSome(): boolean
  /** Whether a response is written whole that its client has not taken yet. */
  isFlushing(): boolean
}

function createUnderWay(server: Server): UnderWay {
  const connections = new Map<Duplex, ServerResponse[]>()
  let isEnding = false
  const isOpen = ({ closed }: ServerResponse) => !closed
  // Only a response whose head is not sent yet can say so. Pipelined requests behind it are handled too.
  const endAfterLast = (responses: readonly ServerResponse[]) => {
    for (const [index, response] of responses.entries())
      if (!response.headersSent) response.shouldKeepAlive = index < responses.length - 1
  }
  server.on('connection', (socket) => {
    connections.set(socket, [])
    socket.once('close', () => connections.delete(socket))
  })
  // Before the app, which sends some responses at once.
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const responses = connections.get(socket) ?? []
    // Nearly always there is one, which is closed: replacing it needs no listener.
    if (responses.length === 1 && responses[0]?.closed) responses[0] = response
    else connections.set(socket, [...responses.filter(isOpen), response])
    if (isEnding) endAfterLast((connections.get(socket) ?? []).filter(isOpen))
  })
  server.on('listening', () => {
    isEnding = false
  })
  return {
    of: (socket) => (connections.get(socket) ?? []).filter(isOpen),
    endConnections() {
      isEnding = true
      for (const responses of connections.values()) endAfterLast(responses.filter(isOpen))
    },
    willKeepSome: () =>
      connections.values().some((responses) => responses.some((one) => isOpen(one) && one.shouldKeepAlive)),
    isFlushing: () =>
      connections.values().some((responses) => responses.some((one) => isOpen(one) && one.writableEnded)),
  }
}

/** Answers malformed requests, unless a response has begun on that connection: the client could not tell the two apart. */
function answerMalformed(server: Server, underWay: UnderWay): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const hasBegun = underWay.of(socket).some(({ headersSent }) => headersSent)
    if (error.code === 'ECONNRESET' || !socket.writable || hasBegun) socket.destroy()
    else socket.end(malformed(error.code), () => socket.destroy())
  })
}

/** The status of a malformed request, by the code of Node's parser. */
const MALFORMED_STATUS: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** The whole response as text: there is no response object for a request that cannot be parsed. */
function malformed(code = 'no reason'): string {
  const { id, title, status, message } = httpMalformed({
    status: MALFORMED_STATUS[code] ?? 400,
    detail: `The request is not valid HTTP (${code}).`,
  })
  const body = JSON.stringify({ type: `/problems/${id}`, title, status, detail: message })
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}

/** Where clients on this machine reach a server that listens on `host`. */
export function urlOf(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => reject(new StartupError([complaint(error, host, port)]))
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
    return `${host} is not an address of this machine. Pass --host 127.0.0.1, or 0.0.0.0 for all.`
  return message
}

/** Milliseconds between two checks for idle connections. */
const SWEEP = 20

function close(
  server: Server,
  underWay: UnderWay,
  { patience, quiet }: { patience: number; quiet: number },
): Promise<void> {
  if (!server.listening) return Promise.resolve()
  underWay.endConnections()
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), patience)
    let left = quiet
    const sweep = () => {
      left = quiet > 0 && underWay.willKeepSome() ? quiet : left - SWEEP
      // setImmediate runs after the event loop has read from its sockets, so a request that has already arrived is not cut off.
      // To Node, a connection is idle when its response is written whole, though the client has yet to take its end.
      if (left <= 0) setImmediate(() => underWay.isFlushing() || server.closeIdleConnections())
    }
    const sweeps = [setTimeout(sweep), setInterval(sweep, SWEEP)]
    // http.Server's own `close` destroys idle connections at once, including those with an unread request.
    NetServer.prototype.close.call(server, () => {
      for (const timer of [cut, ...sweeps]) clearTimeout(timer)
      // All connections are closed by now; this only clears the interval that checks for late requests.
      server.close()
      resolve()
    })
  })
}
