import fc from 'fast-check'
import type { DateFilter, Entry, Filter, Query, SortKey } from './naive-search.ts'

/** File sets and searches of every kind, made so that much is equal, nearly equal, or found. */

// What files are made of: few letters, so that much is equal, equal but for case, or part of another.
const LETTERS = ['a', 'a', 'A', 'b', 'B', '0', '9', '-', '.', ' ', '%', '_', '\\', '\u{1f600}', '\uff5e', 'e\u0301']
const CASE_TRAPS = ['\u00e9', '\u00c9', '\u00df', '\u1e9e', '\u017f', 's', '\u212a', 'k', '\u0130', '\u0131', 'i', 'I']
const SIGMAS = ['\u03a3', '\u03c3', '\u03c2', '\ufb05', '\ufb06', '\u{10400}', '\u{10428}']
const ALPHABET = [...LETTERS, ...LETTERS, ...CASE_TRAPS, ...SIGMAS]
const DIRECTORIES = ['a', 'a', 'A', 'a-b', 'b', '%', '_\\', '\u{1f600}', '\uff5e', 'e\u0301']
const DATES = [
  '1969-12-31T23:59:59.999999999Z',
  '1970-01-01T00:00:00.000Z',
  '2025-12-31T23:59:59.9999Z',
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.000000001Z',
  '2026-01-01T00:00:00.000500Z',
  '2026-01-01T00:00:00.001Z',
  '9999-12-31T23:59:59.999Z',
]
const SIZES = [0n, 0n, 9n, 10n, 100n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n]
const USERS = [-1n, 0n, 1n, 10n, 2n ** 53n + 1n, -(2n ** 63n)]

export const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values)
const texts = (letters: readonly string[], minLength: number, maxLength: number) =>
  fc.array(pick(...letters), { minLength, maxLength }).map((parts) => parts.join(''))

const paths = fc
  .tuple(
    fc.array(pick(...DIRECTORIES), { maxLength: 4 }),
    texts(ALPHABET, 1, 4).filter((name) => name !== '.' && name !== '..'),
  )
  .map(([above, name]) => [...above, name].join('/'))
const files = fc.record(
  {
    path: paths,
    created: pick(...DATES),
    size: pick(...SIZES),
    createdBy: pick(...USERS),
    fileType: pick('TEXT', 'text', 'IMAGE'),
    contentType: pick('text/plain', 'TEXT/PLAIN', ''),
    downloadUrl: pick('', 'https://files.example/a_b'),
    connectorKey: pick<unknown>('a', 'A', null, 0, true, { a: ['b'] }),
  },
  { requiredKeys: ['path', 'created', 'size'] },
)
const directories = fc.record({
  path: paths,
  fileType: fc.constant('DIRECTORY'),
  created: pick(...DATES),
  createdBy: pick(...USERS),
})
const records = fc.oneof({ arbitrary: files, weight: 9 }, { arbitrary: directories, weight: 1 })
const ids = pick('A', 'a', '\u{1f600}', '\uff5e')

export type FileSet = { readonly files: readonly object[] } | { readonly generate: number }

export const fileSets: fc.Arbitrary<FileSet> = fc.oneof(
  {
    arbitrary: fc
      .array(fc.tuple(records, fc.option(ids)), { maxLength: 300, size: 'max' })
      // Some have ids of their own, so that ties are broken by awkward ones.
      .map((all) => all.map(([record, id], index) => (id === null ? record : { ...record, id: `${id}${index}` })))
      .map((all) => ({ files: withoutClashes(all) })),
    weight: 4,
  },
  { arbitrary: fc.nat(300).map((generate) => ({ generate })), weight: 1 },
)

/** One path is one entry, and nothing lies within a file: what would clash with a record before it is left out. */
function withoutClashes<T extends { readonly path: string; readonly fileType?: string }>(all: readonly T[]): T[] {
  const kinds = new Map<string, 'file' | 'implied' | 'directory'>()
  return all.filter(({ path, fileType }) => {
    const kind = fileType === 'DIRECTORY' ? 'directory' : 'file'
    const isFree = !kinds.has(path) || (kind === 'directory' && kinds.get(path) === 'implied')
    const above = directoriesAbove(path)
    if (!isFree || above.some((directory) => kinds.get(directory) === 'file')) return false
    kinds.set(path, kind)
    for (const directory of above) if (!kinds.has(directory)) kinds.set(directory, 'implied')
    return true
  })
}

export function directoriesAbove(path: string): string[] {
  const segments = path.split('/')
  return segments.slice(1).map((_, depth) => segments.slice(0, depth + 1).join('/'))
}

/** A query that is finished once the entries are known: most of its values are taken from them. */
export type Draft = (entries: readonly Entry[]) => Query

const FILTER_FIELDS = [
  'name',
  'name',
  'path',
  'path',
  'size',
  'size',
  'createdBy',
  'created',
  'fileType',
  'contentType',
]
const OTHER_FIELDS = [
  'connectorKey',
  'contentType',
  'id',
  'hash',
  'hashAlgorithm',
  'downloadUrl',
  'connectorKey',
  'indexStatus',
  'indexReason',
]
const SORT_FIELDS = [
  'id',
  'path',
  'path',
  'path',
  'name',
  'name',
  'fileType',
  'contentType',
  'size',
  'created',
  'createdBy',
]
const COMPARISONS = ['GREATER_THAN', 'GREATER_THAN_OR_EQUAL', 'LESS_THAN', 'LESS_THAN_OR_EQUAL']
const OPERATORS = ['LIKE', 'LIKE', 'LIKE', 'LIKE', 'EQUALS', 'IN', 'IS_NULL', 'IS_NULL', ...COMPARISONS]
const SPELLINGS = ['2026-01-01T01:00:00+01:00', '2025-12-31T12:00:00.0005-12:00', '2026-01-01T00:00:00Z', ...DATES]

