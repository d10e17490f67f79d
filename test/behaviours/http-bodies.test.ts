import { expect, test } from 'vitest'
import { describeBehaviour } from '../support/describe-behaviour.ts'
import { bodyOf, connectTo, exchangeRaw, searchHead } from '../support/raw.ts'
import {
  complaintsOf,
  createTester,
  KEY_HEADER,
  pathsOf,
  rowsOf,
  SEARCH,
  type Tester,
  weekly,
} from '../support/tester.ts'
import { cases } from '../support/cases.ts'
import { moreRows, options, start, TINY, typeOf } from '../support/tiny-search.ts'

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
