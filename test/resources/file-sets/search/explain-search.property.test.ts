import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Draft, drafts, fileSets, pick } from '../arbitrary-searches.ts'
import type { Entry } from '../naive-search.ts'
import { KEY_HEADER, SEARCH } from '../../../support/tester.ts'
import { createControlClient, createStandin, type SearchExplanation } from '../../../../src/index.ts'
import { cases } from '../../../support/cases.ts'

const SEED = 42
const FILE_SETS = cases(25, 3)
const QUERIES_PER_SET = 4
/** Of the entries of a set so many are asked about, those of the result and others by turns. */
const ENTRIES_PER_QUERY = 6

const BEHAVIOURS = [
  {},
  { 'dir.filtered': 'bypass', 'filter.several': 'or', 'sort.nulls': 'first' },
  { 'page.short': 'every-2', 'dir.entries': 'immediate-only', 'like.shape': 'prefix', 'sort.default': 'shuffled' },
  { 'page.changes': 'offset', 'dir.implied': 'explicit-only', 'filter.not-null': 'sql', 'page.short': 'random' },
  { 'next.content': 'plain', 'dir.self': 'include', 'filter.values': 'first', 'sort.collation': 'case-insensitive' },
] as const

interface Found {
  readonly id: string
  readonly path: string
}

interface Walked {
  readonly pages: readonly (readonly Found[])[]
  /** Leads to the second page. */
  readonly token: string | undefined
}

type Parameters = Readonly<Record<string, string | number | boolean>>

async function walkAll(url: string, parameters: Parameters, body: object): Promise<Walked> {
  const pages: Found[][] = []
  let first: string | undefined
  let token: string | undefined
  do {
    const given = Object.entries<string | number | boolean>({
      ...parameters,
      ...(token === undefined ? {} : { next: token }),
    })
    const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
    const response = await fetch(`${url}${SEARCH}/any/files/search?${query.toString()}`, {
      method: 'POST',
      headers: { [KEY_HEADER]: 'key', 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    expect(response.status, text).toBe(200)
    const page = JSON.parse(text) as { files: Found[]; pageContext: { next?: string } }
    pages.push(page.files)
    token = page.pageContext.next
    first ??= token
    expect(pages.length).toBeLessThan(1000)
  } while (token !== undefined)
  return { pages, token: first }
}

/** What a walk knows of an entry, in the form of an explanation. */
function placeIn({ pages }: Walked, id: string) {
  const page = pages.findIndex((entries) => entries.some((entry) => entry.id === id))
  const all = pages.flat()
  const position = all.findIndex((entry) => entry.id === id)
  if (position < 0) return undefined
  const onPage = pages[page]?.findIndex((entry) => entry.id === id) ?? -1
  return {
    position: position + 1,
    page: page + 1,
    onPage: onPage + 1,
    before: all[position - 1]?.path,
    after: all[position + 1]?.path,
  }
}

function placeOf({ entry }: SearchExplanation) {
  if (!entry?.place) return undefined
  const { position, page, onPage, before, after } = entry.place
  return { position, page, onPage, before: before?.path, after: after?.path }
}

/** As it went over the wire, integers as texts, so that no digit is lost. */
function asEntry(record: object): Entry {
  const exact = (_key: string, value: unknown) =>
    typeof value === 'bigint' || typeof value === 'number' ? String(value) : value
  return JSON.parse(JSON.stringify(record, exact)) as Entry
}

async function compare(url: string, asked: readonly (readonly [Draft, number, number])[], behaviours: object) {
  const control = createControlClient({ url })
  const { files } = await control.listFiles('any', { limit: 100_000 })
  const entries = files.map(asEntry)
  for (const [draft, scale, from] of asked) {
    const { body, ...place } = draft(entries)
    const query = { ...place, limit: scale * (entries.length > 30 ? 10 : 1) }
    const walked = await walkAll(url, query, body)
    const found = walked.pages.flat()
    const note = JSON.stringify({ query, body, behaviours })
    const { total, pages } = await control.explainSearch({ fileSetId: 'any', query, body })
    expect([total, pages], note).toEqual([found.length, walked.pages.filter((page) => page.length > 0).length])
    const candidates = [...found, ...entries]
    const step = Math.ceil(candidates.length / ENTRIES_PER_QUERY)
    for (const { id, path } of candidates.filter((_, index) => (index + from) % step === 0)) {
      const name = from % 2 === 0 ? { id } : { path }
      const explained = await control.explainSearch({ fileSetId: 'any', query, body }, name)
      expect(explained.entry?.inResult, note).toBe(found.some((entry) => entry.id === id))
      expect(placeOf(explained), note).toEqual(placeIn(walked, id))
      if (walked.token === undefined) continue
      const search = { fileSetId: 'any', query: { ...query, next: walked.token }, body }
      const resumed = await control.explainSearch(search, name)
      expect(resumed.cursor, note).toMatchObject({
        accepted: true,
        last: { path: walked.pages[0]?.at(-1)?.path },
        leadsTo: { path: walked.pages[1]?.[0]?.path },
      })
      const { page = 0, onPage = 0 } = placeIn(walked, id) ?? {}
      const expected = page === 0 ? undefined : page === 1 ? null : { page, onPage }
      expect(resumed.entry?.place?.fromCursor, note).toEqual(expected)
    }
  }
}

test(
  'an entry is explained to be in the result, on page p, exactly when a walk finds it there',
  {
    timeout: 120_000,
  },
  async () => {
    const questions = fc.array(fc.tuple(drafts, pick(1, 2, 3, 7), fc.nat()), {
      minLength: QUERIES_PER_SET,
      maxLength: QUERIES_PER_SET,
    })
    const property = fc.asyncProperty(fileSets, questions, pick(...BEHAVIOURS), async (fileSet, asked, behaviours) => {
      const fixtures = [{ fileSets: [{ id: 'any', ...fileSet }] }]
      const standin = createStandin({
        fixtures,
        files: 0,
        clock: '2026-03-05T00:00:00Z',
        behaviours: { 'filter.numeric-like': 'digits', ...behaviours },
      })
      try {
        await compare(await standin.start(), asked, behaviours)
      } finally {
        await standin.stop()
      }
    })
    await fc.assert(property, { seed: SEED, numRuns: FILE_SETS, endOnFailure: true })
  },
)
