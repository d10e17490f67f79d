import { expect, test } from 'vitest'
import { createPetShop, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { OWN_KEY } from '../../../support/contracts/small-contract.ts'
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
