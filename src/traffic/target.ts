import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isUtf8 } from 'node:buffer'
import { setTimeout as pause } from 'node:timers/promises'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import { promisify } from 'node:util'
import { StartupError } from '../errors/problem.ts'
import type { Header, RecordedExchange, RecordedRequest, RecordedResponse } from './recorded-exchange.ts'

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

export function createTarget({ url, rate, timeout, machine, signal }: TargetOptions): Target {
  const base = new URL(url)
  const prefix = base.pathname.replace(/\/+$/, '')
  const waitForTurn = createTurns(rate, machine.elapsed, signal)
  let sent = 0
  return {
    async send(request) {
      await waitForTurn()
      const [at, started] = [machine.realNow(), machine.elapsed()]
      const response = await exchange(base, prefix, request, { timeout, signal })
      const milliseconds = machine.elapsed() - started
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

interface Limits {
  readonly timeout: number
  readonly signal: AbortSignal
}

function exchange(
  base: URL,
  prefix: string,
  { method, url, headers, body }: RecordedRequest,
  { timeout, signal }: Limits,
): Promise<RecordedResponse> {
  const start = base.protocol === 'https:' ? requestHttps : requestHttp
  const fields = headers.flatMap(({ name, value }) => [name, value])
  const length = body === undefined ? [] : ['Content-Length', String(Buffer.byteLength(body))]
  const timer = AbortSignal.timeout(timeout)
  const options = {
    protocol: base.protocol,
    hostname: base.hostname.replace(/^\[|\]$/g, ''),
    port: base.port,
    path: prefix + url,
    method,
    headers: ['Host', base.host, ...fields, ...length],
    signal: AbortSignal.any([signal, timer]),
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
  const head = { status: response.statusCode ?? 0, headers: pairs(response.rawHeaders) }
  try {
    const body = await decode(Buffer.concat(chunks), response.headers['content-encoding'])
    return { ...head, body, isWhole: response.complete }
  } catch {
    return { ...head, body: undefined, isWhole: false }
  }
}

function noResponse(reason: string): RecordedResponse {
  return { status: 0, headers: [], body: reason, isWhole: false }
}

function reasonOf(error: Error): string {
  const inner = error instanceof AggregateError ? (error.errors[0] as Error | undefined) : undefined
  return (inner ?? error).message || 'the connection failed'
}

function pairs(raw: readonly string[]): Header[] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [{ name, value: raw[at + 1] ?? '' }] : []))
}

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Promise<Buffer>>> = {
  gzip: promisify<Buffer, Buffer>(gunzip),
  deflate: promisify<Buffer, Buffer>(inflate),
  br: promisify<Buffer, Buffer>(brotliDecompress),
  zstd: promisify<Buffer, Buffer>(zstdDecompress),
}

/** Undefined for what is not UTF-8. @throws for what cannot be decompressed */
async function decode(bytes: Buffer, encoding: string | undefined): Promise<string | undefined> {
  const decoder = encoding === undefined ? undefined : DECODERS[encoding.toLowerCase()]
  const content = decoder && bytes.length > 0 ? await decoder(bytes) : bytes
  return isUtf8(content) ? content.toString() : undefined
}
