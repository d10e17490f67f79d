import request from 'supertest'
import { expect, test } from 'vitest'
import { createPetShop } from '../../../support/contracts/pets.ts'
import { OWN_KEY } from '../../../support/contracts/small-contract.ts'

const send = (shop: ReturnType<typeof createPetShop>, method: 'post' | 'put' | 'delete', path: string, body?: object) =>
  request(shop.standin.app)[method](path).set(OWN_KEY).send(body)

test('a full collection takes no other item until one is deleted', async () => {
  const pets = Object.fromEntries(Array.from({ length: 200_000 }, (_, id) => [id, { id, name: 'Rex' }]))
  const shop = createPetShop({ fixtures: [{ collections: { pets } }] })
  expect(await send(shop, 'post', '/pets', { name: 'Max' })).toMatchObject({
    status: 409,
    body: { type: '/problems/too-many-documents', detail: expect.stringContaining('pets is full') as string },
  })
  expect((await send(shop, 'put', '/pets/7', { name: 'Max' })).status).toBe(200)
  expect((await send(shop, 'delete', '/pets/7')).status).toBe(204)
  expect((await send(shop, 'post', '/pets', { name: 'Max' })).status).toBe(201)
})
