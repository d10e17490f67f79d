import { expect, test } from 'vitest'
import { describeBehaviour } from '../support/describe-behaviour.ts'
import {
  complaintsOf,
  createTester,
  nextOf,
  pathsOf,
  rowsOf,
  SEARCH,
  KEY_HEADER,
  type Tester,
} from '../support/tester.ts'
import { tokenOf, walk } from '../support/walk.ts'

/** Its ids are UUIDv5 in a well-known namespace: the file set itself. */
const UUID_SET = '7d1f8a52-3c60-4b9e-9a41-5e2f60c7d813'

const files = [
  { path: 'readme.md' },
  { path: 'reports/jan.pdf', created: '2026-01-10T08:00:00.000Z', createdBy: 7 },
  { path: 'reports/2025/q1.csv', created: '2025-04-01T08:00:00.000Z', createdBy: 8 },
  { path: 'reports/2025/deep/old.txt', created: '2024-12-24T08:00:00.000Z', createdBy: 9 },
  { path: 'reporting/x.txt' },
  { path: 'empty', fileType: 'DIRECTORY', created: '2020-02-02T00:00:00.000Z', createdBy: 5 },
]
const options = {
  fixtures: [
    {
      fileSets: [
        { id: 'tiny', files },
        { id: UUID_SET, files },
      ],
    },
  ],
}

const DIRECTORIES = ['empty', 'reporting', 'reports', 'reports/2025', 'reports/2025/deep']
const FILES = ['readme.md', 'reporting/x.txt', 'reports/2025/deep/old.txt', 'reports/2025/q1.csv', 'reports/jan.pdf']
const ALL = [...DIRECTORIES, ...FILES].toSorted()
const IN_REPORTS = ALL.filter((path) => path.startsWith('reports/'))

function withFiles(paths: readonly string[]) {
  return { fixtures: [{ fileSets: [{ id: 'tiny', files: paths.map((path) => ({ path })) }] }] }
}

const expectEmpty = async ({ search }: Tester, query: Readonly<Record<string, string | boolean>>) => {
  const page = await search({ query })
  expect(page.status).toBe(200)
  expect(page.body).toEqual({ files: [], pageContext: {} })
  return page
}

describeBehaviour(
  'set.unknown',
  {
    404: async (tester) => unknownSetIsRefused(tester, 404),
    403: async (tester) => unknownSetIsRefused(tester, 403),
    400: async (tester) => unknownSetIsRefused(tester, 400),
    empty: async ({ search }) => {
      const page = await search({ set: 'no such set' })
      expect(page.status).toBe(200)
      expect(page.body).toEqual({ files: [], pageContext: {} })
      expect(rowsOf(page)).toContain('set.unknown')
    },
  },
  options,
)

async function unknownSetIsRefused({ search }: Tester, status: number): Promise<void> {
  for (const set of [
    'no such set',
    'TINY',
    ' tiny',
    '__proto__',
    'constructor',
    'ünïcode 😀',
    'tiny/',
    '%',
    '\u{10ffff}',
    'x'.repeat(5000),
  ]) {
    const refused = await search({ set })
    expect(refused.status, set).toBe(status)
    expect(complaintsOf(refused)).toEqual(['fileSetId set.unknown'])
    expect(rowsOf(refused)).toContain('set.unknown')
  }
  const page = await search()
  expect(page.status).toBe(200)
  expect(rowsOf(page)).not.toContain('set.unknown')
}

describeBehaviour(
  'set.id-form',
  {
    any: async ({ search }) => {
      expect((await search()).status).toBe(200)
      expect((await search({ set: UUID_SET })).status).toBe(200)
      expect(complaintsOf(await search({ set: 'abc' }))).toEqual(['fileSetId set.unknown'])
    },
    'uuid-or-400': async ({ search }) => {
      for (const set of [
        'tiny',
        'abc',
        UUID_SET.slice(1),
        `${UUID_SET}0`,
        UUID_SET.replaceAll('-', ''),
        `{${UUID_SET}}`,
        `${UUID_SET}\n`,
      ]) {
        const refused = await search({ set })
        expect(refused.status, set).toBe(400)
        expect(complaintsOf(refused), set).toEqual(['fileSetId set.id-form'])
      }
      expect((await search({ set: UUID_SET })).status).toBe(200)
      expect((await search({ set: '00000000-0000-0000-0000-000000000000' })).status).toBe(404)
    },
  },
  options,
)

