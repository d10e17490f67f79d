import request from 'supertest'
import { expect, test } from 'vitest'
import { inPath, nothing, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const integer = { type: 'integer' }
const object = (properties: object) => ({ type: 'object', required: Object.keys(properties), properties })
const listOf = (items: object) => ({ type: 'array', items })
const query = (name: string, required = false) => ({ name, in: 'query', required, schema: text })

const PRODUCT = object({ id: integer, title: text, categoryId: integer, createdBy: object({ userId: integer }) })
const REVIEW = object({ id: integer, comment: text, userId: integer, productId: integer })
const TODO = object({ userId: integer, todo: text })

/** A shop whose users, categories and reviews have no paths of their own, as demo services often have. */
function createShop() {
  const { standin } = createContractTester({
    '/users': {
      get: {
        parameters: [
          { name: 'limit', in: 'query', schema: integer },
          { name: 'skip', in: 'query', schema: integer },
          query('role'),
        ],
        responses: {
          200: shows(
            object({ users: listOf(object({ id: integer, name: text, role: { enum: ['admin', 'guest'] } })) }),
          ),
        },
      },
    },
    '/categories': { get: { responses: { 200: shows(listOf(object({ id: integer, slug: text }))) } } },
    '/products': {
      get: { responses: { 200: shows(listOf(PRODUCT)) } },
      post: { requestBody: takes(object({ title: text })), responses: { 201: shows(PRODUCT) } },
    },
    '/products/{productId}': {
      parameters: [inPath('productId')],
      get: { responses: { 200: shows(PRODUCT), 404: nothing } },
    },
    '/products/{productId}/reviews': {
      parameters: [inPath('productId')],
      get: { parameters: [query('comment')], responses: { 200: shows(listOf(REVIEW)), 404: nothing } },
    },
    '/products/{productId}/similar': {
      parameters: [inPath('productId')],
      get: { parameters: [query('to', true)], responses: { 200: shows(listOf(REVIEW)) } },
    },
    '/products/search': { get: { parameters: [query('q')], responses: { 200: shows(listOf(PRODUCT)) } } },
    '/products/find': {
      get: {
        parameters: [query('q', true), { name: 'limit', in: 'query', schema: integer }],
        responses: { 200: shows(object({ found: listOf(PRODUCT) })), 400: nothing },
      },
    },
    '/todos': {
      get: { responses: { 200: shows(listOf(TODO)) } },
      post: { requestBody: takes(TODO), responses: { 201: shows(TODO), 400: nothing } },
    },
  })
  const get = async (path: string) => {
    const response = await request(standin.app).get(path).set(OWN_KEY)
    const isGenerated = response.headers['x-mock-generated'] === 'true'
    return { status: response.status, isGenerated, body: response.body as Json & Json[] }
  }
  const post = (path: string, body: object) => request(standin.app).post(path).set(OWN_KEY).send(body)
  const idsOf = (items: unknown) => (items as { id: number }[]).map(({ id }) => id)
  return { get, post, idsOf }
}

test('a list whose items have no path of their own has ten items, the same in each request', async () => {
  const { get, idsOf } = createShop()
  for (const path of ['/users', '/categories', '/products/3/reviews']) {
    const first = await get(path)
    expect([path, first.status, first.isGenerated]).toEqual([path, 200, false])
    const items = path === '/users' ? first.body.users : first.body
    expect(idsOf(items)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect((await get(path)).body).toEqual(first.body)
  }
})

test('it is paged and filtered as other lists are', async () => {
  const { get, idsOf } = createShop()
  const { users } = (await get('/users')).body as unknown as { users: { id: number; role: string }[] }
  expect(idsOf((await get('/users?limit=3&skip=2')).body.users)).toEqual([3, 4, 5])
  const admins = users.filter(({ role }) => role === 'admin')
  expect(admins.length).toBeGreaterThan(0)
  expect((await get('/users?role=admin')).body.users).toEqual(admins)
  const [review] = (await get('/products/3/reviews')).body
  const found = await get(`/products/3/reviews?comment=${encodeURIComponent(String(review?.comment))}`)
  expect(found.body).toContainEqual(review)
})

test('what names its items names one that it shows', async () => {
  const { get, idsOf } = createShop()
  const users = idsOf((await get('/users')).body.users)
  const categories = idsOf((await get('/categories')).body)
  for (const { categoryId, createdBy } of (await get('/products')).body) {
    expect(categories).toContain(categoryId)
    expect(users).toContain((createdBy as { userId: number }).userId)
  }
  for (const { userId, productId } of (await get('/products/3/reviews')).body) {
    expect(users).toContain(userId)
    expect(productId).toBe(3)
  }
  for (const { userId } of (await get('/todos')).body) expect(users).toContain(userId)
})

test('it refuses no item that it does not show, and what is new has none', async () => {
  const { get, post } = createShop()
  await post('/todos', { userId: 77, todo: 'write' }).expect(201)
  const { id } = (await post('/products', { title: 'new' }).expect(201)).body as { id: number }
  expect((await get(`/products/${id}/reviews`)).body).toEqual([])
  expect((await get('/products/99/reviews')).status).toBe(404)
})

test('a list that finds what is asked for is no data, unless it shows the items of a collection', async () => {
  const { get, idsOf } = createShop()
  expect((await get('/products/3/similar?to=price')).isGenerated).toBe(true)
  const { body } = await get('/products')
  expect(idsOf((await get('/products/search')).body)).toEqual(idsOf(body))
})

test('a search with pages finds the items of the collection, and what was created since', async () => {
  const { get, post, idsOf } = createShop()
  expect((await get('/products/find')).status).toBe(400)
  const { id } = (await post('/products', { title: 'Standing desk' }).expect(201)).body as { id: number }
  expect(idsOf((await get('/products/find?q=Standing%20desk')).body.found)).toEqual([id])
})
