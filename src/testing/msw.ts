/** Handlers for MSW: `import { handlersOf } from 'standin/msw'`. */
import { HttpHandler, HttpResponse } from 'msw'
import type { Standin } from '../app/standin.ts'
import { readTemplate } from '../contract/template.ts'
import { shown, StartupError } from '../base/errors/problem.ts'

interface HandlerOptions {
  /** Where your client sends its requests: `https://api.example.com`, with or without the path of the contract's server. */
  readonly baseUrl: string
  /** The sandbox of all requests; otherwise the header or the key of each selects it. */
  readonly sandbox?: string
}

/**
 * A handler for each operation of the contract, which a stand-in in this process responds to. Other requests stay MSW's to report.
 *
 * @throws StartupError when `baseUrl` is no address
 * @example const server = setupServer(...(await handlersOf(createStandin(), { baseUrl: 'https://api.example.com' })))
 */
export async function handlersOf(
  standin: Pick<Standin, 'control' | 'fetch'>,
  { baseUrl, sandbox }: HandlerOptions,
): Promise<HttpHandler[]> {
  const base = readBase(baseUrl)
  const { operations } = await standin.control.getInfo()
  const handlers = operations.map(({ method, path, basePath = '' }) => {
    const root = base.endsWith(basePath) ? base.slice(0, base.length - basePath.length) : base
    const { pattern } = readTemplate(root + basePath + path)
    return new HttpHandler(method, new RegExp(`^${pattern}$`), async ({ request }) => {
      const { method, signal, url } = request
      const headers = new Headers([...request.headers])
      if (sandbox !== undefined) headers.set('X-Mock-Sandbox', sandbox)
      // Not `new Request(url, request)`: in jsdom that copies the request's own members, and all of a Request's are getters.
      const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer()
      const address = new URL(url.slice(root.length), url)
      // Without a response, the connection is broken.
      return standin.fetch(address, { method, headers, body, signal }).catch(() => HttpResponse.error())
    })
  })
  return [...handlers, ...handlers.map(({ info }) => new HttpHandler('OPTIONS', info.path, allowOrigin))]
}

/** happy-dom sends preflights, which reach a handler without the headers that make them one: it removes those from every Request. */
function allowOrigin(): Response {
  return new HttpResponse(null, { status: 204, headers: { 'Access-Control-Allow-Origin': '*' } })
}

function readBase(text: string): string {
  const url = URL.parse(text)
  if (!url)
    throw new StartupError([`baseUrl has to be an address such as https://api.example.com; got ${shown(text)}.`])
  return url.origin + url.pathname.replace(/\/$/, '')
}
