import { once } from 'node:events'
import { createServer, type IncomingMessage, request as sendRequest } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createStandin } from '../../../src/index.ts'
import { listen, readAll, startProxy, startService } from '../../support/servers/proxy.ts'
import { bodyOf, connectTo, exchangeRaw } from '../../support/raw.ts'
import { KEY_HEADER, SEARCH } from '../../support/tester.ts'
import { cases } from '../../support/cases.ts'

async function startStandin(): Promise<string> {
  const standin = createStandin({ files: 50 })
  onTestFinished(() => standin.stop())
  return standin.start()
}

function search(url: string, headers = {}): Promise<Response> {
  const all = { [KEY_HEADER]: 'a-very-secret-key', 'Content-Type': 'application/json', ...headers }
  return fetch(`${url}${SEARCH}/demo/files/search?limit=3`, { method: 'POST', headers: all, body: '{}' })
}

test('a request gets the response of the service, and both are in the journal', async () => {
  const service = await startStandin()
  const { url, control } = await startProxy(service)
  const [direct, forwarded] = [await search(service), await search(url)]
  expect(forwarded.status).toBe(200)
  expect(await forwarded.json()).toEqual(await direct.json())
  const { exchanges } = await control.listExchanges()
  expect(exchanges).toMatchObject([
    { operationId: 'searchFiles', problem: null, request: { body: '{}' }, answer: { status: 200, isComplete: true } },
  ])
  expect(exchanges[0]?.answer?.body).toContain('"files"')
  const { operations } = await control.getCoverage()
  const items = operations.find(({ operationId }) => operationId === 'searchFiles')?.items
  expect(items).toContainEqual({ kind: 'operations', name: 'searchFiles', count: 1 })
  expect((await control.exportHar()).log.entries).toHaveLength(1)
})

test('fields of a connection stay on it, and all others are passed on as they were written', async () => {
  let received: readonly string[] = []
  const service = await startService((request, response) => {
    received = request.rawHeaders
    response.writeHead(203, 'Fine So Far', ['X-Two', '1', 'X-Two', '2', 'Connection', 'X-Private', 'X-Private', 'no'])
    response.end('ok')
  })
  const { url } = await startProxy(service)
  const sent = [
    'GET /a%2Fb//c?x=1&x=%zz HTTP/1.1',
    'Host: localhost',
    'X-CaSe: a',
    'X-CaSe: b',
    'Connection: close, X-Secret-Hop',
    'X-Secret-Hop: 1',
    'Keep-Alive: timeout=9',
    'TE: trailers',
    'Proxy-Connection: keep-alive',
    'X-Mock-Sandbox: one',
    '\r\n',
  ].join('\r\n')
  const text = await exchangeRaw(url, sent)
  expect(text).toMatch(/^HTTP\/1\.1 203 Fine So Far\r\n/)
  expect(text).toContain('X-Two: 1\r\nX-Two: 2\r\n')
  expect(text).not.toMatch(/x-private/i)
  const names = received.filter((_name, at) => at % 2 === 0)
  expect(names).toEqual(['Host', 'X-CaSe', 'X-CaSe', 'Via', 'Connection'])
  expect(received[1]).toBe(new URL(service).host)
})

test('the path of the address comes before that of the request', async () => {
  const service = await startService((request, response) => response.end(request.url))
  const { url } = await startProxy(`${service}/api/v2/`)
  expect(await (await fetch(`${url}/things?a=1`)).text()).toBe('/api/v2/things?a=1')
})

test.for(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
  'the method %s is forwarded, with a body, without, and in chunks',
  async (method) => {
    const service = await startService((request, response) => {
      void readAll(request).then((body) => {
        response.setHeader(
          'X-Saw',
          `${request.method} ${body.length} ${request.headers['transfer-encoding'] ?? 'whole'}`,
        )
        response.end('the body')
      })
    })
    const { url } = await startProxy(service)
    const send = async (pieces: readonly string[], headers = {}) => {
      const sending = sendRequest(`${url}/`, { method, headers })
      for (const piece of pieces) sending.write(piece)
      sending.end()
      const [response] = (await once(sending, 'response')) as [IncomingMessage]
      return [response.headers['x-saw'], (await readAll(response)).length]
    }
    const length = method === 'HEAD' ? 0 : 8
    expect(await send([], { 'Content-Length': 0 })).toEqual([`${method} 0 whole`, length])
    expect(await send(['x'.repeat(70_000)], { 'Content-Length': 70_000 })).toEqual([`${method} 70000 whole`, length])
    expect(await send(['ab', 'cd'], { 'Transfer-Encoding': 'chunked' })).toEqual([`${method} 4 chunked`, length])
  },
)

