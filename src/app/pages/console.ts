import express, { type Request, type Response, Router } from 'express'
import { packagedPath } from '../../base/formats/source-file.ts'
import { securityHeaders } from './security.ts'

const HEADERS = securityHeaders("'self'")

/**
 * The console at `/__mock/`: files that anybody may have who reaches the stand-in, since they hold no data. What the page shows comes
 * from the control API, which has a guard of its own.
 */
export function serveConsole(): Router {
  const directory = packagedPath('dist/console')
  const files = express.static(directory, {
    index: 'index.html',
    redirect: false,
    // Their names change with their content.
    setHeaders: (response, path) => {
      const isNamedByContent = /[/\\]console[/\\][^/\\]+-[\w-]{8}\.\w+$/.test(path)
      response.setHeader('cache-control', isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  const guide = express.static(packagedPath('docs'), {
    index: false,
    redirect: false,
    setHeaders: (response, path) => {
      if (path.endsWith('.md')) response.setHeader('content-type', 'text/plain; charset=utf-8')
    },
  })
  const router = Router().use('/guide', (request, response, next) => guide(request, response.set(HEADERS), next))
  return router.get(/^\/(?:$|icon\.svg$|console\/)/, (request, response, next) => {
    const isPage = request.path === '/'
    // Other clients than browsers get what the control API says of this path.
    if (isPage && request.headers.accept?.includes('text/html') !== true) next()
    else if (isPage && !/^[^?#]*\/(?:[?#]|$)/.test(request.originalUrl)) redirectToFolder(request, response)
    else files(request, response.set(HEADERS), next)
  })
}

/** The page's addresses are relative to its folder, so that the app can be mounted anywhere. */
function redirectToFolder({ baseUrl }: Request, response: Response): void {
  response.redirect(`${baseUrl.slice(baseUrl.lastIndexOf('/') + 1)}/`)
}
