import { createServer } from 'node:net'
import { createServer as createHttpServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { listen, readAll, startProxy, startService } from '../../support/servers/proxy.ts'
import { connectTo, exchangeRaw } from '../../support/raw.ts'

interface Refusal {
  readonly type: string
  readonly status: number
  readonly detail: string
}

async function refusal(url: string, init: RequestInit = {}): Promise<Refusal> {
  const response = await fetch(url, init)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  return (await response.json()) as Refusal
}

test('a service where nothing listens is a 502 with the reason', async () => {
  const { url, control } = await startProxy('http://127.0.0.1:1/api')
  expect(await refusal(`${url}/a`)).toMatchObject({
    type: '/problems/upstream-unreachable',
    status: 502,
    detail: 'http://127.0.0.1:1/api: nothing listens there (ECONNREFUSED).',
  })
  const { exchanges } = await control.listExchanges()
  expect(exchanges).toMatchObject([{ answer: { status: 502 } }])
  expect(exchanges[0]?.problem).toContain('nothing listens')
})

test('a service without a name is a 502 with the reason', async () => {
  const { url } = await startProxy('http://no-such-host.invalid')
  expect((await refusal(url)).detail).toMatch(/^http:\/\/no-such-host\.invalid: .*\((ENOTFOUND|EAI_AGAIN)\)\.$/)
})

test('a service that sends nothing is a 504, also when the body waits', async () => {
  const service = createServer(() => undefined)
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void service.close())
  const { port } = service.address() as { port: number }
  const { url } = await startProxy(`http://127.0.0.1:${port}`, { timeout: 60 })
  const late = { type: '/problems/upstream-timeout', status: 504 }
  const refused = await refusal(url)
  expect(refused).toMatchObject(late)
  expect(refused.detail).toMatch(/sent no response for 0\.06 s\.$/)
  expect(await refusal(url, { method: 'POST', body: 'x'.repeat(10_000_000) })).toMatchObject(late)
})

test.for([
  ['SSH-2.0-OpenSSH_9.6\r\n', /^\/problems\/upstream-broken$/],
  ['HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n', /^\/problems\/upstream-/],
  ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n', /^\/problems\/upstream-/],
  ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcde', /^\/problems\/upstream-broken$/],
] as const)('a service that sends %j is a 502, and the proxy goes on', async ([bytes, type]) => {
  const service = createServer((socket) => void socket.on('error', () => undefined).end(bytes))
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void service.close())
  const { port } = service.address() as { port: number }
  const { url } = await startProxy(`http://127.0.0.1:${port}`)
  for (const refused of [await refusal(url), await refusal(url)]) {
    expect(refused.status).toBe(502)
    expect(refused.type).toMatch(type)
    expect(refused.detail).not.toBe('')
  }
})

test('a client that stops sending is told so', async () => {
  const service = await startService(() => undefined)
  const { url } = await startProxy(service, { timeout: 60 })
  const client = await connectTo(url)
  client.send('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf')
  await client.until(/The client sent no more of its request for 0\.06 s\./)
  client.socket.destroy()
})

test('a response that breaks off is broken off for the client too', async () => {
  const service = await startService((_request, response) => {
    response.writeHead(200, { 'Content-Length': 100 })
    response.write('the beginning')
    setImmediate(() => response.destroy())
  })
  const { url, control } = await startProxy(service)
  const text = await exchangeRaw(url, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  expect(text).toMatch(/the beginning$/)
  const { exchanges } = await control.listExchanges()
  expect(exchanges).toMatchObject([{ answer: { status: 200, body: 'the beginning', isComplete: false } }])
  expect(exchanges[0]?.problem).toContain('closed the connection before its response was complete')
})

test('a response that stops is broken off after the time-out', async () => {
  const service = await startService((_request, response) => void response.write('the beginning'))
  const { url, control } = await startProxy(service, { timeout: 60 })
  const text = await exchangeRaw(url, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  expect(text).toContain('the beginning')
  const { exchanges } = await control.listExchanges()
  expect(exchanges[0]?.problem).toMatch(/sent no more of its response for 0\.06 s\.$/)
})

test('a connection that ended while it was kept is replaced, unless the request could be one too many', async () => {
  let requests = 0
  const service = createHttpServer((request, response) => {
    // Each connection serves one request, and ends with the next.
    if (++requests % 2 === 0) request.socket.resetAndDestroy()
    else void readAll(request).then(() => response.end('ok'))
  })
  const { url } = await startProxy(await listen(service))
  const get = async (method: string) => (await fetch(url, { method })).status
  expect([await get('GET'), await get('GET')]).toEqual([200, 200])
  expect([await get('POST'), requests]).toEqual([502, 4])
})

test('an early response reaches a client that is still sending', async () => {
  const service = await startService((_request, response) => {
    response.writeHead(413, { Connection: 'close' }).end('too much')
  })
  const { url } = await startProxy(service)
  const client = await connectTo(url)
  client.send('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nthe first of many')
  await client.until(/too much/)
  client.socket.destroy()
})

test('a WebSocket is refused with what to do, and other upgrades are left out', async () => {
  const service = await startService((request, response) => response.end(request.headers.upgrade ?? 'none'))
  const { url } = await startProxy(service)
  const ask = (protocol: string) =>
    exchangeRaw(url, `GET / HTTP/1.0\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`)
  expect(await ask('websocket')).toContain(`A WebSocket is not forwarded. Connect to ${service} itself.`)
  expect(await ask('h2c')).toMatch(/none$/)
})

test.for([
  ['api.example.com', /^--upstream: Expected the address of a service, such as https:\/\/api\.example\.com\/v2; got/],
  ['ftp://api.example.com', /Expected the address of a service/],
  ['https://api.example.com/?key=1', /Expected the address of a service/],
  ['https://jane:secret@api.example.com', /^--upstream: Expected an address without user and password/],
] as const)('the address %s is refused', async ([address, message]) => {
  const refused = await startProxy(address).catch((error: unknown) => (error as Error).message)
  expect(refused).toMatch(message)
  expect(refused).not.toContain('secret')
})
