import type { Violation } from '../base/errors/problem.ts'

/** A request to the emulated service and its response as sent, keys included. */
export interface Exchange {
  /** Counts from 1 in each sandbox, over resets too. */
  readonly id: number
  /** Epoch ms by the sandbox's clock when the request arrived. */
  readonly arrived: number
  /** Epoch ms by the sandbox's clock when the handler ran; later than `arrived` only after a delay. */
  readonly now: number
  /** Epoch ms by the machine's clock when the response was sent. */
  readonly answeredAt: number
  /** From the head of the request to the end of the response, by the machine's monotonic clock. */
  readonly milliseconds: number
  readonly requestId: string
  /** Undefined for requests to no operation. */
  readonly operationId: string | undefined
  readonly method: string
  /** The request target as received. */
  readonly url: string
  /** Names and values by turns, as received. */
  readonly requestHeaders: readonly string[]
  /** Undefined when there was none or it was not read. */
  readonly requestBody: string | undefined
  /** Whether only the beginning of the body is kept. */
  readonly isRequestCut: boolean
  /** 0 when the connection ended without a response. */
  readonly status: number
  /** Names and values by turns, without those that Node adds. */
  readonly responseHeaders: readonly string[]
  /** Undefined when there was none and when it was dropped; see `isResponseDropped`. */
  readonly responseBody: string | undefined
  /** Whether `responseBody` is base64, since the bytes that were sent are not UTF-8. */
  readonly isResponseBinary: boolean
  /** How the response ended. */
  readonly end: ResponseEnd
  readonly isResponseCut: boolean
  /** Whether the response body was dropped to make room for later ones. */
  readonly isResponseDropped: boolean
  /** The token of the next page, for pages that have one. */
  readonly next: string | undefined
  /** Whether it changed the state. */
  readonly hasChanged: boolean
  /** How many request ids were issued, its own included. */
  readonly requests: number
  /** The number of its first event; `nextEvent` when it caused none. */
  readonly firstEvent: number
  /** The number of the sandbox's next event after it. */
  readonly nextEvent: number
  /** The behaviours that the response depended on, as in `X-Mock-Behaviours`. */
  readonly behaviours: string
  /** Why it was refused, and all violations; violations without a refusal are those that were left out (`--validation warn`). */
  readonly problem: string | undefined
  readonly issues: readonly Violation[]
  /** The kind of the fault that affected it. */
  readonly fault: string | undefined
  readonly faultId: string | undefined
  /** The id of the exchange that a browser silently repeated with this one. */
  readonly repeats: number | undefined
  /** The stack of an internal error. */
  readonly defect: string | undefined
}

/** Everything was sent, a fault or an internal error ended the connection, or the client left. */
export type ResponseEnd = 'whole' | 'broken' | 'left'

/**
 * Journals keep exchanges as texts, because JSON would take longer than a small request: fields in a fixed order, separated by a
 * character that HTTP messages have only in bodies, with the body of the request last. The body of the response is kept apart.
 */
const SEPARATOR = '\0'

/** Between the names and values of headers. */
const LINE = '\n'

const CUT_REQUEST = 1
const CUT_RESPONSE = 2
const CHANGED = 4
const HAS_BODY = 8
const HAS_OPERATION = 16
const HAS_NEXT = 32
const HAS_FAULT = 64
const BINARY = 128
const BROKEN = 256
const LEFT = 512

