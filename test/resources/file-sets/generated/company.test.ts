import { expect, test } from 'vitest'
import { createTester } from '../../../support/tester.ts'
import { cases, longTest, takesAll } from '../../../support/cases.ts'

interface Entry {
  readonly id: string
  readonly path: string
  readonly name: string
  readonly fileType: string
  readonly contentType: string
  readonly size: number
  readonly created: string
  readonly createdBy: number
}

async function demo(files: number, seed = 42): Promise<{ files: Entry[]; directories: Entry[] }> {
  const { search } = createTester({ files, seed })
  const { files: entries } = (await search({ set: 'demo', query: { limit: 1_000_000 } })).body as { files: Entry[] }
  return {
    files: entries.filter(({ fileType }) => fileType !== 'DIRECTORY'),
    directories: entries.filter(({ fileType }) => fileType === 'DIRECTORY'),
  }
}

test.for([0, 1, 7, 100, 1000, ...(takesAll ? [20_000] : [])])(
  'a company of %i files has exactly so many, each path and id once',
  async (count) => {
    const { files, directories } = await demo(count)
    expect(files).toHaveLength(count)
    const entries = [...files, ...directories]
    expect(new Set(entries.map(({ path }) => path)).size).toBe(entries.length)
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
  },
)

test('its tree is believable: departments, areas, years, and no directory with hundreds of files', async () => {
  const { files, directories } = await demo(1000)
  const roots = directories.filter(({ path }) => !path.includes('/')).map(({ path }) => path)
  expect(roots).toEqual(expect.arrayContaining(['finance', 'hr', 'legal', 'marketing']))
  const sizes = new Map<string, number>()
  for (const { path } of files) {
    const directory = path.slice(0, path.lastIndexOf('/'))
    sizes.set(directory, (sizes.get(directory) ?? 0) + 1)
  }
  expect(sizes.size).toBeGreaterThan(80)
  expect(Math.max(...sizes.values())).toBeLessThan(30)
})

test('what is said of a file fits together: type, media type, size, date and name', async () => {
  const { files } = await demo(cases(5000, 2500))
  const types: Record<string, RegExp> = {
    IMAGE: /^image\//,
    AUDIO: /^audio\//,
    VIDEO: /^video\//,
    TEXT: /^text\/|^application\/json$/,
    DOCUMENT: /pdf|officedocument/,
    OTHER: /zip/,
  }
  expect(new Set(files.map(({ fileType }) => fileType))).toEqual(new Set(Object.keys(types)))
  for (const { fileType, contentType, name, path, size, created } of files) {
    expect(contentType).toMatch(types[fileType]!)
    expect(path.endsWith(name)).toBe(true)
    expect(size).toBeGreaterThan(0)
    expect(name).toContain(created.slice(0, 10))
    const year = /\/(20\d\d)\//.exec(path)?.[1]
    if (year !== undefined) expect(created.startsWith(year)).toBe(true)
    expect(Date.parse(created)).toBeLessThan(Date.parse('2026-03-05'))
  }
  const median = (type: string) =>
    files
      .filter(({ fileType }) => fileType === type)
      .map(({ size }) => size)
      .sort((a, b) => a - b)
      .at(50)!
  expect(median('VIDEO')).toBeGreaterThan(median('IMAGE') * 10)
})

test('each department has its own people', async () => {
  const { files } = await demo(1000)
  const people = (department: string) =>
    new Set(files.filter(({ path }) => path.startsWith(`${department}/`)).map(({ createdBy }) => createdBy))
  expect(people('finance').size).toBe(4)
  expect([...people('finance')].filter((user) => people('legal').has(user))).toEqual([])
})

test('a directory is as old as its oldest file and made by the same person', async () => {
  const { files, directories } = await demo(1000)
  for (const { path, created, createdBy } of directories) {
    const inside = files
      .filter((file) => file.path.startsWith(`${path}/`))
      .sort((a, b) => (a.created < b.created ? -1 : 1))
    expect({ created, createdBy }).toEqual({ created: inside[0]!.created, createdBy: inside[0]!.createdBy })
  }
})

longTest('two million files are there at once, and their pages are like any others', async () => {
  const { search } = createTester({ files: 2_000_000 })
  const response = await search({
    set: 'demo',
    query: { limit: 3, directoryPath: 'finance/tax', immediateChildren: true },
    body: { fieldSort: [{ field: 'path', order: 'DESC' }] },
  })
  expect((response.body as { files: unknown[] }).files).toHaveLength(3)
})
