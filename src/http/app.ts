import type { RequestListener } from 'node:http'
import express from 'express'
import { exchange } from './exchange.ts'
import type { House } from './house.ts'

/** The Express app, apart from any socket. Everything it answers is emulated; its own paths will lie under `/__mock`. */
export function createApp(house: House): RequestListener {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use((request, response) => exchange(request, response, house))
  return (request, response) => {
    request.url = originForm(request.url ?? '/')
    app(request, response)
  }
}

/** A server must take a whole address for a path (RFC 9112, 3.2.2); clients behind a proxy send one. */
function originForm(target: string): string {
  const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '')
  return path.startsWith('?') || path === '' ? `/${path}` : path
}
