import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadContract } from '../../src/contract/load/load.ts'
import { createSchemas } from '../../src/contract/schemas/schemas.ts'
import { isObject } from '../../src/base/formats/json.ts'
import { readSourceFile } from '../../src/base/formats/source-file.ts'
import { createDocumentMaker, type DocumentRequest } from '../../src/values/document-maker.ts'
import { cases, sample } from '../support/cases.ts'
import { CONTRACT_TOOLS } from '../support/contracts/contract-tools.ts'

type Values = Readonly<Record<string, unknown>>

const NOW = Date.UTC(2026, 2, 5)

const REQUEST: DocumentRequest = {
  key: 42,
  index: 0,
  count: 10,
  variant: 0,
  now: NOW,
  noun: 'thing',
  path: undefined,
  known: new Map(),
  references: () => undefined,
}

/** Makes documents of the schema `Thing` in a document, and checks them as responses are checked. */
function makerOf(schemas: Values, name = 'Thing') {
  const document = { components: { schemas } }
  const check = createSchemas(document, () => '').compile(`/components/schemas/${name}`, 'response')
  const make = createDocumentMaker({ document, schema: { $ref: `#/components/schemas/${name}` }, check })
  return { check, make: (request: Partial<DocumentRequest> = {}) => make({ ...REQUEST, ...request }) }
}

const TEXT = { type: 'string' }
const NUMBER = { type: 'number', minimum: 0 }
const INTEGER = { type: 'integer', minimum: 0 }
const FLAG = { type: 'boolean' }
const MOMENT = { type: 'string', format: 'date-time' }
const MOMENT_OR_NULL = { type: ['string', 'null'], format: 'date-time' }

const CUSTOMER = {
  type: 'object',
  required: ['id', 'email', 'password'],
  properties: {
    ...{ id: INTEGER, first_name: TEXT, last_name: TEXT, name: TEXT, email: { type: 'string', format: 'email' } },
    ...{ password: { type: 'string', writeOnly: true }, birthday: { type: 'string', format: 'date' } },
    address: { type: 'object', properties: { city: TEXT, postal_code: TEXT, country: TEXT } },
    ...{ created_at: MOMENT, updated_at: MOMENT, deleted_at: MOMENT_OR_NULL },
  },
}

const STATUSES = ['pending', 'paid', 'shipped', 'delivered', 'cancelled', 'refunded']

const ORDER = {
  type: 'object',
  required: ['id', 'lines', 'total'],
  properties: {
    ...{
      id: { type: 'string', format: 'uuid' },
      customer_id: INTEGER,
      customer: { $ref: '#/components/schemas/Customer' },
    },
    ...{ status: { enum: STATUSES }, paid: FLAG, currency: { enum: ['usd', 'eur'] } },
    lines: {
      type: 'array',
      items: {
        type: 'object',
        properties: { quantity: { type: 'integer', minimum: 1 }, unit_price: NUMBER, amount: NUMBER, currency: TEXT },
      },
    },
    ...{ item_count: INTEGER, subtotal: NUMBER, tax: NUMBER, discount: NUMBER, shipping: NUMBER, total: NUMBER },
    ...{ created_at: MOMENT, paid_at: MOMENT_OR_NULL, shipped_at: MOMENT_OR_NULL, cancelled_at: MOMENT_OR_NULL },
    ...{ delivery_date: { type: 'string', format: 'date' }, updated_at: MOMENT, expires_at: INTEGER },
    url: { type: 'string', format: 'uri' },
  },
}

interface Order {
  readonly customer_id: number
  readonly customer: { readonly id: number; readonly created_at: string }
  readonly status: string
  readonly paid: boolean
  readonly currency: string
  readonly lines: readonly { quantity: number; unit_price: number; amount: number; currency: string }[]
  readonly item_count: number
  readonly subtotal: number
  readonly tax: number
  readonly discount: number
  readonly shipping: number
  readonly total: number
  readonly created_at: string
  readonly paid_at: string | null
  readonly shipped_at: string | null
  readonly cancelled_at: string | null
  readonly delivery_date?: string
  readonly updated_at: string
  readonly expires_at: number
  readonly url: string
}

/** Any document of any collection. */
const ANY_REQUEST = fc
  .record({ key: fc.nat(), index: fc.nat(2000), more: fc.nat(2000) })
  .map(({ key, index, more }) => ({ key, index, count: index + 1 + more }))

const cents = (amount: number) => Math.round(amount * 100)

