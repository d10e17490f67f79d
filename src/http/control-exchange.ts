import type { IncomingMessage, ServerResponse } from 'node:http'
import { cleanProblem } from './clean-problem.ts'
import { createAskService } from './ask-service.ts'
import { type ControlRequest, readControlRequest } from './control-request.ts'
import { madeBy } from './choose-sandbox.ts'
import { valuesOf } from './header.ts'
import { whenAllFree } from './when-free.ts'
import { guardControl } from './guard-control.ts'
import type { ControlHouse, House } from './house.ts'
import { renderProblem } from './render-problem.ts'
import { sendText } from './respond.ts'
import { sendPieces } from './send-pieces.ts'
import { sendStream } from './stream.ts'
import { readBody } from './read-body.ts'
import { type Exchange, setHeader, setHeaders } from './underway.ts'
import { createLeaning } from '../behaviours/leaning.ts'
import type { Operation } from '../contract/contract.ts'
import { type ControlAnswer, invalid, unknownName, violation } from '../control/call.ts'
import { isObject, withNumbers } from '../json.ts'
import { jsonPieces } from '../json-pieces.ts'
import { inSlices, type Pause } from '../slices.ts'
import { Problem, type Violation } from '../problem.ts'
import type { Work } from '../world/steps.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { isSandboxName, type Sandboxes } from '../sandbox/sandboxes.ts'

/** A request on its way to its answer: what the stages need of it. */
export interface ControlUnderway extends Pick<Exchange, 'request' | 'response' | 'headers'> {
  /** The sandbox that was looked at or changed; undefined for the default one, and for none. */
  sandbox?: string
  /** The sandbox that the request created, as it was then. */
  created?: { readonly sandbox: Sandbox; readonly nextEvent: number }
}

/** The way of a request to the control API. It has no open questions, so nothing of it leans on the ledger. */
export async function controlExchange(
  request: IncomingMessage,
  response: ServerResponse,
  house: House,
  control: ControlHouse,
): Promise<void> {
  const started = house.elapsed()
  let problem: string | undefined
  const clean = cleanerOf(request, house, control)
  const ex: ControlUnderway = { request, response, headers: ['cache-control', 'no-store'] }
  try {
    if (guardControl(ex, house, control)) {
      const read = readControlRequest(request, house, control)
      const body = await readBody(request, createLeaning(control.behaviours))
      await checkBody(read.operation, body, control)
      await whenAllFree(house, namesOf(read, body))
      // What changes something waits for nothing between its last look and the change; see `ofPresent` for what takes long.
      const pause = house.slices.begin(() => response.destroyed)
      const answered = await answerOrUndo(ex, read, { body, house, control, pause })
      await send(ex, answered, { house, pause })
    } else response.writeHead(204, ex.headers).end()
  } catch (error) {
    problem = refuse(ex, house, error, clean)
  }
  const { method = '', url = '' } = request
  const milliseconds = house.elapsed() - started
  const { sandbox } = ex
  const { statusCode: status } = response
  if (house.log.isSilent) return
  const shownUrl = clean.forLog(house.redactor.url(url))
  const why = problem === undefined ? undefined : clean.forLog(problem)
  house.log.exchange({ requestId: '', sandbox, method, url: shownUrl, status, milliseconds, rows: [], problem: why })
}

/** Takes keys and the token out of texts. */
interface Cleaner {
  forLog(text: string): string
  forClient(text: string): string
}

function cleanerOf({ rawHeaders, url = '' }: IncomingMessage, { redactor }: House, { token }: ControlHouse): Cleaner {
  const keys = [...redactor.keysOf({ requestHeaders: rawHeaders, url }), ...(token === undefined ? [] : [token])]
  return { forLog: (text) => redactor.text(text, keys), forClient: (text) => redactor.refusal(text, keys) }
}

interface Sent {
  readonly body: unknown
  readonly house: House
  readonly control: ControlHouse
  readonly pause: Pause
}

/** The sandboxes that a request may look at or change. */
function namesOf({ sandbox, path }: ControlRequest, body: unknown): readonly string[] {
  const { from } = isObject(body) ? body : {}
  return [sandbox, path.name, from].filter((name) => typeof name === 'string')
}

/** Answers a request. A request that is refused leaves no sandbox behind that was created for it. */
async function answerOrUndo(ex: ControlUnderway, read: ControlRequest, sent: Sent): Promise<ControlAnswer> {
  const { sandboxes, log } = sent.house
  try {
    const work = answer(ex, read, sent)
    return await (work instanceof Promise ? work : inSlices(work, sent.pause))
  } catch (error) {
    if (ex.created && isUntouched(ex.created, sandboxes)) sandboxes.delete(read.sandbox)
    throw error
  } finally {
    if (ex.created && sandboxes.all.has(read.sandbox)) log.note(madeBy(read.sandbox, read.sandboxBy))
  }
}

/** Whether nothing has changed in a sandbox since it was created. Other requests may have used it while this one took turns. */
function isUntouched({ sandbox, nextEvent }: NonNullable<ControlUnderway['created']>, { all }: Sandboxes): boolean {
  const { name, requests, checkpoints } = sandbox
  return all.get(name) === sandbox && sandbox.nextEvent === nextEvent && requests === 0 && checkpoints.size === 0
}

