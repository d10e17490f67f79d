import { expect, test } from 'vitest'
import { inPath, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { createShelter } from '../../../support/contracts/shelter.ts'

const text = { type: 'string' }
const moment = { type: 'string', format: 'date-time' }
const maybe = { type: ['string', 'null'], format: 'date-time' }
const integer = { type: 'integer' }
const flag = { type: 'boolean' }

const NULL = { type: 'null' }
const someone = { type: 'object', required: ['id'], properties: { id: integer } }

/** What a creation of an item with a name responds with. */
async function create(properties: object, required: readonly string[], { body = {}, below = {} } = {}) {
  const Thing = {
    type: 'object',
    required: ['id', ...required],
    properties: { id: integer, name: text, ...properties },
  }
  const NewThing = { type: 'object', properties: { name: text, labels: { type: 'array', items: text } } }
  const read = { 200: shows(ref('Thing')) }
  const paths = {
    '/things': {
      get: { responses: { 200: shows({ type: 'array', items: ref('Thing') }) } },
      post: { requestBody: takes(ref('NewThing')), responses: { 201: shows(ref('Thing')) } },
    },
    '/things/{thingId}': { parameters: [inPath('thingId')], get: { responses: read } },
    ...below,
  }
  const { send } = createShelter(paths, { Thing, NewThing, Maybe: { anyOf: [someone, NULL] } })
  return (await send(['post', '/things'], { name: 'first', ...body })).body
}

test('a new item has the first status by its words, also where none is required', async () => {
  const status = { ...text, enum: ['cancelled', 'completed', 'queued', 'running'] }
  expect(await create({ status }, ['status'])).toMatchObject({ status: 'queued' })
  expect(await create({ status }, [])).toMatchObject({ status: 'queued' })
  // The document marks null somewhere, so all members are shown.
  expect(await create({ state: { ...text, enum: ['AL', 'AK'] } }, [])).toMatchObject({ state: 'AL' })
})

test('a new item has no status that an action sets, or that a date is kept of', async () => {
  const actions = Object.fromEntries(
    ['ratify', 'pick'].map((word) => [
      `/things/{thingId}/${word}`,
      { parameters: [inPath('thingId')], post: { responses: { 200: shows(ref('Thing')) } } },
    ]),
  )
  const status = { ...text, enum: ['ratified', 'looking', 'delivered'] }
  expect(await create({ status }, ['status'], { below: actions })).toMatchObject({ status: 'looking' })
  const dated = { status: { ...text, enum: ['harvested', 'growing', 'failed'] }, harvested_at: moment }
  expect(await create(dated, ['status'])).toMatchObject({ status: 'growing' })
})

test('a new item has a key that the service issues, and no other item has', async () => {
  const shapes = { token: { ...text, example: 'AWH0wZ5r0Mbac.r' }, api_key: text, reset_token: text }
  for (const required of [[], ['token', 'api_key']]) {
    const { token, api_key: key, reset_token: other } = await create(shapes, required)
    expect(token).toMatch(/^[A-Z]{3}\d[a-z][A-Z]\d[a-z]\d[A-Z][a-z]{3}\.[a-z]$/)
    expect(token).not.toBe('AWH0wZ5r0Mbac.r')
    expect(key).toMatch(/./)
    expect(other).toBe('')
  }
})

test('a new item names no other as an empty text, and has no moment of its end', async () => {
  const created = await create({ model_id: text, note: text, finished_at: moment, started_on: moment }, [])
  expect(created).toMatchObject({ note: '' })
  expect(created).not.toHaveProperty('model_id')
  expect(created).not.toHaveProperty('finished_at')
})

test('a new item has one id, also where another one was sent that it cannot have', async () => {
  const Thing = { type: 'object', required: ['id'], properties: { id: { ...text, format: 'uuid' }, name: text } }
  const { send } = createShelter(
    {
      '/things': {
        post: {
          requestBody: takes({ type: 'object', properties: { name: text } }),
          responses: { 201: shows(ref('Thing')) },
        },
      },
      '/things/{id}': {
        parameters: [{ ...inPath('id'), schema: text }],
        get: { responses: { 200: shows(ref('Thing')) } },
      },
    },
    { Thing },
  )
  const { id, name } = (await send(['post', '/things'], { id: 'abc', name: 'first' })).body
  expect((await send(['get', `/things/${String(id)}`])).body).toEqual({ id, name })
})

test('nothing has happened to a new item', async () => {
  const properties = {
    paid: flag,
    archived: flag,
    enabled: flag,
    posts_count: integer,
    closed_at: maybe,
    made_at: moment,
  }
  expect(await create(properties, Object.keys(properties))).toMatchObject({
    ...{ paid: false, archived: false, enabled: true, posts_count: 0, closed_at: null },
    made_at: '2026-03-05T14:30:00.000Z',
  })
})

test('a flag that says what has happened has not the value of its example, and others have', async () => {
  const shown = { ...flag, example: true }
  const properties = { is_completed: shown, archived: shown, notify: shown, is_active: shown }
  expect(await create(properties, Object.keys(properties))).toMatchObject({
    ...{ is_completed: false, archived: false, notify: true, is_active: true },
  })
})

/** Whether a schema says that null is allowed, in each way in which documents write it. */
const NULLABLE: readonly (readonly [string, object, boolean])[] = [
  ['a type', text, false],
  ['a list of types', { type: ['string', 'null'] }, true],
  ['an alternative', { anyOf: [someone, NULL] }, true],
  ['an alternative of oneOf', { oneOf: [NULL, someone] }, true],
  ['alternatives without it', { anyOf: [someone, text] }, false],
  ['an alternative by reference', ref('Maybe'), true],
  ['an alternative that is a reference to one', { anyOf: [ref('Maybe'), text] }, true],
  ['allOf', { allOf: [{ type: ['string', 'null'] }, { description: 'why it was closed' }] }, true],
  ['allOf of which one part forbids it', { allOf: [{ type: ['string', 'null'] }, text] }, false],
  ['an enumeration that its type forbids', { ...text, enum: ['lost', null] }, false],
  ['a type that its enumeration forbids', { type: ['string', 'null'], enum: ['lost'] }, false],
  ['a constant', { const: null }, true],
]

test.each(NULLABLE)(
  'what a new item has no value for yet is null where that is allowed: %s',
  async (_way, schema, isNull) => {
    const made = await create({ closing: schema }, ['closing'])
    expect(made).toHaveProperty('closing')
    expect(made.closing === null).toBe(isNull)
  },
)

test('a new item has ids and addresses of its own, and not those of examples', async () => {
  const at = (path: string) => ({ ...text, format: 'uri', example: `https://api.example.com${path}` })
  const label = {
    type: 'object',
    required: ['id', 'url', 'name'],
    properties: { id: { ...integer, example: 208045946 }, url: at('/labels/bug'), name: { ...text, example: 'bug' } },
  }
  const properties = {
    node_id: { ...text, example: 'MDU6SXNzdWUx' },
    url: at('/things/1347'),
    comments_url: at('/things/1347/comments'),
    account_id: { ...text, example: 'act_123' },
    labels: { type: 'array', items: label },
  }
  const made = await create(properties, Object.keys(properties), { body: { labels: ['urgent', 'late'] } })
  expect(made).toMatchObject({
    url: 'https://api.example.com/things/11',
    comments_url: 'https://api.example.com/things/11/comments',
    account_id: 'act_123',
    labels: [
      { name: 'urgent', url: 'https://api.example.com/labels/urgent' },
      { name: 'late', url: 'https://api.example.com/labels/late' },
    ],
  })
  const ids = (made.labels as { id: number }[]).map(({ id }) => id)
  expect(new Set([...ids, 208045946])).toHaveProperty('size', 3)
  expect(made.node_id).not.toBe('MDU6SXNzdWUx')
})

test('a new item takes what it leaves open from the items that it refers to', async () => {
  const number = { type: 'number' }
  const object = (properties: object, required: readonly string[]) => ({ type: 'object', required, properties })
  const line = { productId: integer, quantity: integer, unitPrice: number, productName: text }
  const listOf = (items: object) => ({ type: 'array', items })
  const schemas = {
    Product: object({ id: integer, name: text, price: number }, ['id', 'name', 'price']),
    NewOrder: object({ lines: listOf(object(line, ['productId', 'quantity'])) }, ['lines']),
    Order: object({ id: integer, lines: listOf(object(line, ['productId', 'quantity'])), total: number }, [
      'id',
      'total',
    ]),
  }
  const paths: Readonly<Record<string, unknown>> = Object.fromEntries(
    ['Product', 'Order'].flatMap((name): [string, unknown][] => {
      const path = `/${name.toLowerCase()}s`
      const body = takes(ref(name === 'Order' ? 'NewOrder' : name))
      const get = { responses: { 200: shows({ type: 'array', items: ref(name) }) } }
      const read = { parameters: [inPath('id')], get: { responses: { 200: shows(ref(name)) } } }
      return [
        [path, { get, post: { requestBody: body, responses: { 201: shows(ref(name)) } } }],
        [`${path}/{id}`, { ...read, put: { requestBody: body, responses: { 200: shows(ref(name)) } } }],
      ]
    }),
  )
  const { send } = createShelter(paths, schemas)
  const product = (await send(['get', '/products/3'])).body
  const lines = [
    { productId: 3, quantity: 2 },
    { productId: 3, quantity: 1, unitPrice: 1, productName: 'gift' },
  ]
  const told = [{ ...lines[0], unitPrice: product.price, productName: product.name }, lines[1]]
  const total = Math.round((2 * Number(product.price) + 1) * 100) / 100
  const made = await send(['post', '/orders'], { lines })
  expect(made).toMatchObject({ status: 201, body: { lines: told, total } })
  const replaced = await send(['put', `/orders/${String(made.body.id)}`], { lines: lines.slice(0, 1) })
  expect(replaced).toMatchObject({ status: 200, body: { lines: told.slice(0, 1) } })
})

/** Products, and orders of one of them each. */
function createOrders(order: object, input: object) {
  const number = { type: 'number' }
  const object = (properties: object, required: readonly string[]) => ({ type: 'object', required, properties })
  const product = { id: integer, name: text, price: number }
  const schemas = {
    Product: object(product, ['id', 'name', 'price']),
    Brief: object({ id: integer, name: text, price: number }, ['id', 'name']),
    Order: object({ id: integer, quantity: integer, ...order }, ['id', 'quantity', ...Object.keys(input)]),
    NewOrder: object({ quantity: integer, ...input }, ['quantity']),
  }
  const listed = (name: string) => ({ get: { responses: { 200: shows({ type: 'array', items: ref(name) }) } } })
  const one = (name: string) => ({ parameters: [inPath('id')], get: { responses: { 200: shows(ref(name)) } } })
  const body = { requestBody: takes(ref('NewOrder')) }
  return createShelter(
    {
      '/products': listed('Product'),
      '/products/{id}': one('Product'),
      '/orders': { ...listed('Order'), post: { ...body, responses: { 201: shows(ref('Order')) } } },
      '/orders/{id}': one('Order'),
    },
    schemas,
  )
}

interface ListedOrder {
  readonly productId?: number
  readonly product?: { readonly id: number; readonly name: string }
  readonly quantity: number
  readonly total: number
  readonly amount: number
}

test.each(['total', 'amount'] as const)('an order of one product costs its quantity by the price: %s', async (sum) => {
  const { send } = createOrders({ productId: integer, [sum]: { type: 'number' } }, { productId: integer })
  const priceOf = async (id: unknown) => Number((await send(['get', `/products/${String(id)}`])).body.price)
  const listed = (await send(['get', '/orders'])).body as unknown as readonly ListedOrder[]
  for (const { productId, quantity, [sum]: charged } of listed) {
    expect(charged).toBeCloseTo(quantity * (await priceOf(productId)), 2)
    expect([1, 2, 3, 4, 5]).toContain(quantity)
  }
  const made = await send(['post', '/orders'], { productId: 3, quantity: 22 })
  expect(made.body).toMatchObject({ productId: 3, quantity: 22 })
  expect(made.body[sum]).toBeCloseTo(22 * (await priceOf(3)), 2)
})

test('what an order shows inside its product is the product’s', async () => {
  const { send } = createOrders({ product: ref('Brief'), total: { type: 'number' } }, { product: ref('Brief') })
  const products = (await send(['get', '/products'])).body as unknown as readonly { id: number; name: string }[]
  const orders = (await send(['get', '/orders'])).body as unknown as readonly ListedOrder[]
  expect(orders).toHaveLength(10)
  for (const { product } of orders) expect(products).toContainEqual(expect.objectContaining(product))
})

test.each([
  [
    'an example of the member',
    { id: { ...text, examples: ['msgbatch_013Zva2CMHLNnX'] } },
    {},
    /^msgbatch_[a-z0-9]{14}$/,
  ],
  [
    'the JSON in a description',
    { id: text },
    { description: 'Gives `{"id": "ftjob-abc123"}`.' },
    /^ftjob-[a-z0-9]{6}$/,
  ],
  ['the JSON in an extension', { id: text }, { 'x-samples': [{ response: '{\n"id": "vs_123"}' }] }, /^vs_[a-z0-9]{3}$/],
  [
    'its kind',
    { id: { ...text, maxLength: 5000 }, object: { ...text, enum: ['payment_intent'] } },
    {},
    /^pi_[a-z0-9]{24}$/,
  ],
  ['a short kind', { id: text, object: { const: 'price' } }, {}, /^price_/],
  ['a long kind', { id: text, object: { const: 'customer' } }, {}, /^cus_/],
  ['nothing, with several kinds', { id: text, object: { ...text, enum: ['car', 'bus'] } }, {}, /^[\da-f]{8}-/],
])('a new id looks like %s', async (_of, properties, said, style) => {
  const Thing = { type: 'object', required: ['id'], properties: { ...properties, name: text } }
  const { send } = createShelter(
    {
      '/things': {
        get: { responses: { 200: shows({ type: 'array', items: ref('Thing') }) } },
        post: {
          requestBody: takes({ type: 'object', properties: { name: text } }),
          responses: { 201: shows(ref('Thing')) },
          ...said,
        },
      },
      '/things/{thingId}': {
        parameters: [{ ...inPath('thingId'), schema: text }],
        get: { responses: { 200: shows(ref('Thing')) } },
      },
    },
    { Thing },
  )
  const { id } = (await send(['post', '/things'], { name: 'first' })).body
  expect(id).toMatch(style)
  expect((await send(['get', `/things/${String(id)}`])).body).toMatchObject({ name: 'first' })
})

test('an item that fits several alternatives, of which none asks for anything, is listed and read', async () => {
  const place = (name: string) => ({ type: 'object', properties: { [name]: text } })
  const alternatives = { oneOf: [place('placeName'), place('placeUrl')] }
  const Thing = { allOf: [{ type: 'object', properties: { id: integer, name: text } }, alternatives] }
  const { send } = createShelter(
    {
      '/things': {
        get: { responses: { 200: shows({ type: 'array', items: ref('Thing') }) } },
        post: { requestBody: takes(ref('Thing')), responses: { 201: shows(ref('Thing')) } },
      },
      '/things/{thingId}': { parameters: [inPath('thingId')], get: { responses: { 200: shows(ref('Thing')) } } },
    },
    { Thing },
  )
  const { body } = await send(['post', '/things'], { name: 'first', placeName: 'here' })
  expect(body).toMatchObject({ name: 'first', placeName: 'here' })
  const one = await send(['get', `/things/${String(body.id)}`])
  expect([one.status, one.body]).toEqual([200, body])
  expect((await send(['get', '/things'])).body).toContainEqual(body)
})

test('a new item has nothing made up beside what was sent, and addresses and a slug of its own', async () => {
  const href = { type: 'object', properties: { href: text } }
  const address = { type: 'object', properties: { city: text, zip: text, floor: { type: ['string', 'null'] } } }
  const sent = { stars: { ...integer, minimum: 1 }, address, opened: { type: ['string', 'null'] } }
  const own = { slug: text, _links: { type: 'object', properties: { self: href, rooms: href } } }
  const Hotel = { type: 'object', required: ['id', 'name'], properties: { id: integer, name: text, ...sent, ...own } }
  const NewHotel = { type: 'object', properties: { name: text, ...sent } }
  const paths = {
    '/hotels': {
      get: { responses: { 200: shows({ type: 'array', items: ref('Hotel') }) } },
      post: { requestBody: takes(ref('NewHotel')), responses: { 201: shows(ref('Hotel')) } },
    },
    '/hotels/{hotelId}': { parameters: [inPath('hotelId')], get: { responses: { 200: shows(ref('Hotel')) } } },
  }
  const { send } = createShelter(paths, { Hotel, NewHotel })
  const made = await send(['post', '/hotels'], { name: 'Grand Hôtel, 2027', address: { city: 'Berlin' } })
  expect(made.body).toEqual({
    ...{ id: 11, name: 'Grand Hôtel, 2027', address: { city: 'Berlin', floor: null }, opened: null },
    ...{ slug: 'grand-hotel-2027', _links: { self: { href: '/hotels/11' }, rooms: { href: '/hotels/11/rooms' } } },
  })
  const again = await send(['post', '/hotels'], { name: 'Grand Hôtel, 2027' })
  expect(again.body).toMatchObject({ slug: 'grand-hotel-2027-2' })
  for (const { name, slug } of (await send(['get', '/hotels'])).body as unknown as readonly Record<string, string>[])
    expect(slug).toMatch(
      new RegExp(
        `^${(name ?? '')
          .toLowerCase()
          .replace('ô', 'o')
          .replaceAll(/[^a-z0-9]+/g, '-')}`,
      ),
    )
})

/** A collection of things whose creation takes `input`. */
function createThings(properties: object, required: readonly string[], input: object) {
  const { send } = createShelter(
    {
      '/things': {
        get: { responses: { 200: shows({ type: 'array', items: ref('Thing') }) } },
        post: { requestBody: takes({ type: 'object', properties: input }), responses: { 201: shows(ref('Thing')) } },
      },
    },
    { Thing: { type: 'object', required: ['id', ...required], properties: { id: integer, ...properties } } },
  )
  return send
}

test.each([
  ['reference', 'BK-2024-000123', /^BK-2024-\d{6}$/],
  ['orderNo', 'SO-10001', /^SO-\d{5}$/],
  ['sku', 'AB1234', /^AB\d{4}$/],
])('each item has a %s of its own that looks like the example %s', async (name, example, style) => {
  const send = createThings({ title: text, [name]: { ...text, example } }, [name], { title: text })
  for (const title of ['first', 'second']) await send(['post', '/things'], { title })
  const things = (await send(['get', '/things'])).body as unknown as readonly Record<string, string>[]
  const numbers = things.map((one) => one[name])
  expect(numbers).toHaveLength(12)
  for (const number of numbers) expect(number).toMatch(style)
  expect(new Set(numbers).size).toBe(12)
})

test.each([
  ['piano', 'YA-200'],
  ['href', 'X-12'],
  ['reference', 'see below'],
])('a new item has the example of its %s, %s, which is not a number of its own', async (name, example) => {
  const send = createThings({ title: text, [name]: { ...text, example } }, [name], { title: text })
  expect((await send(['post', '/things'], { title: 'first' })).body).toMatchObject({ [name]: example })
})

test('a new item refers to no other one that it was not given, as in JSON:API', async () => {
  const identifier = { type: 'object', properties: { type: text, id: text } }
  const relationships = { type: 'object', properties: { owner: { type: 'object', properties: { data: identifier } } } }
  const made = await create({ relationships, closedAt: maybe, tags: { type: 'array', items: text } }, [])
  expect(made).toEqual({ id: 11, name: 'first', closedAt: null, tags: [] })
})

test('what only the service writes is made inside an object that was sent, too', async () => {
  const attributes = {
    type: 'object',
    properties: { title: text, subtitle: text, createdAt: { ...moment, readOnly: true } },
  }
  const send = createThings({ closedAt: maybe, attributes }, [], { attributes })
  const { body } = await send(['post', '/things'], { attributes: { title: 'Lamp' } })
  expect(body.attributes).toEqual({ title: 'Lamp', createdAt: '2026-03-05T14:30:00.000Z' })
})

test('a default that is empty stays so, though members that it may have would have defaults', async () => {
  const limits = { type: 'object', properties: { least: { ...integer, default: 3 } } }
  expect(await create({ limits: { ...limits, default: {} }, bounds: limits }, [])).toEqual({
    id: expect.any(Number) as unknown,
    name: 'first',
    limits: {},
    bounds: { least: 3 },
  })
})
