import { expect, test } from 'vitest'
import { compareCodePoints } from '../../../src/base/formats/code-points.ts'
import type { FileChange } from '../../../src/index.ts'
import { createControlledTester, refusalOf } from '../../support/control.ts'

const TINY = {
  clock: '2026-03-05T14:30:00Z',
  fixtures: [
    {
      fileSets: [
        {
          id: 'tiny',
          files: [{ path: 'a.txt', size: 3 }, { path: 'dir/b.txt' }, { path: 'void', fileType: 'DIRECTORY' }],
        },
      ],
    },
  ],
}

async function idOf(
  { control }: ReturnType<typeof createControlledTester>,
  path: string,
  set = 'tiny',
): Promise<string> {
  const { files } = await control.listFiles(set, { path })
  return files[0]?.id ?? `nothing at ${path}`
}

test('file sets are listed, created, read and deleted', async () => {
  const { control, paths, search } = createControlledTester(TINY)
  expect((await control.listFileSets()).fileSets).toEqual([
    { id: 'demo', files: 1000, directories: expect.any(Number) as number, version: 0 },
    { id: 'awkward', files: 135, directories: 104, version: 0 },
    { id: 'empty', files: 0, directories: 0, version: 0 },
    { id: 'tiny', files: 2, directories: 2, version: 0 },
  ])
  expect(await control.createFileSet({ id: 'own', files: [{ path: 'x/y.pdf', size: 12 }] })).toEqual({
    id: 'own',
    files: 1,
    directories: 1,
    version: 0,
  })
  expect(await control.createFileSet({ id: 'none' })).toMatchObject({ files: 0 })
  const many = await control.createFileSet({ id: 'many', generate: 500 })
  expect(many).toMatchObject({ files: 500 })
  expect(await paths({ set: 'own' })).toEqual(['x', 'x/y.pdf'])
  expect((await search({ set: 'many', query: { limit: 1000 } })).body).toMatchObject({
    files: { length: 500 + many.directories },
  })
  await control.deleteFileSet('own')
  expect((await search({ set: 'own' })).status).toBe(404)
  expect(await refusalOf(control.getFileSet('own'))).toMatch('404 /problems/file-set-not-found')
  expect(await refusalOf(control.getFileSet('dmeo'))).toMatch('Did you mean "demo"?')
  expect(await refusalOf(control.createFileSet({ id: 'demo' }))).toMatch('409 /problems/file-set-exists')
  expect(await refusalOf(control.createFileSet({ id: 'x', files: [], generate: 1 }))).toMatch(
    'either files or generate',
  )
})

test('a file that is added was created now, by the clock of the sandbox', async () => {
  const { control } = createControlledTester(TINY)
  await control.advanceClock({ by: 'P1DT1H' })
  const { files } = await control.addFiles('tiny', [
    { path: 'late.txt' },
    { path: 'early.txt', created: '2020-01-01T00:00:00Z' },
  ])
  expect(files.map(({ created }) => created)).toEqual(['2026-03-06T15:30:00.000Z', '2020-01-01T00:00:00.000Z'])
})

test('thousands of directories beside each other are in the order of their paths, as few are', async () => {
  const { control, paths } = createControlledTester(TINY)
  const names = Array.from(
    { length: 3000 },
    (_, at) => `${['b', 'a', 'a-b', 'a.b', '\u{1F600}', '\uFF5E'][at % 6]}${at}`,
  )
  await control.createFileSet({ id: 'wide', files: names.map((name) => ({ path: `${name}/f` })) })
  const inOrder = names.toSorted((one, other) => compareCodePoints(`${one}/`, `${other}/`))
  const shown = await paths({ set: 'wide', query: { limit: 1000 } })
  expect(shown).toEqual(inOrder.slice(0, 500).flatMap((name) => [name, `${name}/f`]))
})

test('a sandbox holds so many files, and a set too large is refused before it is made', async () => {
  const { control } = createControlledTester(TINY)
  const state = await control.getState()
  const generated = { seed: 1, files: 10_000_000, firstMoment: '2026-03-05T00:00:00.000Z' }
  const fileSets = ['a', 'b', 'c'].map((id) => ({ id, version: 0, generated }))
  expect(await refusalOf(control.putState({ ...state, fileSets }))).toMatch('409 /problems/too-many-files')
  expect(await refusalOf(control.createFileSet({ id: 'x', generate: 10_000_001 }))).toMatch(
    '/generate: expected at most 10000000',
  )
  expect((await control.listFileSets()).fileSets).toHaveLength(4)
})

test('a generated file set is the one that the command line would have made', async () => {
  const { control, search } = createControlledTester(TINY)
  await control.deleteFileSet('demo')
  await control.createFileSet({ id: 'demo', generate: 1000 })
  const { search: searchOther } = createControlledTester(TINY)
  const all = { set: 'demo', query: { limit: 1000 } }
  expect((await search(all)).text).toBe((await searchOther(all)).text)
})

