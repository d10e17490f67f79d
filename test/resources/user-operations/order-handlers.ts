import type { components, operations } from './orders.d.ts'
import { events, operationsOf, type UserOperation, problem, type StateView } from '../../../src/index.ts'

type Order = components['schemas']['Order']

const defineOperation = operationsOf<operations>()
const ordersOf = (state: StateView) => state.collection<Order>('orders')
const missing = (id: number) => problem(404, 'There is no such order', `There is no order ${id}.`)

/** Orders that are made, read, changed and removed. */
export const ORDER_HANDLERS: readonly UserOperation[] = [
  defineOperation('listOrders', (state, { query }) => {
    const orders = ordersOf(state).list()
    return { status: 200, body: { orders: orders.filter(({ state }) => !query.state || query.state === state) } }
  }),
  defineOperation('createOrder', (state, { body, now }) => {
    const id = ordersOf(state).nextId
    const placed = new Date(now).toISOString()
    const order = { id, item: body.item, count: body.count ?? 1, state: 'open', placed } as const
    return {
      status: 201,
      body: order,
      headers: { location: `/api/orders/v1/orders/${id}` },
      events: [events.create('orders', id, order)],
    }
  }),
  defineOperation('getOrder', (state, { path }) => {
    const order = ordersOf(state).get(path.orderId)
    return order ? { status: 200, body: order } : missing(path.orderId)
  }),
  defineOperation('updateOrder', (state, { path, body }) => {
    const order = ordersOf(state).get(path.orderId)
    if (!order) return missing(path.orderId)
    const changed = { ...order, ...body }
    return { status: 200, body: changed, events: [events.update('orders', path.orderId, changed)] }
  }),
  defineOperation('deleteOrder', (state, { path }) => {
    if (!ordersOf(state).has(path.orderId)) return missing(path.orderId)
    return { status: 204, events: [events.remove('orders', path.orderId)] }
  }),
  defineOperation('getLabel', (_world, { path, uuid }) => ({
    status: 200,
    body: `Order ${path.orderId}, parcel ${uuid()}`,
    contentType: 'text/plain; charset=utf-8',
  })),
]
