import { expect, test } from 'vitest'
import type { Response } from 'supertest'
import { describeBehaviour } from '../support/describe-behaviour.ts'
import { list, orderOptions } from '../support/contracts/order-list.ts'
import { contractOf } from '../support/contracts/small-contract.ts'
import { exchangeRaw, searchHead } from '../support/raw.ts'
import {
  complaintsOf,
  createTester,
  KEY_HEADER,
  NOW,
  nextOf,
  rowsOf,
  SCHEDULES,
  type Tester,
  weekly,
} from '../support/tester.ts'
import { options, start, tiny, TINY, typeOf } from '../support/tiny-search.ts'

const EXCLUDING = ['text/html', 'application/json;q=0', 'application/xml, text/*', '*/*;q=0']
const INCLUDING = ['*/*', 'application/*', 'text/html, application/json;q=0.1', 'text/html;q=1, */*;q=0.1', '']

describeBehaviour(
  'http.accept',
  {
    ignore: async ({ search }) => {
      for (const Accept of EXCLUDING) {
        const answer = await search({ headers: { Accept } })
        expect([answer.status, rowsOf(answer).includes('http.accept')], Accept).toEqual([200, true])
      }
      for (const Accept of INCLUDING)
        expect(rowsOf(await search({ headers: { Accept } })), Accept).not.toContain('http.accept')
    },
    '406': async ({ search }) => {
      for (const Accept of EXCLUDING) {
        const refused = await search({ headers: { Accept } })
        expect([refused.status, ...complaintsOf(refused)], Accept).toEqual([406, 'header http.accept'])
        expect(rowsOf(refused)).toContain('http.accept')
      }
      for (const Accept of INCLUDING) expect((await search({ headers: { Accept } })).status, Accept).toBe(200)
    },
  },
  options,
)

const large = { fixtures: [tiny, { fileSets: [{ id: 'large', generate: 1500 }] }] }
const gzip = { headers: { 'Accept-Encoding': 'gzip, deflate' } }
const plainly = { headers: { 'Accept-Encoding': 'identity' } }