test('any text can be the id of a file set', async () => {
  const ids = ['a/b', 'ünïcode 😀', '%2F', '0', 'null', ' ', '?next=#']
  const { paths } = createTester({
    fixtures: [{ fileSets: ids.map((id, index) => ({ id, files: [{ path: `${index}.txt` }] })) }],
  })
  for (const [index, id] of ids.entries()) {
    expect(await paths({ set: id }), id).toEqual([`${index}.txt`])
  }
})

describeBehaviour(
  'dir.slashes',
  {
    normalise: async ({ search, paths }) => {
      for (const directoryPath of ['reports/2025/', '/reports/2025', '//reports///2025//']) {
        const page = await search({ query: { directoryPath } })
        expect(pathsOf(page), directoryPath).toEqual([
          'reports/2025/deep',
          'reports/2025/deep/old.txt',
          'reports/2025/q1.csv',
        ])
        expect(rowsOf(page)).toContain('dir.slashes')
      }
      for (const directoryPath of ['/', '///']) expect(await paths({ query: { directoryPath } })).toEqual(ALL)
      expect(rowsOf(await search({ query: { directoryPath: 'reports/2025' } }))).not.toContain('dir.slashes')
    },
    exact: async (tester) => {
      for (const directoryPath of ['reports/2025/', '/reports/2025', 'reports//2025', '/', '//']) {
        const page = await expectEmpty(tester, { directoryPath })
        expect(rowsOf(page)).toContain('dir.slashes')
        expect(rowsOf(page)).toContain('dir.missing')
      }
      expect(await tester.paths({ query: { directoryPath: 'reports' } })).toEqual(IN_REPORTS)
    },
  },
  options,
)

const DOTTED = [
  '.',
  '..',
  './reports',
  'reports/.',
  'reports/..',
  'reports/../reporting',
  '/..',
  'a\0',
  '\0',
  'reports/\0/x',
]

describeBehaviour(
  'dir.dots',
  {
    error: async (tester) => {
      for (const directoryPath of DOTTED) {
        const refused = await tester.search({ query: { directoryPath } })
        expect(refused.status, directoryPath).toBe(400)
        expect(complaintsOf(refused), directoryPath).toEqual(['directoryPath dir.dots'])
        expect(rowsOf(refused)).toContain('dir.dots')
      }
      expect(complaintsOf(await tester.search({ query: 'directoryPath=reports%2F%2E%2E' }))).toEqual([
        'directoryPath dir.dots',
      ])
      await ordinaryNames(tester)
    },
    literal: async (tester) => {
      for (const directoryPath of DOTTED) {
        const page = await expectEmpty(tester, { directoryPath })
        expect(rowsOf(page)).toContain('dir.dots')
        expect(rowsOf(page)).toContain('dir.missing')
      }
      await ordinaryNames(tester)
    },
  },
  withFiles(['back\\slash/a.txt', 'back/slash/b.txt', '...', '.hidden/c.txt', 'ends./d.txt', 'a..b/e.txt']),
)

/** A backslash separates nothing, and dots beside other characters mean nothing. */
async function ordinaryNames({ search, paths }: Tester): Promise<void> {
  expect(await paths({ query: { directoryPath: 'back\\slash' } })).toEqual(['back\\slash/a.txt'])
  expect(await paths({ query: { directoryPath: 'back' } })).toEqual(['back/slash', 'back/slash/b.txt'])
  expect(await paths({ query: { directoryPath: '.hidden' } })).toEqual(['.hidden/c.txt'])
  expect(await paths({ query: { directoryPath: 'ends.' } })).toEqual(['ends./d.txt'])
  expect(await paths({ query: { directoryPath: 'a..b' } })).toEqual(['a..b/e.txt'])
  expect(rowsOf(await search({ query: { directoryPath: '.hidden' } }))).not.toContain('dir.dots')
}

const COMPOSED = 'caf\u00e9'
const DECOMPOSED = 'cafe\u0301'

