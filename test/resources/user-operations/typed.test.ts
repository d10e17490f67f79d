import { readFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'
import { expect, expectTypeOf, test } from 'vitest'
import type { components, operations } from './orders.d.ts'
import { defineOperation, events, operationsOf, type UserHandle, problem } from '../../../src/index.ts'

test('the types of the contract are those that openapi-typescript makes of it', async () => {
  const made = astToString(await openapiTS(new URL('orders.yaml', import.meta.url)))
  expect(readFileSync(new URL('orders.d.ts', import.meta.url), 'utf8')).toContain(made)
})

type Handle<Id extends keyof operations> = UserHandle<operations[Id]>
type CallOf<Id extends keyof operations> = Parameters<Handle<Id>>[1]

test('a call is typed by the contract: parameters, query and body', () => {
  expectTypeOf<CallOf<'getOrder'>['path']>().toEqualTypeOf<{ readonly orderId: number }>()
  expectTypeOf<CallOf<'listOrders'>['query']['state']>().toEqualTypeOf<'open' | 'paid' | undefined>()
  expectTypeOf<CallOf<'createOrder'>['body']>().toEqualTypeOf<components['schemas']['OrderInfo']>()
  expectTypeOf<CallOf<'getOrder'>['body']>().toEqualTypeOf<undefined>()
})

test('an answer is typed by the contract: what it does not document does not compile', () => {
  const define = operationsOf<operations>()
  const order = { id: 1, item: 'Lamp', count: 1, state: 'open', placed: '2026-03-05T14:30:00.000Z' } as const
  const made = [
    define('getOrder', () => ({ status: 200, body: order })),
    define('getOrder', () => problem(404, 'No')),
    define('deleteOrder', () => ({ status: 204, events: [events.remove('orders', 1)] })),
    define('getLabel', () => ({ status: 200, body: 'label', contentType: 'text/plain' })),
    defineOperation<operations, 'getOrder'>('getOrder', (_world, { path }) => ({
      status: 200,
      body: { ...order, id: path.orderId },
    })),
    defineOperation('getOrder', (state, { path }) => ({
      status: 200,
      body: state.collection('orders').get(String(path.orderId)),
    })),
    // @ts-expect-error There is no such operation.
    define('getOder', () => ({ status: 200, body: order })),
    // @ts-expect-error The status is not documented.
    define('getOrder', () => ({ status: 201, body: order })),
    // @ts-expect-error The body is that of another answer.
    define('getOrder', () => ({ status: 200, body: { id: 1 } })),
    // @ts-expect-error A 204 has no body.
    define('deleteOrder', () => ({ status: 204, body: order })),
    // @ts-expect-error What is no JSON names its media type.
    define('getLabel', () => ({ status: 200, body: 'label' })),
    // @ts-expect-error A handler cannot wait.
    define('getOrder', () => Promise.resolve({ status: 200, body: order })),
    // @ts-expect-error Parameters are frozen.
    define('getOrder', (_world, { path }) => ({ status: 200, body: { ...order, id: (path.orderId = 2) } })),
  ]
  expect(made.map(({ operationId }) => operationId)).toContain('getOrder')
})

interface Invoice {
  id: number
  lines: { item: string; taxes: number[] }[]
}

/** As openapi-typescript writes it: everything may be changed. */
interface Billing {
  createInvoice: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never }
    requestBody: { content: { 'application/json': Omit<Invoice, 'id'> } }
    responses: { 201: { headers: Record<string, unknown>; content: { 'application/json': Invoice } } }
  }
}

test('a body is of the type that the contract has, lists in it too, and what a collection keeps can be answered', () => {
  const define = operationsOf<Billing>()
  const { operationId } = define('createInvoice', (state, { body }) => {
    const first = state.collection<Invoice>('invoices').list()[0]
    if (first) return { status: 201, body: first }
    const invoice: Invoice = { ...body, id: 1 }
    invoice.lines.push({ item: 'Postage', taxes: [7] })
    return { status: 201, body: invoice, events: [events.create('invoices', invoice.id, invoice)] }
  })
  expect(operationId).toBe('createInvoice')
})
