import type { RequestListener } from 'node:http'
import request from 'supertest'
import { expect, test } from 'vitest'
import { startPartial, startService } from '../../support/servers/proxy.ts'

const ITEM = {
  type: 'object',
  required: ['id', 'status'],
  properties: { id: { type: 'integer' }, status: { type: 'string', enum: ['new', 'paid'] }, total: { type: 'number' } },
}
const json = (schema: object) => ({ 'application/json': { schema } })
const query = (name: string, schema: object) => ({ name, in: 'query', schema })
const ONE = { description: 'An order', content: json(ITEM) }
const PAGE = {
  type: 'object',
  required: ['orders', 'total'],
  properties: {
    orders: { type: 'array', items: ITEM },
    total: { type: 'integer' },
    count: { type: 'integer' },
    hasMore: { type: 'boolean' },
    next: { type: 'string', format: 'uri' },
  },
}

/** Orders with pages, a filter and an order, and their notes by id. */
const CONTRACT = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/orders': {
      get: {
        operationId: 'listOrders',
        parameters: [
          query('page', { type: 'integer', minimum: 1 }),
          query('limit', { type: 'integer' }),
          query('status', { type: 'string', enum: ['new', 'paid'] }),
          query('sort', { type: 'string', enum: ['total', '-total'] }),
          query('magic', { type: 'string' }),
        ],
        responses: {
          200: {
            description: 'A page',
            headers: { 'X-Total-Count': { schema: { type: 'integer' } }, Link: { schema: { type: 'string' } } },
            content: json(PAGE),
          },
        },
      },
      post: {
        operationId: 'createOrder',
        requestBody: { content: json({ ...ITEM, required: ['status'] }) },
        responses: { 201: ONE },
      },
    },
    '/orders/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'getOrder', responses: { 200: ONE, 404: { description: 'None' } } },
      put: {
        operationId: 'putOrder',
        requestBody: { content: json(ITEM) },
        responses: { 200: ONE, 201: ONE },
      },
      delete: { operationId: 'deleteOrder', responses: { 204: { description: 'Gone' } } },
    },
  },
}

/** Has the orders 1 to 4, of which the odd ones are new. */
const service: RequestListener = (incoming, response) => {
  const { pathname, searchParams: asked } = new URL(incoming.url ?? '', 'http://localhost')
  response.setHeader('content-type', 'application/json')
  if (pathname !== '/orders' || incoming.method !== 'GET') {
    response.writeHead(501).end('{}')
    return
  }
  const [page, limit] = [Number(asked.get('page') ?? 1), Number(asked.get('limit') ?? 10)]
  const all = [1, 2, 3, 4].map((id) => ({ id, status: id % 2 === 1 ? 'new' : 'paid', total: 10 * id }))
  const found = all.filter(({ status }) => (asked.get('status') ?? status) === status)
  const orders = found.slice((page - 1) * limit, page * limit)
  const hasMore = page * limit < found.length
  const next = hasMore ? { next: `https://api.example.com/orders?page=${page + 1}` } : {}
  response.writeHead(200, {
    'X-Total-Count': found.length,
    ETag: '"of-the-service"',
    Link: '<https://a.example/>; rel="self"',
  })
  response.end(JSON.stringify({ orders, total: found.length, count: orders.length, hasMore, ...next }))
}

async function startJoined(settings: object = {}) {
  const own = { contract: CONTRACT, join: true, mock: ['createOrder', 'getOrder', 'putOrder', 'deleteOrder'] }
  const { url, control } = await startPartial(await startService(service), { ...own, ...settings })
  return {
    url,
    control,
    create: async (status: string, total: number) => {
      const created = await request(url).post('/orders').send({ status, total })
      return (created.body as { id: number }).id
    },
    list: async (asked = '') => {
      const response = await request(url).get(`/orders${asked}`)
      const headers = response.headers as Readonly<Record<string, string>>
      const page = response.body as Readonly<Record<string, unknown>>
      return { page, ids: idsOf(page), joined: headers['x-mock-joined'], headers }
    },
  }
}

function idsOf(body: unknown): readonly number[] {
  return (body as { orders: { id: number }[] }).orders.map(({ id }) => id)
}

