import express, { type Express } from 'express'
import { CONTROL_PATH } from '../control/server/read-request.ts'
import type { AppDependencies } from './dependencies.ts'
import { authenticate } from './middleware/authenticate.ts'
import { allowPages, checkHost } from './middleware/cors.ts'
import { controlApi } from './middleware/control-api.ts'
import { injectFaultsAfter, injectFaultsBefore } from './middleware/inject-faults.ts'
import { limitRate } from './middleware/limit-rate.ts'
import { negotiate } from './middleware/negotiate.ts'
import { readBody } from './middleware/read-body.ts'
import { renderProblem } from './middleware/render-problem.ts'
import { routeOperation } from './middleware/route-operation.ts'
import { runHandler } from './middleware/run-handler.ts'
import { sendResponse } from './middleware/send-response.ts'
import { startRequest } from './middleware/start-request.ts'

/** One route: middlewares of `app.use` would each look at the path, and `app.all` would add each of them once for every method. */
const EVERY_PATH = /^/

/**
 * The app, apart from any socket. Every request takes this way, in the order of the behaviour `http.order`; a middleware throws a Problem
 * to refuse one.
 */
export function createApp(deps: AppDependencies): Express {
  const app = express().disable('x-powered-by').disable('etag').enable('case sensitive routing')
  app.use(CONTROL_PATH, controlApi(deps))
  app
    .route(EVERY_PATH)
    .all(
      startRequest(deps),
      checkHost(deps),
      allowPages(deps),
      routeOperation(deps),
      authenticate(deps),
      limitRate(deps),
      negotiate(),
      readBody(),
      injectFaultsBefore(deps),
      runHandler(deps),
      injectFaultsAfter(),
      sendResponse(deps),
    )
  app.use(renderProblem(deps))
  return app
}

/** An app that hands each request to the app that is current then. */
export function createReloadableApp(current: () => Express): Express {
  return express()
    .disable('x-powered-by')
    .use((request, response, next) => current()(request, response, next))
}
