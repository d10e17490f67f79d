import { fileURLToPath } from 'node:url'
import {
  createInstance,
  getHttpOperationsFromSpec,
  type IHttpProxyConfig,
  type IHttpRequest,
  type PrismHttpInstance,
} from '@stoplight/prism-http'
import { pino } from 'pino'
import type { WildRequest } from '../random/wild.ts'

/** What Prism has against a request or an answer. */
export interface Complaint {
  readonly message: string
  /** From `body`, `query`, `path` or `headers` on. Absent when no operation of the contract was meant. */
  readonly path?: readonly string[]
}

/** An exchange as Prism saw it. */
export interface Proxied {
  readonly sent: WildRequest
  /** The body of the request as Prism read it. */
  readonly body: unknown
  readonly status: number
  readonly ofRequest: readonly Complaint[]
  readonly ofAnswer: readonly Complaint[]
}

export interface PrismProxy {
  /** Undefined when Prism itself cannot read the request: no URL, no media type, a GET with a body. */
  send(request: WildRequest): Promise<Proxied | undefined>
}

/**
 * What `prism proxy CONTRACT URL` is made of, without its socket: it sends every request on, also a wrong one, and holds request and
 * answer against the contract.
 *
 * @param contract as seen from the root of the repository
 */
export async function createPrismProxy(contract: string, url: string): Promise<PrismProxy> {
  const operations = await getHttpOperationsFromSpec(fileURLToPath(new URL(`../../../${contract}`, import.meta.url)))
  const config: IHttpProxyConfig = {
    isProxy: true,
    upstream: new URL(url),
    upstreamProxy: undefined,
    checkSecurity: true,
    validateRequest: true,
    validateResponse: true,
    errors: false,
    mock: { dynamic: false },
  }
  const prism = createInstance(config, { logger: pino({ level: 'silent' }) })
  return {
    async send(sent) {
      const came = await forward(prism, operations, sent).catch(() => undefined)
      if (came?.answer._tag !== 'Right') return undefined
      const { output, validations } = came.answer.right
      return {
        sent,
        body: came.body,
        status: output.statusCode,
        ofRequest: validations.input,
        ofAnswer: validations.output,
      }
    },
  }
}

type Operations = Parameters<PrismHttpInstance['request']>[1]

async function forward(prism: PrismHttpInstance, operations: Operations, sent: WildRequest) {
  const input = read(sent)
  return { body: input.body, answer: await prism.request(input, operations)() }
}

/** A request as Prism's own server reads it. @throws TypeError when the target is no URL */
function read({ method, target, headers, body }: WildRequest): IHttpRequest {
  const { pathname, searchParams } = new URL(target, 'http://localhost')
  const names = [...new Set(searchParams.keys())]
  const query = names.map((name) => {
    const [first = '', ...more] = searchParams.getAll(name)
    return [name, more.length === 0 ? first : [first, ...more]] as const
  })
  return {
    method: method.toLowerCase() as IHttpRequest['method'],
    url: { path: pathname, query: Object.fromEntries(query) },
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    body: parse(Buffer.from(body, 'latin1').toString()),
  }
}

/** What is no object or array stays text: Prism sends nothing on for a body of 0, false or null. */
function parse(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' ? (value ?? text) : text
  } catch {
    return text
  }
}
