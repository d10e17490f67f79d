import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { createPetShop, inPath, nothing, ref, shows, takes } from '../../support/contracts/pets.ts'
import { OWN_KEY } from '../../support/contracts/small-contract.ts'

describe('a contract with a path of a list and a path of its items', () => {
  test('creates, reads, lists, changes, replaces and deletes items', async () => {
    const { standin } = createPetShop()
    const pets = (path = '') => `/pets${path}`
    const send = (method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, body?: object) =>
      request(standin.app)[method](pets(path)).set(OWN_KEY).send(body)
    const rex = { id: 11, name: 'Rex', status: 'new', created_at: '2026-03-05T14:30:00.000Z' }
    expect(await send('post', '', { name: 'Rex' })).toMatchObject({ status: 201, body: rex })
    expect((await send('get', '/11')).body).toEqual(rex)
    expect((await send('get', '')).body).toContainEqual(rex)
    expect((await send('patch', '/11', { tag: 'dog' })).body).toEqual({ ...rex, tag: 'dog' })
    expect((await send('put', '/11', { name: 'Max' })).body).toEqual({ ...rex, name: 'Max' })
    expect((await send('delete', '/11')).status).toBe(204)
    expect((await send('get', '/11')).status).toBe(404)
    expect((await send('get', '')).body).toHaveLength(10)
  })

  test('begins with ten items, the same for the same seed', async () => {
    const list = async (seed: number) =>
      (await request(createPetShop({ seed }).standin.app).get('/pets').set(OWN_KEY)).body as unknown[]
    expect(await list(1)).toHaveLength(10)
    expect(await list(1)).toEqual(await list(1))
    expect(await list(1)).not.toEqual(await list(2))
  })

  test('says what each operation was taken for, and why', () => {
    const { standin } = createPetShop({}, { '/pets/{petId}/bark': { post: { responses: { 204: nothing } } } })
    const lines = standin.operations.map((line) => line.replaceAll(/ +/g, ' '))
    expect(lines).toContain('GET /pets listPets stateful as list pets (GET of a list)')
    expect(lines).toContain('DELETE /pets/{petId} deletePet stateful as delete pets (DELETE on the path of an item)')
    expect(lines.find((line) => line.includes('/bark'))).toContain('generated (its response does not show the item')
  })
})

describe('a collection below an item', () => {
  const toys = {
    '/pets/{petId}/toys': {
      parameters: [inPath('petId')],
      get: { responses: { 200: shows({ type: 'array', items: ref('Toy') }) } },
      post: { requestBody: takes(ref('Toy')), responses: { 201: shows(ref('Toy')) } },
    },
  }
  const schemas = {
    Toy: { type: 'object', properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } } },
  }

  test('belongs to that item', async () => {
    const { standin } = createPetShop({}, toys, schemas)
    const toysOf = async (pet: number) =>
      (await request(standin.app).get(`/pets/${pet}/toys`).set(OWN_KEY)).body as unknown
    await request(standin.app).post('/pets/1/toys').set(OWN_KEY).send({ name: 'Ball' }).expect(201)
    expect(await toysOf(1)).toContainEqual({ id: 11, name: 'Ball' })
    expect(await toysOf(2)).not.toContainEqual({ id: 11, name: 'Ball' })
  })

  test('is not found below an item that does not exist', async () => {
    const { standin } = createPetShop({}, toys, schemas)
    expect(await request(standin.app).get('/pets/99/toys').set(OWN_KEY)).toMatchObject({
      status: 404,
      body: { type: '/problems/item-not-found', detail: 'There is no pet 99.' },
    })
  })
})
