import { type BodyText, keepPage, keepText, LONGEST_BODY } from '../sandbox/exchanged.ts'

/** What an exchange leaves behind for the journal on its way; the stages that know it fill it in. */
export interface Trace {
  operationId: string | undefined
  /** The body of the request, once it was read. */
  received: string | undefined
  isReceivedCut: boolean
  answered: BodyText | undefined
  isAnsweredCut: boolean
  /** The token to the next page. */
  next: string | undefined
  /** Whether the world was changed. */
  hasChanged: boolean
  /** How many request ids were given out, that of the exchange included. */
  readonly requests: number
  /** Where the history went on once it was decided; undefined when it was refused. */
  nextEvent: number | undefined
  /** What kind of fault struck. */
  fault: string | undefined
}

/** @param requests how many request ids were given out */
export function createTrace(requests: number): Trace {
  return {
    operationId: undefined,
    received: undefined,
    isReceivedCut: false,
    answered: undefined,
    isAnsweredCut: false,
    next: undefined,
    hasChanged: false,
    requests,
    nextEvent: undefined,
    fault: undefined,
  }
}

/** What was stored, and where the history goes on. */
export function traceStored(trace: Trace, events: readonly unknown[], nextEvent: number): void {
  trace.hasChanged = events.length > 0
  trace.nextEvent = nextEvent
}

export function traceReceived(trace: Trace, text: string): void {
  trace.received = keepText(text)
  trace.isReceivedCut = text.length > LONGEST_BODY
}

export function traceAnswered(trace: Trace, text: string): void {
  trace.answered = keepText(text)
  trace.isAnsweredCut = text.length > LONGEST_BODY
}

/** @param context of the page, as a value and as JSON text */
export function tracePage(trace: Trace, fragments: readonly string[], context: unknown, contextText: string): void {
  const { body, isCut } = keepPage(fragments, contextText)
  trace.answered = body
  trace.isAnsweredCut = isCut
  traceNext(trace, context)
}

/** What was sent of a page whose entries were not gathered. */
export function traceStream(trace: Trace, start: string, isWhole: boolean, context: unknown): void {
  trace.answered = start
  trace.isAnsweredCut = !isWhole
  traceNext(trace, context)
}

function traceNext(trace: Trace, context: unknown): void {
  const { next } = context as { readonly next?: unknown }
  if (typeof next === 'string' && next !== '') trace.next = next
}
