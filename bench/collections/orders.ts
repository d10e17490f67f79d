/** The orders that the bench of collections is about, and the contract that Standin serves them by. */
import type { Json } from '../../src/base/formats/json.ts'

export interface Order {
  readonly id: number
  readonly customer_id: number
  readonly status: string
  readonly total: number
  readonly created_at: string
  readonly tags: readonly string[]
  readonly note: string
}

export const STATUSES = ['open', 'paid', 'shipped', 'cancelled', 'refunded'] as const
const FIRST_MOMENT = Date.parse('2025-01-01T00:00:00Z')
const MINUTE = 60_000
/** A prime, so that what is near in one order is far away in another. */
const STRIDE = 7919

/** @param id from 1 on @param count of all orders: each has another moment */
export function orderAt(id: number, count: number): Order {
  return {
    id,
    customer_id: (id % Math.max(1, count / 10)) + 1,
    status: STATUSES[id % STATUSES.length] ?? 'open',
    total: ((id * STRIDE) % 100_000) / 100,
    created_at: new Date(FIRST_MOMENT + ((id * STRIDE) % count) * MINUTE).toISOString(),
    tags: [`campaign-${id % 10}`, `region-${id % 100}`],
    note: `Order ${id} of the spring sale, to be delivered to the back door.`,
  }
}

export function ordersOf(count: number): readonly Order[] {
  return Array.from({ length: count }, (_, index) => orderAt(index + 1, count))
}

/** What a client sends to create one. */
export const NEW_ORDER = {
  customer_id: 7,
  status: 'open',
  total: 12.5,
  tags: ['campaign-1'],
  note: 'As before, please.',
}

const query = (name: string, schema: Json) => ({ name, in: 'query', schema })
const json = (schema: Json) => ({ 'application/json': { schema } })
const ORDER = { $ref: '#/components/schemas/Order' }
const text: Json = { type: 'string' }
const integer: Json = { type: 'integer', minimum: 1 }

/** A list that is filtered by status, sorted and paged, and single orders. */
export const ORDERS_CONTRACT: Json = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/orders': {
      get: {
        operationId: 'listOrders',
        parameters: [
          query('status', { type: 'string', enum: STATUSES }),
          query('sort', text),
          query('page', integer),
          query('per_page', { ...integer, maximum: 100 }),
        ],
        responses: { 200: { description: 'A page of orders.', content: json({ type: 'array', items: ORDER }) } },
      },
      post: {
        operationId: 'createOrder',
        requestBody: { required: true, content: json(ORDER) },
        responses: { 201: { description: 'The order.', content: json(ORDER) } },
      },
    },
    '/orders/{id}': {
      get: {
        operationId: 'getOrder',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: {
          200: { description: 'The order.', content: json(ORDER) },
          404: { description: 'There is no such order.' },
        },
      },
    },
  },
  components: {
    schemas: {
      Order: {
        type: 'object',
        required: ['customer_id', 'status', 'total'],
        properties: {
          id: { type: 'integer', readOnly: true },
          customer_id: { type: 'integer' },
          status: { type: 'string', enum: STATUSES },
          total: { type: 'number' },
          created_at: { type: 'string', format: 'date-time' },
          tags: { type: 'array', items: text },
          note: text,
        },
      },
    },
  },
}
