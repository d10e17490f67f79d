import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import request from 'supertest'
import { afterAll, describe, expect, test } from 'vitest'
import { createDirectory } from '../support/command.ts'
import { createStandin } from '../../src/index.ts'

const directory = createDirectory({})
afterAll(directory.remove)

let number = 0

/** A server for a contract with these paths. */
function appOf(paths: object, more: object = {}) {
  const file = join(directory.path, `${++number}.json`)
  writeFileSync(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'Things', version: '1' }, paths, ...more }))
  return createStandin({ contract: file }).app
}

const OK = {
  responses: { '200': { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } } },
}
const INTEGERS = { type: 'array', items: { type: 'integer' }, maxItems: 3 }
const LISTS = { type: 'object', properties: { ids: INTEGERS } }
const POINT = { type: 'object', properties: { x: { type: 'integer' }, y: { type: 'boolean' } }, required: ['x'] }

/** The codes of what is wrong, each with the name of the parameter or header, or the pointer. */
function codesOf(body: unknown): string[] {
  const { errors = [] } = body as { errors?: { parameter?: string; header?: string; pointer?: string; code: string }[] }
  return errors.map((one) => `${one.parameter ?? one.header ?? one.pointer ?? ''} ${one.code}`)
}

/** What a request is refused for; the status when it is not. */
async function askedOf(asked: request.Test): Promise<string[] | number> {
  const answer = await asked
  return answer.status === 400 ? codesOf(answer.body) : answer.status
}

describe('parameters are read by style', () => {
  const QUERY: readonly (readonly [object, string, string[] | 200])[] = [
    [{ schema: INTEGERS }, 'p=1&p=2', 200],
    [{ schema: INTEGERS }, 'p=1&p=a', ['p type']],
    [{ schema: INTEGERS }, 'p=1&p=2&p=3&p=4', ['p maxItems']],
    [{ schema: INTEGERS, explode: false }, 'p=1,2,3', 200],
    [{ schema: INTEGERS, explode: false }, 'p=1,b', ['p type']],
    [{ schema: INTEGERS, style: 'pipeDelimited', explode: false }, 'p=1%7C2', 200],
    [{ schema: INTEGERS, style: 'pipeDelimited', explode: false }, 'p=1,2', ['p type']],
    [{ schema: INTEGERS, style: 'spaceDelimited', explode: false }, 'p=1%202', 200],
    [{ schema: POINT, style: 'deepObject' }, 'p[x]=1&p[y]=true', 200],
    [{ schema: POINT, style: 'deepObject' }, 'p[x]=one', ['p type']],
    [{ schema: LISTS, style: 'deepObject' }, 'p[ids][]=1&p[ids][]=2', 200],
    [{ schema: LISTS, style: 'deepObject' }, 'p[ids][]=1&p[ids][]=b', ['p type']],
    [{ schema: POINT }, 'x=1&y=false', 200],
    [{ schema: POINT }, 'x=1&y=no', ['p type']],
    [{ schema: POINT }, 'y=true', ['p required']],
    [{ schema: POINT, explode: false }, 'p=x,1,y,true', 200],
    [{ content: { 'application/json': { schema: POINT } } }, 'p=%7B%22x%22:1%7D', 200],
    [{ content: { 'application/json': { schema: POINT } } }, 'p=%7B', ['p type']],
    [{ schema: { type: 'number', exclusiveMinimum: 0 } }, 'p=0.5', 200],
    [{ schema: { type: 'number', exclusiveMinimum: 0 } }, 'p=0', ['p exclusiveMinimum']],
    [{ schema: { type: 'string', enum: ['a', 'b'] } }, 'p=c', ['p enum']],
    [{ schema: { type: 'integer', maximum: 5 } }, 'p=6', ['p maximum']],
    [{ schema: { anyOf: [{ type: 'integer' }, { enum: ['all'] }] } }, 'p=all', 200],
    [{ schema: { type: 'string' }, required: true }, '', ['p required']],
    [{ schema: { type: 'string' } }, '', 200],
  ]

  test.each(QUERY)('query %j: %s', async (parameter, query, expected) => {
    const app = appOf({ '/things': { get: { parameters: [{ name: 'p', in: 'query', ...parameter }], ...OK } } })
    expect(await askedOf(request(app).get(`/things?${query}`))).toEqual(expected)
  })

  const PATH: readonly (readonly [object, string, string[] | 200])[] = [
    [{ schema: INTEGERS }, '1,2', 200],
    [{ schema: INTEGERS }, '1,b', ['p type']],
    [{ schema: INTEGERS, style: 'label', explode: true }, '.1.2', 200],
    [{ schema: INTEGERS, style: 'matrix', explode: true }, ';p=1;p=2', 200],
    [{ schema: INTEGERS, style: 'matrix' }, ';p=1,2', 200],
    [{ schema: POINT, explode: true }, 'x=1,y=true', 200],
    [{ schema: { type: 'string', const: 'a,b' } }, 'a%2Cb', 200],
    [{ schema: { type: 'number' }, style: 'label' }, '.5', 200],
  ]

  test.each(PATH)('path %j: %s', async (parameter, segment, expected) => {
    const app = appOf({
      '/things/{p}': { get: { parameters: [{ name: 'p', in: 'path', required: true, ...parameter }], ...OK } },
    })
    expect(await askedOf(request(app).get(`/things/${segment}`))).toEqual(expected)
  })

  test('headers and cookies, those of a path, and those that are referred to', async () => {
    const app = appOf(
      {
        '/things': {
          parameters: [
            { $ref: '#/components/parameters/Size' },
            { name: 'X-Old', in: 'header', required: true, schema: {} },
          ],
          get: {
            parameters: [
              { name: 'x-ids', in: 'header', schema: INTEGERS },
              { name: 'X-Old', in: 'header', schema: {} },
              { name: 'session', in: 'cookie', required: true, schema: { type: 'string', minLength: 3 } },
            ],
            ...OK,
          },
        },
      },
      {
        components: {
          parameters: { Size: { name: 'X-Size', in: 'header', required: true, schema: { type: 'integer' } } },
        },
      },
    )
    const asked = (headers: Record<string, string>) => askedOf(request(app).get('/things').set(headers))
    expect(await asked({ 'X-Size': '3', Cookie: 'a=b; session=abc' })).toBe(200)
    expect(await asked({ 'X-Size': '3%', Cookie: 'session=a', 'X-Ids': '1,x' })).toEqual([
      'X-Size type',
      'x-ids type',
      'session minLength',
    ])
    expect(await asked({})).toEqual(['X-Size required', 'session required'])
  })

  test('templates of several parameters in a segment', async () => {
    const id = (name: string, schema: object) => ({ name, in: 'path', required: true, schema })
    const app = appOf({
      '/files/{name}.{kind}': {
        get: { parameters: [id('name', { const: 'a.b' }), id('kind', { const: 'txt' })], ...OK },
      },
      '/jobs/{job}:cancel': { post: { parameters: [id('job', { type: 'integer' })], ...OK } },
      '/jobs/{job}': { get: { parameters: [id('job', { type: 'integer' })], ...OK } },
    })
    expect(await askedOf(request(app).get('/files/a.b.txt'))).toBe(200)
    expect(await askedOf(request(app).get('/files/a.b.md'))).toEqual(['kind const'])
    expect(await askedOf(request(app).post('/jobs/7:cancel'))).toBe(200)
    expect(await askedOf(request(app).get('/jobs/7'))).toBe(200)
    expect(await askedOf(request(app).post('/jobs/7:stop'))).toBe(405)
  })
})

