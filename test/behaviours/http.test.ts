import { expect, onTestFinished, test } from 'vitest'
import type { Response } from 'supertest'
import { describeBehaviour } from '../support/describe-behaviour.ts'
import { shows as shown } from '../support/contracts/pets.ts'
import { send, shelterOptions } from '../support/contracts/shelter.ts'
import { list, orderOptions } from '../support/contracts/order-list.ts'
import { bodyOf, connectTo, exchangeRaw, searchHead } from '../support/raw.ts'
import {
  complaintsOf,
  createTester,
  KEY_HEADER,
  NOW,
  nextOf,
  pathsOf,
  rowsOf,
  SCHEDULES,
  SEARCH,
  type Tester,
  weekly,
} from '../support/tester.ts'
import { cases } from '../support/cases.ts'

const files = ['a.txt', 'b.txt', 'c.txt'].map((path) => ({ path }))
const tiny = { fileSets: [{ id: 'tiny', files }] }
const options = { fixtures: [tiny] }
const TINY = `${SEARCH}/tiny/files/search`

/** Starts the server of a test on a port, until the test ends. */
async function start({ standin }: Tester): Promise<string> {
  onTestFinished(() => standin.stop())
  return standin.start()
}

/** The behaviours that a response depends on besides those of a plain search. */
async function moreRows({ search }: Tester, response: Response): Promise<string[]> {
  const usual = rowsOf(await search())
  return rowsOf(response).filter((row) => !usual.includes(row))
}

function typeOf(response: Response): string {
  return (response.body as { type: string }).type.replace('/problems/', '')
}

async function searchAs({ search }: Tester, type: string): Promise<number> {
  return (await search({ headers: { 'Content-Type': type } })).status
}

const GOOD_TYPES = [
  'application/json',
  'Application/JSON',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'application/json ; Charset="Utf-8"',
  'application/json;',
]
const BAD_TYPES = [
  'text/plain',
  'application/jsonx',
  'application/json-patch+json',
  'application/problem+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=iso-8859-1',
  'application/json; charset=utf-16',
  'application/json, application/json',
  'json',
]

describeBehaviour(
  'http.media-type',
  {
    strict: async (tester) => {
      for (const type of GOOD_TYPES) expect(await searchAs(tester, type), type).toBe(200)
      for (const type of BAD_TYPES) expect(await searchAs(tester, type), type).toBe(415)
      const refused = await tester.search({ headers: { 'Content-Type': 'text/plain' } })
      expect(refused.body).toMatchObject({
        type: '/problems/unsupported-media-type',
        errors: [{ header: 'Content-Type', code: 'http.media-type', received: '"text/plain"' }],
      })
      expect(refused.headers.accept).toBe('application/json')
      // The interface documents the media type, so the only undocumented behaviours are the key and the error body.
      expect(rowsOf(refused)).toEqual(['auth.keys', 'error.body'])
      const url = await start(tester)
      const missing = `POST ${TINY} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${KEY_HEADER}: key\r\n`
      expect(await exchangeRaw(url, `${missing}Content-Length: 2\r\n\r\n{}`)).toMatch(/^HTTP\/1\.1 415 /)
    },
    lenient: async (tester) => {
      for (const type of [...GOOD_TYPES, ...BAD_TYPES]) expect(await searchAs(tester, type), type).toBe(200)
      expect((await tester.search({ body: 'plain', headers: { 'Content-Type': 'text/plain' } })).status).toBe(400)
    },
  },
  options,
)

describeBehaviour(
  'http.content-type-parameters',
  {
    ignore: async (tester) => {
      for (const parameter of ['version=1', 'charset=utf8', 'profile="a b"', 'charset=utf-8; version=1'])
        expect(await searchAs(tester, `application/json; ${parameter}`), parameter).toBe(200)
      for (const charset of ['latin1', 'utf-16', '"utf-7"'])
        expect(await searchAs(tester, `application/json; version=1; charset=${charset}`), charset).toBe(415)
      const answer = await tester.search({ headers: { 'Content-Type': 'application/json; version=1' } })
      expect(rowsOf(answer)).toContain('http.content-type-parameters')
      expect(rowsOf(await tester.search())).not.toContain('http.content-type-parameters')
    },
    strict: async (tester) => {
      for (const parameter of ['version=1', 'charset=utf8'])
        expect(await searchAs(tester, `application/json; ${parameter}`), parameter).toBe(415)
      const refused = await tester.search({ headers: { 'Content-Type': 'application/json; version=1' } })
      expect(rowsOf(refused)).toContain('http.content-type-parameters')
      expect(await searchAs(tester, 'application/json; charset="UTF-8"')).toBe(200)
    },
  },
  options,
)

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

