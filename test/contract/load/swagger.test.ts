import { readFileSync, writeFileSync } from 'node:fs'
import request from 'supertest'
import { expect, test } from 'vitest'
import { createStandin } from '../../../src/index.ts'
import { writeContract } from '../../support/contracts/small-contract.ts'

const PETS = {
  swagger: '2.0',
  info: { title: 'Pets', version: '1' },
  host: 'pets.example.com',
  basePath: '/v1',
  securityDefinitions: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  security: [{ key: [] }],
  consumes: ['application/json'],
  produces: ['application/json'],
  paths: {
    '/pets': {
      post: {
        operationId: 'addPet',
        parameters: [{ name: 'pet', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } }],
        responses: { '201': { description: 'ok', schema: { $ref: '#/definitions/Pet' } } },
      },
      get: {
        operationId: 'listPets',
        parameters: [
          { name: 'tags', in: 'query', type: 'array', items: { type: 'integer' }, collectionFormat: 'csv' },
          { name: 'limit', in: 'query', type: 'integer', maximum: 10 },
        ],
        responses: { '200': { description: 'ok', schema: { type: 'array', items: { $ref: '#/definitions/Pet' } } } },
      },
    },
    '/pets/{id}/photo': {
      put: {
        operationId: 'setPhoto',
        consumes: ['multipart/form-data'],
        parameters: [
          { name: 'id', in: 'path', required: true, type: 'integer' },
          { name: 'photo', in: 'formData', required: true, type: 'file' },
        ],
        responses: { '204': { description: 'ok' } },
      },
    },
  },
  definitions: {
    Pet: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, age: { type: 'integer' } } },
  },
}

test('a Swagger 2.0 document is served: base path, keys, parameters, bodies, files and responses', async () => {
  const { app } = createStandin({ contract: writeContract(PETS) })
  const key = { 'X-Key': 'any' }
  expect((await request(app).get('/v1/pets')).status).toBe(401)
  const listed = await request(app).get('/v1/pets?tags=1,2&limit=3').set(key)
  expect([listed.status, listed.body]).toEqual([
    200,
    expect.arrayContaining([expect.objectContaining({ name: expect.any(String) as string })]),
  ])
  expect((await request(app).get('/v1/pets?tags=1,two').set(key)).status).toBe(400)
  expect((await request(app).get('/v1/pets?limit=11').set(key)).status).toBe(400)
  expect((await request(app).post('/v1/pets').set(key).send({ name: 'Rex' })).status).toBe(201)
  expect((await request(app).put('/v1/pets/1/photo').set(key).attach('photo', Buffer.from('x'), 'a.png')).status).toBe(
    204,
  )
})

test('a refusal names the line of the Swagger document', async () => {
  const contract = writeContract(PETS)
  writeFileSync(contract, JSON.stringify(PETS, null, 1))
  const { app } = createStandin({ contract })
  const response = await request(app).post('/v1/pets').set({ 'X-Key': 'any' }).send({ name: 'Rex', age: 'one' })
  const [violation] = (response.body as { errors: { pointer: string; source: string }[] }).errors
  const line = Number(violation?.source.split(':').at(-1))
  expect(violation?.pointer).toBe('/age')
  const shown = readFileSync(contract, 'utf8')
    .split('\n')
    .slice(line - 1, line + 3)
    .join(' ')
  expect(shown).toMatch(/"type": "integer"/)
})

test('a 201 that an annotation adds without content shows what is described at 200', async () => {
  const responses = {
    '200': { description: 'successful operation', schema: { $ref: '#/definitions/Pet' } },
    '201': { description: 'Indicates that the pet was created' },
  }
  const post = { ...PETS.paths['/pets'].post, responses }
  const paths = { ...PETS.paths, '/pets': { ...PETS.paths['/pets'], post } }
  const { app } = createStandin({ contract: writeContract({ ...PETS, paths }) })
  const created = await request(app).post('/v1/pets').set({ 'X-Key': 'any' }).send({ name: 'Rex' })
  expect([created.status, created.body]).toEqual([201, { name: 'Rex' }])
})

test.each([
  [{ example: 'test' }, 201],
  [{ example: { wool: true } }, 400],
  [{}, 400],
])('members described by `type: object` alone and %o may be a number: %i', async (shown, status) => {
  const members = { ...PETS.definitions.Pet.properties, toy: { type: 'object', ...shown }, bed: { type: 'object' } }
  const definitions = { Pet: { ...PETS.definitions.Pet, properties: members } }
  const { app } = createStandin({ contract: writeContract({ ...PETS, definitions }) })
  const send = (body: object) =>
    request(app)
      .post('/v1/pets')
      .set({ 'X-Key': 'any' })
      .send({ name: 'Rex', ...body })
  expect((await send({ toy: 3 })).status).toBe(status)
  // Another member is described as that one is, by the same generator.
  expect((await send({ bed: 3 })).status).toBe(status)
})
