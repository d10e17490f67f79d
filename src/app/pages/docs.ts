import express, { type RequestHandler, Router } from 'express'
import { packagedPath } from '../../base/formats/source-file.ts'
import { securityHeaders } from './security.ts'

const HEADERS = securityHeaders("'self'")

/** The page of the API docs at `docs` and its files below that. It holds no data: the contract comes from the control API. */
export function serveDocs(): Router {
  const directory = packagedPath('dist/docs')
  const files = packedFiles(directory)
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

/** Scripts and styles, which are stored as gzip. Their names change with their content; that of the page does not. */
function packedFiles(directory: string): RequestHandler {
  const files = express.static(directory, {
    index: false,
    redirect: false,
    immutable: true,
    maxAge: '365d',
    setHeaders: (response, path) => {
      if (!path.endsWith('.gz')) return
      response.setHeader('content-encoding', 'gzip')
      response.setHeader(
        'content-type',
        path.endsWith('.css.gz') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
      )
    },
  })
  return (request, response, next) => {
    const { url } = request
    request.url = url.replace(/\.(?:js|css)(?=$|\?)/, '$&.gz')
    files(request, response, (error?: unknown) => {
      request.url = url
      next(error)
    })
  }
}
