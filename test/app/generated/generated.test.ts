import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import request, { type Response } from 'supertest'
import { describe, expect, test } from 'vitest'
import { createContractTester, type Json, OWN_KEY, writeContract } from '../../support/contracts/small-contract.ts'
import type { StandinOptions } from '../../../src/index.ts'
import { withoutStore } from '../../support/store.ts'
import { longTest } from '../../support/cases.ts'

const CLOCK = '2026-03-05T14:30:00Z'
const DAY = 86_400_000

type Answer = Omit<Response, 'body'> & { readonly body: unknown }
type Headers = Readonly<Record<string, string>>

const ID = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
const json = (schema: unknown, more: Json = {}) => ({ content: { 'application/json': { schema, ...more } } })
const answered = (schema: unknown, more: Json = {}) => ({ '200': { description: 'ok', ...json(schema, more) } })

/** Sends a request to a server for a contract that the test writes. */
function createShop(paths: Json, schemas: Json = {}, options: StandinOptions = {}) {
  const { standin, control } = createContractTester(paths, schemas, { clock: CLOCK, ...options })
  const ask = async (
    method: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head',
    path: string,
    headers: Headers,
    body?: unknown,
  ) => {
    const sending = request(standin.app)
      [method](path)
      .set({ ...OWN_KEY, ...headers })
    return (body === undefined ? sending : sending.send(body as object)) as Promise<Answer>
  }
  return {
    standin,
    control,
    get: (path: string, headers: Headers = {}) => ask('get', path, headers),
    post: (path: string, body: unknown, headers: Headers = {}) => ask('post', path, headers, body),
    put: (path: string, body: unknown, headers: Headers = {}) => ask('put', path, headers, body),
    patch: (path: string, body: unknown) => ask('patch', path, {}, body),
    remove: (path: string) => ask('delete', path, {}),
    head: (path: string) => ask('head', path, {}),
  }
}

const CUSTOMER = {
  type: 'object',
  required: ['id', 'name', 'email', 'createdAt', 'status', 'fileSize', 'website'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    email: { type: 'string' },
    firstName: { type: 'string' },
    city: { type: 'string' },
    createdAt: { type: 'string', format: 'date-time' },
    expiresAt: { type: 'string', format: 'date-time' },
    status: { type: 'string', enum: ['trial', 'paying', 'gone'] },
    fileSize: { type: 'integer' },
    price: { type: 'number' },
    active: { type: 'boolean' },
    token: { type: 'string', format: 'uuid' },
    website: { type: 'string', format: 'uri' },
    secret: { type: 'string', writeOnly: true },
  },
}

interface Customer {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly firstName: string
  readonly createdAt: string
  readonly expiresAt: string
  readonly status: string
  readonly fileSize: number
  readonly website: string
  readonly secret?: string
}

