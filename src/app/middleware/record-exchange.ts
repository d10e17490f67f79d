import type { AppOptions } from '../app-options.ts'
import { isUtf8 } from 'node:buffer'
import type { UsedBehaviours } from '../../behaviours/tracker.ts'
import { DEFAULT_SANDBOX } from '../../engine/sandbox-names.ts'
import type { StateEvent } from '../../engine/state.ts'
import type { Problem } from '../../base/errors/problem.ts'
import { isPreflight } from '../../http/cors.ts'
import type { Exchange } from '../../journal/exchange.ts'
import { collectWhatIsThere, writeShared } from '../../journal/collect-exchanges.ts'
import { keepText, LONGEST_BODY } from '../../journal/journal.ts'
import type { ServerLog } from '../../journal/server-log.ts'
import type { Metrics } from '../../journal/metrics.ts'
import { headerNamed } from '../../http/response.ts'
import { IGNORED_HEADER } from './read-request.ts'
import type { RequestContext, Trace } from './request-context.ts'

/** Commits the events of a request; the journal notes which they are. */
export function commit({ sandbox, trace, requestId }: RequestContext, events: readonly StateEvent[]): void {
  const first = sandbox.nextEvent
  sandbox.commit(events, requestId)
  if (events.length === 0) return
  trace.firstEvent ??= first
  trace.nextEvent = sandbox.nextEvent
}

/** Notes the bytes of a body as they were sent: as text where they are UTF-8, else as base64. */
export function traceBytes(trace: Trace, bytes: Buffer): void {
  const kept = bytes.subarray(0, LONGEST_BODY)
  if (kept.length < bytes.length) trace.isPartial = true
  // Where only the beginning is kept, its last character may be cut in two.
  const text = trace.isPartial ? wholeCharacters(kept) : isUtf8(kept) ? kept.toString() : undefined
  trace.answered = text ?? kept.toString('base64')
  trace.isBinary = text === undefined
}

/** Undefined for bytes that are not UTF-8. */
function wholeCharacters(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}

interface RecordingDependencies extends Pick<AppOptions, 'redactor' | 'elapsed' | 'realNow'> {
  readonly metrics: Pick<Metrics, 'count' | 'countPreflight'>
  readonly log: Pick<ServerLog, 'isSilent' | 'isVerbose' | 'exchange'>
  /** Whether the control API is on, so that a log line can name where to look. */
  readonly hasControl: boolean
}

/** Ends an exchange: it is journaled, published, counted and logged. */
export type RecordExchange = (context: RequestContext, used: UsedBehaviours, problem?: Problem) => void

export function createRecorder(deps: RecordingDependencies): RecordExchange {
  const { metrics, elapsed, realNow } = deps
  return (context, used, problem) => {
    const { request, response, sandbox, trace } = context
    const milliseconds = elapsed() - context.started
    // A client that left before the first byte was sent nothing, whatever was decided.
    const isUnsent = trace.end === 'whole' && response.destroyed && !response.writableEnded
    const status = response.headersSent && !isUnsent ? response.statusCode : 0
    const finished = { status, milliseconds, used, problem, isUnsent }
    // Browsers send preflights by themselves and cache the responses, so they are not exchanges of the client.
    if (request.method === 'OPTIONS' && isPreflight(request)) {
      metrics.countPreflight(status)
      if (!deps.log.isVerbose) return
    } else if (sandbox.shared?.exchanges) {
      // The store gives it an id.
      const exchange = exchangeOf(context, finished, { id: 0, answeredAt: realNow() })
      metrics.count(exchange)
      sandbox.webhooks?.onExchange(exchange)
      sandbox.shared.exchanges.add(writeShared(exchange), () => collectWhatIsThere(sandbox))
    } else {
      const { journal, feed, coverage } = sandbox
      const exchange = exchangeOf(context, finished, { id: journal.last + 1, answeredAt: realNow() })
      const sent = { value: context.body, isKnown: context.isKnownBody }
      journal.record(exchange, () => {
        coverage.count(exchange, sent)
        metrics.count(exchange)
      })
      feed.publish(journal.last)
      sandbox.webhooks?.onExchange(exchange)
    }
    logExchange(context, finished, deps)
  }
}

