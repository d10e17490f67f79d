import express, { type Request, type Response, Router } from 'express'
import { packagedPath } from '../../formats/source-file.ts'

/** What the page may load: its own files, and what the stand-in responds. Nothing a client sent can run. */
const SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

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
  return Router().get(/^\/(?:$|icon\.svg$|console\/)/, (request, response, next) => {
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
