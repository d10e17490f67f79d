import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { createContractTester, type Json, OWN_KEY, writeContract } from '../../support/contracts/small-contract.ts'
import type { StandinOptions } from '../../../src/index.ts'
import { longTest } from '../../support/cases.ts'
import {
  ID,
  json,
  answered,
  createShop,
  CUSTOMER,
  CUSTOMERS,
  createCustomers,
} from '../../support/contracts/customers.ts'

describe('Prefer', () => {
  test('chooses among the answers that the contract documents', async () => {
    const { get } = createCustomers()
    const gone = await get('/customers/1', { Prefer: 'code=404' })
    expect([gone.status, gone.body, gone.headers['x-mock-fault']]).toEqual([404, { message: 'gone' }, undefined])
    expect((await get('/customers/1', { Prefer: 'code=404, example=moved' })).body).toEqual({ message: 'moved' })
    const made = await get('/customers/1', { Prefer: 'code=404, dynamic=true' })
    expect((made.body as { message: string }).message).toMatch(/^.{5,}$/)
    expect(made.body).not.toEqual(gone.body)
  })

  test('makes an error that its schema alone describes say what its status means', async () => {
    const code = { type: 'string', enum: ['CONFLICT', 'NOT_FOUND', 'TOO_MANY'] }
    const error = { type: 'object', properties: { status: { type: 'integer' }, message: { type: 'string' } } }
    const flat = json({
      type: 'object',
      required: ['code', 'message'],
      properties: { code, message: { type: 'string' } },
    })
    const nested = json({ type: 'object', required: ['error'], properties: { error } })
    const { get } = createShop({
      '/hello': {
        get: {
          operationId: 'greet',
          responses: {
            ...answered({ type: 'string' }),
            404: { description: 'flat', ...flat },
            503: { description: 'nested', ...nested },
          },
        },
      },
    })
    const gone = await get('/hello', { Prefer: 'code=404' })
    expect([gone.status, gone.body]).toEqual([404, { code: 'NOT_FOUND', message: 'Not Found.' }])
    const busy = { error: { status: 503, message: 'Service Unavailable. Try again later.' } }
    expect((await get('/hello', { Prefer: 'code=503' })).body).toEqual(busy)
  })

  test('makes a fault of a status that the contract does not document', async () => {
    const { get } = createCustomers()
    const { status, headers } = await get('/customers/1', { Prefer: 'code=503' })
    expect([status, headers['x-mock-fault']]).toEqual([503, 'prefer-status'])
  })

  test.each([
    ['code=201', 400, 'expected one that the contract documents (200, 404), or a status from 400 to 599, got "201"'],
    ['dynamic=perhaps', 400, 'Prefer: dynamic: expected true or false, got "perhaps".'],
    ['code=404, example=lost', 404, 'GET /customers/{id}: this response has no example "lost".'],
    ['example=lost', 404, 'this response has no example "lost"'],
  ])('%s is refused', async (prefer, status, detail) => {
    const { get } = createCustomers()
    const answer = await get('/customers/1', { Prefer: prefer })
    // A documented 404 has its documented shape.
    const { detail: told, message } = answer.body as { detail?: string; message?: string }
    expect([answer.status, told ?? message]).toEqual([status, expect.stringContaining(detail)])
  })

  test('lets faults of the wire strike a generated answer', async () => {
    const { get } = createCustomers()
    await expect(get('/customers/1', { Prefer: 'fault=truncated' })).rejects.toThrow()
  })

  test('takes any status where the contract documents them all', async () => {
    const failure = json({ type: 'object', required: ['code'], properties: { code: { const: 'failed' } } })
    const { get } = createShop({
      '/hello': {
        get: {
          operationId: 'greet',
          responses: {
            ...answered({ type: 'string' }),
            '4XX': { description: 'yours', ...failure },
            default: { description: 'ours', ...failure },
          },
        },
      },
    })
    for (const code of [404, 422, 503]) {
      const { status, body } = await get('/hello', { Prefer: `code=${code}` })
      expect([status, body]).toEqual([code, { code: 'failed' }])
    }
  })
})

