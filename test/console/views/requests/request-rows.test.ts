import { expect, test } from 'vitest'
import { askedOf } from '../../../../console/src/views/requests/rows/asked.ts'
import { gistOf } from '../../../../console/src/views/requests/rows/gist.ts'
import { diffResponses } from '../../../../console/src/views/requests/response-diff.ts'
import { pageWords, rowsOf } from '../../../../console/src/views/requests/rows/walks.ts'
import type { ExchangeRecord } from '../../../../src/control/client/types.ts'
import { createControlledTester } from '../../../support/control.ts'

const SHOP = { contract: 'examples/shop/contract.yaml', clock: '2026-03-05T14:30:00Z' }
const BUDGET = { filters: [{ field: 'name', operator: 'LIKE', value: ['budget'] }] }

test.for([
  ['GET', '/orders?status=open&sort=-createdAt', null, 'status = open · sort = -createdAt'],
  ['GET', '/orders/7', null, ''],
  ['POST', '/search?limit=2', BUDGET, 'name LIKE budget · limit = 2'],
  [
    'POST',
    '/search',
    { filters: [{ field: 'size', operator: 'GREATER_THAN', value: [5], not: true }] },
    'not size GREATER_THAN 5',
  ],
  ['POST', '/search', { fieldSort: [{ field: 'size', order: 'DESC' }] }, 'by size DESC'],
  ['PATCH', '/orders/7', { status: 'shipped' }, 'status → shipped'],
  [
    'PUT',
    '/schedules/1',
    { title: 'Weekly', schedule: { hourOfDay: 9, minOfHour: 0 } },
    'title → Weekly · schedule → hourOfDay 9, …',
  ],
  ['POST', '/customers', { country: 'US', name: 'Grace' }, 'name: Grace · country: US'],
  ['POST', '/bulk', [{}, {}], '2 items'],
  ['POST', '/graphql', { query: '{a}', operationName: 'Orders' }, 'Orders'],
  ['POST', '/x', { a: 1, b: 2, c: 3, d: 4 }, 'a: 1 · b: 2 · c: 3 · and 1 more'],
] as const)('%s %s %o is %s', ([method, url, body, gist]) => {
  const request = { method, url, headers: [], body: body === null ? null : JSON.stringify(body), isCut: false }
  expect(gistOf({ request })).toBe(gist)
})

/** The rows as words, the latest first. */
function wordsOf(exchanges: readonly ExchangeRecord[], open: readonly number[] = []): readonly string[] {
  return rowsOf(exchanges.toReversed(), new Set(open)).map((row) => {
    const { gist, ignored } = askedOf(row)
    const pages = row.walk && pageWords(row.walk, row.page)
    return [row.exchange.id, pages, gist, ...(ignored === '' ? [] : [`ignored: ${ignored}`])].join(' | ')
  })
}

test('the pages of a walk are one row, that of a page that failed too, and can be shown one by one', async () => {
  const { control, search } = createControlledTester({ clock: SHOP.clock })
  let next: string | undefined
  const fetchPage = async () => {
    const query = `limit=4${next === undefined ? '' : `&next=${encodeURIComponent(next)}`}`
    const response = await search({ set: 'demo', query, body: BUDGET })
    const { pageContext } = response.body as { readonly pageContext?: { readonly next?: string } }
    next = pageContext ? pageContext.next : next
  }
  await fetchPage()
  await search({ set: 'demo', query: 'limit=1' })
  await fetchPage()
  expect(wordsOf((await control.listExchanges()).exchanges)[0]).toBe('3 | 2+ pages | name LIKE budget · limit = 4')
  await control.armFaults({ kind: 'status', status: 503, times: 1 })
  await fetchPage()
  while (next !== undefined) await fetchPage()
  const { exchanges } = await control.listExchanges()
  const last = exchanges.length
  expect(wordsOf(exchanges)).toEqual([`${last} | 3 pages | name LIKE budget · limit = 4`, '2 |  | limit = 1'])
  expect(wordsOf(exchanges, [1]).map((row) => row.split(' | ')[1])).toEqual([
    'page 3 of 3',
    'page 3 of 3',
    'page 2 of 3',
    '',
    'page 1 of 3',
  ])
})

test('a walk whose later pages have the token alone is one row, which says what the first page asked for', async () => {
  const { control, search } = createControlledTester({ clock: SHOP.clock })
  let query = 'limit=4'
  for (let body: object = BUDGET; query !== ''; body = {}) {
    const response = await search({ set: 'demo', query, body })
    const { pageContext } = response.body as { readonly pageContext?: { readonly next?: string } }
    query = pageContext?.next === undefined ? '' : `next=${encodeURIComponent(pageContext.next)}`
  }
  await search({ set: 'demo', query: 'limit=4', body: {} })
  const { exchanges } = await control.listExchanges()
  const last = exchanges.length
  expect(wordsOf(exchanges).slice(1)).toEqual([`${last - 1} | ${last - 1} pages | name LIKE budget · limit = 4`])
})

test('what had no effect is said to be ignored, and not among what was asked for', async () => {
  const { control, search } = createControlledTester({ clock: SHOP.clock })
  await search({ set: 'demo', query: 'limit=1&cursor=abc', body: { mood: 'good' } })
  expect(wordsOf((await control.listExchanges()).exchanges)).toEqual(['1 |  | limit = 1 | ignored: cursor, /mood'])
})

test('pages by number are a walk too', async () => {
  const { control, request } = createControlledTester(SHOP)
  for (const page of [1, 2, 3, 4]) await request().get(`/products?perPage=3&page=${page}`)
  const { exchanges } = await control.listExchanges()
  expect(wordsOf(exchanges)).toEqual(['4 | 4 pages | perPage = 3'])
})

test('two responses differ by status, headers and members, and not by what differs each time', async () => {
  const { control, request } = createControlledTester(SHOP)
  const get = async (path: string) => {
    await request().get(path)
    return (await control.listExchanges({ limit: 1 })).exchanges[0]!
  }
  const [first, again] = [await get('/products/1'), await get('/products/1')]
  expect(diffResponses(first, again)).toEqual([])
  await control.changeDocument('products', '1', { name: 'Lamp' })
  expect(diffResponses(first, await get('/products/1'))).toContainEqual({
    name: 'body.name',
    left: expect.any(String) as string,
    right: 'Lamp',
  })
  expect(diffResponses(first, await get('/products/999'))).toContainEqual({ name: 'status', left: 200, right: 404 })
})
