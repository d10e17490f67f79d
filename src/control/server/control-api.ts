import { once } from '../../base/cache.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Behaviours, chooseBehaviours } from '../../behaviours/behaviours.ts'
import type { BehaviourCatalog } from '../../behaviours/catalog.ts'
import { createBehaviourTracker } from '../../behaviours/tracker.ts'
import type { Contract } from '../../contract/contract.ts'
import { loadContract } from '../../contract/load/load.ts'
import { headerValues } from '../../contract/parameters/credential-location.ts'
import { createRouter, withHead } from '../../contract/router.ts'
import { type ControlResponse, ok, type ResponseContext } from '../../engine/control-route.ts'
import { valueAt } from '../../contract/pointer.ts'
import type { ControlNeeds } from '../control-needs.ts'
import type { Sandbox } from '../../engine/sandbox.ts'
import { isSandboxName } from '../../engine/sandbox-names.ts'
import type { Sandboxes } from '../../engine/sandboxes.ts'
import { inSlices, type Pause, type Slices } from '../../engine/slices.ts'
import { untilStored } from '../../engine/stores/shared-log.ts'
import { Problem, type Violation } from '../../base/errors/problem.ts'
import { mockDefect } from '../../base/errors/response-errors.ts'
import { asObject } from '../../base/formats/json.ts'
import { jsonPieces } from '../../base/formats/json-pieces.ts'
import { readPackaged } from '../../base/formats/source-file.ts'
import { readJsonBody } from '../../http/json-body.ts'
import { cleanProblem, formatProblem } from '../../http/format-problem.ts'
import { type KeyLocations, madeBy, ttlByHeader } from '../../http/sandbox-name.ts'
import { sendPieces, sendText, setHeader, setHeaders } from '../../http/response.ts'
import { setSession } from '../../http/session-header.ts'
import { mountOf, originOf } from '../../http/address.ts'
import { whenFree } from '../../http/wait.ts'
import { collectExchanges, collectWhatIsThere } from '../../journal/collect-exchanges.ts'
import type { ServerLog } from '../../journal/server-log.ts'
import type { Resource } from '../../resources/resource.ts'
import { CONTROL_PATH } from '../path.ts'
import { collectRoutes } from '../routes.ts'
import { type Access, guardControl } from './guard-control.ts'
import { checkBody, type ControlRequest, readControlRequest, type RequestReader } from './read-control-request.ts'

/** Everything that the control API needs: what its handlers need, and the following. */
export interface ControlDependencies extends ControlNeeds, KeyLocations, Access {
  readonly catalog: BehaviourCatalog
  readonly log: ServerLog
  readonly slices: Slices
  /** Milliseconds by the machine's monotonic clock. */
  elapsed(): number
}

/** Handles a request whose path begins with `/__mock`. */
export type ControlApi = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** @param load is called at the first request, since most runs never have one */
export function createControlApi(load: () => ControlDependencies): ControlApi {
  const server = once(() => createServer(load()))
  return (request, response) => respond(request, response, server())
}

/** What all requests share. */
interface ControlServer extends RequestReader {
  readonly deps: ControlDependencies
  readonly behaviours: Behaviours
}

/** Enough for the state of 200,000 files; the most that the behaviour `http.size` allows. */
const LARGEST_BODY = 100 * 1024 * 1024

/** How bodies are read, whatever the configuration sets for the emulated service. */
const OVERRIDES = [
  { id: 'http.size', value: LARGEST_BODY, setBy: 'the control API' },
  { id: 'http.duplicate-key', value: 'error', setBy: 'the control API' },
]

let compiled: Contract | undefined

/** What is wrong with a value by a schema of the control API. */
export function checkControlValue(schema: string, value: unknown): readonly Violation[] {
  return compileContract([]).check(schema, value)
}

/** The contract with the paths that resources add. */
function compileContract(resources: readonly Resource[]): Contract {
  const document = readPackaged('spec/control.openapi.yaml')
  const added = Object.assign({}, ...resources.map(({ controlPaths }) => controlPaths)) as object
  // It has no state, so all servers of the process share it.
  if (Object.keys(added).length === 0) return (compiled ??= loadContract(document, { isTrusted: true }))
  const { paths, ...rest } = document.value as { readonly paths: object }
  return loadContract({ ...document, value: { ...rest, paths: { ...paths, ...added } } }, { isTrusted: true })
}

function createServer(deps: ControlDependencies): ControlServer {
  const contract = compileContract(deps.resources)
  return {
    deps,
    contract,
    router: withHead(createRouter(contract.operations)),
    routes: collectRoutes(contract, deps.resources),
    behaviours: chooseBehaviours(deps.catalog, { overrides: OVERRIDES }),
  }
}

