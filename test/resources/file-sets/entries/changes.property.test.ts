import fc from 'fast-check'
import { expect } from 'vitest'
import { cases } from '../../../support/cases.ts'
import { createTester, type Tester } from '../../../support/tester.ts'
import { withoutStore } from '../../../support/store.ts'

/** A record as a fixture writes it. */
interface Given {
  readonly path: string
  readonly fileType?: 'DIRECTORY' | undefined
  readonly created: string
  readonly createdBy: number
  readonly size?: number
}

type Step = { readonly add: readonly Given[] } | { readonly remove: readonly number[] } | { readonly move: number }

const SEGMENTS = ['a', 'b', 'a-b', 'c', 'C', '\u{1f600}']
const paths = fc
  .array(fc.constantFrom(...SEGMENTS), { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join('/'))
// Equally old descendants have one creator, so that it does not matter which of them is the oldest.
const days = fc.integer({ min: 1, max: 28 }).map((day) => ({
  created: `2026-01-${String(day).padStart(2, '0')}T00:00:00.000Z`,
  createdBy: day * 10,
}))
const given = fc
  .record({ path: paths, day: days, size: fc.nat(3), isDirectory: fc.boolean(), isFile: fc.boolean() })
  .map(({ path, day, size, isDirectory, isFile }): Given => {
    if (isDirectory && !isFile) return { path, fileType: 'DIRECTORY', ...day }
    return { path: `${path}.txt`, size, ...day }
  })
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.array(given, { minLength: 1, maxLength: 4 }).map((add) => ({ add })),
    fc.array(fc.nat(), { minLength: 1, maxLength: 3 }).map((remove) => ({ remove })),
    fc.nat().map((move) => ({ move })),
  ),
  { minLength: 1, maxLength: 12 },
)

const set = (files: readonly Given[]) => createTester({ fixtures: [{ fileSets: [{ id: 'set', files }] }] })

/** Changes a set as a step says, and a list in the same way: what the list was after each change. */
function apply(step: Step, files: readonly Given[], { standin }: Tester): Given[][] {
  const remove = (gone: readonly Given[]) => {
    standin.removeFiles(
      'set',
      gone.map(({ path }) => path),
    )
    return files.filter((file) => !gone.includes(file))
  }
  if ('remove' in step) {
    const gone = [...new Set(step.remove.flatMap((at) => files[at % files.length] ?? []))]
    return gone.length === 0 ? [] : [remove(gone)]
  }
  if ('move' in step) {
    const moved = files[step.move % files.length]
    if (!moved || moved.fileType) return []
    const rest = remove([moved])
    const path = `${SEGMENTS[step.move % 3] ?? ''}/${moved.path}`
    if (rest.some((other) => other.path === path)) return [rest]
    standin.addFiles('set', [{ ...moved, path }])
    return [rest, [...rest, { ...moved, path }]]
  }
  const taken = new Set(files.map(({ path }) => path))
  const fresh = step.add.filter(({ path }) => !taken.has(path) && taken.add(path))
  standin.addFiles('set', fresh)
  return [[...files, ...fresh]]
}

const QUESTIONS = [
  {},
  { fieldSort: [{ field: 'path', order: 'DESC' }] },
  { fieldSort: [{ field: 'created', order: 'ASC' }] },
  {
    fieldSort: [
      { field: 'size', order: 'DESC' },
      { field: 'createdBy', order: 'ASC' },
    ],
  },
  { fieldSort: [{ field: 'id', order: 'DESC' }], filters: [{ field: 'name', operator: 'LIKE', value: ['a%t'] }] },
  {
    fieldSort: [{ field: 'name', order: 'ASC' }],
    dateFilters: [{ field: 'created', start: '2026-01-09T00:00:00Z', end: null }],
  },
]
const PLACES = ['', 'a', 'b/a-b']

/** Every answer, walked page by page, to every question in every place. */
async function answers({ search }: Tester): Promise<string[]> {
  const all: string[] = []
  for (const body of QUESTIONS) {
    for (const directoryPath of PLACES) {
      for (const immediateChildren of [false, true]) {
        let next: string | undefined
        do {
          const query = { directoryPath, immediateChildren, limit: 3, ...(next === undefined ? {} : { next }) }
          const page = await search({ set: 'set', query, body })
          const { files, pageContext } = page.body as { files: unknown[]; pageContext: { next?: string } }
          all.push(JSON.stringify([body, directoryPath, immediateChildren, files, page.headers['x-mock-behaviours']]))
          next = pageContext.next
        } while (next !== undefined)
      }
    }
  }
  return all
}

