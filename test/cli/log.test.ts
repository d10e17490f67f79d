import { expect, test } from 'vitest'
import { serve } from '../support/serve.ts'
import { KEY_HEADER, SEARCH } from '../support/tester.ts'

/** A server with what it logs while requests come: all lines but the first ones, without times. */
interface Served {
  readonly url: string
  ask(path: string, headers?: Readonly<Record<string, string>>, init?: RequestInit): Promise<Response>
  /** The lines so far. */
  lines(): string[]
  until(pattern: RegExp): Promise<void>
}

async function serveWith(...args: string[]): Promise<Served> {
  const { command, url } = await serve(args)
  const first = command.stdout().length
  return {
    url,
    ask: (path, headers = {}, init = {}) =>
      fetch(`${url}${path}`, { ...init, headers: { [KEY_HEADER]: 'key', ...headers } }),
    lines: () =>
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

test('a line names the sandbox unless it is the default one, and says when one is created', async () => {
  const { ask, lines, until } = await serveWith()
  await ask(DEMO, {}, POST)
  await ask(DEMO, { [KEY_HEADER]: 's3cret@alice' }, POST)
  await ask(DEMO, { [KEY_HEADER]: 's3cret@alice' }, POST)
  await ask(`${SEARCH}/none/files/search`, { 'X-Mock-Sandbox': 'bob' }, POST)
  await ask('/__mock/reset?sandbox=carol', {}, POST)
  await ask('/__mock/clock?sandbox=alice')
  await ask('/__mock/clock')
  await ask('/__mock/health')
  await ask('/__mock/info')
  await until(/\/__mock\/info 200/)
  expect(lines()).toEqual([
    `POST ${DEMO} 200 N ms`,
    'sandbox "alice" made, by the key …@alice',
    `POST ${DEMO} 200 N ms (sandbox alice)`,
    `POST ${DEMO} 200 N ms (sandbox alice)`,
    'sandbox "bob" made, by the header X-Mock-Sandbox',
    expect.stringMatching(/^POST \S+\/none\/files\/search 404 N ms \(sandbox bob\) {2}/),
    'sandbox "carol" made, by ?sandbox=carol',
    'POST /__mock/reset?sandbox=carol 200 N ms (sandbox carol)',
    'GET /__mock/clock?sandbox=alice 200 N ms (sandbox alice)',
    'GET /__mock/clock 200 N ms',
    'GET /__mock/info 200 N ms',
  ])
})

test('a line in JSON has the sandbox as a member, unless it is the default one', async () => {
  const { ask, lines, until } = await serveWith('--log', 'json')
  await ask(DEMO, {}, POST)
  await ask(DEMO, { 'X-Mock-Sandbox': 'alice' }, POST)
  await ask('/__mock/clock', { 'X-Mock-Sandbox': 'alice' })
  await until(/__mock\/clock/)
  const printed = lines().map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
  expect(printed.map(({ url, sandbox, note }) => [url, sandbox, note])).toEqual([
    [DEMO, undefined, undefined],
    [undefined, undefined, 'sandbox "alice" made, by the header X-Mock-Sandbox'],
    [DEMO, 'alice', undefined],
    ['/__mock/clock', 'alice', undefined],
  ])
})

test('a page that may not call is logged once, with the flag that allows it', async () => {
  const { ask, lines, until } = await serveWith('--allow-origin', 'https://app.example.com')
  const page = (origin: string) => ask(DEMO, { Origin: origin }, POST)
  await page('https://app.example.com')
  await page('http://localhost:5173')
  await page('https://Other.example.com:8443')
  await page('https://other.example.com:8443')
  await page('https://other.example.com:8443')
  await page('null')
  await page('https://a$(b).example.com')
  await ask(DEMO, {}, POST)
  await until(/a\$[^]*200.*\n.*200.*\n/)
  expect(lines().filter((line) => !line.startsWith('POST '))).toEqual([
    'CORS: the browser hides this response from a page of "https://Other.example.com:8443". Allow every origin with --behaviour cors=any.',
    'CORS: the browser hides this response from a page of "https://other.example.com:8443". Allow it with --allow-origin https://other.example.com:8443, or every origin with --behaviour cors=any.',
    'CORS: the browser hides this response from a page without an origin (a file, or a sandboxed frame). Allow it with --allow-origin null, or every origin with --behaviour cors=any.',
    'CORS: the browser hides this response from a page of "https://a$(b).example.com". Allow every origin with --behaviour cors=any.',
  ])
})

test('the same where no page may call; a page of the same origin needs no permission, and the number of lines is limited', async () => {
  const { url, ask, lines, until } = await serveWith('--behaviour', 'cors=off')
  await ask(DEMO, { Origin: url }, POST)
  for (let page = 0; page < 60; page++) await ask(DEMO, { Origin: `https://page-${page}.test` }, POST)
  await ask('/__mock/info')
  await until(/info/)
  const printed = lines().filter((line) => line.startsWith('CORS'))
  expect(printed).toHaveLength(51)
  expect(printed[0]).toBe(
    'CORS: the browser hides this response from a page of "https://page-0.test". No page may call while the behaviour cors is off: choose --behaviour cors=local, list or any.',
  )
  expect(printed.at(-1)).toBe('CORS: 50 origins were logged; no more will be.')
})
