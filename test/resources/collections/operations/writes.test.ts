import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { inPath, nothing, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { createShelter, refusals, send, shelterOptions } from '../../../support/contracts/shelter.ts'
import { type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'
import { createTester } from '../../../support/tester.ts'
import { cases } from '../../../support/cases.ts'

const text = { type: 'string' }

const ADA = { name: 'Ada', phone: null }

describe('a creation', () => {
  test('says where the item is, as the request was sent', async () => {
    const { send } = createShelter()
    const { headers } = await send(['post', '/owners?dry=no'], ADA)
    expect(headers.location).toBe('/owners/11')
    expect(await send(['get', headers.location ?? ''])).toMatchObject({ status: 200, body: { id: 11, name: 'Ada' } })
  })

  test('says where the item is with the last slash of the path', async () => {
    const { send } = createShelter({
      '/types/': {
        get: { responses: { 200: shows({ type: 'array', items: ref('Visit') }) } },
        post: { requestBody: takes(ref('Visit')), responses: { 201: shows(ref('Visit')) } },
      },
      '/types/{typeId}/': { parameters: [inPath('typeId')], get: { responses: { 200: shows(ref('Visit')) } } },
    })
    const { headers } = await send(['post', '/types/'], { reason: 'first' })
    expect(headers.location).toBe('/types/11/')
    expect(await send(['get', headers.location ?? ''])).toMatchObject({ status: 200, body: { reason: 'first' } })
  })

  test('fills defaults, also in the objects that were sent', async () => {
    const { send } = createShelter()
    const { body } = await send(['post', '/owners'], { ...ADA, address: { street: 'Rue' } })
    expect(body).toMatchObject({ kind: 'person', address: { street: 'Rue', country: 'FR' } })
  })

  test('leaves open what must be there and may be null', async () => {
    const readOnly = true
    const closed = { type: ['string', 'null'], format: 'date-time', example: '2026-01-31T00:00:00Z', readOnly }
    const properties = {
      id: { ...ID, readOnly },
      city: { type: ['string', 'null'], example: 'Rome', readOnly },
      closed,
    }
    const { send } = createShelter({}, { Owner: { type: 'object', required: ['id', 'city', 'closed'], properties } })
    expect((await send(['post', '/owners'], {})).body).toEqual({ id: 11, city: null, closed: null })
  })

  test('keeps what only the service writes from clients, and writes it by the clock of the sandbox', async () => {
    const { send, control } = createShelter()
    const wanted = { ...ADA, id: 99, created_at: '1999-01-01T00:00:00Z', version: 7 }
    const { body } = await send(['post', '/owners'], wanted)
    const at = '2026-03-05T14:30:00.000Z'
    const leftOut = { city: null, address: { street: '', country: 'FR' } }
    expect(body).toEqual({ ...ADA, ...leftOut, kind: 'person', id: 11, created_at: at, updated_at: at, version: 1 })
    await control.advanceClock({ by: 'PT1M' })
    const { body: changed } = await send(['put', '/owners/11'], { ...body, name: 'Eve', version: 9 })
    expect(changed).toEqual({ ...body, name: 'Eve', updated_at: '2026-03-05T14:31:00.000Z', version: 2 })
  })

  test('names what it ignored of what only the service writes, unless the item has it', async () => {
    const { send } = createShelter()
    const created = await send(['post', '/owners'], { ...ADA, id: 99, version: 7 })
    expect(created.headers['x-mock-ignored']).toBe('body /id, body /version')
    const replaced = await send(['put', '/owners/11'], { ...created.body, id: 12 })
    expect(replaced.headers['x-mock-ignored']).toBe('body /id')
    const again = await send(['put', '/owners/11'], replaced.body)
    expect(again.headers).not.toHaveProperty('x-mock-ignored')
  })

  test('below a parent names it, whatever was sent', async () => {
    const members = { id: { type: 'integer', readOnly: true }, text: { type: 'string' } }
    const owner_id = { type: 'integer', readOnly: true }
    const Note = { type: 'object', required: ['id', 'owner_id'], properties: { ...members, owner_id } }
    const { send } = createShelter({}, { Note })
    const { body } = await send(['post', '/owners/7/notes'], { text: 'first', owner_id: 3 })
    expect(body).toEqual({ id: 11, text: 'first', owner_id: 7 })
    expect((await send(['get', '/owners/7/notes'])).body).toContainEqual(body)
  })

  test('of a list creates all of its items, or none', async () => {
    const batch = {
      '/owners/batch': {
        post: {
          requestBody: takes({ type: 'array', items: ref('Visit') }),
          responses: { 201: shows({ type: 'array', items: ref('Visit') }), ...refusals(400, 422) },
        },
      },
    }
    const { send } = createShelter({ '/visits/batch': batch['/owners/batch'] })
    const created = await send(['post', '/visits/batch'], [{ reason: 'a' }, { reason: 'b' }])
    expect(created).toMatchObject({
      status: 201,
      body: [
        { id: 11, reason: 'a' },
        { id: 12, reason: 'b' },
      ],
    })
    const refused = await send(['post', '/visits/batch'], [{ reason: 'c' }, { reason: 'd', owner_id: 99 }])
    expect(refused.status).toBe(422)
    expect((await send(['get', '/visits'])).body).toHaveLength(12)
  })
})

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

describe('a PUT to the path of the collection', () => {
  const paths = {
    '/tags': {
      post: { requestBody: takes(ref('Tag')), responses: { 200: shows(ref('Tag')) } },
      put: { requestBody: takes(ref('Tag')), responses: { 200: shows(ref('Tag')), ...refusals(400, 404) } },
    },
    '/tags/{tagId}': {
      parameters: [inPath('tagId')],
      get: { responses: { 200: shows(ref('Tag')), 404: nothing } },
    },
  }
  const schemas = { Tag: { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } } }

  test('replaces the item whose id is in the body', async () => {
    const { send } = createShelter(paths, schemas)
    expect(await send(['put', '/tags'], { id: 3, name: 'red' })).toMatchObject({
      status: 200,
      body: { id: 3, name: 'red' },
    })
    expect((await send(['get', '/tags/3'])).body).toEqual({ id: 3, name: 'red' })
    expect((await send(['put', '/tags'], { id: 99, name: 'red' })).status).toBe(404)
    expect((await send(['put', '/tags'], { name: 'red' })).status).toBe(400)
  })

  test('replaces the item that its body has the name of, which a POST of a list gave it', async () => {
    const kind = { type: 'object', properties: { name: { type: 'string' }, legs: { type: 'integer' } } }
    const { send } = createShelter(
      {
        '/kinds': {
          get: { responses: { 200: shows({ type: 'array', items: kind }) } },
          post: { requestBody: takes({ type: 'array', items: kind }), responses: { 200: nothing } },
          put: { requestBody: takes(kind), responses: { 200: nothing } },
        },
        '/kinds/{kind}': { parameters: [inPath('kind', 'string')], get: { responses: { 200: shows(kind) } } },
      },
      {},
    )
    await send(['post', '/kinds'], [{ name: 'spider' }, { name: 'crow', legs: 2 }])
    expect((await send(['get', '/kinds/crow'])).body).toEqual({ name: 'crow', legs: 2 })
    expect((await send(['put', '/kinds'], { name: 'spider', legs: 8 })).status).toBe(200)
    expect((await send(['get', '/kinds/spider'])).body).toEqual({ name: 'spider', legs: 8 })
    expect((await send(['put', '/kinds'], { name: 'snail', legs: 0 })).status).toBe(404)
  })

  test('an id that is taken is refused with 409', async () => {
    const { send } = createShelter(paths, schemas)
    expect((await send(['post', '/tags'], { id: 42, name: 'red' })).status).toBe(200)
    expect((await send(['post', '/tags'], { id: 42, name: 'blue' })).status).toBe(409)
  })
})

const DOCUMENTED_TAG = { headers: { ETag: { schema: { type: 'string' } } }, ...shows(ref('Note')) }

function createConditional(statuses: readonly number[] = [304, 412]) {
  const documented = { 200: DOCUMENTED_TAG, ...refusals(...statuses.filter((status) => status > 399)) }
  const header = (name: string) => ({ name, in: 'header', schema: { type: 'string' } })
  return createShelter({
    '/notes': { post: { requestBody: takes(ref('Note')), responses: { 201: shows(ref('Note')) } } },
    '/notes/{noteId}': {
      parameters: [inPath('noteId')],
      get: { responses: { ...documented, ...(statuses.includes(304) ? { 304: nothing } : {}) } },
      put: { parameters: [header('If-Match')], requestBody: takes(ref('Note')), responses: documented },
      head: { responses: { 200: nothing } },
      delete: { responses: { 204: nothing, ...refusals(412) } },
    },
  })
}

describe('where ETag is documented', () => {
  test('a write is refused with 412 when somebody else made one since', async () => {
    const { send } = createConditional()
    const { etag = '' } = (await send(['get', '/notes/1'])).headers
    const first = await send(['put', '/notes/1'], { text: 'mine' }, { 'If-Match': etag })
    expect(first.status).toBe(200)
    expect(first.headers.etag).not.toBe(etag)
    expect((await send(['put', '/notes/1'], { text: 'theirs' }, { 'If-Match': etag })).status).toBe(412)
    expect((await send(['delete', '/notes/1'], undefined, { 'If-Match': etag })).status).toBe(412)
    expect((await send(['get', '/notes/1'])).body).toMatchObject({ text: 'mine' })
    expect((await send(['put', '/notes/1'], { text: 'any' }, { 'If-Match': '*' })).status).toBe(200)
    expect((await send(['put', '/notes/1'], { text: 'new' }, { 'If-None-Match': '*' })).status).toBe(412)
  })

  test('a read of what the client has is 304', async () => {
    const { send } = createConditional()
    const { etag = '' } = (await send(['get', '/notes/1'])).headers
    expect(await send(['get', '/notes/1'], undefined, { 'If-None-Match': etag })).toMatchObject({
      status: 304,
      body: {},
    })
    expect((await send(['get', '/notes/1'], undefined, { 'If-None-Match': '"other"' })).status).toBe(200)
  })

  test('a write without If-Match is 428 where that is documented', async () => {
    const { send } = createConditional([412, 428])
    expect((await send(['put', '/notes/1'], { text: 'mine' })).status).toBe(428)
  })

  test('tags are numbers where the patterns of the headers ask for that, and Last-Modified counts where it is documented', async () => {
    const Draft = {
      type: 'object',
      properties: { id: { type: 'string' }, text: { type: 'string' }, updated_at: { type: 'integer' } },
    }
    const header = (name: string) => ({ name, in: 'header', schema: { type: 'string', pattern: '^"[0-9]+"$|^\\*$' } })
    const plain = { schema: { type: 'string' } }
    const shown = { headers: { ETag: plain, 'Last-Modified': plain }, ...shows(Draft) }
    const { send } = createShelter({
      '/drafts/{draftId}': {
        parameters: [inPath('draftId', 'string'), header('If-Match'), header('If-None-Match')],
        get: { responses: { 200: shown, 304: nothing } },
        put: { requestBody: takes(Draft), responses: { 200: shown, 201: shown, ...refusals(412) } },
      },
      '/drafts': { get: { responses: { 200: shows({ type: 'array', items: Draft }) } } },
    })
    const { status, headers } = await send(['put', '/drafts/a'], { text: 'one' })
    const { etag = '', 'last-modified': modified = '' } = headers
    expect([status, modified]).toEqual([201, 'Thu, 05 Mar 2026 14:30:00 GMT'])
    expect(etag).toMatch(/^"\d+"$/)
    const read = async (since: Record<string, string>) => (await send(['get', '/drafts/a'], undefined, since)).status
    expect(await read({ 'If-None-Match': etag })).toBe(304)
    expect(await read({ 'If-Modified-Since': modified })).toBe(304)
    expect(await read({ 'If-Modified-Since': 'Thu, 05 Mar 2026 14:29:59 GMT' })).toBe(200)
    const write = async (text: string, own: Record<string, string>) =>
      (await send(['put', '/drafts/a'], { text }, own)).status
    expect(await write('two', { 'If-Unmodified-Since': 'Thu, 05 Mar 2026 14:29:59 GMT' })).toBe(412)
    expect(await write('two', { 'If-Unmodified-Since': modified, 'If-Match': etag })).toBe(200)
    expect(await write('three', { 'If-Match': etag })).toBe(412)
  })

  test('HEAD is as GET, without a body', async () => {
    const { send } = createConditional()
    expect((await send(['head', '/notes/1'])).status).toBe(200)
    expect((await send(['head', '/notes/99'])).status).toBe(404)
  })
})

test('a JSON Patch changes an item step by step, or not at all', async () => {
  const patch = {
    'application/json-patch+json': { schema: { type: 'array', items: { type: 'object', required: ['op'] } } },
  }
  const merge = { 'application/merge-patch+json': { schema: ref('OwnerPatch') } }
  const operation = {
    requestBody: { required: true, content: { ...merge, ...patch } },
    responses: { 200: shows(ref('Owner')), ...refusals(400, 409) },
  }
  const { send } = createShelter({ '/owners/{ownerId}': { ...ownerPaths(), patch: operation } })
  const type = { 'Content-Type': 'application/json-patch+json' }
  await send(['post', '/owners'], { ...ADA, city: 'Paris' })
  const steps = [
    { op: 'test', path: '/name', value: 'Ada' },
    { op: 'replace', path: '/name', value: 'Eve' },
    { op: 'remove', path: '/city' },
    { op: 'add', path: '/address', value: { street: 'Rue' } },
  ]
  const changed = await send(['patch', '/owners/11'], steps, type)
  expect(changed).toMatchObject({ status: 200, body: { id: 11, name: 'Eve', address: { street: 'Rue' } } })
  expect(changed.body).not.toHaveProperty('city')
  expect((await send(['patch', '/owners/11'], steps, type)).status).toBe(409)
  const capital = await send(['patch', '/owners/1'], [{ op: 'Replace', path: '/name', value: 'Eve' }], type)
  expect(capital).toMatchObject({ status: 200, body: { id: 1, name: 'Eve' } })
  const wrong = await send(['patch', '/owners/11'], [{ op: 'remove', path: '/none' }], type)
  expect(wrong).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/^\/0: /) as string } })
  expect((await send(['patch', '/owners/11'], [{ path: '/name' }], type)).status).toBe(400)
  expect((await send(['patch', '/owners/11'], [{ op: 'replace', path: '/id', value: 5 }], type)).body).toEqual({
    ...changed.body,
    version: 3,
  })
  expect((await send(['get', '/owners/11'])).body).toMatchObject({ id: 11, name: 'Eve' })
  const mergeType = { 'Content-Type': 'application/merge-patch+json' }
  expect((await send(['patch', '/owners/11'], { city: 'Rome' }, mergeType)).body).toMatchObject({ city: 'Rome' })
})

