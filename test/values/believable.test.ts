import request from 'supertest'
import { expect, test } from 'vitest'
import { createContractTester, type Json, OWN_KEY } from '../support/contracts/small-contract.ts'

const TEXT = { type: 'string' }
const NUMBER = { type: 'number' }
const WHOLE = { type: 'integer' }
const FLAG = { type: 'boolean' }
const DATE = { type: 'string', format: 'date' }
const of = (properties: Json, more: Json = {}) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  ...more,
})
const listOf = (items: Json) => ({ type: 'array', minItems: 5, items })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const shows = (schema: Json) => ({
  responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
})
const item = (name: string) => ({
  parameters: [{ name: 'id', in: 'path', required: true, schema: TEXT }],
  get: shows(ref(name)),
})

const PRICES = {
  price: NUMBER,
  salePrice: NUMBER,
  originalPrice: NUMBER,
  cost: NUMBER,
  minPrice: WHOLE,
  maxPrice: WHOLE,
}
const STOCK = { inStock: FLAG, soldOut: FLAG, stock: WHOLE, availability: { enum: ['in_stock', 'out_of_stock'] } }
const PICTURES = { thumbnail: TEXT, avatarUrl: TEXT, images: listOf(TEXT), logo: { type: 'string', format: 'uri' } }
const LINE = of({ index: WHOLE, productId: TEXT, productName: TEXT, quantity: WHOLE, unitPrice: NUMBER, total: NUMBER })
const LINK = of({ href: TEXT })
const ERROR = { ...of({ code: TEXT }), type: ['object', 'null'] }
const RUN = {
  status: { enum: ['queued', 'completed', 'failed'] },
  last_error: ERROR,
  last_payment_error: ERROR,
  failure_reason: { type: ['string', 'null'] },
  docs: { type: 'string', format: 'uri' },
}

const SCHEMAS = {
  Product: of({ id: TEXT, name: TEXT, rating: NUMBER, stars: WHOLE, ...PRICES, ...STOCK, ...PICTURES }),
  Order: of({ id: TEXT, lines: listOf(LINE), _links: of({ self: LINK, customer: LINK }) }),
  Person: of({
    email: TEXT,
    backup: { type: 'string', format: 'email' },
    birthDate: DATE,
    age: WHOLE,
  }),
  Payment: of({
    id: { type: 'string', example: 'pi_3MtwBwLkdIwHu7ix28a3tqPa' },
    customer: { type: 'string', example: 'cus_NffrFeUfNV2Hib' },
  }),
  'io.k8s.api.apps.v1.Deployment': of({ apiVersion: TEXT, kind: TEXT }),
  Pod: of(
    { apiVersion: TEXT, kind: TEXT },
    { 'x-kubernetes-group-version-kind': [{ group: '', kind: 'Pod', version: 'v1' }] },
  ),
  Event: of({
    kind: { type: 'string', description: 'Value: the fixed string "calendar#event".' },
    object: { type: 'string', default: 'event' },
  }),
  Run: of({ id: TEXT, ...RUN }),
  Plot: of({ grid: TEXT, hybrid: TEXT, turkey: TEXT, harvestid: TEXT, apiKey: TEXT }),
  Sailor: of({ id: TEXT, name: TEXT, email: TEXT, birth_date: DATE }),
  Bill: of({
    id: TEXT,
    state: TEXT,
    phase: { enum: ['draft', 'overdue', 'paid', 'expired'] },
    due_date: DATE,
    paid_at: { type: ['string', 'null'], format: 'date-time' },
  }),
  Card: of({
    id: TEXT,
    last4: TEXT,
    exp_month: WHOLE,
    exp_year: WHOLE,
    billing_city: TEXT,
    address_line1: TEXT,
    address_zip: TEXT,
    valid_from: { type: 'integer', format: 'unix-time' },
    checked: { type: 'integer', description: 'The Unix timestamp (in seconds) of the last check.' },
    synced: { type: 'integer', description: 'Milliseconds since the Unix epoch.' },
  }),
  DeletedCard: of({ id: TEXT, deleted: { type: 'boolean', enum: [true] } }),
  Account: {
    type: 'object',
    required: ['id', 'main'],
    properties: {
      id: TEXT,
      main: ref('CardPage'),
      cards: ref('CardPage'),
      card: { anyOf: [ref('DeletedCard'), ref('Card')] },
    },
  },
  CardPage: of({ data: { type: 'array', items: ref('Card') }, has_more: FLAG }),
  Cart: of({ lines: listOf(of({ product: ref('Product'), quantity: WHOLE, unitPrice: NUMBER })) }),
}

