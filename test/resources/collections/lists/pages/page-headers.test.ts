import { expect, test } from 'vitest'
import { createOrderTester, idsOf, type OrderList, TEN_ORDERS } from '../../../../support/contracts/order-list.ts'
import { OWN_KEY } from '../../../../support/contracts/small-contract.ts'

const TEXT = { type: 'string' }
const WHOLE = { type: 'integer' }
const ALL = TEN_ORDERS.map(({ id }) => id)

type Headers = Readonly<Record<string, string>>

function createLister(options: OrderList) {
  const { request } = createOrderTester(options)
  return async (headers: Headers = {}, query = '') =>
    request().get(`/orders${query}`).set(OWN_KEY).set('Host', 'localhost:4010').set(headers)
}

test.each<[name: string, options: OrderList, size: Headers, next: string, sentAs: string]>([
  [
    'x-ms-continuation',
    { requestHeaders: { 'x-ms-continuation': TEXT, 'x-ms-max-item-count': WHOLE }, headers: ['x-ms-continuation'] },
    { 'x-ms-max-item-count': '3' },
    'x-ms-continuation',
    'x-ms-continuation',
  ],
  [
    'X-Next-Token and X-Limit',
    { requestHeaders: { 'X-Next-Token': TEXT, 'X-Limit': WHOLE }, headers: ['X-Next-Token'] },
    { 'X-Limit': '4' },
    'x-next-token',
    'X-Next-Token',
  ],
  [
    'X-Page and X-Per-Page',
    { requestHeaders: { 'X-Page': WHOLE, 'X-Per-Page': WHOLE }, headers: ['X-Next-Page'] },
    { 'X-Per-Page': '3' },
    'x-next-page',
    'X-Page',
  ],
])('a walk by the headers %s meets every item once', async (_name, options, size, next, sentAs) => {
  const get = createLister(options)
  const ids: number[] = []
  let headers: Headers | undefined = size
  for (let page = 0; headers && page < 8; page++) {
    const response = await get(headers)
    expect(response.status).toBe(200)
    expect(idsOf(response).length).toBeLessThan(5)
    ids.push(...idsOf(response))
    const value = response.headers[next]
    headers = value === undefined ? undefined : { ...size, [sentAs]: value }
  }
  expect(ids).toEqual(ALL)
})

test('a header for the page is refused where it is not understood, and names itself', async () => {
  const get = createLister({ requestHeaders: { 'X-Cursor': TEXT, 'X-Limit': WHOLE } })
  const response = await get({ 'X-Limit': '3', 'X-Cursor': 'made-up' })
  expect(response.status).toBe(400)
  expect(response.body).toMatchObject({ errors: [{ header: 'X-Cursor', code: 'collections.token' }] })
})

test('headers that are not about pages leave a list as it is', async () => {
  const get = createLister({ requestHeaders: { token: TEXT, 'X-Rate-Limit': WHOLE, 'X-Shopper-Id': TEXT } })
  expect(idsOf(await get({ token: 'abc', 'X-Rate-Limit': '2', 'X-Shopper-Id': '1' }))).toEqual(ALL)
})

test('the token of the next page is in a header that is documented for it', async () => {
  const get = createLister({ query: { cursor: TEXT, limit: WHOLE }, headers: ['X-Next-Page', 'X-Rate-Limit'] })
  const first = await get({}, '?limit=6')
  expect(first.headers).not.toHaveProperty('x-rate-limit')
  expect(first.headers).not.toHaveProperty('link')
  const token = first.headers['x-next-page'] ?? ''
  const second = await get({}, `?limit=6&cursor=${token}`)
  expect([...idsOf(first), ...idsOf(second)]).toEqual(ALL)
  expect(second.headers).not.toHaveProperty('x-next-page')
})

test('Content-Range and other headers count the items', async () => {
  const get = createLister({
    query: { offset: WHOLE, limit: WHOLE },
    headers: ['Content-Range', 'X-Pagination-Item-Count', 'X-Paging-TotalResults', 'dlx-item-count'],
  })
  expect((await get({}, '?offset=2&limit=3')).headers).toMatchObject({
    'content-range': 'items 2-4/10',
    'x-pagination-item-count': '10',
    'x-paging-totalresults': '10',
    'dlx-item-count': '10',
  })
  expect((await get({}, '?offset=20')).headers['content-range']).toBe('items */10')
})

test('a parameter that takes the id of an item needs no header', async () => {
  const get = createLister({ query: { starting_after: TEXT, limit: WHOLE } })
  expect((await get({}, '?limit=3')).headers).not.toHaveProperty('link')
})
