import express, { type RequestHandler, Router } from 'express'
import { packagedPath } from '../../base/formats/source-file.ts'
import { securityHeaders } from './security.ts'

const HEADERS = securityHeaders("'self'")

/** The page of the API docs at `docs` and its files below that. It holds no data: the contract comes from the control API. */
export function serveDocs(): Router {
  const directory = packagedPath('dist/docs')
  // The names of the files change with their content; that of the page does not.
  const files = express.static(directory, { index: false, redirect: false, immutable: true, maxAge: '365d' })
  const page: RequestHandler = (_request, response, next) =>
    response.set({ ...HEADERS, 'cache-control': 'no-cache' }).sendFile('index.html', { root: directory }, (error) => {
      // A checkout that was not built has no such file.
      if (error && !response.headersSent) next()
    })
  return Router()
    .get(/^\/docs$/, page)
    .get('/docs/', (_request, response) => response.redirect('../docs'))
    .use('/', (request, response, next) => {
      if (request.path.startsWith('/docs/')) files(request, response.set(HEADERS), next)
      else next()
    })
}
