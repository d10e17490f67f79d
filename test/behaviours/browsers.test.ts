import { expect, onTestFinished, test } from 'vitest'
import type { Response } from 'supertest'
import { describeBehaviour } from '../support/describe-behaviour.ts'
import { exchangeRaw, searchHead } from '../support/raw.ts'
import { createTester, KEY_HEADER, rowsOf, SEARCH, type Tester } from '../support/tester.ts'

const tiny = { fileSets: [{ id: 'tiny', files: [{ path: 'a.txt' }] }] }
const CONFIGURED = 'https://app.example.com'
const options = { fixtures: [tiny], origins: [CONFIGURED] }
const TINY = `${SEARCH}/tiny/files/search`

const LOCAL = [
  'http://localhost',
  'http://localhost:5173',
  'https://localhost:8443',
  'http://127.0.0.1:4010',
  'http://[::1]:3000',
  'http://app.localhost:3000',
]
const FOREIGN = [
  'https://evil.example',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'https://notlocalhost',
  'http://localhost@evil.example',
  String.raw`http://localhost\.evil.example`,
  'https://app.example.com.evil.example',
  'http://app.example.com',
  'https://app.example.com:8443',
  'http://192.168.0.7',
  'file://',
  'chrome-extension://localhost',
  'http://[::1',
  'null',
]

async function searchFrom({ search }: Tester, origin: string): Promise<Response> {
  return search({ headers: { Origin: origin } })
}

function preflight({ request }: Tester, origin: string, headers: Readonly<Record<string, string>> = {}) {
  const asks = {
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'content-type,x-service-developer-token',
  }
  return request()
    .options(TINY)
    .set({ Origin: origin, ...asks, ...headers })
}

/** Every header of CORS that an answer has. */
function corsOf({ headers }: Response): string[] {
  return Object.keys(headers as object).filter((name) => name.startsWith('access-control-'))
}

async function expectAllowed(tester: Tester, origins: readonly string[]): Promise<void> {
  for (const origin of origins) {
    const response = await searchFrom(tester, origin)
    expect(response.headers, origin).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    })
    expect([response.status, rowsOf(response).includes('cors')], origin).toEqual([200, true])
    expect((await preflight(tester, origin)).headers, origin).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST',
    })
  }
}

/** The answer is the same as without a browser: it is the browser that keeps it from the page. */
async function expectForeign(tester: Tester, origins: readonly string[]): Promise<void> {
  for (const origin of origins) {
    const response = await searchFrom(tester, origin)
    expect([response.status, corsOf(response), rowsOf(response).includes('cors')], origin).toEqual([200, [], false])
    const asked = await preflight(tester, origin)
    expect([asked.status, corsOf(asked)], origin).toEqual([204, []])
  }
}

describeBehaviour(
  'cors',
  {
    local: async (tester) => {
      await expectAllowed(tester, [...LOCAL, CONFIGURED])
      await expectForeign(tester, FOREIGN)
      // Another origin may get another answer, so a cache must keep them apart.
      expect((await tester.search()).headers.vary).toBe('Origin')
      expect((await searchFrom(tester, 'https://evil.example')).headers.vary).toBe('Origin')
      expect(rowsOf(await tester.search())).not.toContain('cors')
    },
    list: async (tester) => {
      await expectAllowed(tester, [CONFIGURED])
      await expectForeign(tester, [...FOREIGN, ...LOCAL])
    },
    any: async (tester) => {
      await expectAllowed(tester, [...LOCAL, ...FOREIGN, CONFIGURED])
    },
    off: async (tester) => {
      await expectForeign(tester, [...LOCAL, ...FOREIGN, CONFIGURED])
      expect((await searchFrom(tester, LOCAL[0]!)).headers).not.toHaveProperty('vary')
    },
  },
  options,
)

test('a preflight needs no key, allows the key header, and is good for ten minutes', async () => {
  const answer = await preflight(createTester(options), 'http://localhost:5173')
  expect([answer.status, answer.text]).toEqual([204, ''])
  expect(answer.headers).toMatchObject({
    allow: 'POST, OPTIONS',
    vary: 'Origin',
    'access-control-allow-origin': 'http://localhost:5173',
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type,x-service-developer-token',
    'access-control-max-age': '600',
  })
  expect(answer.headers).not.toHaveProperty('access-control-allow-private-network')
  expect(rowsOf(answer)).toEqual(['http.options', 'cors'])
})

test('a preflight from a public page to a private network is answered where the page is allowed', async () => {
  const asks = { 'Access-Control-Request-Private-Network': 'true' }
  const tester = createTester(options)
  expect((await preflight(tester, CONFIGURED, asks)).headers['access-control-allow-private-network']).toBe('true')
  expect(corsOf(await preflight(tester, 'https://evil.example', asks))).toEqual([])
})

