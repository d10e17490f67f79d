import { createServer as createHttpServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import request from 'supertest'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createServer, type Deadlines } from '../../src/app/server.ts'
import { createStandin, StartupError, type Standin, type StandinOptions } from '../../src/index.ts'
import { bodyOf, connectTo, exchangeRaw, type RawClient, searchHead } from '../support/raw.ts'
import { KEY_HEADER, SCHEDULES, SEARCH, weekly } from '../support/tester.ts'
import { cases } from '../support/cases.ts'

const EVERYTHING = '?limit=2147483647'
const FILES = cases(200_000, 30_000)

/** A set whose entries are few but long: 60 MB, more than sockets buffer, made in no time. */
const bulky = {
  id: 'bulky',
  files: Array.from({ length: 2000 }, (_, index) => ({ path: `${index}.txt`, downloadUrl: 'x'.repeat(30_000) })),
}
const fixtures = [{ fileSets: [bulky] }]

const large = createStandin({ files: FILES, fixtures })
let url = ''
beforeAll(async () => (url = await large.start()))
afterAll(() => large.stop())

/** A server for one test. */
async function start(options: StandinOptions = {}): Promise<{ standin: Standin; url: string }> {
  const standin = createStandin(options)
  onTestFinished(() => standin.stop())
  return { standin, url: await standin.start() }
}

/** A server that cuts slow clients off after so many milliseconds; `cutOff` resolves when an answer was. */
async function startImpatient(deadlines: Partial<Deadlines>): Promise<{ url: string; cutOff: Promise<unknown> }> {
  const { promise: cutOff, resolve } = Promise.withResolvers()
  const app: RequestListener = (request, response) => {
    response.once('close', resolve)
    large.app(request, response)
  }
  const server = createServer(app, { deadlines: { headers: 10_000, request: 10_000, idle: 10_000, ...deadlines } })
  onTestFinished(() => server.stop(0))
  return { url: `http://127.0.0.1:${await server.start('127.0.0.1', 0)}`, cutOff }
}

async function search(at: string, query = '?limit=1'): Promise<Response> {
  const headers = { [KEY_HEADER]: 'key', 'Content-Type': 'application/json' }
  return fetch(`${at}${SEARCH}/demo/files/search${query}`, { method: 'POST', headers, body: '{}' })
}

async function openStream(at: string, query = EVERYTHING): Promise<RawClient> {
  const client = await connectTo(at)
  client.send(searchHead({}, query, 'bulky'))
  await client.until(/"files":/)
  return client
}

interface Page {
  readonly files: readonly { readonly path: string; readonly fileType: string }[]
  readonly pageContext: unknown
}

test('a page of everything goes in chunks and is one JSON document', async () => {
  const warnings: string[] = []
  const note = (warning: Error) => warnings.push(warning.message)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const response = await search(url, EVERYTHING)
  expect(response.status).toBe(200)
  expect(response.headers.get('transfer-encoding')).toBe('chunked')
  expect(response.headers.get('content-length')).toBeNull()
  const { files, pageContext } = (await response.json()) as Page
  expect(files.filter(({ fileType }) => fileType !== 'DIRECTORY')).toHaveLength(FILES)
  expect(new Set(files.map(({ path }) => path)).size).toBe(files.length)
  expect(pageContext).toEqual({})
  expect(warnings).toEqual([])
}, 120_000)

test('a large page waits for a slow reader, and gets to its end', async () => {
  // The server's end of the connection is looked at, so this server is of the test's own.
  const sockets: Socket[] = []
  const server = createHttpServer(large.app).on('connection', (socket) => sockets.push(socket))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  onTestFinished(() => server.close().closeAllConnections())
  const client = await openStream(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  client.socket.pause()
  const [socket] = sockets
  const written = await untilStill(() => socket?.bytesWritten ?? 0)
  expect(socket?.writableLength).toBeLessThan(1_000_000)
  client.socket.resume()
  await client.until(/\r\n0\r\n\r\n$/)
  const page = JSON.parse(bodyOf(client.received())) as Page
  expect(page.files).toHaveLength(2000)
  expect(client.received().length).toBeGreaterThan(2 * written)
})

/** Resolves to a number that has not moved for a while. */
async function untilStill(read: () => number): Promise<number> {
  for (let last = read(), quiet = 0; ;) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    quiet = read() === last ? quiet + 1 : 0
    last = read()
    if (quiet === 10) return last
  }
}

test('clients that leave in the middle of an answer leave the server well', async () => {
  const { standin, url } = await start({ fixtures })
  const clients = await Promise.all(Array.from({ length: 5 }, () => openStream(url)))
  for (const { socket } of clients) socket.destroy()
  expect((await search(url)).status).toBe(200)
  await standin.stop()
})

test('a client that leaves in the middle of its request leaves the server well', async () => {
  const client = await connectTo(url)
  client.send(`${searchHead({ 'Content-Length': 100 })}{"filters":`)
  client.socket.destroy()
  await client.closed
  expect((await search(url)).status).toBe(200)
})

