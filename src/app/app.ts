import express, { type Express } from 'express'
import { CONTROL_PATH } from '../control/path.ts'
import type { AppOptions } from './app-options.ts'
import { authenticate } from './middleware/authenticate.ts'
import { chooseStub } from './middleware/choose-stub.ts'
import { controlApi } from './middleware/control-api.ts'
import { injectFaultsAfter, injectFaultsBefore } from './middleware/inject-faults.ts'
import { limitRate } from './middleware/limit-rate.ts'
import { protectFromForeignPages } from './middleware/protect-from-foreign-pages.ts'
import { readBody } from './middleware/read-body.ts'
import { createRecorder } from './middleware/record-exchange.ts'
import { renderProblem } from './middleware/render-problem.ts'
import { respondAsLearned } from './learned/respond-as-learned.ts'
import { routeOperation } from './middleware/route-operation.ts'
import { runHandler } from './middleware/run-handler.ts'
import { sendResponse } from './middleware/send-response.ts'
import { startRequest } from './middleware/start-request.ts'
import { servePages } from './pages/serve-pages.ts'

/** One route for all paths: `app.use` would match the path once per middleware, and `app.all` would register each once per method. */
const EVERY_PATH = /^/

/**
 * The app, not listening yet. Every request outside `/__mock` passes these middlewares in this order. Clients see part of it as the
 * behaviour `http.order`. A middleware throws a Problem to refuse a request.
 *
 * @param summary what was loaded, for the page at `/`
 */
export function createApp(options: AppOptions, summary = () => ''): Express {
  const { contract, bindings, contractAdapter, learned, selfCheck, behaviours, sandboxes, keys, hosts, origins } =
    options
  const { validation, control, health, headers, isAfterService, log, metrics, redactor, slices, streams, stubs, wait } =
    options
  const { elapsed, realNow } = options
  const record = createRecorder({ metrics, log, redactor, hasControl: control !== undefined, elapsed, realNow })
  const app = express().disable('x-powered-by').disable('etag').enable('case sensitive routing')
  app.use(CONTROL_PATH, controlApi({ control, health, origins, log, elapsed }))
  app
    .route(EVERY_PATH)
    .all(
      startRequest({ sandboxes, behaviours, contract, keys, hosts, log, headers, wait, elapsed }),
      protectFromForeignPages({ hosts, origins, log }),
      routeOperation({ contract, bindings, record }),
      authenticate({ keys, contract }),
      limitRate({ realNow }),
      readBody(),
      chooseStub({ stubs }),
      injectFaultsBefore({ contract, contractAdapter, record, isAfterService, elapsed, realNow }),
      runHandler({ contract, contractAdapter, learned, selfCheck, validation, slices, streams, stubs, log }),
      ...(learned ? [respondAsLearned(learned)] : []),
      injectFaultsAfter({ record }),
      sendResponse({ slices, streams, record }),
    )
  app.use(
    servePages({ contract, bindings, behaviours, hasControl: control !== undefined, summary, slices, log, elapsed }),
  )
  app.use(renderProblem({ contractAdapter, learned, selfCheck, log, redactor, record }))
  return app
}

/** Passes each request to the app that `current()` returns; a reload swaps it. */
export function createReloadableApp(current: () => Express): Express {
  return express()
    .disable('x-powered-by')
    .use((request, response, next) => current()(request, response, next))
}
