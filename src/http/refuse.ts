import { cleanProblem } from './clean-problem.ts'
import { leanOnCompression } from './compress.ts'
import { finish } from './finish.ts'
import type { Followed } from './following.ts'
import { leaveOutRefused } from './ignored.ts'
import { renderProblem } from './render-problem.ts'
import { sendReady } from './respond.ts'
import { type Exchange, setBehavioursHeader, setHeader, setHeaders } from './underway.ts'
import type { Answers, BehaviourId } from '../behaviours/answers.ts'
import { createLeaning, type LeanedRows } from '../behaviours/leaning.ts'
import { Defect, Problem } from '../problem.ts'

/** Whatever is no Problem is a defect of ours: logged with its stack, marked, and never the client's fault. */
export async function refuse(ex: Exchange, error: unknown): Promise<void> {
  const { response, sandbox, requestId, path } = ex
  // What is sent from here on may take its time, and others may change the sandbox meanwhile.
  ex.trace.nextEvent = sandbox.nextEvent
  const isDefect = !(error instanceof Problem)
  const followed = followedOf(ex)
  const found = isDefect ? mockDefect(requestId, error) : withAnswers(error, sandbox.behaviours.answers)
  const clean = cleanerOf(ex)
  const problem = cleanProblem(followed ? followed.problem(found) : found, clean)
  if (response.destroyed) {
    finish(ex, NO_ROWS, problem)
    return
  }
  if (isDefect) noteDefect(ex, error)
  if (response.headersSent) {
    ex.trace.end = 'broken'
    response.destroy()
    finish(ex, NO_ROWS, problem)
    return
  }
  const shownPath = clean(path)
  const usual = renderProblem(problem, shownPath, requestId, sandbox.behaviours.answers['error.body'])
  const { status } = problem
  const { contentType, body } = followed
    ? followed.refusal({ problem, status, path: shownPath, requestId, now: ex.now }, usual)
    : usual
  const broken = isDefect ? undefined : findBroken(ex, status, body)
  if (broken) return refuse(ex, broken)
  setHeaders(ex, problem.headers)
  // `error.several` may show only the first violation.
  if (!isDefect) leaveOutRefused(ex, error.violations)
  if (isDefect) setHeader(ex, 'x-mock-defect', requestId)
  leanOnCompression(ex, Buffer.byteLength(body))
  const rows = refusingRows(ex, problem)
  setBehavioursHeader(ex, rows)
  const sending = sendReady(ex, status, contentType, body)
  if (sending) await sending
  finish(ex, rows, problem)
}

/** A problem as `error.invalid-status` and `error.several` have it. */
function withAnswers(problem: Problem, answers: Answers): Problem {
  const { status, slug, title, violations, headers, rows } = problem
  const [first] = violations
  const isCut = violations.length > 1 && answers['error.several'] === 'first'
  const isInvalid = isInvalidRequest(problem)
  const wanted = isInvalid ? Number(answers['error.invalid-status']) : status
  const named: BehaviourId[] = [
    ...(isInvalid ? (['error.invalid-status'] as const) : []),
    ...(violations.length > 1 ? (['error.several'] as const) : []),
  ]
  if (named.length === 0) return problem
  return new Problem(wanted, slug, title, {
    detail: isCut && first ? first.message : problem.message,
    violations: isCut && first ? [first] : violations,
    headers,
    rows: [...rows, ...named],
  })
}

/** Whether the parts of a request were read and found wrong. */
function isInvalidRequest({ status, slug }: Problem): boolean {
  return status === 400 && (slug === 'request-invalid' || slug === 'cursor-invalid')
}

/** A refusal does not repeat the keys of its request, nor those of the configuration. */
function cleanerOf({ house: { redactor }, request: { rawHeaders, url } }: Exchange): (text: string) => string {
  const keys = redactor.keysOf({ requestHeaders: rawHeaders, url: url ?? '' })
  return (text) => redactor.refusal(text, keys)
}

function followedOf({ house, trace }: Exchange): Followed | undefined {
  return trace.operationId === undefined ? undefined : house.following?.of(trace.operationId)
}

/** What is wrong with a refusal by the contract, in a form that the contract may know. */
function findBroken({ house, sandbox, trace }: Exchange, status: number, body: string): Defect | undefined {
  const { operationId } = trace
  const shape = sandbox.behaviours.answers['error.body']
  if (operationId === undefined || shape !== 'problem' || !house.selfCheck?.holds(operationId)) return undefined
  try {
    house.selfCheck.refusal(operationId, status, body)
    return undefined
  } catch (error) {
    if (error instanceof Defect) return error
    throw error
  }
}

function noteDefect({ request, house, requestId, trace }: Exchange, error: unknown): void {
  trace.defect = stackOf(error).slice(0, LONGEST_STACK)
  const { method = '', url = '', rawHeaders } = request
  const { redactor } = house
  const keys = redactor.keysOf({ requestHeaders: rawHeaders, url })
  house.log.defect(
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

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

const NO_ROWS: LeanedRows = { ids: [], text: '' }

function mockDefect(requestId: string, error: unknown): Problem {
  const known = error instanceof Defect ? error : undefined
  const what = known ? `${known.message.replace(/\.?$/, '.')} ` : ''
  const whose = known?.isOfHandler
    ? 'This is a defect of the handler, not of the request. The log has'
    : 'The stand-in failed; this is a defect of the mock, not of the request. Its log has'
  const detail = `${what}${whose} the stack under ${requestId}.`
  return new Problem(500, 'mock-defect', 'The mock has a defect', { detail, violations: known?.violations ?? [] })
}

const PASSED = new Set(['auth.keys', 'body.null', 'cors', 'http.compression'])

/** A refusal leans on the rows that refused, and on those that had let the request come so far. */
function refusingRows({ sandbox, leaning }: Exchange, { rows, violations }: Problem): LeanedRows {
  const refusing = createLeaning(sandbox.behaviours)
  const named = violations.flatMap(({ source }) => source?.split('#')[1] ?? [])
  const passed = leaning.rows().ids.filter((row) => PASSED.has(row))
  refusing.lean('error.body', ...([...rows, ...named, ...passed] as BehaviourId[]))
  return refusing.rows()
}