test.each([
  ['no HTTP at all', 'good morning\r\n\r\n'],
  ['a method in small letters', 'post / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['an unknown version', 'GET / HTTP/9.7\r\nHost: localhost\r\n\r\n'],
  ['a header without a name', 'GET / HTTP/1.1\r\nHost: localhost\r\n: value\r\n\r\n'],
  ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Name: a\0b\r\n\r\n'],
  ['two lengths', searchHead({ 'Content-Length': '2\r\nContent-Length: 3' })],
  ['a length and chunks', searchHead({ 'Content-Length': 2, 'Transfer-Encoding': 'chunked' })],
  ['a chunk without a size', `${searchHead({ 'Transfer-Encoding': 'chunked' })}size\r\n{}\r\n`],
])('malformed HTTP is answered with 400 and closed: %s', async (_what, bytes) => {
  const answer = await exchangeRaw(url, bytes)
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nContent-Type: application\/problem\+json\r\n/)
  expect(JSON.parse(bodyOf(answer))).toMatchObject({ type: '/problems/http-malformed', status: 400 })
})

test('a request without Host is answered with 400, as HTTP/1.1 asks', async () => {
  expect(await exchangeRaw(url, 'GET / HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
})

test('malformed HTTP behind a request never gets into the answer that is under way', async () => {
  const client = await openStream(url)
  client.send('good morning\r\n\r\n')
  expect(await client.closed).not.toContain('HTTP/1.1 400')
  expect((await search(url)).status).toBe(200)
})

test('headers over 64 KiB are answered with 431, and a long token fits', async () => {
  const answer = await exchangeRaw(url, searchHead({ 'X-Long': 'x'.repeat(66_000) }))
  expect(answer).toMatch(/^HTTP\/1\.1 431 /)
  expect(JSON.parse(bodyOf(answer))).toMatchObject({ status: 431 })
  expect((await search(url, `?next=${'x'.repeat(60_000)}`)).status).toBe(400)
})

test('an unknown expectation is passed over', async () => {
  const client = await connectTo(url)
  client.send(searchHead({ Expect: 'miracles', 'Content-Length': 0, Connection: 'close' }, '?limit=1'))
  expect(await client.closed).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
})

test('a client that asks for a go-ahead gets it', async () => {
  const client = await connectTo(url)
  client.send(searchHead({ Expect: '100-continue', 'Content-Length': 2, Connection: 'close' }, '?limit=1'))
  await client.until(/^HTTP\/1\.1 100 Continue\r\n/)
  client.send('{}')
  expect(await client.closed).toContain('HTTP/1.1 200 OK')
})

test('a request of HTTP/1.0 is answered, and the connection closed', async () => {
  const answer = await exchangeRaw(url, searchHead({ 'Content-Length': 0 }, '?limit=1').replace('HTTP/1.1', 'HTTP/1.0'))
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
})

test('requests sent at once on one connection are answered in their order', async () => {
  const client = await connectTo(url)
  client.send(
    searchHead({ 'Content-Length': 2 }, '?limit=1') +
      '{}' +
      searchHead({ 'Content-Length': 1, Connection: 'close' }) +
      '{',
  )
  const answers = (await client.closed).match(/HTTP\/1\.1 \d+/g)
  expect(answers).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
})

test('a client that does not finish its headers in time is cut off with 408', async () => {
  const { url } = await startImpatient({ headers: 100 })
  expect(await exchangeRaw(url, 'POST / HTTP/1.1\r\nHost: local')).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
})

test('a client that sends its body byte by byte is cut off with 408', async () => {
  const { url } = await startImpatient({ headers: 100, request: 300 })
  const client = await connectTo(url)
  client.send(searchHead({ 'Content-Length': 1000 }))
  const drip = setInterval(() => client.send(' '), 20)
  onTestFinished(() => clearInterval(drip))
  expect(await client.closed).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
})

test('a client that sends its body byte by byte is cut off, also while others keep the server busy', async () => {
  const { url } = await startImpatient({ headers: 100, request: 300 })
  const request = `${searchHead({ 'Content-Length': 2 }, '?limit=1')}{}`
  const busy = await Promise.all(Array.from({ length: 16 }, () => connectTo(url)))
  onTestFinished(() => busy.forEach(({ socket }) => socket.destroy()))
  for (const { socket, send } of busy) {
    socket.on('data', (chunk: string) => {
      if (chunk.endsWith('}}')) send(request)
    })
    send(request)
  }
  const clients = await Promise.all(Array.from({ length: 4 }, () => connectTo(url)))
  for (const client of clients) client.send(searchHead({ 'Content-Length': 1000 }))
  const drip = setInterval(() => clients.forEach((client) => client.send(' ')), 20)
  onTestFinished(() => clearInterval(drip))
  for (const client of clients) expect(await client.closed).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
})

test('a client that stops reading is cut off', async () => {
  const { url, cutOff } = await startImpatient({ idle: 200 })
  const client = await openStream(url)
  client.socket.pause()
  await cutOff
  client.socket.resume()
  expect(await client.closed).not.toMatch(/\r\n0\r\n\r\n$/)
})

test('stopping lets an open answer finish', async () => {
  const { standin, url } = await start({ fixtures })
  const client = await openStream(url, '?limit=1001')
  const stopped = standin.stop()
  await client.until(/\r\n0\r\n\r\n$/)
  await stopped
  expect((JSON.parse(bodyOf(await client.closed)) as Page).files).toHaveLength(1001)
})

test('stopping lets a slow client read the end of an answer that is written whole', async () => {
  // More than the buffers of both sockets hold, so its end waits in the process.
  const text = 'x'.repeat(30_000_000)
  const server = createServer((_request, response) => response.end(text))
  const client = await connectTo(`http://127.0.0.1:${await server.start('127.0.0.1', 0)}`)
  client.send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await client.until(/xxx$/)
  client.socket.pause()
  const stopped = server.stop(10_000)
  setTimeout(() => client.socket.resume(), 200)
  expect(bodyOf(await client.closed)).toHaveLength(text.length)
  await stopped
})

test('requests that were sent on kept connections before a stop are answered, with Connection: close', async () => {
  const { standin, url } = await start()
  const request = `${searchHead({ 'Content-Length': 2 }, '?limit=1')}{}`
  const clients = await Promise.all(Array.from({ length: 12 }, () => connectTo(url)))
  for (const client of clients) client.send(request)
  await Promise.all(clients.map((client) => client.until(/\}\}$/)))
  for (const client of clients) client.send(request)
  // Nothing of it was read yet.
  const stopped = standin.stop()
  for (const client of clients) {
    const text = await client.closed
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
    expect(text.match(/^connection: \S+/gim)).toEqual(['Connection: keep-alive', 'Connection: close'])
  }
  await stopped
})

