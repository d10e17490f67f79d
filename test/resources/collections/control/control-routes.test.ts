import { join } from 'node:path'
import request from 'supertest'
import { describe, expect, onTestFinished, test } from 'vitest'
import { defineOperation } from '../../../../src/index.ts'
import { createDirectory } from '../../../support/command.ts'
import { createControlledTester, refusalOf } from '../../../support/control.ts'
import { createPetShop, inPath, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { createShelter } from '../../../support/contracts/shelter.ts'
import { OWN_KEY } from '../../../support/contracts/small-contract.ts'

const TOYS = {
  '/pets/{petId}/toys': {
    parameters: [inPath('petId')],
    get: { operationId: 'listToys', responses: { 200: shows({ type: 'array', items: ref('Toy') }) } },
    post: { operationId: 'createToy', requestBody: takes(ref('Toy')), responses: { 201: shows(ref('Toy')) } },
  },
  '/settings': {
    get: { operationId: 'readSettings', responses: { 200: shows(ref('Settings')) } },
    put: {
      operationId: 'putSettings',
      requestBody: takes(ref('Settings')),
      responses: { 200: shows(ref('Settings')) },
    },
  },
}
const SCHEMAS = {
  Toy: { type: 'object', properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } } },
  Settings: { type: 'object', required: ['theme'], properties: { theme: { enum: ['light', 'dark'] } } },
}

const createShop = () => {
  const { standin, control } = createPetShop({}, TOYS, SCHEMAS)
  const get = async (path: string) => await request(standin.app).get(path).set(OWN_KEY)
  return { standin, control, get }
}

describe('the collections of a sandbox', () => {
  test('are listed with what was found in the contract', async () => {
    const { control } = createShop()
    const { collections, instances } = await control.listCollections()
    expect(instances).toEqual([])
    expect(collections.map(({ name, noun, parent, count }) => [name, noun, parent, count])).toEqual([
      ['pets', 'pet', null, 10],
      ['settings', 'settings', null, 1],
      ['pets/{petId}/toys', 'toy', 'pets', null],
    ])
    expect(collections[0]).toMatchObject({
      path: '/pets',
      isSingleton: false,
      identity: { member: '/id', type: 'integer' },
    })
    expect(collections[0]?.operations).toContainEqual({
      operationId: 'deletePet',
      method: 'DELETE',
      path: '/pets/{petId}',
      role: 'delete',
      reason: 'DELETE on the path of an item',
    })
  })

  // Making all of them takes longer.
  test('are counted without making their documents', { timeout: 20_000 }, async () => {
    const documents = 100_000
    const { control } = createControlledTester({ contract: 'examples/shop/contract.yaml', documents })
    const { collections } = await control.listCollections()
    expect(collections.map(({ name, count }) => [name, count])).toEqual([
      ['customers', documents],
      ['products', documents],
      ['orders', documents],
      ['settings', 1],
    ])
  })

  test('are counted with the documents of fixtures', async () => {
    const pets = '{ 3: { name: Rex }, 77: { name: Max } }'
    const directory = createDirectory({
      'added.yaml': `collections: { pets: ${pets} }`,
      'whole.yaml': 'collections: { pets: [{ name: Rex }] }',
    })
    onTestFinished(directory.remove)
    const countOf = async (fixture: string, documents: number) => {
      const { control } = createPetShop({ fixtures: [join(directory.path, fixture)], documents })
      return (await control.listCollections()).collections[0]?.count
    }
    expect(await countOf('added.yaml', 10)).toBe(11)
    expect(await countOf('whole.yaml', 10)).toBe(1)
    // Which of many ids are among them is found when the documents are made.
    expect(await countOf('added.yaml', 1000)).toBeNull()
  })

  test('show which instances were changed', async () => {
    const { control } = createShop()
    await control.createDocument('pets', { name: 'Rex' })
    await control.createDocument('pets/3/toys', { name: 'Ball' })
    const { collections, instances } = await control.listCollections()
    expect(collections[0]?.count).toBe(11)
    expect(instances).toEqual([
      { name: 'pets', collection: 'pets', count: 11 },
      { name: 'pets/3/toys', collection: 'pets/{petId}/toys', count: 11 },
    ])
  })

  test('are none where handlers do all the work', async () => {
    const { standin, control } = createPetShop({
      handlers: ['listPets', 'createPet', 'readPet', 'replacePet', 'changePet', 'deletePet'].map((id) =>
        defineOperation(id, () => ({ status: 204 })),
      ),
    })
    expect(standin.operations).toHaveLength(6)
    expect(await control.listCollections()).toEqual({ collections: [], instances: [] })
  })
})

