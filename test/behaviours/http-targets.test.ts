import { expect, test } from 'vitest'
import { describeBehaviour } from '../support/describe-behaviour.ts'
import { shows as shown } from '../support/contracts/pets.ts'
import { send, shelterOptions } from '../support/contracts/shelter.ts'
import { OWN_KEY } from '../support/contracts/small-contract.ts'
import { bodyOf, exchangeRaw, searchHead } from '../support/raw.ts'
import { complaintsOf, createTester, KEY_HEADER, pathsOf, rowsOf, SEARCH, weekly } from '../support/tester.ts'
import { moreRows, options, start, tiny, TINY, typeOf } from '../support/tiny-search.ts'

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

/** A path that ends with a slash, as Django and Flask have them. */
const slashed = () => {
  const responses = { 200: shown({ type: 'string', example: '1.27' }) }
  return shelterOptions({ '/version/': { get: { responses }, post: { responses } } })
}

describeBehaviour(
  'http.missing-slash',
  {
    same: async (tester) => {
      const ask = (path: string) => tester.request().get(path).set(OWN_KEY)
      const response = await ask('/version')
      expect([response.status, response.body]).toEqual([200, '1.27'])
      expect(rowsOf(response)).toContain('http.missing-slash')
      expect(rowsOf(await ask('/version/'))).not.toContain('http.missing-slash')
      expect((await send(tester, ['post', '/version'])).status).toBe(404)
    },
    '404': async (tester) => {
      const refused = await tester.request().get('/version').set(OWN_KEY)
      expect(refused.status).toBe(404)
      expect(rowsOf(refused)).toContain('http.missing-slash')
    },
  },
  slashed,
)

test('a tolerant server overlooks the slash that the contract ends a path with', async () => {
  const tester = createTester({ ...slashed(), behaviours: { 'http.path': 'tolerant' } })
  expect((await send(tester, ['post', '/VERSION'])).status).toBe(200)
})

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