test('a request without content needs no media type', async () => {
  const { request } = createTester(options)
  expect((await request().post(TINY).set(KEY_HEADER, 'key')).status).toBe(200)
})

test('a body that is compressed is refused, not misread', async () => {
  const { search } = createTester(options)
  const answer = await search({ headers: { 'Content-Encoding': 'gzip' } })
  expect(answer.status).toBe(415)
  expect(complaintsOf(answer)).toEqual(['header http.media-type'])
})

test('a media type of many spaces is refused at once', async () => {
  const url = await start(createTester(options))
  const type = `application/json${' '.repeat(60_000)}x`
  const answer = await exchangeRaw(url, searchHead({ 'Content-Type': type, Connection: 'close' }))
  expect(answer).toMatch(/^HTTP\/1\.1 415 /)
})

/** Bodies that are no JSON object, and where the complaint points at. */
const NO_OBJECTS: readonly (readonly [string, string])[] = [
  ['{', 'line 1, column 2'],
  ['{\n  "filters": [\n    {]\n}', 'line 3, column 6'],
  ['{"filters": [],}', 'line 1, column 16'],
  ["{'filters': []}", 'line 1, column 2'],
  ['{filters: []}', 'line 1, column 2'],
  ['{"filters" []}', 'line 1, column 12'],
  ['{} {}', 'line 1, column 4'],
  ['{}\n{}', 'line 2, column 1'],
  ['{} // comment', 'line 1, column 4'],
  ['/* comment */ {}', 'line 1, column 1'],
  ['{"a": NaN}', 'line 1, column 7'],
  ['{"a": 01}', 'line 1, column 8'],
  ['{"a": .5}', 'line 1, column 7'],
  ['{"a": "\t"}', 'line 1, column 7'],
  ['{"a": "\\x"}', 'line 1, column 7'],
  ['{"a": "open', 'line 1, column 7'],
  ['plain', 'line 1, column 1'],
  ['[]', 'line 1, column 1'],
  ['[{}]', 'line 1, column 1'],
  ['"{}"', 'line 1, column 1'],
  ['null', 'line 1, column 1'],
  ['true', 'line 1, column 1'],
  ['1', 'line 1, column 1'],
]

describeBehaviour(
  'http.json',
  {
    default: async (tester) => {
      for (const [body, place] of NO_OBJECTS) {
        const refused = await tester.search({ body })
        expect([refused.status, typeOf(refused), ...complaintsOf(refused)], body).toEqual([
          400,
          'json-invalid',
          ' http.json',
        ])
        expect((refused.body as { detail: string }).detail, body).toContain(place)
        expect(rowsOf(refused), body).toEqual(['auth.keys', 'http.json', 'error.body'])
      }
    },
  },
  options,
)

test('a body in UTF-8 may begin with a byte order mark, and invalid UTF-8 is refused', async () => {
  const tester = createTester(options)
  const url = await start(tester)
  const send = async (body: string) => {
    const head = searchHead({ 'Content-Length': body.length, Connection: 'close' }, '', 'tiny')
    return exchangeRaw(url, head + body)
  }
  const filter = (name: string) => `{"filters":[{"field":"name","operator":"EQUALS","value":["${name}"]}]}`
  expect(await send(`\xEF\xBB\xBF${filter('a.txt')}`)).toContain('"path":"a.txt"')
  expect(await send(`\xEF\xBB\xBF`)).toMatch(/^HTTP\/1\.1 200 /)
  for (const bytes of ['\xFF', '\xC3', '\xED\xA0\x80', '\xC0\xAF', '\xF4\x90\x80\x80', '\xFF\xFE{\0}\0']) {
    const refused = await send(filter(bytes))
    expect(refused).toMatch(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(bodyOf(refused))).toMatchObject({ detail: 'The body is not valid UTF-8.' })
  }
})