describe('documents of a shop', () => {
  const orders = makerOf({ Thing: ORDER, Customer: CUSTOMER })
  const anOrder = (request: Partial<DocumentRequest>) =>
    orders.make({
      noun: 'order',
      path: '/orders/1',
      references: (noun) => (noun === 'customer' ? 7 : undefined),
      ...request,
    }) as unknown as Order

  test('totals are the sums of their parts', () => {
    fc.assert(
      fc.property(ANY_REQUEST, (request) => {
        const { lines, subtotal, tax, discount, shipping, total, item_count } = anOrder(request)
        for (const { quantity, unit_price, amount } of lines) expect(cents(amount)).toBe(cents(quantity * unit_price))
        expect(cents(subtotal)).toBe(cents(lines.reduce((sum, { amount }) => sum + amount, 0)))
        expect(cents(total)).toBe(cents(subtotal + tax + shipping - discount))
        expect(item_count).toBe(lines.length)
      }),
    )
  })

  test('dates are in order, and lie in the past unless they are said to come', () => {
    fc.assert(
      fc.property(ANY_REQUEST, (request) => {
        const { created_at, paid_at, shipped_at, delivery_date, cancelled_at, updated_at, expires_at, customer } =
          anOrder(request)
        const dates = [customer.created_at, created_at, paid_at, shipped_at, cancelled_at, updated_at]
        const moments = dates.flatMap((date) => (date === null ? [] : [Date.parse(date)]))
        expect(moments).toEqual(moments.toSorted((one, other) => one - other))
        expect(Math.max(...moments, Date.parse(delivery_date ?? created_at))).toBeLessThanOrEqual(NOW)
        expect(expires_at * 1000).toBeGreaterThan(NOW)
      }),
    )
  })

  test('what has happened agrees with the status', () => {
    fc.assert(
      fc.property(ANY_REQUEST, (request) => {
        const { status, paid, paid_at, shipped_at, cancelled_at } = anOrder(request)
        expect(paid).toBe(['paid', 'shipped', 'delivered', 'refunded'].includes(status))
        expect(paid_at !== null).toBe(paid)
        expect(shipped_at !== null).toBe(['shipped', 'delivered'].includes(status))
        expect(cancelled_at !== null).toBe(status === 'cancelled')
      }),
    )
  })

  test('a document has one currency, and refers to documents that exist', () => {
    fc.assert(
      fc.property(ANY_REQUEST, (request) => {
        const { lines, currency, customer_id, customer, url } = anOrder(request)
        expect(new Set([currency, ...lines.map((line) => line.currency.toLowerCase())]).size).toBe(1)
        expect([customer_id, customer.id]).toEqual([7, 7])
        expect(url).toMatch(/^https:.*\/orders\/1$/)
      }),
    )
  })

  test('the values of an enumeration take turns', () => {
    const found = STATUSES.map((_, index) => anOrder({ index }).status)
    expect(found.toSorted()).toEqual(STATUSES.toSorted())
  })

  test('no two of thousands of customers have the same name or address, and each name fits its address', () => {
    const customers = makerOf({ Thing: CUSTOMER })
    const count = cases(10_000, 1000)
    const made = Array.from(
      { length: count },
      (_, index) => customers.make({ index, count, noun: 'customer' }) as Record<string, string>,
    )
    expect(new Set(made.map(({ name }) => name)).size).toBe(count)
    expect(new Set(made.map(({ email }) => email)).size).toBe(count)
    for (const { first_name = '', last_name = '', name, email, password, deleted_at } of made) {
      expect(name).toBe(`${first_name} ${last_name}`)
      expect(email?.split('@')[0]).toBe(`${first_name}.${last_name}`.toLowerCase().replaceAll(/[^a-z.]/g, ''))
      expect([password, deleted_at]).toEqual([undefined, null])
    }
  })

  test('known values are put in, and a document that only one of the alternatives allows is found', () => {
    const { make } = makerOf({
      Thing: {
        oneOf: [
          { type: 'object', not: {} },
          { type: 'object', required: ['id'], properties: { id: TEXT, kind: TEXT } },
        ],
      },
    })
    expect(make({ known: new Map([['/id', 'a-1']]) })).toMatchObject({ id: 'a-1' })
    expect(makerOf({ Thing: { type: 'object', not: {} } }).make()).toBeUndefined()
  })
})

/** Names that mean something to the documents' members, with schemas that rarely fit what they mean. */
const NAMES = [
  ...[
    'id',
    'name',
    'email',
    'first_name',
    'username',
    'status',
    'state',
    'paid',
    'cancelled',
    'currency',
    'country',
    'city',
  ],
  ...[
    'created_at',
    'updated_at',
    'shipped_at',
    'cancelled_at',
    'expires_at',
    'start',
    'end',
    'birthday',
    'customer_id',
    'customer',
  ],
  ...[
    'price',
    'quantity',
    'amount',
    'subtotal',
    'tax',
    'discount',
    'total',
    'items',
    'item_count',
    'url',
    'links',
    'count',
    'zip',
  ],
]