/** A request while it is handled. */
interface ControlContext extends ResponseContext {
  /** The sandbox that was read or changed; undefined for the default one and for none. */
  sandbox?: string
  /** The sandbox that the request created, as it was then. */
  created?: { readonly sandbox: Sandbox; readonly nextEvent: number }
}

async function respond(request: IncomingMessage, response: ServerResponse, server: ControlServer): Promise<void> {
  const { deps } = server
  const { log, redactor } = deps
  const started = deps.elapsed()
  const context: ControlContext = { request, response, headers: ['cache-control', 'no-store'] }
  const clean = cleanerOf(request, deps)
  let problem: string | undefined
  try {
    if (guardControl(context, deps)) await handle(context, server)
    else response.writeHead(204, context.headers).end()
  } catch (error) {
    problem = sendError(context, deps, error, clean)
  }
  // What pages and the console read is many lines that tell nothing.
  const isQuiet = response.statusCode < 400 && ['GET', 'HEAD', 'OPTIONS'].includes(request.method ?? '')
  if (log.isSilent || (isQuiet && !log.isVerbose)) return
  log.exchange({
    requestId: '',
    sandbox: context.sandbox,
    method: request.method ?? '',
    url: clean.forLog(redactor.url(request.url ?? '')),
    status: response.statusCode,
    milliseconds: deps.elapsed() - started,
    behaviours: [],
    problem: problem === undefined ? undefined : clean.forLog(problem),
  })
}

async function handle(context: ControlContext, server: ControlServer): Promise<void> {
  const { deps } = server
  const { request, response } = context
  const [target = ''] = (request.url ?? '').split('?')
  // The console, for clients that are no browser.
  if (/^(GET|HEAD)$/.test(request.method ?? '') && /^\/?$/.test(target.slice(CONTROL_PATH.length))) {
    await send(context, ok(indexOf(server)), deps.slices.begin())
    return
  }
  const read = readControlRequest(request, server)
  const pause = deps.slices.begin(() => response.destroyed)
  const body = await readJsonBody(request, createBehaviourTracker(server.behaviours), pause)
  await checkBody(read, { body, pause }, server)
  await whenFree(namesOf(read, body).flatMap((name) => deps.sandboxes.all.get(name) ?? []))
  const { sandboxes } = deps
  if (sandboxes.areShared) await refreshShared(sandboxes, read, body)
  const run = () => runRoute(context, deps, { ...read, body, pause })
  const outcome = sandboxes.areShared ? await untilStored(run, () => sandboxes.confirm()) : await run()
  setSession(context, sandboxes.all.get(read.sandbox))
  await send(context, outcome, pause)
}

/** What the control API can do, by method and path. */
function indexOf({ contract: { operations, document } }: ControlServer): object {
  const lines = operations.map(({ method, path, pointer }) => [
    `${method} ${CONTROL_PATH}${path}`,
    asObject(valueAt(document, pointer)).summary,
  ])
  return {
    contract: `${CONTROL_PATH}/control.openapi.yaml`,
    operations: Object.fromEntries(lines) as Readonly<Record<string, unknown>>,
  }
}

/** Operations that need to know of all sandboxes. */
const OF_ALL = new Set(['listSandboxes', 'getCoverage', 'deleteCoverage'])
/** Operations that tell what clients did, or did not: without the exchanges of all replicas they would tell something else. */
const OF_JOURNAL = new Set(['listExchanges', 'getExchange', 'verifyJournal', 'exportHar', 'getReplay'])
/** Operations that read exchanges where they are there, or end them: those of all replicas are counted before. */
const NEAR_JOURNAL = new Set([
  'reset',
  'deleteJournal',
  'deleteSandbox',
  'openStream',
  'getMetrics',
  'getContract',
  'getContractYaml',
])

/** Reads what other replicas changed. @throws Problem 409 where the journal must be whole and is not */
async function refreshShared(sandboxes: Sandboxes, read: ControlRequest, body: unknown): Promise<void> {
  const { operationId } = read.operation
  const names = namesOf(read, body)
  await sandboxes.refresh((all) => (OF_ALL.has(operationId) ? all : names), read.sandbox)
  for (const sandbox of names.flatMap((name) => sandboxes.all.get(name) ?? [])) {
    if (OF_JOURNAL.has(operationId)) await collectExchanges(sandbox)
    else if (NEAR_JOURNAL.has(operationId) || namesExchange(read, body)) await collectWhatIsThere(sandbox)
  }
}

/** Whether a request asks for the state before an exchange. */
function namesExchange({ query }: ControlRequest, body: unknown): boolean {
  return query.before !== undefined || asObject(body).before !== undefined
}

/** The sandboxes that a request may read or change. */
function namesOf({ sandbox, path, query }: ControlRequest, body: unknown): readonly string[] {
  const { from } = asObject(body)
  return [sandbox, path.name, query.beside, from].filter((name) => typeof name === 'string')
}

