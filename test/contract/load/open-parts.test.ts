import request from 'supertest'
import { expect, test } from 'vitest'
import { createContractTester, OWN_KEY } from '../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const closed = (properties: object, more: object = {}) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...more,
})

const SCHEMAS = {
  Address: closed({ city: text }, { required: ['city'] }),
  Named: closed({ name: text }, { required: ['name'] }),
  Place: { allOf: [ref('Named'), ref('Address')] },
  NewWarehouse: { type: 'object', required: ['name'], additionalProperties: false, allOf: [ref('Place')] },
  Warehouse: closed({ id: { type: 'integer' } }, { required: ['id'], allOf: [ref('NewWarehouse')] }),
}
const PATHS = {
  '/warehouses': {
    get: { responses: { 200: { description: 'all', ...json({ type: 'array', items: ref('Warehouse') }) } } },
    post: {
      requestBody: { required: true, ...json(ref('NewWarehouse')) },
      responses: { 201: { description: 'made', ...json(ref('Warehouse')) } },
    },
  },
  '/warehouses/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
    get: { responses: { 200: { description: 'one', ...json(ref('Warehouse')) } } },
  },
  '/named': {
    post: {
      requestBody: { required: true, ...json(ref('Named')) },
      responses: { 204: { description: 'taken' } },
    },
  },
}

test('parts of an allOf that are closed do not shut out the members of each other', async () => {
  const { standin } = createContractTester(PATHS, SCHEMAS)
  const made = await request(standin.app).post('/warehouses').set(OWN_KEY).send({ name: 'North', city: 'Bern' })
  expect(made).toMatchObject({ status: 201, body: { name: 'North', city: 'Bern' } })
  const { id } = made.body as { id: number }
  const read = await request(standin.app).get(`/warehouses/${id}`).set(OWN_KEY)
  expect(read).toMatchObject({ status: 200, body: made.body as object })
  const listed = await request(standin.app).get('/warehouses').set(OWN_KEY)
  expect(listed.body).toHaveLength(11)
})

test('what they require is asked for, and a schema is closed where it stands alone', async () => {
  const { standin } = createContractTester(PATHS, SCHEMAS)
  expect((await request(standin.app).post('/warehouses').set(OWN_KEY).send({ name: 'North' })).status).toBe(400)
  expect((await request(standin.app).post('/named').set(OWN_KEY).send({ name: 'a', city: 'Bern' })).status).toBe(400)
})
