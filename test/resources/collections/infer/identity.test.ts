import request from 'supertest'
import { expect, test } from 'vitest'
import { inPath, nothing, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, OWN_KEY } from '../../../support/contracts/small-contract.ts'

type Json = Readonly<Record<string, unknown>>

const text = { type: 'string' }
const integer = { type: 'integer' }
const object = (properties: object) => ({ type: 'object', required: Object.keys(properties), properties })
const listOf = (items: object) => ({ type: 'array', items })

interface Service {
  readonly parameter: string
  /** The schema of the path parameter. */
  readonly schema?: Json
  readonly path?: string
  readonly item: Json
  /** Whether there is a list. */
  readonly isListed?: boolean
  /** What a list shows of an item. */
  readonly listed?: Json
  /** What a creation responds with; undefined where there is none. */
  readonly created?: Json
}

/** A service of one collection. */
function createService({
  parameter,
  schema = text,
  path = '/things',
  item,
  listed = item,
  isListed = true,
  created,
}: Service) {
  const { standin } = createContractTester({
    [path]: {
      ...(isListed && { get: { responses: { 200: shows(listOf(listed)) } } }),
      ...(created && { post: { requestBody: takes({ type: 'object' }), responses: created } }),
    },
    [`${path}/{${parameter}}`]: {
      parameters: [{ ...inPath(parameter), schema }],
      get: { responses: { 200: shows(item), 404: nothing } },
    },
  })
  const send = (method: 'get' | 'post', path: string, body?: object) =>
    request(standin.app)[method](path).set(OWN_KEY).send(body)
  const list = async () => (await send('get', path)).body as Record<string, unknown>[]
  return { standin, send, list, read: (id: unknown) => send('get', `${path}/${encodeURIComponent(String(id))}`) }
}

const user = object({ id: integer, login: text, name: text })

test.for<[string, Service, readonly string[]]>([
  [
    'the member that is called as the parameter is',
    { parameter: 'sku', item: object({ id: text, sku: text }) },
    ['sku'],
  ],
  ['the end of its name', { parameter: 'domain_name', item: object({ id: text, name: text }) }, ['name']],
  [
    'its name without the word for a kind',
    { parameter: 'VersionNumber', schema: integer, item: object({ Arn: text, Version: integer }) },
    ['Version'],
  ],
  [
    'a code of what it names',
    { parameter: 'country', item: object({ country_name: text, country_code: text }) },
    ['country_code'],
  ],
  ['the end of a word', { parameter: 'filepath', item: object({ sha: text, name: text, path: text }) }, ['path']],
  ['its short form', { parameter: 'shopNumber', item: object({ name: text, shopCd: text }) }, ['shopCd']],
  ['a name rather than a hash', { parameter: 'thing', item: object({ hash: text, name: text }) }, ['name']],
  [
    'the id of an entity, which the list shows without its name',
    {
      parameter: 'id',
      item: object({ name: text, entity_id: text, kind: text }),
      listed: object({ entity_id: text, kind: text }),
    },
    ['entity_id'],
  ],
  ['the login of somebody', { parameter: 'username', item: user }, ['login']],
  [
    'a text for a text, though there is a number',
    { parameter: 'org', path: '/orgs', item: object({ id: integer, login: text }) },
    ['login'],
  ],
  ['the number for a short form', { parameter: 'customerCd', item: object({ name: text, number: text }) }, ['number']],
  ['the number where the parameter is one', { parameter: 'user', schema: integer, item: user }, ['id']],
  [
    'the id of the object that the parameter names',
    { parameter: 'org', item: object({ role: text, organization: user }) },
    ['organization', 'login'],
  ],
  [
    'the id of the user who is a member',
    { parameter: 'member', path: '/members', item: object({ role: text, user: object({ uuid: text }) }) },
    ['user', 'uuid'],
  ],
  [
    'what the list shows, though an item has an id too',
    {
      parameter: 'v_number',
      path: '/versions',
      schema: integer,
      item: object({ id: integer, version: integer, url: text, title: text }),
      listed: object({ version: integer, url: text }),
    },
    ['version'],
  ],
  [
    'a member that only the list shows',
    {
      parameter: 'thing_id',
      schema: integer,
      item: object({ subject: text, note: text, colour: text }),
      listed: object({ subject: text, note: text, thing_id: integer }),
    },
    ['thing_id'],
  ],
])('items are read by %s', async ([, service, path]) => {
  const { list, read } = createService(service)
  const items = await list()
  expect(items.length).toBeGreaterThan(1)
  for (const item of items) {
    const id = path.reduce<unknown>((value, name) => (value as Json)[name], item)
    const { status, body } = (await read(id)) as { status: number; body: Json }
    expect({ id, status }).toEqual({ id, status: 200 })
    const shared = Object.keys(item).filter((name) => name in body)
    expect(shared.map((name) => body[name])).toEqual(shared.map((name) => item[name]))
  }
})

