import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { MACHINE } from '../../../src/app/setup/machine.ts'
import { createTarget, type Target, type TargetOptions } from '../../../src/truth/recordings/target.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

/** A target at a service of ours. */
async function targetAt(service: RequestListener, options: Partial<TargetOptions> = {}): Promise<Target> {
  const server = createServer(service).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`
  return createTarget({
    url,
    rate: 1000,
    timeout: 2000,
    machine: MACHINE,
    signal: new AbortController().signal,
    ...options,
  })
}

const plain = { method: 'GET', url: '/a/../b?x=%zz', headers: [], body: undefined }

test('sends a request as it is, below the base path', async () => {
  const target = await targetAt((request, response) => {
    response.setHeader('X-Seen', `${request.method ?? ''} ${request.url ?? ''}`).end(request.rawHeaders.join())
  })
  const sent = {
    ...plain,
    method: 'PUT',
    headers: [
      { name: 'X-A', value: '1' },
      { name: 'x-a', value: '2' },
    ],
    body: 'ü',
  }
  const { response, source } = await target.send(sent)
  expect(source).toBe('request 1')
  expect(response).toMatchObject({ status: 200, isWhole: true })
  expect(response.headers).toContainEqual({ name: 'X-Seen', value: 'PUT /base/a/../b?x=%zz' })
  expect(response.body).toMatch(/^Host,127\.0\.0\.1:\d+,X-A,1,x-a,2,Content-Length,2/)
})

test('reads compressed bodies', async () => {
  const target = await targetAt((_request, response) => {
    response.setHeader('Content-Encoding', 'gzip').end(gzipSync('{"a":1}'))
  })
  expect((await target.send(plain)).response.body).toBe('{"a":1}')
})

test('a connection that breaks, or that nothing comes back on, is a response with status 0 and the reason', async () => {
  const breaking = await targetAt((request) => request.socket.destroy())
  expect((await breaking.send(plain)).response).toMatchObject({ status: 0, body: 'socket hang up', isWhole: false })
  const silent = await targetAt(() => undefined, { timeout: 100 })
  expect((await silent.send(plain)).response).toMatchObject({ status: 0, body: 'no response within 0.1 s' })
})

test('a connection that the service may be closing is not used again', async () => {
  const used = new WeakSet()
  let now = 0
  const service: RequestListener = ({ socket }, response) => {
    if (used.has(socket)) return void socket.destroy()
    used.add(socket)
    response.end()
  }
  const target = await targetAt(service, { machine: { ...MACHINE, elapsed: () => now } })
  for (now of [10_000, 11_100, 20_000]) expect((await target.send(plain)).response.status).toBe(200)
})

test('a response that breaks off is not whole', async () => {
  const target = await targetAt((_request, response) => {
    response.writeHead(200, { 'Content-Length': '10' })
    response.write('abc', () => response.destroy())
  })
  expect((await target.send(plain)).response).toMatchObject({ status: 200, body: 'abc', isWhole: false })
})

test('an aborted signal ends what waits', async () => {
  const stop = new AbortController()
  const target = await targetAt(() => stop.abort(new Error('stopped')), { signal: stop.signal, rate: 0.001 })
  await expect(target.send(plain)).rejects.toThrow('stopped')
  await expect(target.send(plain)).rejects.toThrow('stopped')
})
