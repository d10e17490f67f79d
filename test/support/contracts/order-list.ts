import type { Response } from 'supertest'
import type { StandinOptions } from '../../../src/index.ts'
import type { Tester } from '../tester.ts'
import { type ControlledTester, createControlledTester } from '../control.ts'
import { contractOf, type Json, OWN_KEY } from './small-contract.ts'

const TEXT = { type: 'string' }

/** An order, as the tests of lists have it. */
const ORDER_SCHEMA: Json = {
  type: 'object',
  required: ['id', 'status'],
  properties: {
    id: { type: 'integer', readOnly: true },
    status: { ...TEXT, enum: ['open', 'paid', 'shipped'] },
    note: TEXT,
    price: { type: 'number' },
    tags: { type: 'array', items: TEXT },
    customer_id: { type: 'integer' },
    created_at: { ...TEXT, format: 'date-time', readOnly: true },
  },
}

const REFUSED = { description: 'Refused.' }
const ITEM = { $ref: '#/components/schemas/Order' }

/** What a contract documents of `GET /orders`. */
export interface OrderList extends StandinOptions {
  /** Query parameters with their schemas. */
  readonly query?: Readonly<Record<string, object>>
  /** The schema of the response around the list of orders; by default the list itself. */
  readonly envelope?: (list: Json) => Json
  /** Documented headers of the response. */
  readonly headers?: readonly string[]
  /** Documented headers of requests, with their schemas. */
  readonly requestHeaders?: Readonly<Record<string, object>>
  readonly description?: string
  /** A body, for `POST /orders/search`. */
  readonly search?: Json
  /** Orders of the fixtures; by default ten, whose prices and dates grow. */
  readonly orders?: readonly Json[]
}

export const TEN_ORDERS: readonly Json[] = Array.from({ length: 10 }, (_, at) => ({
  id: at + 1,
  status: ['open', 'paid', 'shipped'][at % 3],
  note: `Order ${at + 1} of ${at < 5 ? 'Ann' : 'Bob'}`,
  price: 10 * (at + 1),
  tags: at % 2 === 0 ? ['even'] : ['odd', 'new'],
  customer_id: 1 + (at % 4),
  created_at: `2026-01-${String(at + 1).padStart(2, '0')}T12:00:00Z`,
}))

/** A server with a list of orders, and operations that create, read and remove them. */
export function createOrderTester(list: OrderList = {}): ControlledTester {
  return createControlledTester(orderOptions(list))
}

/** The options of such a server. */
export function orderOptions({
  query = {},
  envelope = (list) => list,
  headers = [],
  requestHeaders = {},
  description = 'Lists orders.',
  search,
  orders = TEN_ORDERS,
  ...options
}: OrderList = {}): StandinOptions {
  const content = (schema: Json) => ({ 'application/json': { schema } })
  const parameters = Object.entries(query).map(([name, schema]) => ({
    ...{ name, in: 'query', schema },
    ...('description' in schema ? { description: schema.description } : {}),
    ...('properties' in schema || 'additionalProperties' in schema ? { style: 'deepObject' } : {}),
  }))
  const fromHeaders = Object.entries(requestHeaders).map(([name, schema]) => ({ name, in: 'header', schema }))
  const page = {
    description: 'Orders.',
    headers: Object.fromEntries(headers.map((name) => [name, { schema: TEXT }])),
    content: content(envelope({ type: 'array', items: ITEM })),
  }
  const one = { description: 'An order.', content: content(ITEM) }
  const paths = {
    '/orders': {
      get: {
        operationId: 'listOrders',
        description,
        parameters: [...parameters, ...fromHeaders],
        responses: { 200: page, 400: REFUSED, 404: REFUSED },
      },
      post: { operationId: 'createOrder', requestBody: { content: content(ITEM) }, responses: { 201: one } },
    },
    '/orders/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'getOrder', responses: { 200: one } },
      delete: { operationId: 'deleteOrder', responses: { 204: { description: 'Gone.' } } },
    },
    ...(search
      ? {
          '/orders/search': {
            post: { operationId: 'searchOrders', requestBody: { content: content(search) }, responses: { 200: page } },
          },
        }
      : {}),
  }
  const documents = Object.fromEntries(orders.map((order) => [String(order.id), order]))
  const schemas = { Order: ORDER_SCHEMA }
  return { contract: contractOf(paths, schemas), fixtures: [{ collections: { orders: documents } }], ...options }
}

/** `GET /orders` with a query as it goes over the wire, or another path. */
export async function list({ request }: Tester, query = ''): Promise<Response> {
  const path = query.startsWith('/') ? query : `/orders${query === '' ? '' : `?${query}`}`
  return request().get(path).set(OWN_KEY).set('Host', 'localhost:4010')
}

/** The ids of the orders in a body that is a list, or has one. */
export function idsOf({ body }: Response): number[] {
  const held = body as Readonly<Record<string, unknown>>
  const orders = Array.isArray(body) ? body : Object.values(held).find((one) => Array.isArray(one))
  return (orders as readonly { readonly id: number }[]).map(({ id }) => id)
}