test('what came instead of an object is shown', async () => {
  const { search } = createTester(options)
  const received = async (body: string) => ((await search({ body })).body as { errors: object[] }).errors[0]
  expect(await received('null')).toMatchObject({ expected: 'one JSON object', received: 'null' })
  expect(await received('[1, 2]')).toMatchObject({ received: '[1,2]' })
  expect(await received('"text"')).toMatchObject({ received: '"text"' })
})

/** Only `b.txt` fits the second of the two filters. */
const TWICE =
  '{"filters":[{"field":"name","operator":"EQUALS","value":["none"]}],\n "filters":[{"field":"name","operator":"EQUALS","value":["b.txt"]}]}'

describeBehaviour(
  'http.duplicate-key',
  {
    last: async (tester) => {
      const response = await tester.search({ body: TWICE })
      expect(pathsOf(response)).toEqual(['b.txt'])
      expect(await moreRows(tester, response)).toContain('http.duplicate-key')
      const once = await tester.search({ body: '{"a":{"x":1},"b":{"x":":"},"c":[{"x":"\\":"},{"x":2}]}' })
      expect(await moreRows(tester, once)).toEqual(['body.unknown'])
    },
    error: async ({ search, create }) => {
      const refused = await search({ body: TWICE })
      expect([refused.status, ...complaintsOf(refused)]).toEqual([400, ' http.duplicate-key'])
      expect(refused.body).toMatchObject({ detail: 'The member "filters" is there twice: line 2, column 2.' })
      expect(rowsOf(refused)).toEqual(['auth.keys', 'http.duplicate-key', 'error.body'])
      const spelt = await search({ body: '{"filters": [], "a": [{"b": 1, "\\u0062": 2}]}' })
      expect(spelt.body).toMatchObject({ detail: 'The member "b" is there twice: line 1, column 32.' })
      expect((await search({ body: '{"__proto__": 1, "__proto__": 2}' })).status).toBe(400)
      expect((await search({ body: '{"a": {"x": 1}, "b": {"x": 1}}' })).status).toBe(200)
      expect((await create(weekly())).status).toBe(200)
    },
  },
  options,
)

describeBehaviour(
  'http.empty-body',
  {
    'as-empty': async ({ search, paths, create }) => {
      for (const body of ['', ' \r\n\t ']) expect(await paths({ body })).toEqual(['a.txt', 'b.txt', 'c.txt'])
      expect(rowsOf(await search({ body: '' }))).toEqual(rowsOf(await search({ body: '{}' })))
      // A create and an update have something to say.
      const refused = await create('')
      expect([refused.status, ...complaintsOf(refused)]).toEqual([400, ' http.json'])
    },
    error: async ({ search, update }) => {
      for (const body of ['', ' \n ']) {
        const refused = await search({ body, query: 'limit=abc' })
        expect([refused.status, ...complaintsOf(refused)]).toEqual([400, 'limit limit.format', ' http.empty-body'])
      }
      expect((await search()).status).toBe(200)
      expect(complaintsOf(await update('abc', ''))).toEqual(['scheduleId update.id-form', ' http.json'])
    },
  },
  options,
)

test('other white space than that of JSON is no empty body', async () => {
  const { search } = createTester(options)
  expect((await search({ body: '\u00A0' })).status).toBe(400)
})

describeBehaviour(
  'http.null-array',
  {
    'as-absent': async (tester) => {
      const response = await tester.search({ body: { filters: null, dateFilters: null, fieldSort: null } })
      expect(pathsOf(response)).toEqual(['a.txt', 'b.txt', 'c.txt'])
      expect(await moreRows(tester, response)).toEqual(['http.null-array'])
    },
    error: async ({ search }) => {
      const refused = await search({ body: { filters: null, dateFilters: [], fieldSort: null } })
      expect([refused.status, ...complaintsOf(refused)]).toEqual([400, '/fieldSort type', '/filters type'])
    },
  },
  options,
)

/** A search body of so many bytes. */
function bodyOfSize(bytes: number): string {
  const empty = JSON.stringify({ note: '' })
  return JSON.stringify({ note: 'x'.repeat(bytes - empty.length) })
}