test('an id that is a text where an item is read and a number in the list is both', async () => {
  const item = object({ id: text, name: text })
  const { list, read } = createService({ parameter: 'id', item, listed: object({ id: integer, name: text }) })
  const [first] = await list()
  expect(typeof first?.id).toBe('number')
  expect((await read(first?.id)).body).toEqual({ ...first, id: String(first?.id) })
})

test('a number in a path is the id of no item that has a name alone, so its operations stay generated', () => {
  const { standin } = createService({ parameter: 'thing_id', schema: integer, item: object({ name: text }) })
  expect(standin.operations.filter((line) => line.includes('no response tells the id of a thing'))).toHaveLength(2)
})

test('an object that is called after more than the parameter is another thing', () => {
  const item = object({ amount: text, paymentMethod: object({ id: text, label: text }) })
  const { standin } = createService({ parameter: 'paymentNumber', path: '/payments', item })
  expect(standin.operations.filter((line) => line.includes('no response tells the id of a payment'))).toHaveLength(2)
})

test('an id that no member shows is told by Location', async () => {
  const item = object({ colour: text })
  const { send } = createService({ parameter: 'thing_id', item, isListed: false, created: { 201: shows(item) } })
  const { headers } = await send('post', '/things', { colour: 'red' }).expect(201)
  expect((await send('get', String(headers.location))).body).toEqual({ colour: 'red' })
})

test('where a list does not tell which item is which, its operations stay generated', () => {
  const item = object({ colour: text })
  const { standin } = createService({ parameter: 'thing_id', item, created: { 201: shows(item) } })
  expect(standin.operations.filter((line) => line.includes('no response tells the id of a thing'))).toHaveLength(3)
})

test('where nothing tells the id, nothing is created either', () => {
  const item = object({ colour: text })
  const { standin } = createService({ parameter: 'thing_id', item, created: { 200: shows(item) } })
  expect(standin.operations.filter((line) => line.includes('no response tells the id of a thing'))).toHaveLength(3)
})

test('a creation that may have no body says in Location where the item is', async () => {
  const item = object({ id: text, colour: text })
  const { send } = createService({ parameter: 'thing_id', item, created: { 204: shows(item) } })
  const { headers } = await send('post', '/things', { colour: 'red' }).expect(204)
  expect((await send('get', String(headers.location))).body).toMatchObject({ colour: 'red' })
})

test.for<[string, Json, Json]>([
  ['the format of the path', { type: 'string', format: 'ipv4' }, text],
  ['the pattern of the path', { type: 'string', pattern: '^T[0-9]{6}$' }, text],
  ['the length of the path', { type: 'string', maxLength: 8 }, text],
  [
    'the pattern of the member and the length of the path',
    { type: 'string', maxLength: 12 },
    { type: 'string', pattern: '^[a-f]{4,30}$' },
  ],
  ['the enumeration of the path', { type: 'string', enum: ['a', 'b', 'c', 'd'] }, text],
  ['the number of the path, as a text', { type: 'number' }, text],
  ['the least number of the path', { type: 'integer', minimum: 40 }, integer],
  ['the UUID of the path', { type: 'string', format: 'uuid' }, text],
])('ids of first and new items have %s', async ([, schema, id]) => {
  const item = object({ id, colour: text })
  const { list, read, send } = createService({ parameter: 'thingId', schema, item, created: { 201: shows(item) } })
  const { body } = (await send('post', '/things', { colour: 'red' }).expect(201)) as { body: Json }
  const items = [...(await list()), body]
  expect(items.length).toBeGreaterThan(2)
  for (const one of items) expect((await read(one.id)).body).toEqual(one)
})

test('an example whose id no path may have gets another id', async () => {
  const item = { ...object({ id: text, colour: text }), example: { id: 'THE-FIRST-OF-ALL', colour: 'red' } }
  const { list, read } = createService({ parameter: 'thingId', schema: { ...text, maxLength: 8 }, item })
  const red = (await list()).find(({ colour }) => colour === 'red')
  expect((await read(red?.id)).body).toEqual(red)
})

test('where no id fits both the path and the member, the operations stay generated', () => {
  const item = object({ id: { type: 'string', format: 'uuid' }, colour: text })
  const { standin } = createService({
    parameter: 'thingId',
    schema: { ...text, maxLength: 8 },
    item,
    created: { 201: shows(item) },
  })
  expect(
    standin.operations.filter((line) => line.includes('no id fits both {thingId} and the member /id')),
  ).toHaveLength(3)
})

test('an id that clients choose is one that its path may have, and one that is free', async () => {
  const item = object({ id: text, colour: text })
  const { standin } = createContractTester({
    '/things': { post: { requestBody: takes(item), responses: { 201: shows(item), 400: nothing, 409: nothing } } },
    '/things/{thingId}': {
      parameters: [{ ...inPath('thingId'), schema: { ...text, enum: ['a', 'b'] } }],
      get: { responses: { 200: shows(item), 404: nothing } },
    },
  })
  const create = (id: string) => request(standin.app).post('/things').set(OWN_KEY).send({ id, colour: 'red' })
  const { body } = (await create('c').expect(400)) as { body: Json }
  expect(body).toMatchObject({ errors: [{ pointer: '/id', expected: 'an id that the path of a thing may have' }] })
  const statuses = [(await create('a')).status, (await create('b')).status]
  expect(statuses.toSorted()).toEqual([201, 409])
})

