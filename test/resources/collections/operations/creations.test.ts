import { describe, expect, test } from 'vitest'
import { createPetShop, inPath, nothing, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { createShelter, refusals } from '../../../support/contracts/shelter.ts'
import { OWN_KEY } from '../../../support/contracts/small-contract.ts'

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

test('the account whose id is the user name of HTTP Basic is there, and so is what lies below it', async () => {
  const { send } = createShelter()
  const me = { Authorization: `Basic ${Buffer.from('4711:secret').toString('base64')}` }
  expect((await send(['get', '/owners/4711'])).status).toBe(404)
  expect(await send(['get', '/owners/4711'], undefined, me)).toMatchObject({ status: 200, body: { id: 4711 } })
  expect((await send(['post', '/owners/4711/notes'], { text: 'mine' }, me)).status).toBe(201)
  expect((await send(['get', '/owners/4711/notes'], undefined, me)).body).toMatchObject([{ text: 'mine' }])
  expect((await send(['get', '/owners/4712/notes'], undefined, me)).status).toBe(404)
})

describe('a creation whose response shows what was sent, beside its id', () => {
  const Database = {
    type: 'object',
    required: ['uri'],
    properties: { uri: { type: 'string' }, label: { type: 'string' } },
  }
  const Listed = {
    type: 'object',
    properties: { id: { type: 'integer' }, label: { type: 'string' }, engine: { type: 'string' } },
  }
  const acknowledged = { type: 'object', properties: { id: { type: 'number' }, result: ref('Database') } }

  test('is of the collection, though its read is not described', async () => {
    const { request } = createPetShop(
      { documents: 0 },
      {
        '/databases': {
          get: { responses: { 200: shows({ type: 'array', items: ref('Listed') }) } },
          post: { requestBody: takes(ref('Database')), responses: { 201: shows(acknowledged) } },
        },
        '/databases/{databaseId}': {
          parameters: [inPath('databaseId')],
          get: { responses: { 200: shows({ type: 'object' }), 404: nothing } },
          put: { requestBody: takes(ref('Database')), responses: { 200: shows(acknowledged) } },
        },
      },
      { Database, Listed },
    )
    const sent = { uri: 'sqlite:///shop.db', label: 'Shop' }
    const created = await request().post('/databases').set(OWN_KEY).send(sent)
    expect([created.status, created.body]).toEqual([201, { id: 1, result: sent }])
    const listed = await request().get('/databases').set(OWN_KEY)
    expect(listed.body).toEqual([expect.objectContaining({ id: 1, label: 'Shop' })])
    const read = await request().get('/databases/1').set(OWN_KEY)
    expect([read.status, read.body]).toMatchObject([200, { id: 1, label: 'Shop' }])
    expect(
      (
        await request()
          .put('/databases/1')
          .set(OWN_KEY)
          .send({ ...sent, label: 'Store' })
      ).status,
    ).toBe(200)
    expect((await request().get('/databases/1').set(OWN_KEY)).body).toMatchObject({ label: 'Store' })
  })
})

test('what is created below an item of its own kind has a path among all of them', async () => {
  const Folder = {
    type: 'object',
    properties: {
      id: { type: 'integer', readOnly: true },
      name: { type: 'string' },
      parent_id: { type: ['integer', 'null'] },
    },
  }
  const many = { type: 'array', items: ref('Folder') }
  const creates = { requestBody: takes(ref('Folder')), responses: { 201: shows(ref('Folder')) } }
  const { request } = createPetShop(
    { documents: 0 },
    {
      '/folders': { get: { responses: { 200: shows(many) } }, post: creates },
      '/folders/{folderId}': {
        parameters: [inPath('folderId')],
        get: { responses: { 200: shows(ref('Folder')), 404: nothing } },
      },
      '/folders/{folderId}/children': {
        parameters: [inPath('folderId')],
        get: { responses: { 200: shows(many) } },
        post: creates,
      },
    },
    { Folder },
  )
  const send = (path: string, name: string) => request().post(path).set(OWN_KEY).send({ name })
  await send('/folders', 'Top')
  const body: unknown = (await send('/folders/1/children', 'Below')).body
  expect(body).toEqual({ id: 2, name: 'Below', parent_id: 1 })
  expect((await request().get('/folders/2').set(OWN_KEY)).body).toEqual(body)
  expect((await request().get('/folders/1/children').set(OWN_KEY)).body).toEqual([body])
  expect((await request().get('/folders/2/children').set(OWN_KEY)).body).toEqual([])
  expect((await send('/folders/9/children', 'Nowhere')).status).toBe(404)
})

test('a creation that shows nothing but the key of its path tells the key that reads it', async () => {
  const Form = { type: 'object', required: ['chart'], properties: { chart: { type: 'string' } } }
  const key = { type: 'object', properties: { key: { type: 'string' } } }
  const { request } = createPetShop(
    { documents: 0 },
    {
      '/forms': { post: { requestBody: takes(ref('Form')), responses: { 201: shows(key) } } },
      '/forms/{key}': {
        parameters: [inPath('key', 'string')],
        get: { responses: { 200: shows(ref('Form')), 404: nothing } },
        delete: { responses: { 204: nothing } },
      },
    },
    { Form },
  )
  const created = await request().post('/forms').set(OWN_KEY).send({ chart: 'pie' })
  const { key: made } = created.body as { readonly key: string }
  expect((await request().get(`/forms/${made}`).set(OWN_KEY)).body).toEqual({ chart: 'pie' })
})

test("a change of the caller's account makes it, where there is none yet", async () => {
  const User = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } }
  const user = { responses: { 200: shows(ref('User')) } }
  const { request } = createPetShop(
    { documents: 0 },
    {
      '/users': {
        get: { responses: { 200: shows({ type: 'array', items: ref('User') }) } },
        post: { requestBody: takes(ref('User')), responses: { 201: shows(ref('User')) } },
      },
      '/users/{userId}': { parameters: [inPath('userId')], get: user },
      '/me': { get: user, patch: { requestBody: takes(ref('User')), ...user } },
    },
    { User },
  )
  const changed = await request().patch('/me').set(OWN_KEY).send({ name: 'Ada' })
  expect([changed.status, changed.body]).toEqual([200, { id: 1, name: 'Ada' }])
  expect((await request().get('/me').set(OWN_KEY)).body).toEqual(changed.body)
  expect((await request().get('/users').set(OWN_KEY)).body).toEqual([changed.body])
})