interface ReadControlRequest extends ControlRequest {
  readonly body: unknown
  readonly pause: Pause
}

/** Calls the handler. When it refuses the request, a sandbox that was created for the request is deleted again. */
async function runRoute(
  context: ControlContext,
  deps: ControlDependencies,
  read: ReadControlRequest,
): Promise<ControlResponse> {
  const { sandboxes, log } = deps
  const { route, path, query, body, pause, sandbox: name, namesSandbox } = read
  try {
    const lastEventId = headerValues(context.request.rawHeaders, 'last-event-id')[0]
    const sandbox = () => useSandbox(context, read, deps)
    const address = () => addressOf(context.request)
    const work = route.handle({ ...deps, path, query, body, sandbox, namesSandbox, address, lastEventId, pause })
    return await (work instanceof Promise ? work : inSlices(work, pause))
  } catch (error) {
    if (isUntouched(context, deps)) sandboxes.delete(name)
    throw error
  } finally {
    if (context.created && sandboxes.all.has(name)) log.note(madeBy(name, read.sandboxBy))
  }
}

/** Where the app is served; Express has cut off the path of the control API too. */
function addressOf(request: IncomingMessage): string {
  const mount = mountOf(request)
  return originOf(request) + (mount.endsWith(CONTROL_PATH) ? mount.slice(0, -CONTROL_PATH.length) : mount)
}

/** Whether a sandbox that the request created is unchanged: other requests may use it while this one takes turns. */
function isUntouched({ created }: ControlContext, { sandboxes }: ControlDependencies): boolean {
  if (!created) return false
  const { sandbox, nextEvent } = created
  const { name, requests, checkpoints } = sandbox
  return (
    sandboxes.all.get(name) === sandbox && sandbox.nextEvent === nextEvent && requests === 0 && checkpoints.size === 0
  )
}

/** The sandbox that the request names, created unless the request only reads. The response names it. */
function useSandbox(
  context: ControlContext,
  { sandbox: name, route, sandboxBy }: ControlRequest,
  { sandboxes }: ControlDependencies,
): Sandbox {
  const known = sandboxes.find(name)
  const isTyped = route.refusesTypos === true && sandboxBy.startsWith('?')
  const mustExist = /^(GET|HEAD)$/.test(context.request.method ?? '') || route.isReadOnly === true || isTyped
  const make = () => sandboxes.use(name, { ttl: ttlByHeader(context.request) })
  const sandbox = known ?? (mustExist && isSandboxName(name) ? sandboxes.get(name) : make())
  if (!known) context.created = { sandbox, nextEvent: sandbox.nextEvent }
  if (sandbox !== sandboxes.default) {
    context.sandbox = name
    setHeader(context, 'x-mock-sandbox', name)
  }
  return sandbox
}

async function send(
  context: ControlContext,
  { status, body, location, text, stream }: ControlResponse,
  pause: Pause,
): Promise<void> {
  if (location !== undefined) setHeader(context, 'location', location)
  if (stream) stream(context)
  else if (text) {
    const { contentType, content } = text
    if (typeof content === 'string') sendText(context, { status, contentType, text: content })
    else await sendPieces(context, { status, contentType }, content, pause)
  } else if (body === undefined) context.response.writeHead(status, context.headers).end()
  else await sendPieces(context, { status }, jsonPieces(body), pause)
}

/** Removes keys and the token from texts. */
interface Cleaner {
  forLog(text: string): string
  forClient(text: string): string
}

function cleanerOf({ rawHeaders, url = '' }: IncomingMessage, { redactor, token }: ControlDependencies): Cleaner {
  const keys = [...redactor.keysOf({ requestHeaders: rawHeaders, url }), ...(token === undefined ? [] : [token])]
  return { forLog: (text) => redactor.text(text, keys), forClient: (text) => redactor.refusal(text, keys) }
}

/** Sends an error, and returns its message for the log. */
function sendError(
  context: ControlContext,
  { log }: ControlDependencies,
  error: unknown,
  clean: Cleaner,
): string | undefined {
  const { request, response } = context
  const { method = '', url = '' } = request
  const isDefect = !(error instanceof Problem)
  if (isDefect) log.defect(error, { requestId: 'control', method, url: clean.forLog(url) })
  if (response.destroyed || response.headersSent) {
    response.destroy()
    return undefined
  }
  const problem = cleanProblem(isDefect ? mockDefect({ detail: DEFECT }) : error, clean.forClient)
  setHeaders(context, problem.headers)
  const [path = ''] = clean.forClient(url).split('?')
  // The behaviour `error.body` is about the errors of the emulated service.
  const { contentType, body } = formatProblem(problem, path, '', 'problem')
  sendText(context, { status: problem.status, contentType, text: body })
  return problem.message
}

const DEFECT = 'Standin failed: this is a defect of the mock, not of the request. Its log has the stack.'