test('files are added, read, changed, moved and deleted, and searches see it at once', async () => {
  const tester = createControlledTester(TINY)
  const { control, paths, search } = tester
  const { total, files } = await control.addFiles('tiny', [
    { path: 'dir/c.pdf', size: 9_007_199_254_740_993n },
    { path: 'empty', fileType: 'DIRECTORY' },
  ])
  expect([total, files.map(({ path }) => path)]).toEqual([2, ['dir/c.pdf', 'empty']])
  expect(await paths()).toEqual(['a.txt', 'dir', 'dir/b.txt', 'dir/c.pdf', 'empty', 'void'])

  const id = await idOf(tester, 'dir/c.pdf')
  expect(await control.getFile('tiny', id)).toMatchObject({
    path: 'dir/c.pdf',
    size: 9_007_199_254_740_993n,
    contentType: 'application/pdf',
  })
  expect(await control.changeFile('tiny', id, { size: 5, indexStatus: 'DONE' })).toMatchObject({
    id,
    size: 5,
    indexStatus: 'DONE',
    contentType: 'application/pdf',
  })
  expect(await control.changeFile('tiny', id, { indexStatus: null })).toMatchObject({ id, indexStatus: null })

  expect(await control.changeFile('tiny', id, { path: 'moved/d.pdf' })).toMatchObject({
    id,
    path: 'moved/d.pdf',
    name: 'd.pdf',
    size: 5,
  })
  expect(await paths()).toEqual(['a.txt', 'dir', 'dir/b.txt', 'empty', 'moved', 'moved/d.pdf', 'void'])
  const found = await search({ body: { filters: [{ field: 'name', operator: 'EQUALS', value: ['d.pdf'] }] } })
  expect(found.body).toMatchObject({ files: [{ id, path: 'moved/d.pdf' }] })

  await control.deleteFile('tiny', id)
  expect(await paths()).toEqual(['a.txt', 'dir', 'dir/b.txt', 'empty', 'void'])
  expect(await refusalOf(control.getFile('tiny', id))).toMatch('404 /problems/file-not-found')
  expect(await control.getFileSet('tiny')).toMatchObject({ version: 5 })
})

test('a directory is read level by level: its directories by name, then its files', async () => {
  const tester = createControlledTester(TINY)
  const { control } = tester
  await control.addFiles('tiny', [{ path: 'new/deep/c.txt' }, { path: 'dir/aa.txt' }, { path: 'dir/below/d.txt' }])
  await control.deleteFile('tiny', await idOf(tester, 'dir/b.txt'))
  expect(await control.listDirectories('tiny')).toEqual({
    total: 3,
    directories: [
      { path: 'dir', name: 'dir', entries: 2, hasDirectories: true },
      { path: 'new', name: 'new', entries: 1, hasDirectories: true },
      { path: 'void', name: 'void', entries: 0, hasDirectories: false },
    ],
  })
  expect((await control.listDirectories('tiny', { directory: 'new', limit: 1 })).directories).toMatchObject([
    { path: 'new/deep', hasDirectories: false },
  ])
  expect((await control.listDirectories('tiny', { directory: 'nowhere' })).total).toBe(0)

  const pathsIn = async (directory: string, window = {}) => {
    const { total, files } = await control.listFiles('tiny', { directory, ...window })
    return [total, ...files.map(({ path }) => path)]
  }
  expect(await pathsIn('')).toEqual([4, 'dir', 'new', 'void', 'a.txt'])
  expect(await pathsIn('dir')).toEqual([2, 'dir/below', 'dir/aa.txt'])
  expect(await pathsIn('', { offset: 2, limit: 1 })).toEqual([4, 'void'])
  expect(await pathsIn('nowhere')).toEqual([0])
  expect(await refusalOf(control.listFiles('tiny', { directory: 'dir', path: 'a.txt' }))).toMatch(
    'either path or directory',
  )
  // Gone with the last of its entries.
  await control.deleteFile('tiny', await idOf(tester, 'new/deep/c.txt'))
  expect(await pathsIn('')).toEqual([3, 'dir', 'void', 'a.txt'])
})

test('the directories of a generated set hold all of its entries', async () => {
  const { control } = createControlledTester({ ...TINY, files: 200 })
  const { files, directories } = await control.getFileSet('demo')
  const waiting = ['']
  let seen = 0
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    const { total, files: found } = await control.listFiles('demo', { directory })
    seen += total
    const below = (await control.listDirectories('demo', { directory })).directories.map(({ path }) => path)
    expect(found.filter(({ fileType }) => fileType === 'DIRECTORY').map(({ path }) => path)).toEqual(below)
    waiting.push(...below)
  }
  expect(seen).toBe(files + directories)
})

test('a path that a file was moved away from is free for a new file, which gets an id of its own', async () => {
  const tester = createControlledTester(TINY)
  const { control, paths } = tester
  const moved = await idOf(tester, 'a.txt')
  await control.changeFile('tiny', moved, { path: 'b.txt' })
  const { files } = await control.addFiles('tiny', [{ path: 'a.txt' }])
  expect(files[0]?.id).not.toBe(moved)
  expect(await idOf(tester, 'b.txt')).toBe(moved)
  expect(await paths()).toEqual(['a.txt', 'b.txt', 'dir', 'dir/b.txt', 'void'])
})

