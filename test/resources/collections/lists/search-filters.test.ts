import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { createOrderTester, idsOf, list } from '../../../support/contracts/order-list.ts'
import { createPetShop, inPath, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { createShelter } from '../../../support/contracts/shelter.ts'
import { OWN_KEY } from '../../../support/contracts/small-contract.ts'

const TEXT = { type: 'string' }

const filter = { type: 'object', properties: { field: TEXT, operator: TEXT, value: {} } }

/** Orders that are searched by POST, with filters whose schema names no members of orders. */
function createSearch(filters: object) {
  const tester = createOrderTester({ search: { type: 'object', properties: { filters } } })
  return async (sent: unknown) => await tester.request().post('/orders/search').set(OWN_KEY).send({ filters: sent })
}

describe('filters as a list of objects', () => {
  test.each<[string, unknown, number[]]>([
    ['status', 'paid', [2, 5, 8]],
    ['price', 30, [3]],
  ])('without an operator: %s is %j', async (field, value, ids) => {
    const search = createSearch({ type: 'array', items: filter })
    expect(idsOf(await search([{ field, value }]))).toEqual(ids)
  })

  test.each<[string, string, unknown, number[]]>([
    ['status', 'eq', 'paid', [2, 5, 8]],
    ['status', 'IN', ['paid', 'shipped'], [2, 3, 5, 6, 8, 9]],
    ['price', '>=', 90, [9, 10]],
    ['price', 'GREATER_THAN', 90, [10]],
    ['price', 'lessThanOrEqual', 20, [1, 2]],
    ['price', '<', 20, [1]],
    ['note', 'contains', 'bob', [6, 7, 8, 9, 10]],
    ['note', 'ct', 'bob', [6, 7, 8, 9, 10]],
    ['status', 'sw', 'pai', [2, 5, 8]],
    ['status', 'endsWith', 'aid', [2, 5, 8]],
    ['status', 'neq', 'paid', [1, 3, 4, 6, 7, 9, 10]],
    ['created_at', 'after', '2026-01-09T12:00:00Z', [10]],
    ['customerId', '=', 1, [1, 5, 9]],
  ])('%s %s %j', async (field, operator, value, ids) => {
    const search = createSearch({ type: 'array', items: filter })
    const response = await search([{ field, operator, value }])
    expect(idsOf(response)).toEqual(ids)
    expect(response.headers).not.toHaveProperty('x-mock-ignored')
  })

  test('all of them hold, under other names too', async () => {
    const items = { type: 'object', properties: { propertyName: TEXT, op: TEXT, values: { type: 'array', items: {} } } }
    const response = await createSearch({ type: 'array', items })([
      { propertyName: 'status', op: 'in', values: ['open', 'paid'] },
      { propertyName: 'customer_id', op: 'in', values: [2, 3, 4] },
    ])
    expect(idsOf(response)).toEqual([2, 4, 7, 8, 10])
  })

  test('one that is not understood is named, and the others hold', async () => {
    const search = createSearch({ type: 'array', items: filter })
    const response = await search([
      { field: 'status', operator: 'resembles', value: 'paid' },
      { field: 'mood', operator: 'eq', value: 'good' },
      { field: 'price', operator: 'gt', value: 80 },
    ])
    expect(idsOf(response)).toEqual([9, 10])
    expect(response.headers['x-mock-ignored']).toBe('body /filters/0, body /filters/1')
  })
})

test.each<[object, number[]]>([
  [{ status: 'paid' }, [2, 5, 8]],
  [{ price: { gte: 90 } }, [9, 10]],
  [{ price: { $gt: 20, $lt: 50 } }, [3, 4]],
  [{ status: { in: ['paid'] }, price: { lessThan: 60 } }, [2, 5]],
])('filters as an object of members and operators: %j', async (filters, ids) => {
  const response = await createSearch({ type: 'object', additionalProperties: true })(filters)
  expect(idsOf(response)).toEqual(ids)
})

test('a filter by members of the objects in a list', async () => {
  const tags = {
    type: 'array',
    items: {
      type: 'object',
      required: ['name'],
      properties: { name: TEXT, owner: { type: 'object', properties: { id: TEXT } } },
    },
  }
  const Pet = {
    type: 'object',
    required: ['name'],
    properties: { id: { type: 'integer', readOnly: true }, name: TEXT, tags },
  }
  const parameters = ['tags.name', 'tags.owner.id', 'sort'].map((name) => ({ name, in: 'query', schema: TEXT }))
  const create = {
    operationId: 'createPet',
    requestBody: { content: { 'application/json': { schema: ref('Pet') } } },
    responses: { 201: shows(ref('Pet')) },
  }
  const { standin } = createPetShop(
    {},
    {
      '/pets': {
        get: { operationId: 'listPets', parameters, responses: { 200: shows({ type: 'array', items: ref('Pet') }) } },
        post: create,
      },
      '/pets/{petId}': {
        parameters: [inPath('petId')],
        get: { operationId: 'readPet', responses: { 200: shows(ref('Pet')) } },
      },
    },
    { Pet },
  )
  const post = async (body: object) => await request(standin.app).post('/pets').set(OWN_KEY).send(body)
  const get = async (query: string) => await request(standin.app).get(`/pets?${query}`).set(OWN_KEY)
  await post({ name: 'Rex', tags: [{ name: 'brown', owner: { id: 'ann' } }, { name: 'loud' }] })
  await post({ name: 'Tom', tags: [{ name: 'brown', owner: { id: 'bob' } }] })
  const names = async (query: string) => ((await get(query)).body as { name: string }[]).map(({ name }) => name)
  expect(await names('tags.name=brown')).toEqual(['Rex', 'Tom'])
  expect(await names('tags.name=loud')).toEqual(['Rex'])
  expect(await names('tags.owner.id=bob')).toEqual(['Tom'])
  expect((await get('sort=tags.name')).headers['x-mock-ignored']).toBe('query sort')
})

test.each([
  [{}, 'http'],
  [{ 'X-Forwarded-Proto': 'https' }, 'https'],
  [{ 'X-Forwarded-Proto': 'https, http' }, 'https'],
  [{ 'X-Forwarded-Proto': 'javascript' }, 'http'],
])('links have the scheme and the host of the request, with the headers %j', async (headers, scheme) => {
  const tester = createOrderTester({
    query: { page: { type: 'integer' }, limit: { type: 'integer' } },
    envelope: (data) => ({ type: 'object', properties: { data, next: { ...TEXT, format: 'uri' } } }),
    headers: ['Link'],
  })
  const response = await tester
    .request()
    .get('/orders?limit=6')
    .set(OWN_KEY)
    .set({ Host: 'shop.localhost:8080', ...headers })
  const next = `${scheme}://shop.localhost:8080/orders?limit=6&page=2`
  expect(response.body).toMatchObject({ next })
  expect(response.headers.link).toContain(`<${next}>; rel="next"`)
  expect((await list(tester, 'page=2&limit=6')).status).toBe(200)
})

describe('objects of operators, whose schema names them', () => {
  const texts = { type: 'array', items: TEXT }
  const own = (properties: object) => ({ type: 'object', properties })
  const orders = own({
    operator: TEXT,
    status: own({ any_: texts, not_any_: texts, is_null_: { type: 'boolean' } }),
    note: own({ like_: TEXT, is_null_: { type: 'boolean' } }),
    price: own({ ge_: { type: 'number' }, lt_: { type: 'number' } }),
  })
  test.each<[object, number[]]>([
    [{ status: { any_: ['paid'] } }, [2, 5, 8]],
    [{ status: { not_any_: ['paid', 'open'] } }, [3, 6, 9]],
    [{ status: { is_null_: true } }, []],
    [{ note: { like_: 'BOB' } }, [6, 7, 8, 9, 10]],
    [{ price: { ge_: 80, lt_: 100 } }, [8, 9]],
    [{ operator: 'and_', status: { any_: ['paid'] }, price: { ge_: 80 } }, [8]],
    [{ operator: 'or_', status: { any_: ['paid'] }, price: { ge_: 80 } }, [2, 5, 8, 9, 10]],
  ])('%j, in a member called after the items', async (sent, ids) => {
    const tester = createOrderTester({ search: own({ orders }) })
    const response = await tester.request().post('/orders/search').set(OWN_KEY).send({ orders: sent })
    expect(idsOf(response)).toEqual(ids)
  })
})

describe('filters in the words of a client', () => {
  test.each<[string, number[]]>([
    ["status eq 'paid' and price gt 40", [5, 8]],
    ['status = "paid" OR price >= 100', [2, 5, 8, 10]],
    ['(status:paid || status:open) && price<=40', [1, 2, 4]],
    ['not status in (paid, open)', [3, 6, 9]],
    ["contains(note, 'Bob') and price lt 80", [6, 7]],
    ['created_at>2026-01-08T12:00:00Z', [9, 10]],
    ["'new' in tags and price<50", [2, 4]],
    ['note=~"Order 1.*"', [1, 10]],
    ['note!~"Order .* of Bob|Order 1 .*"', [2, 3, 4, 5]],
    ['status!=paid,price>60', [7, 9, 10]],
    ['{"status": "paid", "price": {"lt": 60}}', [2, 5]],
  ])('%s', async (filter, ids) => {
    const tester = createOrderTester({ query: { filter: TEXT } })
    const response = await list(tester, `filter=${encodeURIComponent(filter)}`)
    expect(response.headers).not.toHaveProperty('x-mock-ignored')
    expect(idsOf(response)).toEqual(ids)
  })

  test.each(['mood = good', 'status =', 'price gt', '(status=paid', 'note=~"(a+)+"', 'price and', '('.repeat(99)])(
    '%s is not understood, and named',
    async (filter) => {
      const response = await list(
        createOrderTester({ query: { filter: TEXT } }),
        `filter=${encodeURIComponent(filter)}`,
      )
      expect(response.headers['x-mock-ignored']).toBe('query filter')
      expect(idsOf(response)).toHaveLength(10)
    },
  )

  test('a search that is an expression filters, and any other text is searched for', async () => {
    const tester = createOrderTester({ query: { q: TEXT } })
    expect(idsOf(await list(tester, `q=${encodeURIComponent("status = 'paid'")}`))).toEqual([2, 5, 8])
    expect(idsOf(await list(tester, 'q=7 of'))).toEqual([7])
    expect(idsOf(await list(tester, 'q=mood = x'))).toEqual([])
  })

  test.each<[string, string[]]>([
    ['labelSelector=tier=web', ['a', 'b']],
    ['labelSelector=tier==web,example.com/size!=big', ['b']],
    ['labelSelector=tier in (db, cache)', ['c']],
    ['labelSelector=tier notin (web)', ['c', 'd']],
    ['labelSelector=canary', ['b']],
    ['labelSelector=!tier', ['d']],
    ['fieldSelector=spec.node=n1', ['a', 'c']],
    ['labels=tier:web', ['a', 'b']],
    ['filter=tier="web"&filter=canary="yes"', ['b']],
    ['filter=tier=~"w.*|d.*"', ['a', 'b', 'c']],
  ])('labels: %s', async (query, names) => {
    const many = { type: 'array', items: TEXT }
    const labels = { type: 'object', additionalProperties: TEXT }
    const Pod = {
      type: 'object',
      properties: {
        name: TEXT,
        metadata: { type: 'object', properties: { labels } },
        spec: { type: 'object', properties: { node: TEXT } },
      },
    }
    const parameters = Object.entries({ labelSelector: TEXT, fieldSelector: TEXT, labels: TEXT, filter: many }).map(
      ([name, schema]) => ({ name, in: 'query', schema }),
    )
    const path = '/pods'
    const paths = {
      [path]: { get: { parameters, responses: { 200: shows({ type: 'array', items: ref('Pod') }) } } },
      '/pods/{name}': { parameters: [inPath('name', 'string')], get: { responses: { 200: shows(ref('Pod')) } } },
    }
    const pod = (name: string, node: string, own: object) => ({ name, metadata: { labels: own }, spec: { node } })
    const pods = [
      pod('a', 'n1', { tier: 'web', 'example.com/size': 'big' }),
      pod('b', 'n2', { tier: 'web', canary: 'yes' }),
      pod('c', 'n1', { tier: 'db' }),
      pod('d', 'n2', {}),
    ]
    const fixtures = [{ collections: { pods: Object.fromEntries(pods.map((one) => [one.name, one])) } }]
    const { send } = createShelter(paths, { Pod }, { fixtures, documents: 0 })
    const { body } = await send(['get', `${path}?${query}`])
    expect((body as unknown as typeof pods).map(({ name }) => name)).toEqual(names)
  })
})

test('a filter is about the only member of its name in an object, and what is archived is hidden unless asked for', async () => {
  const address = { type: 'object', properties: { city: TEXT, zip: TEXT } }
  const flags = { is_archived: { type: 'boolean' }, deleted_at: { type: ['string', 'null'], format: 'date-time' } }
  const properties = { id: { type: 'integer', readOnly: true }, name: TEXT, address, ...flags }
  const Place = { type: 'object', required: ['id', 'name', 'is_archived'], properties }
  const flag = { type: 'boolean' }
  const asked = [
    { name: 'city', in: 'query', schema: TEXT },
    { name: 'include_archived', in: 'query', schema: { ...flag, default: false } },
    { name: 'with_deleted', in: 'query', schema: flag },
  ]
  const { send } = createShelter(
    {
      '/places': {
        get: { parameters: asked, responses: { 200: shows({ type: 'array', items: ref('Place') }) } },
        post: { requestBody: takes(ref('Place')), responses: { 201: shows(ref('Place')) } },
      },
      '/places/{placeId}': { parameters: [inPath('placeId')], get: { responses: { 200: shows(ref('Place')) } } },
    },
    { Place },
  )
  for (const [name, more] of [
    ['one', { is_archived: false, address: { city: 'Uruk' } }],
    ['two', { is_archived: true, address: { city: 'Uruk' } }],
    ['three', { is_archived: false, address: { city: 'Uruk' }, deleted_at: '2026-01-01T00:00:00Z' }],
    ['four', { is_archived: false, address: { city: 'Ur' } }],
  ] as const)
    expect((await send(['post', '/places'], { name, ...more })).status).toBe(201)
  const names = async (query: string) =>
    ((await send(['get', `/places?city=Uruk${query}`])).body as unknown as readonly { name: string }[]).map(
      (one) => one.name,
    )
  expect(await names('')).toEqual(['one'])
  expect(await names('&include_archived=true')).toEqual(['one', 'two'])
  expect(await names('&include_archived=true&with_deleted=true')).toEqual(['one', 'two', 'three'])
})

test.each([
  ['size=5', ['number', 'text']],
  ['size=large', ['word']],
  ['size=true', ['flag']],
])('a member of several types is filtered by what each of them makes of a text: %s', async (query, names) => {
  const properties = {
    id: { type: 'integer', readOnly: true },
    name: TEXT,
    size: { type: ['string', 'integer', 'boolean'] },
  }
  const asked = [{ name: 'size', in: 'query', schema: TEXT }]
  const { send } = createShelter(
    {
      '/places': {
        get: { parameters: asked, responses: { 200: shows({ type: 'array', items: ref('Place') }) } },
        post: { requestBody: takes(ref('Place')), responses: { 201: shows(ref('Place')) } },
      },
      '/places/{placeId}': { parameters: [inPath('placeId')], get: { responses: { 200: shows(ref('Place')) } } },
    },
    { Place: { type: 'object', required: ['id', 'name'], properties } },
  )
  for (const [name, size] of [
    ['number', 5],
    ['text', '5'],
    ['word', 'large'],
    ['flag', true],
  ] as const)
    expect((await send(['post', '/places'], { name, size })).status).toBe(201)
  const { body } = await send(['get', `/places?${query}`])
  expect((body as unknown as readonly { name: string }[]).map((one) => one.name)).toEqual(names)
})
