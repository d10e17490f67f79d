import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTester, type Tester } from '../../support/tester.ts'

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

/** What changes a set as a step says, and the same to a list. */
function apply(step: Step, files: Given[], tester: Tester): Given[] {
  const remove = (gone: readonly Given[]) => {
    if (gone.length > 0)
      tester.standin.removeFiles(
        'set',
        gone.map(({ path }) => path),
      )
    return files.filter((file) => !gone.includes(file))
  }
  if ('remove' in step) return remove([...new Set(step.remove.flatMap((at) => files[at % files.length] ?? []))])
  if ('move' in step) {
    const moved = files[step.move % files.length]
    if (moved?.fileType) return files
    const rest = remove(moved ? [moved] : [])
    const [path, ...others] = [`${SEGMENTS[step.move % 3] ?? ''}/${moved?.path ?? 'a.txt'}`, ...rest]
    if (!moved || others.some((other) => other.path === path)) return rest
    return apply({ add: [{ ...moved, path }] }, rest, tester)
  }
  const taken = new Set(files.map(({ path }) => path))
  const fresh = step.add.filter(({ path }) => !taken.has(path) && taken.add(path))
  tester.standin.addFiles('set', fresh)
  return [...files, ...fresh]
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

test('a set that was changed step by step answers as one that was made so', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(given, { maxLength: 6 }), steps, fc.boolean(), async (first, changes, readsBetween) => {
      const seen = new Set<string>()
      let files = first.filter(({ path }) => !seen.has(path) && seen.add(path))
      const tester = set(files)
      await answers(tester)
      for (const step of changes) {
        files = apply(step, files, tester)
        if (readsBetween) await tester.search({ set: 'set', body: QUESTIONS[2] })
      }
      expect(await answers(tester)).toEqual(await answers(set(files)))
    }),
    { seed: 42, numRuns: 20 },
  )
})
