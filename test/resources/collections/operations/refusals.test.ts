import { describe, expect, test } from 'vitest'
import { createPetShop, inPath, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, OWN_KEY } from '../../../support/contracts/small-contract.ts'
import request from 'supertest'

test('a refusal whose documented alternatives overlap keeps its status', async () => {
  const failure = { type: 'object', required: ['code'], properties: { code: { type: 'integer' } } }
  const detailed = { ...failure, properties: { ...failure.properties, causes: { type: 'array' } } }
  const { standin } = createPetShop(
    {
      selfCheck: true,
    },
    {
      '/pets': {
        post: {
          requestBody: takes(ref('NewPet')),
          responses: { 201: shows(ref('Pet')), 400: shows({ oneOf: [failure, detailed] }) },
        },
      },
    },
  )
  const refused = await request(standin.app).post('/pets').set(OWN_KEY).send({ name: 7 })
  expect(refused.status).toBe(400)
  expect(refused.body).toMatchObject({ code: 400 })
})

test('an error is of the kind that its status means, where each kind has an alternative of its own', async () => {
  const kind = (type: string) => ({
    type: 'object',
    required: ['type', 'message'],
    properties: { type: { const: type }, message: { type: 'string' } },
  })
  const kinds = ['invalid_request_error', 'authentication_error', 'not_found_error'].map(kind)
  const failure = shows({ type: 'object', required: ['error'], properties: { error: { oneOf: kinds } } })
  const responses = { 200: shows(ref('Pet')), '4XX': failure }
  const { standin } = createPetShop({}, { '/pets/{petId}': { parameters: [inPath('petId')], get: { responses } } })
  const typeOf = async (path: string, key: Record<string, string> = OWN_KEY) =>
    ((await request(standin.app).get(path).set(key)).body as { error: { type: string } }).error.type
  expect(await typeOf('/pets/999')).toBe('not_found_error')
  expect(await typeOf('/pets/bird')).toBe('invalid_request_error')
  expect(await typeOf('/pets/1', {})).toBe('authentication_error')
})

const text = { type: 'string' }
const uuid = { type: 'string', format: 'uuid' }
const problem = {
  type: 'object',
  properties: {
    type: { type: 'string', format: 'uri' },
    title: text,
    status: { type: 'integer' },
    detail: text,
    instance: { type: 'string', format: 'uri' },
    errors: { type: 'array', items: { type: 'object', properties: { field: text, message: text } } },
  },
}
const refuses = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: problem } },
})

interface Conflicts {
  /** The descriptions of 409 for a creation, and for a deletion. */
  readonly taken?: string
  readonly held?: string
  /** What `x-standin` says of the members that tell hotels apart. */
  readonly unique?: readonly (string | readonly string[])[]
}

