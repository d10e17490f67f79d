import type { AppOptions } from '../app-options.ts'
import type { OperationAdapter } from '../adapter/contract-adapter.ts'
import type { ServerLog } from '../../journal/server-log.ts'
import { cleanProblem, formatProblem } from '../../http/format-problem.ts'
import { nameMeantMembers } from './name-meant-members.ts'
import { leaveOutRefused } from './read-request.ts'
import type { RecordExchange } from './record-exchange.ts'
import type { Middleware, RequestContext } from './request-context.ts'
import { sendNothing, sendReady, trackCompression } from './send-response.ts'
import { setHeader, setHeaders } from '../../http/response.ts'
import type { BehaviourSettings, BehaviourId } from '../../../types/behaviour-settings.d.ts'
import { createBehaviourTracker, type UsedBehaviours } from '../../behaviours/tracker.ts'
import { Defect, Problem } from '../../base/errors/problem.ts'
import { mockDefect } from '../../base/errors/response-errors.ts'

interface ProblemDependencies extends Pick<AppOptions, 'contractAdapter' | 'learned' | 'selfCheck' | 'redactor'> {
  readonly log: Pick<ServerLog, 'defect'>
  readonly record: RecordExchange
}

type ErrorMiddleware = (error: unknown, ...rest: Parameters<Middleware>) => void

/**
 * Responds to errors. Whatever is not a Problem is a defect of the mock: it is logged with its stack, and the response says so.
 */
export function renderProblem(deps: ProblemDependencies): ErrorMiddleware {
  // Express knows a handler of errors by its four parameters.
  return (error, _request, response, _next) => {
    const { context } = response.locals as Partial<typeof response.locals>
    // Without a context, it failed before the request had a sandbox.
    if (!context) response.destroy()
    else refuse(context, error, deps).catch(() => response.destroy())
  }
}

async function refuse(context: RequestContext, error: unknown, deps: ProblemDependencies): Promise<void> {
  const { response, sandbox, requestId, path } = context
  // Sending may take a while, and other requests may change the sandbox meanwhile.
  context.trace.nextEvent = sandbox.nextEvent
  const isDefect = !(error instanceof Problem)
  const adapter = adapterOf(context, deps)
  const found = isDefect ? defectProblem(requestId, error) : withSettings(error, sandbox.behaviours.settings)
  const clean = cleanerOf(context, deps)
  const { settings } = sandbox.behaviours
  const adapted = adapter ? adapter.problem(found, settings['error.undocumented']) : found
  const problem = cleanProblem(nameMeantMembers(adapted, context), clean)
  if (response.destroyed) {
    deps.record(context, NO_BEHAVIOURS, problem)
    return
  }
  if (isDefect) noteDefect(context, error, deps)
  if (response.headersSent) {
    context.trace.end = 'broken'
    response.destroy()
    deps.record(context, NO_BEHAVIOURS, problem)
    return
  }
  const shownPath = clean(path)
  const usual = formatProblem(problem, shownPath, requestId, settings['error.body'])
  const { status: usualStatus } = problem
  const { now, body: sentBody, request } = context
  const line = { method: request.method ?? '', path: shownPath }
  const sent = { problem, status: usualStatus, ...line, requestId, now, body: sentBody }
  // A defect is none of the service's errors.
  const writer = isDefect ? undefined : (adapter ?? (UNROUTED.has(problem.id) ? deps.contractAdapter : undefined))
  const adaptedBody = writer ? writer.refusal(sent, usual) : usual
  const asService = isDefect
    ? undefined
    : deps.learned?.refusal(context, problem, { ...adaptedBody, status: usualStatus })
  const { contentType, body, status } = asService ?? { ...adaptedBody, status: usualStatus }
  const broken = isDefect || asService ? undefined : findBroken(context, status, body, deps)
  if (broken) return refuse(context, broken, deps)
  setHeaders(context, problem.headers)
  // `error.several` may show only the first violation.
  if (!isDefect) leaveOutRefused(context, error.violations)
  if (isDefect) setHeader(context, 'x-mock-defect', requestId)
  if (body !== usual.body) setHeader(context, 'x-mock-problem', headerOf(problem))
  trackCompression(context, Buffer.byteLength(body))
  const used = refusingBehaviours(context, problem)
  if (used.text !== '') setHeader(context, 'x-mock-behaviours', used.text)
  if (body === '') sendNothing(context, status)
  else await sendReady(context, { status, contentType, text: body })
  deps.record(context, used, problem)
}

/** Refused before an operation was found. */
const UNROUTED = new Set(['path-unknown', 'method-not-allowed'])

/** Characters of the header. */
const LONGEST_HEADER = 400

