import { setupServer } from 'msw/node'
import { handlersOf } from 'standin/msw'
import { test as base } from 'standin/vitest'
import { afterAll, beforeAll, expect } from 'vitest'

/** What check.ts runs in node, jsdom and happy-dom: requests of every kind, by each way that a test has to send them. */

const API = 'https://api.example.com'
const GRACE = { name: 'Grace Hopper', email: 'grace@example.com', country: 'US' }
const HEADERS = { 'Content-Type': 'application/json' }

const server = setupServer()
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterAll(() => server.close())

const test = base
  .extend({ standinOptions: { contract: 'contract.yaml' } })
  .extend('intercepted', { auto: true }, async ({ standin }) => {
    server.resetHandlers(...(await handlersOf(standin, { baseUrl: API, sandbox: standin.sandbox })))
  })

type Send = (path: string, init?: RequestInit) => Promise<Response>

/** Creates, reads, changes, lists and deletes. */
async function live(send: Send): Promise<void> {
  const created = await send('/customers', { method: 'POST', headers: HEADERS, body: JSON.stringify(GRACE) })
  expect(created.status).toBe(201)
  const { id } = (await created.json()) as { id: string }
  const change = { method: 'PATCH', headers: HEADERS, body: JSON.stringify({ name: 'Rear Admiral Hopper' }) }
  expect(await (await send(`/customers/${id}`, change)).json()).toMatchObject({ name: 'Rear Admiral Hopper' })
  expect(await (await send('/customers?q=admiral')).json()).toMatchObject({ total: 1 })
  expect((await send(`/customers/${id}`, { method: 'DELETE' })).status).toBe(204)
  expect((await send(`/customers/${id}`)).status).toBe(404)
}

test('requests that MSW passes on keep method, headers and body', async ({ control }) => {
  await live((path, init) => fetch(API + path, init))
  await live((path, init) => fetch(new Request(API + path, init)))
  await expect(control).toHaveVerified({
    match: { path: '/customers', headers: { 'content-type': 'application/json' } },
    exactly: 2,
  })
  expect((await control.listExchanges()).total).toBe(10)
})

test('requests of the fixture keep them too', async ({ standin }) => {
  await live((path, init) => standin.fetch(path, init))
  await live((path, init) => standin.fetch(new Request(`http://localhost${path}`, init)))
})

test('requests to the address of the fixture keep them too', async ({ standin, url }) => {
  server.close()
  try {
    await live((path, init) => fetch(url + path, { ...init, headers: { ...standin.headers, ...HEADERS } }))
  } finally {
    server.listen({ onUnhandledRequest: 'error' })
  }
})

test('a connection that breaks is an error, and a request can be aborted', async ({ control }) => {
  await control.armFaults({ kind: 'reset', times: 1 })
  await expect(fetch(`${API}/customers`)).rejects.toThrow()
  await control.armFaults({ kind: 'latency', delay: { milliseconds: 50_000 } })
  const aborter = new AbortController()
  setTimeout(() => aborter.abort(), 50)
  await expect(fetch(`${API}/customers`, { signal: aborter.signal })).rejects.toThrow(/abort/i)
})
