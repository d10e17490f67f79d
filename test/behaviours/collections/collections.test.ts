import { expect } from 'vitest'
import { describeBehaviour } from '../../support/describe-behaviour.ts'
import { idsOf, list, orderOptions, TEN_ORDERS } from '../../support/contracts/order-list.ts'
import { complaintsOf, rowsOf, type Tester } from '../../support/tester.ts'

const TEXT = { type: 'string' }
const WHOLE = { type: 'integer' }
const OLDEST_FIRST = TEN_ORDERS.map(({ id }) => id)
const NEWEST_FIRST = OLDEST_FIRST.toReversed()

const paged = () => orderOptions({ query: { page: WHOLE, limit: WHOLE, status: TEXT } })

const description = 'Lists orders, the most recent first.'
const query = { sort: TEXT }

describeBehaviour(
  'collections.order',
  {
    'as-documented': async (tester) => {
      const response = await list(tester)
      expect(idsOf(response)).toEqual(NEWEST_FIRST)
      expect(rowsOf(response)).toContain('collections.order')
      expect(rowsOf(await list(tester, 'sort=price'))).not.toContain('collections.order')
    },
    'oldest-first': async (tester) => {
      expect(idsOf(await list(tester))).toEqual(OLDEST_FIRST)
    },
    'newest-first': async (tester) => {
      expect(idsOf(await list(tester))).toEqual(NEWEST_FIRST)
    },
  },
  () => orderOptions({ description, query }),
)

const thirty = Array.from({ length: 30 }, (_, at) => ({ id: at + 1, status: 'open' }))

describeBehaviour(
  'collections.page-size',
  {
    20: async (tester) => {
      const response = await list(tester)
      expect(idsOf(response)).toHaveLength(20)
      expect(rowsOf(response)).toContain('collections.page-size')
      expect(idsOf(await list(tester, 'page=2'))).toHaveLength(10)
      expect(rowsOf(await list(tester, 'limit=5'))).not.toContain('collections.page-size')
    },
    7: async (tester) => {
      expect(idsOf(await list(tester, 'page=5'))).toEqual([29, 30])
    },
  },
  () => orderOptions({ query: { page: WHOLE, limit: WHOLE }, orders: thirty }),
)

describeBehaviour(
  'collections.page-beyond',
  {
    empty: async (tester) => {
      const response = await list(tester, 'limit=4&page=9')
      expect(response.status).toBe(200)
      expect(response.body).toEqual([])
      expect(rowsOf(response)).toContain('collections.page-beyond')
      expect(rowsOf(await list(tester, 'limit=4&page=3'))).not.toContain('collections.page-beyond')
    },
    error: async (tester) => {
      expect((await list(tester, 'limit=4&page=9')).status).toBe(404)
      expect((await list(tester, 'limit=4&page=3')).status).toBe(200)
    },
    last: async (tester) => {
      expect(idsOf(await list(tester, 'limit=4&page=9'))).toEqual([9, 10])
    },
  },
  paged,
)

/** A token of the second page of the open orders, in another request, and one that nobody gave. */
async function wrongTokens(tester: Tester) {
  const { next } = (await list(tester, 'status=open&limit=2')).body as { readonly next: string }
  return ['made-up', `${next}x`].map((token) => `cursor=${token}`).concat(`status=paid&cursor=${next}`)
}

const cursors = () =>
  orderOptions({
    query: { cursor: TEXT, limit: { ...WHOLE, default: 3 }, status: TEXT },
    envelope: (items) => ({ type: 'object', properties: { data: items, next: TEXT } }),
  })

describeBehaviour(
  'collections.token',
  {
    error: async (tester) => {
      for (const wrong of await wrongTokens(tester)) {
        const refused = await list(tester, wrong)
        expect(refused.status).toBe(400)
        expect(refused.body).toHaveProperty('type', '/problems/cursor-invalid')
        expect(complaintsOf(refused)).toEqual(['cursor collections.token'])
      }
    },
    'first-page': async (tester) => {
      const [made = '', changed = '', other = ''] = await wrongTokens(tester)
      expect(idsOf(await list(tester, made))).toEqual([1, 2, 3])
      expect(idsOf(await list(tester, changed))).toEqual([1, 2, 3])
      expect(idsOf(await list(tester, other))).toEqual([2, 5, 8])
    },
  },
  cursors,
)

const opaque = () => orderOptions({ query: { after: { ...TEXT, description: 'The cursor of a page.' }, limit: WHOLE } })

describeBehaviour(
  'collections.next-page',
  {
    link: async (tester) => {
      const first = await list(tester, 'limit=6')
      const [, next = ''] = /^<http:\/\/localhost:4010(.*)>; rel="next"$/.exec(first.headers.link ?? '') ?? []
      expect(next).toMatch(/^\/orders\?limit=6&after=[\w-]+$/)
      expect(rowsOf(first)).toContain('collections.next-page')
      const second = await list(tester, next)
      expect([...idsOf(first), ...idsOf(second)]).toEqual(OLDEST_FIRST)
      expect(second.headers).not.toHaveProperty('link')
      expect(rowsOf(second)).not.toContain('collections.next-page')
    },
    omit: async (tester) => {
      const response = await list(tester, 'limit=6')
      expect(response.headers).not.toHaveProperty('link')
      expect(rowsOf(response)).toContain('collections.next-page')
    },
  },
  opaque,
)

describeBehaviour(
  'collections.unknown-filter',
  {
    ignore: async (tester) => {
      const response = await list(tester, 'colour=red')
      expect(idsOf(response)).toEqual(OLDEST_FIRST)
      expect(response.headers['x-mock-ignored']).toBe('query colour')
      expect(rowsOf(response)).toContain('collections.unknown-filter')
      expect(rowsOf(await list(tester))).not.toContain('collections.unknown-filter')
    },
    error: async (tester) => {
      const refused = await list(tester, 'colour=red')
      expect(refused.status).toBe(400)
      expect(complaintsOf(refused)).toEqual(['colour collections.unknown-filter'])
    },
  },
  () => orderOptions({ query: { colour: TEXT } }),
)
