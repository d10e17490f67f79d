import { Agent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { StartupError } from '../../base/errors/problem.ts'
import { decompress, textOf } from './content.ts'
import { headersOf, type RecordedExchange, type RecordedRequest, type RecordedResponse } from './recorded-exchange.ts'

export interface TargetOptions {
  /** Address of the service: scheme, host and base path. */
  readonly url: string
  /** Requests a second, at most. */
  readonly rate: number
  /** Milliseconds for one exchange. */
  readonly timeout: number
  /** The machine's clocks: epoch ms, and ms since any moment. */
  readonly machine: { readonly realNow: () => number; readonly elapsed: () => number }
  /** Ends what waits. */
  readonly signal: AbortSignal
}

/** A service that requests are sent to, one after the other. */
export interface Target {
  /** The request exactly as given, but for `Host` and `Content-Length`. Status 0 with the reason as its body when none came. */
  send(request: RecordedRequest): Promise<RecordedExchange>
}

/** Bytes of a response that are read; what is longer is not whole. */
const LONGEST_RESPONSE = 64 * 1024 * 1024
const LONGEST_CONTENT = 4 * LONGEST_RESPONSE

/** Milliseconds. A connection that nothing was sent on for longer is not used again: the service may be about to close it. */
const LONGEST_IDLE = 1000

export function createTarget({ url, rate, timeout, machine, signal }: TargetOptions): Target {
  const base = new URL(url)
  const prefix = base.pathname.replace(/\/+$/, '')
  const waitForTurn = createTurns(rate, machine.elapsed, signal)
  const createAgent = () => new (base.protocol === 'https:' ? HttpsAgent : Agent)({ keepAlive: true })
  let agent = createAgent()
  let sent = 0
  let ended = 0
  return {
    async send(request) {
      await waitForTurn()
      const [at, started] = [machine.realNow(), machine.elapsed()]
      if (started - ended > LONGEST_IDLE) agent = createAgent()
      const response = await exchange(base, prefix, request, { timeout, signal, agent })
      ended = machine.elapsed()
      const milliseconds = ended - started
      return { source: `request ${++sent}`, at, milliseconds, request, response }
    },
  }
}

/** @throws the reason of the signal */
function createTurns(rate: number, elapsed: () => number, signal: AbortSignal): () => Promise<void> {
  const every = 1000 / rate
  let next = 0
  return async () => {
    signal.throwIfAborted()
    const now = elapsed()
    const wait = Math.max(0, next - now)
    next = Math.max(now, next) + every
    // Timers are exact to a millisecond.
    if (wait >= 1) await pause(wait, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

interface RequestLimits extends Pick<TargetOptions, 'timeout' | 'signal'> {
  readonly agent: Agent
}

function exchange(
  base: URL,
  prefix: string,
  { method, url, headers, body }: RecordedRequest,
  { timeout, signal, agent }: RequestLimits,
): Promise<RecordedResponse> {
  const start = base.protocol === 'https:' ? requestHttps : requestHttp
  const fields = headers.flatMap(({ name, value }) => [name, value])
  // Without a length Node sends what may have a body in chunks, which says that there is one.
  const isBare = body === undefined && /^(?:GET|HEAD|OPTIONS|TRACE)$/.test(method)
  const length = isBare ? [] : ['Content-Length', String(Buffer.byteLength(body ?? ''))]
  const timer = AbortSignal.timeout(timeout)
  const options = {
    protocol: base.protocol,
    hostname: base.hostname.replace(/^\[|\]$/g, ''),
    port: base.port,
    path: prefix + url,
    method,
    headers: ['Host', base.host, ...fields, ...length],
    signal: AbortSignal.any([signal, timer]),
    agent,
  }
  return new Promise((resolve, reject) => {
    const settle = (response: RecordedResponse) => {
      if (signal.aborted) reject(signal.reason as Error)
      else resolve(response)
    }
    try {
      const sent = start(options, (response) => void readResponse(response).then(settle))
      sent.on('error', (error) => {
        settle(noResponse(timer.aborted ? `no response within ${timeout / 1000} s` : reasonOf(error)))
      })
      sent.end(body)
    } catch (error) {
      // Node refuses characters that HTTP does not allow.
      reject(new StartupError([`${method} ${url}: it cannot be sent: ${String(error)}.`]))
    }
  })
}

async function readResponse(response: IncomingMessage): Promise<RecordedResponse> {
  const chunks: Buffer[] = []
  let size = 0
  response.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= LONGEST_RESPONSE) chunks.push(chunk)
    else response.destroy()
  })
  // `close` follows.
  response.on('error', () => undefined)
  await new Promise((resolve) => response.once('close', resolve))
  const head = { status: response.statusCode ?? 0, headers: headersOf(response.rawHeaders) }
  const content = decompress(Buffer.concat(chunks), response.headers['content-encoding'], LONGEST_CONTENT)
  return { ...head, body: textOf(content), isWhole: content !== undefined && response.complete }
}

function noResponse(reason: string): RecordedResponse {
  return { status: 0, headers: [], body: reason, isWhole: false }
}

function reasonOf(error: Error): string {
  const inner = error instanceof AggregateError ? (error.errors[0] as Error | undefined) : undefined
  return (inner ?? error).message || 'the connection failed'
}
