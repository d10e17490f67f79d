import request from 'supertest'
import { expect, test } from 'vitest'
import { inPath, nothing, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const object = (properties: object, ...required: string[]) => ({ type: 'object', properties, required })
const schemas = { Pet: object({ id: { type: 'integer' }, name: text }, 'id', 'name') }

/** A service of pets whose operations are as in a document that says little. */
function createPets({ list, created, maximum }: { list?: object; created?: object; maximum?: number } = {}) {
  const petId = { ...inPath('petId'), schema: { type: 'integer', ...(maximum && { maximum }) } }
  const { standin } = createContractTester(
    {
      '/pet': {
        ...(list && { get: { responses: { 200: list } } }),
        post: { requestBody: takes(ref('Pet')), responses: { 201: created ?? nothing } },
        put: { requestBody: takes(ref('Pet')), responses: { 200: nothing, 404: nothing } },
      },
      '/pet/{petId}': { parameters: [petId], get: { responses: { 200: shows(ref('Pet')), 404: nothing } } },
    },
    schemas,
  )
  const send = (method: 'get' | 'post' | 'put', path: string, body?: object) =>
    request(standin.app)[method](path).set(OWN_KEY).send(body)
  return { standin, send }
}

test('a list is found by its items, whatever members stand around them', async () => {
  const list = shows(object({ itemsTotal: text, found: object({ animals: { type: 'array', items: ref('Pet') } }) }))
  const { send } = createPets({ list })
  await send('post', '/pet', { id: 70, name: 'Rex' }).expect(201)
  const { body } = (await send('get', '/pet')) as { body: { found: { animals: readonly object[] } } }
  expect(body.found.animals).toContainEqual({ id: 70, name: 'Rex' })
})

test('an envelope may say more of the request beside its data', async () => {
  const envelope = (data: object) => {
    const said = { status_code: { type: 'integer' }, status: text, service: text, operation: text }
    return shows(object({ ...said, data, links: object({ next: text }) }, 'status_code', 'service', 'data'))
  }
  const list = envelope({ type: 'array', items: ref('Pet') })
  const { send } = createPets({ list, created: envelope(object({ id: { type: 'integer' } }, 'id')) })
  const { body } = (await send('post', '/pet', { id: 70, name: 'Rex' }).expect(201)) as { body: unknown }
  expect(body).toMatchObject({ service: expect.any(String) as string, data: { id: 70 } })
  expect((await send('get', '/pet')).body).toMatchObject({
    data: expect.arrayContaining([{ id: 70, name: 'Rex' }]) as object,
  })
})

test('an envelope may have the members of an error', async () => {
  const envelope = (Data: object) =>
    shows(object({ ErrorMessage: text, ErrorCode: { type: 'integer' }, ErrorDescription: text, Data }))
  const { standin } = createContractTester(
    {
      '/pets': {
        get: { responses: { 200: envelope({ type: 'array', items: ref('Pet') }) } },
        post: { requestBody: takes(ref('Pet')), responses: { 201: envelope(ref('Pet')) } },
      },
      '/pets/{id}': { parameters: [inPath('id')], get: { responses: { 200: envelope(ref('Pet')) } } },
    },
    schemas,
  )
  const rex = { id: 70, name: 'Rex' }
  const created = await request(standin.app).post('/pets').set(OWN_KEY).send(rex).expect(201)
  expect(created.body).toMatchObject({ Data: rex })
  expect((await request(standin.app).get('/pets/70').set(OWN_KEY)).body).toMatchObject({ Data: rex })
  expect((await request(standin.app).get('/pets').set(OWN_KEY)).body).toMatchObject({
    Data: expect.arrayContaining([rex]) as object,
  })
})

test('a creation may show a list of what it made', async () => {
  const { send } = createPets({
    list: shows({ type: 'array', items: ref('Pet') }),
    created: shows({ type: 'array', items: ref('Pet') }),
  })
  const { body } = (await send('post', '/pet', { id: 70, name: 'Rex' }).expect(201)) as { body: unknown }
  expect(body).toEqual([{ id: 70, name: 'Rex' }])
  expect((await send('get', '/pet/70')).body).toEqual({ id: 70, name: 'Rex' })
})

test.each<[string, object]>([
  ['alone', {}],
  ['beside JSON without a schema', { 'application/json': { example: [{ id: 1, name: 'Tom' }] } }],
])('a schema of any media type is that of JSON, %s', async (_, others) => {
  const list = { description: 'ok', content: { ...others, '*/*': { schema: { type: 'array', items: ref('Pet') } } } }
  const created = { description: 'ok', content: { ...others, '*/*': { schema: ref('Pet') } } }
  const { send } = createPets({ list, created })
  expect((await send('post', '/pet', { id: 70, name: 'Rex' }).expect(201)).body).toEqual({ id: 70, name: 'Rex' })
  const { body, headers } = (await send('get', '/pet')) as { body: unknown; headers: Readonly<Record<string, string>> }
  expect(body).toContainEqual({ id: 70, name: 'Rex' })
  expect(headers['content-type']).toBe('application/json')
})

test('a list that cannot be shown is generated, and check says why; its items are kept', async () => {
  const { standin, send } = createPets({ list: shows(object({ names: { type: 'array', items: text } })) })
  const line = standin.operations.find((one) => one.startsWith('GET') && !one.includes('{'))
  expect(line).toContain('its response has no list of objects')
  await send('post', '/pet', { id: 70, name: 'Rex' })
  expect((await send('get', '/pet/70')).body).toEqual({ id: 70, name: 'Rex' })
})

test('a response without a schema is not understood', () => {
  const { standin } = createPets({ created: { description: 'made', content: { 'application/json': {} } } })
  expect(standin.operations.find((one) => one.includes('POST'))).toContain('generated')
})

test('a creation that shows nothing says in Location where the item is', async () => {
  const { send } = createPets()
  const { headers } = await send('post', '/pet', { id: 70, name: 'Rex' }).expect(201)
  expect(headers.location).toBe('/pet/70')
  expect((await send('get', '/pet/70')).body).toEqual({ id: 70, name: 'Rex' })
})

test('a PUT to the path of a collection replaces the item whose id is in the body', async () => {
  const { send } = createPets()
  await send('put', '/pet', { id: 3, name: 'Max' }).expect(200)
  expect((await send('get', '/pet/3')).body).toEqual({ id: 3, name: 'Max' })
  await send('put', '/pet', { id: 99, name: 'Max' }).expect(404)
})

test('ids stay below the maximum of the path, and half of them are free', async () => {
  const { send } = createPets({ maximum: 10 })
  await send('get', '/pet/5').expect(200)
  await send('get', '/pet/6').expect(404)
})

test('a path with a query is one of a collection, unless its query tells operations apart', async () => {
  const petId = { parameters: [inPath('petId')] }
  const create = { post: { requestBody: takes(ref('Pet')), responses: { 201: shows(ref('Pet')) } } }
  const read = { get: { responses: { 200: shows(ref('Pet')), 404: nothing } } }
  const { standin } = createContractTester(
    {
      '/pets?beta=true': create,
      '/pets/{petId}?beta=true': { ...petId, ...read },
      '/cats?old=true': create,
      '/cats?old=false': create,
      '/cats/{petId}': { ...petId, ...read },
    },
    schemas,
  )
  const send = (method: 'get' | 'post', path: string) => request(standin.app)[method](path).set(OWN_KEY)
  const { headers } = await send('post', '/pets?beta=true').send({ id: 70, name: 'Rex' }).expect(201)
  expect(headers.location).toBe('/pets/70?beta=true')
  expect((await send('get', String(headers.location))).body).toEqual({ id: 70, name: 'Rex' })
  const cats = standin.operations.filter((line) => line.includes('POST /cats'))
  expect(cats.map((line) => line.includes('generated'))).toEqual([true, true])
})

test.each([
  ['application/json', {}, '{}'],
  ['*/*', {}, '{}'],
  ['text/plain', { schema: { type: 'string', example: 'Thanks' } }, 'Thanks'],
  ['text/plain', { schema: { type: 'string' } }, 'OK'],
])('a change may be answered by a %s that shows no item', async (type, described, said) => {
  const { standin } = createContractTester(
    {
      '/pets': { post: { requestBody: takes(ref('Pet')), responses: { 201: shows(ref('Pet')) } } },
      '/pets/{id}': {
        parameters: [inPath('id')],
        get: { responses: { 200: shows(ref('Pet')), 404: nothing } },
        put: {
          requestBody: takes(ref('Pet')),
          responses: { default: { description: 'Done.', content: { [type]: described } } },
        },
        delete: { responses: { 200: { description: 'Gone.', content: { [type]: described } } } },
      },
    },
    schemas,
  )
  const send = (method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object) =>
    request(standin.app)[method](path).set(OWN_KEY).send(body)
  const { id } = (await send('post', '/pets', { id: 70, name: 'Rex' }).expect(201)).body as { id: number }
  const replaced = await send('put', `/pets/${id}`, { id, name: 'Max' }).expect(200)
  expect(replaced.text).toBe(said)
  expect((await send('get', `/pets/${id}`)).body).toEqual({ id, name: 'Max' })
  await send('delete', `/pets/${id}`).expect(200)
  await send('get', `/pets/${id}`).expect(404)
})

test('an item may be shown in a list that it is alone in, as by its collection', async () => {
  const pets = shows(object({ pets: { type: 'array', items: ref('Pet') } }, 'pets'))
  const { standin } = createContractTester(
    {
      '/pets': {
        get: { responses: { 200: pets } },
        post: { requestBody: takes(ref('Pet')), responses: { 201: pets } },
      },
      '/pets/{petId}': {
        parameters: [inPath('petId')],
        get: { responses: { 200: pets, 404: nothing } },
        delete: { responses: { 204: nothing } },
      },
    },
    schemas,
    { documents: 0 },
  )
  const send = (method: 'get' | 'post' | 'delete', path: string, body?: object) =>
    request(standin.app)[method](path).set(OWN_KEY).send(body)
  await send('post', '/pets', { id: 70, name: 'Rex' }).expect(201)
  await send('post', '/pets', { id: 71, name: 'Tom' }).expect(201)
  expect((await send('get', '/pets/70')).body).toEqual({ pets: [{ id: 70, name: 'Rex' }] })
  await send('delete', '/pets/70').expect(204)
  await send('get', '/pets/70').expect(404)
})

test('a path that only lists is not that of an item', async () => {
  const pets = shows(object({ pets: { type: 'array', items: ref('Pet') } }, 'pets'))
  const { standin } = createContractTester(
    {
      '/pets': { get: { responses: { 200: pets } } },
      '/pets/{owner}': { parameters: [inPath('owner', 'string')], get: { responses: { 200: pets } } },
      '/pets/{owner}/{name}': {
        parameters: [inPath('owner', 'string'), inPath('name', 'string')],
        get: { responses: { 200: shows(ref('Pet')), 404: nothing } },
        put: { requestBody: takes(ref('Pet')), responses: { 200: shows(ref('Pet')) } },
        delete: { responses: { 204: nothing } },
      },
    },
    schemas,
    { documents: 0 },
  )
  await request(standin.app).put('/pets/ann/Rex').set(OWN_KEY).send({ id: 7, name: 'Rex' }).expect(200)
  const { body } = (await request(standin.app).get('/pets/ann').set(OWN_KEY).expect(200)) as { body: unknown }
  expect(body).toEqual({ pets: [{ id: 7, name: 'Rex' }] })
})
