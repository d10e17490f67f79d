import request from 'supertest'
import { expect, test } from 'vitest'
import { createPetShop, ref, shows } from '../../../support/contracts/pets.ts'
import { OWN_KEY } from '../../../support/contracts/small-contract.ts'

const STATES = ['away', 'here', 'sick']

/** A pet shop whose pets have a state that clients cannot write. @param parameters of the list */
function createShop(...parameters: readonly object[]) {
  const list = {
    operationId: 'listPets',
    parameters: parameters.map((one) => ({ in: 'query', ...one })),
    responses: { 200: shows({ type: 'array', items: ref('Pet') }) },
  }
  const create = {
    operationId: 'createPet',
    requestBody: { content: { 'application/json': { schema: ref('NewPet') } } },
    responses: { 201: shows(ref('Pet')) },
  }
  const properties = {
    id: { type: 'integer', readOnly: true },
    name: { type: 'string' },
    state: { type: 'string', enum: STATES },
    hidden: { type: 'boolean' },
    collar: { type: 'object', required: ['engraving'], properties: { colour: { type: 'string' } } },
  }
  const NewPet = { type: 'object', properties: { name: properties.name, state: properties.state } }
  const Pet = { type: 'object', required: ['id', 'state', 'hidden', 'collar'], properties }
  const { standin } = createPetShop({}, { '/pets': { get: list, post: create } }, { NewPet, Pet })
  const get = async (path: string) => await request(standin.app).get(path).set(OWN_KEY)
  const post = async (body: object) => await request(standin.app).post('/pets').set(OWN_KEY).send(body)
  return { get, post }
}

const namesOf = ({ body }: { readonly body: unknown }) => (body as { name?: string }[]).map(({ name }) => name)

test.each<[string, object, object]>([
  ['the default of a filter', { name: 'state', schema: { type: 'string', default: 'here' } }, { state: 'here' }],
  ['of another case', { name: 'state', schema: { enum: ['SICK', 'HERE'], default: 'SICK' } }, { state: 'sick' }],
  ['a boolean', { name: 'hidden', schema: { type: 'boolean', default: false } }, { hidden: false }],
  [
    'the only value of a filter that is required',
    { name: 'state', required: true, schema: { type: 'string', enum: ['sick'] } },
    { state: 'sick' },
  ],
])('a new item has what its list shows by default: %s', async (_, parameter, expected) => {
  const { get, post } = createShop(parameter)
  for (let number = 0; number < 4; number++)
    expect((await post({ name: `Rex ${number}` })).body).toMatchObject(expected)
  const required = 'required' in parameter ? '?state=sick' : ''
  expect(namesOf(await get(`/pets${required}`)).slice(-4)).toEqual(['Rex 0', 'Rex 1', 'Rex 2', 'Rex 3'])
})

test.each<[string, object]>([
  ['hidden', { type: 'string', default: 'null' }],
  ['hidden', { type: 'string', default: 'any', enum: ['any', 'true', 'false'] }],
  ['name[contains]', { type: 'string', default: 'null' }],
  ['min_id', { type: 'integer', default: 1000 }],
])('a default of %s that is no value of items hides none: %o', async (name, schema) => {
  const { get, post } = createShop({ name, schema })
  await post({ name: 'Rex' })
  const { body } = (await get('/pets')) as { body: unknown }
  expect(body).toHaveLength(11)
  expect(namesOf({ body })).toContain('Rex')
})

test('any value of a filter that no item has asks for all', async () => {
  const { get } = createShop({ name: 'hidden', schema: { type: 'string', enum: ['any', 'true', 'false'] } })
  expect((await get('/pets?hidden=any')).body).toHaveLength(10)
})

test('an item that says otherwise is not in the list by default', async () => {
  const { get, post } = createShop({ name: 'state', schema: { type: 'string', enum: STATES, default: 'here' } })
  expect((await post({ name: 'Rex', state: 'away' })).body).toMatchObject({ state: 'away' })
  expect(namesOf(await get('/pets'))).not.toContain('Rex')
  expect(namesOf(await get('/pets?state=away'))).toContain('Rex')
})

test('a list shows members that the contract requires and does not name', async () => {
  const { get } = createShop()
  const response = await get('/pets')
  expect(response.headers).not.toHaveProperty('x-mock-generated')
  const collars = (response.body as { collar: object }[]).map(({ collar }) => collar)
  expect(collars).toHaveLength(10)
  for (const collar of collars) expect(collar).toHaveProperty('engraving')
})

test('also where an alternative of a member requires them', async () => {
  const link = (kind: string, inner: string) => ({
    type: 'object',
    required: ['kind', 'link'],
    properties: {
      kind: { type: 'string', enum: [kind] },
      link: { type: 'object', required: ['url', inner], properties: { url: { type: 'string' } } },
    },
  })
  const thing = { oneOf: [link('file', 'size'), link('folder', 'count')] }
  const Pet = {
    type: 'object',
    required: ['id', 'thing'],
    properties: { id: { type: 'integer' }, name: { type: 'string' }, thing },
  }
  const { standin } = createPetShop({}, {}, { Pet })
  const response = await request(standin.app).get('/pets').set(OWN_KEY)
  expect(response.status).toBe(200)
  expect(response.headers).not.toHaveProperty('x-mock-generated')
  expect(response.body).toHaveLength(10)
})
