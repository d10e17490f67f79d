import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { createOrderTester, idsOf, list } from '../../../support/contracts/order-list.ts'
import { createPetShop, inPath, ref, shows } from '../../../support/contracts/pets.ts'
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
      { field: 'status', operator: 'not_equals', value: 'paid' },
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
