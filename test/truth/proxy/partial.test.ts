import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import request from 'supertest'
import { expect, onTestFinished, test } from 'vitest'
import { createStandin } from '../../../src/index.ts'
import { readAll, startPartial, startService } from '../../support/servers/proxy.ts'
import { createDirectory, runCommand } from '../../support/command.ts'
import { serve } from '../../support/serve.ts'
import { exchangeRaw } from '../../support/raw.ts'
import { ORDERS } from '../../support/orders.ts'

/** Has one order, of the id 1, and no creates. */
const service: RequestListener = (incoming, response) => {
  const { method, url } = incoming
  response.setHeader('content-type', 'application/json')
  if (method === 'GET' && url === '/v2/orders/1') response.end('{"id":1,"status":"real"}')
  else if (method === 'GET' && url === '/v2/status') response.end('{"of":"the service"}')
  else response.writeHead(method === 'POST' ? 501 : 404).end('{"message":"not at the service"}')
}

const BY = 'x-mock-answered-by'

test('the operations of --mock are handled here, and all others by the service', async () => {
  const { url, control } = await startPartial(await startService(service), { contract: ORDERS, mock: 'createOrder' })
  const created = await request(url).post('/v2/orders').send({ status: 'new' })
  expect(created.status).toBe(201)
  expect(created.headers).toMatchObject({ [BY]: 'mock', location: '/v2/orders/1000001' })
  const read = await request(url).get('/v2/orders/1')
  expect(read.body).toEqual({ id: 1, status: 'real' })
  expect(read.headers).toMatchObject({ [BY]: 'upstream' })
  // What the service knows and the contract does not is the service's, too.
  expect((await request(url).get('/v2/status')).body).toEqual({ of: 'the service' })
  const { exchanges } = await control.listExchanges()
  expect(exchanges.map(({ operationId, answer }) => [operationId, answer?.status])).toEqual([
    ['createOrder', 201],
    ['getOrder', 200],
    [null, 200],
  ])
})

test.for([
  [{ mock: 'tag:orders' }, { listOrders: 'mock', createOrder: 'mock', getOrder: 'mock', ping: 'upstream' }],
  [{ pass: ['getOrder'] }, { listOrders: 'mock', createOrder: 'mock', getOrder: 'upstream', ping: 'mock' }],
  [
    { mock: 'tag:orders', pass: 'GET /v2/orders, POST /orders' },
    { listOrders: 'upstream', createOrder: 'upstream', getOrder: 'mock', ping: 'upstream' },
  ],
  [{}, { listOrders: 'upstream', createOrder: 'upstream', getOrder: 'upstream', ping: 'upstream' }],
] as const)('%j', async ([settings, expected]) => {
  const { url, control } = await startPartial('http://127.0.0.1:1', { contract: ORDERS, ...settings })
  const { operations } = await control.getUpstream()
  expect(Object.fromEntries(operations.map(({ operationId, answeredBy }) => [operationId, answeredBy]))).toEqual(
    expected,
  )
  const ping = await request(url).get('/v2/ping')
  expect([ping.status, ping.headers[BY]]).toEqual(expected.ping === 'mock' ? [204, 'mock'] : [502, 'upstream'])
})

test('who handles an operation can change between two requests', async () => {
  const { url, control } = await startPartial(await startService(service), { contract: ORDERS })
  const get = async () => (await request(url).get('/v2/orders/1')).headers[BY]!
  expect(await get()).toBe('upstream')
  expect(await control.changeUpstream({ operations: { getOrder: 'mock' } })).toMatchObject({
    operations: expect.arrayContaining([
      { operationId: 'getOrder', method: 'GET', path: '/v2/orders/{id}', answeredBy: 'mock' },
    ]) as unknown,
  })
  expect(await get()).toBe('mock')
  await control.changeUpstream({ operations: { 'tag:orders': 'upstream' } })
  expect(await get()).toBe('upstream')
  await expect(control.changeUpstream({ operations: { getOders: 'mock' } })).rejects.toThrow(
    'has no operation `getOders`. Did you mean `getOrder`?',
  )
})