function answer(
  ex: ControlUnderway,
  read: ControlRequest,
  { body, house, control, pause }: Sent,
): Work<ControlAnswer> | Promise<ControlAnswer> {
  const { operation, path, query } = read
  const { operationId } = operation
  const handler = control.handlers.get(operationId)
  if (!handler) throw new Error(`the control operation ${operationId} has no handler`)
  return handler({
    path,
    query,
    body,
    sandboxes: house.sandboxes,
    sandbox: () => useSandbox(ex, read, { house, control }),
    rules: control.rules,
    realNow: control.realNow,
    redactor: house.redactor,
    info: control.info,
    // It brings a library, which most runs never need.
    renderMetrics: async () => (await import('./render-metrics.ts')).renderMetrics(house),
    writeReplay: control.writeReplay,
    health: house.health,
    lastEventId: valuesOf(ex.request, 'last-event-id')[0],
    askService: createAskService(house),
    natures: control.natures,
    operations: control.operations,
    pause,
    mailOf: control.mailOf,
  })
}

/** The sandbox that is meant, created where there is none of its name, unless the request only reads. The response names it. */
function useSandbox(
  ex: ControlUnderway,
  { sandbox: name, operation }: ControlRequest,
  { house: { sandboxes }, control }: Pick<Sent, 'house' | 'control'>,
): Sandbox {
  const isNew = !sandboxes.all.has(name)
  const onlyReads = ex.request.method === 'GET' || control.reads.has(operation.operationId)
  const sandbox = onlyReads && isSandboxName(name) ? sandboxes.get(name) : sandboxes.use(name)
  if (isNew) ex.created = { sandbox, nextEvent: sandbox.nextEvent }
  if (sandbox !== sandboxes.default) {
    ex.sandbox = name
    setHeader(ex, 'x-mock-sandbox', name)
  }
  return sandbox
}

/** @throws Problem 400 with everything that the contract refuses and every member that it does not know */
async function checkBody(operation: Operation, body: unknown, control: ControlHouse): Promise<void> {
  const { firstLook, rules, inTurns } = control
  firstLook.get(operation.operationId)?.(body)
  if (!operation.bodyRequired) {
    if (isObject(body) && Object.keys(body).length > 0)
      throw invalid([violation({ pointer: '' }, 'body', 'no body', body)])
    return
  }
  if (body === undefined) throw invalid([violation({ pointer: '' }, 'body', 'a JSON object')])
  const strangers = operation
    .unknownMembers(body)
    .filter((pointer) => !isAddedToFile(operation, pointer, rules))
    .map((pointer) => stranger(operation, pointer))
  const value = withNumbers(body)
  const violations = [...(await inTurns(() => operation.checkBody(value))), ...strangers]
  if (violations.length > 0) throw invalid(violations)
}

/** Whether it is a field of a file that a contract of the user's own names. */
function isAddedToFile({ operationId }: Operation, pointer: string, { isAdded }: ControlHouse['rules']): boolean {
  const [holder, name = ''] = pointer.split(/\/(?=[^/]*$)/)
  const isOfFile = operationId === 'changeFile' ? holder === '' : /\/files\/\d+$/.test(holder ?? '')
  return isOfFile && isAdded('file', name)
}

function stranger(operation: Operation, pointer: string): Violation {
  const slash = pointer.lastIndexOf('/')
  return unknownName({ pointer }, pointer.slice(slash + 1), operation.knownMembers(pointer.slice(0, slash)))
}

async function send(
  ex: ControlUnderway,
  answered: ControlAnswer,
  { house, pause }: { readonly house: House; readonly pause: Pause },
): Promise<void> {
  const { status, body, text, stream } = answered
  if (stream) sendStream(ex, stream, house.listeners)
  else if (text) sendText(ex, status, text.contentType, await text.content)
  else if (body === undefined) ex.response.writeHead(status, ex.headers).end()
  else await sendPieces(ex, status, jsonPieces(body), pause)
}

/** Answers what was thrown, and gives the words for the log. */
function refuse(ex: ControlUnderway, house: House, error: unknown, clean: Cleaner): string | undefined {
  const { request, response } = ex
  const { method = '', url = '' } = request
  const isDefect = !(error instanceof Problem)
  if (isDefect) house.log.defect(error, { requestId: 'control', method, url: clean.forLog(url) })
  if (response.destroyed || response.headersSent) {
    response.destroy()
    return undefined
  }
  const problem = cleanProblem(isDefect ? defect() : error, clean.forClient)
  setHeaders(ex, problem.headers)
  const [path = ''] = clean.forClient(url).split('?')
  // The ledger chooses the form of the service's errors, not of ours.
  const { contentType, body } = renderProblem(problem, path, '', 'problem')
  sendText(ex, problem.status, contentType, body)
  return problem.message
}

function defect(): Problem {
  const detail = 'The stand-in failed; this is a defect of the mock, not of the request. Its log has the stack.'
  return new Problem(500, 'mock-defect', 'The mock has a defect', { detail })
}
