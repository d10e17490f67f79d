import { expect, onTestFinished, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { KEY_HEADER, SEARCH } from '../support/tester.ts'

/** What `serve` tells while requests come: all its lines but the first ones, without times. */
interface Served {
  ask(path: string, headers?: Readonly<Record<string, string>>, init?: RequestInit): Promise<Response>
  /** The lines so far. */
  told(): string[]
  until(pattern: RegExp): Promise<void>
}

async function serve(...args: string[]): Promise<Served> {
  const command = startCommand(['serve', '--port', '0', ...args])
  onTestFinished(() => void command.child.kill('SIGKILL'))
  await command.until(/\ncurl .*\n|"msg":"started"\}\n/)
  const first = command.stdout().length
  const url = /http:\/\/127[^ "]+/.exec(command.stdout())?.[0] ?? ''
  return {
    ask: (path, headers = {}, init = {}) =>
      fetch(`${url}${path}`, { ...init, headers: { [KEY_HEADER]: 'key', ...headers } }),
    told: () =>
      command
        .stdout()
        .slice(first)
        .replaceAll(/\d+\.\d ms/g, 'N ms')
        .trimEnd()
        .split('\n'),
    until: (pattern) => command.until(pattern),
  }
}

const DEMO = `${SEARCH}/demo/files/search?limit=1`
const POST = { method: 'POST' }

test('a line names the sandbox, unless it is the default one, and tells when one is made', async () => {
  const { ask, told, until } = await serve()
  await ask(DEMO, {}, POST)
  await ask(DEMO, { [KEY_HEADER]: 's3cret@alice' }, POST)
  await ask(DEMO, { [KEY_HEADER]: 's3cret@alice' }, POST)
  await ask(`${SEARCH}/none/files/search`, { 'X-Mock-Sandbox': 'bob' }, POST)
  await ask('/__mock/clock?sandbox=carol')
  await ask('/__mock/clock?sandbox=alice')
  await ask('/__mock/clock')
  await ask('/__mock/health')
  await until(/\/__mock\/health 200/)
  expect(told()).toEqual([
    `POST ${DEMO} 200 N ms`,
    'sandbox "alice" made, by the key …@alice',
    `POST ${DEMO} 200 N ms (sandbox alice)`,
    `POST ${DEMO} 200 N ms (sandbox alice)`,
    'sandbox "bob" made, by the header X-Mock-Sandbox',
    expect.stringMatching(/^POST \S+\/none\/files\/search 404 N ms \(sandbox bob\) {2}/),
    'sandbox "carol" made, by ?sandbox=carol',
    'GET /__mock/clock?sandbox=carol 200 N ms (sandbox carol)',
    'GET /__mock/clock?sandbox=alice 200 N ms (sandbox alice)',
    'GET /__mock/clock 200 N ms',
    'GET /__mock/health 200 N ms',
  ])
})

test('a line in JSON has the sandbox as a member, unless it is the default one', async () => {
  const { ask, told, until } = await serve('--log', 'json')
  await ask(DEMO, {}, POST)
  await ask(DEMO, { 'X-Mock-Sandbox': 'alice' }, POST)
  await ask('/__mock/clock', { 'X-Mock-Sandbox': 'alice' })
  await until(/__mock\/clock/)
  const lines = told().map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
  expect(lines.map(({ url, sandbox, note }) => [url, sandbox, note])).toEqual([
    [DEMO, undefined, undefined],
    [undefined, undefined, 'sandbox "alice" made, by the header X-Mock-Sandbox'],
    [DEMO, 'alice', undefined],
    ['/__mock/clock', 'alice', undefined],
  ])
})