describe('bodies of any media type', () => {
  const taking = (content: object) =>
    appOf({ '/things': { post: { requestBody: { required: true, content }, ...OK } } })

  test('any JSON, where the contract asks for more than objects', async () => {
    const app = taking({ 'application/json': { schema: INTEGERS } })
    const asked = (text: string) => askedOf(request(app).post('/things').type('application/json').send(text))
    expect(await asked('[1, 2]')).toBe(200)
    expect(await asked('[1, "a"]')).toEqual(['/1 type'])
    expect(await asked('{}')).toEqual([' type'])
    expect(await asked('[1,')).toEqual([' http.json'])
  })

  test('forms, their fields by the types of the contract', async () => {
    const schema = { ...POINT, properties: { ...POINT.properties, tags: INTEGERS } }
    const app = taking({ 'application/x-www-form-urlencoded': { schema }, 'multipart/form-data': { schema } })
    const form = (text: string) => askedOf(request(app).post('/things').type('form').send(text))
    expect(await form('x=1&y=true&tags=1&tags=2')).toBe(200)
    expect(await form('x=1&tags=1')).toBe(200)
    expect(await form('x=a&y=2')).toEqual(['/x type', '/y type'])
    expect(await askedOf(request(app).post('/things').field('x', '1').field('tags', ['1', '2']))).toBe(200)
    expect(await askedOf(request(app).post('/things').field('y', 'true'))).toEqual(['/x required'])
    const broken = request(app).post('/things').type('multipart/form-data; boundary=a').send('--a\r\n')
    expect(await askedOf(broken)).toEqual([' syntax'])
    const boundless = await request(app).post('/things').type('multipart/form-data').send('--a\r\n')
    expect([boundless.status, (boundless.body as { detail: string }).detail]).toEqual([
      400,
      'The form cannot be read: Multipart: Boundary not found.',
    ])
    const many = request(app).post('/things').type('multipart/form-data; boundary=a')
    const parts = '--a\r\nContent-Disposition: form-data; name="tags"\r\n\r\n1\r\n'.repeat(1001)
    expect(((await many.send(`${parts}--a--\r\n`)).body as { detail: string }).detail).toContain('more than 1000 parts')
  })

  test('files in forms, texts and bytes', async () => {
    const file = {
      type: 'object',
      required: ['photo'],
      properties: { photo: { type: 'string', contentMediaType: 'image/png' } },
    }
    const form = taking({ 'multipart/form-data': { schema: file } })
    expect(
      await askedOf(
        request(form)
          .post('/things')
          .attach('photo', Buffer.from([137, 80, 0]), 'a.png'),
      ),
    ).toBe(200)
    const text = taking({ 'text/plain': { schema: { type: 'string', maxLength: 3 } }, 'image/*': {} })
    expect(await askedOf(request(text).post('/things').type('text/plain').send('abc'))).toBe(200)
    expect(await askedOf(request(text).post('/things').type('text/plain').send('abcd'))).toEqual([' maxLength'])
    expect(
      await askedOf(
        request(text)
          .post('/things')
          .type('image/png')
          .send(Buffer.from([137, 80, 0])),
      ),
    ).toBe(200)
    const other = await request(text).post('/things').type('application/xml').send('<a/>')
    expect([other.status, other.headers.accept]).toEqual([415, 'text/plain, image/*'])
  })
})

