import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartRefused } from '../problem.ts'

/** A socket for an app. */
export interface AppServer {
  /** Resolves to the port when requests are taken. @throws StartRefused when the address is not to be had */
  start(host: string, port: number): Promise<number>
  /** Lets open answers finish, for as long as `patience` (ms) at most, and closes. */
  stop(patience: number): Promise<void>
}

/** Long sort values make long tokens, and those travel in the address. */
const LARGEST_HEADER = 65_536
const SECOND = 1000

export function createServer(app: RequestListener): AppServer {
  const server = createHttpServer(
    {
      maxHeaderSize: LARGEST_HEADER,
      headersTimeout: 10 * SECOND,
      requestTimeout: 30 * SECOND,
      keepAliveTimeout: 30 * SECOND,
    },
    app,
  )
  // Whoever neither sends nor reads for so long is cut off.
  server.setTimeout(60 * SECOND)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return
    socket.end(malformed(error.code))
  })
  return {
    start: (host, port) => listen(server, host, port),
    stop: (patience) => close(server, patience),
  }
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

function close(server: Server, patience: number): Promise<void> {
  if (!server.listening) return Promise.resolve()
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), patience)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
}
