import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { createContractTester, type Json } from '../../support/contracts/small-contract.ts'
import { parseJson, stringifyJson } from '../../../src/base/formats/json.ts'
import { replay } from '../../../src/app/replay/replay.ts'
import type { StandinOptions } from '../../../src/index.ts'

const THINGS = {
  get: {
    responses: {
      200: { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } },
    },
  },
}

const SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic' },
  query: { type: 'apiKey', in: 'query', name: 'api_key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
  k1: { type: 'apiKey', in: 'header', name: 'K1' },
  k2: { type: 'apiKey', in: 'header', name: 'K2' },
  mutual: { type: 'mutualTLS' },
  digest: { type: 'http', scheme: 'digest' },
}

type SchemeName = keyof typeof SCHEMES

/** A server with one operation, `GET /things`, and these alternatives of security requirements, each of which needs all its schemes. */
function guarded(ways: readonly (readonly SchemeName[])[], options: StandinOptions = {}) {
  const used = new Set(ways.flat())
  const securitySchemes = Object.fromEntries(Object.entries(SCHEMES).filter(([name]) => used.has(name as SchemeName)))
  const security = ways.map((names) => Object.fromEntries(names.map((name) => [name, []])))
  const tester = createContractTester(
    { '/things': THINGS },
    {},
    { ...options, extra: { components: { securitySchemes }, security } },
  )
  const get = async (headers: Readonly<Record<string, string>> = {}, path = '/things') => {
    const answer = await request(tester.standin.app).get(path).set(headers)
    const body = answer.body as Json
    return { status: answer.status, challenge: answer.headers['www-authenticate'], detail: body.detail, body }
  }
  return { ...tester, get }
}