function ownerPaths() {
  return {
    parameters: [inPath('ownerId')],
    get: { responses: { 200: shows(ref('Owner')), ...refusals(404) } },
  }
}

describe('an idempotency key', () => {
  const parameters = [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }]
  const post = {
    parameters,
    requestBody: takes(ref('Owner')),
    responses: { 201: shows(ref('Owner')), ...refusals(400, 422) },
  }
  const list = { responses: { 200: shows({ type: 'array', items: ref('Owner') }) } }
  const begin = () => createShelter({ '/owners': { get: list, post } })
  const KEY = { 'Idempotency-Key': 'abc' }

  test('gets the same response again, and creates nothing more', async () => {
    const { send } = begin()
    const first = await send(['post', '/owners'], ADA, KEY)
    const again = await send(['post', '/owners'], ADA, KEY)
    expect([again.status, again.body, again.headers.location]).toEqual([201, first.body, '/owners/11'])
    expect((await send(['get', '/owners'])).body).toHaveLength(11)
  })

  test('counts also where the operation does not name the header', async () => {
    const { send } = createShelter()
    const first = await send(['post', '/owners'], ADA, KEY)
    expect((await send(['post', '/owners'], ADA, KEY)).body).toEqual(first.body)
  })

  test('is refused with another body', async () => {
    const { send } = begin()
    await send(['post', '/owners'], ADA, KEY)
    expect((await send(['post', '/owners'], { ...ADA, name: 'Eve' }, KEY)).status).toBe(422)
    expect((await send(['post', '/owners'], ADA, { 'Idempotency-Key': 'def' })).body).toMatchObject({ id: 12 })
  })

  test('is a part of the state: a checkpoint has it, and a reset forgets it', async () => {
    const { send, control } = begin()
    const first = await send(['post', '/owners'], ADA, KEY)
    await control.createCheckpoint({ name: 'one' })
    await control.reset()
    expect((await send(['post', '/owners'], { ...ADA, name: 'Eve' }, KEY)).status).toBe(201)
    await control.restoreCheckpoint('one')
    expect((await send(['post', '/owners'], ADA, KEY)).body).toEqual(first.body)
  })
})