/** Hotels with rooms, and bookings that name a hotel. Every refusal is a problem document with absolute URIs. */
function createHotels({
  taken = 'A hotel with this code exists already, or its owner email is taken.',
  held = 'The hotel still has bookings.',
  unique,
}: Conflicts = {}) {
  const hotel = {
    type: 'object',
    required: ['id', 'code', 'name'],
    properties: { id: uuid, code: text, name: text, ownerEmail: text },
  }
  const booking = {
    type: 'object',
    required: ['id', 'hotelId', 'status'],
    properties: {
      id: uuid,
      hotelId: uuid,
      status: { enum: ['PENDING', 'CONFIRMED', 'CANCELLED'] },
      cancelledAt: { type: 'string', format: 'date-time' },
    },
  }
  const input = (schema: typeof hotel | typeof booking, required: string[]) =>
    takes({ ...schema, required, properties: { ...schema.properties, id: undefined } })
  const list = (schema: unknown) => ({ responses: { 200: shows({ type: 'array', items: schema }) } })
  const tester = createContractTester(
    {
      '/hotels': {
        get: { ...list(hotel), parameters: [{ name: 'size', in: 'query', schema: { type: 'integer', maximum: 100 } }] },
        post: {
          ...(unique && { 'x-standin': { unique } }),
          requestBody: input(hotel, ['code', 'name']),
          responses: {
            201: { ...shows(hotel), headers: { Location: { schema: { type: 'string', format: 'uri' } } } },
            400: refuses('The request is not valid.'),
            409: refuses(taken),
          },
        },
      },
      '/hotels/{hotelId}': {
        parameters: [inPath('hotelId', 'string')],
        get: { responses: { 200: shows(hotel), 404: refuses('Not found.') } },
        delete: { responses: { 204: { description: 'Gone.' }, 409: refuses(held) } },
      },
      '/hotels/{hotelId}/rooms': {
        parameters: [inPath('hotelId', 'string')],
        get: list({ type: 'object', required: ['id'], properties: { id: uuid, number: text } }),
      },
      '/bookings': {
        get: list(booking),
        post: { requestBody: input(booking, ['hotelId']), responses: { 201: shows(booking) } },
      },
      '/bookings/{bookingId}': {
        parameters: [inPath('bookingId', 'string')],
        get: { responses: { 200: shows(booking) } },
        delete: { responses: { 204: { description: 'Gone.' } } },
      },
      '/bookings/{bookingId}/cancel': {
        parameters: [inPath('bookingId', 'string')],
        post: { responses: { 200: shows(booking), 409: refuses('It cannot be cancelled.') } },
      },
    },
    {},
    { selfCheck: true },
  )
  const send = async (method: 'get' | 'post' | 'delete', path: string, sent?: object) => {
    const sending = tester.request()[method](path).set(OWN_KEY)
    const response = await (sent === undefined ? sending : sending.send(sent))
    return { status: response.status, headers: response.headers, body: response.body as Record<string, unknown> }
  }
  const hotelOf = async (code: string) => String((await send('post', '/hotels', { code, name: 'Adlon' })).body.id)
  return { send, hotelOf }
}

describe('the refusals that a document describes', () => {
  test('are problem documents with absolute URIs where the document asks for them', async () => {
    const { send } = createHotels()
    const { status, body } = await send('post', '/hotels', { code: 7 })
    expect(status).toBe(400)
    expect(body).toMatchObject({ type: 'about:blank', status: 400, errors: [{ field: 'name' }, { field: 'code' }] })
    expect(body).not.toHaveProperty('instance')
    const unknown = await send('get', '/hotels/b7458d4e-7c9e-4304-b7fd-c2accf626570')
    expect(unknown.body).toMatchObject({ type: 'about:blank', status: 404 })
  })

  test('name the parameter as the document names the member for it', async () => {
    const { send } = createHotels()
    const { status, body } = await send('get', '/hotels?size=1000')
    expect(status).toBe(400)
    expect(body).toMatchObject({ errors: [{ field: 'size', message: 'size: expected at most 100, got 1000.' }] })
  })

  test('say which members no two items share', async () => {
    const { send } = createHotels()
    const adlon = { code: 'BER001', name: 'Adlon', ownerEmail: 'a@example.org' }
    expect((await send('post', '/hotels', adlon)).status).toBe(201)
    expect((await send('post', '/hotels', { ...adlon, code: 'BER002' })).status).toBe(409)
    const again = await send('post', '/hotels', { ...adlon, ownerEmail: 'b@example.org' })
    expect(again.status).toBe(409)
    expect(again.body).toMatchObject({ detail: 'There is a hotel with the code BER001 already.' })
    expect((await send('post', '/hotels', { code: 'BER002', name: 'Adlon' })).status).toBe(201)
  })

  test('refuse an action that was done already', async () => {
    const { send, hotelOf } = createHotels()
    const hotelId = await hotelOf('BER001')
    const id = String((await send('post', '/bookings', { hotelId })).body.id)
    expect((await send('post', `/bookings/${id}/cancel`)).body).toMatchObject({ status: 'CANCELLED' })
    expect((await send('post', `/bookings/${id}/cancel`)).status).toBe(409)
  })

  test('keep an item that others name', async () => {
    const { send, hotelOf } = createHotels()
    const hotelId = await hotelOf('BER001')
    const id = String((await send('post', '/bookings', { hotelId })).body.id)
    const refused = await send('delete', `/hotels/${hotelId}`)
    expect(refused.status).toBe(409)
    expect(refused.headers['x-mock-behaviours']).toContain('collections.cascade')
    await send('delete', `/bookings/${id}`)
    expect((await send('delete', `/hotels/${hotelId}`)).status).toBe(204)
  })
})