function basic(pair: string): { Authorization: string } {
  return { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

const ALICE = { keys: [{ key: 'alice-key', userId: 7 }] }

describe('a bearer token', () => {
  test('is what follows the word Bearer, or Token as services had it before, in any case, and nothing else', async () => {
    const { get } = guarded([['bearer']])
    for (const value of ['Bearer abc', 'bearer abc', 'BEARER  abc', 'token abc'])
      expect((await get({ Authorization: value })).status, value).toBe(200)
    for (const value of ['Basic abc', 'alice-key', 'Bearer', 'Bearer ', 'Bearerabc', ''])
      expect(await get({ Authorization: value }), value).toMatchObject({
        status: 401,
        challenge: 'Bearer realm="service"',
        detail: 'The request has no key. Send one in the header Authorization, as `Bearer KEY`.',
      })
  })

  test('is one of the listed ones where there are such', async () => {
    const { get } = guarded([['bearer']], ALICE)
    expect((await get({ Authorization: 'Bearer alice-key' })).status).toBe(200)
    expect((await get({ Authorization: 'Bearer alice-key@mine' })).status).toBe(200)
    expect((await get({ Authorization: 'alice-key' })).status).toBe(401)
    expect((await get({ Authorization: 'Bearer bobs-key' })).detail).toContain('The key is not known.')
  })
})

describe('a key in the query', () => {
  test('is asked for, known, and names a sandbox', async () => {
    const { get, control } = guarded([['query']], ALICE)
    expect(await get()).toMatchObject({
      status: 401,
      challenge: 'ApiKey realm="service", query="api_key"',
      detail: 'The request has no key. Send one in the query parameter api_key.',
      body: { errors: [{ parameter: 'api_key', code: 'auth.refused' }] },
    })
    expect((await get({}, '/things?api_key=')).status).toBe(401)
    expect((await get({}, '/things?api_key=bob')).status).toBe(401)
    expect((await get({}, '/things?api_key=alice-key&api_key=alice-key')).detail).toContain('is there twice')
    expect((await get({}, '/things?api_key=alice-key')).status).toBe(200)
    expect((await get({}, '/things?api_key=alice-key%40mine')).status).toBe(200)
    expect((await control.listSandboxes()).sandboxes.map(({ name }) => name)).toEqual(['default', 'mine'])
  })

  test('is in no journal, however short it is', async () => {
    const { get, standin } = guarded([['query']])
    await get({}, '/things?a=1&api_key=s3c&b=2')
    const { text } = await request(standin.app).get('/__mock/journal')
    expect(text).toContain('/things?a=1&api_key=[redacted]&b=2')
    expect(text).not.toContain('s3c')
  })
})

test('a key in a cookie is asked for, among other cookies', async () => {
  const { get } = guarded([['cookie']], ALICE)
  expect(await get({ Cookie: 'other=alice-key' })).toMatchObject({
    status: 401,
    challenge: 'ApiKey realm="service", cookie="sid"',
    detail: 'The request has no key. Send one in the cookie sid.',
  })
  expect((await get({ Cookie: 'a=1; sid=bobs' })).status).toBe(401)
  expect((await get({ Cookie: 'a=1; sid=alice-key' })).status).toBe(200)
})

describe('of a user and a password', () => {
  test('there must be some', async () => {
    const { get } = guarded([['basic']])
    expect(await get()).toMatchObject({ status: 401, challenge: 'Basic realm="service"' })
    for (const value of ['Bearer abc', 'Basic', 'Basic Og==', 'abc'])
      expect((await get({ Authorization: value })).status, value).toBe(401)
    for (const pair of ['user:password', 'user:', ':token']) expect((await get(basic(pair))).status, pair).toBe(200)
  })

  test('the listed key is both, or the user alone', async () => {
    const keys = [{ key: 'alice' }, { key: 'bob:secret' }]
    const { get } = guarded([['basic']], { keys })
    const statuses = async (...pairs: readonly string[]) =>
      Promise.all(pairs.map(async (pair) => (await get(basic(pair))).status))
    expect(await statuses('alice:', 'alice:anything', 'alice@mine:anything')).toEqual([200, 200, 200])
    expect(await statuses('bob:secret', 'bob@mine:secret')).toEqual([200, 200])
    expect(await statuses('bob:', 'bob:other', 'carol:secret')).toEqual([401, 401, 401])
  })
})

describe('several schemes', () => {
  test('that are needed together must all be there', async () => {
    const { get } = guarded([['k1', 'k2']], ALICE)
    expect(await get({ K1: 'alice-key' })).toMatchObject({
      status: 401,
      detail: 'The request has no key in the header K2. Send one in the header K1 and one in the header K2.',
    })
    expect((await get({ K2: 'alice-key' })).status).toBe(401)
    expect((await get({ K1: 'application', K2: 'alice-key' })).status).toBe(200)
    expect((await get({ K1: 'application', K2: 'other' })).detail).toContain('The key is not known.')
  })

  test('of which one is enough are all named', async () => {
    const { get } = guarded([['bearer'], ['k1', 'query']])
    expect(await get()).toMatchObject({
      status: 401,
      detail:
        'The request has no key. Send one in the header Authorization, as `Bearer KEY`, or in the header K1 and one in the query parameter api_key.',
    })
    expect((await get({ Authorization: 'Bearer abc' })).status).toBe(200)
    expect((await get({ K1: 'abc' })).status).toBe(401)
    expect((await get({ K1: 'abc' }, '/things?api_key=def')).status).toBe(200)
  })

  test('that are not enforced are named', async () => {
    const open = guarded([['mutual'], ['digest']])
    expect((await open.get()).status).toBe(200)
    expect(open.standin.notes).toEqual([
      expect.stringMatching(
        /contract\.json: security scheme mutual \(mutualTLS\) is not enforced: any request passes it\.$/,
      ),
      expect.stringMatching(
        /contract\.json: security scheme digest \(http digest\) is not enforced: any request passes it\.$/,
      ),
    ])
    const rivals = guarded([['bearer', 'basic']])
    expect((await rivals.get({ Authorization: 'Bearer abc' })).status).toBe(200)
    expect(rivals.standin.notes).toEqual([
      expect.stringMatching(
        /security scheme basic is not enforced beside another that needs the header Authorization too\.$/,
      ),
    ])
    expect(guarded([['k1', 'query']]).standin.notes).toEqual([])
  })
})

describe('at every place of the key', () => {
  const WAYS: readonly (readonly [SchemeName, Readonly<Record<string, string>>, string, string])[] = [
    [
      'bearer',
      { Authorization: 'Bearer alice-key' },
      '/things',
      "curl -H 'Authorization: Bearer YOUR-KEY' 'URL/things'",
    ],
    ['basic', basic('alice-key:password'), '/things', "curl -u 'YOUR-KEY:' 'URL/things'"],
    ['query', {}, '/things?api_key=alice-key', "curl 'URL/things?api_key=YOUR-KEY'"],
    ['cookie', { Cookie: 'a=1; sid=alice-key' }, '/things', "curl -b 'sid=YOUR-KEY' 'URL/things'"],
    ['k1', { K1: 'alice-key' }, '/things', "curl -H 'K1: YOUR-KEY' 'URL/things'"],
  ]

  test.each(WAYS)(
    '%s: the example has a place for it, no journal shows it, and a replay asks again',
    async (name, headers, path, example) => {
      const { get, standin, control } = guarded([[name]], ALICE)
      expect(standin.exampleRequest('URL')).toBe(example)
      expect((await get(headers, path)).status).toBe(200)
      expect((await get({ Authorization: 'Digest abc' }, '/things')).status).toBe(401)
      expect((await request(standin.app).get('/__mock/journal')).text).not.toContain('alice-key')
      const document = await control.getReplay()
      expect(JSON.stringify(document)).not.toContain('alice-key')
      const value = parseJson(stringifyJson(document))
      expect(await replay({ file: 'run.json', value, lineOf: () => 1 })).toMatchObject({
        exchanges: 2,
        difference: undefined,
      })
    },
  )
})

test.each([
  ['access_token', undefined, true],
  ['token', 'Authentication token with the scope chat:write', true],
  ['token', 'Token of the report that is shared', false],
])('the parameter %s (%s) is another place for a bearer token: %s', async (name, description, isOther) => {
  const parameters = [{ name, in: 'header', required: true, description, schema: { type: 'string' } }]
  const extra = { components: { securitySchemes: { bearer: SCHEMES.bearer } }, security: [{ bearer: [] }] }
  const { standin } = createContractTester({ '/things': { get: { ...THINGS.get, parameters } } }, {}, { extra })
  const get = (headers: object) =>
    request(standin.app)
      .get('/things')
      .set({ Authorization: 'Bearer abc', ...headers })
  expect((await get({})).status).toBe(isOther ? 200 : 400)
  expect((await get({ [name]: 'abc' })).status).toBe(200)
})

test('an operation that takes a password for a key needs none, unless it says so itself', async () => {
  const takes = (...names: readonly string[]) => ({
    requestBody: {
      content: {
        'application/json': {
          schema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) },
        },
      },
    },
    responses: { 200: { description: 'ok' } },
  })
  const { standin } = createContractTester(
    {
      '/auth/login': { post: takes('email', 'password') },
      '/auth/forgot-password': { post: takes('email') },
      '/auth/change-password': { post: takes('currentPassword', 'password') },
      '/auth/tokens': { post: takes('name') },
      '/users': { post: takes('email', 'password') },
      '/auth/users': { post: takes('email', 'password') },
      '/admin/login': { post: { ...takes('email', 'password'), security: [{ bearer: [] }] } },
    },
    {},
    { extra: { components: { securitySchemes: { bearer: SCHEMES.bearer } }, security: [{ bearer: [] }] } },
  )
  const statusOf = async (path: string) => (await request(standin.app).post(path).send({})).status
  expect(await Promise.all(['/auth/login', '/auth/forgot-password'].map(statusOf))).toEqual([200, 200])
  for (const path of ['/auth/change-password', '/auth/tokens', '/users', '/auth/users', '/admin/login'])
    expect(await statusOf(path), path).toBe(401)
})

