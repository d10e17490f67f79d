import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { createContractTester, type Json, OWN_KEY } from '../../support/contracts/small-contract.ts'
import { withoutStore } from '../../support/store.ts'
import { CLOCK, ID, answered, createShop, createCustomers } from '../../support/contracts/customers.ts'

const DAY = 86_400_000

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

test('a list of results has as many as were asked for, numbered from 0', async () => {
  const result = {
    type: 'object',
    required: ['index'],
    properties: { index: { type: 'integer' }, text: { type: 'string' } },
  }
  const schema = { type: 'object', required: ['data'], properties: { data: { type: 'array', items: result } } }
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema } } } }
  const sent = { type: 'object', properties: { n: { type: 'integer', default: 3 } } }
  const requestBody = { content: { 'application/json': { schema: sent } } }
  const { standin } = createContractTester({ '/compute': { post: { requestBody, responses } } })
  const count = async (body: object) => {
    const response = await request(standin.app).post('/compute').set(OWN_KEY).send(body)
    return (response.body as { data: { index: number }[] }).data.map(({ index }) => index)
  }
  expect(await count({ n: 4 })).toEqual([0, 1, 2, 3])
  expect(await count({})).toEqual([0, 1, 2])
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

test('lists that are read and maps are empty where a server begins without documents', async () => {
  const counts = { type: 'object', additionalProperties: { type: 'integer' } }
  const result = { type: 'object', required: ['failed', 'done'], properties: { failed: counts, done: { type: 'array', items: { type: 'string' } } } } // prettier-ignore
  const responses = answered(result)
  const paths = { '/work': { get: { operationId: 'look', responses }, post: { operationId: 'work', responses } } }
  const { get, post } = createShop(paths, {}, { documents: 0 })
  expect((await get('/work')).body).toEqual({ failed: {}, done: [] })
  expect((await post('/work', undefined)).body).toEqual({ failed: {}, done: [expect.any(String), expect.any(String)] })
  expect((await createShop(paths).get('/work')).body).not.toEqual({ failed: {}, done: expect.any(Array) as unknown })
})
