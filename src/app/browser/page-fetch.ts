import type { RequestListener } from 'node:http'
import { IN_PROCESS_URL, type InProcessFetch } from '../in-process-fetch.ts'
import { InProcessSocket, PageRequest } from './page-request.ts'
import { PageResponse } from './page-response.ts'

/** Like `createInProcessFetch`, in a page, where Node's HTTP is not there to be passed. */
export function createPageFetch(app: RequestListener): InProcessFetch {
  return async (input, init) => {
    const request = new Request(input instanceof Request ? input : new URL(input, IN_PROCESS_URL), init)
    const { signal, url } = request
    signal.throwIfAborted()
    const body = new Uint8Array(await request.arrayBuffer())
    const response = await new Promise<Response>((respond, fail) => send(request, body, { app, respond, fail }))
    return Object.defineProperty(response, 'url', { value: url })
  }
}

interface Sending {
  readonly app: RequestListener
  respond(response: Response): void
  fail(cause: Error): void
}

function send({ method, url, headers, signal }: Request, body: Uint8Array, { app, respond, fail }: Sending): void {
  const { protocol, host, pathname, search } = new URL(url)
  const response = new PageResponse({ respond, fail }, method === 'HEAD')
  const socket = new InProcessSocket(protocol === 'https:', () => void response.destroy())
  const head = { method, url: pathname + search, headers: headersOf(headers, host, method, body.length), socket }
  const abort = () => void response.destroy(signal.reason as Error)
  signal.addEventListener('abort', abort)
  response.on('close', () => signal.removeEventListener('abort', abort))
  app(new PageRequest(head, body) as never, response as never)
}

/** The headers that a request has when Node sends it. */
function headersOf(given: Headers, host: string, method: string, length: number): Record<string, string> {
  const headers: Record<string, string> = { host, accept: '*/*', ...Object.fromEntries(given) }
  // Only for the network are responses compressed.
  delete headers['accept-encoding']
  if (length > 0 || !['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method)) headers['content-length'] = String(length)
  return { ...headers, connection: 'keep-alive' }
}