test.each([
  ['A hotel with this code already exists.', 409],
  ['Code already in use', 409],
  ['The code or the name is taken.', 409],
  ['Duplicate code.', 409],
  ['The code must be unique.', 409],
  // The body must have a code, and a name.
  ['Hotel already exists', 409],
  ['The hotel is already open.', 201],
  ['Conflict', 409],
  ['It would conflict with the current state.', 409],
  ['Another request is changing the hotels.', 201],
  ['An owner with this email already exists.', 201],
])('a creation whose 409 says "%s" is answered with %i for a code that another item has', async (taken, status) => {
  const { send } = createHotels({ taken })
  await send('post', '/hotels', { code: 'BER001', name: 'Adlon' })
  expect((await send('post', '/hotels', { code: 'BER001', name: 'Kempinski' })).status).toBe(status)
})

test('`unique` says which members tell items apart, alone or together', async () => {
  const { send } = createHotels({ taken: 'Conflict', unique: ['code', ['name', 'ownerEmail']] })
  const hotel = { code: 'BER001', name: 'Adlon', ownerEmail: 'ann@example.org' }
  const create = async (changed: object) => await send('post', '/hotels', { ...hotel, ...changed })
  expect((await create({})).status).toBe(201)
  expect((await create({ name: 'Kempinski' })).status).toBe(409)
  expect((await create({ code: 'BER002', ownerEmail: 'bob@example.org' })).status).toBe(201)
  const refused = await create({ code: 'BER003' })
  expect(refused.status).toBe(409)
  expect(refused.headers['x-mock-problem']).toBe(
    'item-exists: There is a hotel with the name Adlon and the ownerEmail ann@example.org already.',
  )
})

test.each([
  ['The hotel still has bookings.', 409],
  ['The hotel is in use.', 409],
  ['Bookings depend on it.', 409],
  ['The hotel has active bookings', 409],
  ['It is not empty.', 409],
  ['Conflict', 204],
  ['Used when the input conflicts with existing data.', 204],
  ['The hotel has been deleted already.', 204],
])('a deletion whose 409 says "%s" is answered with %i for an item that others name', async (held, status) => {
  const { send, hotelOf } = createHotels({ held })
  const hotelId = await hotelOf('BER001')
  await send('post', '/bookings', { hotelId })
  expect((await send('delete', `/hotels/${hotelId}`)).status).toBe(status)
})

test('the Location of a new item is absolute where the document says that it is a URI', async () => {
  const { send } = createHotels()
  const { headers, body } = await send('post', '/hotels', { code: 'BER001', name: 'Adlon' })
  expect(headers.location).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/hotels/${String(body.id)}$`))
})

test('an invalid request is refused with 422 where the document has that status alone, also by operations that document none', async () => {
  const cause = { type: 'object', properties: { loc: { type: 'array', items: {} }, msg: text, type: text } }
  const causes = { type: 'object', properties: { detail: { type: 'array', items: cause } } }
  const { request: ask } = createContractTester({
    '/tasks': { get: { responses: { 200: shows({ type: 'array', items: { type: 'object' } }), 422: shows(causes) } } },
    '/tasks/{task_id}': { parameters: [inPath('task_id')], get: { responses: { 200: shows({ type: 'object' }) } } },
  })
  const refused = await ask().get('/tasks/abc').set(OWN_KEY)
  expect(refused.status).toBe(422)
  expect(refused.body).toMatchObject({ detail: [{ type: 'int_parsing', loc: ['path', 'task_id'], input: 'abc' }] })
})