test('a request is handled here after all where the service says what --fallback names', async () => {
  const settings = { contract: ORDERS, fallback: '404, 501' }
  const { url, control } = await startPartial(await startService(service), settings)
  const created = await request(url).post('/v2/orders').send({ status: 'new', note: 'é' })
  expect(created.status).toBe(201)
  expect(created.headers['x-mock-upstream-said']).toBe('501')
  // None of the service's.
  expect(created.body).toEqual({ id: 1_000_001, status: 'new', note: 'é' })
  expect((await request(url).get('/v2/orders/1000001')).body).toEqual(created.body)
  // What the service does not know is not made up.
  expect((await request(url).get('/v2/orders/2')).status).toBe(404)
  expect((await request(url).get('/v2/orders/1')).body).toEqual({ id: 1, status: 'real' })
  // The contract does not have the path, so the stand-in knows no better.
  expect((await request(url).get('/v2/nothing')).body).toEqual({ message: 'not at the service' })
  const { exchanges } = await control.listExchanges()
  expect(exchanges.map(({ operationId }) => operationId)).toEqual([
    'createOrder',
    'getOrder',
    'getOrder',
    'getOrder',
    null,
  ])
  expect(exchanges[0]?.request.headers).toContainEqual({ name: 'x-mock-upstream-said', value: '501' })
})

test('a body that is too long for the stand-in is a 413 with the reason, and pages may read who responded', async () => {
  const reading = await startService((incoming, response) => {
    void readAll(incoming).then(() => response.writeHead(501).end())
  })
  const { url } = await startPartial(reading, { contract: ORDERS, fallback: '501' })
  const send = (bytes: number) =>
    fetch(`${url}/v2/orders`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: 'http://localhost:3000' },
      body: JSON.stringify({ status: 'x'.repeat(bytes) }),
    })
  expect(await (await send(9e6)).json()).toMatchObject({
    status: 413,
    detail: expect.stringContaining('too long') as unknown,
  })
  expect((await send(2e6)).status).toBe(413)
  const short = await send(10)
  expect([short.status, short.headers.get(BY)]).toEqual([201, 'mock'])
  expect(short.headers.get('access-control-expose-headers')).toContain('X-Mock-Answered-By')
})

test('a service that is down is no 502 with --fallback down', async () => {
  const { url } = await startPartial('http://127.0.0.1:1', { contract: ORDERS, fallback: 'down', mock: 'ping' })
  const created = await fetch(`${url}/v2/orders`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Mock-Sandbox': 'one' },
    body: '{"status":"first"}',
  })
  expect(created.headers.get('x-mock-sandbox')).toBe('one')
  expect(await created.json()).toMatchObject({ status: 'first' })
  const raw = await exchangeRaw(
    url,
    'POST /v2/orders HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{"status":"raw"}\r\n0\r\n\r\n',
  )
  expect(raw).toMatch(/^HTTP\/1\.1 201 /)
  expect((await request(url).head('/v2/orders')).status).toBe(200)
  expect((await request(url).get('/v2/orders/999')).status).toBe(404)
})

test('a client that waits for 100 Continue is told to go on, whoever handles its request', async () => {
  let received = ''
  const echo = await startService((incoming, response) => {
    void readAll(incoming).then((text) => {
      received = text
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":2,"status":"real"}')
    })
  })
  const { url, control } = await startPartial(echo, { contract: ORDERS })
  const send = () =>
    exchangeRaw(
      url,
      'POST /v2/orders HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n{"status":"new"}',
    )
  expect(await send()).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
  expect(received).toBe('{"status":"new"}')
  await control.changeUpstream({ operations: { createOrder: 'mock' } })
  expect(await send()).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
})

test('createStandin does the same without a port, and records what passes', async () => {
  const { path, remove } = createDirectory({})
  onTestFinished(remove)
  const record = join(path, 'recordings')
  const upstream = await startService(service)
  const standin = createStandin({ contract: ORDERS, upstream, fallback: [501, 'down'], mock: 'ping', record })
  const created = await standin.fetch('/v2/orders', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"status":"new"}',
  })
  expect([created.status, created.headers.get('x-mock-upstream-said')]).toEqual([201, '501'])
  expect((await request(standin.app).get('/v2/orders/1')).body).toEqual({ id: 1, status: 'real' })
  await standin.control.changeUpstream({ operations: { getOrder: 'mock' } })
  expect((await standin.fetch('/v2/orders/1000001')).headers.get(BY)).toBe('mock')
  await standin.stop()
  const [file = ''] = readdirSync(record)
  const { log } = JSON.parse(readFileSync(join(record, file), 'utf8')) as { log: { entries: unknown[] } }
  expect(log.entries).toMatchObject([{ request: { method: 'GET' }, response: { status: 200 } }])
})