describeBehaviour(
  'dir.case',
  {
    exact: async ({ search, paths }) => {
      expect(await paths({ query: { directoryPath: 'reports' } })).toEqual(['reports/a.txt'])
      expect(await paths({ query: { directoryPath: COMPOSED } })).toEqual([`${COMPOSED}/c.txt`])
      expect(await paths({ query: { directoryPath: DECOMPOSED } })).toEqual([`${DECOMPOSED}/d.txt`])
      const missed = await search({ query: { directoryPath: 'REPORTS' } })
      expect(pathsOf(missed)).toEqual([])
      expect(rowsOf(missed)).toContain('dir.case')
    },
    'case-insensitive': async ({ search, paths }) => {
      const page = await search({ query: { directoryPath: 'rePORTS' } })
      expect(pathsOf(page)).toEqual(['Reports/b.txt', 'reports/a.txt'])
      expect(rowsOf(page)).toContain('dir.case')
      expect(await paths({ query: { directoryPath: 'CAF\u00c9' } })).toEqual([`${COMPOSED}/c.txt`])
      expect(await paths({ query: { directoryPath: '\u039f\u03a3' } })).toEqual(['\u03bf\u03c2/e.txt'])
    },
    nfc: async ({ search, paths }) => {
      for (const directoryPath of [COMPOSED, DECOMPOSED]) {
        const page = await search({ query: { directoryPath } })
        expect(pathsOf(page)).toEqual([`${DECOMPOSED}/d.txt`, `${COMPOSED}/c.txt`])
        expect(rowsOf(page)).toContain('dir.case')
      }
      expect(await paths({ query: { directoryPath: 'REPORTS' } })).toEqual([])
    },
  },
  withFiles(['reports/a.txt', 'Reports/b.txt', `${COMPOSED}/c.txt`, `${DECOMPOSED}/d.txt`, '\u03bf\u03c2/e.txt']),
)

test('several directories that are the same but for case are walked as one list', async () => {
  const names = ['a', 'A', 'aa']
  const tester = createTester({
    ...withFiles(names.flatMap((name) => [`${name}/1.txt`, `${name}/sub/2.txt`, `${name}/z.txt`])),
    behaviours: { 'dir.case': 'case-insensitive' },
  })
  const one = (name: string) => [`${name}/1.txt`, `${name}/sub`, `${name}/sub/2.txt`, `${name}/z.txt`]
  const pages = await walk(tester, { query: { directoryPath: 'A', limit: 3 } })
  expect(pages.flat()).toEqual([...one('A'), ...one('a')])
})

describeBehaviour(
  'dir.missing',
  {
    empty: async (tester) => {
      for (const directoryPath of [
        'no/such/directory',
        'reports/2026',
        'report',
        ' ',
        'reports ',
        '*',
        '%',
        'reports%2F2025',
        'x'.repeat(5000),
        '😀',
      ]) {
        const page = await expectEmpty(tester, { directoryPath })
        expect(rowsOf(page)).toContain('dir.missing')
        expect(rowsOf(page)).not.toContain('dir.file')
      }
      expect(rowsOf(await tester.search({ query: { directoryPath: 'empty' } }))).not.toContain('dir.missing')
    },
    404: async ({ search, paths }) => {
      const refused = await search({ query: { directoryPath: 'no/such/directory' } })
      expect(refused.status).toBe(404)
      expect(complaintsOf(refused)).toEqual(['directoryPath dir.missing'])
      expect(rowsOf(refused)).toContain('dir.missing')
      expect(await paths({ query: { directoryPath: 'empty' } })).toEqual([])
    },
  },
  options,
)

describeBehaviour(
  'dir.file',
  {
    empty: async (tester) => {
      for (const directoryPath of ['readme.md', 'reports/jan.pdf', '/readme.md/']) {
        const page = await expectEmpty(tester, { directoryPath })
        expect(rowsOf(page)).toContain('dir.file')
        expect(rowsOf(page)).not.toContain('dir.missing')
      }
      expect(rowsOf(await expectEmpty(tester, { directoryPath: 'readme.md/x' }))).toContain('dir.missing')
    },
    404: async (tester) => fileIsRefused(tester, 404),
    400: async (tester) => fileIsRefused(tester, 400),
  },
  options,
)