const PATHS = {
  '/products': { get: shows({ type: 'array', items: ref('Product') }) },
  '/products/{id}': item('Product'),
  '/orders': { get: shows({ type: 'array', items: ref('Order') }) },
  '/orders/{id}': item('Order'),
  '/runs': { get: shows({ type: 'array', items: ref('Run') }) },
  '/runs/{id}': item('Run'),
  '/latest-runs': { get: shows(listOf(ref('Run'))) },
  '/plot': { get: shows(ref('Plot')) },
  '/sailors': { get: shows({ type: 'array', items: ref('Sailor') }) },
  '/sailors/{id}': item('Sailor'),
  '/bills': { get: shows({ type: 'array', items: ref('Bill') }) },
  '/bills/{id}': item('Bill'),
  '/calls/{CallSid}/recordings/{RecordingSid}/summary': {
    parameters: ['CallSid', 'RecordingSid'].map((name) => ({ name, in: 'path', required: true, schema: TEXT })),
    get: shows(of({ sid: TEXT, call_sid: TEXT, recordingSid: TEXT })),
  },
  '/cards': { get: shows({ type: 'array', items: ref('Card') }) },
  '/cards/{id}': { ...item('Card'), get: shows({ anyOf: [ref('Card'), ref('DeletedCard')] }) },
  '/accounts': { get: shows({ type: 'array', items: ref('Account') }) },
  '/accounts/{id}': item('Account'),
  '/best': { get: shows(listOf(ref('Product'))) },
  '/people': { get: shows(listOf(ref('Person'))) },
  '/recent': { get: shows(listOf(ref('Payment'))) },
  '/deployment': { get: shows(ref('io.k8s.api.apps.v1.Deployment')) },
  '/pod': { get: shows(ref('Pod')) },
  '/event': { get: shows(ref('Event')) },
  '/cart': { get: shows(ref('Cart')) },
  '/summary': { get: shows(of({ total: WHOLE, _links: of({ self: LINK, orders: LINK }) })) },
}

function createShop() {
  const { standin } = createContractTester(PATHS, SCHEMAS, { clock: '2026-03-05T14:30:00Z', selfCheck: true })
  return async <Body>(path: string) => (await request(standin.app).get(path).set(OWN_KEY).expect(200)).body as Body
}

interface Product extends Readonly<Record<keyof typeof PRICES, number>> {
  readonly id: string
  readonly name: string
  readonly rating: number
  readonly stars: number
  readonly inStock: boolean
  readonly soldOut: boolean
  readonly stock: number
  readonly availability: string
  readonly thumbnail: string
  readonly avatarUrl: string
  readonly images: readonly string[]
  readonly logo: string
}

test.for(['/products', '/best'])('the products of %s agree: prices, stock, ratings, pictures', async (path) => {
  const products = await createShop()<Product[]>(path)
  expect(products.length).toBeGreaterThan(3)
  for (const { rating, stars, ...one } of products) {
    const ladder = [one.cost, one.salePrice, one.price, one.originalPrice]
    expect(ladder).toEqual(ladder.toSorted((a, b) => a - b))
    expect(one.minPrice).toBeLessThanOrEqual(one.maxPrice)
    expect([one.inStock, one.soldOut]).toEqual([one.stock > 0, one.stock === 0])
    expect(one.availability).toBe(one.stock > 0 ? 'in_stock' : 'out_of_stock')
    expect([rating >= 1, rating <= 5, Number.isInteger(Math.round(rating * 1000) / 100)]).toEqual([true, true, true])
    expect([1, 2, 3, 4, 5]).toContain(stars)
    for (const picture of [one.thumbnail, one.avatarUrl, one.logo, ...one.images])
      expect(picture).toMatch(/^https:\/\/images\.example\.org\/[\w-]+\.png$/)
  }
})

interface Order {
  readonly lines: readonly {
    readonly index: number
    readonly productId: string
    readonly productName: string
    readonly quantity: number
    readonly unitPrice: number
    readonly total: number
  }[]
}

test('a line costs what its product costs, and has its name', async () => {
  const read = createShop()
  const products = new Map((await read<Product[]>('/products')).map((product) => [product.id, product]))
  const lines = (await read<Order[]>('/orders')).flatMap((order) => order.lines)
  expect(lines.length).toBeGreaterThan(20)
  for (const { productId, productName, quantity, unitPrice, total } of lines) {
    expect([unitPrice, productName]).toEqual([products.get(productId)?.price, products.get(productId)?.name])
    expect(total).toBeCloseTo(quantity * unitPrice, 2)
  }
  const cart = await read<{ lines: { product: Product; unitPrice: number }[] }>('/cart')
  for (const { product, unitPrice } of cart.lines) expect(unitPrice).toBe(product.price)
})

test('an element says its place in its list', async () => {
  for (const { lines } of await createShop()<Order[]>('/orders'))
    expect(lines.map(({ index }) => index)).toEqual([...lines.keys()])
})

