import request from 'supertest'
import { describe, expect } from 'vitest'
import { test as base } from '../../src/testing/vitest.ts'

const test = base.extend({ standinOptions: { contract: 'examples/shop/contract.yaml' } })

const keys = base.extend({ standinOptions: { keys: [{ key: 'known' }], key: 'known' } })

interface List {
  readonly total: number
}

describe('the clock', () => {
  test.override({ clock: '2026-03-05T14:30:00Z' })

  test('stands still where a test says so', async ({ control }) => {
    expect(await control.getClock()).toMatchObject({ mode: 'frozen', now: '2026-03-05T14:30:00.000Z' })
  })
})

test('runs otherwise', async ({ control }) => {
  expect(await control.getClock()).toMatchObject({ mode: 'running' })
})

const GRACE = { name: 'Grace Hopper', email: 'grace@example.com', country: 'US' }

test.for(['one', 'two'])('each test has a sandbox of its own: %s', async (_name, { standin, control }) => {
  await control.createDocument('customers', GRACE)
  expect(((await (await standin.fetch('/customers')).json()) as List).total).toBe(11)
})

test('a request of the app, of fetch and of the control client are about one sandbox', async ({ standin, control }) => {
  const body = JSON.stringify(GRACE)
  const headers = { 'Content-Type': 'application/json' }
  expect((await standin.fetch('/customers', { method: 'POST', headers, body })).status).toBe(201)
  const listed = await request(standin.app!).get('/customers').set(standin.headers)
  expect((listed.body as List).total).toBe(11)
  expect((await control.listExchanges()).total).toBe(2)
})

test('an expectation that must not hold is refused when it does', async ({ control }) => {
  await expect(control).not.toHaveVerified({ match: { path: '/customers' } })
  await expect(expect(control).not.toHaveVerified({ match: { path: '/customers' }, exactly: 0 })).rejects.toThrow(
    'What the client sent matched, in 0 exchanges:\n\n  expected: exactly 0 of path "/customers"',
  )
})

test('an expectation about something else than a control client says what it needs', async ({ url }) => {
  await expect(expect(url).toHaveVerified({ walkedEveryPageOnce: true })).rejects.toThrow(
    'Expected the fixture "control", or a control client; got "http://127.0.0.1:',
  )
})

keys(
  'a stand-in with listed keys is called with one of them, and names the sandbox in a header',
  async ({ standin, control, key }) => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }
    expect((await standin.fetch('/api/files/v1/filesets/demo/files/search', init)).status).toBe(200)
    expect([key, (await control.listExchanges()).total]).toEqual(['known', 1])
  },
)

test('a failure says that requests without the headers of the fixture missed the sandbox', async ({
  url,
  standin,
  control,
}) => {
  await control.armFaults({ kind: 'status', status: 503, times: 1 })
  expect((await fetch(`${url}/customers`)).status).toBe(200)
  await fetch(`${url}/customers`)
  await expect(expect(control).toHaveVerified({ match: { status: 503 }, exactly: 1 })).rejects.toThrow(
    /received: 0 of 0 exchanges\n\n2 requests went to the sandbox default, .*\(X-Mock-Sandbox: a-failure-says-that-requests-without-the-headers/,
  )
  expect((await fetch(`${url}/customers`, { headers: standin.headers })).status).toBe(503)
  await expect(control).toHaveVerified({ match: { status: 503 }, exactly: 1 })
})

test('requests before a test are not counted as its own', async ({ url, control }) => {
  await expect(expect(control).toHaveVerified({ match: { status: 503 }, exactly: 1 })).rejects.not.toThrow('default')
  await fetch(`${url}/customers`)
  await expect(expect(control).toHaveVerified({ match: { status: 503 }, exactly: 1 })).rejects.toThrow(
    '1 request went to the sandbox default',
  )
})