const SCALARS: fc.Arbitrary<object> = fc.oneof(
  fc.constantFrom(TEXT, NUMBER, INTEGER, FLAG, MOMENT, MOMENT_OR_NULL, { type: ['integer', 'null'], maximum: 5 }),
  fc.constantFrom(
    { type: 'string', format: 'date' },
    { type: 'string', format: 'uuid' },
    { type: 'string', format: 'uri' },
  ),
  fc.record({ type: fc.constant('string'), minLength: fc.nat(5), maxLength: fc.integer({ min: 5, max: 12 }) }),
  fc.record({ type: fc.constant('string'), pattern: fc.constantFrom('^[A-Z]{2}$', '^\\d{5}$', '^ord_[a-z0-9]{8}$') }),
  fc.record({
    enum: fc.uniqueArray(fc.constantFrom('paid', 'cancelled', 'EUR', 'US', 3, 4.5, true, null), { minLength: 1 }),
  }),
  fc.record({
    type: fc.constant('integer'),
    minimum: fc.constant(10),
    maximum: fc.integer({ min: 10, max: 40 }),
    multipleOf: fc.constantFrom(1, 5),
  }),
  fc.record({ const: fc.constantFrom('paid', 12, 'a@b.test') }),
)

const { object: OBJECT } = fc.letrec<{ object: object; any: object }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    { weight: 6, arbitrary: SCALARS },
    tie('object'),
    fc.record({
      type: fc.constant('array'),
      items: tie('any'),
      uniqueItems: fc.boolean(),
      maxItems: fc.integer({ min: 1, max: 3 }),
    }),
  ),
  object: fc
    .record({
      members: fc.dictionary(fc.constantFrom(...NAMES), tie('any'), { maxKeys: 8 }),
      isClosed: fc.boolean(),
      required: fc.subarray(NAMES),
      isSplit: fc.boolean(),
    })
    .map(({ members, isClosed, required, isSplit }) => {
      const own = { type: 'object', properties: members, required: required.filter((name) => name in members) }
      if (isSplit) return { anyOf: [own, { ...own, required: [] }] }
      return isClosed ? { ...own, additionalProperties: false } : own
    }),
}))

describe('documents of any schema', () => {
  test('are valid, and the same for the same request', () => {
    fc.assert(
      fc.property(OBJECT, ANY_REQUEST, fc.constantFrom('customer', 'thing'), (schema, request, noun) => {
        const asked = { ...request, noun, path: '/things/1', references: () => 12 }
        const { make, check } = makerOf({ Thing: schema })
        const made = make(asked)
        expect(made).toBeDefined()
        expect(check(made)).toEqual([])
        expect(JSON.stringify(makerOf({ Thing: schema }).make(asked))).toBe(JSON.stringify(made))
      }),
      { numRuns: cases(300, 30) },
    )
  })

  const examples = ['3.0', '3.1'].flatMap((version) =>
    readdirSync(`${CONTRACT_TOOLS}@readme/oas-examples/${version}/json`)
      .filter((name) => name.endsWith('.json') && name !== 'webhooks.json')
      .map((name) => `@readme/oas-examples/${version}/json/${name}`),
  )
  const found = { schemas: 0, missing: [] as string[] }

  test.each([...sample(examples, 3, 2), '@scalar/galaxy/dist/3.1.yaml'])('%s', { timeout: 60_000 }, (file) => {
    const { document } = loadContract(readSourceFile(CONTRACT_TOOLS + file))
    const { schemas } = (document.components ?? {}) as { readonly schemas?: Values }
    for (const [name, schema] of Object.entries(schemas ?? {})) {
      if (!isObject(schema) || !isObject(schema.properties)) continue
      found.schemas++
      const { make, check } = makerOf(schemas ?? {}, name)
      for (const index of [0, 1, 300]) {
        const made = make({ index, count: 301, noun: name, references: () => 5, path: '/x/1' })
        if (made) expect(check(made)).toEqual([])
        else found.missing.push(`${file} ${name}`)
      }
    }
  })

  test('are found for nearly all schemas of public documents', () => {
    expect(found.schemas).toBeGreaterThan(50)
    expect(new Set(found.missing).size, found.missing.join('\n')).toBeLessThanOrEqual(found.schemas / 50)
  })
})
