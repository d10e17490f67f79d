// A client that is known to be right: whatever a service may do, its tests say only what always holds.
import { expect } from 'vitest'
import { connect, pagesOf, type SearchOptions } from '../../../examples/client/search.ts'
import { test } from '../../../src/testing/vitest.ts'

async function pathsOf(url: string, key: string, options: SearchOptions = {}): Promise<string[]> {
  const paths: string[] = []
  for await (const { files } of pagesOf(connect(url, key), 'demo', { wait: () => Promise.resolve(), ...options }))
    paths.push(...files.map(({ path }) => path))
  return paths
}

test('each file is read once', async ({ url, key }) => {
  const paths = await pathsOf(url, key, { limit: 100 })
  expect(new Set(paths).size).toBe(paths.length)
})

test('small pages show what large ones show', async ({ url, key }) => {
  const search = { filters: [{ field: 'name', operator: 'LIKE', value: ['budget'] }] } satisfies SearchOptions['search']
  const [small, large] = [
    await pathsOf(url, key, { search, limit: 3 }),
    await pathsOf(url, key, { search, limit: 100 }),
  ]
  expect(small.toSorted()).toEqual(large.toSorted())
})
