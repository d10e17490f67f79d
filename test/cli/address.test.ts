import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createDirectory, runCommand } from '../support/command.ts'

const PAGES = [
  ['application/json', '{"hello":1}'],
  ['text/html', '<h1>It works!</h1>'],
] as const

const COMMANDS = [
  ['coverage'],
  ['pact', '--consumer', 'web'],
  ['import', '.'],
  ['compare', '--har', 'session.har'],
] as const

test.for(PAGES.flatMap((page) => COMMANDS.map((command) => [page, command] as const)))(
  'a server that responds with %j is not Standin, says `standin %j`',
  async ([[type, body], command]) => {
    const server = createServer((_, response) => void response.writeHead(200, { 'Content-Type': type }).end(body))
    onTestFinished(() => void server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { path: cwd, remove } = createDirectory({ 'session.har': '{"log":{"entries":[]}}' })
    onTestFinished(remove)
    const { ended, stdout, stderr } = runCommand([...command, '--url', url], { cwd })
    expect([await ended, stdout()]).toEqual([1, ''])
    expect(stderr()).toMatch(
      `standin: ${url} is not Standin (status 200). Start standin serve, pass its address with --url`,
    )
  },
)
