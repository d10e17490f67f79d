import { createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createStandin } from '../../src/index.ts'
import { createDirectory, runCommand } from '../support/command.ts'
import { PACKAGED } from '../support/packaged.ts'

interface Report {
  readonly code: number | null
  /** The verdict of each check. */
  readonly verdicts: Readonly<Record<string, string>>
  readonly text: string
}

async function doctor(
  args: readonly string[] = ['--port', '0'],
  env: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, string>> = {},
): Promise<Report> {
  const { path, remove } = createDirectory(files)
  onTestFinished(remove)
  const command = runCommand(['doctor', ...args], { cwd: path, env })
  const code = await command.ended
  expect(command.stderr()).toBe('')
  const lines = [...command.stdout().matchAll(/^(ok|warn|fail) +(\w+(?: \w+)?) {2,}/gm)]
  const verdicts = Object.fromEntries(lines.map(([, verdict = '', about = '']) => [about, verdict]))
  return { code, verdicts, text: command.stdout() }
}

test('where all is well, each check is ok', async () => {
  const { code, verdicts, text } = await doctor()
  const { address, ...others } = verdicts
  expect(others).toEqual({
    Node: 'ok',
    'time zones': 'ok',
    console: 'ok',
    proxies: 'ok',
    settings: 'ok',
    files: 'ok',
    port: 'ok',
  })
  // In a container, 127.0.0.1 is seldom meant.
  expect(address).toMatch(/^(ok|warn)$/)
  expect(code).toBe(0)
  expect(text).toContain(`${PACKAGED.operations} operations, `)
})

test('a port that another program uses fails, and one that a Standin uses is a warning', async () => {
  const server = createServer((socket) => socket.end('hello'))
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const taken = await doctor(['--port', String(port)])
  expect([taken.code, taken.verdicts.port]).toEqual([1, 'fail'])
  expect(taken.text).toMatch(
    new RegExp(`another program listens on ${port}\n +→ Stop what uses it, or pass another one`),
  )
  const standin = createStandin()
  onTestFinished(() => standin.stop())
  const other = await doctor(['--port', new URL(await standin.start()).port])
  expect([other.code, other.verdicts.port]).toEqual([0, 'warn'])
})

test('settings and files that stop a start fail, with each complaint', async () => {
  const { code, verdicts, text } = await doctor(
    ['--config', 'standin.yaml'],
    {},
    { 'standin.yaml': 'prot: 1\nseed: x\n' },
  )
  expect([code, verdicts.settings]).toEqual([1, 'fail'])
  expect(text).toContain('→ standin.yaml:1: There is no setting `prot`. Did you mean `port`?\n')
  expect(text).toContain('→ standin.yaml:2: seed: Expected an integer')
  const files = await doctor(['--port', '0', '--data', 'file/in', '--contract', 'none.yaml'], {}, { file: '' })
  expect([files.code, files.verdicts.files]).toEqual([1, 'fail'])
  const unwritable = await doctor(['--port', '0', '--data', 'file/in'], {}, { file: '' })
  expect(unwritable.text).toContain('→ --data file/in: a part of the path is a file and no directory.')
})

test('a proxy for HTTP is a warning unless this machine is left out', async () => {
  const proxied = await doctor(['--port', '0'], { http_proxy: 'http://proxy.test:3128' })
  expect([proxied.code, proxied.verdicts.proxies]).toEqual([0, 'warn'])
  expect(proxied.text).toContain('→ Set NO_PROXY=localhost,127.0.0.1')
  const except = { HTTP_PROXY: 'http://proxy.test:3128', NO_PROXY: 'example.com, localhost' }
  expect((await doctor(['--port', '0'], except)).verdicts.proxies).toBe('ok')
})

test('an address that others reach asks for a token of the control API', async () => {
  const open = await doctor(['--port', '0', '--host', '0.0.0.0'])
  expect([open.code, open.verdicts.address]).toEqual([0, 'warn'])
  expect(
    (await doctor(['--port', '0', '--host', '0.0.0.0', '--control-token', 'correct-horse'])).verdicts.address,
  ).toBe('ok')
})
