import { expect, test } from 'vitest'
import { describeBehaviour } from '../support/describe-behaviour.ts'
import { complaintsOf, createTester, nextOf, pathsOf, rowsOf, type Tester } from '../support/tester.ts'
import { tokenOf, walk } from '../support/walk.ts'
import { UUID_SET, TREE, DIRECTORIES, FILES, ALL, IN_REPORTS } from '../support/tree.ts'

const TOP = ['empty', 'readme.md', 'reporting', 'reports']

describeBehaviour(
  'dir.children-root',
  {
    root: async ({ search }) => {
      for (const query of ['immediateChildren=true', 'immediateChildren=true&directoryPath=']) {
        const page = await search({ query })
        expect(pathsOf(page)).toEqual(TOP)
        expect(rowsOf(page)).toContain('dir.children-root')
      }
      const recursive = await search({ query: { immediateChildren: false } })
      expect(rowsOf(recursive)).not.toContain('dir.children-root')
      const below = await search({ query: { immediateChildren: true, directoryPath: 'reports' } })
      expect(rowsOf(below)).not.toContain('dir.children-root')
    },
    error: async ({ search, paths }) => {
      for (const query of ['immediateChildren=true', 'immediateChildren=true&directoryPath=']) {
        const refused = await search({ query })
        expect(refused.status).toBe(400)
        expect(complaintsOf(refused)).toEqual(['directoryPath dir.children-root'])
        expect(rowsOf(refused)).toContain('dir.children-root')
      }
      expect(await paths({ query: { immediateChildren: false } })).toEqual(ALL)
      expect(await paths({ query: { immediateChildren: true, directoryPath: 'reports' } })).toEqual([
        'reports/2025',
        'reports/jan.pdf',
      ])
    },
  },
  TREE,
)

describeBehaviour(
  'dir.recursive',
  {
    default: async ({ paths }) => {
      for (const query of [{ directoryPath: 'reports' }, { directoryPath: 'reports', immediateChildren: false }]) {
        expect(await paths({ query })).toEqual(IN_REPORTS)
      }
      expect(await paths({ query: { directoryPath: 'reports', immediateChildren: true } })).toEqual([
        'reports/2025',
        'reports/jan.pdf',
      ])
      expect(await paths({ query: { immediateChildren: false } })).toEqual(ALL)
    },
  },
  TREE,
)

describeBehaviour(
  'dir.self',
  {
    exclude: async ({ search, paths }) => {
      const page = await search({ query: { directoryPath: 'reports' } })
      expect(pathsOf(page)).not.toContain('reports')
      expect(rowsOf(page)).toContain('dir.self')
      expect(rowsOf(await search())).not.toContain('dir.self')
      expect(rowsOf(await search({ query: { directoryPath: 'no such directory' } }))).not.toContain('dir.self')
      expect(await paths({ query: { directoryPath: 'empty' } })).toEqual([])
    },
    include: async (tester) => {
      const page = await tester.search({ query: { directoryPath: 'reports' } })
      expect(pathsOf(page)).toEqual(['reports', ...IN_REPORTS])
      expect(rowsOf(page)).toContain('dir.self')
      expect(await tester.paths({ query: { directoryPath: 'reports', immediateChildren: true } })).toEqual([
        'reports',
        'reports/2025',
        'reports/jan.pdf',
      ])
      expect(await tester.paths({ query: { directoryPath: 'empty' } })).toEqual(['empty'])
      expect(await tester.paths()).toEqual(ALL)
      expect((await walk(tester, { query: { directoryPath: 'reports', limit: 1 } })).flat()).toEqual(pathsOf(page))
    },
  },
  TREE,
)

describeBehaviour(
  'dir.entries',
  {
    always: async ({ search, paths }) => {
      const page = await search()
      expect(pathsOf(page)).toEqual(ALL)
      expect(rowsOf(page)).toContain('dir.entries')
      expect(await paths({ query: { immediateChildren: true } })).toEqual(TOP)
      expect(rowsOf(await search({ query: { directoryPath: 'reporting' } }))).not.toContain('dir.entries')
    },
    'immediate-only': async ({ search, paths }) => {
      const page = await search()
      expect(pathsOf(page)).toEqual(FILES)
      expect(rowsOf(page)).toContain('dir.entries')
      expect(rowsOf(await search({ query: { directoryPath: 'reporting' } }))).not.toContain('dir.entries')
      expect(await paths({ query: { directoryPath: 'reports' } })).toEqual(
        IN_REPORTS.filter((path) => FILES.includes(path)),
      )
      expect(await paths({ query: { immediateChildren: true } })).toEqual(TOP)
    },
    never: async ({ search, paths }) => {
      const page = await search()
      expect(pathsOf(page)).toEqual(FILES)
      expect(rowsOf(page)).toContain('dir.entries')
      expect(rowsOf(page)).not.toContain('dir.fields')
      expect(rowsOf(await search({ query: { immediateChildren: true } }))).toContain('dir.entries')
      expect(await paths({ query: { immediateChildren: true } })).toEqual(['readme.md'])
      expect(await paths({ query: { directoryPath: 'empty' } })).toEqual([])
    },
  },
  TREE,
)