describe('a header that is documented as a parameter', () => {
  /** Without security, as many documents are; the operation lists these headers. */
  function asking(headers: readonly string[], method: 'get' | 'post' = 'get', path = '/things') {
    const parameters = headers.map((name) => ({
      name,
      in: 'header',
      required: true,
      schema: { type: 'string', minLength: 40 },
    }))
    const requestBody = {
      content: { 'application/json': { schema: { type: 'object', properties: { password: { type: 'string' } } } } },
    }
    const operation = { parameters, responses: THINGS.get.responses, ...(method === 'post' && { requestBody }) }
    const { standin } = createContractTester(
      { [path]: { [method]: operation } },
      {},
      { extra: { components: {}, security: undefined } },
    )
    return async (sent: Readonly<Record<string, string>> = {}) => {
      const answer = await request(standin.app)[method](path).set(sent)
      return [answer.status, (answer.body as Json).detail]
    }
  }

  test.each(['xc-auth', 'X-API-Key', 'apikey', 'X-Auth-Token', 'Acme-Access-Token'])(
    'is the key of the caller if it is called %s: without it a request lacks the key',
    async (name) => {
      const send = asking([name])
      expect(await send()).toEqual([401, `The request has no key. Send one in the header ${name}.`])
      expect((await send({ [name]: ' ' }))[0]).toBe(401)
      expect((await send({ [name]: 'any' }))[0]).toBe(200)
    },
  )

  test('may be one of several that the service takes', async () => {
    expect((await asking(['xc-auth'])({ 'xc-token': 'any' }))[0]).toBe(200)
    expect((await asking(['xc-auth'])({ Authorization: 'Bearer any' }))[0]).toBe(200)
    expect((await asking(['xc-auth'])({ 'X-Next-Page-Token': 'any' }))[0]).toBe(401)
    const [status, detail] = await asking(['X-Auth-Key', 'X-Auth-Secret'])({ 'X-Auth-Key': 'any' })
    expect([status, detail]).toEqual([
      401,
      'The request has no key in the header X-Auth-Secret. Send one in the header X-Auth-Key and one in the header X-Auth-Secret.',
    ])
  })

  test('selects the sandbox', async () => {
    const parameters = [{ name: 'xc-auth', in: 'header', required: true, schema: { type: 'string' } }]
    const { standin } = createContractTester(
      { '/things': { get: { ...THINGS.get, parameters } } },
      {},
      { extra: { components: {}, security: undefined } },
    )
    const { headers } = await request(standin.app).get('/things').set({ 'xc-auth': 'any@checkout' })
    expect(headers['x-mock-sandbox']).toBe('checkout')
  })

  test('is not asked for where clients sign in', async () => {
    expect((await asking(['xc-auth'], 'post', '/auth/signin')())[0]).toBe(200)
    expect((await asking(['xc-auth'], 'post', '/things')())[0]).toBe(401)
  })

  test('is a parameter as others are if its name says something else', async () => {
    for (const name of ['X-CSRF-Token', 'Idempotency-Key', 'X-Request-Id'])
      expect((await asking([name])())[0], name).toBe(400)
  })
})