/** @param responsePosition where the body of the response is kept; -1 when there is none */
export function packExchange(exchange: Exchange, responsePosition: number): string {
  const { id, arrived, now, answeredAt, status, requestBody, requests, firstEvent, nextEvent, repeats = 0 } = exchange
  const flags =
    (exchange.isRequestCut ? CUT_REQUEST : 0) |
    (exchange.isResponseCut ? CUT_RESPONSE : 0) |
    (exchange.hasChanged ? CHANGED : 0) |
    (requestBody === undefined ? 0 : HAS_BODY) |
    (exchange.operationId === undefined ? 0 : HAS_OPERATION) |
    (exchange.next === undefined ? 0 : HAS_NEXT) |
    (exchange.fault === undefined ? 0 : HAS_FAULT) |
    (exchange.isResponseBinary ? BINARY : 0) |
    (exchange.end === 'broken' ? BROKEN : exchange.end === 'left' ? LEFT : 0)
  // Integers are formatted several times as fast as fractions, and no clock is finer than a microsecond.
  const microseconds = Math.round(exchange.milliseconds * 1000)
  const refusal =
    exchange.problem === undefined && exchange.issues.length === 0
      ? ''
      : JSON.stringify([exchange.problem ?? null, exchange.issues, exchange.defect])
  return (
    `${id} ${now} ${answeredAt - now} ${microseconds} ${status} ${flags} ${responsePosition} ${requests} ${nextEvent} ${nextEvent - firstEvent} ${now - arrived} ${repeats}` +
    `${SEPARATOR}${exchange.requestId}${SEPARATOR}${exchange.operationId ?? ''}${SEPARATOR}${exchange.method}${SEPARATOR}${exchange.url}` +
    `${SEPARATOR}${exchange.requestHeaders.join(LINE)}${SEPARATOR}${exchange.responseHeaders.join(LINE)}${SEPARATOR}${exchange.next ?? ''}` +
    `${SEPARATOR}${exchange.behaviours}${SEPARATOR}${exchange.fault === undefined ? '' : `${exchange.fault} ${exchange.faultId ?? ''}`}${SEPARATOR}${refusal}${SEPARATOR}${requestBody ?? ''}`
  )
}

/** Fields before the body. */
const FIELDS = 11

/** Where the body of the response of a packed exchange is kept; -1 for none. */
export function responsePositionOf(text: string): number {
  return Number(text.split(' ', 7)[6])
}

/** @param readResponse returns the body of the response at a position; undefined when it was dropped */
export function unpackExchange(text: string, readResponse: (position: number) => string | undefined): Exchange {
  let end = -1
  const fields = Array.from({ length: FIELDS }, () => {
    const start = end + 1
    end = text.indexOf(SEPARATOR, start)
    return text.slice(start, end)
  })
  const [numbers = '', requestId = '', operationId, method = '', url = '', sent = '', received = ''] = fields
  const [, , , , , , , next, behaviours = '', faults = '', refusal = ''] = fields
  const [fault, faultId] = faults.split(' ')
  const [id = 0, now = 0, later = 0, microseconds = 0, status = 0, flags = 0, ...rest] = numbers.split(' ').map(Number)
  const [position = -1, requests = 0, nextEvent = 0, events = 0, waited = 0, repeats = 0] = rest
  const responseBody = position < 0 ? undefined : readResponse(position)
  const has = (flag: number) => (flags & flag) !== 0
  const [problem, issues, defect] = (refusal === '' ? [null, [], null] : JSON.parse(refusal)) as [
    string | null,
    Violation[],
    string | null,
  ]
  return {
    id,
    arrived: now - waited,
    now,
    answeredAt: now + later,
    milliseconds: microseconds / 1000,
    requestId,
    operationId: has(HAS_OPERATION) ? operationId : undefined,
    method,
    url,
    requestHeaders: linesOf(sent),
    requestBody: has(HAS_BODY) ? text.slice(end + 1) : undefined,
    isRequestCut: has(CUT_REQUEST),
    status,
    responseHeaders: linesOf(received),
    responseBody,
    isResponseBinary: has(BINARY),
    end: has(BROKEN) ? 'broken' : has(LEFT) ? 'left' : 'whole',
    isResponseCut: has(CUT_RESPONSE),
    isResponseDropped: position >= 0 && responseBody === undefined,
    next: has(HAS_NEXT) ? next : undefined,
    hasChanged: has(CHANGED),
    requests,
    firstEvent: nextEvent - events,
    nextEvent,
    behaviours,
    problem: problem ?? undefined,
    issues,
    fault: has(HAS_FAULT) ? fault : undefined,
    faultId: has(HAS_FAULT) && faultId !== '' ? faultId : undefined,
    repeats: repeats === 0 ? undefined : repeats,
    defect: defect ?? undefined,
  }
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(LINE)
}