const like = (text: string) => ({ filters: [{ field: 'name', operator: 'LIKE', value: [text], not: false }] })

describeBehaviour(
  'dir.filtered',
  {
    filtered: async ({ search, paths }) => {
      const page = await search({ body: like('rep') })
      expect(pathsOf(page)).toEqual(['reporting', 'reports'])
      expect(rowsOf(page)).toContain('dir.filtered')
      expect(await paths({ body: like('.csv') })).toEqual(['reports/2025/q1.csv'])
      const dated = { dateFilters: [{ field: 'created', start: null, end: '2024-12-31T00:00:00Z', not: false }] }
      expect(await paths({ body: dated })).toEqual([
        'empty',
        'reports',
        'reports/2025',
        'reports/2025/deep',
        'reports/2025/deep/old.txt',
      ])
      expect(rowsOf(await search())).not.toContain('dir.filtered')
      expect(rowsOf(await search({ query: { directoryPath: 'reporting' }, body: like('x') }))).not.toContain(
        'dir.filtered',
      )
    },
    bypass: async ({ search, paths }) => {
      const page = await search({ body: like('.csv') })
      expect(pathsOf(page)).toEqual([...DIRECTORIES, 'reports/2025/q1.csv'].toSorted())
      expect(rowsOf(page)).toContain('dir.filtered')
      const dated = { dateFilters: [{ field: 'created', start: '2099-01-01T00:00:00Z', end: null, not: false }] }
      expect(await paths({ body: dated })).toEqual(DIRECTORIES)
      expect(await paths({ query: { immediateChildren: true }, body: like('.md') })).toEqual(TOP)
    },
  },
  TREE,
)

interface Entry {
  readonly path: string
  readonly id: string
  readonly created: string
  readonly createdBy: number
}

async function entryAt({ search }: Tester, set: string, path: string): Promise<Entry | undefined> {
  const { files: entries } = (await search({ set })).body as { readonly files: readonly Entry[] }
  return entries.find((entry) => entry.path === path)
}

