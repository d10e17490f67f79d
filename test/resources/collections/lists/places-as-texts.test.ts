import { expect, test } from 'vitest'
import { createOrderTester, idsOf, list } from '../../../support/contracts/order-list.ts'

const TEXT = { type: 'string' }
const WHOLE = { type: 'integer' }
const ALL = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

const place = { type: 'object', nullable: true, properties: { offset: TEXT, uri: { ...TEXT, format: 'uri' } } }

interface Page {
  readonly next_page?: { readonly offset: string; readonly uri: string } | null
}

test('a text that is called `offset` takes the token of a page, and a number of items to skip', async () => {
  const tester = createOrderTester({
    query: { offset: TEXT, limit: WHOLE },
    envelope: (data) => ({ type: 'object', required: ['data'], properties: { data, next_page: place } }),
  })
  const first = await list(tester, 'limit=6')
  const { offset = '', uri = '' } = (first.body as Page).next_page ?? {}
  expect(uri).toBe(`http://localhost:4010/orders?limit=6&offset=${offset}`)
  const second = await list(tester, `limit=6&offset=${offset}`)
  expect([...idsOf(first), ...idsOf(second)]).toEqual(ALL)
  expect((second.body as Page).next_page ?? null).toBeNull()
  expect(idsOf(await list(tester, 'limit=6&offset=7'))).toEqual([8, 9, 10])
  expect(idsOf(await list(tester, 'limit=6&offset=11'))).toEqual([])
})

test('a token that the list did not give is refused', async () => {
  const refused = await list(createOrderTester({ query: { offset: TEXT, limit: WHOLE } }), 'offset=next')
  expect(refused.status).toBe(400)
  expect(refused.body).toMatchObject({ errors: [{ parameter: 'offset', code: 'collections.token' }] })
})

test('a text whose default is a number counts', async () => {
  const query = { startAt: { ...TEXT, default: '0' }, maxResults: { ...TEXT, default: '4' } }
  const tester = createOrderTester({
    query,
    envelope: (values) => ({
      type: 'object',
      properties: { values, startAt: WHOLE, nextPage: { ...TEXT, format: 'uri' } },
    }),
  })
  expect((await list(tester)).body).toMatchObject({
    startAt: 0,
    nextPage: 'http://localhost:4010/orders?startAt=4',
  })
  expect(idsOf(await list(tester, 'startAt=0'))).toEqual([1, 2, 3, 4])
  expect(idsOf(await list(tester, 'startAt=8'))).toEqual([9, 10])
})

test.each([
  ['cursor', { ...TEXT, default: '*' }],
  ['page', { ...TEXT, default: 'first' }],
  ['created_after', { ...TEXT, default: 'now-1d' }],
  ['limit', { ...TEXT, default: 'all' }],
  ['limit', { ...WHOLE, default: -1 }],
])('the default of the contract for %s is never refused', async (name, schema) => {
  const response = await list(createOrderTester({ query: { [name]: schema } }))
  expect(response.status).toBe(200)
  expect(idsOf(response)).toEqual(ALL)
})

test.each([
  ['cursor', '*'],
  ['page', 'first'],
])('nor is it refused where a client sends it: %s=%s', async (name, usual) => {
  const tester = createOrderTester({ query: { [name]: { ...TEXT, default: usual } } })
  expect(idsOf(await list(tester, `${name}=${usual}`))).toEqual(ALL)
})

test('a date is no token, whatever the parameter is called', async () => {
  const query = { from: { ...TEXT, format: 'date' }, to: { ...TEXT, format: 'date' } }
  const tester = createOrderTester({ query })
  expect(idsOf(await list(tester, 'from=2026-01-03&to=2026-01-05'))).toEqual([3, 4, 5])
})