test('a list of the service begins with what was created here, and counts it', async () => {
  const { create, list } = await startJoined()
  expect(await list()).toMatchObject({ ids: [1, 2, 3, 4], joined: 'added=0, changed=0, hidden=0' })
  const id = await create('new', 7)
  const { page, headers, joined } = await list()
  expect(page).toEqual({
    orders: [
      { id, status: 'new', total: 7 },
      { id: 1, status: 'new', total: 10 },
      { id: 2, status: 'paid', total: 20 },
      { id: 3, status: 'new', total: 30 },
      { id: 4, status: 'paid', total: 40 },
    ],
    total: 5,
    count: 5,
    hasMore: false,
  })
  expect(joined).toBe('added=1, changed=0, hidden=0')
  expect(headers).toMatchObject({
    'x-mock-answered-by': 'upstream',
    'x-total-count': '5',
    link: '<https://a.example/>; rel="self"',
  })
  // It is not what the service tagged.
  expect(headers.etag).toBeUndefined()
})

test('on the first page alone, and the pages and links stay those of the service', async () => {
  const { create, list } = await startJoined()
  const id = await create('paid', 7)
  const first = await list('?limit=2')
  expect(first).toMatchObject({
    ids: [id, 1, 2],
    page: { total: 5, hasMore: true, next: 'https://api.example.com/orders?page=2' },
  })
  expect(await list('?limit=2&page=2')).toMatchObject({
    ids: [3, 4],
    page: { total: 5 },
    joined: 'added=0, changed=0, hidden=0',
  })
})

test('filters are met by the engine of a list here, and an order puts items among those of the service', async () => {
  const { create, list } = await startJoined()
  const ids = [await create('paid', 15), await create('new', 35)] as const
  expect((await list('?status=new')).ids).toEqual([ids[1], 1, 3])
  expect((await list('?status=paid')).page).toMatchObject({ total: 3 })
  expect((await list('?sort=total')).ids).toEqual([1, ids[0], 2, 3, ids[1], 4])
})

test('what was changed here takes the place of the item of the service, and what was deleted here is gone', async () => {
  const { url, list } = await startJoined({ behaviours: { 'collections.put-unknown': 'create' } })
  await request(url).put('/orders/3').send({ id: 3, status: 'paid', total: 99 })
  expect((await list()).page).toMatchObject({
    orders: [{ id: 1 }, { id: 2 }, { id: 3, total: 99 }, { id: 4 }],
    total: 4,
  })
  expect(await list('?status=new')).toMatchObject({
    ids: [1],
    page: { total: 1 },
    joined: 'added=0, changed=0, hidden=1',
  })
  expect((await list('?status=paid')).ids).toEqual([3, 2, 4])
  // Shown on the first page, where it is unknown that the service has it on another, and on no other.
  expect([(await list('?limit=2')).ids, (await list('?limit=2&page=2')).ids]).toEqual([[3, 1, 2], [4]])
  await request(url).delete('/orders/3')
  expect(await list()).toMatchObject({ ids: [1, 2, 4], page: { total: 3 }, joined: 'added=0, changed=0, hidden=1' })
})

test('a list that cannot be joined says so, and is that of the service', async () => {
  const { create, list } = await startJoined()
  await create('new', 7)
  expect(await list('?magic=yes')).toMatchObject({
    ids: [1, 2, 3, 4],
    joined: 'no; what magic asks for is not known here',
  })
  const odd = await startService((_incoming, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[]}')
  })
  const { url } = await startPartial(odd, { contract: CONTRACT, join: true })
  const other = await request(url).get('/orders')
  expect([other.body, other.headers['x-mock-joined']]).toEqual([
    { items: [] },
    'no; the response has no list at /orders',
  ])
})

test('sandboxes have their own items in the list, and faults change the joined page', async () => {
  const { url, create, list, control } = await startJoined()
  const id = await create('new', 7)
  const other = await request(url).get('/orders').set('X-Mock-Sandbox', 'other')
  expect(idsOf(other.body)).toEqual([1, 2, 3, 4])
  await control.armFaults({ kind: 'changed-body', changes: [{ op: 'reverse', at: '/orders' }] })
  expect((await list()).ids).toEqual([4, 3, 2, 1, id])
  await control.armFaults({ kind: 'slow-drip', pieces: 2, milliseconds: 10 })
  expect(await list()).toMatchObject({
    ids: [4, 3, 2, 1, id],
    headers: { 'x-mock-fault': 'slow-drip-2, changed-body-1' },
  })
})

test('what is no JSON is not waited for', async () => {
  const stream = await startService((_incoming, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
  })
  const { url } = await startPartial(stream, { contract: CONTRACT, join: true })
  const response = await fetch(`${url}/orders`)
  expect(response.headers.get('x-mock-joined')).toBe('no; the response is not JSON')
  await response.body?.cancel()
})
