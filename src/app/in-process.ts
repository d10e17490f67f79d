import { type ClientRequest, type IncomingMessage, request as sendRequest } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { InProcessSocket } from '../http/in-process-socket.ts'
import { IN_PROCESS_URL, type InProcessFetch, WITHOUT_BODY } from './in-process-fetch.ts'

/**
 * A `fetch` whose requests reach a server over a connection within the process. Redirects are not followed.
 *
 * @param accept takes the server's end of a new connection
 */
export function createInProcessFetch(accept: (socket: InProcessSocket) => void): InProcessFetch {
  return async (input, init) => {
    const request = new Request(input instanceof Request ? input : new URL(input, IN_PROCESS_URL), init)
    request.signal.throwIfAborted()
    return toResponse(await send(request, accept), request)
  }
}

function send(request: Request, accept: (socket: InProcessSocket) => void): Promise<IncomingMessage> {
  const { method, signal } = request
  const { protocol, host, pathname, search } = new URL(request.url)
  const headers = { host, accept: '*/*', ...Object.fromEntries(request.headers) }
  const createConnection = () => {
    const { client, server } = InProcessSocket.pair(protocol === 'https:')
    accept(server)
    return client
  }
  return new Promise((resolve, reject) => {
    const outgoing = sendRequest({ method, path: pathname + search, headers, createConnection })
    const abort = () => outgoing.destroy(signal.reason as Error)
    signal.addEventListener('abort', abort)
    outgoing
      .on('response', resolve)
      .on('error', (cause) => reject(failure('fetch failed', cause, signal)))
      .on('close', () => signal.removeEventListener('abort', abort))
    sendBody(request, outgoing).catch((error: unknown) => outgoing.destroy(error as Error))
  })
}

/** A body that is there at once is sent with its length, as `fetch` sends texts, and another in chunks. */
async function sendBody({ body }: Request, outgoing: ClientRequest): Promise<void> {
  if (!body) {
    outgoing.end()
    return
  }
  const pieces = body[Symbol.asyncIterator]()
  const first = await pieces.next()
  const second = pieces.next()
  const isLate = new Promise<undefined>((resolve) => setImmediate(resolve, undefined))
  if (first.done || (await Promise.race([second, isLate]))?.done) {
    outgoing.end(first.value)
    return
  }
  await pipeline(async function* () {
    yield first.value
    for (let piece = await second; !piece.done; piece = await pieces.next()) yield piece.value
  }, outgoing)
}

function toResponse(incoming: IncomingMessage, { method, url, signal }: Request): Response {
  const { statusCode = 0, statusMessage = '', rawHeaders } = incoming
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  const hasBody = method !== 'HEAD' && !WITHOUT_BODY.has(statusCode)
  if (!hasBody) incoming.resume()
  const body = hasBody ? bodyOf(incoming, signal) : null
  const response = new Response(body, { status: statusCode, statusText: statusMessage, headers })
  return Object.defineProperty(response, 'url', { value: url })
}

/** Reads as fast as the client does. One that leaves ends the connection. */
function bodyOf(incoming: IncomingMessage, signal: AbortSignal): ReadableStream<Uint8Array> {
  const pieces = incoming[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  return new ReadableStream({
    async pull(controller) {
      try {
        const piece = await pieces.next()
        if (piece.done) controller.close()
        else controller.enqueue(piece.value)
      } catch (cause) {
        controller.error(failure('terminated', cause, signal))
      }
    },
    cancel: () => void incoming.destroy(),
  })
}

/** What `fetch` rejects with. */
function failure(message: string, cause: unknown, signal: AbortSignal): Error {
  return signal.aborted ? (signal.reason as Error) : new TypeError(message, { cause })
}
