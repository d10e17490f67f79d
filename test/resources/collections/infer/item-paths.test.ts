import request from 'supertest'
import { expect, test } from 'vitest'
import { inPath, nothing, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const object = (properties: object) => ({ type: 'object', required: Object.keys(properties), properties })
const path = (...names: string[]) => names.map((name) => inPath(name, 'string'))

test.each([
  ['put', { floor: 3 }],
  ['patch', { floor: 3, room: 'a' }],
] as const)('%s of a member of an item by its name sets it', async (method, expected) => {
  const open = { type: 'object' }
  const group = object({ id: { type: 'integer' }, name: text, properties: open })
  const { standin } = createContractTester({
    '/groups': {
      get: { responses: { 200: shows({ type: 'array', items: group }) } },
      post: { requestBody: takes({ type: 'object' }), responses: { 201: shows(group) } },
    },
    '/groups/{id}': { parameters: [inPath('id')], get: { responses: { 200: shows(group) } } },
    '/groups/{id}/properties': {
      parameters: [inPath('id')],
      [method]: { requestBody: takes(open), responses: { 200: shows(group) } },
    },
  })
  const made = await request(standin.app)
    .post('/groups')
    .set(OWN_KEY)
    .send({ name: 'a', properties: { room: 'a' } })
  const at = made.headers.location ?? ''
  const changed = await request(standin.app)[method](`${at}/properties`).set(OWN_KEY).send({ floor: 3 })
  expect(changed.body).toMatchObject({ name: 'a', properties: expected })
  expect(((await request(standin.app).get(at).set(OWN_KEY)).body as Json).properties).toEqual(expected)
})

test('a POST to the path of an item that answers 201 creates it where nothing else does', async () => {
  const group = object({ name: text, users: { type: 'array', items: text }, kind: { type: 'string', enum: ['group'] } })
  const { standin } = createContractTester({
    '/groups': { get: { responses: { 200: shows({ type: 'array', items: group }) } } },
    '/groups/{name}': {
      parameters: path('name'),
      get: { responses: { 200: shows(group) } },
      post: { responses: { 201: shows(group) } },
      delete: { responses: { 204: nothing } },
    },
  })
  const send = async (method: 'get' | 'post' | 'delete', path: string) => {
    const response = await request(standin.app)[method](path).set(OWN_KEY)
    return { status: response.status, body: response.body as Json }
  }
  const size = Object.keys((await send('get', '/groups')).body).length
  expect((await send('get', '/groups/readers')).status).toBe(404)
  const made = await send('post', '/groups/readers')
  expect(made).toMatchObject({ status: 201, body: { name: 'readers', kind: 'group' } })
  expect((await send('get', '/groups/readers')).body).toEqual(made.body)
  expect((await send('post', '/groups/readers')).status).toBe(409)
  expect(Object.values((await send('get', '/groups')).body).slice(size)).toEqual([made.body])
  expect((await send('delete', '/groups/readers')).status).toBe(204)
  expect((await send('get', '/groups/readers')).status).toBe(404)
})

test.each<[number, number, number]>([
  [0, 200, 404],
  [3, 404, 404],
])('with %i items a path goes through a name that clients choose: %i, then %i', async (documents, first, then) => {
  const [tenant, database] = [object({ name: text }), object({ id: { type: 'string', format: 'uuid' }, name: text })]
  const of = (item: Json) => ({
    get: { responses: { 200: shows({ type: 'array', items: item }) } },
    post: { requestBody: takes(object({ name: text })), responses: { 200: shows(item) } },
  })
  const paths = {
    '/tenants': of(tenant),
    '/tenants/{tenant}': { parameters: path('tenant'), get: { responses: { 200: shows(tenant), 404: nothing } } },
    '/tenants/{tenant}/databases': { parameters: path('tenant'), ...of(database) },
  }
  const { standin } = createContractTester(paths, {}, { documents })
  const statusOf = async () => (await request(standin.app).get('/tenants/default/databases').set(OWN_KEY)).status
  expect(await statusOf()).toBe(first)
  expect((await request(standin.app).post('/tenants').set(OWN_KEY).send({ name: 'acme' })).status).toBe(200)
  expect(await statusOf()).toBe(then)
})

test('a POST beside a PUT that creates the item makes something else, so it does not conflict with it', async () => {
  const file = object({ path: text, content: text })
  const { standin } = createContractTester({
    '/contents/{path}': {
      parameters: path('path'),
      get: { responses: { 200: shows(file) } },
      put: { requestBody: takes(file), responses: { 200: shows(file), 201: shows(file) } },
      post: { requestBody: takes(file), responses: { 201: shows(file) } },
    },
  })
  const post = () => request(standin.app).post('/contents/notes').set(OWN_KEY).send({ path: 'x', content: 'y' })
  expect([(await post()).status, (await post()).status]).toEqual([201, 201])
})

test('a path that takes any text may name an item and the parent whose ids are UUIDs by its name', async () => {
  const item = object({ id: { type: 'string', format: 'uuid' }, name: text })
  const of = (responses: Json) => ({
    get: { responses: { 200: shows({ type: 'array', items: item }) } },
    post: { requestBody: takes({ type: 'object', properties: { name: text } }), responses },
  })
  const one = { parameters: path('database'), get: { responses: { 200: shows(item) } }, delete: { responses: { 204: nothing } } } // prettier-ignore
  const { standin } = createContractTester({
    '/databases': of({ 201: shows(item) }),
    '/databases/{database}': one,
    '/databases/{database}/tables': { parameters: path('database'), ...of({ 201: shows(item) }) },
  })
  const send = async (method: 'get' | 'post' | 'delete', path: string, body?: object) => {
    const response = await request(standin.app)[method](path).set(OWN_KEY).send(body)
    return { status: response.status, body: response.body as Json }
  }
  const { body: books } = await send('post', '/databases', { name: 'books' })
  expect((await send('get', '/databases/books')).body).toEqual(books)
  const { body: table } = await send('post', '/databases/books/tables', { name: 'authors' })
  for (const named of ['books', String(books.id)])
    expect((await send('get', `/databases/${named}/tables`)).body).toEqual([table])
  expect((await send('get', '/databases/films/tables')).status).toBe(404)
  expect((await send('delete', '/databases/books')).status).toBe(204)
  expect((await send('get', `/databases/${String(books.id)}`)).status).toBe(404)
})

test('an item whose id the service makes of a text is found by its name too, the first of several', async () => {
  const zone = object({ id: { ...text, readOnly: true }, name: text })
  const { standin } = createContractTester({
    '/zones': {
      get: { responses: { 200: shows({ type: 'array', items: zone }) } },
      post: { requestBody: takes({ type: 'object', properties: { name: text } }), responses: { 201: shows(zone) } },
    },
    '/zones/{zoneId}': { parameters: path('zoneId'), get: { responses: { 200: shows(zone) } } },
  })
  const get = (id: string) => request(standin.app).get(`/zones/${id}`).set(OWN_KEY)
  const create = () => request(standin.app).post('/zones').set(OWN_KEY).send({ name: 'shop.example.' })
  expect((await get('shop.example.')).status).toBe(404)
  const made = await create()
  expect((await get('shop.example.')).body).toEqual(made.body)
  await create()
  expect((await get('shop.example.')).body).toEqual(made.body)
})
