import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { inPath, shows } from '../support/contracts/pets.ts'
import { contractOf, OWN_KEY } from '../support/contracts/small-contract.ts'
import { createPrettyLog, type ExchangeLine } from '../../src/journal/server-log.ts'
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
        .replaceAll(/^\d\d:\d\d:\d\d /gm, '')
        .trimEnd()
        .split('\n'),
    until: (pattern) => command.until(pattern),
  }
}

const DEMO = `${SEARCH}/demo/files/search?limit=1`
const POST = { method: 'POST' }

test('a line names the sandbox unless it is the default one, and says when one is created', async () => {
  const { ask, lines, until } = await serveWith('--log', 'verbose')
  await ask(DEMO, {}, POST)
  await ask(DEMO, { [KEY_HEADER]: 's3cret@alice' }, POST)
  await ask(DEMO, { [KEY_HEADER]: 's3cret@alice' }, POST)
  await ask(`${SEARCH}/none/files/search`, { 'X-Mock-Sandbox': 'bob' }, POST)
  await ask('/__mock/reset?sandbox=chekcout', {}, POST)
  await ask('/__mock/reset', { 'X-Mock-Sandbox': 'carol' }, POST)
  await ask('/__mock/clock?sandbox=alice')
  await ask('/__mock/clock')
  await ask('/__mock/health')
  await ask('/__mock/info')
  await until(/\/__mock\/info 200/)
  expect(lines()).toEqual([
    `POST ${DEMO} 200 N ms searchFiles`,
    'sandbox "alice" made, by the key …@alice',
    `POST ${DEMO} 200 N ms searchFiles (sandbox alice)`,
    `POST ${DEMO} 200 N ms searchFiles (sandbox alice)`,
    'sandbox "bob" made, by the header X-Mock-Sandbox',
    expect.stringMatching(/^POST \S+\/none\/files\/search 404 N ms searchFiles \(sandbox bob\) {2}/),
    expect.stringMatching(/^POST \/__mock\/reset\?sandbox=chekcout 404 N ms {2}There is no sandbox "chekcout"/),
    'sandbox "carol" made, by the header X-Mock-Sandbox',
    'POST /__mock/reset 200 N ms (sandbox carol)',
    'GET /__mock/clock?sandbox=alice 200 N ms (sandbox alice)',
    'GET /__mock/clock 200 N ms',
    'GET /__mock/health 200 N ms',
    'GET /__mock/info 200 N ms',
  ])
})

test('a line in JSON has the sandbox as a member, unless it is the default one', async () => {
  const { ask, lines, until } = await serveWith('--log', 'json')
  await ask(DEMO, {}, POST)
  await ask(DEMO, { 'X-Mock-Sandbox': 'alice' }, POST)
  await ask('/__mock/reset', { 'X-Mock-Sandbox': 'alice' }, POST)
  await until(/__mock\/reset/)
  const printed = lines().map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
  expect(printed.map(({ url, sandbox, note }) => [url, sandbox, note])).toEqual([
    [DEMO, undefined, undefined],
    [undefined, undefined, 'sandbox "alice" made, by the header X-Mock-Sandbox'],
    [DEMO, 'alice', undefined],
    ['/__mock/reset', 'alice', undefined],
  ])
})

test('a line names what was ignored', async () => {
  const { ask, lines, until } = await serveWith()
  await ask(`${DEMO}&cursor=abc`, {}, POST)
  await until(/cursor=abc 200/)
  expect(lines()).toEqual([`POST ${DEMO}&cursor=abc 200 N ms searchFiles  ignored: query cursor`])
})

