import type { RequestListener } from 'node:http'
import express from 'express'
import { controlExchange } from './control-exchange.ts'
import { CONTROL_PATH } from './control-request.ts'
import { exchange } from './exchange.ts'
import type { House } from './house.ts'

/** The Express app, apart from any socket. Everything it answers is emulated, but for what lies under `/__mock`. */
export function createApp(house: House): RequestListener {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  const { control } = house
  if (control)
    app.use(CONTROL_PATH, (request, response) => {
      // Express cuts the path that it was mounted on.
      request.url = request.originalUrl
      return controlExchange(request, response, house, control())
    })
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
