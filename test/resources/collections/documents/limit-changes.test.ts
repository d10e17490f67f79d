import request from 'supertest'
import { expect, test } from 'vitest'
import { createPetShop, inPath, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { OWN_KEY } from '../../../support/contracts/small-contract.ts'

const send = (shop: ReturnType<typeof createPetShop>, method: 'post' | 'put' | 'delete', path: string, body?: object) =>
  request(shop.standin.app)[method](path).set(OWN_KEY).send(body)

test('an item whose id is too long is refused', async () => {
  const codes = {
    '/codes': {
      get: { responses: { 200: shows({ type: 'array', items: ref('Code') }) } },
      post: { requestBody: takes(ref('Code')), responses: { 201: shows(ref('Code')) } },
    },
    '/codes/{code}': { parameters: [inPath('code', 'string')], get: { responses: { 200: shows(ref('Code')) } } },
  }
  const text = { type: 'string' }
  const schemas = { Code: { type: 'object', required: ['code'], properties: { code: text, about: text } } }
  const shop = createPetShop({}, codes, schemas)
  expect((await send(shop, 'post', '/codes', { code: 'x'.repeat(200) })).status).toBe(201)
  expect((await send(shop, 'post', '/codes', { code: 'x'.repeat(201) })).status).toBe(400)
})