test('a compressed response stays compressed, and the journal shows its text', async () => {
  const bytes = gzipSync(JSON.stringify({ hello: 'world' }))
  const service = await startService((_request, response) => {
    response.writeHead(200, {
      'Content-Encoding': 'gzip',
      'Content-Type': 'application/json',
      'Content-Length': bytes.length,
    })
    response.end(bytes)
  })
  const { url, control } = await startProxy(service)
  const text = await exchangeRaw(url, 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  expect(Buffer.from(bodyOf(text), 'latin1')).toEqual(bytes)
  const [exchange] = (await control.listExchanges()).exchanges
  expect(exchange?.answer).toMatchObject({ body: '{"hello":"world"}', isCut: false })
})

test('events are passed on as they come, and trailers at the end', async () => {
  const { promise: mayEnd, resolve: letEnd } = Promise.withResolvers()
  const service = await startService((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', Trailer: 'X-Sum' })
    response.write('data: 1\n\n')
    void mayEnd.then(() => {
      response.addTrailers({ 'X-Sum': '42' })
      response.end('data: 2\n\n')
    })
  })
  const { url } = await startProxy(service)
  const client = await connectTo(url)
  client.send('GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await client.until(/data: 1/)
  expect(client.received()).not.toContain('data: 2')
  letEnd(undefined)
  await client.until(/X-Sum: 42/)
})

test('the client sends its body once the service asks for it', async () => {
  const service = createServer()
  service.on('checkContinue', (request, response) => {
    if (request.url === '/refused') {
      response.writeHead(413, { Connection: 'close' }).end()
      return
    }
    response.writeContinue()
    void readAll(request).then((body) => response.end(`got ${body}`))
  })
  const { url } = await startProxy(await listen(service))
  const head = (path: string) =>
    `PUT ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n`
  const client = await connectTo(url)
  client.send(head('/taken'))
  await client.until(/^HTTP\/1\.1 100 Continue\r\n\r\n/)
  client.send('body')
  await client.until(/got body/)
  const refused = await connectTo(url)
  refused.send(head('/refused'))
  await refused.until(/^HTTP\/1\.1 413/)
})

test('connections to the service are kept', async () => {
  const service = createServer((_request, response) => response.end('ok'))
  let connections = 0
  service.on('connection', () => connections++)
  const { url } = await startProxy(await listen(service))
  for (let count = 0; count < 10; count++) await (await fetch(url)).text()
  expect(connections).toBe(1)
})

test('a large body is passed on as fast as the client reads it', async () => {
  const chunk = Buffer.alloc(2 ** 20, 'x')
  const all = cases(300, 130)
  let written = 0
  const service = await startService((_request, response) => {
    const fill = () => {
      while (written < all) if ((written++, !response.write(chunk))) return void response.once('drain', fill)
      response.end()
    }
    fill()
  })
  const { url, control } = await startProxy(service)
  const response = await fetch(url)
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  await reader.read()
  await expect.poll(() => written).toBeLessThan(100)
  let size = 0
  for (let read = await reader.read(); !read.done; read = await reader.read()) size += read.value.length
  expect(size).toBeGreaterThan((all - 10) * 2 ** 20)
  const [exchange] = (await control.listExchanges()).exchanges
  expect(exchange?.answer).toMatchObject({ isComplete: true, isCut: true })
})

test('a request whose client leaves is given up at the service too', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers()
  const { promise: gone, resolve: go } = Promise.withResolvers()
  const service = await startService((_request, response) => {
    response.once('close', go)
    arrive(undefined)
  })
  const { url, control } = await startProxy(service)
  const aborting = new AbortController()
  const sending = fetch(url, { signal: aborting.signal }).catch(() => 'aborted')
  await arrived
  aborting.abort()
  await gone
  expect(await sending).toBe('aborted')
  await expect.poll(async () => (await control.listExchanges()).exchanges).toMatchObject([{ answer: null }])
})

test('what is not as the contract says is in the journal, and in a header on request', async () => {
  const service = await startService((request, response) => {
    void readAll(request).then(() => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end('{"files":[{"path":7}],"pageContext":{}}')
    })
  })
  const { url, control } = await startProxy(service)
  const plain = await fetch(`${url}${SEARCH}/demo/files/search?limit=many`, {
    method: 'POST',
    body: '{"filters":7}',
    headers: { 'Content-Type': 'application/json' },
  })
  expect(plain.headers.get('x-mock-violations')).toBeNull()
  expect(await plain.json()).toEqual({ files: [{ path: 7 }], pageContext: {} })
  const [exchange] = (await control.listExchanges()).exchanges
  const messages = exchange?.issues.map(({ message }) => message)
  expect(messages).toContainEqual(
    expect.stringMatching(/^request: limit: expected a plain decimal integer, got "many"/),
  )
  expect(messages).toContainEqual(expect.stringMatching(/^request: \/filters: expected /))
  expect(messages).toContainEqual(expect.stringMatching(/^response: \/files\/0\/path: expected /))
  const shown = await search(url, { 'X-Mock-Violations': 'true' })
  const violations = JSON.parse(shown.headers.get('x-mock-violations') ?? '') as { message: string }[]
  expect(violations).toContainEqual(expect.objectContaining({ pointer: '/files/0/path' }))
  expect(await shown.json()).toEqual({ files: [{ path: 7 }], pageContext: {} })
})

