import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { createPetShop, inPath, nothing, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { OWN_KEY } from '../../../support/contracts/small-contract.ts'

type Json = Readonly<Record<string, unknown>>

const TOY = {
  type: 'object',
  required: ['id', 'title', 'pet_id'],
  properties: {
    id: { type: 'integer', readOnly: true },
    pet_id: { type: 'integer', readOnly: true },
    title: { type: 'string' },
    done: { type: 'boolean', default: false },
  },
}

const { pet_id: _, ...NAMELESS_PROPERTIES } = TOY.properties
/** A toy that does not say whose it is. */
const NAMELESS = { ...TOY, required: ['id', 'title'], properties: NAMELESS_PROPERTIES }

/** Toys that are listed and created below pets, and read and changed by a path of their own. */
function createToyShop(toy: Json = TOY, more: Json = {}) {
  const paths = {
    ...more,
    '/pets/{petId}/toys': {
      parameters: [inPath('petId')],
      get: { responses: { 200: shows({ type: 'array', items: ref('Toy') }), 404: nothing } },
      post: { requestBody: takes(ref('Toy')), responses: { 201: shows(ref('Toy')) } },
    },
    '/toys/{toyId}': {
      parameters: [inPath('toyId')],
      get: { responses: { 200: shows(ref('Toy')), 404: nothing } },
      patch: { requestBody: takes(ref('Toy')), responses: { 200: shows(ref('Toy')) } },
      delete: { responses: { 204: nothing } },
    },
  }
  const { standin, control } = createPetShop({ selfCheck: true }, paths, { Toy: toy })
  const send = async (method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object) => {
    const sent = await request(standin.app)[method](path).set(OWN_KEY).send(body)
    return { status: sent.status, body: sent.body as Json, location: sent.get('Location') }
  }
  const toysOf = async (pet: number) => (await send('get', `/pets/${pet}/toys`)).body as unknown as readonly Json[]
  return { send, toysOf, control, standin }
}

describe('items with a path of their own that are listed below parents', () => {
  test('are one collection, of which each parent has those that name it', async () => {
    const { send, toysOf, control } = createToyShop()
    const { body, status, location } = await send('post', '/pets/3/toys', { title: 'Ball' })
    expect({ body, status, location }).toEqual({
      ...{ status: 201, location: '/toys/11' },
      body: { id: 11, pet_id: 3, title: 'Ball', done: false },
    })
    expect((await send('get', '/toys/11')).body).toEqual(body)
    expect(await toysOf(3)).toContainEqual(body)
    expect(await toysOf(4)).not.toContainEqual(body)
    expect((await control.listCollections()).collections.map(({ name }) => name)).toEqual(['pets', 'toys'])
  })

  test('have ids that no other has, and are found below the pets that they name', async () => {
    const { send, toysOf } = createToyShop()
    const all = (await Promise.all([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(toysOf))).flat()
    expect(all.map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    for (const toy of all) expect((await send('get', `/toys/${String(toy.id)}`)).body).toEqual(toy)
  })

  test('are changed and deleted in both places', async () => {
    const { send, toysOf } = createToyShop()
    const [toy] = [(await send('post', '/pets/3/toys', { title: 'Ball' })).body]
    await send('patch', '/toys/11', { title: 'Ball', done: true })
    expect(await toysOf(3)).toContainEqual({ ...toy, done: true })
    expect((await send('delete', '/toys/11')).status).toBe(204)
    expect((await send('get', '/toys/11')).status).toBe(404)
    expect((await toysOf(3)).map(({ id }) => id)).not.toContain(11)
  })

  test('need a parent that exists, and are gone with it', async () => {
    const { send } = createToyShop()
    expect((await send('get', '/pets/99/toys')).status).toBe(404)
    expect((await send('post', '/pets/99/toys', { title: 'Ball' })).status).toBe(404)
    await send('post', '/pets/3/toys', { title: 'Ball' })
    await send('delete', '/pets/3')
    expect((await send('get', '/toys/11')).status).toBe(404)
  })

  test('are known by where they were created if no member names their parent, and so are the first ones', async () => {
    const { send, toysOf, control } = createToyShop(NAMELESS)
    const all = (await Promise.all([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(toysOf))).flat()
    expect(all.map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    const { body, location } = await send('post', '/pets/3/toys', { title: 'Ball' })
    expect({ body, location }).toEqual({ location: '/toys/11', body: { id: 11, title: 'Ball', done: false } })
    const changed = (await send('patch', '/toys/11', { done: true })).body
    expect(await toysOf(3)).toContainEqual(changed)
    expect(await toysOf(4)).not.toContainEqual(changed)
    await control.putState(await control.getState())
    expect(await toysOf(3)).toContainEqual(changed)
    await send('delete', '/pets/3')
    expect((await send('get', '/toys/11')).status).toBe(404)
  })

  test('are those of several kinds of parents, also of parents that are no collection', async () => {
    const below = {
      parameters: [inPath('shopId', 'string')],
      get: { responses: { 200: shows({ type: 'array', items: ref('Toy') }), 404: nothing } },
      post: { requestBody: takes(ref('Toy')), responses: { 201: shows(ref('Toy')) } },
    }
    const { send, toysOf } = createToyShop(NAMELESS, { '/shops/{shopId}/toys': below })
    const ofShop = async (shop: string) => (await send('get', `/shops/${shop}/toys`)).body as unknown as readonly Json[]
    await send('post', '/pets/3/toys', { title: 'Ball' })
    await send('post', '/shops/north/toys', { title: 'Kite' })
    const kite = (await send('patch', '/toys/12', { title: 'Kite', done: true })).body
    expect(await ofShop('north')).toEqual([kite])
    expect(await ofShop('south')).toEqual([])
    expect((await toysOf(3)).map(({ title }) => title)).toContain('Ball')
    expect((await toysOf(3)).map(({ title }) => title)).not.toContain('Kite')
    await send('delete', '/toys/12')
    expect(await ofShop('north')).toEqual([])
  })
})

describe('items below parents that no operation reads', () => {
  const list = shows({ type: 'array', items: ref('Toy') })
  const shelf = {
    parameters: [inPath('shelfId', 'string')],
    get: { responses: { 200: list } },
    post: { requestBody: takes(ref('Toy')), responses: { 201: shows(ref('Toy')) } },
  }
  const remove = { parameters: [inPath('toyId')], delete: { responses: { 204: nothing, 404: nothing } } }

  test('are read by their lists where their own path has no GET', async () => {
    const { standin } = createPetShop(
      { selfCheck: true, documents: 0 },
      { '/shelves/{shelfId}/toys': shelf, '/toys/{toyId}': remove },
      { Toy: NAMELESS },
    )
    const send = (method: 'get' | 'post' | 'delete', path: string, body?: object) =>
      request(standin.app)[method](path).set(OWN_KEY).send(body)
    await send('post', '/shelves/top/toys', { title: 'Ball' })
    expect((await send('get', '/shelves/top/toys')).body).toEqual([{ id: 1, title: 'Ball', done: false }])
    expect((await send('get', '/shelves/low/toys')).body).toEqual([])
    expect((await send('delete', '/toys/1')).status).toBe(204)
    expect((await send('delete', '/toys/1')).status).toBe(404)
    expect((await send('get', '/shelves/top/toys')).body).toEqual([])
  })

  test('are below any of them if they are there from the start', async () => {
    const { standin } = createPetShop(
      {},
      { '/shelves/{shelfId}/toys': shelf, '/toys/{toyId}': remove },
      { Toy: NAMELESS },
    )
    for (const name of ['top', 'low'])
      expect((await request(standin.app).get(`/shelves/${name}/toys`).set(OWN_KEY)).body).toHaveLength(10)
  })
})

test('a search over all does not hold items whose ids clients choose below each parent', async () => {
  const text = { type: 'string' }
  const Release = {
    type: 'object',
    required: ['release'],
    properties: { release: text, name: text, pet_id: { type: 'integer' } },
  }
  const list = { type: 'array', items: ref('Release') }
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } }
  const { standin } = createPetShop(
    { selfCheck: true },
    {
      '/search/releases': { get: { parameters: [limit], responses: { 200: shows(list) } } },
      '/pets/{petId}/releases': {
        parameters: [inPath('petId')],
        get: { responses: { 200: shows(list) } },
        post: { requestBody: takes(ref('Release')), responses: { 201: shows(ref('Release')) } },
      },
      '/pets/{petId}/releases/{releaseExpression}': {
        parameters: [inPath('petId'), inPath('releaseExpression', 'string')],
        get: { responses: { 200: shows(ref('Release')), 404: nothing } },
      },
      '/pets/{petId}/releases/{releaseExpression}/notes': {
        parameters: [inPath('petId'), inPath('releaseExpression', 'string')],
        get: {
          responses: {
            200: shows({ type: 'array', items: { type: 'object', required: ['id'], properties: { id: text } } }),
          },
        },
        post: {
          requestBody: takes({ type: 'object', properties: { id: text } }),
          responses: { 201: shows({ type: 'object', required: ['id'], properties: { id: text } }) },
        },
      },
    },
    { Release },
  )
  const send = (method: 'get' | 'post', path: string, body?: object) =>
    request(standin.app)[method](path).set(OWN_KEY).send(body)
  for (const pet of [1, 2]) {
    const given = { release: '1.0.0', name: `Of ${pet}` }
    expect((await send('post', `/pets/${pet}/releases`, given)).status).toBe(201)
    expect((await send('get', `/pets/${pet}/releases/1.0.0`)).body).toMatchObject(given)
    expect((await send('post', `/pets/${pet}/releases/1.0.0/notes`, { id: 'a' })).status).toBe(201)
  }
  expect((await send('post', '/pets/1/releases/2.0.0/notes', { id: 'a' })).status).toBe(404)
})

describe('flags of projects, which clients read by their names alone', () => {
  const text = { type: 'string' }
  const Flag = {
    type: 'object',
    required: ['name', 'project'],
    properties: { name: text, project: { type: 'string', readOnly: true }, stale: { type: 'boolean', default: false } },
  }
  const Project = { type: 'object', required: ['id'], properties: { id: text, name: text } }
  const names = { type: 'object', required: ['flags'], properties: { flags: { type: 'array', items: text } } }
  const below = [inPath('projectId', 'string')]
  const change = (requestBody: object) => ({ parameters: below, post: { requestBody, responses: { 204: nothing } } })

  function createFlags(
    createProject: object = { post: { requestBody: takes(ref('Project')), responses: { 201: shows(ref('Project')) } } },
  ) {
    const { standin } = createPetShop(
      { selfCheck: true, documents: 0 },
      {
        '/projects': {
          get: { responses: { 200: shows({ type: 'array', items: ref('Project') }) } },
          ...createProject,
        },
        '/projects/{projectId}': {
          parameters: below,
          get: { responses: { 200: shows(ref('Project')), 404: nothing } },
        },
        '/projects/{projectId}/flags': {
          parameters: below,
          get: { responses: { 200: shows({ type: 'array', items: ref('Flag') }) } },
          post: { requestBody: takes(ref('Flag')), responses: { 201: shows(ref('Flag')) } },
        },
        '/projects/{projectId}/flags/{flagName}': {
          parameters: [...below, inPath('flagName', 'string')],
          get: { responses: { 200: shows(ref('Flag')), 404: nothing } },
        },
        '/flags': { get: { responses: { 200: shows({ type: 'array', items: ref('Flag') }) } } },
        '/flags/{flagName}': {
          parameters: [inPath('flagName', 'string')],
          get: { responses: { 200: shows(ref('Flag')), 404: nothing } },
        },
        '/projects/{projectId}/stale': change(takes(names)),
        '/projects/{projectId}/delete': change(takes(names)),
        '/projects/{projectId}/ponder': change(takes(names)),
      },
      { Flag, Project },
    )
    const send = (method: 'get' | 'post', path: string, body?: object) =>
      request(standin.app)[method](path).set(OWN_KEY).send(body)
    return { standin, send }
  }

  test('have the names that clients give them', async () => {
    const { send } = createFlags()
    await send('post', '/projects', { id: 'shop' })
    const flag = { name: 'wish-list', project: 'shop', stale: false }
    expect(await send('post', '/projects/shop/flags', { name: 'wish-list' })).toMatchObject({ status: 201, body: flag })
    expect((await send('get', '/projects/shop/flags/wish-list')).body).toEqual(flag)
    expect((await send('get', '/flags/wish-list')).body).toEqual(flag)
  })

  test('may be created in any project where none was, and nobody can create one', async () => {
    const { send } = createFlags({})
    expect((await send('post', '/projects/default/flags', { name: 'a' })).status).toBe(201)
    expect((await send('get', '/projects/default/flags')).body).toMatchObject([{ name: 'a', project: 'default' }])
  })

  test('are what an operation of the project is about that has to name them, and not the project', async () => {
    const { standin, send } = createFlags()
    await send('post', '/projects', { id: 'shop' })
    for (const name of ['a', 'b', 'c']) await send('post', '/projects/shop/flags', { name })
    expect((await send('post', '/projects/shop/stale', { flags: ['a', 'b'] })).status).toBe(204)
    expect((await send('post', '/projects/shop/delete', { flags: ['b'] })).status).toBe(204)
    expect((await send('get', '/projects/shop/flags')).body).toEqual([
      { name: 'a', project: 'shop', stale: true },
      { name: 'c', project: 'shop', stale: false },
    ])
    expect((await send('get', '/projects/shop')).status).toBe(200)
    // What a word means that no member is called after, nobody knows.
    expect(standin.operations.find((line) => line.includes('/ponder'))).toMatch(/generated/)
  })
})
