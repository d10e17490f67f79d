import { setupServer } from 'msw/node'
import { expect, onTestFinished, test, vi } from 'vitest'
import { findFiles } from '../../examples/vitest/find-files.ts'
import { createStandin, StartupError } from '../../src/index.ts'
import { handlersOf } from '../../src/testing/msw.ts'

const API = 'https://api.example.com'
const SHOP = { contract: 'examples/shop/contract.yaml' }

/** Requests of this process go to the stand-in, until the test is over. */
async function intercept(standin = createStandin(SHOP), options: { baseUrl?: string; sandbox?: string } = {}) {
  const server = setupServer(...(await handlersOf(standin, { baseUrl: API, ...options })))
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())
  return standin
}

function create(headers: Readonly<Record<string, string>> = {}, base = API): Promise<Response> {
  const body = JSON.stringify({ name: 'Grace Hopper', email: 'grace@example.com', country: 'US' })
  return fetch(`${base}/customers`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  })
}

async function total(headers: Readonly<Record<string, string>> = {}, base = API): Promise<number> {
  const response = await fetch(`${base}/customers?limit=1`, { headers })
  return ((await response.json()) as { total: number }).total
}

test('what one request creates, the next one lists, at the address of the API', async () => {
  await intercept()
  const created = await create()
  expect(created.status).toBe(201)
  const location = new URL(created.headers.get('Location')!, created.url).href
  expect(location).toMatch(/^https:\/\/api\.example\.com\/customers\/./)
  expect(await (await fetch(location)).json()).toMatchObject({ name: 'Grace Hopper' })
  expect(await total()).toBe(11)
})

test('a request keeps its method, headers and body where Request copies the members of its init, as in jsdom', async () => {
  const standin = await intercept()
  const { Request } = globalThis
  class CopyingRequest extends Request {
    constructor(input: string | URL | Request, init?: RequestInit) {
      super(input, !init?.body ? init : { ...init })
    }
    static override [Symbol.hasInstance](instance: unknown): boolean {
      return instance instanceof Request
    }
  }
  vi.stubGlobal('Request', CopyingRequest)
  onTestFinished(() => void vi.unstubAllGlobals())
  expect((await create({ 'X-Trace': 'kept' })).status).toBe(201)
  const { exchanges } = await standin.control.listExchanges({ header: 'x-trace: kept' })
  expect(exchanges).toMatchObject([{ operationId: 'createCustomer' }])
})

test('a preflight is allowed, and is no exchange', async () => {
  const { control } = await intercept()
  const preflight = await fetch(`${API}/customers`, { method: 'OPTIONS' })
  expect([preflight.status, preflight.headers.get('Access-Control-Allow-Origin')]).toEqual([204, '*'])
  expect((await control.listExchanges()).total).toBe(0)
})

test('a client walks the pages of a search', async () => {
  const { control } = await intercept(createStandin())
  expect(await findFiles(API, 'any', 'budget')).toHaveLength(12)
  expect(await control.verifyJournal({ expectations: [{ walkedEveryPageOnce: true }] })).toMatchObject({ passed: true })
})

test('the key, a header or an option selects the sandbox', async () => {
  const standin = createStandin(SHOP)
  await intercept(standin)
  await create({ 'X-Mock-Sandbox': 'checkout' })
  expect([await total({ 'X-Mock-Sandbox': 'checkout' }), await total()]).toEqual([11, 10])
  await intercept(standin, { sandbox: 'checkout', baseUrl: 'https://checkout.example.com' })
  expect(await total({}, 'https://checkout.example.com')).toBe(11)
})

test('a fault that breaks the connection is a network error, and the request can be repeated', async () => {
  const { control } = await intercept()
  await control.armFaults({ kind: 'reset', times: 1 })
  await expect(create()).rejects.toThrow(TypeError)
  expect((await create()).status).toBe(201)
})

test('a response that breaks off has its status, and its body fails', async () => {
  const { control } = await intercept()
  await control.armFaults({ kind: 'truncated', times: 1 })
  const response = await fetch(`${API}/customers`)
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow(TypeError)
})

test('a client can abort a request that waits', async () => {
  const { control } = await intercept()
  await control.armFaults({ kind: 'latency', delay: { milliseconds: 50_000 } })
  await expect(fetch(`${API}/customers`, { signal: AbortSignal.timeout(50) })).rejects.toThrow('timeout')
})

test.each([`${API}/unknown`, `${API}/customers/1/unknown`, 'https://other.example.com/customers'])(
  '%s is left to MSW, which reports it',
  async (address) => {
    const { control } = await intercept()
    const report = vi.spyOn(console, 'error').mockReturnValue()
    onTestFinished(() => report.mockRestore())
    await expect(fetch(address)).rejects.toThrow('[MSW]')
    expect(report).toHaveBeenCalledWith(
      expect.stringContaining(`GET ${address}
`),
    )
    expect((await control.listExchanges()).total).toBe(0)
  },
)

test.each(['https://example.com/gateway', 'https://example.com/gateway/'])('%s is a base URL', async (baseUrl) => {
  await intercept(createStandin(SHOP), { baseUrl })
  expect((await create({}, 'https://example.com/gateway')).status).toBe(201)
  expect(await total({}, 'https://example.com/gateway')).toBe(11)
})

test.each([API, `${API}/v1`])(
  'the path of the server in the contract may be part of the base URL: %s',
  async (baseUrl) => {
    const update = { servers: [{ url: `${API}/v1` }] }
    const overlay = {
      overlay: '1.0.0',
      info: { title: 'Path', version: '1' },
      actions: [
        { target: '$.servers', remove: true },
        { target: '$', update },
      ],
    }
    await intercept(createStandin({ ...SHOP, overlay }), { baseUrl })
    expect((await create({}, `${API}/v1`)).status).toBe(201)
    expect(await total({}, `${API}/v1`)).toBe(11)
  },
)

test('a base URL that is none is refused', async () => {
  await expect(handlersOf(createStandin(), { baseUrl: '/api' })).rejects.toThrow(
    new StartupError(['baseUrl has to be an address such as https://api.example.com; got "/api".']),
  )
})
