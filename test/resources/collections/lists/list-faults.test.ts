import { describe, expect, test } from 'vitest'
import type { FaultRequest } from '../../../../src/index.ts'
import { refusalOf } from '../../../support/control.ts'
import { createOrderTester, idsOf, list, type OrderList } from '../../../support/contracts/order-list.ts'
import { OWN_KEY } from '../../../support/contracts/small-contract.ts'

const TEXT = { type: 'string' }
const WHOLE = { type: 'integer' }
const ALL = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

const STYLES = {
  cursor: { cursor: TEXT, limit: WHOLE },
  offset: { offset: WHOLE, limit: WHOLE },
  page: { page: WHOLE, limit: WHOLE },
}

const envelope = (data: object) => ({
  type: 'object',
  properties: { data, total: WHOLE, count: WHOLE, next: { ...TEXT, format: 'uri' } },
})

/** A server with ten orders, and faults of its list. */
async function createFaulty(query: OrderList['query'] = {}, ...faults: readonly FaultRequest[]) {
  const tester = createOrderTester({ query, envelope })
  for (const fault of faults)
    await tester.control.armFaults({ ...fault, match: { operationId: 'listOrders', ...fault.match } })
  return tester
}

/** The ids of each page, by the links of the responses. */
async function walk(tester: Awaited<ReturnType<typeof createFaulty>>, size: number): Promise<number[][]> {
  const pages: number[][] = []
  for (let target: string | undefined = `/orders?limit=${size}`; target && pages.length < 20;) {
    const response = await list(tester, target)
    expect(response.status).toBe(200)
    const ids = idsOf(response)
    expect(response.body).toMatchObject({ total: 10, count: ids.length })
    pages.push(ids)
    target = (response.body as { next?: string }).next?.replace('http://localhost:4010', '')
  }
  return pages
}

const lengths = (pages: readonly number[][]) => pages.map(({ length }) => length)

describe.each(['cursor', 'offset'] as const)('a list with pages by %s', (style) => {
  test('a short page continues after its last item', async () => {
    const tester = await createFaulty(STYLES[style], { kind: 'short-page', match: { page: 2 }, times: 1 })
    const pages = await walk(tester, 4)
    expect(lengths(pages)).toEqual([4, 2, 4])
    expect(pages.flat()).toEqual(ALL)
  })

  test('an item is twice on a page, and no page is too long', async () => {
    const tester = await createFaulty(STYLES[style], { kind: 'duplicate-entry', match: { page: 2 }, times: 1 })
    const pages = await walk(tester, 4)
    expect(lengths(pages)).toEqual([4, 4, 3])
    expect([...new Set(pages.flat())]).toEqual(ALL)
    expect(new Set(pages[1]).size).toBe(3)
  })
})

describe.each(['cursor', 'offset', 'page'] as const)('a list by %s', (style) => {
  test('an item is missing on one page, and there again in the next walk', async () => {
    const tester = await createFaulty(STYLES[style], { kind: 'missing-entry', match: { page: 2 }, times: 1 })
    const pages = await walk(tester, 4)
    expect(lengths(pages)).toEqual([4, 3, 2])
    expect(pages.flat().length).toBe(9)
    expect((await walk(tester, 4)).flat()).toEqual(ALL)
  })
})

test('pages by number begin at multiples of their size, so none can be short', async () => {
  const tester = await createFaulty(STYLES.page)
  const armed = tester.control.armFaults({ kind: 'short-page', match: { operationId: 'listOrders' } })
  expect(await refusalOf(armed)).toContain('400 ')
})

test('a list without pages can repeat an item, and omit one', async () => {
  const twice = idsOf(await list(await createFaulty({}, { kind: 'duplicate-entry' })))
  expect(twice).toHaveLength(11)
  expect(new Set(twice).size).toBe(10)
  expect(idsOf(await list(await createFaulty({}, { kind: 'missing-entry' })))).toHaveLength(9)
})

test('a fault strikes the third page of a walk by tokens, however long the pages are', async () => {
  const tester = await createFaulty(STYLES.cursor, { kind: 'status', status: 503, match: { page: 3 }, times: 1 })
  const first = (await list(tester, 'limit=2')).body as { next: string }
  const second = (await list(tester, first.next.replace('http://localhost:4010', ''))).body as { next: string }
  const third = second.next.replace('http://localhost:4010', '')
  expect((await list(tester, third)).status).toBe(503)
  expect(idsOf(await list(tester, third))).toEqual([5, 6])
})

test('a page and a token of the body count too', async () => {
  const search = { type: 'object', properties: { limit: WHOLE, cursor: TEXT } }
  const tester = createOrderTester({
    search,
    envelope: (data) => ({ type: 'object', properties: { data, next_cursor: TEXT } }),
  })
  await tester.control.armFaults({ kind: 'cursor-expired', match: { operationId: 'searchOrders', page: 2 }, times: 1 })
  const post = (body: object) => tester.request().post('/orders/search').set(OWN_KEY).send(body)
  const { next_cursor: cursor } = (await post({ limit: 4 })).body as { next_cursor: string }
  expect((await post({ limit: 4, cursor })).status).toBe(400)
  expect(idsOf(await post({ limit: 4, cursor }))).toEqual([5, 6, 7, 8])
})

test('a token of a header counts too', async () => {
  const tester = createOrderTester({
    requestHeaders: { 'X-Limit': WHOLE, 'X-Next-Token': TEXT },
    headers: ['X-Next-Token'],
  })
  await tester.control.armFaults({ kind: 'cursor-expired', match: { operationId: 'listOrders', page: 2 }, times: 1 })
  const get = (headers: object) =>
    tester
      .request()
      .get('/orders')
      .set(OWN_KEY)
      .set({ 'X-Limit': '4', ...headers })
  const token = (await get({})).headers['x-next-token']
  expect((await get({ 'X-Next-Token': token })).status).toBe(400)
  expect(idsOf(await get({ 'X-Next-Token': token }))).toEqual([5, 6, 7, 8])
})

test('a stale read lists the collection as it was before the last changes', async () => {
  const tester = await createFaulty()
  const create = () => tester.request().post('/orders').set(OWN_KEY).send({ status: 'open' })
  const stale = async (versions: number) => {
    await tester.control.armFaults({ kind: 'stale-read', versions, times: 1 })
    return idsOf(await list(tester))
  }
  expect(await stale(1)).toEqual(ALL)
  await create()
  await create()
  await tester.request().delete('/orders/1').set(OWN_KEY)
  expect(await stale(1)).toEqual([...ALL, 11, 12])
  expect(await stale(2)).toEqual([...ALL, 11])
  expect(await stale(9)).toEqual(ALL)
  expect(idsOf(await list(tester))).toEqual([...ALL.slice(1), 11, 12])
})