/** Every header of ours that an answer may have. */
const OURS = [
  'Answered-By',
  'Behaviours',
  'Defect',
  'Fault',
  'Generated',
  'Ignored',
  'Joined',
  'Learned',
  'Problem',
  'Sandbox',
  'Session',
  'Stub',
  'Violations',
].map((name) => `X-Mock-${name}`)

test('a page can read our headers, of a refusal too', async () => {
  const tester = createTester(options)
  for (const query of ['', 'limit=abc']) {
    const response = await tester.search({ query, headers: { Origin: 'http://localhost:5173' } })
    const exposed = response.headers['access-control-expose-headers']!.split(', ')
    expect(exposed).toEqual(
      expect.arrayContaining(['X-Request-Id', 'X-Mock-Behaviours', 'X-Mock-Ignored', 'Retry-After']),
    )
    expect(exposed.filter((name) => name.startsWith('X-Mock-')).sort()).toEqual(OURS)
    expect(rowsOf(response)).toContain('cors')
  }
  const unauthorized = await tester.request().post(TINY).set('Origin', 'http://localhost:5173')
  expect([unauthorized.status, unauthorized.headers['access-control-allow-origin']]).toEqual([
    401,
    'http://localhost:5173',
  ])
})

test('an origin that the configuration lists is allowed however it was written', async () => {
  const tester = createTester({
    ...options,
    origins: ['HTTPS://App.Example.com/', 'null'],
    behaviours: { cors: 'list' },
  })
  await expectAllowed(tester, [CONFIGURED, 'null'])
})

const FROM_BROWSER = [
  { Origin: 'http://localhost:5173' },
  { Origin: 'null' },
  { 'Sec-Fetch-Site': 'same-origin' },
  { 'Sec-Fetch-Mode': 'cors' },
]
const LOCAL_HOSTS = ['localhost', 'localhost:4010', 'LocalHost:1', '127.0.0.1:4010', '[::1]:4010', 'app.localhost']
const FOREIGN_HOSTS = [
  'evil.example',
  'evil.example:4010',
  'localhost.evil.example',
  'localhost@evil.example',
  '192.168.0.7',
]
const MALFORMED_HOSTS = [
  '[',
  '[::1',
  'localhost:99999',
  'localhost:port',
  '%',
  'a b',
  '://',
  'http://',
  '\\',
  '<script>',
  ':',
  'é',
]

test('a browser that asks under a foreign name is refused, so that no page can rename itself into this machine', async () => {
  const { search } = createTester(options)
  for (const headers of FROM_BROWSER) {
    for (const Host of LOCAL_HOSTS) expect((await search({ headers: { ...headers, Host } })).status, Host).toBe(200)
    for (const Host of FOREIGN_HOSTS) {
      const refused = await search({ headers: { ...headers, Host } })
      expect([refused.status, refused.body], Host).toMatchObject([403, { type: '/problems/host-refused' }])
      expect([corsOf(refused), rowsOf(refused)], Host).toEqual([[], ['error.body', 'cors']])
    }
  }
})

test('a malformed host of a browser is refused, too, and never a defect', async () => {
  const tester = createTester(options)
  const url = await tester.standin.start()
  onTestFinished(() => tester.standin.stop())
  for (const Host of ['', ...MALFORMED_HOSTS]) {
    const answer = await exchangeRaw(url, searchHead({ Host, Origin: 'null', Connection: 'close' }, '', 'tiny'))
    expect(answer, Host).toMatch(/^HTTP\/1\.1 403 /)
  }
})

test('on all addresses, a client that is no browser may use any host', async () => {
  const tester = createTester({ ...options, host: '0.0.0.0' })
  const url = (await tester.standin.start()).replace('localhost', '127.0.0.1')
  onTestFinished(() => tester.standin.stop())
  for (const Host of ['', ...LOCAL_HOSTS, ...FOREIGN_HOSTS, ...MALFORMED_HOSTS]) {
    const answer = await exchangeRaw(url, searchHead({ Host, 'Content-Length': 0, Connection: 'close' }, '', 'tiny'))
    expect(answer, Host).toMatch(/^HTTP\/1\.1 200 /)
  }
})

test('a host that the configuration allows is open to browsers', async () => {
  const { search, request } = createTester({ ...options, hosts: ['Standin.test'] })
  for (const Host of ['standin.test', 'STANDIN.TEST:4010', 'localhost'])
    expect((await search({ headers: { Host, Origin: 'http://standin.test' } })).status, Host).toBe(200)
  expect((await search({ headers: { Host: 'other.test', Origin: 'http://standin.test' } })).status).toBe(403)
  const foreign = await request().options(TINY).set({ Host: 'evil.example', Origin: 'http://localhost' })
  expect([foreign.status, corsOf(foreign)]).toEqual([403, []])
})

test('the key itself opens nothing to a foreign page', async () => {
  const { request } = createTester(options)
  const response = await request()
    .post(TINY)
    .set({ [KEY_HEADER]: 'key', Origin: 'https://evil.example', Host: 'evil.example' })
  expect([response.status, corsOf(response)]).toEqual([403, []])
})
