import { expect, test } from 'vitest'
import { contractFile, type Parts } from '../../support/contracts/own-contract.ts'
import { createTester } from '../../support/tester.ts'

interface Body {
  readonly files: readonly object[]
  readonly pageContext: Readonly<Record<string, unknown>>
  readonly [name: string]: unknown
}

function searching(change: (parts: Parts) => void) {
  const { search } = createTester({ contract: contractFile(change), files: 3000 })
  return async (query: string, set = 'demo') => {
    const response = await search({ set, query })
    expect(response.status).toBe(200)
    return response.body as Body
  }
}

test('what the contract requires of a search beside its files is there, on ready pages and on streamed ones', async () => {
  const page = searching(({ at, properties }) => {
    Object.assign(properties('SearchResult'), { tookMs: { type: 'integer' }, note: { type: 'string' } })
    at('/components/schemas/SearchResult').required = ['files', 'pageContext', 'tookMs']
    Object.assign(properties('PageContext'), { hasMore: { type: 'boolean' }, total: { type: 'integer' } })
    at('/components/schemas/PageContext').required = ['hasMore', 'total']
  })
  for (const limit of [10, 2000]) {
    const first = await page(`limit=${limit}`)
    expect(Object.keys(first)).toEqual(['files', 'pageContext', 'tookMs'])
    expect(first.files).toHaveLength(limit)
    expect(first.tookMs).toEqual(expect.any(Number))
    expect(first.pageContext).toEqual({
      next: expect.any(String) as string,
      hasMore: true,
      total: expect.any(Number) as number,
    })
  }
  const { pageContext } = await page('limit=10000')
  expect([Object.keys(pageContext), pageContext.hasMore]).toEqual([['hasMore', 'total'], false])
})

test.each([
  [{ type: 'string' }, ''],
  [{ type: ['string', 'null'] }, null],
])('a required token %j is never made up: it would send a client on', async (next, last) => {
  const page = searching(({ at, properties }) => {
    properties('PageContext').next = next
    at('/components/schemas/PageContext').required = ['next']
  })
  expect((await page('limit=10000')).pageContext).toEqual({ next: last })
})