describe('other answers', () => {
  const row = {
    type: 'object',
    required: ['id', 'note'],
    properties: { id: { type: 'integer' }, note: { type: 'string' } },
  }
  const kinds = {
    'application/json': { schema: { type: 'array', items: row } },
    'text/csv': { schema: { type: 'array', items: row } },
    'application/vnd.shop+json': { schema: { type: 'array', items: row } },
    'image/png': { schema: { type: 'string', format: 'binary' } },
    'text/plain': { schema: { type: 'string' } },
  }
  const shop = (options: StandinOptions = {}) => {
    const responses = { '200': { description: 'ok', content: kinds } }
    return createShop({ '/rows': { get: { operationId: 'listRows', responses } } }, {}, options)
  }

  test('have the media type that Accept asks for', async () => {
    const { get } = shop()
    const typeOf = async (accept: string) => (await get('/rows', { Accept: accept })).headers['content-type']
    expect(await typeOf('*/*')).toBe('application/json')
    expect(await typeOf('text/csv, application/json;q=0.5')).toBe('text/csv')
    expect(await typeOf('application/vnd.shop+json')).toBe('application/vnd.shop+json')
    expect(await typeOf('not a media type')).toBe('application/json')
  })

  test.for([
    ['application/vnd.github.v3+json', 'application/json'],
    ['application/vnd.github.v3+json, text/html', 'application/json'],
    ['audio/ogg', 'application/json'],
    ['text/html', 'application/json'],
  ] as const)(
    'Accept: %s gets %s, and 406 for neither JSON nor a documented type where that is set',
    async ([Accept, type]) => {
      const lenient = await shop().get('/rows', { Accept })
      expect([lenient.status, lenient.headers['content-type']]).toEqual([200, type])
      const strict = await shop({ behaviours: { 'http.accept': '406' } }).get('/rows', { Accept })
      expect(strict.status).toBe(Accept.includes('json') ? 200 : 406)
      for (const { headers } of Accept.includes('json') ? [] : [lenient, strict])
        expect(headers['x-mock-behaviours']).toContain('http.accept')
    },
  )

  test('JSON for an Accept of JSON with q=0 is no match', async () => {
    const { get } = shop({ behaviours: { 'http.accept': '406' } })
    expect((await get('/rows', { Accept: 'application/vnd.other+json;q=0' })).status).toBe(406)
  })

  test('are written in the way of their media type', async () => {
    const { get } = shop()
    expect((await get('/rows', { Accept: 'text/csv' })).text).toMatch(/^id,note\r\n\d+,.+\r\n/)
    const { body } = await get('/rows', { Accept: 'image/png' })
    expect((body as Buffer).subarray(1, 4).toString()).toBe('PNG')
    expect((await get('/rows', { Accept: 'text/plain' })).text).toMatch(/^\w+/)
  })

  test('may have no body, and headers by their schemas', async () => {
    const { remove, head } = createShop(
      {
        ...CUSTOMERS,
        '/ping': {
          head: {
            operationId: 'ping',
            responses: {
              '200': {
                description: 'ok',
                headers: {
                  'X-Left': { schema: { type: 'integer', minimum: 3, maximum: 5 } },
                  'X-By': { example: 'us', schema: { type: 'string' } },
                },
              },
            },
          },
        },
      },
      { Customer: CUSTOMER },
    )
    const removed = await remove('/customers/3')
    expect([removed.status, removed.text, removed.headers['content-type']]).toEqual([204, '', undefined])
    const pinged = await head('/ping')
    expect([pinged.status, pinged.headers['x-by'], Number(pinged.headers['x-left'])]).toEqual([
      200,
      'us',
      expect.toSatisfy((left: number) => left >= 3 && left <= 5),
    ])
  })
})

longTest('what generates answers is loaded for the contracts that need it alone', () => {
  const loadedBy = (...contracts: readonly (string | undefined)[]) => {
    const library = fileURLToPath(new URL('../../../src/index.ts', import.meta.url))
    const script = `
      import { createRequire } from 'node:module'
      import { createStandin } from ${JSON.stringify(library)}
      const { cache } = createRequire(${JSON.stringify(library)})
      for (const options of ${JSON.stringify(contracts.map((contract) => ({ contract })))}) {
        const standin = createStandin(options)
        const url = await standin.start()
        await fetch(url + '/hello', { headers: { 'X-Key': 'key' } })
        await standin.stop()
        console.log(Object.keys(cache).some((path) => path.includes('prism-http')))
      }`
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    return (stdout || stderr).trim().split('\n')
  }
  const contract = writeContract({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
    paths: { '/hello': { get: { operationId: 'greet', responses: answered({ type: 'string' }) } } },
  })
  expect(loadedBy(undefined, contract)).toEqual(['false', 'true'])
})

describe('GraphQL', () => {
  const text = { type: 'string' }
  const query = { type: 'object', properties: { query: text, variables: { type: 'object' } } }
  const result = { type: 'object', properties: { data: { type: 'object' }, errors: { type: 'array', items: {} } } }
  const graph = (body: Json, schema: Json) => ({ requestBody: json(body), responses: answered(schema) })

  test.for([
    ['by its path', '/graphql', { type: 'object' }, result],
    ['by its path with a version', '/api/graphql/v1', { type: 'object' }, { type: 'object' }],
    ['by its body', '/query', query, result],
  ] as const)('%s is 501 with the reason', async ([, path, body, schema]) => {
    const { post } = createShop({ [path]: { post: graph(body, schema) } })
    const refused = await post(path, { query: '{ me { id } }' })
    expect(refused.status).toBe(501)
    expect((refused.body as { detail: string }).detail).toContain('it runs GraphQL queries')
  })

  test.for([
    ['a search', '/searches', { type: 'object', properties: { query: text } }, result],
    ['rows of a query', '/query', query, { type: 'object', properties: { rows: { type: 'array', items: {} } } }],
    [
      'settings',
      '/graphql',
      { type: 'object' },
      { type: 'object', properties: { introspection: { type: 'boolean' } } },
    ],
  ] as const)('%s is none', async ([, path, body, schema]) => {
    const { post } = createShop({ [path]: { post: graph(body, schema) } })
    expect((await post(path, { query: 'chairs' })).status).toBe(200)
  })
})