describeBehaviour(
  'http.size',
  {
    default: async ({ search }) => {
      expect((await search({ body: bodyOfSize(1_048_576) })).status).toBe(200)
      const refused = await search({ body: bodyOfSize(1_048_577) })
      expect([refused.status, typeOf(refused), ...complaintsOf(refused)]).toEqual([
        413,
        'content-too-large',
        ' http.size',
      ])
      expect(rowsOf(refused)).toEqual(['auth.keys', 'http.size', 'error.body'])
    },
    '2048': async ({ search }) => {
      expect((await search({ body: bodyOfSize(2048) })).status).toBe(200)
      expect((await search({ body: bodyOfSize(2049) })).status).toBe(413)
      expect((await search({ body: JSON.stringify({ note: '€'.repeat(1000) }) })).status).toBe(413)
    },
  },
  options,
)

test('a body that is declared too large is refused before it is sent', async () => {
  const client = await connectTo(await start(createTester(options)))
  client.send(`${searchHead({ 'Content-Length': 2_000_000 }, '', 'tiny')}{"note":`)
  await client.until(/^HTTP\/1\.1 413 /)
  client.socket.destroy()
})

test('a body in chunks is refused when it becomes too large, and its connection can be used again', async () => {
  const client = await connectTo(await start(createTester(options)))
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
  client.send(searchHead({ 'Transfer-Encoding': 'chunked' }, '', 'tiny') + chunk.repeat(16))
  expect(client.received()).toBe('')
  client.send(chunk)
  await client.until(/^HTTP\/1\.1 413 /)
  client.send(`0\r\n\r\n${searchHead({ 'Content-Length': 2, Connection: 'close' }, '', 'tiny')}{}`)
  expect(await client.closed).toMatch(/^HTTP\/1\.1 413 [^]*\}HTTP\/1\.1 200 /)
})

test('a client that leaves while it sends too much is answered once', async () => {
  const tester = createTester(options)
  const client = await connectTo(await start(tester))
  client.send(
    searchHead({ 'Transfer-Encoding': 'chunked' }, '', 'tiny') + `10000\r\n${'x'.repeat(65_536)}\r\n`.repeat(17),
  )
  await client.until(/^HTTP\/1\.1 413 /)
  client.socket.destroy()
  await client.closed
  expect((await tester.search()).status).toBe(200)
  const { exchanges } = await tester.standin.control.listExchanges()
  expect(exchanges.map(({ answer }) => answer?.status)).toEqual([413, 200])
})

test.each(['length', 'chunked'])('a client that sends too much all at once still hears why: %s', async (how) => {
  const url = await start(createTester(options))
  // A client that is reset while it sends loses the response.
  const init = { method: 'POST', headers: { [KEY_HEADER]: 'key', 'Content-Type': 'application/json' } }
  const body = 'x'.repeat(20_000_000)
  for (let times = 0; times < cases(10); times++) {
    const sent = how === 'length' ? { body } : { body: new Blob([body]).stream(), duplex: 'half' as const }
    expect((await fetch(`${url}${SEARCH}/tiny/files/search`, { ...init, ...sent })).status).toBe(413)
  }
})

/** A search body of so many levels, the outermost object being the first. */
function bodyOfDepth(levels: number): string {
  return `{"note":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
}

describeBehaviour(
  'http.depth',
  {
    default: async ({ search }) => {
      expect((await search({ body: bodyOfDepth(32) })).status).toBe(200)
      const refused = await search({ body: bodyOfDepth(33) })
      expect([refused.status, ...complaintsOf(refused)]).toEqual([400, ' http.depth'])
      expect(rowsOf(refused)).toEqual(['auth.keys', 'http.depth', 'error.body'])
      expect((await search({ body: `{"note":"${'[{'.repeat(50)}\\"${'[{'.repeat(50)}"}` })).status).toBe(200)
      expect((await search({ body: `{"note":[${'[],'.repeat(50)}{}]}` })).status).toBe(200)
    },
    '5': async ({ search, create }) => {
      expect((await search({ body: bodyOfDepth(5) })).status).toBe(200)
      expect((await search({ body: bodyOfDepth(6) })).status).toBe(400)
      expect((await create(weekly({}, { additionalRecipients: [{ type: 'USER', value: '1' }] }))).status).toBe(200)
    },
  },
  options,
)