test('a response that is sent at once says Connection: close too', async () => {
  const { standin, url } = await start()
  const client = await connectTo(url)
  const request = 'GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n'
  client.send(request)
  await client.until(/\}$/)
  client.send(request)
  const stopped = standin.stop()
  const text = await client.closed
  expect(text.match(/^connection: \S+/gim)).toEqual(['Connection: keep-alive', 'Connection: close'])
  await stopped
})

test('pipelined requests are all answered when the server stops, the last one with Connection: close', async () => {
  const { standin, url } = await start()
  const client = await connectTo(url)
  client.send(`${searchHead({ 'Content-Length': 2 }, '?limit=1')}{}`.repeat(3))
  const stopped = standin.stop()
  const text = await client.closed
  expect(text.match(/HTTP\/1\.1 \d+/g)).toHaveLength(3)
  expect(text.match(/^connection: close/gim)).toHaveLength(1)
  await stopped
})

test('stopping closes connections that are idle', async () => {
  const { standin, url } = await start()
  const client = await connectTo(url)
  client.send(searchHead({ 'Content-Length': 0 }, '?limit=1'))
  await client.until(/"pageContext":\{.*\}\}$/)
  await standin.stop()
  expect(standin.url).toBeUndefined()
})

test('a stop finally cuts off a client that does not read', async () => {
  const { standin, url } = await start({ fixtures })
  const client = await openStream(url)
  client.socket.pause()
  await standin.stop()
  await expect(connectTo(url)).rejects.toThrow('ECONNREFUSED')
})

test('a server that was stopped can be started again and keeps its state', async () => {
  const { standin, url } = await start()
  const headers = { [KEY_HEADER]: 'key', 'Content-Type': 'application/json' }
  const create = async (at: string) => {
    const response = await fetch(`${at}${SCHEDULES}`, { method: 'POST', headers, body: JSON.stringify(weekly()) })
    return ((await response.json()) as { id: number }).id
  }
  const id = await create(url)
  await standin.stop()
  expect(await create(await standin.start())).toBe(id + 1)
})

test('a port that is taken is refused with a message', async () => {
  const { port } = new URL(url)
  const refused = createStandin({ port: Number(port) }).start()
  await expect(refused).rejects.toBeInstanceOf(StartupError)
  await expect(refused).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken.`)
})

test('two servers in one process share no state', async () => {
  const [one, other] = [createStandin(), createStandin({ behaviours: { 'create.status': '201' } })]
  const send = (standin: Standin, method: 'post' | 'put', path: string) =>
    request(standin.app)[method](path).set(KEY_HEADER, 'key').send(weekly())
  const created = await send(one, 'post', SCHEDULES)
  const { id } = created.body as { id: number }
  expect(created.status).toBe(200)
  expect((await send(other, 'put', `${SCHEDULES}/${id}`)).status).toBe(404)
  const second = await send(other, 'post', SCHEDULES)
  expect([second.status, second.body]).toEqual([201, created.body])
  other.reset()
  expect((await send(other, 'put', `${SCHEDULES}/${id}`)).status).toBe(404)
  expect((await send(one, 'put', `${SCHEDULES}/${id}`)).status).toBe(200)
})

test('the app answers without a socket', async () => {
  const standin = createStandin()
  const response = await request(standin.app).post(`${SEARCH}/demo/files/search?limit=3`).set(KEY_HEADER, 'key')
  expect((response.body as Page).files).toHaveLength(3)
  expect(standin.url).toBeUndefined()
})