test('a value that the body may have and no response may show leaves the member as it is', async () => {
  const { send } = createShelter()
  const { name } = (await send(['get', '/owners/1'])).body
  const written = await send(['patch', '/owners/1'], { name: '', city: 'Paris' })
  expect(written).toMatchObject({ status: 200, body: { name, city: 'Paris' } })
  expect((await send(['get', '/owners/1'])).body).toEqual(written.body)
})

describe('an item with the id of one that was deleted', () => {
  const Shelf = { type: 'object', required: ['code'], properties: { code: { type: 'string' } } }
  const Book = {
    type: 'object',
    required: ['code'],
    properties: { code: { type: 'string' }, title: { type: 'string' } },
  }
  const itemsOf = (name: string) => ({
    get: { responses: { 200: shows({ type: 'array', items: ref(name) }), ...refusals(404) } },
    post: { requestBody: takes(ref(name)), responses: { 201: shows(ref(name)), ...refusals(404, 409) } },
  })
  const paths = {
    '/shelves': itemsOf('Shelf'),
    '/shelves/{code}': { parameters: [inPath('code', 'string')], delete: { responses: { 204: nothing } } },
    '/shelves/{code}/books': { parameters: [inPath('code', 'string')], ...itemsOf('Book') },
    '/shelves/{code}/books/{bookCode}': {
      parameters: [inPath('code', 'string'), inPath('bookCode', 'string')],
      get: { responses: { 200: shows(ref('Book')), ...refusals(404) } },
    },
    '/shelves/{code}/books/{bookCode}/notes': {
      parameters: [inPath('code', 'string'), inPath('bookCode', 'string')],
      ...itemsOf('Note'),
    },
    '/shelves/{code}/books/{bookCode}/notes/{noteId}': {
      parameters: [inPath('code', 'string'), inPath('bookCode', 'string'), inPath('noteId')],
      get: { responses: { 200: shows(ref('Note')), ...refusals(404) } },
    },
  }

  async function replaceShelf(before: (books: string, book: string) => readonly (readonly ['get' | 'post', string])[]) {
    const { send } = createShelter(paths, { Shelf, Book })
    const other = createShelter(paths, { Shelf, Book })
    const firstCode = async (path: string) => {
      const [first] = (await other.send(['get', path])).body as unknown as { code: string }[]
      return first?.code ?? ''
    }
    const shelf = `/shelves/${await firstCode('/shelves')}`
    const code = await firstCode(`${shelf}/books`)
    expect((await other.send(['get', `${shelf}/books/${code}/notes`])).body).toHaveLength(10)
    for (const request of before(`${shelf}/books`, `${shelf}/books/${code}`))
      await send(request, request[0] === 'post' ? { code: 'secret', text: 'secret' } : undefined)
    await send(['delete', shelf])
    await send(['post', '/shelves'], { code: shelf.split('/')[2] })
    const books = (await send(['get', `${shelf}/books`])).body
    await send(['post', `${shelf}/books`], { code })
    return { books, notes: (await send(['get', `${shelf}/books/${code}/notes`])).body }
  }

  test.each<[string, Parameters<typeof replaceShelf>[0]]>([
    ['that nobody looked at', () => []],
    [
      'that were listed',
      (books, book) => [
        ['get', books],
        ['get', `${book}/notes`],
      ],
    ],
    [
      'that clients created',
      (books, book) => [
        ['post', books],
        ['post', `${book}/notes`],
      ],
    ],
  ])('has none of the items below that one %s', async (_, before) => {
    expect(await replaceShelf(before)).toEqual({ books: [], notes: [] })
  })
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

test('the account whose id is the user name of HTTP Basic is there, and so is what lies below it', async () => {
  const { send } = createShelter()
  const me = { Authorization: `Basic ${Buffer.from('4711:secret').toString('base64')}` }
  expect((await send(['get', '/owners/4711'])).status).toBe(404)
  expect(await send(['get', '/owners/4711'], undefined, me)).toMatchObject({ status: 200, body: { id: 4711 } })
  expect((await send(['post', '/owners/4711/notes'], { text: 'mine' }, me)).status).toBe(201)
  expect((await send(['get', '/owners/4711/notes'], undefined, me)).body).toMatchObject([{ text: 'mine' }])
  expect((await send(['get', '/owners/4712/notes'], undefined, me)).status).toBe(404)
})

describe('a JSON Patch', () => {
  const content = { 'application/json-patch+json': { schema: { type: 'array', items: { type: 'object' } } } }
  const patch = { requestBody: { content }, responses: { 200: shows(ref('Owner')), ...refusals(400, 409) } }
  const begin = async (item: Json) => {
    const { send } = createShelter({ '/owners/{ownerId}': { ...ownerPaths(), patch } })
    await send(['post', '/owners'], item)
    return (...steps: readonly Json[]) =>
      send(['patch', '/owners/11'], steps, { 'Content-Type': 'application/json-patch+json' })
  }

  test('copies and moves values, and what is copied is a value of its own', async () => {
    const apply = await begin(ADA)
    const { status, body } = await apply(
      { op: 'add', path: '/address', value: { street: 'Rue', tags: ['a', 'c'] } },
      { op: 'copy', from: '/address', path: '/second' },
      { op: 'replace', path: '/second/street', value: 'Quai' },
      { op: 'add', path: '/address/tags/1', value: 'b' },
      { op: 'add', path: '/address/tags/-', value: 'd' },
      { op: 'move', from: '/address/tags', path: '/tags' },
      { op: 'remove', path: '/tags/0' },
      { op: 'test', path: '/tags', value: ['b', 'c', 'd'] },
      { op: 'test', path: '/second', value: { tags: ['a', 'c'], street: 'Quai' } },
    )
    expect({ status, body }).toMatchObject({ status: 200, body: { address: { street: 'Rue' } } })
  })

  test('replaces the item as a whole', async () => {
    const apply = await begin({ ...ADA, city: 'Paris' })
    const { status, body } = await apply({ op: 'replace', path: '', value: { ...ADA, name: 'Eve' } })
    expect({ status, body }).toMatchObject({ status: 200, body: { id: 11, name: 'Eve' } })
    expect(body).not.toHaveProperty('city')
  })

  test.each<[string, Json]>([
    ['removes the item', { op: 'remove', path: '' }],
    ['replaces the item by a list', { op: 'replace', path: '', value: [] }],
    ['has no value', { op: 'add', path: '/city' }],
    ['has no path', { op: 'remove' }],
    ['copies from nowhere', { op: 'copy', from: '/none', path: '/city' }],
    ['moves a value into itself', { op: 'move', from: '/address', path: '/address/inner' }],
    ['adds below what is not there', { op: 'add', path: '/none/inner', value: 1 }],
    ['adds below a text', { op: 'add', path: '/name/inner', value: 1 }],
    ['adds beyond the end of a list', { op: 'add', path: '/tags/5', value: 'x' }],
    ['adds at what is no index', { op: 'add', path: '/tags/x', value: 'x' }],
    ['is of no known kind', { op: 'clear', path: '/city' }],
    ['reaches for the prototype', { op: 'add', path: '/__proto__/x', value: 1 }],
  ])('that %s is refused', async (_, step) => {
    const apply = await begin(ADA)
    const { status, body } = await apply(
      { op: 'add', path: '/address', value: {} },
      { op: 'add', path: '/tags', value: ['a'] },
      step,
    )
    expect({ status, detail: body.detail }).toEqual({ status: 400, detail: expect.any(String) as string })
    expect(JSON.stringify(body)).not.toContain('/item')
  })
})

test('a JSON Patch is taken also where the document calls it an object', async () => {
  const content = { 'application/json-patch+json': { schema: { type: 'object' } } }
  const patch = { requestBody: { content }, responses: { 200: shows(ref('Owner')) } }
  const paths = {
    '/owners': { get: { responses: { 200: shows({ type: 'array', items: ref('Owner') }) } } },
    '/owners/{ownerId}': { parameters: [inPath('ownerId')], get: { responses: { 200: shows(ref('Owner')) } }, patch },
  }
  const { send } = createShelter(paths)
  const type = { 'Content-Type': 'application/json-patch+json' }
  const changed = await send(['patch', '/owners/1'], [{ op: 'replace', path: '/city', value: 'Paris' }], type)
  expect(changed).toMatchObject({ status: 200, body: { city: 'Paris' } })
})

test('an object is sent as JSON also where the document has bytes alone', async () => {
  const requestBody = { content: { 'application/octet-stream': { schema: ref('Owner') } } }
  const { send } = createShelter({
    '/owners': {
      get: { responses: { 200: shows({ type: 'array', items: ref('Owner') }) } },
      post: { requestBody, responses: { 200: shows(ref('Owner')) } },
    },
  })
  expect(await send(['post', '/owners'], ADA)).toMatchObject({ status: 200, body: { name: ADA.name } })
})

describe('a body with other names than the item', () => {
  const text = { type: 'string' }
  const Label = { type: 'object', required: ['name'], properties: { name: text, full_title: text, account_sid: text } }
  const body = { type: 'object', properties: { Name: text, FullTitle: text, new_name: text } }
  const requestBody = takes(body)
  const begin = () =>
    createShelter(
      {
        '/accounts/{AccountSid}/labels': {
          parameters: [{ ...inPath('AccountSid'), schema: text }],
          get: { responses: { 200: shows({ type: 'array', items: ref('Label') }) } },
          post: { requestBody, responses: { 201: shows(ref('Label')) } },
        },
        '/accounts/{AccountSid}/labels/{name}': {
          parameters: [inPath('AccountSid'), inPath('name')].map((one) => ({ ...one, schema: text })),
          get: { responses: { 200: shows(ref('Label')), ...refusals(404) } },
          patch: { requestBody, responses: { 200: shows(ref('Label')), ...refusals(409) } },
        },
      },
      { Label },
    )

  test('writes the members that it means, and the item has what its path says', async () => {
    const made = await begin().send(['post', '/accounts/AC1/labels'], { Name: 'help', FullTitle: 'Help wanted' })
    expect(made.body).toMatchObject({ name: 'help', full_title: 'Help wanted', account_sid: 'AC1' })
  })

  test('gives a new name, under which the item is then found', async () => {
    const { send } = begin()
    await send(['post', '/accounts/AC1/labels'], { Name: 'help', FullTitle: 'Help' })
    await send(['post', '/accounts/AC1/labels'], { Name: 'bug' })
    const at = '/accounts/AC1/labels/help'
    expect((await send(['patch', at], { new_name: 'bug' })).status).toBe(409)
    expect((await send(['patch', at], { new_name: 'aid' })).body).toMatchObject({ name: 'aid', full_title: 'Help' })
    expect((await send(['get', '/accounts/AC1/labels/aid'])).body).toMatchObject({ full_title: 'Help' })
    expect((await send(['get', at])).status).toBe(404)
  })
})

test('a PUT whose description says that it keeps what is not sent merges', async () => {
  const shown = { 200: shows(ref('Owner')) }
  const put = { requestBody: takes(ref('OwnerPatch')), responses: shown }
  const paths = (description: string) => ({
    '/owners': { get: { responses: { 200: shows({ type: 'array', items: ref('Owner') }) } } },
    '/owners/{ownerId}': { parameters: [inPath('ownerId')], get: { responses: shown }, put: { ...put, description } },
  })
  const keeping = createShelter(
    paths('Only the fields provided are updated; any unspecified fields will remain unchanged.'),
  )
  const { name } = (await keeping.send(['get', '/owners/1'])).body
  expect((await keeping.send(['put', '/owners/1'], { city: 'Paris' })).body).toMatchObject({ name, city: 'Paris' })
  const replacing = createShelter(paths('Replaces the owner.'))
  expect((await replacing.send(['put', '/owners/1'], { city: 'Paris' })).body).not.toMatchObject({ name })
})

test.for([
  ['Update an owner', 'OwnerPatch', 'Rome'],
  ['Replace an owner', 'OwnerPatch', null],
  ['Update an owner', 'Owner', null],
] as const)(
  'a PUT that requires nothing of what a creation requires merges, unless it says that it replaces: %s with %s',
  async ([summary, sent, city]) => {
    const shown = { 200: shows(ref('Owner')) }
    const post = { requestBody: takes(ref('Owner')), responses: { 201: shows(ref('Owner')) } }
    const { send } = createShelter({
      '/owners': { get: { responses: { 200: shows({ type: 'array', items: ref('Owner') }) } }, post },
      '/owners/{ownerId}': {
        parameters: [inPath('ownerId')],
        get: { responses: shown },
        put: { summary, requestBody: takes(ref(sent)), responses: shown },
      },
    })
    const ann = { name: 'Ann', phone: '1' }
    const { id } = (await send(['post', '/owners'], { ...ann, city: 'Rome' })).body as unknown as { id: number }
    await send(['put', `/owners/${id}`], { ...ann, phone: '2' })
    expect((await send(['get', `/owners/${id}`])).body).toMatchObject({ name: 'Ann', phone: '2', city })
  },
)

test('what is stored is not called ignored, though the schema of the body leaves it out', async () => {
  const shown = { 200: shows(ref('Owner')) }
  const input = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
  const { send } = createShelter({
    '/owners': {
      get: { responses: { 200: shows({ type: 'array', items: ref('Owner') }) } },
      post: { requestBody: takes(input), responses: { 201: shows(ref('Owner')) } },
    },
    '/owners/{ownerId}': {
      parameters: [inPath('ownerId')],
      get: { responses: shown },
      patch: { requestBody: takes(input), responses: shown },
    },
  })
  const created = await send(['post', '/owners'], { name: 'Ann', city: 'Rome', version: 7, odd: 1 })
  expect(created.body).toMatchObject({ name: 'Ann', city: 'Rome' })
  expect(created.body).not.toHaveProperty('odd')
  // `version` is the service's own.
  expect(created.headers['x-mock-ignored']).toBe('body /version, body /odd')
  const { id } = created.body as unknown as { id: number }
  const changed = await send(['patch', `/owners/${id}`], { name: 'Ann', city: 'Paris' })
  expect(changed.headers).not.toHaveProperty('x-mock-ignored')
  expect(changed.body).toMatchObject({ city: 'Paris' })
})

test('an uploaded file gives the item its name, size and type', async () => {
  const text = { type: 'string' }
  const properties = { id: text, filename: text, bytes: { type: 'integer' }, mime_type: text }
  const schema = { type: 'object', required: ['file'], properties: { file: { ...text, format: 'binary' } } }
  const post = {
    requestBody: { content: { 'multipart/form-data': { schema } } },
    responses: { 201: shows(ref('File')) },
  }
  const { standin } = createShelter(
    {
      '/files': { get: { responses: { 200: shows({ type: 'array', items: ref('File') }) } }, post },
      '/files/{fileId}': {
        parameters: [{ ...inPath('fileId'), schema: text }],
        get: { responses: { 200: shows(ref('File')) } },
      },
    },
    { File: { type: 'object', required: Object.keys(properties), properties } },
  )
  const sending = request(standin.app).post('/files').set(OWN_KEY)
  const sent = await sending.attach('file', Buffer.from('{}\n'), { filename: 'input.jsonl', contentType: 'text/plain' })
  expect(sent.body).toMatchObject({ filename: 'input.jsonl', bytes: 3, mime_type: 'text/plain' })
})

test('a dry run is answered as if it were done, and changes nothing', async () => {
  const query = { name: 'dryRun', in: 'query', schema: { type: 'boolean' } }
  const owners = {
    get: { responses: { 200: shows({ type: 'array', items: ref('Owner') }) } },
    post: { parameters: [query], requestBody: takes(ref('Owner')), responses: { 201: shows(ref('Owner')) } },
  }
  const { send } = createShelter({ '/owners': owners })
  const tried = await send(['post', '/owners?dryRun=true'], ADA)
  expect(tried).toMatchObject({ status: 201, body: ADA })
  expect((await send(['get', `/owners/${String((tried.body as { id: number }).id)}`])).status).toBe(404)
  const done = await send(['post', '/owners?dryRun=false'], ADA)
  expect((await send(['get', `/owners/${String((done.body as { id: number }).id)}`])).status).toBe(200)
})

test.each(['?updateMask=name', '?update_mask=name&update_mask=colour'])(
  '%s changes what it names alone',
  async (query) => {
    const [name = ''] = query.slice(1).split('=')
    const schema = name === 'updateMask' ? text : { type: 'array', items: text }
    const pet = {
      type: 'object',
      required: ['id', 'name', 'note'],
      properties: { id: { type: 'integer' }, name: text, note: text },
    }
    const change = {
      parameters: [{ name, in: 'query', schema }],
      requestBody: takes({ type: 'object', properties: { name: text, note: text } }),
      responses: { 200: shows(pet) },
    }
    const { send } = createShelter({
      '/pets': { get: { responses: { 200: shows({ type: 'array', items: pet }) } } },
      '/pets/{id}': { parameters: [inPath('id')], get: { responses: { 200: shows(pet) } }, patch: change },
    })
    const before = (await send(['get', '/pets/1'])).body as object
    const changed = await send(['patch', `/pets/1${query}`], { name: 'Minka', note: 'not now' })
    expect([changed.body, changed.headers['x-mock-ignored']]).toEqual([{ ...before, name: 'Minka' }, undefined])
    expect((await send(['patch', `/pets/1?${name}=`], { note: 'now' })).body).toEqual({
      ...before,
      name: 'Minka',
      note: 'now',
    })
  },
)