test.each([
  ['arrays', '['.repeat(500_000)],
  ['objects', '{"a":'.repeat(200_000)],
  ['objects around a long integer', `${'{"a":'.repeat(150_000)}1234567890123456789${'}'.repeat(150_000)}`],
  ['closing brackets', ']'.repeat(500_000)],
  ['a string that never ends', `{"a":"${'\\"['.repeat(300_000)}`],
])('a megabyte of %s is refused like any other', async (_what, body) => {
  const { search } = createTester(options)
  expect((await search({ body })).status).toBe(400)
})

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

const RESEMBLING = [
  `${TINY}/`,
  TINY.replace('/files/v1', '//files/v1'),
  `/${TINY}`,
  TINY.replace('/api', '/API'),
  TINY.replace('search', 'Search'),
]

describeBehaviour(
  'http.path',
  {
    strict: async ({ request, search }) => {
      for (const path of RESEMBLING) {
        const refused = await request().post(path).set(KEY_HEADER, 'key')
        expect([refused.status, typeOf(refused)], path).toEqual([404, 'path-unknown'])
        expect(rowsOf(refused), path).toEqual(['http.path', 'error.body', 'error.unknown-path'])
      }
      expect(rowsOf(await search())).not.toContain('http.path')
      expect(rowsOf(await request().post('/elsewhere'))).not.toContain('http.path')
    },
    tolerant: async ({ request, search }) => {
      for (const path of RESEMBLING) {
        const response = await request().post(path).set(KEY_HEADER, 'key')
        expect([response.status, pathsOf(response)], path).toEqual([200, ['a.txt', 'b.txt', 'c.txt']])
        expect(rowsOf(response), path).toContain('http.path')
      }
      expect(rowsOf(await search())).not.toContain('http.path')
      // What stands for a parameter keeps its case, and nothing else is overlooked.
      expect((await request().post(TINY.replace('tiny', 'TINY')).set(KEY_HEADER, 'key')).status).toBe(404)
      expect((await request().post(TINY.replace('/files/v1', '/files')).set(KEY_HEADER, 'key')).status).toBe(404)
    },
  },
  options,
)

/** A path that is a path below a folder, and what lies below it. */
const folders = () => {
  const text = { type: 'string' }
  const named = (name: string) => ({ name, in: 'path', required: true, schema: text })
  const shows = (example: string) => ({ get: { responses: { 200: shown({ ...text, example }) } } })
  return shelterOptions({
    '/contents/{filePath}': { parameters: [named('filePath')], ...shows('file') },
    '/contents/{filePath}/versions/{id}': { parameters: [named('filePath'), named('id')], ...shows('version') },
    '/labels/{label}': { parameters: [named('label')], ...shows('label') },
  })
}

describeBehaviour(
  'http.path-parameter',
  {
    whole: async (tester) => {
      const of = async (path: string) => (await send(tester, ['get', path])).body
      expect(await of('/contents/a.txt')).toBe('file')
      expect(await of('/contents/notes/2026/a.txt')).toBe('file')
      expect(await of('/contents')).toBe('file')
      expect(await of('/contents/notes/a.txt/versions/1')).toBe('version')
      expect((await send(tester, ['get', '/labels/a/b'])).status).toBe(404)
    },
    segment: async (tester) => {
      expect((await send(tester, ['get', '/contents/a.txt'])).body).toBe('file')
      expect((await send(tester, ['get', '/contents/notes/2026/a.txt'])).status).toBe(404)
    },
  },
  folders,
)

