import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { createStandin } from '../../src/index.ts'
import { type Command, runCommand, startCommand } from '../support/command.ts'

async function listen(listener: RequestListener): Promise<{ url: string; port: number }> {
  const server = createServer(listener)
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port }
}

async function ended(
  command: Pick<Command, 'ended' | 'stdout' | 'stderr'>,
): Promise<readonly [number | null, string, string]> {
  const code = await command.ended
  return [code, command.stdout(), command.stderr()]
}

const wait = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  ended(runCommand(['wait', ...args], { env }))

const READY = [0, 'ready\n', '']

test('it knows a server by its address, as a URL or as host and port, and by the settings', async () => {
  const standin = createStandin()
  onTestFinished(() => standin.stop())
  const url = await standin.start()
  const { port } = new URL(url)
  const named = [url, `${url}/`, `${url}/__mock/`, `127.0.0.1:${port}`, `:${port}`, port]
  for (const address of named) expect([address, ...(await wait([address]))]).toEqual([address, ...READY])
  expect(await wait(['--port', port])).toEqual(READY)
  expect(await wait([], { STANDIN_PORT: port })).toEqual(READY)
})

test('it knows a server by an address of the service, and one that is mounted under a path', async () => {
  const standin = createStandin()
  const { url } = await listen(express().use('/mock', standin.app) as RequestListener)
  expect(await wait([`${url}/mock`])).toEqual(READY)
  const { url: own } = await listen(standin.app)
  expect(await wait([`${own}/api/files/v1`])).toEqual(READY)
})

test('it waits until the server is ready, and says why it does', async () => {
  let asked = 0
  const { url } = await listen((_request, response) => {
    asked++
    if (asked === 1) response.writeHead(502).end('Bad Gateway')
    else response.writeHead(asked < 4 ? 503 : 200).end(`{"status":"${asked < 4 ? 'starting' : 'ready'}"}`)
  })
  expect(await wait([url])).toEqual([
    0,
    'ready\n',
    `standin: waiting: ${url} is not Standin (status 502)\nstandin: waiting: ${url} is starting\n`,
  ])
})

test('it exits with 124 when the time is up', async () => {
  const { url } = await listen((_request, response) => response.writeHead(503).end('{"status":"starting"}'))
  expect(await wait([url, '--timeout', '1'])).toEqual([
    124,
    '',
    `standin: waiting: ${url} is starting\nstandin: ${url} is not ready, after --timeout 1. Start standin serve, pass its address, or wait longer.\n`,
  ])
  const [code, , err] = await wait(['127.0.0.1:1', '--timeout', '1s'])
  expect([code, err]).toEqual([
    124,
    expect.stringContaining('http://127.0.0.1:1 does not answer (connect ECONNREFUSED'),
  ])
})

test('a server that accepts and never answers does not hold it', async () => {
  const { url } = await listen(() => undefined)
  const [code, , err] = await wait([url, '--timeout', '1'])
  expect([code, err]).toEqual([124, expect.stringContaining(`${url} did not answer within `)])
})

test('Ctrl-C ends it with 130', async () => {
  const { url } = await listen((_request, response) => {
    response.writeHead(503).end('{"status":"starting"}')
    command.child.kill('SIGINT')
  })
  const command = startCommand(['wait', url])
  expect((await ended(command))[0]).toBe(130)
})

test.each([
  [['http://'], 'Expected the address of a server, such as http://127.0.0.1:4010 or 127.0.0.1:4010; got "http://".'],
  [
    ['ftp://127.0.0.1'],
    'Expected the address of a server, such as http://127.0.0.1:4010 or 127.0.0.1:4010; got "ftp://127.0.0.1".',
  ],
  [['--timeout', 'soon'], '--timeout: Expected seconds, or a duration such as 90s or 2m; got "soon".'],
  [['--port', '0'], '--port: 0 stands for any free port. Pass the address that standin serve printed.'],
])('%j is refused with 1', async (args, complaint) => {
  expect(await wait(args)).toEqual([1, '', `standin: ${complaint}\n`])
})
