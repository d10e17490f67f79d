import { expect, test } from 'vitest'
import type { FaultRequest } from '../../../../src/index.ts'
import { createControlledTester } from '../../../support/control.ts'
import { nextOf, pathsOf } from '../../../support/tester.ts'
import { walk } from '../../../support/walk.ts'

const paths = (count: number) => Array.from({ length: count }, (_, index) => `f${String(index).padStart(4, '0')}`)

/** A tester with a file set of so many files and some faults. */
async function createSpoiled(count: number, faults: readonly FaultRequest[], seed = 42) {
  const fileSets = [{ id: 'tiny', files: paths(count).map((path) => ({ path })) }]
  const tester = createControlledTester({ clock: '2026-03-05T14:30:00Z', seed, fixtures: [{ fileSets }] })
  for (const fault of faults) await tester.control.armFaults(fault)
  const struck = async () => (await tester.control.listFaults()).faults.map((fault) => fault.struck)
  return { ...tester, struck }
}

test('a short page has half of its entries and a token that goes on after them', async () => {
  const tester = await createSpoiled(10, [{ kind: 'short-page', match: { page: 2 } }])
  const pages = await walk(tester, { query: { limit: 4 } })
  expect(pages.map((page) => page.length)).toEqual([4, 2, 4])
  expect(pages.flat()).toEqual(paths(10))
  expect(await tester.struck()).toEqual([1])
})

test('a short page has as many entries as were asked for, also where it would have been the last one', async () => {
  const tester = await createSpoiled(10, [{ kind: 'short-page', entries: 3, times: 2 }])
  const pages = await walk(tester, { query: { limit: 100 } })
  expect(pages.map((page) => page.length)).toEqual([3, 3, 4])
  expect(pages.flat()).toEqual(paths(10))
})

test('a page that is no longer than that is not struck', async () => {
  const tester = await createSpoiled(3, [
    { kind: 'short-page', entries: 3 },
    { kind: 'short-page', match: { page: 3 } },
  ])
  const pages = await walk(tester, { query: { limit: 1 } })
  expect(pages).toEqual([['f0000'], ['f0001'], ['f0002']])
  const empty = await tester.search({ set: 'empty' })
  expect(empty.headers['x-mock-fault']).toBeUndefined()
  expect(await tester.struck()).toEqual([0, 0])
})

test('an entry is missing on one page, and nowhere else', async () => {
  const tester = await createSpoiled(10, [{ kind: 'missing-entry', match: { page: 2 }, times: 1 }])
  const pages = await walk(tester, { query: { limit: 4 } })
  expect(pages.map((page) => page.length)).toEqual([4, 3, 2])
  const missing = paths(10).filter((path) => !pages.flat().includes(path))
  expect(missing).toHaveLength(1)
  expect(paths(10).slice(4, 8)).toContain(missing[0])
  expect((await walk(tester, { query: { limit: 4 } })).flat()).toEqual(paths(10))
})

test('which entry is missing comes from the seed', async () => {
  const missingUnder = async (seed: number) => {
    const { search } = await createSpoiled(100, [{ kind: 'missing-entry' }], seed)
    const shown = [pathsOf(await search()), pathsOf(await search())]
    return shown.map((page) => paths(100).filter((path) => !page.includes(path)))
  }
  const once = await missingUnder(1)
  expect(await missingUnder(1)).toEqual(once)
  expect(await missingUnder(2)).not.toEqual(once)
  expect(once[0]).not.toEqual(once[1])
})

test.for([
  [10, 4, [4, 4, 3]],
  [4, 4, [4, 1]],
  [3, 4, [4]],
  [2, 1, [1, 1]],
  [1, 100, [2]],
] as const)(
  'of %i files in pages of %i one is there twice, and no page is too long',
  async ([count, limit, lengths]) => {
    const tester = await createSpoiled(count, [{ kind: 'duplicate-entry', match: { page: 1 } }])
    const pages = await walk(tester, { query: { limit } })
    expect(pages.map((page) => page.length)).toEqual(lengths)
    expect([...new Set(pages.flat())]).toEqual(paths(count))
    const [first = []] = pages
    expect(new Set(first).size).toBe(limit === 1 ? 1 : first.length - 1)
    expect(await tester.struck()).toEqual([limit === 1 ? 0 : 1])
  },
)

test('several faults strike one page together, and the walk still finds the rest', async () => {
  const kinds = ['missing-entry', 'duplicate-entry', 'short-page'] as const
  const tester = await createSpoiled(
    30,
    kinds.map((kind) => ({ kind, match: { page: 1 } })),
  )
  const pages = await walk(tester, { query: { limit: 8 } })
  expect(await tester.struck()).toEqual([1, 1, 1])
  expect((pages[0] ?? []).length).toBe(4)
  const missing = paths(30).filter((path) => !pages.flat().includes(path))
  expect(missing.length).toBeLessThanOrEqual(1)
  expect(pages.slice(1).flat()).toEqual(paths(30).slice(30 - pages.slice(1).flat().length))
})

test.for([['missing-entry'], ['duplicate-entry'], ['short-page']] as const)(
  'a page of thousands is struck by %s, too',
  async ([kind]) => {
    const tester = await createSpoiled(3000, [{ kind, match: { page: 1 } }])
    const page = await tester.search({ query: { limit: 2500 } })
    const shown = pathsOf(page)
    expect(page.headers['x-mock-fault']).toBe(`${kind}-1`)
    const rest = pathsOf(await tester.search({ query: { limit: 2500, next: nextOf(page) ?? '' } }))
    const lengths = { 'missing-entry': 2499, 'duplicate-entry': 2500, 'short-page': 500 }
    expect(shown).toHaveLength(lengths[kind])
    expect(new Set([...shown, ...rest]).size).toBe(kind === 'missing-entry' ? 2999 : 3000)
  },
)
