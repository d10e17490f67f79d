import express, { type ErrorRequestHandler, type Express } from 'express'
import type { AppOptions } from '../../app/app-options.ts'
import { controlApi } from '../../app/middleware/control-api.ts'
import { protectFromForeignPages } from '../../app/middleware/protect-from-foreign-pages.ts'
import { createRecorder } from '../../app/middleware/record-exchange.ts'
import type { Middleware, RequestContext } from '../../app/middleware/request-context.ts'
import { startRequest } from '../../app/middleware/start-request.ts'
import { SILENT } from '../../journal/server-log.ts'
import { CONTROL_PATH } from '../../control/path.ts'
import { Problem } from '../../base/errors/problem.ts'
import { mockDefect } from '../../base/errors/response-errors.ts'
import { isPreflight, setPreflightHeaders } from '../../http/cors.ts'
import { formatProblem } from '../../http/format-problem.ts'
import { sendText } from '../../http/response.ts'
import { createSecretRemover } from '../recordings/remove-secrets.ts'
import { createCaptures } from './capture.ts'
import { createExchangeCheck } from './check-exchange.ts'
import { forward } from './forward.ts'
import type { ForwardDependencies } from './forwarded.ts'
import { meetFaults } from './meet-faults.ts'
import { createObserver, NO_BEHAVIOURS } from './observe.ts'
import { createRecording, type Recording } from './recording.ts'
import { createShadow, type Shadow } from './shadow.ts'
import type { Upstream } from './upstream.ts'

export interface ProxyOptions {
  readonly upstream: Upstream
  /** The directory that gets recordings; undefined for none. */
  readonly record?: string | undefined
  /** Whether the contract may be of another service than that one: no path is wrong for not being in it. */
  readonly isOther?: boolean | undefined
  /** Whether the stand-in is asked too, and differences are kept in the journal. */
  readonly shadow?: boolean | undefined
  /** Handles a request in place of the service, which responded so. */
  readonly instead?: ForwardDependencies['instead']
  readonly joining?: ForwardDependencies['joining']
}

interface ProxyApp {
  readonly app: Express
  /** Writes what is left of the recording. */
  close(): void
}

/** One route for all paths, as in `app.ts`. */
const EVERY_PATH = /^/

/**
 * An app that forwards what the emulated service would handle. Sandboxes, journal, console and control API are those of the stand-in;
 * the keys of requests are the service's, so none of them names a sandbox.
 */
export function createProxyApp(
  options: AppOptions,
  { upstream, record: directory, shadow: hasShadow, isOther = false, instead, joining }: ProxyOptions,
): ProxyApp {
  const { behaviours, sandboxes, keys, hosts, origins, contract, control, health, headers, log } = options
  const { metrics, redactor, wait, elapsed, realNow } = options
  const record = createRecorder({ metrics, log, redactor, hasControl: control !== undefined, elapsed, realNow })
  const recording = directory === undefined ? undefined : createRecordingOf(options, directory, upstream)
  const shadow = hasShadow ? createShadow(options) : undefined
  const check = createExchangeCheck(contract, { prefix: upstream.prefix, isOther })
  const refuse = createRefuse(options)
  const app = express().disable('x-powered-by').disable('etag').enable('case sensitive routing')
  app.use(CONTROL_PATH, controlApi({ control: control && afterShadow(control, shadow), health, origins, log, elapsed }))
  app.route(EVERY_PATH).all(
    startRequest({ sandboxes, behaviours, contract: NO_KEYS, keys, hosts, log, headers, wait, elapsed }),
    // The service says itself which pages may read its responses.
    protectFromForeignPages({ hosts, origins, log: SILENT }),
    answerPreflights((context) => record(context, NO_BEHAVIOURS)),
    meetFaults(options, check, record),
    forward({
      upstream,
      id: `standin-${process.pid}-${realNow().toString(36)}`,
      capture: createCaptures(),
      realNow,
      refuse,
      instead,
      joining,
      ...createObserver({ check, record, keep: recording?.add, realNow, shadow }),
    }),
  )
  app.use(renderProblem(refuse, (context, problem) => record(context, NO_BEHAVIOURS, problem), options))
  return { app, close: () => recording?.close() }
}

/** What a client sees in the journal has all that it was answered. */
function afterShadow(control: NonNullable<AppOptions['control']>, shadow: Shadow | undefined): typeof control {
  if (!shadow) return control
  return async (request, response) => {
    await shadow.settled()
    return control(request, response)
  }
}

function createRecordingOf(
  { contract, keys, log, elapsed, realNow }: AppOptions,
  directory: string,
  { name: service }: Upstream,
): Recording {
  const removeSecrets = createSecretRemover(contract, [...keys.listed.keys()])
  return createRecording({ directory, service, removeSecrets, machine: { elapsed, realNow }, note: log.note })
}

const NO_KEYS = { credentialLocations: [], isOpen: true } as const

/** Pages of allowed origins may call the proxy, whatever the service says: it knows nothing of this address. */
function answerPreflights(record: (context: RequestContext) => void): Middleware {
  return (request, response, next) => {
    const { context } = response.locals
    const { headers } = context
    if (!isPreflight(request) || !headers.includes('access-control-allow-origin')) {
      next()
      return
    }
    setPreflightHeaders(context, [request.headers['access-control-request-method'] ?? 'GET'])
    response.writeHead(204, headers).end()
    record(context)
  }
}

type RefuseRequest = (context: RequestContext, problem: Problem) => void

/** Sends a problem of the proxy's own, without keys. */
function createRefuse({ redactor }: Pick<AppOptions, 'redactor'>): RefuseRequest {
  return (context, problem) => {
    const { request, path, requestId, trace } = context
    const { rawHeaders, url = '' } = request
    const keys = redactor.keysOf({ requestHeaders: rawHeaders, url })
    const { contentType, body } = formatProblem(problem, redactor.refusal(path, keys), requestId, 'problem')
    trace.answered = body
    sendText(context, { status: problem.status, contentType, text: body })
  }
}

/** What is refused before it is forwarded, and defects. */
function renderProblem(
  refuse: RefuseRequest,
  record: RefuseRequest,
  { log }: Pick<AppOptions, 'log'>,
): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const { context } = response.locals as { context?: RequestContext }
    if (!context || response.headersSent) {
      response.destroy()
      return
    }
    const { requestId, path } = context
    if (!(error instanceof Problem)) log.defect(error, { requestId, method: request.method, url: path })
    const problem =
      error instanceof Problem
        ? error
        : mockDefect({ detail: `The proxy failed. Its log has the stack under ${requestId}.` })
    request.resume()
    refuse(context, problem)
    record(context, problem)
  }
}