test('createStandin refuses what it cannot do', () => {
  expect(() => createStandin({ mock: ['searchFiles'] })).toThrow(
    'options.mock: Pass `upstream` too: the address of the service.',
  )
  expect(() => createStandin({ upstream: 'localhost' })).toThrow('options.upstream: Expected the address of a service')
  expect(() => createStandin({ upstream: 'http://127.0.0.1:1', fallback: [200] })).toThrow(
    'options.fallback: Expected statuses of errors',
  )
})

test('standin serve says who handles what, and refuses what it cannot do', async () => {
  const { command } = await serve(['--upstream', 'http://127.0.0.1:1', '--pass', 'searchFiles', '--fallback', 'down'])
  await command.until(
    /handles 1 of 3 operations; handled here: 2: createReportSchedule, updateReportSchedule; and what it answers with down\n/,
  )
  const joining = await serve([
    '--contract',
    'examples/shop/contract.yaml',
    '--upstream',
    'http://127.0.0.1:1',
    '--join',
  ])
  await joining.command.until(/joined lists: 4: listCustomers, listOrdersOfCustomer, listProducts, listOrders\n/)
  const refused = async (...args: string[]) => {
    const [one, other] = [runCommand(['serve', '--port', '0', ...args]), runCommand(['check', ...args])]
    expect([await one.ended, one.stderr()]).toEqual([await other.ended, other.stderr()])
    return [await one.ended, one.stderr()]
  }
  expect(await refused('--mock', 'searchFiles')).toEqual([
    1,
    expect.stringContaining('--mock: Pass --upstream URL too: the address of the service.'),
  ])
  expect(await refused('--upstream', 'localhost', '--mock', 'searchFiles')).toEqual([
    1,
    expect.stringContaining('--upstream: Expected the address of a service, such as https://api.example.com/v2'),
  ])
  expect(await refused('--upstream', 'http://127.0.0.1:1', '--mock', 'searchFile')).toEqual([
    1,
    expect.stringContaining('has no operation `searchFile`. Did you mean `searchFiles`?'),
  ])
  expect(await refused('--upstream', 'http://127.0.0.1:1', '--fallback', '200')).toEqual([
    1,
    expect.stringContaining('--fallback: Expected statuses of errors, and `down`, such as 404,501,down; got "200".'),
  ])
})

test('a reload that takes an operation from --mock is refused, and no request is sent to the service by it', async () => {
  const { path, remove } = createDirectory({ 'openapi.json': JSON.stringify(ORDERS) })
  onTestFinished(remove)
  const upstream = await startService(service)
  const options = ['--contract', 'openapi.json', '--upstream', upstream, '--mock', 'createOrder', '--watch']
  const { command, url } = await serve(options, { cwd: path })
  const post = () => request(url).post('/v2/orders').send({ status: 'new' })
  const file = join(path, 'openapi.json')
  writeFileSync(file, JSON.stringify(ORDERS).replace('"createOrder"', '"placeOrder"'))
  await command.until(/has no operation `createOrder`\. Did you mean `\S+`\?\n(?:.*\n)*not reloaded/)
  expect((await post()).headers['x-mock-answered-by']).toBe('mock')
  writeFileSync(file, JSON.stringify(ORDERS).replace('"Pong"', '"Reply"'))
  await command.until(/\nreloaded: .*\n/)
  await command.until(
    /handles 3 of 4 operations; handled here: 1: createOrder\n[^]*handles 3 of 4 operations; handled here: 1: createOrder\n/,
  )
  expect(command.stdout()).toMatch(/ POST \/v2\/orders 201 /)
  await request(url).get('/v2/orders/1')
  await command.until(/ GET \/v2\/orders\/1 200 \S+ ms getOrder \(upstream\)\n/)
})