describe('keys', () => {
  const schemes = (securitySchemes: object, security: object[]) => ({ components: { securitySchemes }, security })
  const CASES: readonly (readonly [string, object, Record<string, string>, number])[] = [
    ['no scheme', {}, {}, 200],
    [
      'a header of any name',
      schemes({ k: { type: 'apiKey', in: 'header', name: 'X-K' } }, [{ k: [] }]),
      { 'X-K': 'a' },
      200,
    ],
    ['which is missing', schemes({ k: { type: 'apiKey', in: 'header', name: 'X-K' } }, [{ k: [] }]), {}, 401],
    ['a way without a key', schemes({ k: { type: 'apiKey', in: 'header', name: 'X-K' } }, [{ k: [] }, {}]), {}, 200],
    ['a bearer', schemes({ b: { type: 'http', scheme: 'bearer' } }, [{ b: [] }]), { Authorization: 'Bearer a' }, 200],
    ['who is missing', schemes({ b: { type: 'http', scheme: 'bearer' } }, [{ b: [] }]), {}, 401],
  ]

  test.each(CASES)('%s', async (_what, more, headers, status) => {
    const answer = await request(appOf({ '/things': { get: OK } }, more))
      .get('/things')
      .set(headers)
    expect(answer.status).toBe(status)
  })

  test('a bearer token may name a sandbox, and so may the header of a contract without keys', async () => {
    const bearer = schemes({ b: { type: 'http', scheme: 'bearer' } }, [{ b: [] }])
    for (const [more, headers] of [
      [bearer, { Authorization: 'Bearer any@other' }],
      [{}, { 'X-Mock-Sandbox': 'other' }],
    ] as const) {
      const app = appOf({ '/things': { get: OK } }, more)
      await request(app).get('/things').set(headers)
      const { text } = await request(app).get('/__mock/sandboxes')
      expect(text).toContain('"name":"other"')
    }
  })
})

describe('where a contract lies', () => {
  test.each([
    ['https://api.example.com/v2/', '/v2'],
    ['/api', '/api'],
    ['https://{host}/{stage}', '/test'],
    ['http://127.0.0.1:4010', ''],
    ['/', ''],
  ])('%s', async (url, basePath) => {
    const servers = [{ url, variables: { stage: { default: 'test' }, host: { default: 'a' } } }]
    const app = appOf({ '/things': { get: OK } }, { servers })
    expect((await request(app).get(`${basePath}/things`)).status).toBe(200)
  })

  test('operations without an id get one of method and path, each its own', async () => {
    const app = appOf({
      '/things/{id}': { get: OK },
      '/things/by/{id}': { get: OK },
      '/things': { head: OK, options: OK },
    })
    expect((await request(app).head('/things')).status).toBe(200)
    const seen = await request(app).get('/things/7')
    expect(seen.status).toBe(200)
    const { text } = await request(app).get('/__mock/journal')
    expect(text).toContain('"operationId":"getThingsById"')
  })
})
