import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createStandin } from '../../../../src/index.ts'
import { KEY_HEADER, SEARCH } from '../../../support/tester.ts'
import { directoriesAbove, drafts, type FileSet, fileSets, pick } from '../arbitrary-searches.ts'
import { type Entry, type Query, searchNaively } from '../naive-search.ts'
import { cases } from '../../../support/cases.ts'

/** Every run is the same; `npm run harden -- --only paging` asks ten thousand other questions. */
const SEED = 42
const FILE_SETS = cases(15, 3)
const QUERIES_PER_SET = 15

/**
 * How the pages after the first are asked for: with the same search, with the token alone, or each with another limit. Results
 * of more than a hundred entries have pages ten times as long.
 */
const walks = fc.record({ limit: pick(1, 2, 3, 4, 5, 6, 7), manner: pick('repeated', 'alone', 'other limits') })
type Walk = typeof walks extends fc.Arbitrary<infer T> ? T : never

type Parameters = Readonly<Record<string, string | number | boolean>>

interface Page {
  readonly files: readonly Entry[]
  readonly next: string | undefined
}

async function ask(url: string, parameters: Parameters, body: unknown): Promise<Page> {
  const query = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]))
  const response = await fetch(`${url}${SEARCH}/any/files/search?${query.toString()}`, {
    method: 'POST',
    headers: { [KEY_HEADER]: 'key', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  expect(response.status, text).toBe(200)
  // A text never holds an unescaped quote, so these are members: their digits are kept as texts.
  const exact = text.replaceAll(/"(size|createdBy)":(-?\d+)/g, '"$1":"$2"')
  const { files: found, pageContext } = JSON.parse(exact) as { files: Entry[]; pageContext: { next?: string } }
  return { files: found, next: pageContext.next }
}

/** All pages of a search; each but the last must be full. */
async function walk(
  url: string,
  { body, ...parameters }: Query,
  { limit, manner }: Walk,
  most: number,
): Promise<Entry[]> {
  const found: Entry[] = []
  const scale = most > 100 ? 10 : 1
  let size = limit * scale
  let page = await ask(url, { ...parameters, limit: size }, body)
  while (page.next !== undefined && found.length <= most) {
    expect(page.files).toHaveLength(size)
    found.push(...page.files)
    if (manner === 'other limits') size = (((size / scale) % 7) + 1) * scale
    const same = manner === 'alone' ? {} : parameters
    page = await ask(url, { ...same, limit: size, next: page.next }, manner === 'alone' ? {} : body)
  }
  if (found.length > 0) expect(page.files).not.toHaveLength(0)
  return [...found, ...page.files]
}

/** Sees that the unfiltered list holds what was given and the directories above it, and nothing else. */
function expectAll(entries: readonly Entry[], fileSet: FileSet): void {
  if ('generate' in fileSet) {
    expect(entries.filter(({ fileType }) => fileType !== 'DIRECTORY')).toHaveLength(fileSet.generate)
    return
  }
  const given = fileSet.files as readonly { readonly path: string }[]
  const all = new Set(given.flatMap(({ path }) => [...directoriesAbove(path), path]))
  expect(new Set(entries.map(({ path }) => path))).toEqual(all)
  expect(entries).toHaveLength(all.size)
  const byPath = new Map(entries.map((entry) => [entry.path, entry]))
  for (const record of given) {
    const sent = Object.entries(record).map(([field, value]) => [
      field,
      typeof value === 'bigint' ? String(value) : value,
    ])
    expect(byPath.get(record.path)).toMatchObject(Object.fromEntries(sent) as object)
  }
}

/** LIKE on integers too, which is refused by default. */
const DIGITS = { 'filter.numeric-like': 'digits' }

test('any search of any file set, page by page, finds what a naive search finds', { timeout: 120_000 }, async () => {
  const questions = fc.array(fc.tuple(drafts, walks), { minLength: QUERIES_PER_SET, maxLength: QUERIES_PER_SET })
  const property = fc.asyncProperty(fileSets, questions, async (fileSet, asked) => {
    const fixtures = [{ fileSets: [{ id: 'any', ...fileSet }] }]
    const standin = createStandin({ fixtures, files: 0, clock: '2026-03-05T00:00:00Z', behaviours: DIGITS })
    const url = await standin.start()
    try {
      const { files: entries } = await ask(url, { limit: 100_000 }, {})
      expectAll(entries, fileSet)
      for (const [draft, manner] of asked) {
        const query = draft(entries)
        const expected = searchNaively(entries, query)
        const note = JSON.stringify({ query, manner })
        expect(await walk(url, query, manner, expected.length), note).toEqual(expected)
        expect((await ask(url, { ...parametersOf(query), limit: 5000 }, query.body)).files, note).toEqual(expected)
      }
    } finally {
      await standin.stop()
    }
  })
  await fc.assert(property, { seed: SEED, numRuns: FILE_SETS })
})

function parametersOf({ body: _body, ...parameters }: Query): Parameters {
  return parameters
}
