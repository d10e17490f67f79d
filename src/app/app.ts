import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type Express } from 'express'
import type { Behaviours } from '../behaviours/behaviours.ts'
import type { Contract } from '../contract/contract.ts'
import type { Health } from '../control/client/types.ts'
import { CONTROL_PATH } from '../control/path.ts'
import type { Sandboxes } from '../engine/sandboxes.ts'
import type { Slices } from '../engine/slices.ts'
import type { FaultKinds } from '../faults/fault.ts'
import type { AllowedHosts } from '../http/allowed-hosts.ts'
import type { Log } from '../journal/log.ts'
import type { Metrics } from '../journal/metrics.ts'
import type { Redactor } from '../journal/redact.ts'
import type { ContractAdapter } from './adapter/contract-adapter.ts'
import type { SelfCheck } from './adapter/self-check.ts'
import type { Bindings } from './binding/binding.ts'
import { authenticate, type Keys } from './middleware/authenticate.ts'
import { controlApi } from './middleware/control-api.ts'
import { injectFaultsAfter, injectFaultsBefore } from './middleware/inject-faults.ts'
import { limitRate } from './middleware/limit-rate.ts'
import { protectFromForeignPages } from './middleware/protect-from-foreign-pages.ts'
import { readBody } from './middleware/read-body.ts'
import { createRecorder } from './middleware/record-exchange.ts'
import { renderProblem } from './middleware/render-problem.ts'
import type { Wait } from './middleware/request-context.ts'
import { routeOperation } from './middleware/route-operation.ts'
import { runHandler } from './middleware/run-handler.ts'
import { sendResponse } from './middleware/send-response.ts'
import { startRequest } from './middleware/start-request.ts'
import { servePages } from './pages/serve-pages.ts'

/** What an app is created from. */
export interface AppOptions {
  readonly contract: Contract
  readonly bindings: Bindings
  /** Adapts responses to a contract of the user; undefined for the packaged one. */
  readonly contractAdapter: ContractAdapter | undefined
  /** Undefined where responses are not checked against the contract. */
  readonly selfCheck: SelfCheck | undefined
  readonly behaviours: Behaviours
  readonly sandboxes: Sandboxes
  readonly faultKinds: FaultKinds
  readonly keys: Keys
  readonly hosts: AllowedHosts
  /** Origins that may call besides the local ones, as a browser writes them: `https://app.example.com`. */
  readonly origins: readonly string[]
  /** Handles a request to the control API; undefined where that is switched off. */
  readonly control: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined
  /** Whether the server is starting, ready or stopping; changes while it runs. */
  readonly health: { readonly status: Health['status'] }
  readonly log: Log
  readonly metrics: Metrics
  /** Removes API keys from logs, journal and messages. */
  readonly redactor: Redactor
  /** Splits long work so that other requests get their turn. */
  readonly slices: Slices
  readonly wait: Wait
  /** Milliseconds by the machine's monotonic clock. */
  elapsed(): number
  /** The machine's clock, epoch ms. */
  realNow(): number
}

/** One route for all paths: `app.use` would match the path once per middleware, and `app.all` would register each once per method. */
const EVERY_PATH = /^/

/**
 * The app, not listening yet. Every request outside `/__mock` passes these middlewares in this order. Clients see part of it as the
 * behaviour `http.order`. A middleware throws a Problem to refuse a request.
 *
 * @param summary what was loaded, for the page at `/`
 */
export function createApp(options: AppOptions, summary = () => ''): Express {
  const { contract, bindings, contractAdapter, selfCheck, behaviours, sandboxes, keys, hosts, origins } = options
  const { faultKinds, control, health, log, metrics, redactor, slices, wait, elapsed, realNow } = options
  const record = createRecorder({ metrics, log, redactor, hasControl: control !== undefined, elapsed, realNow })
  const app = express().disable('x-powered-by').disable('etag').enable('case sensitive routing')
  app.use(CONTROL_PATH, controlApi({ control, health, origins, log, elapsed }))
  app
    .route(EVERY_PATH)
    .all(
      startRequest({ sandboxes, behaviours, contract, keys, hosts, log, wait, elapsed }),
      protectFromForeignPages({ hosts, origins, log }),
      routeOperation({ contract, bindings, record }),
      authenticate({ keys, contract }),
      limitRate({ realNow }),
      readBody(),
      injectFaultsBefore({ contract, contractAdapter, faultKinds, record, elapsed, realNow }),
      runHandler({ contract, contractAdapter, selfCheck, slices, log }),
      injectFaultsAfter({ record }),
      sendResponse({ slices, record }),
    )
  app.use(
    servePages({ contract, bindings, behaviours, hasControl: control !== undefined, summary, slices, log, elapsed }),
  )
  app.use(renderProblem({ contractAdapter, selfCheck, log, redactor, record }))
  return app
}

/** Passes each request to the app that `current()` returns; a reload swaps it. */
export function createReloadableApp(current: () => Express): Express {
  return express()
    .disable('x-powered-by')
    .use((request, response, next) => current()(request, response, next))
}
