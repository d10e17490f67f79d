/** What an exchange leaves behind for the journal on its way; the stages that know it fill it in. */
export interface Trace {
  operationId: string | undefined
  /** The body of the request, once it was read. */
  received: string | undefined
  /** The body of the answer, or its beginning. */
  answered: string | undefined
  /** Whether that was not all of it. */
  isPartial: boolean
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
    next: undefined,
    hasChanged: false,
    requests,
    nextEvent: undefined,
    fault: undefined,
    defect: undefined,
  }
}

/** What was stored, and where the history goes on. */
export function traceStored(trace: Trace, events: readonly unknown[], nextEvent: number): void {
  trace.hasChanged = events.length > 0
  trace.nextEvent = nextEvent
}

/** The token to the next page, from a page's context. */
export function traceNext(trace: Trace, context: unknown): void {
  const { next } = context as { readonly next?: unknown }
  if (typeof next === 'string' && next !== '') trace.next = next
}