describeBehaviour(
  'http.compression',
  {
    off: async ({ search }) => {
      const page = await search({ set: 'large', ...gzip })
      expect(page.headers).not.toHaveProperty('content-encoding')
      expect(page.headers.vary).toBe('Origin')
      expect(rowsOf(page)).toContain('http.compression')
      expect(rowsOf(await search({ set: 'large', ...plainly }))).not.toContain('http.compression')
      expect(rowsOf(await search({ query: 'limit=1', ...gzip }))).not.toContain('http.compression')
    },
    gzip: async ({ search }) => {
      // A page with its length, and a larger one in chunks.
      for (const query of ['limit=100', 'limit=1500']) {
        const page = await search({ set: 'large', query, ...gzip })
        expect(page.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Origin, Accept-Encoding' })
        const plain = await search({ set: 'large', query, ...plainly })
        expect(plain.headers).not.toHaveProperty('content-encoding')
        expect(plain.headers.vary).toBe('Origin, Accept-Encoding')
        expect(page.text).toBe(plain.text)
        expect(rowsOf(page)).toContain('http.compression')
        expect(rowsOf(plain)).not.toContain('http.compression')
      }
      expect((await search({ query: 'limit=1', ...gzip })).headers).not.toHaveProperty('content-encoding')
      const refused = await search({ set: 'large', headers: { 'Accept-Encoding': 'gzip;q=0, *;q=0' } })
      expect(refused.headers).not.toHaveProperty('content-encoding')
    },
  },
  large,
)

describeBehaviour(
  'http.method',
  {
    '405': async (tester) => {
      for (const method of ['get', 'put', 'patch', 'delete'] as const) {
        const refused = await tester.request()[method](TINY).set(KEY_HEADER, 'key')
        expect([refused.status, refused.headers.allow, typeOf(refused)], method).toEqual([
          405,
          'POST, OPTIONS',
          'method-not-allowed',
        ])
        expect(rowsOf(refused)).toEqual(['http.method', 'error.body'])
      }
      const head = await tester.request().head(TINY)
      expect([head.status, head.headers.allow, head.text]).toEqual([405, 'POST, OPTIONS', undefined])
      expect((await tester.request().get(`${SCHEDULES}/1`)).headers.allow).toBe('PUT, OPTIONS')
      expect((await tester.request().get(SCHEDULES)).headers.allow).toBe('POST, OPTIONS')
      const url = await start(tester)
      for (const method of ['TRACE', 'PROPFIND', 'QUERY']) {
        const answer = await exchangeRaw(url, searchHead({ Connection: 'close' }).replace('POST', method))
        expect(answer, method).toMatch(/^HTTP\/1\.1 405 /)
      }
    },
    '404': async (tester) => {
      const refused = await tester.request().get(TINY).set(KEY_HEADER, 'key')
      expect([refused.status, refused.headers.allow, typeOf(refused)]).toEqual([404, undefined, 'path-unknown'])
      expect(rowsOf(refused)).toEqual(['http.method', 'error.body'])
      expect((await tester.request().options(TINY)).headers.allow).toBe('POST, OPTIONS')
    },
  },
  options,
)

const orders = (tester: Tester) => tester.request().head('/orders').set({ 'X-Key': 'k', Host: 'localhost:4010' })

describeBehaviour(
  'http.head',
  {
    'as-get': async (tester) => {
      const [head, get] = [await orders(tester), await list(tester)]
      expect([head.status, head.text, head.headers['content-length']]).toEqual([
        200,
        undefined,
        get.headers['content-length'],
      ])
      expect(rowsOf(head)).toContain('http.head')
      expect(rowsOf(get)).not.toContain('http.head')
    },
    '405': async (tester) => {
      const refused = await orders(tester)
      expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, POST, OPTIONS'])
      expect(rowsOf(refused)).toEqual(['http.method', 'http.head', 'error.body'])
      expect((await list(tester)).status).toBe(200)
    },
  },
  () => orderOptions(),
)

const byMethods = () => {
  const text = { type: 'string' }
  const room = { type: 'object', properties: { name: text, is_open: { type: 'boolean' } }, required: ['name'] }
  const content = { 'application/json': { schema: room, example: { name: 'general', is_open: true } } }
  const parameters = [{ name: 'name', in: 'query', required: true, schema: text }]
  const responses = { 200: { description: 'ok', content } }
  return {
    contract: contractOf(
      {
        '/rooms.find': { get: { parameters, responses } },
        '/rooms.json': { get: { parameters, responses } },
        '/api.test': { get: { responses } },
      },
      {},
    ),
  }
}

describeBehaviour(
  'http.posted-call',
  {
    'as-get': async (tester) => {
      const post = (path: string, form: string) => tester.request().post(path).set('X-Key', 'k').type('form').send(form)
      const found = await post('/rooms.find', 'name=project-x')
      expect([found.status, found.body]).toEqual([200, { name: 'project-x', is_open: true }])
      expect(rowsOf(found)).toContain('http.posted-call')
      expect((await post('/rooms.find', '')).status).toBe(400)
      expect((await post('/rooms.json', 'name=project-x')).status).toBe(405)
      const json = await tester.request().post('/rooms.find').set('X-Key', 'k').send({ name: 'project-x' })
      expect([json.status, json.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
    },
    '405': async (tester) => {
      const refused = await tester.request().post('/rooms.find').set('X-Key', 'k').type('form').send('name=project-x')
      expect([refused.status, rowsOf(refused)]).toEqual([405, ['http.method', 'http.posted-call', 'error.body']])
      expect((await tester.request().get('/rooms.find?name=project-x').set('X-Key', 'k')).status).toBe(200)
    },
  },
  byMethods,
)

describeBehaviour(
  'http.options',
  {
    default: async ({ request }) => {
      const plain = await request().options(TINY)
      expect([plain.status, plain.headers.allow, plain.text]).toEqual([204, 'POST, OPTIONS', ''])
      expect(plain.headers).not.toHaveProperty('content-length')
      expect(rowsOf(plain)).toEqual(['http.options'])
      expect((await request().options(`${SCHEDULES}/7`)).headers.allow).toBe('PUT, OPTIONS')
      expect((await request().options('/api')).status).toBe(404)
      const preflight = await request()
        .options(TINY)
        .set({ Origin: 'http://localhost:5173', 'Access-Control-Request-Method': 'POST' })
      expect([preflight.status, preflight.headers['access-control-allow-methods']]).toEqual([204, 'POST'])
      expect(rowsOf(preflight)).toEqual(['http.options', 'cors'])
    },
  },
  options,
)

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

/** One request for each kind of answer. */
async function oneOfEach({ search, create, request }: Tester): Promise<Response[]> {
  return [
    await search(),
    await create(weekly()),
    await search({ set: 'ünknown' }),
    await search({ body: '{' }),
    await search({ query: 'limit=abc' }),
    await search({ body: 'x'.repeat(2_000_000) }),
    await search({ headers: { 'Content-Type': 'text/plain' } }),
    await request().post(TINY),
    await request().get(TINY),
    await request().get('/favicon.ico'),
    await request().options(TINY),
  ]
}

describeBehaviour(
  'response.headers',
  {
    default: async (tester) => {
      const responses = await oneOfEach(tester)
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 404, 400, 400, 413, 415, 401, 405, 404, 204])
      for (const { headers, status, text } of responses) {
        expect(headers['cache-control']).toBe('no-store')
        expect(headers['x-request-id']).toMatch(UUID)
        expect(headers.date).toBe(new Date(NOW).toUTCString())
        expect(headers).not.toHaveProperty('etag')
        expect(headers).not.toHaveProperty('x-powered-by')
        if (status === 204) continue
        expect(headers['content-type']).toBe(status === 200 ? 'application/json' : 'application/problem+json')
        expect(headers['content-length']).toBe(String(Buffer.byteLength(text)))
      }
      expect(new Set(responses.map(({ headers }) => headers['x-request-id']!)).size).toBe(responses.length)
    },
  },
  options,
)

test('a page of more than a thousand entries goes in chunks, without a length', async () => {
  const { search } = createTester({ files: 2000 })
  const large = await search({ set: 'demo', query: 'limit=1001' })
  expect(large.headers['transfer-encoding']).toBe('chunked')
  expect(large.headers).not.toHaveProperty('content-length')
  expect(large.headers['cache-control']).toBe('no-store')
  const ready = await search({ set: 'demo', query: 'limit=1000' })
  expect(Number(ready.headers['content-length'])).toBe(Buffer.byteLength(ready.text))
  expect(large.text.startsWith(ready.text.slice(0, ready.text.lastIndexOf(']')))).toBe(true)
  expect(nextOf(large)).toBeDefined()
})

test('request ids come from the seed', async () => {
  const idOf = async (seed: number) => (await createTester({ ...options, seed }).search()).headers['x-request-id']!
  expect(await idOf(1)).toBe(await idOf(1))
  expect(await idOf(1)).not.toBe(await idOf(2))
})

test('entity tags are sent only where a behaviour asks for them', async () => {
  const { create, update, search } = createTester({ ...options, behaviours: { 'update.concurrent': 'etag' } })
  const created = await create(weekly())
  expect(created.headers.etag).toBe('"1"')
  expect((await update((created.body as { id: number }).id, { title: 'Other' })).headers.etag).toBe('"2"')
  expect((await search()).headers).not.toHaveProperty('etag')
})
