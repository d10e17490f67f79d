import { expect, test } from 'vitest'
import { createContractTester, OWN_KEY } from '../../support/contracts/small-contract.ts'

const integer = (name: string, place: 'path' | 'query') => ({
  name,
  in: place,
  required: true,
  schema: { type: 'integer', minimum: 1 },
})
const responses = { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } } }
const body = {
  required: true,
  content: {
    'application/json': { schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
  },
}
const PETS = {
  '/pets/{petId}': {
    put: {
      operationId: 'putPet',
      parameters: [integer('petId', 'path'), integer('limit', 'query')],
      requestBody: body,
      responses,
    },
  },
}

test.each([
  ['a bad path parameter', '/pets/seven?limit=1', { name: 'Ann' }],
  ['a bad query parameter that has the name of a built-in one', '/pets/7?limit=many', { name: 'Ann' }],
  ['a query parameter out of range', '/pets/7?limit=0', { name: 'Ann' }],
  ['a missing query parameter', '/pets/7', { name: 'Ann' }],
  ['a missing member', '/pets/7?limit=1', {}],
  ['a member of another type', '/pets/7?limit=1', { name: 7 }],
])('a refusal by a contract of your own names a line of it: %s', async (_what, path, sent) => {
  const { request } = createContractTester(PETS)
  const response = await request().put(path).set(OWN_KEY).send(sent)
  expect(response.status).toBe(400)
  const { errors } = response.body as { errors: readonly { code: string; source: string }[] }
  expect(errors).toHaveLength(1)
  expect(errors[0]?.source).toMatch(/contract\.json:\d+$/)
  expect(errors[0]?.code).not.toContain('.')
})
