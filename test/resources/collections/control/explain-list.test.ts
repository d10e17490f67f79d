import { describe, expect, test } from 'vitest'
import { refusalOf } from '../../../support/control.ts'
import { createPetShop, inPath, ref, shows } from '../../../support/contracts/pets.ts'

const inQuery = (name: string, type: string) => ({ name, in: 'query', schema: { type } })

const LISTS = {
  '/pets': {
    get: {
      operationId: 'listPets',
      parameters: [
        inQuery('status', 'string'),
        inQuery('tag', 'string'),
        inQuery('page', 'integer'),
        inQuery('per_page', 'integer'),
      ],
      responses: { 200: shows({ type: 'array', items: ref('Pet') }) },
    },
    post: {
      operationId: 'createPet',
      requestBody: { content: { 'application/json': { schema: ref('NewPet') } } },
      responses: { 201: shows(ref('Pet')) },
    },
  },
  '/pets/{petId}/toys': {
    parameters: [inPath('petId')],
    get: { operationId: 'listToys', responses: { 200: shows({ type: 'array', items: ref('Toy') }) } },
    post: {
      operationId: 'createToy',
      requestBody: { content: { 'application/json': { schema: ref('Toy') } } },
      responses: { 201: shows(ref('Toy')) },
    },
  },
}
const SCHEMAS = {
  Toy: { type: 'object', properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } } },
}

/** A shop with the pets 11 to 15, which are new dogs, except for 13. */
async function createShop() {
  const { control } = createPetShop({}, LISTS, SCHEMAS)
  for (let id = 1; id <= 10; id++) await control.deleteDocument('pets', String(id))
  for (const tag of ['dog', 'dog', 'cat', 'dog', 'dog'])
    await control.createDocument('pets', { name: 'Rex', status: 'new', tag })
  return control
}

describe('why an item is in a list or not', () => {
  const list = { operationId: 'listPets', query: { tag: 'dog', status: 'new', per_page: 2, page: 1 } }

  test('is its place, and the page that this is on', async () => {
    const control = await createShop()
    const { collection, total, pageSize, document } = await control.explainList(list, '14')
    expect({ collection, total, pageSize }).toEqual({ collection: 'pets', total: 4, pageSize: 2 })
    expect(document).toMatchObject({ id: '14', state: 'listed', position: 3, page: 2 })
    expect(document?.why).toBe('It is item 3 of 4. With 2 items a page that is on page 2.')
  })

  test('is the conditions that it does not meet', async () => {
    const control = await createShop()
    const { conditions, document } = await control.explainList(list, '13')
    expect(conditions).toEqual([
      { reads: '/status is "new"', matches: 5 },
      { reads: '/tag is "dog"', matches: 4 },
    ])
    expect(document).toEqual({
      id: '13',
      state: 'excluded',
      why: 'It does not meet /tag is "dog": it has "cat".',
      conditions: [
        { reads: '/status is "new"', holds: true, value: 'new' },
        { reads: '/tag is "dog"', holds: false, value: 'cat' },
      ],
    })
  })

  test('is that it does not exist, or not any more', async () => {
    const control = await createShop()
    expect((await control.explainList(list, '99')).document).toMatchObject({
      state: 'unknown',
      why: 'pets has no pet 99.',
    })
    expect((await control.explainList(list, '3')).document).toMatchObject({
      state: 'deleted',
      why: 'The pet 3 was deleted.',
    })
  })

  test('may be that another parent has it', async () => {
    const control = await createShop()
    await control.putDocument('pets/12/toys', '50', { name: 'Ball' })
    const listToys = (petId: number) => control.explainList({ operationId: 'listToys', path: { petId } }, '50')
    expect((await listToys(12)).document).toMatchObject({ state: 'listed', position: 1 })
    expect(await listToys(14)).toMatchObject({ collection: 'pets/14/toys', document: { state: 'unknown' } })
  })
})

test('an explanation tells what a list request means, and changes nothing', async () => {
  const control = await createShop()
  const { events } = await control.getHistory()
  expect(await control.explainList({ operationId: 'listPets', query: { tag: 'cat' } })).toMatchObject({
    operationId: 'listPets',
    conditions: [{ reads: '/tag is "cat"', matches: 1 }],
    order: [],
    total: 1,
    behaviours: expect.any(Array) as string[],
  })
  expect((await control.getHistory()).events).toHaveLength(events.length)
})

test('what the service would refuse is refused', async () => {
  const control = await createShop()
  expect(await refusalOf(control.explainList({ operationId: 'listToys', path: { petId: 99 } }))).toContain(
    '404 /problems/item-not-found: There is no pet 99.',
  )
  expect(await refusalOf(control.explainList({ operationId: 'listPts' }))).toContain('Did you mean listPets?')
  await expect(control.explainList({ operationId: 'listPets', query: { page: 'x' } })).rejects.toMatchObject({
    errors: [{ pointer: '/list/query/page' }],
  })
})
