import { fileURLToPath } from 'node:url'
import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { createStandin, type StandinOptions } from '../../../../src/index.ts'
import { cases, takesAll } from '../../../support/cases.ts'
import { createPetShop, inPath, nothing, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { createShelter } from '../../../support/contracts/shelter.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'

/** Documents of a large collection. */
const MANY = cases(3000, 1000)

const text = { type: 'string' }
const SHOP = fileURLToPath(new URL('../../../../examples/shop/contract.yaml', import.meta.url))

const createShop = (options: StandinOptions = {}) =>
  createStandin({ contract: SHOP, clock: '2026-03-05T14:30:00Z', ...options })

type Item = Readonly<Record<string, unknown>>

async function itemsOf(app: Parameters<typeof request>[0], path: string): Promise<readonly Item[]> {
  const { body } = (await request(app).get(path).set(OWN_KEY).expect(200)) as {
    body: readonly Item[] | { data: readonly Item[] }
  }
  return 'data' in body ? body.data : body
}

describe('the documents that collections begin with', () => {
  test('are the examples of the contract first', async () => {
    const { app } = createShop()
    const [ada, ...others] = await itemsOf(app, '/customers')
    expect(ada).toMatchObject({ id: 1, name: 'Ada Lovelace', city: 'London' })
    expect(others.map(({ id }) => id)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect((await request(app).get('/settings')).body).toMatchObject({ shopName: 'The Corner Shop' })
  })

  test('have addresses of their own, at the host of the example', async () => {
    const Boat = {
      type: 'object',
      required: ['id', 'url', 'home_url'],
      properties: {
        id: { type: 'integer', example: 4711 },
        url: { ...text, format: 'uri', example: 'https://api.example.com/boats/4711' },
        home_url: { ...text, format: 'uri', example: 'https://boats.example.com/bounty' },
      },
    }
    const paths = {
      '/boats': { get: { responses: { 200: shows({ type: 'array', items: ref('Boat') }) } } },
      '/boats/{id}': { parameters: [inPath('id')], get: { responses: { 200: shows(ref('Boat')) } } },
    }
    const { app } = createContractTester(paths, { Boat }).standin
    const boats = await itemsOf(app, '/boats')
    for (const { id, url } of boats) expect(url).toBe(`https://api.example.com/boats/${String(id)}`)
    expect(boats[0]).toMatchObject({ home_url: 'https://boats.example.com/bounty' })
  })

  test('refer to each other', async () => {
    const { app } = createShop()
    const ids = async (path: string) => (await itemsOf(app, path)).map(({ id }) => id)
    const [customers, products] = [await ids('/customers'), await ids('/products')]
    for (const { customerId, lines } of await itemsOf(app, '/orders')) {
      expect(customers).toContain(customerId)
      for (const { productId } of lines as readonly Item[]) expect(products).toContain(productId)
    }
  })

  test('refer to each other as JSON:API writes it, and link to themselves', async () => {
    const resource = (attributes: Json, more: Json = {}) => ({
      type: 'object',
      required: ['id', 'type', 'attributes', ...Object.keys(more)],
      properties: { id: text, type: text, attributes: { type: 'object', properties: attributes }, ...more },
    })
    const identifier = { type: 'object', properties: { type: text, id: text } }
    const links = { type: 'object', properties: { self: text } }
    const relationships = {
      type: 'object',
      properties: { category: { type: 'object', properties: { data: identifier } } },
    }
    const collection = (path: string, schema: Json) => ({
      [path]: {
        get: { responses: { 200: shows({ type: 'object', properties: { data: { type: 'array', items: schema } } }) } },
      },
      [`${path}/{id}`]: {
        parameters: [inPath('id', 'string')],
        get: { responses: { 200: shows({ type: 'object', properties: { data: schema } }) } },
      },
    })
    const { request } = createContractTester({
      ...collection('/categories', resource({ name: text })),
      ...collection('/products', resource({ title: text }, { relationships, links })),
    })
    interface Resource {
      readonly id: string
      readonly relationships: { readonly category: { readonly data: { readonly type: string; readonly id: string } } }
      readonly links: { readonly self: string }
    }
    const list = async (path: string) =>
      ((await request().get(path).set(OWN_KEY)).body as { readonly data: readonly Resource[] }).data
    const ids = (await list('/categories')).map(({ id }) => id)
    for (const { id, links, relationships } of await list('/products')) {
      expect(relationships.category.data.type).toBe('categories')
      expect(ids).toContain(relationships.category.data.id)
      expect(links.self).toBe(`/products/${id}`)
    }
  })

  test('add up', async () => {
    for (const { lines, total } of await itemsOf(createShop().app, '/orders')) {
      const amounts = (lines as readonly { quantity: number; unitPrice: number }[]).map(
        (line) => line.quantity * line.unitPrice,
      )
      expect(total).toBe(amounts.reduce((sum, one) => sum + one, 0))
    }
  })

  test('have the values that their list filters an open text by', async () => {
    const text = { type: 'string' }
    const Issue = {
      type: 'object',
      required: ['id', 'state', 'title'],
      properties: { id: { type: 'integer' }, state: text, kind: text, title: text },
    }
    const query = (name: string, schema: object) => ({ name, in: 'query', schema })
    const { standin } = createShelter(
      {
        '/issues': {
          get: {
            parameters: [
              query('state', { ...text, enum: ['open', 'closed', 'all'], default: 'open' }),
              query('kind', { type: 'array', items: { ...text, enum: ['bug', 'wish'] } }),
            ],
            responses: { 200: shows({ type: 'array', items: ref('Issue') }) },
          },
        },
        '/issues/{issueId}': { parameters: [inPath('issueId')], get: { responses: { 200: shows(ref('Issue')) } } },
      },
      { Issue },
    )
    const issues = await itemsOf(standin.app, '/issues?state=all')
    expect(issues).toHaveLength(10)
    expect(new Set(issues.map(({ state }) => state))).toEqual(new Set(['open', 'closed']))
    expect(new Set(issues.map(({ kind }) => kind))).toEqual(new Set(['bug', 'wish']))
    const open = issues.filter(({ state }) => state === 'open')
    expect(await itemsOf(standin.app, '/issues')).toEqual(open)
  })

  test('have all values of an enumeration', async () => {
    const orders = await itemsOf(createShop().app, '/orders')
    expect(new Set(orders.map(({ status }) => status))).toEqual(
      new Set(['placed', 'shipped', 'delivered', 'cancelled']),
    )
  })

  test('are the same for the same seed, whatever was asked for before', async () => {
    const one = createShop()
    await itemsOf(one.app, '/customers')
    expect(await itemsOf(one.app, '/orders')).toEqual(await itemsOf(createShop().app, '/orders'))
    expect(await itemsOf(one.app, '/orders')).not.toEqual(await itemsOf(createShop({ seed: 7 }).app, '/orders'))
  })

  test('of two parents differ, and name their parent', async () => {
    const toys = {
      '/pets/{petId}/toys': {
        parameters: [inPath('petId')],
        get: { responses: { 200: shows({ type: 'array', items: ref('Toy') }) } },
      },
      '/pets/{petId}/toys/{toyId}': {
        parameters: [inPath('petId'), inPath('toyId')],
        get: { responses: { 200: shows(ref('Toy')) } },
      },
    }
    const members = { id: { type: 'integer' }, pet_id: { type: 'integer' }, title: { type: 'string' } }
    const { app } = createPetShop({}, toys, { Toy: { type: 'object', properties: members } }).standin
    const [first, second] = [await itemsOf(app, '/pets/1/toys'), await itemsOf(app, '/pets/2/toys')]
    expect(first.map((toy) => toy.pet_id)).toEqual(first.map(() => 1))
    expect(second.map((toy) => toy.pet_id)).toEqual(second.map(() => 2))
    expect(first.map((toy) => toy.title)).not.toEqual(second.map((toy) => toy.title))
  })

  test('are not below a parent that a request creates, but for a single document', async () => {
    const Consent = { type: 'object', required: ['mail'], properties: { mail: { type: 'boolean' } } }
    const below = {
      '/owners/{ownerId}/notes/{noteId}': {
        parameters: [inPath('ownerId'), inPath('noteId')],
        get: { responses: { 200: shows(ref('Note')) } },
      },
      '/owners/{ownerId}/consent': {
        parameters: [inPath('ownerId')],
        get: { responses: { 200: shows(ref('Consent')) } },
        put: { requestBody: takes(ref('Consent')), responses: { 200: shows(ref('Consent')) } },
      },
    }
    const { send, control } = createShelter(below, { Consent })
    expect(await send(['get', '/owners/10/notes'])).toMatchObject({ status: 200, body: { length: 10 } })
    await send(['post', '/owners'], { name: 'Ada', phone: null })
    await control.createDocument('owners', { name: 'Eve' })
    for (const owner of [11, 12]) {
      expect(await send(['get', `/owners/${owner}/notes`])).toMatchObject({ status: 200, body: [] })
      expect(await send(['get', `/owners/${owner}/notes/1`])).toMatchObject({ status: 404 })
      expect(await send(['get', `/owners/${owner}/consent`])).toMatchObject({ status: 200 })
    }
    const { body } = await send(['post', '/owners/11/notes'], { text: 'first' })
    expect((await send(['get', '/owners/11/notes'])).body).toEqual([body])
  })
})

describe('the setting documents', () => {
  const statusOf = async (app: Parameters<typeof request>[0], path: string) => (await request(app).get(path)).status

  test.runIf(takesAll)('leaves room for new documents at its most', async () => {
    const { app } = createPetShop({ documents: 100_000 }).standin
    const created = await request(app).post('/pets').set(OWN_KEY).send({ name: 'Max' })
    expect(created).toMatchObject({ status: 201, body: { id: 100_001, name: 'Max' } })
  })

  test('says how many documents a collection begins with', async () => {
    const { app } = createShop({ documents: 25 })
    expect([await statusOf(app, '/orders/25'), await statusOf(app, '/orders/26')]).toEqual([200, 404])
    expect(await itemsOf(createShop({ documents: 0 }).app, '/customers')).toEqual([])
  })

  test('leaves a singleton its one document', async () => {
    expect(await statusOf(createShop({ documents: 0 }).app, '/settings')).toBe(200)
  })

  test('is refused above 100,000', () => {
    expect(() => createShop({ documents: 100_001 })).toThrow(
      'documents: Expected an integer from 0 to 100000; got 100001.',
    )
  })

  test.each([`/orders/${MANY}`, '/orders?perPage=1'])(
    'lets other requests be handled while many documents are made for %s',
    async (path) => {
      const { app } = createShop({ documents: MANY })
      const order: string[] = []
      const ask = (path: string) =>
        request(app)
          .get(path)
          .expect(200)
          .then(() => void order.push(path))
      await Promise.all([ask(path), ask('/settings')])
      expect(order).toEqual(['/settings', path])
    },
  )

  test('lets a member name any of many documents that were not made yet', async () => {
    const { app } = createShop({ documents: MANY })
    const place = (customerId: number) =>
      request(app)
        .post('/orders')
        .send({ customerId, lines: [{ productId: MANY, quantity: 1, unitPrice: 1 }] })
    expect([(await place(MANY)).status, (await place(MANY + 1)).status]).toEqual([201, 422])
  })

  test('makes the same documents for requests that come together', async () => {
    const { app } = createShop({ documents: 50 })
    const [one, other] = await Promise.all([request(app).get('/orders/50'), request(app).get('/orders/50')])
    expect(one.body).toEqual(other.body)
  })
})

describe('documents of fixtures', () => {
  const namesOf = async (collections: object) => {
    const { app } = createShop({ fixtures: [{ collections }] })
    return (await itemsOf(app, '/customers')).map(({ id, name }) => [id, name])
  }

  test('replace those of the same id and are added to the others, with what they lack', async () => {
    const { app } = createShop({
      fixtures: [{ collections: { customers: { 2: { name: 'Grace' }, 70: { name: 'Edsger' } } } }],
    })
    const customers = await itemsOf(app, '/customers')
    expect(customers.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 70])
    expect(customers[1]).toMatchObject({ id: 2, name: 'Grace', email: expect.stringContaining('@') as unknown })
    expect(customers[10]).toMatchObject({ id: 70, name: 'Edsger' })
    expect((await request(app).get('/customers/70')).body).toEqual(customers[10])
  })

  test('as a list are all that there are, and others refer to them', async () => {
    const customers = [
      { id: 5, name: 'Grace' },
      { id: 6, name: 'Edsger' },
    ]
    expect(await namesOf({ customers })).toEqual([
      [5, 'Grace'],
      [6, 'Edsger'],
    ])
    expect(await namesOf({ customers: [] })).toEqual([])
    const orders = await itemsOf(createShop({ fixtures: [{ collections: { customers } }] }).app, '/orders')
    for (const { customerId } of orders) expect([5, 6]).toContain(customerId)
  })

  test('of a later file come last', async () => {
    const fixtures = [
      { collections: { customers: { 70: { name: 'Ada' } } } },
      { collections: { customers: [{ id: 1, name: 'Grace' }] } },
    ]
    expect(await itemsOf(createShop({ fixtures }).app, '/customers')).toHaveLength(1)
    expect(await itemsOf(createShop({ fixtures: fixtures.toReversed() }).app, '/customers')).toHaveLength(2)
  })
})

describe('examples', () => {
  const shopWith = (examples: object) =>
    createPetShop(
      {},
      {
        '/shops': {
          get: {
            responses: {
              200: {
                description: 'ok',
                content: { 'application/json': { schema: { type: 'array', items: ref('Shop') }, examples } },
              },
            },
          },
        },
        '/shops/{shopId}': {
          parameters: [{ ...inPath('shopId'), schema: { type: 'string' } }],
          get: { responses: { 200: shows(ref('Shop')) } },
        },
      },
      {
        Shop: {
          type: 'object',
          required: ['id', 'name'],
          properties: { id: { type: 'string' }, name: { type: 'string' }, floors: { type: 'integer' } },
          example: { id: 'shop_b', name: 'Beta', floors: 2 },
        },
      },
    ).standin.app

  test('of the same item in two places are one document', async () => {
    const shops = await itemsOf(
      shopWith({
        two: {
          value: [
            { id: 'shop_a', name: 'Alpha' },
            { id: 'shop_b', name: 'Beta' },
          ],
        },
      }),
      '/shops',
    )
    expect(shops.slice(0, 2)).toEqual([
      { id: 'shop_a', name: 'Alpha' },
      { id: 'shop_b', name: 'Beta', floors: 2 },
    ])
    expect(new Set(shops.map(({ id }) => id)).size).toBe(10)
  })

  test('show what ids look like, also those of new items', async () => {
    const paths = {
      '/shops': {
        get: {
          responses: {
            200: {
              description: 'ok',
              content: {
                'application/json': {
                  schema: { type: 'array', items: ref('Shop') },
                  example: [{ id: 'shp_4QFhkJ2oWz', name: 'Alpha' }],
                },
              },
            },
          },
        },
        post: { responses: { 201: shows(ref('Shop')) } },
      },
    }
    const members = { id: { type: 'string', readOnly: true }, name: { type: 'string' } }
    const { standin, control } = createPetShop({}, paths, {
      Shop: { type: 'object', required: ['id', 'name'], properties: members },
    })
    const { body } = (await request(standin.app).post('/shops').set(OWN_KEY)) as { body: Item }
    const written = await control.createDocument('shops', { name: 'Beta' })
    const ids = [...(await itemsOf(standin.app, '/shops')).map(({ id }) => id), body.id, written.id]
    for (const id of ids) expect(id).toMatch(/^shp_[A-Za-z0-9]{10}$/)
    expect(new Set(ids).size).toBe(12)
  })

  test('keep what they refer to, also where that does not exist', async () => {
    const Visit = {
      type: 'object',
      properties: { id: { type: 'integer' }, pet_id: { type: 'integer' }, why: { type: 'string' } },
    }
    const example = { id: 1, pet_id: 99, why: 'Teeth' }
    const { standin } = createPetShop(
      {},
      {
        '/visits': { get: { responses: { 200: shows({ type: 'array', items: ref('Visit') }) } } },
        '/visits/{visitId}': {
          parameters: [inPath('visitId')],
          get: { responses: { 200: shows(ref('Visit')) } },
          patch: { requestBody: takes(ref('Visit')), responses: { 200: shows(ref('Visit')), 400: nothing } },
        },
      },
      { Visit: { ...Visit, example } },
    )
    const [first, ...others] = await itemsOf(standin.app, '/visits')
    expect(first).toEqual(example)
    const pets = (await itemsOf(standin.app, '/pets')).map(({ id }) => id)
    for (const { pet_id } of others) expect(pets).toContain(pet_id)
    const change = async (body: object) =>
      (await request(standin.app).patch('/visits/1').set(OWN_KEY).send(body)).status
    expect(await change({ why: 'Ears' })).toBe(200)
    expect(await change({ pet_id: 98 })).toBe(400)
  })

  test('that lack a required member get it, and those that break their schema are skipped', async () => {
    const shops = await itemsOf(
      shopWith({ odd: { value: [{ id: 'shop_c' }, { id: 'shop_d', name: 'Delta', floors: 'many' }] } }),
      '/shops',
    )
    expect(shops[0]).toEqual({
      id: 'shop_c',
      name: expect.any(String) as unknown,
      floors: expect.any(Number) as unknown,
    })
    expect(shops.map(({ id }) => id)).not.toContain('shop_d')
  })
})
