import type { Exchanged } from './exchanged.ts'
import type { Violation } from '../errors/problem.ts'

/**
 * An exchange as a text, its answer's body apart: members one after the other, with a character between them that no HTTP message
 * can have outside of its body, and the body last. Making JSON of it would take longer than a small request.
 */
const BETWEEN = '\0'

/** Between the names and values of headers. */
const LINE = '\n'

/** @param answerPlace where the body of the answer is kept; -1 for nowhere */
export function packExchange(exchange: Exchanged, answerPlace: number): string {
  const { id, now, answeredAt, milliseconds, status, requestBody } = exchange
  const flags =
    (exchange.isRequestCut ? CUT_REQUEST : 0) |
    (exchange.isAnswerCut ? CUT_ANSWER : 0) |
    (exchange.hasChanged ? CHANGED : 0) |
    (requestBody === undefined ? 0 : HAS_BODY) |
    (exchange.operationId === undefined ? 0 : HAS_OPERATION) |
    (exchange.next === undefined ? 0 : HAS_NEXT) |
    (exchange.fault === undefined ? 0 : HAS_FAULT) |
    (exchange.isAnswerBinary ? BINARY : 0) |
    (exchange.end === 'broken' ? BROKEN : exchange.end === 'left' ? LEFT : 0)
  // Most answers are no refusals, and then there is nothing to be written with care.
  // Whole numbers are written several times as fast as others, and no clock is better than a microsecond.
  const microseconds = Math.round(milliseconds * 1000)
  const refusal =
    exchange.problem === undefined ? '' : JSON.stringify([exchange.problem, exchange.issues, exchange.defect])
  return (
    `${id} ${now} ${answeredAt - now} ${microseconds} ${status} ${flags} ${answerPlace} ${exchange.requests} ${exchange.nextEvent} ${exchange.nextEvent - exchange.firstEvent} ${now - exchange.arrived} ${exchange.repeats ?? 0}` +
    `${BETWEEN}${exchange.requestId}${BETWEEN}${exchange.operationId ?? ''}${BETWEEN}${exchange.method}${BETWEEN}${exchange.url}` +
    `${BETWEEN}${exchange.requestHeaders.join(LINE)}${BETWEEN}${exchange.answerHeaders.join(LINE)}${BETWEEN}${exchange.next ?? ''}` +
    `${BETWEEN}${exchange.rows}${BETWEEN}${exchange.fault ?? ''}${BETWEEN}${refusal}${BETWEEN}${requestBody ?? ''}`
  )
}

const CUT_REQUEST = 1
const CUT_ANSWER = 2
const CHANGED = 4
const HAS_BODY = 8
const HAS_OPERATION = 16
const HAS_NEXT = 32
const HAS_FAULT = 64
const BINARY = 128
const BROKEN = 256
const LEFT = 512
/** Members before the body. */
const MEMBERS = 11

/** @param readAnswer the body of the answer at a place; undefined when it is not kept any more */
export function unpackExchange(text: string, readAnswer: (place: number) => string | undefined): Exchanged {
  let end = -1
  const members = Array.from({ length: MEMBERS }, () => {
    const start = end + 1
    end = text.indexOf(BETWEEN, start)
    return text.slice(start, end)
  })
  const [numbers = '', requestId = '', operationId, method = '', url = '', requested = '', answered = ''] = members
  const [, , , , , , , next, rows = '', fault, refusal = ''] = members
  const [id = 0, now = 0, later = 0, microseconds = 0, status = 0, flags = 0, ...places] = numbers
    .split(' ')
    .map(Number)
  const [place = -1, requests = 0, nextEvent = 0, events = 0, waited = 0, repeats = 0] = places
  const answerBody = place < 0 ? undefined : readAnswer(place)
  const [problem, issues, defect] = (refusal === '' ? [undefined, [], null] : JSON.parse(refusal)) as [
    string | undefined,
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
    operationId: flags & HAS_OPERATION ? operationId : undefined,
    method,
    url,
    requestHeaders: linesOf(requested),
    requestBody: flags & HAS_BODY ? text.slice(end + 1) : undefined,
    isRequestCut: (flags & CUT_REQUEST) !== 0,
    status,
    answerHeaders: linesOf(answered),
    answerBody,
    isAnswerBinary: (flags & BINARY) !== 0,
    end: flags & BROKEN ? 'broken' : flags & LEFT ? 'left' : 'whole',
    isAnswerCut: (flags & CUT_ANSWER) !== 0,
    isAnswerForgotten: place >= 0 && answerBody === undefined,
    next: flags & HAS_NEXT ? next : undefined,
    hasChanged: (flags & CHANGED) !== 0,
    requests,
    firstEvent: nextEvent - events,
    nextEvent,
    rows,
    problem,
    issues,
    fault: flags & HAS_FAULT ? fault : undefined,
    repeats: repeats === 0 ? undefined : repeats,
    defect: defect ?? undefined,
  }
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(LINE)
}
