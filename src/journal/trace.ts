import { isUtf8 } from 'node:buffer'
import { LONGEST_BODY } from './exchanged.ts'
import type { ResponseEnd } from './exchanged.ts'

/** What an exchange leaves behind for the journal on its way; the stages that know it fill it in. */
export interface Trace {
  operationId: string | undefined
  /** The body of the request, once it was read. */
  received: string | undefined
  /** The body of the response as it was sent, or its beginning. */
  answered: string | undefined
  /** Whether that was not all of it. */
  isPartial: boolean
  /** Whether `answered` is base64, since the bytes that were sent are not UTF-8. */
  isBinary: boolean
  /** How the response ended. */
  end: ResponseEnd
  /** The token to the next page. */
  next: string | undefined
  /** Whether the state was changed. */
  hasChanged: boolean
  /** How many request ids were given out, that of the exchange included. */
  readonly requests: number
  /** The number of the first event that it caused; undefined when it caused none. */
  firstEvent: number | undefined
  /** The number of the next event once it was decided; undefined before. */
  nextEvent: number | undefined
  /** What kind of fault struck. */
  fault: string | undefined
  /** The id of the exchange that a browser repeated by itself with this one. */
  repeats: number | undefined
  /** The stack of a defect of the mock. */
  defect: string | undefined
}

/** @param requests how many request ids were given out */
export function createTrace(requests: number): Trace {
  return {
    operationId: undefined,
    received: undefined,
    answered: undefined,
    isPartial: false,
    isBinary: false,
    end: 'whole',
    next: undefined,
    hasChanged: false,
    requests,
    firstEvent: undefined,
    nextEvent: undefined,
    fault: undefined,
    repeats: undefined,
    defect: undefined,
  }
}

/** The bytes of a body as they were sent: as text where they are UTF-8, else as base64. */
export function traceBytes(trace: Trace, bytes: Buffer): void {
  const kept = bytes.subarray(0, LONGEST_BODY)
  if (kept.length < bytes.length) trace.isPartial = true
  // Where only the beginning is kept, its last character may be cut in two.
  const text = trace.isPartial ? textOf(kept) : isUtf8(kept) ? kept.toString() : undefined
  trace.answered = text ?? kept.toString('base64')
  trace.isBinary = text === undefined
}

/** The whole characters of a text's beginning; undefined for bytes that are not UTF-8. */
function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}

/** The token to the next page, from a page's context. */
export function traceNext(trace: Trace, context: unknown): void {
  const { next } = context as { readonly next?: unknown }
  if (typeof next === 'string' && next !== '') trace.next = next
}