async function fileIsRefused({ search }: Tester, status: number): Promise<void> {
  for (const directoryPath of ['readme.md', 'reports/jan.pdf']) {
    const refused = await search({ query: { directoryPath } })
    expect(refused.status).toBe(status)
    expect(complaintsOf(refused)).toEqual(['directoryPath dir.file'])
    expect(rowsOf(refused)).toContain('dir.file')
  }
  expect((await search({ query: { directoryPath: 'no/such/directory' } })).status).toBe(200)
  expect((await search({ query: { directoryPath: 'reports' } })).status).toBe(200)
}

describeBehaviour(
  'dir.segment',
  {
    segment: async (tester) => {
      await expectEmpty(tester, { directoryPath: 'rep' })
      await expectEmpty(tester, { directoryPath: 'reports/20' })
      expect(await tester.paths({ query: { directoryPath: 'reports' } })).toEqual(IN_REPORTS)
    },
    prefix: async ({ search, paths }) => {
      expect(await paths({ query: { directoryPath: 'rep' } })).toEqual(['reporting/x.txt', ...IN_REPORTS])
      expect(await paths({ query: { directoryPath: 'reports' } })).toEqual(IN_REPORTS)
      expect(await paths({ query: { directoryPath: 'reports/20' } })).toEqual(
        IN_REPORTS.filter((path) => path.startsWith('reports/2025/')),
      )
      expect(await paths({ query: { directoryPath: 'eports' } })).toEqual([])
      expect(await paths({ query: { directoryPath: 'rep', immediateChildren: true } })).toEqual([
        'reporting/x.txt',
        'reports/2025',
        'reports/jan.pdf',
      ])
      expect(await paths({ query: { directoryPath: 'reports', immediateChildren: true } })).toEqual([
        'reports/2025',
        'reports/jan.pdf',
      ])
      expect(rowsOf(await search({ query: { directoryPath: 'rep' } }))).not.toContain('dir.case')
    },
  },
  options,
)

describeBehaviour(
  'dir.blank',
  {
    default: async ({ search }) => {
      for (const query of ['', 'directoryPath=']) {
        const page = await search({ query })
        expect(pathsOf(page)).toEqual(ALL)
        expect(rowsOf(page)).toContain('dir.blank')
      }
      const page = await search({ query: { directoryPath: 'reports' } })
      expect(rowsOf(page)).not.toContain('dir.blank')
    },
  },
  options,
)

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
  options,
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
  options,
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
  options,
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
  options,
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
  options,
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
  options,
)

test('an implied directory comes and goes with what is below it, and keeps its date meanwhile', async () => {
  const tester = createTester(options)
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
  options,
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
  options,
)

const ODD_DIRECTORIES = [
  '%ED%A0%80',
  '%',
  '%ZZ',
  '%C0%AF',
  '%F0%9F%98%80',
  '%00',
  '%2F%2F',
  '+',
  '%25',
  '%5C',
  'a%0D%0Ab',
  '%E2%80%A8',
  '[',
  'x'.repeat(8000),
]

test('no spelling of a directory makes the server fail', async () => {
  const loose = {
    'dir.dots': 'literal',
    'dir.slashes': 'exact',
    'dir.segment': 'prefix',
    'dir.case': 'case-insensitive',
    'dir.self': 'include',
  }
  for (const behaviours of [{}, loose, { ...loose, 'dir.case': 'nfc' }]) {
    const { search } = createTester({ ...options, behaviours })
    for (const directory of ODD_DIRECTORIES) {
      const answer = await search({ query: `directoryPath=${directory}` })
      expect(answer.headers, directory).not.toHaveProperty('x-mock-defect')
      expect(answer.status, directory).toBeLessThan(500)
    }
  }
})

test('no spelling of a file set makes the server fail', async () => {
  const tester = createTester(options)
  for (const set of [
    '%ED%A0%80',
    '%',
    '%ZZ',
    '%00',
    '%2F',
    '%C0%AF',
    '%0D%0A',
    '%E2%80%A8',
    '..%2F..',
    'x'.repeat(8000),
  ]) {
    const answer = await tester
      .request()
      .post(`${SEARCH}/${set}/files/search`)
      .set({ [KEY_HEADER]: 'key', 'Content-Type': 'application/json' })
      .send('{}')
    expect([400, 404], set).toContain(answer.status)
  }
})
