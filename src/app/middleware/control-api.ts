import type { RequestHandler } from 'express'
import { controlExchange } from '../../control/server/control-exchange.ts'
import { CONTROL_PATH } from '../../control/server/control-request.ts'
import type { AppDependencies } from '../dependencies.ts'

/** The control API below `/__mock`; where it is switched off, its path is unknown like any other. */
export function controlApi(deps: AppDependencies): RequestHandler {
  const { control } = deps
  return (request, response, next) => {
    if (!control) {
      next()
      return
    }
    // Express has cut off the path of the control API, and before it the one that the app is mounted under.
    request.url = request.originalUrl.slice(request.baseUrl.length - CONTROL_PATH.length)
    return controlExchange(request, response, deps, control())
  }
}