describe('the documents of a collection', () => {
  test('are listed as they are stored, in pages', async () => {
    const { control, get } = createShop()
    const all = await control.listDocuments('pets')
    expect(all.total).toBe(10)
    expect(all.documents.map(({ document }) => document)).toEqual((await get('/pets')).body)
    const some = await control.listDocuments('pets', { offset: 8, limit: 5 })
    expect(some).toEqual({ total: 10, documents: all.documents.slice(8) })
  })

  test('can be written with members that clients cannot write', async () => {
    const { control, get } = createShop()
    const created = await control.createDocument('pets', { id: 77, name: 'Rex', created_at: '2020-01-01T00:00:00Z' })
    expect(created).toEqual({ id: '77', document: { id: 77, name: 'Rex', created_at: '2020-01-01T00:00:00Z' } })
    expect((await get('/pets/77')).body).toEqual(created.document)
  })

  test('get the next id, and what their schema requires', async () => {
    const { control, get } = createShop()
    const { id, document } = await control.createDocument('pets', { status: 'sold' })
    expect(id).toBe('11')
    expect(document).toEqual({ id: 11, name: expect.any(String) as string, status: 'sold' })
    expect((await get('/pets/11')).body).toEqual(document)
  })

  test('are replaced, merged and deleted', async () => {
    const { control, get } = createShop()
    expect(await control.putDocument('pets', '1', { name: 'Max' })).toEqual({
      id: '1',
      document: { id: 1, name: 'Max' },
    })
    expect(await control.changeDocument('pets', '1', { tag: 'dog' })).toMatchObject({
      document: { name: 'Max', tag: 'dog' },
    })
    const { document } = await control.changeDocument('pets', '1', { tag: null, status: 'sold' })
    expect(document).toEqual({ id: 1, name: 'Max', status: 'sold' })
    expect((await get('/pets/1')).body).toEqual(document)
    await control.deleteDocument('pets', '1')
    expect((await get('/pets/1')).status).toBe(404)
    expect(await refusalOf(control.getDocument('pets', '1'))).toBe(
      '404 /problems/item-not-found: The pet 1 of pets was deleted.',
    )
  })

  test('are deleted with what lies below them, as the API deletes them', async () => {
    const { control, send } = createShelter()
    await send(['post', '/owners/7/notes'], { text: 'first' })
    const { body: visit } = await send(['post', '/visits'], { reason: 'x', owner_id: 7 })
    await control.deleteDocument('owners', '7')
    expect((await send(['get', '/visits'])).body).not.toContainEqual(visit)
    const { instances } = await control.listCollections()
    expect(instances.find(({ name }) => name === 'owners/7/notes')).toMatchObject({ count: 0 })
  })

  test('are kept or refused where the behaviour says so', async () => {
    const deleteOwner = async (setting: string) => {
      const { control, send } = createShelter()
      await send(['post', '/owners/7/notes'], { text: 'first' })
      await control.putBehaviours({ 'collections.cascade': setting })
      return await refusalOf(control.deleteDocument('owners', '7')).catch(() => 'deleted')
    }
    expect(await deleteOwner('keep')).toBe('deleted')
    expect(await deleteOwner('refuse')).toContain('409 ')
  })

  test('are created under an id of the path', async () => {
    const { control, get } = createShop()
    expect(await control.putDocument('pets', '500', { name: 'Max' })).toEqual({
      id: '500',
      document: { id: 500, name: 'Max' },
    })
    expect((await get('/pets/500')).body).toEqual({ id: 500, name: 'Max' })
  })

  test('of one parent are apart from those of others', async () => {
    const { control, get } = createShop()
    await control.putDocument('pets/2/toys', '50', { name: 'Ball' })
    expect((await get('/pets/2/toys')).body).toContainEqual({ id: 50, name: 'Ball' })
    expect((await get('/pets/3/toys')).body).not.toContainEqual({ id: 50, name: 'Ball' })
  })

  test('of one parent name it', async () => {
    const properties = { ...SCHEMAS.Toy.properties, pet_id: { type: 'integer', readOnly: true } }
    const Toy = { type: 'object', required: ['pet_id'], properties }
    const { control } = createPetShop({}, TOYS, { ...SCHEMAS, Toy })
    expect((await control.createDocument('pets/2/toys', { name: 'Ball' })).document).toMatchObject({ pet_id: 2 })
    expect((await control.putDocument('pets/2/toys', '50', { name: 'Ball' })).document).toMatchObject({ pet_id: 2 })
    expect((await control.changeDocument('pets/2/toys', '1', { name: 'Ball' })).document).toMatchObject({ pet_id: 2 })
  })

  test('can be one that always exists', async () => {
    const { control, get } = createShop()
    await control.putDocument('settings', 'singleton', { theme: 'dark' })
    expect((await get('/settings')).body).toEqual({ theme: 'dark' })
    expect(await refusalOf(control.deleteDocument('settings', 'singleton'))).toContain(
      '409 /problems/document-required',
    )
    expect(await refusalOf(control.createDocument('settings', { theme: 'dark' }))).toContain(
      '409 /problems/item-exists',
    )
    expect(await refusalOf(control.putDocument('settings', '1', { theme: 'dark' }))).toContain(
      '404 /problems/item-not-found',
    )
  })

  test('of handlers have any shape', async () => {
    const handlers = [defineOperation('deletePet', () => ({ status: 204 }))]
    const { control } = createPetShop({ handlers, fixtures: [{ collections: { notes: { '3': { text: 'Hi' } } } }] })
    expect(await control.createDocument('notes', { text: 'Ho' })).toEqual({ id: '4', document: { text: 'Ho' } })
    expect((await control.listDocuments('notes')).total).toBe(2)
    expect((await control.listCollections()).instances).toEqual([{ name: 'notes', collection: null, count: 2 }])
  })
})

