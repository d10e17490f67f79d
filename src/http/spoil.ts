import { type FaultOf, type Strike } from './faults.ts'
import { finish } from './finish.ts'
import { type Exchange, setHeader } from './underway.ts'
import { traceBytes } from './trace.ts'
import { drained } from './wait.ts'
import { garbage } from '../world/fault.ts'

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
export function wireFault({ faults }: Exchange): Strike<WireFault> | undefined {
  return faults?.strikes(WIRE).next().value
}

/** Sends an answer as a fault spoils it. It never fails: what goes wrong on a broken connection is what was asked for. */
export async function sendSpoiled(ex: Exchange, answer: Answer, strike: Strike<WireFault>): Promise<void> {
  const { fault } = strike
  setHeader(ex, 'content-type', answer.contentType)
  if (fault.kind === 'garbage') {
    sendGarbage(ex, answer, strike.matched, fault)
    return
  }
  if (answer.length !== undefined) setHeader(ex, 'content-length', String(answer.length))
  ex.response.writeHead(answer.status, ex.headers)
  return fault.kind === 'truncated' ? truncate(ex, answer, fault.bytes) : drip(ex, answer, fault)
}

function sendGarbage(ex: Exchange, { status }: Answer, matched: number, { id, bytes, of }: FaultOf<'garbage'>): void {
  const { response, request, sandbox } = ex
  const rubbish = garbage(bytes, sandbox.world.seed, id, matched)
  traceBytes(ex.trace, Buffer.from(rubbish))
  ex.trace.next = undefined
  if (of === 'answer') {
    ex.trace.end = 'broken'
    response.statusCode = NO_ANSWER
    request.socket.write(rubbish)
    request.socket.destroySoon()
    return
  }
  setHeader(ex, 'content-length', String(bytes))
  response.writeHead(status, ex.headers).end(rubbish)
}

/** Half of a chunk is left where nobody said how much. All of a short answer arrives, but for its end. */
async function truncate(
  { response, request, trace }: Exchange,
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

async function drip(ex: Exchange, { chunks }: Answer, fault: FaultOf<'slow-drip'>): Promise<void> {
  const { response, house, trace } = ex
  const sent: Buffer[] = []
  response.flushHeaders()
  let waits = fault.pieces
  for (const chunk of chunks) {
    const size = Math.max(1, Math.ceil(chunk.length / fault.pieces))
    for (let at = 0; at < chunk.length; at += size) {
      if (waits-- > 0) await house.wait(fault.milliseconds / fault.pieces, response)
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
export function cut(ex: Exchange, kind: 'reset' | 'empty'): void {
  const { request, response, trace } = ex
  response.statusCode = NO_ANSWER
  trace.answered = undefined
  trace.end = 'broken'
  if (kind === 'reset') request.socket.resetAndDestroy()
  else request.socket.destroySoon()
  finish(ex, ex.leaning.rows())
}