test('a directory at a path that a file was moved away from gets an id of its own', async () => {
  const tester = createControlledTester(TINY)
  const { control, paths } = tester
  const moved = await idOf(tester, 'a.txt')
  await control.changeFile('tiny', moved, { path: 'a.txt/b.txt' })
  const directory = await idOf(tester, 'a.txt')
  expect(directory).not.toBe(moved)
  expect(await control.getFile('tiny', moved)).toMatchObject({ path: 'a.txt/b.txt' })
  const state = await control.getState()
  await control.reset()
  await control.putState(state)
  expect(await idOf(tester, 'a.txt')).toBe(directory)
  await control.deleteFile('tiny', moved)
  expect(await paths()).toEqual(['dir', 'dir/b.txt', 'void'])
})

test('a generated file set is changed like any other', async () => {
  const tester = createControlledTester({ ...TINY, files: 50 })
  const { control, paths } = tester
  const before = await paths({ set: 'demo', query: { limit: 1000 } })
  const file = before.find((path) => path.includes('.')) ?? ''
  await control.changeFile('demo', await idOf(tester, file, 'demo'), { path: '!first.txt' })
  const after = await paths({ set: 'demo', query: { limit: 1000 } })
  expect(after[0]).toBe('!first.txt')
  expect(after).not.toContain(file)
})

test('directories stay as long as something lies in them', async () => {
  const tester = createControlledTester(TINY)
  const { control, paths } = tester
  const dir = await idOf(tester, 'dir')
  expect(await refusalOf(control.deleteFile('tiny', dir))).toMatch(
    '409 /problems/directory-held: The directory "dir" holds entries.',
  )
  expect(await refusalOf(control.changeFile('tiny', dir, { createdBy: 5 }))).toMatch(
    'is there only because something lies in it',
  )
  const own = await idOf(tester, 'void')
  expect(await control.changeFile('tiny', own, { path: 'filled', createdBy: 5 })).toMatchObject({
    path: 'filled',
    createdBy: 5,
    size: null,
  })
  await control.addFiles('tiny', [{ path: 'filled/x' }])
  expect(await refusalOf(control.changeFile('tiny', own, { path: 'void' }))).toMatch('holds entries')
  expect(await refusalOf(control.deleteFile('tiny', own))).toMatch('holds entries')
  await control.deleteFile('tiny', await idOf(tester, 'filled/x'))
  await control.deleteFile('tiny', own)
  expect(await paths()).toEqual(['a.txt', 'dir', 'dir/b.txt'])
})

test.for([
  [{ path: '/x' }, 'begins or ends with a slash'],
  [{ path: 'dir' }, 'is a directory already'],
  [{ path: 'void' }, 'The path "void" is there twice'],
  [{ path: 'dir/b.txt/c' }, 'lies within "dir/b.txt", which is a file'],
  [{ size: -1 }, 'size must be at least 0; it is -1'],
  [{ created: 'today' }, 'created must be'],
  [{ hash: 'xyz' }, 'hash must be'],
  [{ fileType: 'DIRECTORY' }, 'the type of a file'],
  [{ path: 7 }, '/path: expected a string, got 7.'],
  [{}, 'the body: expected'],
  [{ nmae: 'x' }, '/nmae is not known'],
] as const)('a change is refused whole: %j', async ([change, complaint]) => {
  const tester = createControlledTester(TINY)
  const { control, search } = tester
  const before = (await search()).text
  const id = await idOf(tester, 'a.txt')
  expect(await refusalOf(control.changeFile('tiny', id, change as FileChange))).toContain(complaint)
  expect((await search()).text).toBe(before)
})

test('of files that are added all are refused when one is wrong', async () => {
  const { control, paths } = createControlledTester(TINY)
  const files = [{ path: 'ok' }, { path: 'a.txt' }, { path: 'ok/inside' }, { path: 'b', size: -1 }]
  const refusal = await refusalOf(control.addFiles('tiny', files))
  expect(refusal).toMatch(/^400 .*\/files\/3 \(b\): size must be at least 0; it is -1\. \(and 2 more\)$/)
  expect(await paths()).toEqual(['a.txt', 'dir', 'dir/b.txt', 'void'])
})

test('entries are listed in parts', async () => {
  const { control } = createControlledTester(TINY)
  const all = await control.listFiles('tiny')
  const parts = [
    await control.listFiles('tiny', { limit: 3 }),
    await control.listFiles('tiny', { offset: 3, limit: 3 }),
    await control.listFiles('tiny', { offset: 99 }),
  ]
  expect(all.total).toBe(4)
  expect(parts.flatMap(({ files }) => files)).toEqual(all.files)
  expect(await control.listFiles('tiny', { path: 'nowhere' })).toEqual({ total: 0, files: [] })
})