test('when each id that the contract lists is taken, nothing more is created', async () => {
  const item = object({ id: { ...text, readOnly: true }, colour: text })
  const schema = { ...text, enum: ['a', 'b'] }
  const { send } = createService({ parameter: 'thingId', schema, item, created: { 201: shows(item), 409: nothing } })
  await send('post', '/things', { colour: 'red' }).expect(201)
  await send('post', '/things', { colour: 'red' }).expect(409)
})

test('a version that identifies is not counted as a version', async () => {
  const item = object({ version: integer, colour: text })
  const { send, read } = createService({
    parameter: 'version',
    path: '/versions',
    schema: integer,
    item,
    created: { 201: shows(item) },
  })
  const { body } = (await send('post', '/versions', { colour: 'red' }).expect(201)) as { body: Json }
  expect((await read(body.version)).body).toEqual(body)
})

test('a name is no UUID, so items that have nothing else stay generated', async () => {
  const item = object({ name: text, id: listOf(integer) })
  const uuid = { ...text, format: 'uuid' }
  const { send } = createService({ parameter: 'thing_id', schema: uuid, item, created: { 201: shows(item) } })
  const created = await send('post', '/things', { name: 'print' })
  expect(created.status).toBe(201)
  expect(created.headers['x-mock-generated']).toBe('true')
})

test('ids that a list alone shows are of the type that a path below an item takes', async () => {
  const part = object({ name: text })
  const { standin } = createContractTester({
    '/things': {
      get: {
        parameters: [{ name: 'page', in: 'query', schema: integer }],
        responses: { 200: shows(listOf(object({ id: text, name: text }))) },
      },
    },
    '/things/{thingId}/parts': {
      parameters: [inPath('thingId')],
      get: { responses: { 200: shows(listOf(part)) } },
      post: { requestBody: takes(part), responses: { 201: shows(part) } },
    },
  })
  const send = (path: string) => request(standin.app).get(path).set(OWN_KEY)
  const [thing] = (await send('/things')).body as [{ id: string }]
  expect(thing.id).toMatch(/^\d+$/)
  expect((await send(`/things/${thing.id}/parts`)).status).toBe(200)
})

test('the key of an item may be in parentheses, as OData has it', async () => {
  const product = object({ ID: integer, Name: text })
  const { standin } = createContractTester({
    '/Products': {
      get: { responses: { 200: shows(object({ value: listOf(product) })) } },
      post: { requestBody: takes(product), responses: { 201: shows(product) } },
    },
    '/Products({ID})': {
      parameters: [inPath('ID')],
      get: { responses: { 200: shows(product), 404: nothing } },
      patch: { requestBody: takes({ type: 'object', properties: { Name: text } }), responses: { 204: nothing } },
      delete: { responses: { 204: nothing } },
    },
  })
  const send = (method: 'get' | 'patch' | 'delete', path: string, body?: object) =>
    request(standin.app)[method](path).set(OWN_KEY).send(body)
  expect((await send('patch', '/Products(3)', { Name: 'Kept' })).status).toBe(204)
  expect((await send('get', '/Products(3)')).body).toEqual({ ID: 3, Name: 'Kept' })
  const made = await request(standin.app).post('/Products').set(OWN_KEY).send({ ID: 20, Name: 'New' })
  expect(made.headers.location).toBe('/Products(20)')
  expect((await send('delete', '/Products(20)')).status).toBe(204)
  expect((await send('get', '/Products(20)')).status).toBe(404)
})

test('an id that only the examples of a list show is in the list', async () => {
  const bare = object({ name: text })
  const item = object({ id: integer, name: text })
  const media = { schema: object({ things: listOf(bare) }), example: { things: [{ id: 12, name: 'first' }] } }
  const { standin } = createContractTester({
    '/things': {
      get: { responses: { 200: { description: 'ok', content: { 'application/json': media } } } },
      post: { requestBody: takes(bare), responses: { 201: shows(item) } },
    },
    '/things/{thing_id}': {
      parameters: [inPath('thing_id')],
      get: { responses: { 200: shows(item), 404: nothing } },
    },
  })
  const made = await request(standin.app).post('/things').set(OWN_KEY).send({ name: 'new' })
  const { things } = (await request(standin.app).get('/things').set(OWN_KEY)).body as { things: Json[] }
  expect(things[0]).toEqual({ id: 12, name: 'first' })
  expect(things.at(-1)).toEqual(made.body)
})

test('a text of 36 characters is a UUID', async () => {
  const id = { ...text, minLength: 36, maxLength: 36, readOnly: true }
  const item = { ...object({ id, name: text }), required: ['id'] }
  const { send, read } = createService({ parameter: 'thingId', item, created: { 201: shows(item) } })
  const { body } = (await send('post', '/things', { name: 'one' })) as { body: Json }
  expect(body.id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
  expect((await read(body.id)).body).toEqual(body)
})
