import { Router } from 'express'

/** A page has a console of its own, and files are not served in it. */
export function serveConsole(): Router {
  return Router()
}

export { serveConsole as serveDocs }
