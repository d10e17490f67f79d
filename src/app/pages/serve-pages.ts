import type { ErrorRequestHandler } from 'express'
import { Problem } from '../../base/errors/problem.ts'
import type { RequestContext } from '../middleware/request-context.ts'
import type { PagesDependencies } from '../app-options.ts'

/** `/`, the contract, and the pages of error types. Anything else is a 404. */
const PAGES = /^\/(?:$|openapi\.(?:yaml|json)$|problems\/[^/]+$)/

/**
 * Pages on paths that the contract does not have. They are looked for once routing has failed, so requests of the service pay nothing for
 * them, and what they are made by is loaded for the first of them. They are no exchanges of the service: the journal does not have them.
 */
export function servePages(deps: PagesDependencies): ErrorRequestHandler {
  return (error, request, response, next) => {
    const { context } = response.locals as { context?: RequestContext }
    const isUnknown = error instanceof Problem && error.id === 'path-unknown'
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!context || !isUnknown || !isRead || !PAGES.test(context.path)) {
      next(error)
      return
    }
    import('./send-page.ts')
      .then(({ sendPage }) => sendPage(context, request, deps))
      .then((isSent) => {
        if (!isSent) next(error)
      })
      .catch(next)
  }
}
