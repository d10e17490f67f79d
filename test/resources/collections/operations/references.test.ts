import { describe, expect, test } from 'vitest'
import { inPath, nothing, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { createShelter, refusals, shelterOptions, send } from '../../../support/contracts/shelter.ts'
import { type Json } from '../../../support/contracts/small-contract.ts'
import { createTester } from '../../../support/tester.ts'
import { cases } from '../../../support/cases.ts'

const ADA = { name: 'Ada', phone: null }

const ID = { type: 'integer' }
const TEXT = { type: 'string' }
const VISIT = {
  type: 'object',
  required: ['id', 'reason'],
  properties: { id: { ...ID, readOnly: true }, reason: { type: 'string' } },
}

/** Keepers by id or name, and cages with members of their own. @param example of the body of a cage */
function createKeepers(members: Json, example: Json = {}, identity: 'id' | 'name' = 'id') {
  const own = identity === 'id' ? { ...ID, readOnly: true } : { type: 'string' }
  const type = identity === 'id' ? 'integer' : 'string'
  const body = { content: { 'application/json': { schema: ref('Cage'), example } } }
  const item = { parameters: [inPath('cageId')], get: { responses: { 200: shows(ref('Cage')) } } }
  return createShelter(
    {
      '/keepers': { get: { responses: { 200: shows({ type: 'array', items: ref('Keeper') }) } } },
      '/keepers/{keeper}': {
        parameters: [inPath('keeper', type)],
        get: { responses: { 200: shows(ref('Keeper')) } },
        delete: { responses: { 204: nothing } },
      },
      '/cages': { post: { requestBody: body, responses: { 201: shows(ref('Cage')), ...refusals(400) } } },
      '/cages/{cageId}': {
        ...item,
        put: { requestBody: body, responses: { 200: shows(ref('Cage')), ...refusals(400) } },
      },
    },
    {
      Keeper: { type: 'object', required: [identity], properties: { [identity]: own } },
      Cage: { type: 'object', required: ['id'], properties: { id: { ...ID, readOnly: true }, ...members } },
    },
  )
}

describe('a reference', () => {
  test.each([
    [{ owner_id: 99 }, '/owner_id'],
    [{ owner: { id: 99 } }, '/owner/id'],
    [{ lines: [{ owner_id: 1 }, { owner_id: 99 }] }, '/lines/1/owner_id'],
  ])('is refused when it names nothing: %j', async (given, pointer) => {
    const { send } = createShelter()
    const refused = await send(['post', '/visits'], { reason: 'x', ...given })
    expect(refused.status).toBe(422)
    expect(refused.body).toEqual({ detail: `${pointer}: expected the id of an owner, such as 1, got 99.` })
  })

  test('is named by its place in the body, which may hold the item inside', async () => {
    const visit = { type: 'object', required: ['visit'], properties: { visit: ref('Visit') } }
    const responses = { 201: shows(visit), ...refusals(422) }
    const listed = { type: 'object', properties: { visits: { type: 'array', items: ref('Visit') } } }
    const { send } = createShelter({
      '/visits': { get: { responses: { 200: shows(listed) } }, post: { requestBody: takes(visit), responses } },
    })
    const given = { visit: { reason: 'x', lines: [{ owner_id: 99 }] } }
    const refused = await send(['post', '/visits'], given)
    expect(refused).toMatchObject({
      status: 422,
      body: { detail: expect.stringMatching(/^\/visit\/lines\/0\/owner_id: /) as string },
    })
    expect((await send(['post', '/visits'], { visit: { reason: 'x', owner_id: 10 } })).status).toBe(201)
  })

  test('is named by its place in a body that describes a member of the item', async () => {
    const place = { type: 'object', required: ['street', 'owner_id'], properties: { street: TEXT, owner_id: ID } }
    const Site = {
      type: 'object',
      required: ['id', 'place'],
      properties: { id: { ...ID, readOnly: true }, place, name: TEXT },
    }
    const { send } = createShelter(
      {
        '/sites': {
          get: { responses: { 200: shows({ type: 'array', items: ref('Site') }) } },
          post: { requestBody: takes(place), responses: { 201: shows(ref('Site')), ...refusals(422) } },
        },
        '/sites/{siteId}': { parameters: [inPath('siteId')], get: { responses: { 200: shows(ref('Site')) } } },
      },
      { Site },
    )
    const refused = await send(['post', '/sites'], { street: 'Rue', owner_id: 99 })
    expect(refused).toMatchObject({ status: 422, body: { detail: expect.stringMatching(/^\/owner_id: /) as string } })
    const created = await send(['post', '/sites'], { street: 'Rue', owner_id: 10 })
    expect(created).toMatchObject({ status: 201, body: { place: { street: 'Rue', owner_id: 10 } } })
  })

  test('may name an item of a fixture, and no other where the fixture has all', async () => {
    const statuses = async (owners: object) => {
      const tester = createTester({ ...shelterOptions(), fixtures: [{ collections: { owners } }] })
      const refer = (owner_id: number) => send(tester, ['post', '/visits'], { reason: 'x', owner_id })
      return [(await refer(50)).status, (await refer(1)).status, (await refer(51)).status]
    }
    expect(await statuses({ 50: ADA })).toEqual([201, 201, 422])
    expect(await statuses([{ id: 50, ...ADA }])).toEqual([201, 422, 422])
  })

  test('is refused when its item was deleted', async () => {
    const { send } = createShelter()
    expect((await send(['delete', '/owners/10'])).status).toBe(204)
    expect((await send(['post', '/visits'], { reason: 'x', owner_id: 10 })).status).toBe(422)
  })

  test.each([
    ['gives as the example of the member', { keeper_id: { type: 'integer', example: 77 } }, { keeper_id: 77 }],
    ['gives as its default', { keeper_id: { type: 'integer', default: 77 } }, { keeper_id: 77 }],
    [
      'gives in an example of the body',
      { keeper_ids: { type: 'array', items: { type: 'integer' } } },
      { keeper_ids: [77] },
    ],
    [
      'gives in an object',
      { keeper: { type: 'object', properties: { id: { type: 'integer', example: 77 } } } },
      { keeper: { id: 77 } },
    ],
  ])('may name an item that the contract %s', async (_how, members, given) => {
    const { send } = createKeepers(members, { keeper_ids: [77] })
    expect(await send(['post', '/cages'], given)).toMatchObject({ status: 201, body: given })
    const others = JSON.parse(JSON.stringify(given).replace('77', '78')) as object
    expect((await send(['post', '/cages'], others)).status).toBe(400)
  })

  test('that the contract gives as an example is refused once its item was deleted', async () => {
    const { send } = createKeepers({ keeper_id: { type: 'integer', example: 3 } })
    expect((await send(['post', '/cages'], { keeper_id: 3 })).status).toBe(201)
    expect((await send(['delete', '/keepers/3'])).status).toBe(204)
    expect((await send(['post', '/cages'], { keeper_id: 3 })).status).toBe(400)
    expect((await send(['put', '/cages/11'], { keeper_id: 3 })).status, 'it has it already').toBe(200)
  })

  test.each([
    ['is documented as another kind of value', { keeper_id: { type: 'string' } }, { keeper_id: '99' }],
    [
      'is inside a member that the contract does not describe',
      { labels: { type: 'object' } },
      { labels: { keeper_id: 99 } },
    ],
    [
      'is of a map',
      { labels: { type: 'object', additionalProperties: { type: 'integer' } } },
      { labels: { keeper_id: 99 } },
    ],
  ])('is not looked for where the member %s', async (_how, members, given) => {
    const { send } = createKeepers(members)
    expect(await send(['post', '/cages'], given)).toMatchObject({ status: 201, body: given })
  })

  test('is not looked for among items that are told apart by name, or that lie below others', async () => {
    const named = createKeepers({ keeper_id: { type: 'string' } }, undefined, 'name')
    expect((await named.send(['post', '/cages'], { keeper_id: 'nobody' })).status).toBe(201)
    const { send } = createShelter({}, { Visit: { ...VISIT, properties: { ...VISIT.properties, note_id: ID } } })
    expect((await send(['post', '/visits'], { reason: 'x', note_id: 99 })).status).toBe(201)
  })

  test.each([
    [0, 201],
    [10, 422],
  ])('may name what no operation creates, unless such items are known: of %i, %i', async (documents, status) => {
    const read = { responses: { 200: shows(ref('Plan')) } }
    const { send } = createShelter(
      {
        '/plans': { get: { responses: { 200: shows({ type: 'array', items: ref('Plan') }) } } },
        '/plans/{id}': { parameters: [inPath('id', 'string')], get: read },
      },
      {
        Plan: { type: 'object', required: ['id'], properties: { id: TEXT, title: TEXT } },
        Visit: { ...VISIT, properties: { ...VISIT.properties, plan_id: TEXT } },
      },
      { documents },
    )
    expect((await send(['post', '/visits'], { reason: 'x', plan_id: 'gold' })).status).toBe(status)
  })

  test('may name an item that exists, or one of a collection that is not known', async () => {
    const { send } = createShelter()
    expect((await send(['post', '/visits'], { reason: 'x', owner_id: 10, vet: { id: 99 } })).status).toBe(201)
  })
})

test.each([
  ['Creates a visit.', 409, 'first'],
  ['Creates a visit, or updates an existing one.', 201, 'again'],
])('a creation with the id of an item, described as %j', async (description, status, reason) => {
  const Visit = { type: 'object', required: ['id'], properties: { id: { type: 'string' }, reason: { type: 'string' } } }
  const { send } = createShelter({
    '/visits': {
      get: { responses: { 200: shows({ type: 'array', items: Visit }) } },
      post: { description, requestBody: takes(Visit), responses: { 201: shows(Visit) } },
    },
    '/visits/{visitId}': { parameters: [inPath('visitId', 'string')], get: { responses: { 200: shows(Visit) } } },
  })
  await send(['post', '/visits'], { id: 'v', reason: 'first' })
  expect((await send(['post', '/visits'], { id: 'v', reason: 'again' })).status).toBe(status)
  expect((await send(['get', '/visits/v'])).body).toEqual({ id: 'v', reason })
})

test('a deletion removes what refers to the item from a large collection that is listed below it', async () => {
  const { send } = createShelter({}, {}, { documents: cases(1000, 200) })
  const visitsOf = async (owner: number) => (await send(['get', `/owners/${owner}/visits`])).body as unknown as Json[]
  const made = await send(['post', '/visits'], { reason: 'cough', owner_id: 3 })
  const kept = await send(['post', '/visits'], { reason: 'cough', owner_id: 4 })
  expect((await visitsOf(3)).map(({ id }) => id)).toContain(made.body.id)
  expect((await send(['delete', '/owners/3'])).status).toBe(204)
  expect((await send(['get', made.headers.location ?? ''])).status).toBe(404)
  expect((await send(['get', kept.headers.location ?? ''])).status).toBe(200)
})
