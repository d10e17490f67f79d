import type { IncomingMessage, RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import request from 'supertest'
import { expect, test } from 'vitest'
import type { ControlClient } from '../../../src/index.ts'
import { ORDERS } from '../../support/orders.ts'
import { readAll, startPartial, startProxy, startService } from '../../support/servers/proxy.ts'
import { exchangeRaw } from '../../support/raw.ts'

type FaultRequest = Parameters<ControlClient['armFaults']>[0]

/** Keeps what it was sent, and has one order. */
async function startOrders({ gzip = false } = {}) {
  const asked: string[] = []
  const answer: RequestListener = (incoming: IncomingMessage, response) => {
    void readAll(incoming).then((body) => {
      const { method = '', url = '' } = incoming
      asked.push([method, url, body].filter((one) => one !== '').join(' '))
      const text = method === 'POST' ? '{"id":2,"status":"new"}' : '{"id":1,"status":"real","note":"é"}'
      const bytes = gzip ? gzipSync(text) : Buffer.from(text)
      response.writeHead(url.endsWith('/9') ? 404 : method === 'POST' ? 201 : 200, {
        'Content-Type': 'application/json',
        'Content-Length': bytes.length,
        'X-Of-Service': 'yes',
        ...(gzip ? { 'Content-Encoding': 'gzip' } : {}),
      })
      response.end(bytes)
    })
  }
  return { asked, service: await startService(answer) }
}

async function startFaulty(fault: FaultRequest, settings: Readonly<Record<string, unknown>> & { gzip?: boolean } = {}) {
  const { gzip = false, ...rest } = settings
  const { asked, service } = await startOrders({ gzip })
  const { url, control } = await startPartial(service, { contract: ORDERS, ...rest })
  await control.armFaults(fault)
  return { asked, url, control }
}

const post = (url: string, body: object) => request(url).post('/v2/orders').send(body)

test('an error strikes an operation of the service, which is not asked', async () => {
  const { asked, url, control } = await startFaulty({
    kind: 'status',
    status: 503,
    headers: { 'Retry-After': '2' },
    match: { operationId: 'getOrder' },
    times: 1,
  })
  const struck = await request(url).get('/v2/orders/1')
  expect(struck.status).toBe(503)
  expect(struck.headers).toMatchObject({
    'retry-after': '2',
    'x-mock-fault': 'status-1',
    'x-mock-answered-by': 'mock',
    'content-type': 'application/problem+json',
  })
  const next = await request(url).get('/v2/orders/1')
  expect([next.status, next.headers['x-mock-answered-by'], next.headers['x-mock-fault']]).toEqual([
    200,
    'upstream',
    undefined,
  ])
  expect(asked).toEqual(['GET /v2/orders/1'])
  const { exchanges } = await control.listExchanges()
  expect(exchanges.map(({ operationId, fault, answer }) => [operationId, fault, answer?.status])).toEqual([
    ['getOrder', 'status', 503],
    ['getOrder', null, 200],
  ])
})

test('a lost response: the service has done it, and the client does not know', async () => {
  const { asked, url, control } = await startFaulty({ kind: 'lost-answer', times: 1 })
  // A read changes nothing, so nothing is lost.
  expect((await request(url).get('/v2/orders/1')).status).toBe(200)
  await expect(post(url, { status: 'new' })).rejects.toThrow('ECONNRESET')
  expect(asked).toEqual(['GET /v2/orders/1', 'POST /v2/orders {"status":"new"}'])
  expect((await post(url, { status: 'new' })).status).toBe(201)
  const { exchanges } = await control.listExchanges()
  expect(exchanges[1]).toMatchObject({
    operationId: 'createOrder',
    answer: null,
    fault: 'lost-answer',
    request: { body: '{"status":"new"}' },
  })
})

test('a lost response may be a 504', async () => {
  const { asked, url } = await startFaulty({ kind: 'lost-answer', by: 'gateway-timeout' })
  expect((await post(url, { status: 'new' })).status).toBe(504)
  expect(asked).toHaveLength(1)
})

test('a reset comes before the service is asked', async () => {
  const { asked, url } = await startFaulty({ kind: 'reset', times: 1 })
  await expect(post(url, { status: 'new' })).rejects.toThrow('ECONNRESET')
  expect(asked).toEqual([])
})

test('the body of the service is truncated, corrupted and changed', async () => {
  const { url, control } = await startFaulty({ kind: 'truncated', bytes: 10, times: 1 })
  const raw = (path: string) => exchangeRaw(url, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  const truncated = await raw('/v2/orders/1')
  expect(truncated).toMatch(
    /^HTTP\/1\.1 200 OK\r\n[^]*X-Of-Service: yes\r\n[^]*content-length: 36\r\n[^]*\r\n\r\n\{"id":1,"s$/,
  )
  await control.armFaults({ kind: 'garbage', bytes: 7, times: 1 })
  const garbage = await fetch(`${url}/v2/orders/1`)
  expect((await garbage.bytes()).length).toBe(7)
  expect(Object.fromEntries(garbage.headers)).toMatchObject({ 'x-of-service': 'yes', 'x-mock-fault': 'garbage-2' })
  await control.armFaults({ kind: 'changed-body', changes: [{ op: 'replace', at: '/status', to: 'odd' }] })
  await control.armFaults({ kind: 'slow-drip', pieces: 3, milliseconds: 30 })
  const changed = await request(url).get('/v2/orders/1').set('X-Mock-Violations', 'true')
  expect(changed.body).toEqual({ id: 1, status: 'odd', note: 'é' })
  expect(changed.headers).toMatchObject({ 'x-of-service': 'yes', 'x-mock-fault': 'slow-drip-4, changed-body-3' })
  expect(changed.headers['x-mock-violations']).toBeDefined()
  const { exchanges } = await control.listExchanges()
  expect(exchanges.map(({ answer }) => answer?.body?.slice(0, 30))).toEqual([
    '{"id":1,"s',
    expect.any(String),
    '{"id":1,"status":"odd","note":',
  ])
})

test('a compressed body is changed, too', async () => {
  const fault = { kind: 'changed-body', changes: [{ op: 'remove', at: '/note' }] } as const
  const { url } = await startFaulty(fault, { gzip: true })
  const changed = await request(url).get('/v2/orders/1')
  expect(changed.body).toEqual({ id: 1, status: 'real' })
})

test.for([
  ['with a length', 'Content-Length: 16\r\n\r\n{"status":"bad"}'],
  ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n10\r\n{"status":"bad"}\r\n0\r\n\r\n'],
] as const)('a fault matches the body of a request %s', async ([, rest]) => {
  const { asked, url, control } = await startFaulty({
    kind: 'status',
    status: 500,
    match: { body: { status: 'bad' } },
    times: 1,
  })
  const head = 'POST /v2/orders HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n'
  expect(await exchangeRaw(url, head + rest)).toMatch(/^HTTP\/1\.1 500 /)
  // Spent, and still armed: the body was looked into, and goes to the service as a whole.
  expect(await exchangeRaw(url, head + rest)).toMatch(/^HTTP\/1\.1 201 /)
  const empty = 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
  expect(await exchangeRaw(url, head + empty)).toMatch(/^HTTP\/1\.1 201 /)
  const long = JSON.stringify({ status: 'x'.repeat(3e6) })
  expect((await post(url, JSON.parse(long) as object)).status).toBe(201)
  expect(asked.map((one) => one.slice(0, 40))).toEqual([
    'POST /v2/orders {"status":"bad"}',
    'POST /v2/orders',
    `POST /v2/orders {"status":"${'x'.repeat(13)}`,
  ])
  expect(asked[2]).toHaveLength('POST /v2/orders '.length + long.length)
  expect((await control.listFaults()).faults[0]).toMatchObject({ matched: 1, struck: 1 })
})

test('a rate limit counts the requests to the service, once each, also those that are handled here after all', async () => {
  const { asked, url, control } = await startFaulty(
    { kind: 'rate-limit', limit: 2, seconds: 60 },
    { fallback: '404', clock: '2026-01-01T00:00:00Z' },
  )
  const status = async (id: number) => (await request(url).get(`/v2/orders/${id}`)).status
  expect([await status(1), await status(9), await status(1)]).toEqual([200, 404, 429])
  expect(asked).toHaveLength(2)
  await control.advanceClock({ by: 'PT60S' })
  expect(await status(1)).toBe(200)
})

test('what a request prefers is for the service', async () => {
  const { url } = await startFaulty({ kind: 'latency', delay: { milliseconds: 1 } })
  const read = await request(url).get('/v2/orders/1').set('Prefer', 'code=503, fault=reset')
  expect([read.status, read.headers['x-mock-fault']]).toEqual([200, 'latency-1'])
})

test('a fault that no request can meet is refused, by who handles the operation now', async () => {
  const { service } = await startOrders()
  const { control } = await startPartial(service, { contract: ORDERS })
  const arm = (fault: FaultRequest) => control.armFaults(fault)
  // Nothing here knows the pages of the service.
  await expect(arm({ kind: 'missing-entry', match: { operationId: 'listOrders' } })).rejects.toThrow('/kind')
  await expect(arm({ kind: 'lost-answer', match: { operationId: 'getOrder' } })).rejects.toThrow('createOrder')
  await arm({ kind: 'lost-answer', match: { operationId: 'createOrder' } })
  await control.changeUpstream({ operations: { listOrders: 'mock' } })
  await arm({ kind: 'missing-entry', match: { operationId: 'listOrders' } })
})

test('faults strike what standin proxy forwards, too, if the contract has it', async () => {
  const { asked, service } = await startOrders()
  const { url, control } = await startProxy(service, { contract: ORDERS })
  await control.armFaults({ kind: 'status', status: 500 })
  expect((await request(url).head('/v2/orders/1')).status).toBe(500)
  expect((await request(url).get('/v2/unknown')).status).toBe(200)
  expect(asked).toEqual(['GET /v2/unknown'])
})