const CUSTOMERS = {
  '/customers/{id}': {
    get: {
      operationId: 'getCustomer',
      parameters: [ID],
      responses: {
        ...answered({ $ref: '#/components/schemas/Customer' }),
        '404': {
          description: 'none',
          ...json(
            { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
            { examples: { gone: { value: { message: 'gone' } }, moved: { value: { message: 'moved' } } } },
          ),
        },
      },
    },
    put: {
      operationId: 'putCustomer',
      parameters: [ID],
      requestBody: {
        required: true,
        ...json({ type: 'object', properties: { name: { type: 'string', minLength: 2 } } }),
      },
      responses: answered({ $ref: '#/components/schemas/Customer' }),
    },
    delete: { operationId: 'removeCustomer', parameters: [ID], responses: { '204': { description: 'gone' } } },
  },
}
const createCustomers = (options: StandinOptions = {}) => createShop(CUSTOMERS, { Customer: CUSTOMER }, options)

describe('generated values', () => {
  test('are believable: people have names and addresses, dates lie near the clock, sizes are positive', async () => {
    const { get } = createCustomers()
    for (let id = 1; id <= 20; id++) {
      const { status, body } = await get(`/customers/${id}`)
      const customer = body as Customer
      expect(status).toBe(200)
      expect(customer.name).toMatch(/^\p{Lu}[\p{L}.'’-]+ (\p{L}[\p{L}.'’-]* ?)+$/u)
      expect(customer.firstName).toMatch(/^\p{Lu}[\p{L}'’-]+$/u)
      expect(customer.email).toMatch(/^[^@\s]+@[^@\s]+\.[a-z]+$/)
      expect(['trial', 'paying', 'gone']).toContain(customer.status)
      expect(customer.fileSize).toBeGreaterThan(0)
      expect(customer.website).toMatch(/^https:\/\/example\.(com|org)\//)
      const age = Date.parse(CLOCK) - Date.parse(customer.createdAt)
      expect(age).toBeGreaterThan(0)
      expect(age).toBeLessThan(32 * DAY)
      expect(Date.parse(customer.expiresAt)).toBeGreaterThan(Date.parse(CLOCK) - DAY)
      expect(customer).not.toHaveProperty('secret')
    }
  })

  withoutStore('are the same in the next response, in another server with the seed, and after a reset', async () => {
    const [one, other] = [createCustomers(), createCustomers()]
    const first = await one.get('/customers/7')
    expect((await one.get('/customers/7')).text).toBe(first.text)
    one.standin.reset()
    expect((await one.get('/customers/7')).text).toBe(first.text)
    expect((await other.get('/customers/7')).text).toBe(first.text)
  })

  test('are others for another id, another query, another seed and another body', async () => {
    const { get, put } = createCustomers()
    const texts = await Promise.all([
      get('/customers/7'),
      get('/customers/8'),
      get('/customers/7?page=2'),
      put('/customers/7', { name: 'Ann' }),
      put('/customers/7', { name: 'Bob' }),
      createCustomers({ seed: 7 }).get('/customers/7'),
    ])
    expect(new Set(texts.map(({ body }) => (body as Customer).email)).size).toBe(6)
  })

  test('go with the day of the sandbox, and not with its hour', async () => {
    const { get, control } = createCustomers()
    const morning = await get('/customers/7')
    await control.putClock({ mode: 'frozen', now: '2026-03-05T23:59:59Z' })
    expect((await get('/customers/7')).text).toBe(morning.text)
    await control.putClock({ mode: 'frozen', now: '2027-03-05T14:30:00Z' })
    const { body } = await get('/customers/7')
    expect((body as Customer).createdAt).toMatch(/^2027-0[23]/)
  })

  test('repeat the values of the path and the body', async () => {
    const { get, put } = createCustomers()
    expect((await get('/customers/4711')).body).toMatchObject({ id: 4711 })
    expect((await put('/customers/12', { name: 'Ann' })).body).toMatchObject({ id: 12, name: 'Ann' })
    const texts = createShop({
      '/orders/{orderId}': {
        get: {
          operationId: 'getOrder',
          parameters: [{ ...ID, name: 'orderId' }],
          responses: answered({
            type: 'object',
            required: ['id', 'orderId', 'kind'],
            properties: { id: { type: 'string' }, orderId: { type: 'boolean' }, kind: { type: 'string' } },
          }),
        },
      },
    })
    const { body } = await texts.get('/orders/5')
    // Where the types disagree, the contract has the say.
    expect(body).toEqual({ id: '5', orderId: expect.any(Boolean) as unknown, kind: expect.any(String) as unknown })
    const receipts = createShop({
      '/orders/{id}/receipt': {
        get: {
          operationId: 'getReceipt',
          parameters: [{ ...ID, name: 'id' }],
          responses: answered({ type: 'object', required: ['orderId'], properties: { orderId: { type: 'integer' } } }),
        },
      },
    })
    expect((await receipts.get('/orders/5/receipt')).body).toEqual({ orderId: 5 })
  })
})

const SCHEMAS: Readonly<Record<string, Json>> = {
  'an array of three to five different members of an enumeration': {
    type: 'array',
    items: { enum: ['a', 'b', 'c', 'd', 'e'] },
    minItems: 3,
    maxItems: 5,
  },
  'a list of distinct numbers': {
    type: 'array',
    uniqueItems: true,
    minItems: 5,
    items: { type: 'integer', minimum: 1 },
  },
  'a tuple': { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false, minItems: 2 },
  'parts that go together': {
    allOf: [
      { type: 'object', required: ['a'], properties: { a: { type: 'integer', minimum: 10 } } },
      { type: 'object', required: ['b'], properties: { a: { type: 'integer', maximum: 12 }, b: { const: 'x' } } },
    ],
  },
  'exactly one of two': {
    oneOf: [
      { type: 'object', required: ['circle'], additionalProperties: false, properties: { circle: { type: 'number' } } },
      { type: 'object', required: ['square'], additionalProperties: false, properties: { square: { type: 'number' } } },
    ],
  },
  'one of several of which some always hold together': {
    oneOf: [
      { type: 'string' },
      { type: 'object', required: ['n'], properties: { n: { const: 1 } } },
      { type: 'string' },
    ],
  },
  'alternatives beside members of their own': {
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string' } },
    anyOf: [{ required: ['x'], properties: { x: { type: 'integer' } } }, { properties: { y: { type: 'string' } } }],
  },
  'a text of a pattern with alternatives': { type: 'string', pattern: '^(AB|CD)-[A-Z]{2}\\d{3}(-[a-f0-9]{4})?$' },
  'a long text of a pattern': { type: 'string', pattern: '^[a-z]+(-[0-9*+]{1,30})?$', minLength: 20, maxLength: 30 },
  'members by patterns of their names': {
    type: 'object',
    patternProperties: { '^env': { type: 'string' }, other$: { type: 'integer' } },
    additionalProperties: false,
    minProperties: 2,
  },
  'members that need others': {
    type: 'object',
    properties: { card: { type: 'integer' } },
    dependentRequired: { card: ['address'] },
  },
  'a text of a length': { type: 'string', minLength: 40, maxLength: 42 },
  'a short text': { type: 'string', maxLength: 3 },
  'a number within open bounds': { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.5 },
  'a negative number': { type: 'integer', maximum: -5 },
  'a multiple': { type: 'number', multipleOf: 0.25, minimum: 1, maximum: 2 },
  'a map': { type: 'object', minProperties: 3, additionalProperties: { type: 'integer', minimum: 0 } },
  'a member that is required and not described': { type: 'object', required: ['ghost'] },
  'a value that may be null': { type: ['string', 'null'], format: 'date' },
  'what must not be': { type: 'object', properties: { a: { type: 'string' } }, not: { required: ['a'] } },
  'what depends': {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    if: { required: ['a'] },
    then: { required: ['c'] },
  },
  'an example of its own that is wrong': {
    type: 'object',
    required: ['n'],
    properties: { n: { type: 'integer', example: 'seven' } },
  },
  'every format': {
    type: 'object',
    properties: Object.fromEntries(
      ['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uri-reference', 'uuid']
        .concat('json-pointer', 'regex', 'byte', 'uri-template')
        .map((format) => [format, { type: 'string', format }]),
    ),
  },
}

test.each(Object.entries(SCHEMAS))('a generated body holds to its schema: %s', async (_, schema) => {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  const isValid = ajv.compile(schema)
  const { get } = createShop({
    '/things/{id}': { get: { operationId: 'getThing', parameters: [ID], responses: answered(schema) } },
  })
  for (let id = 1; id <= 12; id++) {
    const { status, body, text } = await get(`/things/${id}`)
    expect([status, isValid(text === '' ? undefined : body), isValid.errors, text]).toEqual([200, true, null, text])
  }
})

test('a schema that holds itself ends', async () => {
  const schemas = {
    Node: {
      type: 'object',
      required: ['label', 'children'],
      properties: {
        label: { type: 'string' },
        parent: { $ref: '#/components/schemas/Node' },
        children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
        next: { anyOf: [{ $ref: '#/components/schemas/Node' }, { type: 'null' }] },
      },
    },
  }
  const { get } = createShop(
    { '/tree': { get: { operationId: 'getTree', responses: answered({ $ref: '#/components/schemas/Node' }) } } },
    schemas,
  )
  const { status, text } = await get('/tree')
  expect(status).toBe(200)
  expect(text.length).toBeLessThan(2000)
})

test('alternatives are distinguished by the member that the discriminator names', async () => {
  const shape = (name: string) => ({
    type: 'object',
    required: ['kind', name],
    properties: { kind: { type: 'string' }, [name]: { type: 'integer' } },
  })
  const schemas = {
    Shape: {
      oneOf: [{ $ref: '#/components/schemas/Circle' }, { $ref: '#/components/schemas/Square' }],
      discriminator: { propertyName: 'kind', mapping: { round: '#/components/schemas/Circle' } },
    },
    Circle: shape('radius'),
    Square: shape('side'),
  }
  const { get } = createShop(
    {
      '/shapes/{id}': {
        get: {
          operationId: 'getShape',
          parameters: [ID],
          responses: answered({ $ref: '#/components/schemas/Shape' }),
        },
      },
    },
    schemas,
  )
  const bodies = await Promise.all(Array.from({ length: 12 }, async (_, id) => (await get(`/shapes/${id}`)).body))
  const shapes = bodies as { kind: string; radius?: number; side?: number }[]
  expect(new Set(shapes.map(({ kind }) => kind))).toEqual(new Set(['round', 'Square']))
  for (const { kind, radius } of shapes) expect(radius !== undefined).toBe(kind === 'round')
})

describe('examples', () => {
  const GREETING = {
    type: 'object',
    required: ['text'],
    properties: { text: { type: 'string' }, at: { type: 'string', format: 'date-time' } },
  }
  const path = (more: Json) => ({ '/hello': { get: { operationId: 'greet', responses: answered(GREETING, more) } } })

  test('come first, as they are written', async () => {
    const { get } = createShop(
      path({ examples: { first: { value: { text: 'one' } }, second: { value: { text: 'two' } } } }),
    )
    expect((await get('/hello')).body).toEqual({ text: 'one' })
    expect((await get('/hello', { Prefer: 'example=second' })).body).toEqual({ text: 'two' })
    const { body } = await get('/hello', { Prefer: 'dynamic=true' })
    expect(body).toMatchObject({ text: expect.not.stringMatching(/^(one|two)$/) as unknown })
    expect((await get('/hello', { Prefer: 'dynamic=true' })).body).toEqual(body)
  })

  test('that break their own schema are passed over, unless they are asked for by name', async () => {
    const { get } = createShop(path({ examples: { wrong: { value: { text: 7 } } } }))
    expect((await get('/hello')).body).toMatchObject({ text: expect.any(String) as unknown })
  })

  test('are checked by the schema that the same media type has under another spelling', async () => {
    const content = {
      'application/json': { examples: { wrong: { value: { text: 7 } } } },
      'application/json; charset=utf-8': { schema: GREETING },
    }
    const { get } = createShop({
      '/hello': { get: { operationId: 'greet', responses: { '200': { description: 'ok', content } } } },
    })
    expect((await get('/hello')).body).toMatchObject({ text: expect.any(String) as unknown })
  })

  test('within schemas are taken for the members that have them', async () => {
    const schema = { type: 'object', properties: { text: { type: 'string', example: 'hi' }, n: { type: 'integer' } } }
    const { get } = createShop({ '/hello': { get: { operationId: 'greet', responses: answered(schema) } } })
    expect((await get('/hello')).body).toMatchObject({ text: 'hi', n: expect.any(Number) as unknown })
  })
})

describe('requests', () => {
  const settings = (name: string, more: Json = {}) => ({ properties: { [name]: { type: 'object' } }, ...more })
  const either = (...oneOf: Json[]) =>
    createShop({
      '/settings': {
        patch: { operationId: 'set', responses: { '204': { description: 'ok' } }, requestBody: json({ oneOf }) },
      },
    })

  test.each([
    ['one of them', { sound: {} }, 204],
    ['several', { sound: {}, video: {} }, 204],
    ['none', {}, 204],
    ['a wrong type for all', { sound: 7, video: 7, chat: 7 }, 400],
  ])('with %s of alternatives that nothing tells apart', async (_what, body, status) => {
    const nested = { oneOf: [settings('video'), settings('chat')] }
    const { patch } = either(settings('sound', { type: 'object' }), settings('video'), nested)
    expect((await patch('/settings', body)).status).toBe(status)
  })

  test.each([
    ['a required member', { required: ['sound'] }, { sound: {}, video: {} }],
    ['no other members', { additionalProperties: false }, { video: {}, sound: {} }],
    ['a member with a value of its own', { properties: { kind: { const: 'sound' } } }, { kind: 'sound', video: {} }],
  ])('fit just one of the alternatives that %s tells apart', async (_what, more, body) => {
    const { patch } = either(settings('sound', more), settings('video', more))
    expect((await patch('/settings', body)).status).toBe(400)
  })

  const listOf = (type: string) => ({ type: 'array', items: { type } })
  test.each<[unknown, number]>([
    [7, 201],
    [7.5, 201],
    ['seven', 201],
    [[], 201],
    [[7], 201],
    [[7.5], 201],
    [{ kind: 'other' }, 400],
  ])('%j as a value of a union type that fits several plain alternatives', async (amount, status) => {
    const kind = { type: 'object', required: ['kind'], properties: { kind: { const: 'usual' } } }
    const oneOf = [{ type: 'integer', format: 'int64' }, { type: 'number' }, { type: 'string' }, listOf('integer'), listOf('number'), kind] // prettier-ignore
    const schema = { type: 'object', required: ['amount'], properties: { id: { type: 'string' }, amount: { oneOf } } }
    const created = { '201': { description: 'ok', ...json(schema) } }
    const { post, get } = createShop({
      '/things': { post: { operationId: 'create', responses: created, requestBody: json(schema) } },
      '/things/{id}': { get: { operationId: 'read', responses: answered(schema) } },
    })
    const made = await post('/things', { amount })
    expect(made.status).toBe(status)
    if (status === 201)
      expect((await get(`/things/${(made.body as { id: string }).id}`)).body).toMatchObject({ amount })
  })

  test('name a number of an enumeration of texts', async () => {
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'string', enum: [1, 2] } }
    const thing = { operationId: 'get', parameters: [id], responses: answered({ type: 'object' }) }
    const { get } = createShop({ '/things/{id}': { get: thing } })
    expect([(await get('/things/1')).status, (await get('/things/3')).status]).toEqual([200, 400])
  })
})

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

describe('a request of a generated operation', () => {
  test('is checked against the contract, and needs a key', async () => {
    const { put, get, standin, control } = createCustomers()
    const { status, headers } = await put('/customers/abc', { name: 'A' })
    expect([status, headers['x-mock-problem']]).toEqual([400, expect.stringMatching(/^request-invalid: id: .*1 more/)])
    const {
      exchanges: [last],
    } = await control.listExchanges({ operationId: 'putCustomer' })
    const violations = last?.issues ?? []
    expect(violations.map(({ parameter, pointer }) => parameter ?? pointer)).toEqual(['id', '/name'])
    for (const { source } of violations) expect(source).toMatch(/contract\.json:\d+$/)
    expect((await request(standin.app).get('/customers/1')).status).toBe(401)
    expect((await put('/customers/1', { name: 'Ann', nmae: 1 })).headers['x-mock-ignored']).toBe('body /nmae')
    expect((await get('/customers/1')).headers['x-mock-generated']).toBe('true')
    const { exchanges } = await control.listExchanges({ operationId: 'getCustomer' })
    expect(exchanges.map(({ answer }) => answer?.status)).toEqual(expect.arrayContaining([200, 401]))
  })

  test('may have a body that is no object, where the contract says so', async () => {
    const { post } = createShop({
      '/sums': {
        post: {
          operationId: 'sum',
          requestBody: { required: true, ...json({ type: 'array', items: { type: 'integer' } }) },
          responses: answered({ type: 'integer' }),
        },
      },
    })
    expect((await post('/sums', [1, 2, 3])).status).toBe(200)
    expect((await post('/sums', { n: 1 })).status).toBe(400)
    expect((await post('/sums', [1, 'two'])).status).toBe(400)
  })

  test.each([
    ['what holds itself', { $ref: '#/components/schemas/Endless' }, '/parent leads back to itself, without end'],
    ['what is made of itself', { $ref: '#/components/schemas/Pet' }, 'it leads back to itself, without end'],
    [
      'two types at once',
      { allOf: [{ type: 'string' }, { type: 'integer' }] },
      'it must be string and integer at once',
    ],
    [
      'a text too short to be long',
      { type: 'string', minLength: 5, maxLength: 2 },
      'it has a minLength of 5 and a maxLength of 2',
    ],
    ['a list of nothing', { type: 'array', minItems: 1, items: false }, '/0 may be nothing at all'],
    [
      'a member that is shut out',
      { allOf: [{ type: 'object', additionalProperties: false }, { required: ['id'] }] },
      '/id is required, and shut out by additionalProperties',
    ],
    [
      'one of two that are the same',
      {
        oneOf: [
          { type: 'string', title: 'A' },
          { title: 'B', type: 'string' },
        ],
      },
      'it must be exactly one of alternatives, each of which says the same as another',
    ],
  ])('that asks for %s is refused from the start, with the reason', async (_, schema, why) => {
    const Endless = {
      type: 'object',
      required: ['parent'],
      properties: { parent: { $ref: '#/components/schemas/Endless' } },
    }
    const Pet = { oneOf: [{ $ref: '#/components/schemas/Cat' }] }
    const Cat = { allOf: [{ $ref: '#/components/schemas/Pet' }] }
    const ok = { description: 'ok', ...json({ type: 'string' }) }
    const never = { '201': { description: 'never', ...json(schema) } }
    const { standin, get, post } = createShop(
      {
        '/never': {
          get: { operationId: 'getNever', responses: never },
          post: {
            operationId: 'postNever',
            requestBody: { required: true, ...json(schema) },
            responses: { '200': ok },
          },
        },
        '/sometimes': { get: { operationId: 'getSometimes', responses: { '200': ok, ...never } } },
      },
      { Endless, Pet, Cat },
    )
    const noAnswer = `no value fits the schema of its response 201: ${why}`
    const noBody = `its body is required, and no value fits the schema of that: ${why}`
    expect(standin.operations.filter((line) => line.includes('refused'))).toEqual([
      expect.stringContaining(`refused (${noAnswer})`),
      expect.stringContaining(`refused (${noBody})`),
    ])
    expect(await get('/never')).toMatchObject({
      status: 501,
      body: { detail: `GET /never is not answered: ${noAnswer}.` },
    })
    expect(await post('/never', {})).toMatchObject({
      status: 501,
      body: { detail: `POST /never is not answered: ${noBody}.` },
    })
    expect((await get('/sometimes')).status).toBe(200)
    const preferred = await get('/sometimes', { Prefer: 'code=201' })
    expect([preferred.status, (preferred.body as Json).detail]).toEqual([
      501,
      `GET /sometimes is not answered with 201: no value fits the schema of that response: ${why}.`,
    ])
  })

  test.each([
    [
      'may be null',
      { type: ['object', 'null'], required: ['next'], properties: { next: { $ref: '#/components/schemas/Node' } } },
    ],
    [
      'may end in a list',
      {
        type: 'object',
        required: ['next'],
        properties: { next: { type: 'array', items: { $ref: '#/components/schemas/Node' } } },
      },
    ],
    [
      'may end elsewise',
      {
        type: 'object',
        required: ['next'],
        properties: { next: { oneOf: [{ $ref: '#/components/schemas/Node' }, { type: 'integer' }] } },
      },
    ],
    [
      'need not be told',
      {
        type: 'object',
        required: ['next'],
        properties: { next: { writeOnly: true, allOf: [{ $ref: '#/components/schemas/Node' }] } },
      },
    ],
  ])('that asks for what holds itself and %s is answered', async (_, Node) => {
    const { get } = createShop(
      { '/node': { get: { operationId: 'getNode', responses: answered({ $ref: '#/components/schemas/Node' }) } } },
      { Node },
    )
    expect((await get('/node')).status).toBe(200)
  })

  test.each([
    ['what `not` says of every text', { type: 'string', not: { minLength: 0 } }, 'expected something else, got "'],
    ['an odd number', { type: 'integer', not: { multipleOf: 2 } }, 'expected something else, got '],
    [
      '101 elements',
      { type: 'array', minItems: 101, items: { type: 'integer' } },
      'expected an array of at least 101 elements',
    ],
  ])('for which no value is found is refused with the reason and the remedy: %s', async (_, schema, why) => {
    const { get } = createShop({
      '/never': { get: { operationId: 'never', responses: answered(schema) } },
    })
    const refused = await get('/never')
    expect(refused).toMatchObject({
      status: 501,
      body: { type: expect.stringMatching(/operation-refused$/) as unknown },
    })
    const { detail } = refused.body as { detail: string }
    expect(detail).toMatch(
      /^GET \/never is not answered with 200: no value was found that fits the schema of that response\. Give it an example\./,
    )
    expect(detail).toContain(`The last one that was tried: the body: ${why}`)
    expect(refused.headers).not.toHaveProperty('x-mock-defect')
  })

  test('for which no value is found is answered with the example that the refusal asks for', async () => {
    const odd = { type: 'integer', not: { multipleOf: 2 } }
    const { get } = createShop({ '/odd': { get: { operationId: 'getOdd', responses: answered(odd, { example: 7 }) } } })
    expect(await get('/odd')).toMatchObject({ status: 200, body: 7 })
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

test('lists have elements, also where only required members are valid', async () => {
  const list = { type: 'array', items: { type: 'number' } }
  const part = { type: 'object', required: ['embedding'], properties: { embedding: list, bad: false } }
  const { get } = createShop({
    '/embeddings': {
      get: {
        responses: answered({
          type: 'object',
          required: ['data'],
          properties: { data: { type: 'array', items: part }, not: { not: {} } },
        }),
      },
    },
    '/tools': {
      get: {
        responses: answered({
          type: 'object',
          properties: { tools: { type: 'array', default: [], items: { type: 'string' } } },
        }),
      },
    },
  })
  const { data } = (await get('/embeddings')).body as { data: { embedding: number[] }[] }
  expect(data.length).toBeGreaterThan(0)
  for (const { embedding } of data) expect(embedding.length).toBeGreaterThan(0)
  const { tools } = (await get('/tools')).body as { tools: string[] }
  expect(tools.length).toBeGreaterThan(0)
})

test('an example of a write shows what was sent, where the contract allows that', async () => {
  const text = { type: 'string' }
  const channel = { type: 'object', properties: { id: text, name: text, size: { type: 'integer', maximum: 9 } } }
  const example = { ok: true, channel: { id: 'C1', name: 'general', size: 3 } }
  const schema = { type: 'object', properties: { ok: { type: 'boolean' }, channel } }
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema, example } } } }
  const requestBody = { content: { 'application/json': { schema: { type: 'object' } } } }
  const { standin } = createContractTester({ '/rename': { post: { requestBody, responses } } })
  const post = async (body: object) =>
    (await request(standin.app).post('/rename').set(OWN_KEY).send(body)).body as unknown
  expect(await post({ name: 'project-x', ok: 'no' })).toEqual({
    ok: true,
    channel: { ...example.channel, name: 'project-x' },
  })
  expect(await post({ name: 'project-x', size: 10 })).toEqual(example)
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

test('a list of results has as many as were asked for, numbered from 0', async () => {
  const result = {
    type: 'object',
    required: ['index'],
    properties: { index: { type: 'integer' }, text: { type: 'string' } },
  }
  const schema = { type: 'object', required: ['data'], properties: { data: { type: 'array', items: result } } }
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema } } } }
  const requestBody = { content: { 'application/json': { schema: { type: 'object' } } } }
  const { standin } = createContractTester({ '/compute': { post: { requestBody, responses } } })
  const count = async (body: object) => {
    const response = await request(standin.app).post('/compute').set(OWN_KEY).send(body)
    return (response.body as { data: { index: number }[] }).data.map(({ index }) => index)
  }
  expect(await count({ n: 4 })).toEqual([0, 1, 2, 3])
  expect(await count({ input: 'one' })).toEqual([0])
  expect(await count({ texts: ['one', 'two'] })).toEqual([0, 1])
})

test('a text of the format decimal is a number', async () => {
  const schema = { type: 'object', required: ['rate'], properties: { rate: { type: 'string', format: 'decimal' } } }
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema } } } }
  const { standin } = createContractTester({ '/rate': { get: { responses } } })
  expect((await request(standin.app).get('/rate').set(OWN_KEY)).body).toEqual({
    rate: expect.stringMatching(/^\d+\.\d+$/) as string,
  })
})