describeBehaviour(
  'http.encoding',
  {
    decode: async (tester) => {
      const post = (id: string) => tester.request().post(`${SEARCH}/${id}/files/search`).set(KEY_HEADER, 'key')
      const found = async (id: string) => pathsOf(await post(id))
      expect(await found('a%2Fb')).toEqual(['slash.txt'])
      expect(await found('a%2fb')).toEqual(['slash.txt'])
      expect(await found('a%252Fb')).toEqual(['escape.txt'])
      expect(await found('%74iny')).toEqual(['a.txt', 'b.txt', 'c.txt'])
      expect(await found('caf%C3%A9')).toEqual(['accent.txt'])
      expect(await moreRows(tester, await post('%74iny'))).toEqual(['http.encoding'])
      expect((await post('a+b')).status).toBe(404)
      for (const id of ['100%', '%zz', '%C3', '%E9t%E9', '%']) {
        const refused = await post(id)
        expect([refused.status, typeOf(refused)], id).toEqual([400, 'path-invalid'])
        expect(rowsOf(refused)).toEqual(['auth.keys', 'http.encoding', 'error.body'])
      }
      const escaped = await tester.request().post(TINY.replace('/files/v1', '/%66iles/v%31')).set(KEY_HEADER, 'key')
      expect(pathsOf(escaped)).toEqual(['a.txt', 'b.txt', 'c.txt'])
      expect(rowsOf(escaped)).toContain('http.encoding')
      // An escaped slash stays in its segment, and what is no escape is no letter.
      expect(
        (await tester.request().post(TINY.replace('/files/v1', '%2Ffiles/v1')).set(KEY_HEADER, 'key')).status,
      ).toBe(404)
      expect(
        (await tester.request().post(TINY.replace('/files/v1', '/%%66iles/v1')).set(KEY_HEADER, 'key')).status,
      ).toBe(404)
      expect((await tester.request().get(TINY.replace('/files/v1', '/%66iles/v1'))).status).toBe(405)
    },
    literal: async (tester) => {
      const refused = await tester.request().post(TINY.replace('/files/v1', '/%66iles/v1')).set(KEY_HEADER, 'key')
      expect([refused.status, typeOf(refused)]).toEqual([404, 'path-unknown'])
      expect(rowsOf(refused)).toContain('http.encoding')
      const post = (id: string) => tester.request().post(`${SEARCH}/${id}/files/search`).set(KEY_HEADER, 'key')
      expect(pathsOf(await post('%74iny'))).toEqual(['a.txt', 'b.txt', 'c.txt'])
    },
  },
  {
    fixtures: [
      tiny,
      {
        fileSets: [
          { id: 'a/b', files: [{ path: 'slash.txt' }] },
          { id: 'a%2Fb', files: [{ path: 'escape.txt' }] },
          { id: 'café', files: [{ path: 'accent.txt' }] },
        ],
      },
    ],
  },
)

describeBehaviour(
  'http.repeated',
  {
    error: async (tester) => {
      const refused = await tester.search({ query: 'limit=1&limit=2&next=a&next=a' })
      expect([refused.status, ...complaintsOf(refused)]).toEqual([400, 'limit http.repeated', 'next http.repeated'])
      expect(refused.body).toMatchObject({ errors: [{ expected: 'the parameter once', received: '["1","2"]' }, {}] })
      expect(rowsOf(refused)).toEqual([
        'auth.keys',
        'http.repeated',
        'error.body',
        'error.invalid-status',
        'error.several',
      ])
      const unknown = await tester.search({ query: 'colour=red&colour=blue' })
      expect([unknown.status, await moreRows(tester, unknown)]).toEqual([200, ['http.unknown-query']])
    },
    first: async (tester) => {
      const response = await tester.search({ query: 'limit=1&limit=2' })
      expect(pathsOf(response)).toEqual(['a.txt'])
      expect(rowsOf(response)).toContain('http.repeated')
    },
    last: async (tester) => {
      const response = await tester.search({ query: 'limit=1&limit=2' })
      expect(pathsOf(response)).toEqual(['a.txt', 'b.txt'])
      expect(rowsOf(response)).toContain('http.repeated')
      expect((await tester.search({ query: 'limit=1&limit=' })).status).toBe(400)
    },
  },
  options,
)

