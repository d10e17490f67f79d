import request from 'supertest'
import { expect, test } from 'vitest'
import { defineOperation, events, type StandinOptions } from '../../../src/index.ts'
import { createPetShop } from '../../support/contracts/pets.ts'
import { OWN_KEY } from '../../support/contracts/small-contract.ts'
import { withoutReplicas } from '../../support/store.ts'
import { cases } from '../../support/cases.ts'

interface Pet {
  readonly id: number
  readonly name: string
  readonly status?: string
}

/** A pet shop in which one operation is written by hand. */
function createShop(...handlers: Extract<StandinOptions['handlers'], readonly unknown[]>) {
  const { standin, control } = createPetShop({ handlers })
  const send = async (method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, body?: object) =>
    await request(standin.app)[method](path).set(OWN_KEY).send(body)
  return { standin, control, send }
}

/** Sells a pet instead of changing it. */
const sell = defineOperation('changePet', (world, { path }) => {
  const pet = world.collection<Pet>('pets').get(path.petId as number)
  if (!pet) return { status: 404 }
  const sold = { ...pet, status: 'sold' }
  return { status: 200, body: sold, events: [events.update('pets', String(pet.id), sold)] }
})

test('a handler sees and changes the documents of the operations beside it', async () => {
  const { standin, send } = createShop(sell)
  expect(standin.operations.filter((line) => line.includes('stateful'))).toHaveLength(5)
  const sold = { ...((await send('get', '/pets/3')).body as Pet), status: 'sold' }
  expect(await send('patch', '/pets/3', {})).toMatchObject({ status: 200, body: sold })
  expect((await send('get', '/pets/3')).body).toEqual(sold)
  expect((await send('get', '/pets')).body).toContainEqual(sold)
  expect((await send('get', '/pets')).body).toHaveLength(10)
})

test('a handler sees what others created, and may create and remove too', async () => {
  const { control, send } = createShop(
    defineOperation('replacePet', (world) => {
      const pets = world.collection<Pet>('pets')
      const max = { id: pets.nextId, name: 'Max' }
      const [first] = pets.ids()
      return {
        status: 200,
        body: max,
        events: [events.create('pets', max.id, max), events.remove('pets', first!)],
      }
    }),
    defineOperation('listPets', (world) => ({ status: 200, body: world.collection<Pet>('pets').list() })),
  )
  await send('post', '/pets', { name: 'Rex' })
  expect((await send('put', '/pets/1', {})).body).toEqual({ id: 12, name: 'Max' })
  const names = ((await send('get', '/pets')).body as Pet[]).map(({ name }) => name)
  expect(names).toHaveLength(11)
  expect(names.slice(-2)).toEqual(['Rex', 'Max'])
  expect((await send('get', '/pets/12')).body).toEqual({ id: 12, name: 'Max' })
  expect((await send('get', '/pets/1')).status).toBe(404)
  expect((await control.listCollections()).collections[0]?.count).toBe(11)
})

test('a collection is empty where handlers do all the work', async () => {
  const sizes = new Set<number>()
  const ids = ['listPets', 'createPet', 'readPet', 'replacePet', 'changePet', 'deletePet']
  const { send } = createShop(
    ...ids.map((id) =>
      defineOperation(id, (world) => {
        sizes.add(world.collection('pets').size)
        return { status: 200, body: [] }
      }),
    ),
  )
  await send('get', '/pets')
  expect([...sizes]).toEqual([0])
})

withoutReplicas.each([
  ['reads', () => ({ status: 200, body: [] }), 'pets'],
  ['writes', () => ({ status: 200, body: [], events: [events.create('pets', 9999, { id: 9999, name: 'Max' })] }), 'no'],
])('other requests are handled while the many documents that a handler %s are made', async (_, outcome, read) => {
  let calls = 0
  const listPets = defineOperation('listPets', (world) => {
    calls++
    return { ...outcome(), body: [...world.collection<Pet>(read).list()] }
  })
  const { standin } = createPetShop({ handlers: [listPets], documents: MANY })
  const order: string[] = []
  const ask = (path: string) =>
    request(standin.app)
      .get(path)
      .set(OWN_KEY)
      .then(({ status, body }) => void order.push(`${path} ${status} ${(body as unknown[]).length}`))
  await Promise.all([ask('/pets'), ask('/nothing')])
  expect(order).toEqual(['/nothing 404 undefined', `/pets 200 ${read === 'pets' ? MANY : 0}`])
  await ask('/pets')
  expect(calls).toBe(3)
})

test('a handler that catches all errors still waits for documents that are to be made', async () => {
  const careless = defineOperation('changePet', (world, { path }) => {
    try {
      return { status: 200, body: world.collection<Pet>('pets').get(path.petId as number) }
    } catch {
      return { status: 200, body: { id: 0, name: 'nobody' } }
    }
  })
  const { standin } = createPetShop({ handlers: [careless], documents: 1000 })
  const response = await request(standin.app).patch('/pets/900').set(OWN_KEY).send({})
  expect(response.body).toMatchObject({ id: 900 })
})
/** Documents. */
const MANY = cases(3000, 1000)