test.for(['/runs', '/latest-runs'])(
  'of %s only what failed has an error, and links are to a host for examples',
  async (path) => {
    const runs = await createShop()<Readonly<Record<keyof typeof RUN, unknown>>[]>(path)
    for (const { status, failure_reason, docs, ...errors } of runs) {
      for (const error of [errors.last_error, errors.last_payment_error, failure_reason])
        expect(error === null).toBe(status !== 'failed')
      expect(docs).toMatch(/^https:\/\/example\.org\/[\w-]+$/)
    }
  },
)

test('an age goes with the date of birth, and mail goes to domains for examples', async () => {
  const people = await createShop()<{ email: string; backup: string; birthDate: string; age: number }[]>('/people')
  for (const { email, backup, birthDate, age } of people) {
    const years = 2026 - Number(birthDate.slice(0, 4)) - (birthDate.slice(5) > '03-05' ? 1 : 0)
    expect(age).toBe(years)
    for (const address of [email, backup]) expect(address).toMatch(/^[\w.+-]+@example\.(com|net|org)$/)
  }
})

test('who has a name, an address and a date of birth is a person', async () => {
  const sailors = await createShop()<{ name: string; email: string }[]>('/sailors')
  for (const { name, email } of sailors) {
    const [last = ''] = name.toLowerCase().split(' ').slice(-1)
    expect(email).toContain(last.replaceAll(/[^a-z]/g, ''))
  }
})

test('what is overdue was not paid and fell due, and its state is no region', async () => {
  const bills = await createShop()<{ state: string; phase: string; due_date: string; paid_at: unknown }[]>('/bills')
  expect(new Set(bills.map(({ phase }) => phase)).size).toBe(4)
  for (const { state, phase, due_date, paid_at } of bills) {
    expect(paid_at !== null).toBe(phase === 'paid')
    expect(due_date < '2026-03-05').toBe(['overdue', 'expired'].includes(phase))
    expect(state).toMatch(/^[a-z]+$/)
  }
})

test('a word that ends like an id is none', async () => {
  const plot = await createShop()<Record<string, string>>('/plot')
  for (const name of ['grid', 'hybrid', 'turkey']) expect(plot[name]).toMatch(/ /)
  for (const name of ['harvestid', 'apiKey']) expect(plot[name]).toMatch(/^[a-z0-9]{12,}$/i)
})

test('what the path names is shown however it is spelled', async () => {
  expect(await createShop()('/calls/CA77/recordings/RE5/summary')).toMatchObject({
    call_sid: 'CA77',
    recordingSid: 'RE5',
  })
})

test.for([
  ['/deployment', { apiVersion: 'apps/v1', kind: 'Deployment' }],
  ['/pod', { apiVersion: 'v1', kind: 'Pod' }],
  ['/event', { kind: 'calendar#event', object: 'event' }],
] as const)('%s says what it is', async ([path, expected]) => {
  expect(await createShop()(path)).toEqual(expected)
})

test('the elements of a list have ids of their own, like the example', async () => {
  const payments = await createShop()<{ id: string; customer: string }[]>('/recent')
  const ids = payments.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^pi_[A-Za-z0-9]{24}$/)
})

test('links lead to the address that a document is read at', async () => {
  const read = createShop()
  const [order] = await read<{ id: string; _links: unknown }[]>('/orders')
  const path = `/orders/${order?.id ?? ''}`
  expect(order?._links).toEqual({ self: { href: path }, customer: { href: `${path}/customer` } })
  expect(await read('/summary')).toMatchObject({
    _links: { self: { href: '/summary' }, orders: { href: '/summary/orders' } },
  })
})

interface Card {
  readonly last4: string
  readonly exp_month: number
  readonly exp_year: number
  readonly billing_city: string
  readonly address_line1: string
  readonly address_zip: string
  readonly valid_from: number
  readonly checked: number
  readonly synced: number
}

test('no item is a deleted one, and its texts, months and moments are what their names and formats say', async () => {
  const cards = await createShop()<Card[]>('/cards')
  const isNear = (seconds: number) => [2025, 2026].includes(new Date(seconds * 1000).getUTCFullYear())
  for (const card of cards) {
    expect(card.last4).toMatch(/^\d{4}$/)
    expect([card.exp_month >= 1, card.exp_month <= 12, card.exp_year >= 2023, card.exp_year <= 2032]).not.toContain(
      false,
    )
    expect(card.address_line1).toMatch(/\d/)
    expect(card.address_zip).toMatch(/^[\d-]+$/)
    expect(card.billing_city).toMatch(/^[A-Z]/)
    expect([card.valid_from, card.checked, card.synced / 1000].map(isNear)).toEqual([true, true, true])
  }
})

test('an item shows no page of another list that it need not show, and no deleted item', async () => {
  const accounts = await createShop()<{ main: { data: Card[] }; card: Card }[]>('/accounts')
  for (const account of accounts) {
    expect(account).not.toHaveProperty('cards')
    expect(account.main.data[0]).toMatchObject({ last4: expect.any(String) as string })
    expect(account.card).toMatchObject({ last4: expect.any(String) as string })
  }
})