/** By path: the fields of a directory without a record of its own. */
type Implied = Map<string, Pick<Given, 'created' | 'createdBy'>>

/** What is implied after a step: what was there stays as it was, and what is new is as its oldest descendant. */
function implied(files: readonly Given[], before: readonly Given[], known: Implied): Implied {
  const after: Implied = new Map()
  const explicit = new Set(files.filter(({ fileType }) => fileType).map(({ path }) => path))
  for (const { path } of files) {
    for (let above = path.lastIndexOf('/'); above > 0; above = path.lastIndexOf('/', above - 1)) {
      const directory = path.slice(0, above)
      if (explicit.has(directory) || after.has(directory)) continue
      const below = files.filter((one) => one.path.startsWith(`${directory}/`))
      const [oldest] = below.toSorted((a, b) => a.created.localeCompare(b.created))
      const was = before.find((one) => one.path === directory) ?? known.get(directory)
      const { created = '', createdBy = 0 } = was ?? oldest ?? {}
      after.set(directory, { created, createdBy })
    }
  }
  return after
}

async function expectImplied({ search }: Tester, files: readonly Given[], directories: Implied): Promise<void> {
  const body: unknown = (await search({ set: 'set', query: { limit: 1000 } })).body
  const explicit = new Set(files.map(({ path }) => path))
  const shown = (body as { files: (Given & { id: string })[] }).files.filter(({ path }) => !explicit.has(path))
  const found = shown.map(({ path, created, createdBy }) => [path, { created, createdBy }] as const)
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(directories))
}

/** A server that continues from the state of another. */
async function copyOf(tester: Tester): Promise<Tester> {
  const copy = set([])
  const state = await tester.request().get('/__mock/state')
  const put = await copy.request().put('/__mock/state').set('Content-Type', 'application/json').send(state.text)
  expect(put.status, put.text).toBe(200)
  return copy
}

withoutStore('a set that was changed step by step answers as one that was made so', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(given, { maxLength: 6 }), steps, fc.boolean(), async (first, changes, readsBetween) => {
      const seen = new Set<string>()
      let files = first.filter(({ path }) => !seen.has(path) && seen.add(path))
      let directories = implied(files, [], new Map())
      const tester = set(files)
      await answers(tester)
      for (const step of changes) {
        for (const now of apply(step, files, tester)) {
          directories = implied(now, files, directories)
          files = now
        }
        if (readsBetween) await tester.search({ set: 'set', body: QUESTIONS[2] })
      }
      await expectImplied(tester, files, directories)
      expect(await answers(await copyOf(tester))).toEqual(await answers(tester))
    }),
    { seed: 42, numRuns: cases(10, 2) },
  )
})

const SORTS = ['created', 'createdBy', 'size', 'path', 'name', 'id', 'fileType'].flatMap((field) => [
  { field, order: 'ASC' },
  { field, order: 'DESC' },
])

withoutStore(
  'a walk shows what is there all the time exactly once, files and directories, in every order',
  async () => {
    const walks = fc.record({ sort: fc.constantFrom(...SORTS), limit: fc.integer({ min: 1, max: 3 }) })
    const onlyFiles = steps.map((all) =>
      all.map((step) => ('add' in step ? { add: step.add.filter(({ fileType }) => !fileType) } : step)),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(given, { minLength: 3, maxLength: 12 }),
        onlyFiles,
        walks,
        async (first, changes, walk) => {
          const seen = new Set<string>()
          let files: readonly Given[] = first.filter(({ path }) => !seen.has(path) && seen.add(path))
          const tester = set(files)
          const present = async () => new Set(await tester.paths({ set: 'set', query: { limit: 1000 } }))
          let throughout = await present()
          const found: string[] = []
          const body = { fieldSort: [walk.sort] }
          let next: string | undefined
          for (let page = 0; page === 0 || next !== undefined; page++) {
            const query = { limit: walk.limit, ...(next === undefined ? {} : { next }) }
            const shown: unknown = (await tester.search({ set: 'set', query, body })).body
            const { files: entries, pageContext } = shown as { files: Given[]; pageContext: { next?: string } }
            found.push(...entries.map(({ path }) => path))
            next = pageContext.next
            for (const now of apply(changes[page] ?? { remove: [] }, files, tester)) {
              files = now
              throughout = throughout.intersection(await present())
            }
          }
          expect(found.filter((path) => throughout.has(path)).toSorted()).toEqual([...throughout].toSorted())
        },
      ),
      { seed: 42, numRuns: cases(60) },
    )
  },
)