describeBehaviour(
  'dir.implied',
  {
    materialise: async (tester) => {
      const page = await tester.search()
      expect(pathsOf(page)).toEqual(ALL)
      expect(rowsOf(page)).toContain('dir.implied')
      // As any implementation of UUIDv5 has it.
      const ids = {
        reports: '5af66307-dc55-590b-a7f3-d725747aeb9c',
        'reports/2025': '30d09e05-a1f3-5347-8660-ecdb643c99fa',
      }
      for (const path of ['reports', 'reports/2025'] as const) {
        const entry = await entryAt(tester, UUID_SET, path)
        expect(entry).toMatchObject({ id: ids[path], created: '2024-12-24T08:00:00.000Z', createdBy: 9 })
      }
      // Another file set has other ids, which are UUIDs of version 5 too.
      const elsewhere = await entryAt(tester, 'tiny', 'reports')
      expect(elsewhere?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(elsewhere?.id).not.toBe(ids.reports)
      const explicit = await tester.search({ query: { limit: 1 } })
      expect(pathsOf(explicit)).toEqual(['empty'])
      expect(rowsOf(explicit)).not.toContain('dir.implied')
    },
    'explicit-only': async ({ search, paths }) => {
      const page = await search()
      expect(pathsOf(page)).toEqual(['empty', ...FILES])
      expect(rowsOf(page)).toContain('dir.implied')
      expect(rowsOf(await search({ query: { directoryPath: 'reporting' } }))).not.toContain('dir.implied')
      expect(await paths({ query: { immediateChildren: true } })).toEqual(['empty', 'readme.md'])
    },
  },
  TREE,
)

test('an implied directory comes and goes with what is below it, and keeps its date meanwhile', async () => {
  const tester = createTester(TREE)
  tester.standin.addFiles(UUID_SET, [
    { path: 'reports/2025/older.txt', created: '2019-01-01T00:00:00.000Z', createdBy: 3 },
  ])
  const reports = { created: '2024-12-24T08:00:00.000Z', createdBy: 9 }
  expect(await entryAt(tester, UUID_SET, 'reports')).toMatchObject(reports)
  tester.standin.removeFiles(UUID_SET, ['reports/2025/older.txt', 'reports/2025/deep/old.txt'])
  expect(await entryAt(tester, UUID_SET, 'reports/2025/deep')).toBeUndefined()
  expect(await entryAt(tester, UUID_SET, 'reports')).toMatchObject(reports)
  // One that was gone in between is a new one, as old as the oldest of what made it.
  tester.standin.addFiles(UUID_SET, [
    { path: 'reports/2025/deep/new.txt', created: '2025-06-01T00:00:00.000Z', createdBy: 4 },
    { path: 'reports/2025/deep/newer.txt', created: '2025-05-01T00:00:00.000Z', createdBy: 5 },
  ])
  const deep = { created: '2025-05-01T00:00:00.000Z', createdBy: 5 }
  expect(await entryAt(tester, UUID_SET, 'reports/2025/deep')).toMatchObject(deep)
  tester.standin.removeFiles('tiny', ['empty'])
  expect(await tester.paths({ query: { immediateChildren: true } })).not.toContain('empty')
})

test('an explicit directory is a descendant as a file is: the oldest of them dates an implied directory', async () => {
  const day = (date: string, createdBy: number) => ({ created: `${date}T00:00:00.000Z`, createdBy })
  const tester = createTester({
    fixtures: [
      {
        fileSets: [
          {
            id: 'tiny',
            files: [
              { path: 'a/file.txt', ...day('2022-01-01', 1) },
              { path: 'a/old/box', fileType: 'DIRECTORY', ...day('2021-01-01', 2) },
              { path: 'b/file.txt', ...day('2021-01-01', 3) },
              { path: 'b/box', fileType: 'DIRECTORY', ...day('2022-01-01', 4) },
              { path: 'c/box', fileType: 'DIRECTORY', ...day('2022-01-01', 5) },
              { path: 'c/box/file.txt', ...day('2021-01-01', 6) },
            ],
          },
        ],
      },
    ],
  })
  for (const [path, date, createdBy] of [
    ['a', '2021-01-01', 2],
    ['a/old', '2021-01-01', 2],
    ['b', '2021-01-01', 3],
    ['c', '2021-01-01', 6],
    ['c/box', '2022-01-01', 5],
  ] as const) {
    expect(await entryAt(tester, 'tiny', path), path).toMatchObject(day(date, createdBy))
  }
})

const BARE = ['id', 'path', 'name', 'fileType', 'size', 'created', 'createdBy']

describeBehaviour(
  'dir.fields',
  {
    bare: async ({ search }) => {
      const page = await search({ query: { limit: 1 } })
      const [entry] = (page.body as { readonly files: readonly Record<string, unknown>[] }).files
      expect(entry).toMatchObject({
        path: 'empty',
        name: 'empty',
        fileType: 'DIRECTORY',
        size: null,
        created: '2020-02-02T00:00:00.000Z',
        createdBy: 5,
      })
      expect(Object.keys(entry ?? {})).toEqual(BARE)
      expect(rowsOf(page)).toContain('dir.fields')
      expect(rowsOf(await search({ query: { directoryPath: 'reporting' } }))).not.toContain('dir.fields')
    },
    'null-filled': async ({ search }) => {
      const page = await search({ query: { limit: 2 } })
      const [entry, file] = (page.body as { readonly files: readonly Record<string, unknown>[] }).files
      expect(Object.keys(entry ?? {})).toEqual(Object.keys(file ?? {}))
      expect(Object.keys(entry ?? {})).toHaveLength(14)
      const { id, path, name, fileType, created, createdBy, ...others } = entry ?? {}
      expect({ path, name, fileType, created, createdBy }).toEqual({
        path: 'empty',
        name: 'empty',
        fileType: 'DIRECTORY',
        created: '2020-02-02T00:00:00.000Z',
        createdBy: 5,
      })
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
      expect(Object.values(others).every((value) => value === null)).toBe(true)
      expect(rowsOf(page)).toContain('dir.fields')
    },
  },
  TREE,
)

describeBehaviour(
  'dir.counted',
  {
    default: async (tester) => {
      const page = await tester.search({ query: { limit: 2, directoryPath: 'reports' } })
      expect(pathsOf(page)).toEqual(['reports/2025', 'reports/2025/deep'])
      expect(nextOf(page)).toBeDefined()
      expect((await walk(tester, { query: { limit: 3 } })).map((paths) => paths.length)).toEqual([3, 3, 3, 1])
      const next = await tokenOf(tester, { query: { limit: 1 } })
      expect(await tester.paths({ query: { limit: 1, next } })).toEqual(['readme.md'])
    },
  },
  TREE,
)