test('a key in a header that the contract does not read is logged once, with what selects the sandbox', async () => {
  const { ask, lines, until } = await serveWith('--contract', 'examples/shop/contract.yaml')
  for (let count = 0; count < 2; count++) await ask('/customers?page=1', { [KEY_HEADER]: 'any@test-1', From: 'a@b' })
  await ask('/customers?page=2', { Authorization: 'Bearer any@test-2', [KEY_HEADER]: 'any@test-1' })
  await until(/page=2 200/)
  expect(lines()).toEqual([
    `the header ${KEY_HEADER} does not select the sandbox "test-1", since the contract has no key there. Send X-Mock-Sandbox: test-1, or the key in the header Authorization, as \`Bearer KEY\`.`,
    'GET /customers?page=1 200 N ms listCustomers',
    'GET /customers?page=1 200 N ms listCustomers',
    'sandbox "test-2" made, by the key …@test-2',
    'GET /customers?page=2 200 N ms listCustomers (sandbox test-2)',
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
  await ask('/__mock/reset', {}, POST)
  await until(/reset/)
  const printed = lines().filter((line) => line.startsWith('CORS'))
  expect(printed).toHaveLength(51)
  expect(printed[0]).toBe(
    'CORS: the browser hides this response from a page of "https://page-0.test". No page may call while the behaviour cors is off: choose --behaviour cors=local, list or any.',
  )
  expect(printed.at(-1)).toBe('CORS: 50 origins were logged; no more will be.')
})

describe('a line for people', () => {
  const LINE: ExchangeLine = {
    requestId: '1',
    operationId: 'searchFiles',
    method: 'POST',
    url: '/api/files/search',
    status: 200,
    milliseconds: 1.234,
    behaviours: [],
  }

  function written(line: Partial<ExchangeLine>, options: { hasColours?: boolean; isVerbose?: boolean } = {}): string {
    const lines: string[] = []
    const now = () => new Date(2026, 2, 1, 14, 3, 7).getTime()
    const log = createPrettyLog({
      write: (one) => lines.push(one),
      now,
      hasColours: false,
      isVerbose: false,
      ...options,
    })
    log.exchange({ ...LINE, ...line })
    return lines.join('')
  }

  test('has the time, method, path, status, duration and operation', () => {
    expect(written({})).toBe('14:03:07 POST /api/files/search 200 1.2 ms searchFiles\n')
  })

  test('says why a request was refused', () => {
    expect(written({ status: 400, problem: 'limit: expected a number' })).toBe(
      '14:03:07 POST /api/files/search 400 1.2 ms searchFiles  limit: expected a number\n',
    )
  })

  test('names the fault in place of a status that was never sent', () => {
    const fault = { kind: 'reset', id: 'reset-1' }
    expect(written({ status: 0, fault })).toContain(' /api/files/search reset (fault reset-1) 1.2 ms ')
    expect(written({ status: 503, fault: { kind: 'status', id: 'busy' } })).toContain(' 503 (fault busy) ')
    expect(written({ status: 0 })).toContain(' connection lost ')
  })

  test('shortens long tokens, and leaves UUIDs', () => {
    const uuid = '596a6cbc-6e7b-4b0d-ac83-d36a6e8f7e22'
    const url = `/files/${uuid}?next=${'AStIyHHG'.repeat(12)}tail`
    expect(written({ url })).toContain(` /files/${uuid}?next=AStIyHHG…tail 200 `)
    expect(written({ url }, { isVerbose: true })).toContain(` ${url} 200 `)
  })

  test('colours the status by its class', () => {
    const colours = [200, 304, 404, 500].map(
      (status) => /\u001b\[(3\d)m/.exec(written({ status }, { hasColours: true }))?.[1],
    )
    expect(colours).toEqual(['32', '36', '33', '31'])
  })
})

test('health checks, preflights and what is only read from the control API are logged with --log verbose alone', async () => {
  const quiet = ['/__mock/health', '/__mock/clock', DEMO]
  const preflight = { Origin: 'http://localhost:5173', 'Access-Control-Request-Method': 'POST' }
  for (const [mode, expected] of [
    ['pretty', ['POST']],
    ['verbose', ['GET', 'GET', 'OPTIONS', 'POST']],
  ] as const) {
    const { ask, lines, until } = await serveWith('--log', mode)
    for (const path of quiet.slice(0, 2)) await ask(path)
    await ask(DEMO, preflight, { method: 'OPTIONS' })
    await ask(DEMO, {}, POST)
    await until(/POST/)
    expect(lines().map((line) => line.split(' ')[0])).toEqual(expected)
  }
})

test('a broken connection names its fault', async () => {
  const { ask, lines, until } = await serveWith()
  await ask('/__mock/faults', { 'Content-Type': 'application/json' }, { ...POST, body: '{"kind":"reset"}' })
  await ask(DEMO, {}, POST).catch(() => undefined)
  await until(/fault reset-1/)
  expect(lines().at(-1)).toBe(`POST ${DEMO} reset (fault reset-1) N ms searchFiles`)
})

test('a log that is no terminal has no colours', async () => {
  const { ask, lines, until } = await serveWith()
  await ask(DEMO, {}, POST)
  await until(/searchFiles/)
  expect(lines().join('')).not.toContain('\u001b')
})

test('every line in JSON is as spec/log.schema.json says', async () => {
  const schema = JSON.parse(readFileSync('spec/log.schema.json', 'utf8')) as object
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false }).compile(schema)
  const { command, url } = await serve(['--log', 'json', '--host', '0.0.0.0'])
  const send = (path: string, headers: Readonly<Record<string, string>> = {}, body = '{}') =>
    fetch(`${url.replace('0.0.0.0', '127.0.0.1')}${path}`, {
      ...POST,
      headers: { [KEY_HEADER]: 'key', 'Content-Type': 'application/json', ...headers },
      body,
    }).catch(() => undefined)
  await send(DEMO)
  await send(DEMO, { 'X-Mock-Sandbox': 'alice' }, '{"filters":7}')
  await send('/nowhere')
  await send('/__mock/faults', {}, '{"kind":"reset","times":1}')
  await send(DEMO)
  await send('/__mock/end')
  await command.until(/__mock\/end/)
  const lines = command.stdout().trimEnd().split('\n')
  expect(lines.length).toBeGreaterThanOrEqual(8)
  for (const line of lines) expect([validate(JSON.parse(line)), validate.errors, line]).toEqual([true, null, line])
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toContain('note')
})

test('a list that is generated, since the contract allows none of the items, is logged once', async () => {
  const pets = {
    type: 'array',
    items: { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } },
  }
  const either = { type: 'object', required: ['pets'], properties: { pets } }
  const none = { type: 'object', required: ['none'], properties: { none: { const: true } } }
  const contract = contractOf(
    {
      '/pets': {
        get: {
          responses: {
            200: shows({ oneOf: [either, { ...either, properties: { pets, note: { type: 'string' } } }, none] }),
          },
        },
        post: { responses: { 201: shows(pets.items) } },
      },
      '/pets/{petId}': { parameters: [inPath('petId')], get: { responses: { 200: shows(pets.items) } } },
    },
    {},
  )
  const { ask, lines, until } = await serveWith('--contract', contract)
  for (const size of [1, 2]) await ask(`/pets?size=${size}`, OWN_KEY)
  await until(/size=2 \d+ /)
  const logged = lines().filter((line) => line.includes('cannot be shown'))
  expect(logged).toEqual([expect.stringContaining('GET /pets is generated, since its collection cannot be shown')])
})
