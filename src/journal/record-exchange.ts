import { isPreflight } from '../http/cors.ts'
import type { RequestContext } from '../app/request-context.ts'
import type { UsedBehaviours } from '../behaviours/tracker.ts'
import type { Problem } from '../errors/problem.ts'
import { DEFAULT_SANDBOX } from '../engine/sandboxes.ts'
import { keepText, LONGEST_BODY } from './exchanged.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Redactor } from './redact.ts'

/** What recording an exchange takes besides the exchange. */
export interface Recording {
  readonly metrics: Pick<Metrics, 'count' | 'countPreflight'>
  readonly log: Pick<Log, 'isSilent' | 'exchange'>
  readonly redactor: Redactor
  /** Whether the control API is on, so that a log line can name where to look. */
  readonly hasControl: boolean
  /** Milliseconds by the machine's steady clock. */
  elapsed(): number
  /** The machine's clock, epoch ms. */
  realNow(): number
}

/** The end of every exchange: it is journaled, told to listeners, counted, and logged. */
export function finish(context: RequestContext, used: UsedBehaviours, problem?: Problem): void {
  if (isPreflight(context.request)) return finishPreflight(context, used, problem)
  const { request, response, recording, requestId, sandbox, trace, now, started } = context
  const { method = '', url = '', rawHeaders } = request
  const milliseconds = recording.elapsed() - started
  // A client that left before the first byte was sent nothing, whatever was decided.
  const isUnsent = trace.end === 'whole' && response.destroyed && !response.writableEnded
  const status = response.headersSent && !isUnsent ? response.statusCode : 0
  const { journal, feed } = sandbox
  const { received } = trace
  const answered = isUnsent ? undefined : trace.answered
  const nextEvent = trace.nextEvent ?? sandbox.nextEvent
  journal.record({
    id: journal.last + 1,
    arrived: context.arrived,
    now,
    answeredAt: recording.realNow(),
    milliseconds,
    requestId,
    operationId: trace.operationId,
    method,
    url,
    requestHeaders: rawHeaders,
    requestBody: received === undefined ? undefined : keepText(received),
    isRequestCut: received !== undefined && received.length > LONGEST_BODY,
    status,
    answerHeaders: status === 0 ? NONE : context.headers,
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
    rows: used.text,
    problem: problem?.message,
    issues: problem?.violations ?? NONE,
    fault: trace.fault,
    repeats: trace.repeats,
    defect: trace.defect,
  })
  feed.publish(journal.last)
  recording.metrics.count(trace.operationId, status, milliseconds, trace.fault)
  logExchange(context, { status, milliseconds, used, problem })
}

/** A browser sends preflights by itself and keeps the answers, so they are no exchanges of the client: they are counted apart and logged. */
function finishPreflight(context: RequestContext, used: UsedBehaviours, problem?: Problem): void {
  const { response, recording, started } = context
  const status = response.headersSent ? response.statusCode : 0
  recording.metrics.countPreflight(status)
  logExchange(context, { status, milliseconds: recording.elapsed() - started, used, problem })
}

interface Finished {
  readonly status: number
  readonly milliseconds: number
  readonly used: UsedBehaviours
  readonly problem: Problem | undefined
}

function logExchange(context: RequestContext, { status, milliseconds, used, problem }: Finished): void {
  const { request, requestId } = context
  const { log, redactor } = context.recording
  if (log.isSilent) return
  const { method = '', url = '', rawHeaders } = request
  const keys = redactor.keysOf({ requestHeaders: rawHeaders, url })
  log.exchange({
    requestId,
    sandbox: nameOf(context),
    method,
    url: redactor.text(redactor.url(url), keys),
    status,
    milliseconds,
    rows: used.ids,
    problem: problem && redactor.text(problem.message, keys) + whereAll(context, problem),
  })
}

/** The name of the sandbox for URLs; undefined for the default one, which needs no name. */
function nameOf({ sandbox }: RequestContext): string | undefined {
  return sandbox.name === DEFAULT_SANDBOX ? undefined : sandbox.name
}

/** A line tells the first of several things that are wrong, and where the others are. */
function whereAll(context: RequestContext, { violations }: Problem): string {
  if (violations.length < 2) return ''
  const { recording, sandbox } = context
  const name = nameOf(context)
  const which = name === undefined ? '' : `?sandbox=${name}`
  const journal = recording.hasControl ? `, and in GET /__mock/journal/${sandbox.journal.last}${which}` : ''
  return `: all are in the answer${journal}`
}

const NONE: readonly never[] = []
