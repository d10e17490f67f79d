import { finish } from './finish.ts'
import { renderProblem } from './render-problem.ts'
import { sendReady } from './respond.ts'
import { type Exchange, setBehavioursHeader, setHeader, setHeaders } from './underway.ts'
import type { BehaviourId } from '../behaviours/answers.ts'
import { createLeaning, type LeanedRows } from '../behaviours/leaning.ts'
import { Defect, Problem } from '../problem.ts'

/** Whatever is no Problem is a defect of ours: logged with its stack, marked, and never the client's fault. */
export async function refuse(ex: Exchange, error: unknown): Promise<void> {
  const { response, sandbox, requestId, path } = ex
  const isDefect = !(error instanceof Problem)
  const problem = isDefect ? mockDefect(requestId, error) : error
  if (response.destroyed) {
    finish(ex, NO_ROWS, problem)
    return
  }
  if (isDefect) noteDefect(ex, error)
  if (response.headersSent) {
    response.destroy()
    finish(ex, NO_ROWS, problem)
    return
  }
  if (!isDefect) {
    const broken = findBroken(ex, problem)
    if (broken) return refuse(ex, broken)
  }
  setHeaders(ex, problem.headers)
  if (isDefect) setHeader(ex, 'x-mock-defect', requestId)
  const rows = refusingRows(ex, problem)
  setBehavioursHeader(ex, rows)
  const { contentType, body } = renderProblem(problem, path, requestId, sandbox.behaviours.answers['error.body'])
  await sendReady(ex, problem.status, contentType, body)
  finish(ex, rows, problem)
}

/** What is wrong with a refusal by the contract, in the form that the contract may know. */
function findBroken({ house, sandbox, trace, path, requestId }: Exchange, problem: Problem): Defect | undefined {
  const { operationId } = trace
  const shape = sandbox.behaviours.answers['error.body']
  if (operationId === undefined || shape !== 'problem' || !house.selfCheck?.holds(operationId)) return undefined
  try {
    house.selfCheck.refusal(operationId, problem.status, renderProblem(problem, path, requestId, shape).body)
    return undefined
  } catch (error) {
    if (error instanceof Defect) return error
    throw error
  }
}

function noteDefect({ request, house, requestId, trace }: Exchange, error: unknown): void {
  trace.defect = stackOf(error).slice(0, LONGEST_STACK)
  const { method = '', url = '', rawHeaders } = request
  house.log.defect(error, { requestId, method, url: house.redactor.text(url, house.redactor.keyOf(rawHeaders)) })
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
  const detail = `${what}The stand-in failed; this is a defect of the mock, not of the request. Its log has the stack under ${requestId}.`
  return new Problem(500, 'mock-defect', 'The mock has a defect', { detail, violations: known?.violations ?? [] })
}

/** A refusal leans on the rows that refused, and on those that had let the request come so far. */
function refusingRows({ sandbox, leaning }: Exchange, { rows, violations }: Problem): LeanedRows {
  const refusing = createLeaning(sandbox.behaviours)
  const named = violations.flatMap(({ source }) => source?.split('#')[1] ?? [])
  const passed = leaning.rows().ids.filter((row) => row === 'auth.keys' || row === 'cors')
  refusing.lean('error.body', ...([...rows, ...named, ...passed] as BehaviourId[]))
  return refusing.rows()
}
