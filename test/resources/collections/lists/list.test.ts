import request from 'supertest'
import { expect, test } from 'vitest'
import { defineOperation, events } from '../../../../src/index.ts'
import { createOrderTester, idsOf, list, type OrderList, TEN_ORDERS } from '../../../support/contracts/order-list.ts'
import { shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const TEXT = { type: 'string' }
const WHOLE = { type: 'integer' }
const ALL = TEN_ORDERS.map(({ id }) => id)

test('a list without parameters has all items, in the order they were created', async () => {
  const tester = createOrderTester()
  const response = await list(tester)
  expect(response.status).toBe(200)
  expect(response.body).toEqual(TEN_ORDERS)
})

test.each<[Record<string, object>, string, number[]]>([
  [{ status: TEXT }, 'status=paid', [2, 5, 8]],
  [{ order_status: TEXT }, 'order_status=paid', [2, 5, 8]],
  [{ order_status_prefix: TEXT }, 'order_status_prefix=pa', [2, 5, 8]],
  [{ status: TEXT }, 'status=paid,open', [1, 2, 4, 5, 7, 8, 10]],
  [{ status: { type: 'array', items: TEXT } }, 'status=paid&status=shipped', [2, 3, 5, 6, 8, 9]],
  [{ customerId: WHOLE, status: TEXT }, 'customerId=1&status=open', [1]],
  [{ tag: TEXT }, 'tag=new', [2, 4, 6, 8, 10]],
  [{ filter: { type: 'object', properties: { status: TEXT } } }, 'filter[status]=paid', [2, 5, 8]],
  [{ filter: { type: 'object', additionalProperties: true } }, 'filter[price][gte]=90', [9, 10]],
  [{ 'filter[status]': TEXT }, 'filter[status]=paid', [2, 5, 8]],
  [{ min_price: { type: 'number' }, max_price: { type: 'number' } }, 'min_price=30&max_price=50', [3, 4, 5]],
  [{ created_after: { ...TEXT, format: 'date-time' } }, 'created_after=2026-01-09T12:00:00Z', [10]],
  [{ createdSince: { ...TEXT, format: 'date' } }, 'createdSince=2026-01-09', [9, 10]],
  [{ until: { ...TEXT, format: 'date' } }, 'until=2026-01-02', [1, 2]],
  [{ q: TEXT }, 'q=bob', [6, 7, 8, 9, 10]],
  [{ sort: TEXT }, 'sort=-price', [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]],
  [
    { sort_by: TEXT, order: { ...TEXT, enum: ['asc', 'desc'] } },
    'sort_by=status&order=desc',
    [3, 6, 9, 2, 5, 8, 1, 4, 7, 10],
  ],
  [{ order_by: TEXT }, 'order_by=customer_id asc, created desc', [9, 5, 1, 10, 6, 2, 7, 3, 8, 4]],
])('a list with the parameters %j and the query %s', async (query, search, ids) => {
  const response = await list(createOrderTester({ query }), encodeURI(search))
  expect(idsOf(response)).toEqual(ids)
  expect(response.headers).not.toHaveProperty('x-mock-ignored')
})

test('a parameter that is not understood is named, and so is a sort by something that the items do not have', async () => {
  const tester = createOrderTester({ query: { colour: TEXT, sort: TEXT, expand: TEXT, status: TEXT } })
  const response = await list(tester, 'colour=red&sort=mood&expand=customer&status=open&size=3')
  expect(response.headers['x-mock-ignored']).toBe('query size, query colour, query sort, query expand')
  expect(idsOf(response)).toEqual([1, 4, 7, 10])
})

test('a list shows the optional members that are asked for, besides those that the contract requires', async () => {
  const tester = createOrderTester({ query: { fields: TEXT } })
  const response = await list(tester, 'fields=price,createdAt')
  expect((response.body as unknown[])[0]).toEqual({
    id: 1,
    status: 'open',
    price: 10,
    created_at: '2026-01-01T12:00:00Z',
  })
})

const data = (list: object) => ({
  type: 'object',
  properties: { data: list, total: WHOLE, has_more: { type: 'boolean' } },
})

test('a page that was shown before shows what changed since', async () => {
  const tester = createOrderTester({ query: { fields: TEXT, limit: WHOLE, offset: WHOLE } })
  const { text } = await list(tester, 'limit=3')
  expect((await list(tester, 'limit=3')).text).toBe(text)
  expect(idsOf(await list(tester, 'limit=3&offset=3'))).toEqual([4, 5, 6])
  expect((await list(tester, 'limit=3&fields=price')).body).toContainEqual({ id: 1, status: 'open', price: 10 })
  await tester.request().delete('/orders/2').set(OWN_KEY)
  expect(idsOf(await list(tester, 'limit=3'))).toEqual([1, 3, 4])
  await tester.control.reset()
  expect((await list(tester, 'limit=3')).text).toBe(text)
})

test('an envelope tells the total of a filtered list, and whether there is more', async () => {
  const tester = createOrderTester({ query: { status: TEXT, limit: WHOLE, offset: WHOLE }, envelope: data })
  const response = await list(tester, 'status=paid&limit=2')
  expect(response.body).toEqual({ data: [TEN_ORDERS[1], TEN_ORDERS[4]], total: 3, has_more: true })
  expect((await list(tester, 'status=paid&limit=2&offset=2')).body).toEqual({
    data: [TEN_ORDERS[7]],
    total: 3,
    has_more: false,
  })
})

test('the body of a search by POST has the filters', async () => {
  const search = {
    type: 'object',
    properties: {
      filter: {
        type: 'object',
        properties: { statuses: { type: 'array', items: TEXT }, priceMin: { type: 'number' } },
      },
      sort: { type: 'array', items: { type: 'object', properties: { field: TEXT, direction: TEXT } } },
      mood: TEXT,
      limit: WHOLE,
      cursor: TEXT,
    },
  }
  const properties = (list: object) => ({ orders: list, nextCursor: TEXT, total: WHOLE })
  const tester = createOrderTester({ search, envelope: (list) => ({ type: 'object', properties: properties(list) }) })
  const post = (body: object) => tester.request().post('/orders/search').set(OWN_KEY).send(body)
  const asked = {
    filter: { statuses: ['open', 'paid'], priceMin: 35 },
    sort: [{ field: 'price', direction: 'desc' }],
    limit: 3,
  }
  const first = await post({ ...asked, mood: 'good' })
  expect(first.body).toMatchObject({ total: 5, nextCursor: expect.stringMatching(/^[\w-]+$/) as string })
  expect(first.headers['x-mock-ignored']).toBe('body /mood')
  const { nextCursor } = first.body as { nextCursor: string }
  const second = await post({ ...asked, cursor: nextCursor })
  expect([...idsOf(first), ...idsOf(second)]).toEqual([10, 8, 7, 5, 4])
  expect(second.body).not.toHaveProperty('nextCursor')
  const other = await post({ cursor: nextCursor })
  expect(other.status).toBe(400)
})

/** How lists page, and what a client sends for the next page. */
const STYLES: readonly (readonly [
  style: string,
  list: OrderList,
  next: (body: Body, page: number) => string | undefined,
])[] = [
  ['page and per_page', { query: { page: WHOLE, per_page: WHOLE } }, (_, page) => `per_page=3&page=${page}`],
  [
    'page from 0 and size',
    { query: { page: { ...WHOLE, minimum: 0 }, size: WHOLE } },
    (_, page) => `size=3&page=${page - 1}`,
  ],
  [
    'page[number] and page[size]',
    { query: { page: { type: 'object', properties: { number: WHOLE, size: WHOLE } } } },
    (_, page) => `page[size]=3&page[number]=${page}`,
  ],
  ['offset and limit', { query: { offset: WHOLE, limit: WHOLE } }, (_, page) => `limit=3&offset=${3 * page - 3}`],
  ['$skip and $top', { query: { $skip: WHOLE, $top: WHOLE } }, (_, page) => `$top=3&$skip=${3 * page - 3}`],
  [
    'startIndex from 1',
    { query: { startIndex: { ...WHOLE, minimum: 1 }, count: WHOLE } },
    (_, page) => `count=3&startIndex=${3 * page - 2}`,
  ],
  ['cursor', { query: { cursor: TEXT, limit: WHOLE } }, ({ next_cursor: next }) => next && `limit=3&cursor=${next}`],
  [
    'page_token',
    { query: { page_token: TEXT, page_size: WHOLE } },
    ({ next_cursor: next }) => next && `page_size=3&page_token=${next}`,
  ],
  [
    'starting_after',
    { query: { starting_after: WHOLE, limit: WHOLE } },
    ({ data }) => `limit=3&starting_after=${data.at(-1)?.id}`,
  ],
  [
    'the URL of the next page',
    { query: { page: WHOLE, limit: WHOLE, status: TEXT } },
    ({ next }) => next?.split('?')[1],
  ],
]

interface Body {
  readonly data: readonly { readonly id: number }[]
  readonly next_cursor?: string
  readonly next?: string
}

const envelope = (list: object) => ({
  type: 'object',
  required: ['data'],
  properties: { data: list, next_cursor: TEXT, next: { ...TEXT, format: 'uri' } },
})

test.each(STYLES)('a walk by %s meets every item once', async (_style, options, next) => {
  const tester = createOrderTester({ ...options, envelope })
  const ids: number[] = []
  let query: string | undefined = Object.keys(options.query ?? {}).some(
    (name) => name === 'page' && 'properties' in (options.query?.page ?? {}),
  )
    ? 'page[size]=3'
    : `${sizeOf(options)}=3`
  for (let page = 2; query !== undefined && page < 8; page++) {
    const response = await list(tester, query)
    expect(response.status).toBe(200)
    const { data } = response.body as Body
    if (data.length === 0) break
    ids.push(...data.map(({ id }) => id))
    query = next(response.body as Body, page)
  }
  expect(ids).toEqual(ALL)
})

function sizeOf({ query = {} }: OrderList): string {
  return Object.keys(query).find((name) => /limit|size|per_page|top|count/.test(name)) ?? ''
}

test('a walk by cursor meets every item that stays, once, while others come and go', async () => {
  const query = { cursor: TEXT, limit: WHOLE, sort: TEXT }
  const tester = createOrderTester({ query, envelope })
  const create = (price: number) => tester.request().post('/orders').set(OWN_KEY).send({ status: 'open', price })
  const remove = (id: number) => tester.request().delete(`/orders/${id}`).set(OWN_KEY)
  const seen: number[] = []
  let cursor: string | undefined
  for (let page = 0; page < 8; page++) {
    const response = await list(tester, `sort=-price&limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`)
    const { data, next_cursor: next } = response.body as Body
    seen.push(...data.map(({ id }) => id))
    // The last item of the page goes, and two come: before the page, and after all others.
    await remove(data.at(-1)?.id ?? 0)
    await create(1000 + page)
    await create(1 - page / 10)
    if (next === undefined) break
    cursor = next
  }
  const before = seen.filter((id) => id <= 10)
  expect(before).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  expect(new Set(seen).size).toBe(seen.length)
})

test('pages before and after an item, by its id', async () => {
  const tester = createOrderTester({ query: { starting_after: TEXT, ending_before: TEXT, limit: WHOLE } })
  expect(idsOf(await list(tester, 'limit=2&starting_after=4'))).toEqual([5, 6])
  expect(idsOf(await list(tester, 'limit=2&ending_before=4'))).toEqual([2, 3])
  expect(idsOf(await list(tester, 'limit=9&ending_before=3'))).toEqual([1, 2])
  expect((await list(tester, 'starting_after=77')).status).toBe(400)
})

test('links keep the other parameters and the host that the client used', async () => {
  const link = { type: 'object', properties: { href: { ...TEXT, format: 'uri' } } }
  const links = { self: link, first: link, prev: link, next: link, last: link }
  const embedded = (list: object) => ({
    type: 'object',
    properties: {
      _embedded: { type: 'object', properties: { orders: list } },
      _links: { type: 'object', properties: links },
      page: { type: 'object', properties: { totalElements: WHOLE, totalPages: WHOLE, number: WHOLE, size: WHOLE } },
    },
  })
  const tester = createOrderTester({ query: { page: WHOLE, limit: WHOLE, status: TEXT }, envelope: embedded })
  const response = await list(tester, 'status=open&limit=2&page=2&trace=a%26b')
  const url = (page: number) => `http://localhost:4010/orders?status=open&limit=2&trace=a%26b&page=${page}`
  expect(response.body).toEqual({
    _embedded: { orders: [TEN_ORDERS[6], TEN_ORDERS[9]] },
    _links: {
      self: { href: 'http://localhost:4010/orders?status=open&limit=2&page=2&trace=a%26b' },
      first: { href: url(1) },
      prev: { href: url(1) },
      last: { href: url(2) },
    },
    page: { totalElements: 4, totalPages: 2, number: 2, size: 2 },
  })
})

test('the headers Link and X-Total-Count, where they are documented', async () => {
  const query = { page: WHOLE, per_page: { ...WHOLE, default: 4 } }
  const tester = createOrderTester({ query, headers: ['Link', 'X-Total-Count'] })
  const { headers } = await list(tester, 'page=2')
  expect(headers).toMatchObject({
    'x-total-count': '10',
    link: [
      '<http://localhost:4010/orders?page=1>; rel="prev"',
      '<http://localhost:4010/orders?page=3>; rel="next"',
      '<http://localhost:4010/orders?page=3>; rel="last"',
      '<http://localhost:4010/orders?page=1>; rel="first"',
    ].join(', '),
  })
  expect((await list(createOrderTester({ query }))).headers).not.toHaveProperty('link')
})

test('the page, its size and the number of pages in headers, where they are documented', async () => {
  const query = { page: WHOLE, per_page: { ...WHOLE, default: 4 } }
  const tester = createOrderTester({
    query,
    headers: ['X-Page', 'X-Per-Page', 'X-Total-Pages', 'X-Next-Page', 'X-Total'],
  })
  const { headers } = await list(tester, 'page=2')
  expect(headers).toMatchObject({
    ...{ 'x-page': '2', 'x-per-page': '4', 'x-total-pages': '3', 'x-next-page': '3', 'x-total': '10' },
  })
})

test('a description that says so puts the latest items first', async () => {
  const query = { limit: { ...WHOLE, default: 3 }, starting_after: TEXT }
  const description = 'Returns orders, sorted by creation date, with the most recent orders appearing first.'
  const tester = createOrderTester({ query, description })
  expect(idsOf(await list(tester))).toEqual([10, 9, 8])
  expect(idsOf(await list(tester, 'starting_after=8'))).toEqual([7, 6, 5])
})

test('a size of 0 asks for the total alone', async () => {
  const tester = createOrderTester({ query: { limit: WHOLE, offset: WHOLE }, envelope: data })
  expect((await list(tester, 'limit=0')).body).toEqual({ data: [], total: 10, has_more: true })
})

test('an expectation tells whether every page was fetched once', async () => {
  const tester = createOrderTester({ query: { page: WHOLE, limit: WHOLE } })
  const found = async () =>
    (await tester.control.verifyJournal({ expectations: [{ walkedEveryPageOnce: true }] })).results[0]
  await list(tester, 'limit=5')
  expect(await found()).toMatchObject({ passed: false })
  await list(tester, 'limit=5&page=2')
  expect(await found()).toMatchObject({ passed: true, received: '2 pages in 1 walk, 0 of them wrong' })
  await list(tester, 'limit=5&page=2')
  expect(await found()).toMatchObject({ passed: false })
})

test('a default size hides no item where nothing leads to another page', async () => {
  const tester = createOrderTester({ query: { limit: { ...WHOLE, default: 3 } } })
  expect(idsOf(await list(tester))).toEqual(ALL)
  expect(idsOf(await list(tester, 'limit=3'))).toEqual([1, 2, 3])
})

test('an item that the contract does not allow is named instead of being shown', async () => {
  const orders = [
    { id: 1, status: 'open' },
    { id: 2, status: 'open' },
  ]
  const lose = () => ({ status: 204, events: [events.update('orders', 2, { id: 2, status: 'lost' })] })
  const handlers = [defineOperation('deleteOrder', lose)]
  const tester = createOrderTester({ orders, query: { page: WHOLE, limit: WHOLE }, handlers })
  await tester.request().delete('/orders/2').set(OWN_KEY)
  expect((await list(tester, 'limit=1')).status).toBe(200)
  const refused = await list(tester, 'limit=1&page=2')
  expect(refused.status).toBe(500)
  expect(refused.body).toMatchObject({ type: '/problems/document-invalid', errors: [{ pointer: '/0/status' }] })
})

test('a page beyond the end says which one it is, and leads back to the last', async () => {
  const members = { page: WHOLE, previousPage: WHOLE, remaining: WHOLE, prev: { ...TEXT, format: 'uri-reference' } }
  const tester = createOrderTester({
    query: { page: WHOLE, limit: WHOLE },
    envelope: (data) => ({ type: 'object', properties: { data, ...members } }),
  })
  const response = await list(tester, 'limit=4&page=99')
  expect(response.body).toEqual({ data: [], page: 99, previousPage: 3, remaining: 0, prev: '/orders?limit=4&page=3' })
})

test('an offset beyond the end is the one that was asked for, and leads back to the last page', async () => {
  const members = { offset: WHOLE, prev: { ...TEXT, format: 'uri-reference' } }
  const tester = createOrderTester({
    query: { offset: WHOLE, limit: WHOLE },
    envelope: (data) => ({ type: 'object', properties: { data, ...members } }),
  })
  const response = await list(tester, 'limit=4&offset=500')
  expect(response.body).toEqual({ data: [], offset: 500, prev: '/orders?limit=4&offset=8' })
})

test.each<[string, Record<string, object>]>([
  ['its description says so', { token: { ...TEXT, description: 'Your API token' }, limit: WHOLE }],
  ['the list has no pages', { token: TEXT, status: TEXT }],
])('a `token` is no token of a page where %s', async (_, query) => {
  const response = await list(createOrderTester({ query }), 'token=s3cret')
  expect(response.status).toBe(200)
  expect(idsOf(response)).toEqual(ALL)
})

test.each<[object, number[], number[]]>([
  [{ minimum: 0 }, [1, 2, 3], [4, 5, 6]],
  [{ minimum: 0, default: 1 }, [1, 2, 3], [1, 2, 3]],
])('page 0 is the first page of a list whose schema of `page` is %j', async (schema, zero, one) => {
  const tester = createOrderTester({ query: { page: { ...WHOLE, ...schema }, limit: WHOLE } })
  expect(idsOf(await list(tester, 'limit=3&page=0'))).toEqual(zero)
  expect(idsOf(await list(tester, 'limit=3&page=1'))).toEqual(one)
  expect((await list(tester, 'limit=3&page=-1')).status).toBe(400)
})

test('a list of changes takes the token that its own operation gives, and shows what is new', async () => {
  const change = { type: 'object', properties: { id: WHOLE, note: TEXT } }
  const shown = (members: object) => shows({ type: 'object', required: ['changes'], properties: { ...members } })
  const changes = { type: 'array', items: change }
  const tokens = { newStartPageToken: TEXT, nextPageToken: TEXT }
  const query = (name: string, schema: object, required = false) => ({ name, in: 'query', required, schema })
  const { standin } = createContractTester({
    '/changes': {
      get: {
        parameters: [query('pageToken', TEXT, true), query('pageSize', WHOLE)],
        responses: { 200: shown({ changes, ...tokens }) },
      },
      post: { requestBody: takes(change), responses: { 201: shows(change) } },
    },
    '/changes/startPageToken': {
      get: { responses: { 200: shows({ type: 'object', properties: { startPageToken: TEXT } }) } },
    },
  })
  const send = async (path: string) => (await request(standin.app).get(path).set(OWN_KEY)).body as Json
  const changesAfter = (token: unknown) => send(`/changes?pageSize=2&pageToken=${encodeURIComponent(String(token))}`)
  const make = (note: string) => request(standin.app).post('/changes').set(OWN_KEY).send({ note })
  const { startPageToken } = await send('/changes/startPageToken')
  const { newStartPageToken: later, ...none } = await changesAfter(startPageToken)
  expect(none).toEqual({ changes: [] })
  for (const note of ['a', 'b', 'c']) await make(note)
  const first = await changesAfter(later)
  expect(first).toMatchObject({ changes: [{ note: 'a' }, { note: 'b' }] })
  expect(first).not.toHaveProperty('newStartPageToken')
  expect(await changesAfter(first.nextPageToken)).toMatchObject({ changes: [{ note: 'c' }] })
  expect((await request(standin.app).get('/changes?pageToken=made-up').set(OWN_KEY)).status).toBe(400)
})
