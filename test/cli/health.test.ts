import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createDirectory, runCommand } from '../support/command.ts'
import { serve } from '../support/serve.ts'

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

async function health(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const command = runCommand(['health', ...args], { env })
  const code = await command.ended
  return { code, out: command.stdout(), err: command.stderr() }
}

async function serveAt(port: string, ...args: string[]) {
  const { command, url } = await serve(['--log', 'pretty', '--port', port, ...args])
  return { port: new URL(url).port, pid: String(command.child.pid) }
}

const READY = { code: 0, out: 'ready\n', err: '' }

test('it knows the port from a flag, the environment and a file, and exits with 0 when the server is ready', async () => {
  const { port } = await serveAt('0', '--no-control', '--host', '0.0.0.0')
  const { path, remove } = createDirectory({ 'standin.yaml': `port: ${port}\n` })
  onTestFinished(remove)
  expect(await health(['--port', port])).toEqual(READY)
  expect(await health([], { STANDIN_PORT: port })).toEqual(READY)
  expect(await health(['--config', `${path}/standin.yaml`])).toEqual(READY)
  expect(await health([], { STANDIN_CONFIG: `${path}/standin.yaml`, STANDIN_HOST: '0.0.0.0' })).toEqual(READY)
})

test.runIf(process.platform === 'linux')('--pid takes the flags of a running server', async () => {
  const free = createServer()
  await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve))
  const { port } = free.address() as AddressInfo
  await new Promise((resolve) => free.close(resolve))
  const { pid } = await serveAt(String(port), '--control-token', 'correct-horse')
  expect(await health(['--pid', pid])).toEqual(READY)
  const { code, err } = await health(['--pid', String(process.pid)])
  expect([code, err]).toEqual([1, `standin: --pid: ${process.pid} is not a standin serve process.\n`])
})

test('it exits with 1 where no server is ready, and says why', async () => {
  const other = createServer((_request, response) => response.end('hello'))
  onTestFinished(() => void other.close())
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  expect(await health(['--port', String(port)])).toEqual({
    code: 1,
    out: '',
    err: `standin: http://127.0.0.1:${port} is not Standin (status 200). Start standin serve, or pass its --port.\n`,
  })
  expect((await health(['--port', '1'])).err).toMatch(
    /^standin: http:\/\/127\.0\.0\.1:1 does not answer \(connect ECONN/,
  )
  expect((await health(['--port', '0'])).err).toMatch('0 stands for any free port')
})

test('it says that a server is stopping', async () => {
  const stopping = createServer((_request, response) => response.writeHead(503).end('{"status":"stopping"}'))
  onTestFinished(() => void stopping.close())
  await new Promise<void>((resolve) => stopping.listen(0, '127.0.0.1', resolve))
  const { port } = stopping.address() as AddressInfo
  const { code, err } = await health(['--port', String(port)])
  expect([code, err]).toEqual([1, `standin: http://127.0.0.1:${port} is not ready: it is stopping.\n`])
})