test('two accounts share no name and no address where the creation may conflict', async () => {
  const text = { type: 'string' }
  const User = { type: 'object', properties: { id: { type: 'string', format: 'uuid' }, username: text, email: text } }
  const { request } = createPetShop(
    {},
    {
      '/users': {
        get: { responses: { 200: shows({ type: 'array', items: ref('User') }) } },
        post: {
          requestBody: takes(ref('User')),
          responses: { 201: shows(ref('User')), 409: { description: 'Conflict' } },
        },
      },
    },
    { User },
  )
  const send = async (body: object) => (await request().post('/users').set(OWN_KEY).send(body)).status
  expect(await send({ username: 'anna', email: 'anna@example.org' })).toBe(201)
  expect(await send({ username: 'anna' })).toBe(409)
  expect(await send({ username: 'anders', email: 'anna@example.org' })).toBe(409)
  expect(await send({ username: 'anders', email: 'anders@example.org' })).toBe(201)
})

test('no change gives an item what is unique of another, and a reference may be a part of it', async () => {
  const text = { type: 'string' }
  const Maker = { type: 'object', properties: { id: { type: 'integer' }, name: text } }
  const Model = { type: 'object', properties: { id: { type: 'integer' }, maker: ref('Maker'), code: text, note: text } }
  const input = { type: 'object', properties: { maker: { type: 'integer' }, code: text, note: text } }
  const writes = { requestBody: takes(input), responses: { 200: shows(ref('Model')) } }
  const { request } = createPetShop(
    { documents: 0 },
    {
      '/makers': {
        get: { responses: { 200: shows({ type: 'array', items: ref('Maker') }) } },
        post: { requestBody: takes(ref('Maker')), responses: { 201: shows(ref('Maker')) } },
      },
      '/makers/{makerId}': { parameters: [inPath('makerId')], get: { responses: { 200: shows(ref('Maker')) } } },
      '/models': {
        get: { responses: { 200: shows({ type: 'array', items: ref('Model') }) } },
        post: {
          'x-standin': { unique: [['maker', 'code']] },
          requestBody: takes(input),
          responses: { 201: shows(ref('Model')) },
        },
      },
      '/models/{modelId}': {
        parameters: [inPath('modelId')],
        get: { responses: { 200: shows(ref('Model')) } },
        put: writes,
        patch: writes,
      },
    },
    { Maker, Model },
  )
  const send = async (method: 'post' | 'put' | 'patch', path: string, body: object) =>
    (await request()[method](path).set(OWN_KEY).send(body)).status
  for (const name of ['Norwire', 'Southwire']) await send('post', '/makers', { name })
  expect(await send('post', '/models', { maker: 1, code: 'N-24' })).toBe(201)
  expect(await send('post', '/models', { maker: 1, code: 'N-24' })).toBe(409)
  expect(await send('post', '/models', { maker: 2, code: 'N-24' })).toBe(201)
  expect(await send('post', '/models', { maker: 1, code: 'N-48' })).toBe(201)
  expect(await send('patch', '/models/3', { code: 'N-24' })).toBe(409)
  expect(await send('put', '/models/3', { maker: 1, code: 'N-24' })).toBe(409)
  expect(await send('patch', '/models/3', { note: 'the same still' })).toBe(200)
  expect(await send('put', '/models/3', { maker: 1, code: 'N-48' })).toBe(200)
  expect(await send('patch', '/models/3', { code: 'N-96' })).toBe(200)
})

test('what lies below an item is found by the member that the path is called after', async () => {
  const Flow = { type: 'object', properties: { id: { type: 'integer', readOnly: true }, alias: { type: 'string' } } }
  const many = (name: string) => ({ responses: { 200: shows({ type: 'array', items: ref(name) }), 404: nothing } })
  const { request } = createPetShop(
    { documents: 0 },
    {
      '/flows': {
        get: many('Flow'),
        post: { requestBody: takes(ref('Flow')), responses: { 201: shows(ref('Flow')) } },
      },
      '/flows/{id}': { parameters: [inPath('id')], get: { responses: { 200: shows(ref('Flow')), 404: nothing } } },
      '/flows/{flowAlias}/steps': { parameters: [inPath('flowAlias', 'string')], get: many('Pet') },
    },
    { Flow },
  )
  await request().post('/flows').set(OWN_KEY).send({ alias: 'sign-up' })
  const statusOf = async (path: string) => (await request().get(path).set(OWN_KEY)).status
  expect(await statusOf('/flows/sign-up/steps')).toBe(200)
  expect(await statusOf('/flows/sign-out/steps')).toBe(404)
})
