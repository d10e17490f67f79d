import express, { type Express } from 'express'
import { exchange } from './exchange.ts'
import type { House } from './house.ts'

/** The Express app, apart from any socket. Everything it answers is emulated; its own paths will lie under `/__mock`. */
export function createApp(house: House): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use((request, response) => exchange(request, response, house))
  return app
}
