import { expect, test } from 'vitest'
import { describeBehaviour } from '../support/describe-behaviour.ts'
import { complaintsOf, createTester, pathsOf, rowsOf, type Tester } from '../support/tester.ts'
import { walk } from '../support/walk.ts'
import { TREE, ALL, IN_REPORTS } from '../support/tree.ts'

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
  TREE,
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
  TREE,
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
  TREE,
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
  TREE,
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
  TREE,
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
    const { search } = createTester({ ...TREE, behaviours })
    for (const directory of ODD_DIRECTORIES) {
      const answer = await search({ query: `directoryPath=${directory}` })
      expect(answer.headers, directory).not.toHaveProperty('x-mock-defect')
      expect(answer.status, directory).toBeLessThan(500)
    }
  }
})
