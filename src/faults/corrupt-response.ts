import type { FaultHit, FaultOf } from './fault.ts'
import { finish } from '../journal/record-exchange.ts'
import type { RequestContext } from '../app/request-context.ts'
import { setHeader } from '../engine/request-context.ts'
import { traceBytes } from '../journal/trace.ts'
import { drained } from '../http/wait.ts'
import { garbage } from './fault.ts'

/** Faults that spoil an answer on its way. */
const WIRE = ['truncated', 'garbage', 'slow-drip'] as const

type WireFault = FaultOf<(typeof WIRE)[number]>

/** An answer as bytes: one chunk when its length is known, or as many as it takes. */
export interface Answer {
  readonly status: number
  readonly contentType: string
  readonly chunks: Iterable<Buffer>
  /** Undefined while it is not known. */
  readonly length: number | undefined
}

/** The first fault of the wire that strikes this exchange's answer. */
export function wireFault({ faults }: RequestContext): FaultHit<WireFault> | undefined {
  return faults?.strikes(WIRE).next().value
}

/** Sends an answer as a fault spoils it. It never fails: what goes wrong on a broken connection is what was asked for. */
export async function sendCorrupted(
  context: RequestContext,
  answer: Answer,
  strike: FaultHit<WireFault>,
): Promise<void> {
  const { fault } = strike
  setHeader(context, 'content-type', answer.contentType)
  if (fault.kind === 'garbage') {
    sendGarbage(context, answer, strike.matched, fault)
    return
  }
  if (answer.length !== undefined) setHeader(context, 'content-length', String(answer.length))
  context.response.writeHead(answer.status, context.headers)
  return fault.kind === 'truncated' ? truncate(context, answer, fault.bytes) : drip(context, answer, fault)
}

function sendGarbage(
  context: RequestContext,
  { status }: Answer,
  matched: number,
  { id, bytes, of }: FaultOf<'garbage'>,
): void {
  const { response, request, sandbox } = context
  const rubbish = garbage(bytes, sandbox.state.seed, id, matched)
  traceBytes(context.trace, Buffer.from(rubbish))
  context.trace.next = undefined
  if (of === 'answer') {
    context.trace.end = 'broken'
    response.statusCode = NO_ANSWER
    request.socket.write(rubbish)
    request.socket.destroySoon()
    return
  }
  setHeader(context, 'content-length', String(bytes))
  response.writeHead(status, context.headers).end(rubbish)
}

/** By default half of a chunk is sent. A short body arrives whole, except for its end. */
async function truncate(
  { response, request, trace }: RequestContext,
  { chunks, length }: Answer,
  bytes?: number,
): Promise<void> {
  const sent: Buffer[] = []
  response.flushHeaders()
  let left = bytes
  for (const chunk of chunks) {
    left ??= Math.floor(chunk.length / 2)
    const part = chunk.subarray(0, Math.min(left, length === undefined ? Infinity : length - 1))
    left -= part.length
    sent.push(part)
    if (part.length > 0) await new Promise((resolve) => response.write(part, resolve))
    if (left === 0 || part.length < chunk.length || response.destroyed) break
  }
  trace.end = 'broken'
  // The token stands at the end of a page, so the client has none.
  trace.next = undefined
  trace.isPartial = false
  traceBytes(trace, Buffer.concat(sent))
  request.socket.destroySoon()
}

async function drip(context: RequestContext, { chunks }: Answer, fault: FaultOf<'slow-drip'>): Promise<void> {
  const { response, wait, trace } = context
  const sent: Buffer[] = []
  response.flushHeaders()
  let waits = fault.pieces
  for (const chunk of chunks) {
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

/** What the log shows of an exchange without an answer. */
const NO_ANSWER = 0

/** Ends the connection without an answer: as if it had broken, or in order. */
export function cut(context: RequestContext, kind: 'reset' | 'empty'): void {
  const { request, response, trace } = context
  response.statusCode = NO_ANSWER
  trace.answered = undefined
  trace.end = 'broken'
  if (kind === 'reset') request.socket.resetAndDestroy()
  else request.socket.destroySoon()
  finish(context, context.tracker.used())
}