describe('a request is refused', () => {
  test('for a collection that does not exist, with the one that was meant', async () => {
    const { control } = createShop()
    expect(await refusalOf(control.listDocuments('pest'))).toBe(
      '404 /problems/collection-not-found: The sandbox default has no collection "pest". Did you mean pets?',
    )
    expect(await refusalOf(control.createDocument('pets/99/toys', {}))).toBe(
      '404 /problems/collection-not-found: The sandbox default has no collection "pets/99/toys": there is no pet 99.',
    )
  })

  test('for a document that no response could show, with the place', async () => {
    const { control } = createShop()
    const refused = control.createDocument('pets', { name: 7, status: 'lost' })
    await expect(refused).rejects.toMatchObject({
      status: 400,
      errors: [
        { pointer: '/name', message: '/name: expected a string, got 7.' },
        { pointer: '/status', code: 'enum' },
      ],
    })
    await expect(control.changeDocument('pets', '1', { status: 'lost' })).rejects.toMatchObject({
      errors: [{ pointer: '/status' }],
    })
    expect((await control.listCollections()).instances).toEqual([])
  })

  test('for a member that its schema forbids, with the one that was meant', async () => {
    const box = {
      type: 'object',
      required: ['id'],
      additionalProperties: false,
      properties: { id: { type: 'integer' }, name: { type: 'string' } },
    }
    const paths = {
      '/boxes': { get: { responses: { 200: shows({ type: 'array', items: box }) } } },
      '/boxes/{id}': { parameters: [inPath('id')], get: { responses: { 200: shows(box) } } },
    }
    const { control } = createShelter(paths, {})
    await expect(control.createDocument('boxes', { nam: 'x' })).rejects.toMatchObject({
      status: 400,
      errors: [{ pointer: '/nam', message: '/nam is not known. Did you mean name?' }],
    })
    expect((await control.createDocument('boxes', { name: 'x' })).document).toMatchObject({ name: 'x' })
  })

  test('for an id that is taken, and one that is not that of the path', async () => {
    const { control } = createShop()
    expect(await refusalOf(control.createDocument('pets', { id: 1, name: 'Rex' }))).toBe(
      '409 /problems/item-exists: There is a pet 1 already.',
    )
    await expect(control.putDocument('pets', '1', { id: 2, name: 'Rex' })).rejects.toMatchObject({
      errors: [{ pointer: '/id', expected: '1, as in the path' }],
    })
  })
})

test('changes are events, which history, checkpoints and resets know', async () => {
  const { control } = createShop()
  await control.createDocument('pets', { name: 'Rex' })
  await control.createCheckpoint({ name: 'rex' })
  await control.deleteDocument('pets', '11')
  const { events } = await control.getHistory()
  expect(events.map(({ type }) => type)).toEqual(['document.created', 'checkpoint.taken', 'document.removed'])
  await control.restoreCheckpoint('rex')
  expect((await control.getDocument('pets', '11')).document).toMatchObject({ name: 'Rex' })
  await control.reset()
  expect(await refusalOf(control.getDocument('pets', '11'))).toBe(
    '404 /problems/item-not-found: The collection pets has no pet 11.',
  )
})

test('a created document is where its Location says', async () => {
  const { standin } = createShop()
  const created = await request(standin.app).post('/__mock/collections/pets').send({ name: 'Rex' }).expect(201)
  const { pathname } = new URL(String(created.headers.location))
  expect((await request(standin.app).get(pathname).expect(200)).body).toEqual(created.body)
})
