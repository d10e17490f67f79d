import { UNNUMBERED } from '../../journal/collect-exchanges.ts'
import { setHeader } from '../../http/response.ts'
import { type FaultHit, type FaultOf, garbage } from '../../engine/faults/fault.ts'
import { drained } from '../../http/wait.ts'
import { type RecordExchange, traceBytes } from '../middleware/record-exchange.ts'
import type { RequestContext, WireFault } from '../middleware/request-context.ts'

/** Faults that affect how a response is sent. */
const WIRE = ['truncated', 'garbage', 'slow-drip'] as const satisfies readonly WireFault['kind'][]

/** A response as bytes: one chunk when its length is known, or as many as it takes. */
interface ResponseBytes {
  readonly status: number
  /** Undefined where the response of a service does not say it. */
  readonly contentType: string | undefined
  readonly chunks: Iterable<Buffer> | AsyncIterable<Buffer>
  /** Undefined while it is not known. */
  readonly length: number | undefined
}

/** The first fault that affects how this response is sent. */
export function wireFault({ faults }: Pick<RequestContext, 'faults'>): FaultHit<WireFault> | undefined {
  return faults?.wire ? faults.wire[0] : faults?.strikes(WIRE).next().value
}

/** Sends a response as a fault corrupts it. It never fails: a broken connection is what was asked for. */
export async function sendCorrupted(
  context: RequestContext,
  answer: ResponseBytes,
  { fault, matched }: FaultHit<WireFault>,
): Promise<void> {
  if (answer.contentType !== undefined) setHeader(context, 'content-type', answer.contentType)
  if (fault.kind === 'garbage') {
    sendGarbage(context, answer, matched, fault)
    return
  }
  if (answer.length !== undefined) setHeader(context, 'content-length', String(answer.length))
  context.response.writeHead(answer.status, context.headers)
  return fault.kind === 'truncated' ? truncate(context, answer, fault) : drip(context, answer, fault)
}

function sendGarbage(
  context: RequestContext,
  { status }: ResponseBytes,
  matched: number,
  { id, bytes, of }: FaultOf<'garbage'>,
): void {
  const { response, request, sandbox } = context
  const bytesSent = garbage(bytes, sandbox.state.seed, id, matched)
  traceBytes(context.trace, Buffer.from(bytesSent))
  context.trace.next = undefined
  if (of === 'answer') {
    context.trace.end = 'broken'
    response.statusCode = NO_RESPONSE
    request.socket.write(bytesSent)
    request.socket.destroySoon()
    return
  }
  setHeader(context, 'content-length', String(bytes))
  response.writeHead(status, context.headers).end(bytesSent)
}

/** Sends half of a chunk by default, and never the end of a body whose length is known. */
async function truncate(
  { response, request, trace }: RequestContext,
  { chunks, length }: ResponseBytes,
  { bytes, events = 0 }: FaultOf<'truncated'>,
): Promise<void> {
  const sent: Buffer[] = []
  response.flushHeaders()
  let left = bytes
  let whole = length === undefined ? events : 0
  for await (const chunk of chunks) {
    if (whole-- > 0) {
      sent.push(chunk)
      if (!response.write(chunk)) await drained(response)
      continue
    }
    left ??= Math.floor(chunk.length / 2)
    const part = chunk.subarray(0, Math.min(left, length === undefined ? Infinity : length - 1))
    left -= part.length
    sent.push(part)
    if (part.length > 0) await new Promise((resolve) => response.write(part, resolve))
    if (left === 0 || part.length < chunk.length || response.destroyed) break
  }
  trace.end = 'broken'
  // The token is at the end of a page, so the client did not get it.
  trace.next = undefined
  trace.isPartial = false
  traceBytes(trace, Buffer.concat(sent))
  request.socket.destroySoon()
}

async function drip(context: RequestContext, { chunks }: ResponseBytes, fault: FaultOf<'slow-drip'>): Promise<void> {
  const { response, wait, trace } = context
  const sent: Buffer[] = []
  response.flushHeaders()
  let waits = fault.pieces
  for await (const chunk of chunks) {
    const size = Math.max(1, Math.ceil(chunk.length / fault.pieces))
    for (let at = 0; at < chunk.length; at += size) {
      if (waits-- > 0) await wait(fault.milliseconds / fault.pieces, response)
      if (response.destroyed) {
        trace.end = 'left'
        traceBytes(trace, Buffer.concat(sent))
        return
      }
      const piece = chunk.subarray(at, at + size)
      sent.push(piece)
      if (!response.write(piece)) await drained(response)
    }
  }
  response.end()
}

/** What the log shows for an exchange without a response. */
const NO_RESPONSE = 0

/** Ends the connection without a response: by a reset, or in order. */
export function cut(context: RequestContext, kind: 'reset' | 'empty', record: RecordExchange): void {
  const { request, response, trace } = context
  response.statusCode = NO_RESPONSE
  trace.answered = undefined
  trace.end = 'broken'
  if (kind === 'reset') request.socket.resetAndDestroy()
  else request.socket.destroySoon()
  record(context, context.tracker.used())
}

/**
 * Chromium silently repeats a request whose kept-alive connection ends before the first byte of the response. A reset that applies
 * once would never be seen there, because the second request succeeds. So the same bytes of a browser on another connection within
 * 100 ms get the same fault again. Programs retry because they mean to.
 */
export interface SilentRetries {
  /** Ends a request without a response. */
  end(context: RequestContext, kind: 'reset' | 'empty'): void
  /** Ends a request that a browser repeats like the one before, without another fault. @returns whether it is one */
  endAgain(context: RequestContext): boolean
}

/** By the machine's monotonic clock. Chromium needs a few milliseconds. */
const WINDOW = 100

/** How many requests are remembered. */
const MAX_REMEMBERED = 64

interface Ended {
  readonly text: string
  readonly socket: unknown
  readonly until: number
  readonly kind: 'reset' | 'empty'
  readonly exchangeId: number
}

interface RetryDependencies {
  /** Milliseconds by the machine's monotonic clock. */
  elapsed(): number
  readonly record: RecordExchange
}

export function createSilentRetries({ elapsed, record }: RetryDependencies): SilentRetries {
  let ended: Ended[] = []
  const end = (context: RequestContext, kind: Ended['kind'], repeats?: number): void => {
    const { socket, headers } = context.request
    // Chromium repeats a request only when its connection has had a response before.
    const isRepeated = socket.bytesWritten > 0 && headers['user-agent']?.startsWith('Mozilla/') === true
    cut(context, kind, record)
    if (!isRepeated) return
    const { journal, shared } = context.sandbox
    const exchangeId = repeats ?? (shared?.exchanges ? UNNUMBERED : journal.last)
    ended = [...ended, { text: textOf(context), socket, until: elapsed() + WINDOW, kind, exchangeId }]
    ended = ended.slice(-MAX_REMEMBERED)
  }
  return {
    end,
    endAgain(context) {
      if (ended.length === 0) return false
      const now = elapsed()
      ended = ended.filter(({ until }) => until >= now)
      const text = ended.length > 0 ? textOf(context) : ''
      const found = ended.find((one) => one.text === text && one.socket !== context.request.socket)
      if (!found) return false
      ended = ended.filter((one) => one !== found)
      context.trace.fault = found.kind
      context.trace.repeats = found.exchangeId
      end(context, found.kind, found.exchangeId)
      return true
    },
  }
}

function textOf({ request, sandbox, trace }: RequestContext): string {
  return JSON.stringify([sandbox.name, request.method, request.url, request.rawHeaders, trace.received])
}
