import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createDirectory } from '../support/command.ts'
import { isContainer } from '../../src/cli/container.ts'
import { serve } from '../support/serve.ts'
import { connectTo, type RawClient, searchHead } from '../support/raw.ts'

const SEARCH = `${searchHead({ 'Content-Length': 2 }, '?limit=1')}{}`

describe.each(['pretty', 'json'])('a closed standard output does not end the server (--log %s)', (mode) => {
  test('serve | head -1', async () => {
    const { command, url } = await serve(['--log', mode])
    command.child.stdout?.destroy()
    command.child.stderr?.destroy()
    const client = await connectTo(url)
    client.send(SEARCH.repeat(20) + SEARCH.replace('Host:', 'Connection: close\r\nHost:'))
    expect(statusesIn(await client.closed)).toEqual(Array.from({ length: 21 }, () => 'HTTP/1.1 200'))
    command.child.kill('SIGTERM')
    const code = await new Promise((resolve) => command.child.once('exit', resolve))
    expect(code).toBe(0)
  })
})

/** Connections that have had a response and are kept. */
async function keep(url: string, count: number): Promise<RawClient[]> {
  const clients = await Promise.all(Array.from({ length: count }, () => connectTo(url)))
  for (const client of clients) client.send(SEARCH)
  await Promise.all(clients.map((client) => client.until(/\}\}$/)))
  return clients
}

/** Whether a connection is accepted. It says nothing, and is closed at once. */
function isListening(url: string): Promise<boolean> {
  return connectTo(url).then(
    ({ socket }) => {
      socket.destroy()
      return true
    },
    () => false,
  )
}

function statusesIn(text = ''): string[] {
  return text.match(/HTTP\/1\.1 \d+/g) ?? []
}

test.skipIf(isContainer()).for([
  [[], 'Only clients on this machine can use the control API.'],
  [['--control-token', 'correct-horse'], 'The control API requires its token.'],
] as const)('--host 0.0.0.0 warns who can call: %j', async ([args, ofControl]) => {
  const { command } = await serve(['--host', '0.0.0.0', ...args])
  await command.until(/Warning: .*\n/)
  expect(command.stdout()).toContain('Warning: listening on 0.0.0.0, so everyone who can reach port ')
  expect(command.stdout()).toContain(ofControl)
})

test('in a container, a start says how to publish the port, and does not tell you to listen on 127.0.0.1', async () => {
  const { command } = await serve(['--host', '0.0.0.0'], { env: { KUBERNETES_SERVICE_HOST: '10.0.0.1' } })
  await command.until(/in a container: .*\n/)
  expect(command.stdout()).toMatch(/docker run -p 127\.0\.0\.1:4010:\d+/)
  expect(command.stdout()).toContain('from outside the container, pass --control-token.')
  expect(command.stdout()).not.toMatch(/Warning|--host/)
})

test('127.0.0.1 warns of nothing', async () => {
  const { command } = await serve(['--host', '127.0.0.1'])
  command.child.kill('SIGTERM')
  await command.ended
  expect(command.stdout()).not.toContain('Warning')
})

test('a checkout whose console was not built says how to build it', async () => {
  const checkout = createDirectory({})
  onTestFinished(() => checkout.remove())
  const root = fileURLToPath(new URL('../../', import.meta.url))
  for (const name of ['dist', 'spec', 'fixtures', 'package.json'])
    cpSync(join(root, name), join(checkout.path, name), {
      recursive: true,
      filter: (source) => source !== join(root, 'dist/console'),
    })
  const { command, url } = await serve([], { cli: join(checkout.path, 'dist/cli.js') })
  await command.until(/not built.*\n/)
  expect(command.stdout()).toContain(`The console is not built: run npm run build, then open ${url}/__mock/.`)
  expect(command.stdout()).not.toContain('console: http')
})

describe('SIGTERM', () => {
  test('requests that were sent before on kept connections are answered', async () => {
    const { command, url } = await serve()
    const clients = await keep(url, 12)
    // The process sees the signal and the requests at once.
    command.child.kill('SIGSTOP')
    command.child.kill('SIGTERM')
    for (const client of clients) client.send(SEARCH)
    await Promise.all(clients.map(({ socket }) => new Promise<void>((sent) => socket.write('', () => sent()))))
    command.child.kill('SIGCONT')
    const answered = await Promise.all(clients.map(({ closed }) => closed))
    for (const text of answered) expect(statusesIn(text)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
    expect(await command.ended).toBe(0)
  })

  // The server waits for clients for 150 ms, which a busy machine may need to send one request.
  test('clients that pause between requests lose none, and are told that it stops', { retry: 2 }, async () => {
    const { command, url } = await serve()
    const clients = await keep(url, 12)
    command.child.kill('SIGTERM')
    while (await isListening(url));
    await sleep(25)
    for (const client of clients) client.send(SEARCH)
    for (const { closed } of clients) {
      const text = await closed
      expect(statusesIn(text)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
      expect(text.match(/^connection: close/gim)).toHaveLength(1)
    }
    expect(await command.ended).toBe(0)
  })

  test('requests that arrive while others are still answered are answered too, pipelined ones in their order', async () => {
    const { command, url } = await serve()
    const [slow, kept, pipelined] = await keep(url, 3)
    slow?.send(searchHead({ 'Content-Length': 2 }, '?limit=1'))
    command.child.kill('SIGTERM')
    kept?.send(SEARCH)
    pipelined?.send(SEARCH + SEARCH + SEARCH)
    expect(statusesIn(await kept?.closed)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
    expect(statusesIn(await pipelined?.closed)).toHaveLength(4)
    // They are closed, so the server is stopping by now.
    slow?.send('{}')
    expect(await slow?.closed).toMatch(/HTTP\/1\.1 200 OK\r\n(?:.+\r\n)*Connection: close\r\n(?:.+\r\n)*\r\n[^]*$/)
    expect(await command.ended).toBe(0)
  })
})