const values = fc.record({
  entry: fc.option(fc.nat(), { freq: 2 }),
  from: fc.nat(5),
  length: fc.integer({ min: 1, max: 5 }),
  wildcard: pick('', '', '_', '_', '%'),
  at: fc.nat(4),
  pattern: texts([...ALPHABET, '%', '%', '_', '\\%', '\\_'], 0, 4),
  integer: pick(...[...SIZES, ...USERS].map(String), '010', '-0', '9999999999999999999'),
})
type Value = typeof values extends fc.Arbitrary<infer T> ? T : never

const filters = fc
  .record({ field: pick(...FILTER_FIELDS, ...FILTER_FIELDS, ...OTHER_FIELDS), operator: pick(...OPERATORS) })
  .chain((filter) => {
    const most = COMPARISONS.includes(filter.operator) ? 1 : 3
    const value = fc.array(values, { minLength: 1, maxLength: most })
    return fc.record({ filter: fc.constant(filter), value, not: fc.option(fc.boolean(), { nil: undefined }) })
  })
type FilterDraft = typeof filters extends fc.Arbitrary<infer T> ? T : never

function finishFilter({ filter, value, not }: FilterDraft, entries: readonly Entry[]): Filter {
  const inverted = not === undefined ? {} : { not }
  if (filter.operator === 'IS_NULL') return { ...filter, ...inverted }
  if (filter.field === 'created') {
    // LIKE is for text, and `created` is compared as an instant.
    const operator = filter.operator === 'LIKE' ? 'IN' : filter.operator
    const spelling = (at: number) => SPELLINGS[at % SPELLINGS.length] ?? ''
    return { ...filter, operator, ...inverted, value: value.map(({ entry, from }) => spelling(entry ?? from)) }
  }
  return { ...filter, ...inverted, value: value.map((one) => finishValue(one, filter, entries)) }
}

function finishValue(value: Value, { field, operator }: Filter, entries: readonly Entry[]): string {
  const held = value.entry === null ? undefined : (entries[value.entry % entries.length]?.[field] ?? undefined)
  if (field === 'size' || field === 'createdBy') return typeof held === 'string' ? held : value.integer
  const text = held === undefined ? undefined : typeof held === 'string' ? held : JSON.stringify(held)
  if (operator !== 'LIKE') return text ?? value.pattern
  const pattern = text === undefined ? value.pattern : partOf(text, value)
  // A lone backslash at the end would be refused.
  return /(?<!\\)(?:\\\\)*\\$/.test(pattern) ? `${pattern}\\` : pattern
}

/** A part of a text, one of its characters perhaps replaced by a wildcard. */
function partOf(text: string, { from, length, wildcard, at }: Value): string {
  const part = Array.from(text).slice(from, from + length)
  return part.map((character, index) => (wildcard !== '' && index === at ? wildcard : character)).join('')
}

const dateFilters: fc.Arbitrary<DateFilter> = fc.record(
  {
    field: fc.constant('created' as const),
    start: fc.option(pick(...SPELLINGS)),
    end: fc.option(pick(...SPELLINGS)),
    not: fc.boolean(),
  },
  { requiredKeys: ['field'] },
)
const sortKeys: fc.Arbitrary<SortKey> = fc.record(
  { field: pick(...SORT_FIELDS), order: pick('ASC', 'DESC') },
  { requiredKeys: ['field'] },
)
const places = fc.option(
  fc.record({ entry: fc.nat(), depth: pick(0, 1, 1, 1, 1, 2, 2, 3), slashes: pick('', '/', '//') }),
  { freq: 2 },
)

export const drafts: fc.Arbitrary<Draft> = fc
  .record({
    place: places,
    immediateChildren: fc.option(fc.boolean(), { nil: undefined, freq: 2 }),
    fieldSort: fc.array(sortKeys, { maxLength: 3 }),
    filters: pick(0, 1, 1, 1, 1, 1, 2, 2, 3).chain((count) =>
      fc.array(filters, { minLength: count, maxLength: count }),
    ),
    dateFilters: fc.oneof({ arbitrary: fc.constant([]), weight: 2 }, fc.array(dateFilters, { maxLength: 2 })),
  })
  .map(({ place, immediateChildren, fieldSort, filters: unfinished, dateFilters }) => (entries) => {
    const segments = entries[(place?.entry ?? 0) % entries.length]?.path.split('/') ?? ['a']
    const directoryPath = segments.slice(0, place?.depth).join(place?.slashes === '//' ? '//' : '/')
    return {
      ...(place && { directoryPath: `${place.slashes}${directoryPath}${place.slashes}` }),
      ...(immediateChildren !== undefined && { immediateChildren }),
      body: { fieldSort, filters: unfinished.map((filter) => finishFilter(filter, entries)), dateFilters },
    }
  })
