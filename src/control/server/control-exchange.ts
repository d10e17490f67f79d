import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ControlRequest, readControlRequest } from './control-request.ts'
import { madeBy } from '../../http/sandbox-name.ts'
import { headerValues } from '../../contract/parameters/credential-location.ts'
import { whenFree } from '../../http/wait.ts'
import { guardControl } from './guard-control.ts'
import type { ControlDependencies, ControlApiDependencies } from './dependencies.ts'
import { cleanProblem, renderProblem } from '../../http/render-problem.ts'
import { sendPieces, sendText } from '../../http/send.ts'
import { readJsonBody } from '../../http/read-bytes.ts'
import { type ResponseContext, setHeader, setHeaders } from '../../engine/request-context.ts'
import { createBehaviourTracker } from '../../behaviours/tracker.ts'
import type { Operation } from '../../contract/contract.ts'
import type { ControlAnswer } from '../../engine/control-route.ts'
import { requestInvalid } from '../../errors/request-errors.ts'
import { unknownName, violation, Problem, type Violation } from '../../errors/problem.ts'
import { isObject, withNumbers } from '../../formats/json.ts'
import { jsonPieces } from '../../formats/json-pieces.ts'
import { inSlices, type Pause } from '../../engine/slices.ts'
import type { Work } from '../../engine/steps.ts'
import type { Sandbox } from '../../engine/sandbox.ts'
import { isSandboxName, type Sandboxes } from '../../engine/sandboxes.ts'
import { renderMetrics } from '../../journal/metrics.ts'
import { mockDefect } from '../../errors/response-errors.ts'

/** A request on its way to its answer: what the stages need of it. */
export interface ControlUnderway extends ResponseContext {
  /** The sandbox that was looked at or changed; undefined for the default one, and for none. */
  sandbox?: string
  /** The sandbox that the request created, as it was then. */
  created?: { readonly sandbox: Sandbox; readonly nextEvent: number }
}

/** The way of a request to the control API. It has no open questions, so nothing of it depends on the behaviour catalogue. */
export async function controlExchange(
  request: IncomingMessage,
  response: ServerResponse,
  deps: ControlApiDependencies,
  control: ControlDependencies,
): Promise<void> {
  const started = deps.elapsed()
  let problem: string | undefined
  const clean = cleanerOf(request, deps, control)
  const context: ControlUnderway = { request, response, headers: ['cache-control', 'no-store'] }
  try {
    if (guardControl(context, deps, control)) {
      const read = readControlRequest(request, deps, control)
      const body = await readJsonBody(request, createBehaviourTracker(control.behaviours))
      await checkBody(read.operation, body, control)
      await whenFree(namesOf(read, body).flatMap((name) => deps.sandboxes.all.get(name) ?? []))
      // What changes something waits for nothing between its last look and the change; see `ofPresent` for what takes long.
      const pause = deps.slices.begin(() => response.destroyed)
      const answered = await answerOrUndo(context, read, { body, deps, control, pause })
      await send(context, answered, pause)
    } else response.writeHead(204, context.headers).end()
  } catch (error) {
    problem = refuse(context, deps, error, clean)
  }
  const { method = '', url = '' } = request
  const milliseconds = deps.elapsed() - started
  const { sandbox } = context
  const { statusCode: status } = response
  if (deps.log.isSilent) return
  const shownUrl = clean.forLog(deps.redactor.url(url))
  const why = problem === undefined ? undefined : clean.forLog(problem)
  deps.log.exchange({ requestId: '', sandbox, method, url: shownUrl, status, milliseconds, rows: [], problem: why })
}

/** Takes keys and the token out of texts. */
interface Cleaner {
  forLog(text: string): string
  forClient(text: string): string
}

function cleanerOf(
  { rawHeaders, url = '' }: IncomingMessage,
  { redactor }: ControlApiDependencies,
  { token }: ControlDependencies,
): Cleaner {
  const keys = [...redactor.keysOf({ requestHeaders: rawHeaders, url }), ...(token === undefined ? [] : [token])]
  return { forLog: (text) => redactor.text(text, keys), forClient: (text) => redactor.refusal(text, keys) }
}

interface Sent {
  readonly body: unknown
  readonly deps: ControlApiDependencies
  readonly control: ControlDependencies
  readonly pause: Pause
}

/** The sandboxes that a request may look at or change. */
function namesOf({ sandbox, path }: ControlRequest, body: unknown): readonly string[] {
  const { from } = isObject(body) ? body : {}
  return [sandbox, path.name, from].filter((name) => typeof name === 'string')
}

/** Answers a request. A request that is refused leaves no sandbox behind that was created for it. */
async function answerOrUndo(context: ControlUnderway, read: ControlRequest, sent: Sent): Promise<ControlAnswer> {
  const { sandboxes, log } = sent.deps
  try {
    const work = answer(context, read, sent)
    return await (work instanceof Promise ? work : inSlices(work, sent.pause))
  } catch (error) {
    if (context.created && isUntouched(context.created, sandboxes)) sandboxes.delete(read.sandbox)
    throw error
  } finally {
    if (context.created && sandboxes.all.has(read.sandbox)) log.note(madeBy(read.sandbox, read.sandboxBy))
  }
}

