import { isPreflight } from './browsers.ts'
import type { Exchange } from './underway.ts'
import type { LeanedRows } from '../behaviours/leaning.ts'
import type { Problem } from '../problem.ts'
import { keepText, LONGEST_BODY } from '../sandbox/exchanged.ts'

/** The end of every exchange: it is journaled, told to listeners, counted, and logged. */
export function finish(ex: Exchange, leaned: LeanedRows, problem?: Problem): void {
  if (isPreflight(ex.request)) return finishPreflight(ex, leaned, problem)
  const { request, response, house, requestId, sandbox, trace, now, started } = ex
  const { method = '', url = '', rawHeaders } = request
  const milliseconds = house.elapsed() - started
  // A client that left before the first byte was sent nothing, whatever was decided.
  const isUnsent = trace.end === 'whole' && response.destroyed && !response.writableEnded
  const status = response.headersSent && !isUnsent ? response.statusCode : 0
  const { journal, feed } = sandbox
  const { received } = trace
  const answered = isUnsent ? undefined : trace.answered
  const nextEvent = trace.nextEvent ?? sandbox.nextEvent
  journal.record({
    id: journal.last + 1,
    arrived: ex.arrived,
    now,
    answeredAt: house.realNow(),
    milliseconds,
    requestId,
    operationId: trace.operationId,
    method,
    url,
    requestHeaders: rawHeaders,
    requestBody: received === undefined ? undefined : keepText(received),
    isRequestCut: received !== undefined && received.length > LONGEST_BODY,
    status,
    answerHeaders: status === 0 ? NONE : ex.headers,
    answerBody: answered,
    isAnswerBinary: trace.isBinary,
    end: isUnsent ? 'left' : trace.end,
    isAnswerCut: trace.isPartial || (answered !== undefined && answered.length > LONGEST_BODY),
    isAnswerForgotten: false,
    next: trace.next,
    hasChanged: trace.hasChanged,
    requests: trace.requests,
    firstEvent: trace.firstEvent ?? nextEvent,
    nextEvent,
    rows: leaned.text,
    problem: problem?.message,
    issues: problem?.violations ?? NONE,
    fault: trace.fault,
    repeats: trace.repeats,
    defect: trace.defect,
  })
  feed.tellExchange(journal.last)
  house.metrics.count(trace.operationId, status, milliseconds, trace.fault)
  logExchange(ex, { status, milliseconds, leaned, problem })
}

/** A browser sends preflights by itself and keeps the answers, so they are no exchanges of the client: they are counted apart and logged. */
function finishPreflight(ex: Exchange, leaned: LeanedRows, problem?: Problem): void {
  const { response, house, started } = ex
  const status = response.headersSent ? response.statusCode : 0
  house.metrics.countPreflight(status)
  logExchange(ex, { status, milliseconds: house.elapsed() - started, leaned, problem })
}

interface Finished {
  readonly status: number
  readonly milliseconds: number
  readonly leaned: LeanedRows
  readonly problem: Problem | undefined
}

function logExchange(ex: Exchange, { status, milliseconds, leaned, problem }: Finished): void {
  const { house, request, requestId } = ex
  if (house.log.isSilent) return
  const { method = '', url = '', rawHeaders } = request
  const { redactor } = house
  const keys = redactor.keysOf({ requestHeaders: rawHeaders, url })
  house.log.exchange({
    requestId,
    sandbox: nameOf(ex),
    method,
    url: redactor.text(redactor.url(url), keys),
    status,
    milliseconds,
    rows: leaned.ids,
    problem: problem && redactor.text(problem.message, keys) + whereAll(ex, problem),
  })
}

/** Of the sandbox, as URLs may have it; undefined for the default one, which nobody has to name. */
function nameOf({ house, sandbox }: Exchange): string | undefined {
  return sandbox === house.sandboxes.default ? undefined : sandbox.name
}

/** A line tells the first of several things that are wrong, and where the others are. */
function whereAll(ex: Exchange, { violations }: Problem): string {
  if (violations.length < 2) return ''
  const { house, sandbox } = ex
  const name = nameOf(ex)
  const which = name === undefined ? '' : `?sandbox=${name}`
  const journal = house.control ? `, and in GET /__mock/journal/${sandbox.journal.last}${which}` : ''
  return `: all are in the answer${journal}`
}

const NONE: readonly never[] = []
