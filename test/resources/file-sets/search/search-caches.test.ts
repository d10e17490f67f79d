import { expect, test } from 'vitest'
import { createTester } from '../../../support/tester.ts'
import { withoutStore } from '../../../support/store.ts'

/**
 * The JSON of entries is cached, which no response may show. The servers of a process share the cache, so what one
 * test leaves behind is there for the next.
 */

interface Page {
  readonly files: readonly Readonly<Record<string, unknown>>[]
}

withoutStore(
  'a file that was changed is never shown as it was, nor one that a reset brings back as it became',
  async () => {
    const tester = createTester({ fixtures: [{ fileSets: [{ id: 'tiny', files: [{ path: 'a', size: 1 }] }] }] })
    const sizes = async () =>
      ((await tester.search()).body as Page).files.map(({ path, size }) => `${String(path)} ${String(size)}`)
    expect(await sizes()).toEqual(['a 1'])
    for (const size of [2, 3]) {
      tester.standin.removeFiles('tiny', ['a'])
      tester.standin.addFiles('tiny', [{ path: 'a', size }])
      expect(await sizes()).toEqual([`a ${size}`])
    }
    tester.standin.addFiles('tiny', [{ path: 'b', size: 4 }])
    expect(await sizes()).toEqual(['a 3', 'b 4'])
    tester.standin.reset()
    expect(await sizes()).toEqual(['a 1'])
  },
)

withoutStore('an implied directory that is gone and comes back is shown as it is by now', async () => {
  const file = (path: string, created: string) => ({ path, created })
  const tester = createTester({
    fixtures: [{ fileSets: [{ id: 'tiny', files: [file('dir/a', '2025-05-05T00:00:00.000Z')] }] }],
  })
  const created = async () => ((await tester.search()).body as Page).files.find(({ path }) => path === 'dir')?.created
  expect(await created()).toBe('2025-05-05T00:00:00.000Z')
  tester.standin.addFiles('tiny', [file('dir/b', '2024-04-04T00:00:00.000Z')])
  expect(await created()).toBe('2025-05-05T00:00:00.000Z')
  tester.standin.removeFiles('tiny', ['dir/a', 'dir/b'])
  expect(await created()).toBeUndefined()
  tester.standin.addFiles('tiny', [file('dir/b', '2024-04-04T00:00:00.000Z')])
  expect(await created()).toBe('2024-04-04T00:00:00.000Z')
})

test('a directory has the fields of its behaviour in each of two servers', async () => {
  const fixtures = [{ fileSets: [{ id: 'tiny', files: [{ path: 'dir/a' }] }] }]
  const fields = async (behaviours: Readonly<Record<string, string>>) => {
    const [directory = {}] = ((await createTester({ fixtures, behaviours }).search()).body as Page).files
    return Object.keys(directory)
  }
  const bare = ['id', 'path', 'name', 'fileType', 'size', 'created', 'createdBy']
  expect(await fields({})).toEqual(bare)
  expect(await fields({ 'dir.fields': 'null-filled' })).toHaveLength(14)
  expect(await fields({})).toEqual(bare)
})

test('text beyond ASCII has its exact length, on a page that has nothing else and on a mixed one', async () => {
  const names = ['Ärger.txt', '報告.txt', '📄.txt', 'plain.txt']
  const tester = createTester({ fixtures: [{ fileSets: [{ id: 'tiny', files: names.map((path) => ({ path })) }] }] })
  for (const limit of [1, 2, 3, 4]) {
    const page = await tester.search({ query: { limit } })
    expect(Number(page.headers['content-length'])).toBe(Buffer.byteLength(page.text))
    expect((page.body as Page).files).toHaveLength(limit)
  }
  expect((await tester.paths({ query: { limit: 4 } })).sort()).toEqual([...names].sort())
})