/** Whether nothing has changed in a sandbox since it was created. Other requests may have used it while this one took turns. */
function isUntouched({ sandbox, nextEvent }: NonNullable<ControlUnderway['created']>, { all }: Sandboxes): boolean {
  const { name, requests, checkpoints } = sandbox
  return all.get(name) === sandbox && sandbox.nextEvent === nextEvent && requests === 0 && checkpoints.size === 0
}

function answer(
  context: ControlUnderway,
  read: ControlRequest,
  { body, deps, control, pause }: Sent,
): Work<ControlAnswer> | Promise<ControlAnswer> {
  const { operation, path, query } = read
  const { operationId } = operation
  const handler = control.handlers.get(operationId)
  if (!handler) throw new Error(`the control operation ${operationId} has no handler`)
  return handler({
    path,
    query,
    body,
    sandboxes: deps.sandboxes,
    sandbox: () => useSandbox(context, read, { deps, control }),
    rules: control.rules,
    realNow: control.realNow,
    redactor: deps.redactor,
    listeners: deps.listeners,
    info: control.info,
    renderMetrics: () => renderMetrics(deps),
    writeReplay: control.writeReplay,
    health: deps.health,
    lastEventId: headerValues(context.request.rawHeaders, 'last-event-id')[0],
    dryRun: deps.dryRun,
    operationTraits: control.operationTraits,
    operations: control.operations,
    pause,
    mailOf: control.mailOf,
  })
}

/** The sandbox that is meant, created where there is none of its name, unless the request only reads. The response names it. */
function useSandbox(
  context: ControlUnderway,
  { sandbox: name, operation }: ControlRequest,
  { deps: { sandboxes }, control }: Pick<Sent, 'deps' | 'control'>,
): Sandbox {
  const isNew = !sandboxes.all.has(name)
  const onlyReads = context.request.method === 'GET' || control.readOnly.has(operation.operationId)
  const sandbox = onlyReads && isSandboxName(name) ? sandboxes.get(name) : sandboxes.use(name)
  if (isNew) context.created = { sandbox, nextEvent: sandbox.nextEvent }
  if (sandbox !== sandboxes.default) {
    context.sandbox = name
    setHeader(context, 'x-mock-sandbox', name)
  }
  return sandbox
}

/** @throws Problem 400 with everything that the contract refuses and every member that it does not know */
async function checkBody(operation: Operation, body: unknown, control: ControlDependencies): Promise<void> {
  const { bodyPrechecks, rules, inTurns } = control
  bodyPrechecks.get(operation.operationId)?.(body)
  if (!operation.bodyRequired) {
    if (isObject(body) && Object.keys(body).length > 0)
      throw requestInvalid([violation({ pointer: '' }, 'body', 'no body', body)])
    return
  }
  if (body === undefined) throw requestInvalid([violation({ pointer: '' }, 'body', 'a JSON object')])
  const unknown = operation
    .unknownMembers(body)
    .filter((pointer) => !isAddedToFile(operation, pointer, rules))
    .map((pointer) => unknownMember(operation, pointer))
  const value = withNumbers(body)
  const violations = [...(await inTurns(() => operation.checkBody(value))), ...unknown]
  if (violations.length > 0) throw requestInvalid(violations)
}

/** Whether it is a field of a file that a contract of the user's own names. */
function isAddedToFile(
  { operationId }: Operation,
  pointer: string,
  { isAdded }: ControlDependencies['rules'],
): boolean {
  const [holder, name = ''] = pointer.split(/\/(?=[^/]*$)/)
  const isOfFile = operationId === 'changeFile' ? holder === '' : /\/files\/\d+$/.test(holder ?? '')
  return isOfFile && isAdded('file', name)
}

function unknownMember(operation: Operation, pointer: string): Violation {
  const slash = pointer.lastIndexOf('/')
  return unknownName({ pointer }, pointer.slice(slash + 1), operation.knownMembers(pointer.slice(0, slash)))
}

async function send(
  context: ControlUnderway,
  { status, body, text, stream }: ControlAnswer,
  pause: Pause,
): Promise<void> {
  if (stream) stream(context)
  else if (text) sendText(context, status, text.contentType, text.content)
  else if (body === undefined) context.response.writeHead(status, context.headers).end()
  else await sendPieces(context, status, jsonPieces(body), pause)
}

/** Answers what was thrown, and gives the words for the log. */
function refuse(
  context: ControlUnderway,
  deps: ControlApiDependencies,
  error: unknown,
  clean: Cleaner,
): string | undefined {
  const { request, response } = context
  const { method = '', url = '' } = request
  const isDefect = !(error instanceof Problem)
  if (isDefect) deps.log.defect(error, { requestId: 'control', method, url: clean.forLog(url) })
  if (response.destroyed || response.headersSent) {
    response.destroy()
    return undefined
  }
  const problem = cleanProblem(isDefect ? defect() : error, clean.forClient)
  setHeaders(context, problem.headers)
  const [path = ''] = clean.forClient(url).split('?')
  // The behaviour catalogue chooses the form of the service's errors, not of ours.
  const { contentType, body } = renderProblem(problem, path, '', 'problem')
  sendText(context, problem.status, contentType, body)
  return problem.message
}

function defect(): Problem {
  const detail = 'The stand-in failed; this is a defect of the mock, not of the request. Its log has the stack.'
  return mockDefect({ detail })
}