describe('a wrapper', () => {
  const text = { type: 'string' }
  const wrapper = (status: Json, more: Json = {}) => ({
    type: 'object',
    required: ['success', 'status', 'error', 'message'],
    properties: {
      ...{ success: { type: 'boolean' }, status, message: text, error: text, errors: { type: 'array', items: text } },
      ...{ code: { type: 'integer' }, ok: { type: 'boolean' }, hasErrors: { type: 'boolean' }, ...more },
    },
  })
  const thing = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, name: text } }

  test.for([
    [{ type: 'integer' }, 200],
    [{ type: 'string' }, 'success'],
    [{ type: 'string', enum: ['FAIL', 'SUCCESS'] }, 'SUCCESS'],
  ] as const)('says that the request succeeded, with status %o', async ([status, expected]) => {
    const schema = wrapper(status, { data: { type: 'object', properties: { total: { type: 'integer' } } } })
    const { get } = createShop({ '/report': { get: { responses: answered(schema) } } })
    const { data, ...rest } = (await get('/report')).body as Json
    expect(data).toEqual({ total: expect.any(Number) as number })
    const said = { success: true, ok: true, hasErrors: false, status: expected, message: 'OK', error: '', code: 200 }
    expect(rest).toEqual(said)
  })

  test('says so on a list, a read and a create of a collection', async () => {
    const of = (data: Json) => wrapper({ type: 'integer' }, { data })
    const { get, post } = createShop({
      '/things': {
        get: { responses: answered(of({ type: 'array', items: thing })) },
        post: { requestBody: json(thing), responses: { '201': { description: 'ok', ...json(of(thing)) } } },
      },
      '/things/{id}': { parameters: [ID], get: { responses: answered(of(thing)) } },
    })
    for (const [response, status] of [
      [await get('/things'), 200],
      [await get('/things/1'), 200],
      [await post('/things', { id: 99, name: 'one' }), 201],
    ] as const)
      expect(response.body).toMatchObject({ success: true, status, error: '', message: 'OK' })
  })

  test('keeps examples, and says that a refused request failed', async () => {
    const schema = wrapper({ type: 'integer' }, { data: thing, message: { type: 'string', example: 'Fetched.' } })
    const responses = { ...answered(schema), '422': { description: 'no', ...json(wrapper({ type: 'integer' })) } }
    const { get } = createShop({ '/report': { get: { responses } } })
    expect((await get('/report')).body).toMatchObject({ message: 'Fetched.' })
    const refused = await get('/report', { Prefer: 'code=422, dynamic=true' })
    expect(refused.body).toMatchObject({ success: false, status: 422 })
  })
})

describe('a body that says `stream: true`', () => {
  const text = { type: 'string' }
  const event = (type: string) => ({ type: 'object', required: ['type'], properties: { type: { const: type } } })
  const Message = { type: 'object', required: ['text'], properties: { text } }
  const kinds = ['message_start', 'message_stop', 'part_start', 'part_delta', 'part_stop']
  const MessageStreamEvent = { oneOf: kinds.map(event) }
  const requestBody = { content: { 'application/json': { schema: { type: 'object' } } } }
  const json = { 'application/json': { schema: { $ref: '#/components/schemas/Message' } } }
  const ask = async (content: object, schemas: Json) => {
    const responses = { 200: { description: 'ok', content } }
    const { standin } = createContractTester({ '/messages': { post: { requestBody, responses } } }, schemas)
    const post = async (body: object) => request(standin.app).post('/messages').set(OWN_KEY).accept('json').send(body)
    return { plain: await post({}), streamed: await post({ stream: true }) }
  }

  test('gets the stream that is documented', async () => {
    const { plain, streamed } = await ask({ ...json, 'text/event-stream': { schema: Message } }, { Message })
    expect([plain.type, streamed.type]).toEqual(['application/json', 'text/event-stream'])
    expect(streamed.text.match(/^data: /gm)?.length).toBeGreaterThan(0)
  })

  test('gets the kinds of events that are named after the response, from start to end', async () => {
    const { plain, streamed } = await ask(json, { Message, MessageStreamEvent })
    expect([plain.type, streamed.type]).toEqual(['application/json', 'text/event-stream'])
    const sent = [...streamed.text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name)
    expect(sent).toEqual(['message_start', 'part_start', 'part_delta', 'part_stop', 'message_stop'])
  })
})