interface Finished {
  /** 0 for none. */
  readonly status: number
  readonly milliseconds: number
  readonly used: UsedBehaviours
  readonly problem: Problem | undefined
  /** Whether the client left before the first byte. */
  readonly isUnsent: boolean
}

function exchangeOf(
  { request, requestId, sandbox, trace, now, arrived, headers }: RequestContext,
  { status, milliseconds, used, problem, isUnsent }: Finished,
  identified: Pick<Exchange, 'id' | 'answeredAt'>,
): Exchange {
  const { method = '', url = '', rawHeaders } = request
  const { received, operationId, next, hasChanged, requests, fault, faultId, repeats, defect } = trace
  // The handler decided the body of a GET, and none of it was sent.
  const answered = isUnsent ? undefined : method === 'HEAD' ? '' : trace.answered
  const nextEvent = trace.nextEvent ?? sandbox.nextEvent
  return {
    ...identified,
    arrived,
    now,
    milliseconds,
    requestId,
    operationId,
    method,
    url,
    requestHeaders: rawHeaders,
    requestBody: received === undefined ? undefined : keepText(received),
    isRequestCut: received !== undefined && received.length > LONGEST_BODY,
    status,
    responseHeaders: status === 0 ? NONE : headers,
    responseBody: answered,
    isResponseBinary: trace.isBinary,
    end: isUnsent ? 'left' : trace.end,
    isResponseCut: trace.isPartial || (answered !== undefined && answered.length > LONGEST_BODY),
    isResponseDropped: false,
    next,
    hasChanged,
    requests,
    firstEvent: trace.firstEvent ?? nextEvent,
    nextEvent,
    behaviours: used.text,
    problem: problem?.message,
    issues: problem?.violations ?? trace.violations ?? NONE,
    fault,
    faultId,
    repeats,
    defect,
  }
}

const NONE: readonly never[] = []

function logExchange(
  { request, requestId, sandbox, trace, headers }: RequestContext,
  { status, milliseconds, used, problem }: Finished,
  { log, redactor, hasControl }: RecordingDependencies,
): void {
  if (log.isSilent) return
  const { method = '', url = '', rawHeaders } = request
  const keys = redactor.keysOf({ requestHeaders: rawHeaders, url })
  const name = sandbox.name === DEFAULT_SANDBOX ? undefined : sandbox.name
  // The line has the first of several violations, and says where the others are. A body as the contract has it may have no place for them.
  const query = name === undefined ? '' : `?sandbox=${name}`
  const places = [
    ...(headerNamed({ headers }, 'x-mock-problem') === undefined ? ['the response'] : []),
    ...(hasControl && !sandbox.shared?.exchanges ? [`GET /__mock/journal/${sandbox.journal.last}${query}`] : []),
  ]
  const isMore = problem !== undefined && problem.violations.length > 1 && places.length > 0
  const others = isMore ? `: all are in ${places.join(', and in ')}` : ''
  log.exchange({
    requestId,
    operationId: trace.operationId,
    sandbox: name,
    method,
    url: redactor.text(redactor.url(url), keys),
    status,
    milliseconds,
    ...(headerNamed({ headers }, 'x-mock-answered-by') === 'upstream' && { isForwarded: true }),
    fault: trace.fault === undefined ? undefined : { kind: trace.fault, id: trace.faultId ?? '' },
    behaviours: used.ids,
    problem: problem && redactor.text(problem.message, keys) + others,
    violations: trace.violations && redactor.text(trace.violations.map(({ message }) => message).join(' '), keys),
    ignored: headerNamed({ headers }, IGNORED_HEADER),
  })
}