/** What a problem document says, in a line, for the responses whose bodies are as the contract has them: `item-not-found: There is no pet 7.` */
function headerOf({ id, message }: Problem): string {
  const line = `${id}: ${message}`.replaceAll(/\s+/g, ' ').replaceAll(/[^ -~]/g, '?')
  return line.length > LONGEST_HEADER ? `${line.slice(0, LONGEST_HEADER - 3)}...` : line
}

/** The problem as `error.invalid-status` and `error.several` set it. */
function withSettings(problem: Problem, settings: BehaviourSettings): Problem {
  const { status, violations, behaviours } = problem
  const [first] = violations
  const isCut = violations.length > 1 && settings['error.several'] === 'first'
  const isInvalid = isInvalidRequest(problem)
  const wanted = isInvalid ? Number(settings['error.invalid-status']) : status
  const named: BehaviourId[] = [
    ...(isInvalid ? (['error.invalid-status'] as const) : []),
    ...(violations.length > 1 ? (['error.several'] as const) : []),
  ]
  if (named.length === 0) return problem
  return problem.with({
    status: wanted,
    detail: isCut && first ? first.message : problem.message,
    violations: isCut && first ? [first] : violations,
    behaviours: [...behaviours, ...named],
  })
}

/** Whether the request was read and is invalid. */
function isInvalidRequest({ status, id }: Problem): boolean {
  return status === 400 && (id === 'request-invalid' || id === 'cursor-invalid')
}

/** Takes the keys of the request and of the configuration out of texts. */
function cleanerOf(
  { request: { rawHeaders, url } }: RequestContext,
  { redactor }: ProblemDependencies,
): (text: string) => string {
  const keys = redactor.keysOf({ requestHeaders: rawHeaders, url: url ?? '' })
  return (text) => redactor.refusal(text, keys)
}

function adapterOf(
  { trace: { operationId } }: RequestContext,
  { contractAdapter }: ProblemDependencies,
): OperationAdapter | undefined {
  return operationId === undefined ? undefined : contractAdapter?.of(operationId)
}

/** How the error response breaks the contract, where it has a format that the contract may know. */
function findBroken(
  { sandbox, trace: { operationId } }: RequestContext,
  status: number,
  body: string,
  { selfCheck }: ProblemDependencies,
): Defect | undefined {
  const shape = sandbox.behaviours.settings['error.body']
  if (operationId === undefined || shape !== 'problem' || !selfCheck?.holds(operationId)) return undefined
  try {
    selfCheck.refusal(operationId, status, body)
    return undefined
  } catch (error) {
    if (error instanceof Defect) return error
    throw error
  }
}

function noteDefect(
  { request, requestId, trace }: RequestContext,
  error: unknown,
  { redactor, log }: ProblemDependencies,
): void {
  trace.defect = (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, LONGEST_STACK)
  const { method = '', url = '', rawHeaders } = request
  const keys = redactor.keysOf({ requestHeaders: rawHeaders, url })
  log.defect(
    withoutSecrets(error, (text) => redactor.text(text, keys)),
    {
      requestId,
      method,
      url: redactor.text(redactor.url(url), keys),
    },
  )
}

/** What was thrown, as it may be logged. */
function withoutSecrets(error: unknown, clean: (text: string) => string): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? clean(error) : error
  const shown = new Error(clean(error.message))
  shown.name = error.name
  shown.stack = clean(error.stack ?? error.message)
  return shown
}

/** Characters that the journal keeps. */
const LONGEST_STACK = 4096

const NO_BEHAVIOURS: UsedBehaviours = { ids: [], text: '' }

function defectProblem(requestId: string, error: unknown): Problem {
  const known = error instanceof Defect ? error : undefined
  const what = known ? `${known.message.replace(/\.?$/, '.')} ` : ''
  const whose = known?.isOfHandler
    ? 'This is a defect of the handler, not of the request. The log has'
    : 'The stand-in failed; this is a defect of the mock, not of the request. Its log has'
  const detail = `${what}${whose} the stack under ${requestId}.`
  return mockDefect({ detail, violations: known?.violations ?? [] })
}

const PASSED = new Set(['auth.keys', 'body.null', 'cors', 'http.compression', 'http.content-type-parameters'])

/** An error depends on the behaviours that refused, and on some that let the request come so far. */
function refusingBehaviours({ sandbox, tracker }: RequestContext, { behaviours, violations }: Problem): UsedBehaviours {
  const refusing = createBehaviourTracker(sandbox.behaviours)
  const named = violations.flatMap(({ source }) => source?.split('#')[1] ?? [])
  const passed = tracker.used().ids.filter((id) => PASSED.has(id))
  refusing.note('error.body', ...([...behaviours, ...named, ...passed] as BehaviourId[]))
  return refusing.used()
}