test('a request without the key or to no operation breaks the contract, and so does a response of another type', async () => {
  const service = await startService((request, response) => {
    request.resume()
    response.writeHead(418, { 'Content-Type': 'text/plain' }).end('tea')
  })
  const { url, control } = await startProxy(service)
  await fetch(`${url}/nowhere`)
  await fetch(`${url}${SEARCH}/demo/files/search`, {
    method: 'POST',
    body: '{}',
    headers: { 'Content-Type': 'application/json' },
  })
  await fetch(`${url}${SEARCH}/demo/files/search`, { method: 'HEAD' })
  const codes = (await control.listExchanges()).exchanges.map(({ issues }) => issues.map(({ code }) => code))
  expect(codes).toEqual([['path'], ['security', 'media-type'], ['method']])
})

test('a valid exchange breaks nothing', async () => {
  const { url } = await startProxy(await startStandin())
  const response = await search(url, { 'X-Mock-Violations': 'true' })
  expect(response.headers.get('x-mock-violations')).toBe('none')
  expect(await response.json()).toMatchObject({ files: [{}, {}, {}] })
})

test('verify follows a client through the pages of the service', async () => {
  const { url, control } = await startProxy(await startStandin())
  let next = ''
  do {
    const response = await fetch(`${url}${SEARCH}/demo/files/search?limit=20${next}`, {
      method: 'POST',
      headers: { [KEY_HEADER]: 'key', 'Content-Type': 'application/json' },
      body: '{}',
    })
    const { pageContext } = (await response.json()) as { pageContext: { next?: string } }
    next = pageContext.next ? `&next=${encodeURIComponent(pageContext.next)}` : ''
  } while (next !== '')
  const { passed } = await control.verifyJournal({ expectations: [{ walkedEveryPageOnce: true }] })
  expect(passed).toBe(true)
})

test('a page of this machine may call, whatever the service says of origins', async () => {
  const service = await startService((_request, response) => {
    response.setHeader('Access-Control-Allow-Origin', 'https://app.example.com')
    response.end('ok')
  })
  const { url } = await startProxy(service)
  const origin = 'http://localhost:5173'
  const preflight = await fetch(url, {
    method: 'OPTIONS',
    headers: { Origin: origin, 'Access-Control-Request-Method': 'PUT' },
  })
  expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'PUT'])
  const response = await fetch(url, { headers: { Origin: origin } })
  expect(response.headers.get('access-control-allow-origin')).toBe(origin)
  const foreign = await exchangeRaw(url, 'GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n')
  expect(foreign).toContain('/problems/host-refused')
})

test('keys of the service make no sandbox', async () => {
  const { url, control } = await startProxy(await startStandin())
  await search(url, { [KEY_HEADER]: 'somebody@example' })
  expect((await control.listSandboxes()).sandboxes.map(({ name }) => name)).toEqual(['default'])
})

test('TRACE is not forwarded, and a response has no X-Mock-… header of the service', async () => {
  const methods: (string | undefined)[] = []
  const service = await startService((request, response) => {
    methods.push(request.method)
    response.writeHead(200, { 'X-Mock-Behaviours': 'limit.zero', 'X-Mock-Sandbox': 'theirs', 'X-Own': 'kept' })
    response.end()
  })
  const { url } = await startProxy(service)
  const statusCode = await new Promise((resolve) => {
    const sent = sendRequest(`${url}/a`, { method: 'TRACE', headers: { Cookie: 'sid=1' } })
    sent.on('response', (response) => resolve(response.resume().statusCode)).end()
  })
  const { headers } = await fetch(`${url}/a`)
  expect([statusCode, methods]).toEqual([405, ['GET']])
  expect([...headers.keys()].filter((name) => name.startsWith('x-'))).toEqual(['x-own'])
})