describeBehaviour(
  'http.unknown-query',
  {
    ignore: async (tester) => {
      const response = await tester.search({ query: 'colour=red&limit=2&utm_source=mail&LIMIT=1' })
      expect(pathsOf(response)).toEqual(['a.txt', 'b.txt'])
      expect(response.headers['x-mock-ignored']).toBe('query colour, query utm_source, query LIMIT')
      expect(await moreRows(tester, response)).toContain('http.unknown-query')
      expect((await tester.search({ query: 'limit=2' })).headers).not.toHaveProperty('x-mock-ignored')
      const strange = await tester.search({ query: 'a%0D%0AX-Injected:%20yes=1&%F0%9F%98%80=1&=1' })
      expect(strange.status).toBe(200)
      expect(strange.headers['x-mock-ignored']).toBe('query a%0D%0AX-Injected:%20yes, query %F0%9F%98%80, query')
      expect(strange.headers).not.toHaveProperty('x-injected')
    },
    error: async ({ search }) => {
      const refused = await search({ query: 'colour=red&limit=2&size=3' })
      expect([refused.status, ...complaintsOf(refused)]).toEqual([
        400,
        'colour http.unknown-query',
        'size http.unknown-query',
      ])
      expect(refused.body).toMatchObject({
        errors: [{ expected: 'one of directoryPath, immediateChildren, limit, next', received: '"colour"' }, {}],
      })
      expect((await search({ query: 'limti=1' })).body).toMatchObject({
        detail:
          'limti: expected one of directoryPath, immediateChildren, limit, next, got "limti". Did you mean limit?',
      })
      expect(rowsOf(refused)).toEqual([
        'auth.keys',
        'http.unknown-query',
        'error.body',
        'error.invalid-status',
        'error.several',
      ])
    },
  },
  options,
)

test('what is ignored in query and body is named, and a hundred names are cut short', async () => {
  const { create, search } = createTester(options)
  const created = await create(weekly({ colour: 'red', 'a/b~c\n': 1 }, { note: null, päge: 1 }))
  expect(created.headers['x-mock-ignored']).toBe('body /schedule/p%C3%A4ge, body /colour, body /a~1b~0c%0A')
  const many = await search({ query: Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`p${index}`, 1])) })
  expect(many.headers['x-mock-ignored']!.split(', ')).toHaveLength(20)
})

describeBehaviour(
  'http.boolean',
  {
    strict: async ({ search }) => {
      for (const spelling of ['true', 'false'])
        expect((await search({ query: `immediateChildren=${spelling}` })).status, spelling).toBe(200)
      for (const spelling of ['TRUE', 'False', '1', '0', 'yes', 'on', '', '%20true', 'null']) {
        const refused = await search({ query: `immediateChildren=${spelling}` })
        expect([refused.status, ...complaintsOf(refused)], spelling).toEqual([400, 'immediateChildren http.boolean'])
        expect(refused.body).toMatchObject({ errors: [{ expected: 'true or false' }] })
      }
    },
    'any-case': async ({ paths, search }) => {
      const nested = { set: 'nested', query: 'immediateChildren=TRUE' }
      expect(await paths(nested)).toEqual(['dir'])
      expect(await paths({ ...nested, query: 'immediateChildren=False' })).toEqual(['dir', 'dir/a.txt'])
      for (const spelling of ['1', 'yes', '', 'truE%20'])
        expect((await search({ query: `immediateChildren=${spelling}` })).status, spelling).toBe(400)
    },
  },
  { fixtures: [tiny, { fileSets: [{ id: 'nested', files: [{ path: 'dir/a.txt' }] }] }] },
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

test('a whole address is taken for its path', async () => {
  const url = await start(createTester({ ...options, hosts: ['standin.test'] }))
  for (const address of ['http://localhost:4010', 'HTTP://standin.test', 'https://user@[::1]:1'])
    expect(
      await exchangeRaw(url, searchHead({ Connection: 'close' }, '', 'tiny').replace(' /', ` ${address}/`)),
    ).toMatch(/^HTTP\/1\.1 200 /)
  for (const target of ['http://[', 'http://[::1', 'http://a:99999'])
    expect(
      await exchangeRaw(url, `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
      target,
    ).toMatch(/^HTTP\/1\.1 403 /)
  for (const target of ['http://?limit=1', '*']) {
    const answer = await exchangeRaw(url, `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    expect(answer, target).toMatch(/^HTTP\/1\.1 404 /)
    expect(JSON.parse(bodyOf(answer)), target).toMatchObject({ type: '/problems/path-unknown' })
  }
})
