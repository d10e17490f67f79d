import { Agent, type ClientRequest, request as requestHttp, type RequestOptions } from 'node:http'
import { Agent as TlsAgent, request as requestHttps } from 'node:https'
import { shown, StartupError, type Problem } from '../../base/errors/problem.ts'
import { upstreamBroken, upstreamUnreachable } from '../../base/errors/proxy-errors.ts'

/** The service that requests are forwarded to. */
export interface Upstream {
  /** Its address without a trailing slash, as messages show it. */
  readonly name: string
  readonly host: string
  /** The path of its address: empty, or `/api/v2`. */
  readonly prefix: string
  /** Milliseconds that it may send nothing for. */
  readonly timeout: number
  /**
   * Begins a request.
   *
   * @param isFresh whether it must have a connection of its own
   */
  request(options: Pick<RequestOptions, 'method' | 'path' | 'headers'>, isFresh: boolean): ClientRequest
  /** Closes the connections that are kept. */
  close(): void
}

/** At once; further requests wait for one of these. */
const MAX_CONNECTIONS = 256
/** Milliseconds. Servers close idle connections, Node's after five seconds, and a request that meets such an end fails. */
const IDLE = 4000
/** As much as Standin itself takes. */
const LARGEST_HEADER = 65_536

/**
 * @param setting what messages call the address
 * @throws StartupError for what is no address of a service
 */
export function createUpstream(address: string, timeout: number, setting = '--upstream'): Upstream {
  const url = readAddress(address, setting)
  const isSecure = url.protocol === 'https:'
  const agent = new (isSecure ? TlsAgent : Agent)({ keepAlive: true, maxSockets: MAX_CONNECTIONS, timeout: IDLE })
  const start = isSecure ? requestHttps : requestHttp
  const place = {
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
    timeout,
    maxHeaderSize: LARGEST_HEADER,
  }
  const prefix = url.pathname.replace(/\/+$/, '')
  return {
    name: url.origin + prefix,
    host: url.host,
    prefix,
    timeout,
    request: (options, isFresh) => start({ ...place, ...options, agent: isFresh ? false : agent }),
    close: () => agent.destroy(),
  }
}

function readAddress(address: string, setting: string): URL {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new StartupError([
      `${setting}: Expected the address of a service, such as https://api.example.com/v2; got ${shown(withoutUser(address))}.`,
    ])
  if (url.username === '' && url.password === '') return url
  throw new StartupError([
    `${setting}: Expected an address without user and password, such as ${url.protocol}//${url.host}. Let your client send them.`,
  ])
}

function withoutUser(address: string): string {
  return address.replace(/\/\/[^/@]*@/, '//')
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to its network',
  ETIMEDOUT: 'it did not accept the connection',
}

/** Why a request has no response. */
export function failureOf({ name }: Pick<Upstream, 'name'>, error: NodeJS.ErrnoException): Problem {
  const { code = '', message } = inner(error)
  if (code.startsWith('HPE_')) return upstreamBroken({ detail: `${name} sent what is not HTTP (${code}).` })
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return upstreamBroken({ detail: `${name} closed the connection without a response (${code}).` })
  const reason = REASONS[code]
  return upstreamUnreachable({ detail: `${name}: ${reason === undefined ? message : `${reason} (${code})`}.` })
}

/** A host with several addresses fails with an error for each. */
function inner(error: NodeJS.ErrnoException): NodeJS.ErrnoException {
  const [first] = error instanceof AggregateError ? (error.errors as NodeJS.ErrnoException[]) : []
  return first ?? error
}
