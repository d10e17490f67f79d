import { expect, test } from 'vitest'
import { describeBehaviour } from '../support/describe-behaviour.ts'
import { complaintsOf, createTester, pathsOf, rowsOf, type Tester } from '../support/tester.ts'

interface Filter {
  readonly field?: string | null | undefined
  readonly operator?: string | null | undefined
  readonly value?: unknown
  readonly not?: boolean
}

const file = (path: string, fields: object = {}) => ({ path, ...fields })
const directory = (path: string, fields: object = {}) => ({ path, fileType: 'DIRECTORY', ...fields })
const set = (...files: readonly object[]) => ({ fixtures: [{ fileSets: [{ id: 'tiny', files }] }] })

const filter = (field: string, operator: string, ...value: readonly unknown[]): Filter => ({ field, operator, value })
const like = (...value: readonly string[]) => filter('name', 'LIKE', ...value)
const equals = (...value: readonly string[]) => filter('name', 'EQUALS', ...value)
const not = (one: Filter): Filter => ({ ...one, not: true })

/** The paths that meet all of the filters, by path. */
const found = ({ paths }: Tester, ...filters: readonly Filter[]) => paths({ body: { filters } })

/** The behaviours that a search with these filters depends on. */
const leaningOf = async ({ search }: Tester, ...filters: readonly Filter[]) =>
  rowsOf(await search({ body: { filters } }))

/** Sees the filters refused, each complaint being a pointer below `/filters` and a row. */
async function expectRefused({ search }: Tester, filters: readonly Filter[], ...complaints: string[]): Promise<void> {
  const refused = await search({ body: { filters } })
  expect(refused.status, JSON.stringify(filters).slice(0, 100)).toBe(400)
  expect(complaintsOf(refused)).toEqual(complaints.map((complaint) => `/filters${complaint}`))
  for (const complaint of complaints) expect(rowsOf(refused)).toContain(complaint.split(' ')[1])
}

const abc = set(file('a', { size: 1, connectorKey: 'key' }), file('b', { size: 2 }), file('c', { size: 3 }))
const ALL = ['a', 'b', 'c']
const OPERATORS = {
  LIKE: [like('B'), ['b']],
  EQUALS: [equals('b'), ['b']],
  IN: [filter('name', 'IN', 'a', 'c', 'd'), ['a', 'c']],
  GREATER_THAN: [filter('size', 'GREATER_THAN', '2'), ['c']],
  GREATER_THAN_OR_EQUAL: [filter('size', 'GREATER_THAN_OR_EQUAL', '2'), ['b', 'c']],
  LESS_THAN: [filter('size', 'LESS_THAN', '2'), ['a']],
  LESS_THAN_OR_EQUAL: [filter('size', 'LESS_THAN_OR_EQUAL', '2'), ['a', 'b']],
  IS_NULL: [{ field: 'connectorKey', operator: 'IS_NULL' }, ['b', 'c']],
} as const satisfies Record<string, readonly [Filter, readonly string[]]>

describeBehaviour(
  'filter.operators',
  {
    default: async (tester) => {
      for (const [operator, [one, paths]] of Object.entries(OPERATORS)) {
        expect(await found(tester, one), operator).toEqual(paths)
        const others = ALL.filter((path) => !(paths as readonly string[]).includes(path))
        expect(await found(tester, not(one)), operator).toEqual(others)
        expect((await leaningOf(tester, one)).includes('filter.operators'), operator).toBe(operator !== 'LIKE')
      }
      for (const operator of ['like', 'EQ', 'NOT_LIKE', '', ' LIKE', 'toString', '__proto__', 'LI\ud83dKE']) {
        await expectRefused(tester, [{ field: 'name', operator, value: ['a'] }], '/0/operator filter.operators')
      }
      expect((await tester.search({ body: { filters: [filter('name', 'LIK', 'a')] } })).text).toContain(
        'Did you mean LIKE?',
      )
    },
    'LIKE,EQUALS': async (tester) => {
      expect(await found(tester, like('b'))).toEqual(['b'])
      expect(await found(tester, equals('b'))).toEqual(['b'])
      await expectRefused(tester, [equals('a'), filter('name', 'IN', 'a')], '/1/operator filter.operators')
    },
  },
  abc,
)

const ODD = {
  id: 'odd-id',
  path: 'odd/one.bin',
  name: 'one.bin',
  fileType: 'ODD',
  contentType: 'odd/odd',
  size: 5,
  hash: '0dd',
  hashAlgorithm: 'ODD_5',
  downloadUrl: 'https://odd.example/',
  created: '2026-02-03T04:05:06.007Z',
  createdBy: 77,
  connectorKey: 'odd-key',
  indexStatus: 'odd-status',
  indexReason: 'odd reason',
}
const oddOne = set(ODD, file('other.txt', { downloadUrl: 'https://even.example/' }))
const everything = ['odd', 'odd/one.bin', 'other.txt']
const UNKNOWN_FIELDS = ['colour', '', 'Name', 'name ', '__proto__', 'hasOwnProperty', 'files.name', '\ud800']

describeBehaviour(
  'filter.fields',
  {
    default: async (tester) => {
      for (const [field, value] of Object.entries(ODD)) {
        const one = filter(field, 'EQUALS', String(value))
        // The directory has the date and the creator of the one file in it.
        const paths = field === 'created' || field === 'createdBy' ? ['odd', 'odd/one.bin'] : ['odd/one.bin']
        expect(await found(tester, one), field).toEqual(paths)
        expect((await leaningOf(tester, one)).includes('filter.fields'), field).toBe(field !== 'name')
      }
      for (const field of [...UNKNOWN_FIELDS, undefined, null]) {
        await expectRefused(tester, [like('a'), { ...like('a'), field }], '/1/field filter.fields')
      }
      const misspelt = await tester.search({ body: { filters: [filter('fileTyp', 'LIKE', 'a')] } })
      expect(misspelt.text).toContain('Did you mean fileType?')
    },
    '{ fields: [name, size] }': async (tester) => {
      expect(await found(tester, filter('size', 'EQUALS', '5'))).toEqual(['odd/one.bin'])
      await expectRefused(tester, [filter('path', 'LIKE', 'odd')], '/0/field filter.fields')
    },
    '{ unknown: ignore }': async (tester) => {
      for (const field of UNKNOWN_FIELDS) {
        expect(await found(tester, filter(field, 'EQUALS', 'x')), field).toEqual(everything)
        expect(await found(tester, like('one'), filter(field, 'EQUALS', 'x')), field).toEqual(['odd/one.bin'])
      }
      expect(await leaningOf(tester, filter('colour', 'EQUALS', 'x'))).toContain('filter.fields')
    },
    '{ unknown: none }': async (tester) => {
      for (const field of UNKNOWN_FIELDS) expect(await found(tester, filter(field, 'EQUALS', 'x')), field).toEqual([])
      expect(await found(tester, like('one'), filter('colour', 'EQUALS', 'x'))).toEqual([])
      expect(await leaningOf(tester, filter('colour', 'EQUALS', 'x'))).toContain('filter.fields')
    },
  },
  oddOne,
)

describeBehaviour(
  'like.shape',
  {
    contains: async (tester) => {
      expect(await found(tester, like('report'))).toEqual(['a report', 'a report.txt', 'report', 'report.txt'])
      expect(await found(tester, like('rt.t'))).toEqual(['a report.txt', 'report.txt'])
      expect(await found(tester, like(''))).toHaveLength(4)
      expect(await leaningOf(tester, like('report'))).toContain('like.shape')
      expect(await leaningOf(tester, equals('report'))).not.toContain('like.shape')
      expect(await leaningOf(tester, filter('path', 'LIKE', '0'))).toContain('like.shape')
    },
    anchored: async (tester) => {
      expect(await found(tester, like('report'))).toEqual(['report'])
      expect(await found(tester, like('report%'))).toEqual(['report', 'report.txt'])
      expect(await found(tester, like('%report'))).toEqual(['a report', 'report'])
      expect(await found(tester, like('%report%'))).toHaveLength(4)
      expect(await found(tester, like('a%r%t'))).toEqual(['a report', 'a report.txt'])
      expect(await found(tester, like('rep%port'))).toEqual([])
      expect(await found(tester, like(''))).toEqual([])
      expect(await found(tester, like('______'))).toEqual(['report'])
    },
    prefix: async (tester) => {
      expect(await found(tester, like('report'))).toEqual(['report', 'report.txt'])
      expect(await found(tester, like('eport'))).toEqual([])
      expect(await found(tester, like('%report.'))).toEqual(['a report.txt', 'report.txt'])
      expect(await found(tester, like(''))).toHaveLength(4)
    },
  },
  set(...['report', 'report.txt', 'a report', 'a report.txt'].map((path) => file(path))),
)

// What is equal but for case by the simple folding of Unicode, without a locale; each line is apart from all others.
const CASES = [
  ['kelvin-K', 'KELVIN-k', 'kelvin-\u212a'],
  ['long-s', 'long-\u017f'],
  ['sharp-\u00df', 'sharp-\u1e9e'],
  ['sharp-ss', 'SHARP-SS'],
  ['dot-i', 'dot-I'],
  ['dot-\u0130'],
  ['dot-\u0131'],
  ['sigma-\u03a3', 'sigma-\u03c3', 'sigma-\u03c2'],
  ['iota-\u0390', 'iota-\u1fd3'],
  ['ypsilon-\u03b0', 'ypsilon-\u1fe3'],
  ['ligature-\ufb05', 'ligature-\ufb06'],
  ['ligature-st'],
  ['deseret-\u{10400}', 'deseret-\u{10428}'],
  ['cherokee-\u13a0', 'cherokee-\uab70'],
  ['accent-\u00e9', 'ACCENT-\u00c9'],
  ['accent-e\u0301', 'accent-E\u0301'],
]
const cased = set(...CASES.flat().map((path) => file(path)))

describeBehaviour(
  'like.case',
  {
    insensitive: async (tester) => {
      for (const names of CASES) {
        for (const name of names) {
          expect((await found(tester, like(name))).toSorted(), name).toEqual(names.toSorted())
        }
      }
      expect(await leaningOf(tester, like('kelvin'))).toContain('like.case')
      expect(await leaningOf(tester, like('10'))).not.toContain('like.case')
      expect(await leaningOf(tester, equals('kelvin'))).not.toContain('like.case')
    },
    sensitive: async (tester) => {
      for (const name of CASES.flat()) expect(await found(tester, like(name)), name).toEqual([name])
      expect(await found(tester, like('KELVIN'))).toEqual(['KELVIN-k'])
    },
  },
  cased,
)

const patterned = set(
  ...['100%.txt', '100 files', 'a_b', 'axb', 'ab', 'back\\slash', 'x\u{1f600}y', 'xe\u0301y', '^(a+)+$ [b-y].*'].map(
    (path) => file(path),
  ),
)

describeBehaviour(
  'like.wildcards',
  {
    sql: async (tester) => {
      expect(await found(tester, like('100%'))).toEqual(['100 files', '100%.txt'])
      expect(await found(tester, like('100\\%'))).toEqual(['100%.txt'])
      expect(await found(tester, like('0%.%t'))).toEqual(['100%.txt'])
      expect(await found(tester, like('a%b'))).toEqual(['^(a+)+$ [b-y].*', 'a_b', 'ab', 'axb'])
      expect(await found(tester, like('a_b'))).toEqual(['a_b', 'axb'])
      expect(await found(tester, like('a\\_b'))).toEqual(['a_b'])
      expect(await found(tester, like('\\a\\x\\b'))).toEqual(['axb'])
      expect(await found(tester, like('\\\\'))).toEqual(['back\\slash'])
      expect(await found(tester, like('k\\\\_l'))).toEqual(['back\\slash'])
      expect(await found(tester, like('x_y'))).toEqual(['x\u{1f600}y'])
      expect(await found(tester, like('x__y'))).toEqual(['xe\u0301y'])
      expect(await found(tester, like('%_%'))).toHaveLength(9)
      expect(await found(tester, like('\ud83d'))).toEqual([])
      for (const expression of ['.*', '[b-y]', '(a+)+', '^(', '+$']) {
        expect(await found(tester, like(expression)), expression).toEqual(['^(a+)+$ [b-y].*'])
      }
      for (const dangling of ['\\', 'a\\', 'a\\\\\\', '%\\']) {
        await expectRefused(tester, [like('a', dangling)], '/0/value/1 like.wildcards')
      }
      expect(await leaningOf(tester, like('a_b'))).toContain('like.wildcards')
      expect(await leaningOf(tester, like('ab'))).not.toContain('like.wildcards')
    },
    literal: async (tester) => {
      expect(await found(tester, like('%'))).toEqual(['100%.txt'])
      expect(await found(tester, like('_'))).toEqual(['a_b'])
      expect(await found(tester, like('\\'))).toEqual(['back\\slash'])
      expect(await found(tester, like('k\\s'))).toEqual(['back\\slash'])
      expect(await found(tester, like('a%b', '\\_', '0\\%', '\\\\'))).toEqual([])
    },
  },
  patterned,
)

// A matcher that goes back over its steps would need more of them here than there are atoms to count on; that this ends is the
// proof, and it needs no clock. `like.test.ts` has the same for a text of a million characters.
const long = set(file(`${'a'.repeat(1023)}b`), file('a'.repeat(1024)))
const [endsInB = '', allA = ''] = ['b', 'a'].map((last) => `${'a'.repeat(1023)}${last}`)
const PATHOLOGICAL: readonly (readonly [string, readonly string[]])[] = [
  ['%a'.repeat(512), [allA, endsInB]],
  [`${'%a'.repeat(511)}%c`, []],
  ['a%'.repeat(512), [allA, endsInB]],
  [`${'a%'.repeat(511)}b`, [endsInB]],
  [`${'a%'.repeat(511)}b_`, []],
  ['_'.repeat(1000), [allA, endsInB]],
  ['_'.repeat(1024), [allA, endsInB]],
  [`${'_'.repeat(1000)}b`, [endsInB]],
  [`${'_'.repeat(1000)}c`, []],
  ['_%'.repeat(512), [allA, endsInB]],
  [`${'%_a'.repeat(341)}c`, []],
  [`${'a'.repeat(500)}${'_'.repeat(500)}b`, [endsInB]],
  ['%'.repeat(1024), [allA, endsInB]],
]

describeBehaviour(
  'like.engine',
  {
    default: async (tester) => {
      for (const [pattern, paths] of PATHOLOGICAL) {
        expect(await found(tester, like(pattern)), pattern.slice(-9)).toEqual(paths)
      }
      const hundred = Array.from({ length: 100 }, () => like(`${'%_a'.repeat(341)}c`, `${'_'.repeat(1000)}b`))
      expect(await found(tester, ...hundred)).toEqual([endsInB])
      expect(await leaningOf(tester, like('a%b'))).not.toContain('like.engine')
    },
  },
  long,
)

const READMES = ['README', 'Readme', 'readme']

describeBehaviour(
  'equals.case',
  {
    sensitive: async (tester) => {
      for (const operator of ['EQUALS', 'IN']) {
        expect(await found(tester, filter('name', operator, 'readme'))).toEqual(['readme'])
        expect(await found(tester, filter('name', operator, 'README', 'Readme'))).toEqual(['README', 'Readme'])
        expect(await found(tester, filter('path', operator, 'READme'))).toEqual([])
        expect(await found(tester, filter('name', operator, 'read'))).toEqual([])
        expect(await leaningOf(tester, filter('name', operator, 'readme'))).toContain('equals.case')
      }
      expect(await found(tester, equals('stra\u00dfe'))).toEqual(['stra\u00dfe'])
      expect(await leaningOf(tester, equals('100'))).not.toContain('equals.case')
      expect(await leaningOf(tester, like('readme'))).not.toContain('equals.case')
    },
    insensitive: async (tester) => {
      for (const operator of ['EQUALS', 'IN']) {
        for (const name of READMES) expect(await found(tester, filter('name', operator, name))).toEqual(READMES)
        expect(await found(tester, not(filter('path', operator, 'ReadMe')))).toEqual(['stra\u00dfe'])
        expect(await found(tester, filter('name', operator, 'STRA\u1e9eE'))).toEqual(['stra\u00dfe'])
        expect(await found(tester, filter('name', operator, 'STRASSE', 'read'))).toEqual([])
      }
    },
  },
  set(...READMES.map((path) => file(path)), file('stra\u00dfe')),
)

/** A filter without a value, in each way that it can be without, for every operator that needs one. */
const WITHOUT_VALUE: readonly Filter[] = Object.entries(OPERATORS)
  .filter(([operator]) => operator !== 'IS_NULL')
  .flatMap(([, [{ field, operator }]]) => [
    { field, operator },
    { field, operator, value: null },
    { field, operator, value: [] },
  ])

describeBehaviour(
  'filter.empty',
  {
    error: async (tester) => {
      for (const one of WITHOUT_VALUE) await expectRefused(tester, [one], '/0/value filter.empty')
      for (const value of [undefined, null, []]) {
        const one = { field: 'connectorKey', operator: 'IS_NULL', value }
        expect(await found(tester, one)).toEqual(['b', 'c'])
        expect(await leaningOf(tester, one)).not.toContain('filter.empty')
      }
      expect(await found(tester, like(''))).toEqual(ALL)
    },
    none: async (tester) => {
      for (const one of WITHOUT_VALUE) expect(await found(tester, one)).toEqual([])
      expect(await found(tester, like('a'), { field: 'size', operator: 'IN', value: [] })).toEqual([])
      expect(await leaningOf(tester, { field: 'size', operator: 'IN' })).toContain('filter.empty')
    },
    all: async (tester) => {
      for (const one of WITHOUT_VALUE) expect(await found(tester, one)).toEqual(ALL)
      expect(await found(tester, like('a'), { field: 'size', operator: 'IN', value: [] })).toEqual(['a'])
      expect(await leaningOf(tester, { field: 'size', operator: 'IN' })).toContain('filter.empty')
    },
  },
  abc,
)

describeBehaviour(
  'filter.values',
  {
    any: async (tester) => {
      for (const operator of ['LIKE', 'EQUALS', 'IN']) {
        expect(await found(tester, filter('name', operator, 'c', 'a', 'c'))).toEqual(['a', 'c'])
        expect(await found(tester, not(filter('name', operator, 'c', 'a')))).toEqual(['b'])
        const field = operator === 'LIKE' ? 'path' : 'size'
        expect(
          await found(tester, filter(field, operator, ...(field === 'path' ? ['c', 'a'] : ['3', '1', '9']))),
        ).toEqual(['a', 'c'])
        expect(await leaningOf(tester, filter('name', operator, 'c', 'a'))).toContain('filter.values')
        expect(await leaningOf(tester, filter('name', operator, 'c'))).not.toContain('filter.values')
      }
      for (const operator of ['GREATER_THAN', 'GREATER_THAN_OR_EQUAL', 'LESS_THAN', 'LESS_THAN_OR_EQUAL']) {
        await expectRefused(tester, [filter('size', operator, '1', '1')], '/0/value filter.values')
        await expectRefused(tester, [filter('name', operator, 'a', 'b')], '/0/value filter.values')
      }
    },
    first: async (tester) => {
      for (const operator of ['LIKE', 'EQUALS', 'IN']) {
        expect(await found(tester, filter('name', operator, 'c', 'a'))).toEqual(['c'])
        expect(await found(tester, not(filter('name', operator, 'c', 'a')))).toEqual(['a', 'b'])
      }
      const digits = createTester({ ...abc, behaviours: { 'filter.values': 'first', 'filter.numeric-like': 'digits' } })
      expect(await found(digits, filter('size', 'LIKE', '3', '1'))).toEqual(['c'])
      expect(await found(tester, filter('size', 'GREATER_THAN', '2', '0'))).toEqual(['c'])
      expect(await found(tester, filter('name', 'LESS_THAN', 'b', 'z'))).toEqual(['a'])
      expect(await leaningOf(tester, filter('name', 'LESS_THAN', 'b', 'z'))).toContain('filter.values')
    },
  },
  abc,
)

const months = set(
  file('a', { created: '2026-01-01T00:00:00.000Z' }),
  file('b', { created: '2026-02-01T00:00:00.000Z' }),
  file('c', { created: '2026-03-01T00:00:00.000Z' }),
)
const february = { field: 'created', start: '2026-02-01T00:00:00Z', end: '2026-02-28T00:00:00Z' }
const untilFebruary = { field: 'created', end: '2026-02-28T00:00:00Z' }

describeBehaviour(
  'filter.several',
  {
    and: async (tester) => {
      expect(await found(tester, not(like('a')), not(like('b')))).toEqual(['c'])
      expect(await found(tester, like('a'), like('b'))).toEqual([])
      const both = await tester.search({ body: { filters: [not(like('a'))], dateFilters: [untilFebruary] } })
      expect(pathsOf(both)).toEqual(['b'])
      expect(rowsOf(both)).toContain('filter.several')
      expect(await tester.paths({ body: { dateFilters: [untilFebruary, { ...february, not: true }] } })).toEqual(['a'])
      expect(await leaningOf(tester, like('a'))).not.toContain('filter.several')
      expect(rowsOf(await tester.search({ body: { dateFilters: [february] } }))).not.toContain('filter.several')
    },
    or: async (tester) => {
      expect(await found(tester, like('a'), like('b'))).toEqual(['a', 'b'])
      expect(await found(tester, not(like('a')), not(like('b')))).toEqual(ALL)
      expect(await tester.paths({ body: { filters: [like('c')], dateFilters: [february] } })).toEqual(['b', 'c'])
      expect(await tester.paths({ body: { dateFilters: [untilFebruary, february] } })).toEqual(['a', 'b'])
      expect(await found(tester, like('b'))).toEqual(['b'])
      expect(await found(tester)).toEqual(ALL)
    },
  },
  months,
)

const WRONG_TYPES = [null, [], {}, ['a']]

async function expectWrongTypes({ search }: Tester, values: readonly unknown[]): Promise<void> {
  for (const value of values) {
    const refused = await search({ body: { filters: [filter('name', 'EQUALS', 'a', value)] } })
    expect(refused.status, JSON.stringify(value)).toBe(400)
    expect(complaintsOf(refused)).toContain('/filters/0/value/1 type')
    expect(rowsOf(refused)).not.toContain('filter.value-type')
  }
  for (const value of ['a', 10, true, {}]) {
    const refused = await search({ body: { filters: [{ field: 'name', operator: 'EQUALS', value }] } })
    expect(refused.status, JSON.stringify(value)).toBe(400)
    expect(complaintsOf(refused)).toContain('/filters/0/value type')
  }
}

const named = set(file('10', { size: 10 }), file('true', { size: 9007199254740993n }), file('null', { size: 1 }))

describeBehaviour(
  'filter.value-type',
  {
    strict: async (tester) => expectWrongTypes(tester, [10, 1.5, true, false, ...WRONG_TYPES]),
    coerce: async (tester) => {
      expect(await found(tester, filter('name', 'EQUALS', 10))).toEqual(['10'])
      expect(await found(tester, filter('name', 'IN', 10, true))).toEqual(['10', 'true'])
      expect(await found(tester, filter('size', 'EQUALS', 10))).toEqual(['10'])
      const exact = '{"filters":[{"field":"size","operator":"EQUALS","value":[9007199254740993]}]}'
      expect(await tester.paths({ body: exact })).toEqual(['true'])
      await expectRefused(tester, [filter('size', 'EQUALS', 1.5)], '/0/value/0 filter.numbers')
      await expectWrongTypes(tester, WRONG_TYPES)
    },
  },
  named,
)

const numbers = set(
  directory('d', { createdBy: 0 }),
  file('9', { size: 9, createdBy: -5 }),
  file('10', { size: 10, createdBy: -10 }),
  file('2^53', { size: 9007199254740992n, createdBy: -9007199254740993n }),
  file('2^53+1', { size: 9007199254740993n, createdBy: 9007199254740993n }),
  file('2^63-1', { size: 9223372036854775807n, createdBy: -9223372036854775808n }),
)

describeBehaviour(
  'filter.numbers',
  {
    default: async (tester) => {
      const size = (operator: string, ...value: string[]) => found(tester, filter('size', operator, ...value))
      expect(await size('GREATER_THAN', '9')).toEqual(['10', '2^53', '2^53+1', '2^63-1'])
      expect(await size('LESS_THAN', '10')).toEqual(['9'])
      expect(await size('EQUALS', '9007199254740993')).toEqual(['2^53+1'])
      expect(await size('GREATER_THAN', '9007199254740992')).toEqual(['2^53+1', '2^63-1'])
      expect(await size('LESS_THAN_OR_EQUAL', '9007199254740992')).toEqual(['10', '2^53', '9'])
      expect(await size('GREATER_THAN_OR_EQUAL', '9223372036854775807')).toEqual(['2^63-1'])
      expect(await size('LESS_THAN', '9999999999999999999')).toHaveLength(5)
      expect(await size('GREATER_THAN', '-9999999999999999999')).toHaveLength(5)
      expect(await size('IN', '010', '-0', '9007199254740992')).toEqual(['10', '2^53'])
      expect(await found(tester, filter('createdBy', 'LESS_THAN', '-5'))).toEqual(['10', '2^53', '2^63-1'])
      expect(await found(tester, filter('createdBy', 'EQUALS', '-9007199254740993'))).toEqual(['2^53'])
      expect(await found(tester, filter('createdBy', 'EQUALS', '-0'))).toEqual(['d'])
      const wrong = ['', ' ', 'abc', '+5', ' 5', '5 ', '1.0', '1e3', '0x10', '5n', '-', '--5', '\u0663', 'NaN', '%']
      for (const value of [...wrong, '1'.repeat(20), `-${'1'.repeat(20)}`, '5\n']) {
        for (const operator of ['EQUALS', 'GREATER_THAN']) {
          await expectRefused(tester, [filter('size', operator, value)], '/0/value/0 filter.numbers')
        }
      }
      expect(await leaningOf(tester, filter('createdBy', 'EQUALS', '1'))).toContain('filter.numbers')
      expect(await leaningOf(tester, equals('1'))).not.toContain('filter.numbers')
    },
  },
  numbers,
)

describeBehaviour(
  'filter.numeric-like',
  {
    error: async (tester) => {
      await expectRefused(tester, [filter('size', 'LIKE', '0')], '/0/operator filter.numeric-like')
      await expectRefused(tester, [filter('createdBy', 'LIKE', '%')], '/0/operator filter.numeric-like')
      expect(await leaningOf(tester, filter('size', 'EQUALS', '9'))).not.toContain('filter.numeric-like')
    },
    digits: async (tester) => {
      expect(await found(tester, filter('size', 'LIKE', '0'))).toEqual(['10', '2^53', '2^53+1', '2^63-1'])
      expect(await found(tester, filter('createdBy', 'LIKE', '-1'))).toEqual(['10'])
      await expectRefused(tester, [filter('size', 'LIKE', '%')], '/0/value/0 filter.numbers')
      expect(await leaningOf(tester, filter('size', 'LIKE', '0'))).toContain('filter.numeric-like')
    },
  },
  numbers,
)

const created = (operator: string, ...value: string[]) => filter('created', operator, ...value)
const instants = set(
  file('a', { created: '2026-01-01T00:00:00.000Z' }),
  file('b', { created: '2026-01-01T00:00:00.500Z' }),
  file('c', { created: '2026-01-01T00:00:00.500001Z' }),
)

describeBehaviour(
  'filter.created',
  {
    instant: async (tester) => {
      for (const same of ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z', '2026-01-01T01:00:00+01:00']) {
        expect(await found(tester, created('EQUALS', same)), same).toEqual(['a'])
        expect(await found(tester, created('LESS_THAN_OR_EQUAL', same)), same).toEqual(['a'])
        expect(await found(tester, not(created('IN', same))), same).toEqual(['b', 'c'])
      }
      expect(await found(tester, created('GREATER_THAN', '2026-01-01T00:00:00.5Z'))).toEqual(['c'])
      expect(await found(tester, created('IN', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00.5Z'))).toEqual(['a', 'b'])
      expect(await found(tester, { field: 'created', operator: 'IS_NULL' })).toEqual([])
      expect(await leaningOf(tester, created('LESS_THAN', '2026-01-01T00:00:00Z'))).toContain('filter.created')
      for (const value of ['2', '', '2026-01-01', '2026-01-01T00:00:00', '2026-02-30T00:00:00Z', '1767225600000'])
        await expectRefused(tester, [created('EQUALS', value)], '/0/value/0 filter.created')
      await expectRefused(tester, [created('LIKE', '2026')], '/0/operator filter.created')
    },
    text: async (tester) => {
      expect(await found(tester, created('EQUALS', '2026-01-01T00:00:00Z'))).toEqual([])
      expect(await found(tester, created('EQUALS', '2026-01-01T00:00:00.000Z'))).toEqual(['a'])
      expect(await found(tester, created('LIKE', '.5'))).toEqual(['b', 'c'])
      expect(await found(tester, created('GREATER_THAN', '2'))).toEqual(ALL)
      expect(await leaningOf(tester, created('EQUALS', '2'))).toContain('filter.created')
    },
  },
  instants,
)

test('a filter on created takes the timestamps that date.format accepts', async () => {
  const strict = createTester({ ...instants, behaviours: { 'date.format': 'strict-z' } })
  await expectRefused(strict, [created('EQUALS', '2026-01-01T01:00:00+01:00')], '/0/value/0 filter.created')
  const epoch = createTester({ ...instants, behaviours: { 'date.format': 'plus-epoch-ms' } })
  expect(await found(epoch, created('EQUALS', '1767225600500'))).toEqual(['b'])
})

test('created as text is refused where texts are not compared', async () => {
  const tester = createTester({ ...instants, behaviours: { 'filter.created': 'text', 'filter.text-compare': 'error' } })
  await expectRefused(tester, [created('LESS_THAN', '2')], '/0/operator filter.text-compare')
})

describeBehaviour(
  'filter.text-compare',
  {
    on: async (tester) => {
      const name = (operator: string, value: string) => found(tester, filter('name', operator, value))
      expect(await name('GREATER_THAN', 'a')).toEqual(['ab', '\u00e9', '\uff5e', '\u{1f600}'])
      expect(await name('GREATER_THAN_OR_EQUAL', 'a')).toEqual(['a', 'ab', '\u00e9', '\uff5e', '\u{1f600}'])
      expect(await name('LESS_THAN', 'a')).toEqual(['10', '9', 'B'])
      expect(await name('LESS_THAN_OR_EQUAL', 'a')).toEqual(['10', '9', 'B', 'a'])
      expect(await name('GREATER_THAN', '\uff5e')).toEqual(['\u{1f600}'])
      expect(await name('LESS_THAN', '9')).toEqual(['10'])
      expect(await name('GREATER_THAN', '')).toHaveLength(8)
      expect(await found(tester, not(filter('name', 'GREATER_THAN', 'a')))).toEqual(['10', '9', 'B', 'a'])
      expect(await leaningOf(tester, filter('name', 'LESS_THAN', 'a'))).toContain('filter.text-compare')
      expect(await leaningOf(tester, filter('size', 'LESS_THAN', '1'))).not.toContain('filter.text-compare')
      expect(await leaningOf(tester, equals('a'))).not.toContain('filter.text-compare')
    },
    error: async (tester) => {
      for (const operator of ['GREATER_THAN', 'GREATER_THAN_OR_EQUAL', 'LESS_THAN', 'LESS_THAN_OR_EQUAL']) {
        await expectRefused(tester, [filter('name', operator, 'a')], '/0/operator filter.text-compare')
        expect((await tester.search({ body: { filters: [filter('size', operator, '1')] } })).status).toBe(200)
      }
      expect(await found(tester, equals('a'))).toEqual(['a'])
    },
  },
  set(...['10', '9', 'B', 'a', 'ab', '\u00e9', '\uff5e', '\u{1f600}'].map((path) => file(path))),
)

// A directory has no content type at all, its size is null, and one file has a connector key.
const someNull = set(
  directory('d'),
  file('keyed', { connectorKey: 'k', size: 0, downloadUrl: '' }),
  file('unkeyed', { size: 1, downloadUrl: 'https://files.example/' }),
)
const isNull = (field: string): Filter => ({ field, operator: 'IS_NULL' })

describeBehaviour(
  'filter.is-null',
  {
    default: async (tester) => {
      expect(await found(tester, isNull('connectorKey'))).toEqual(['d', 'unkeyed'])
      expect(await found(tester, not(isNull('connectorKey')))).toEqual(['keyed'])
      expect(await found(tester, isNull('size'))).toEqual(['d'])
      expect(await found(tester, isNull('contentType'))).toEqual(['d'])
      expect(await found(tester, not(isNull('contentType')))).toEqual(['keyed', 'unkeyed'])
      expect(await found(tester, isNull('name'))).toEqual([])
      expect(await found(tester, isNull('downloadUrl'))).toEqual(['d'])
      expect(await found(tester, { ...isNull('size'), value: ['7', 'abc', '\\'] })).toEqual(['d'])
      expect(await leaningOf(tester, isNull('size'))).toContain('filter.is-null')
      expect(await leaningOf(tester, filter('size', 'EQUALS', '1'))).not.toContain('filter.is-null')
    },
  },
  someNull,
)

const ZERO = filter('size', 'EQUALS', '0')
const NOT_ZERO = not(ZERO)

describeBehaviour(
  'filter.not-null',
  {
    complement: async (tester) => {
      expect(await found(tester, NOT_ZERO)).toEqual(['d', 'unkeyed'])
      expect(await found(tester, not(filter('size', 'GREATER_THAN', '0')))).toEqual(['d', 'keyed'])
      expect(await found(tester, not(filter('connectorKey', 'LIKE', 'k')))).toEqual(['d', 'unkeyed'])
      expect(await found(tester, not(filter('contentType', 'IN', 'a/b')))).toEqual(['d', 'keyed', 'unkeyed'])
      expect(await found(tester, { ...ZERO, not: false })).toEqual(['keyed'])
      expect(await leaningOf(tester, NOT_ZERO)).not.toContain('filter.not-null')
    },
    sql: async (tester) => {
      expect(await found(tester, NOT_ZERO)).toEqual(['unkeyed'])
      expect(await found(tester, not(filter('size', 'GREATER_THAN', '0')))).toEqual(['keyed'])
      expect(await found(tester, not(filter('connectorKey', 'LIKE', 'k')))).toEqual([])
      expect(await found(tester, not(filter('contentType', 'IN', 'a/b')))).toEqual(['keyed', 'unkeyed'])
      expect(await found(tester, not(isNull('size')))).toEqual(['keyed', 'unkeyed'])
      expect(await found(tester, isNull('size'))).toEqual(['d'])
    },
  },
  someNull,
)

describeBehaviour(
  'filter.operator-absent',
  {
    error: async (tester) => {
      for (const operator of [undefined, null]) {
        const one = { field: 'name', operator, value: ['a'] }
        await expectRefused(tester, [like('b'), one], '/1/operator filter.operator-absent')
      }
    },
    EQUALS: async (tester) => {
      for (const operator of [undefined, null]) {
        const one = { field: 'name', operator, value: ['a'] }
        expect(await found(tester, one)).toEqual(['a'])
        expect(await leaningOf(tester, one)).toContain('filter.operator-absent')
      }
      expect(await leaningOf(tester, equals('a'))).not.toContain('filter.operator-absent')
    },
  },
  set(file('a'), file('ab'), file('A')),
)

const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

describeBehaviour(
  'filter.max',
  {
    default: async (tester) => {
      expect(await found(tester, ...times(100, like('a')))).toEqual(['a'])
      await expectRefused(tester, times(101, like('a')), ' filter.max')
      expect(await found(tester, equals('b', ...times(998, 'x'), 'a'))).toEqual(['a', 'b'])
      await expectRefused(tester, [like('a'), equals(...times(1001, 'a'))], '/1/value filter.max')
      // A character is a code point, whatever it weighs.
      for (const character of ['x', '\u00e9', '\u{1f600}']) {
        expect(await found(tester, equals('a', character.repeat(1024)))).toEqual(['a'])
        await expectRefused(tester, [equals('a', character.repeat(1025))], '/0/value/1 filter.max')
      }
      const dateFilters = times(101, { field: 'created' })
      const refused = await tester.search({ body: { dateFilters } })
      expect(complaintsOf(refused)).toEqual(['/dateFilters filter.max'])
      expect((await tester.search({ body: { dateFilters: dateFilters.slice(1) } })).status).toBe(200)
      expect(await leaningOf(tester, like('a'))).not.toContain('filter.max')
    },
    '{ filters: 2, values: 3, characters: 4 }': async (tester) => {
      expect(await found(tester, like('a', 'b', 'abcd'), like('a'))).toEqual(['a'])
      await expectRefused(tester, times(3, like('a')), ' filter.max')
      await expectRefused(tester, [like('a', 'b', 'c', 'd')], '/0/value filter.max')
      await expectRefused(tester, [like('abcde')], '/0/value/0 filter.max')
    },
    '{ values: 1 }': async (tester) => {
      await expectRefused(tester, [like('a', 'b')], '/0/value filter.max')
      expect(await found(tester, ...times(100, like('a')))).toEqual(['a'])
    },
  },
  abc,
)

/** 1,000 patterns, as many as a filter may have, with so many wildcards each. */
const patterns = (wildcards: number) =>
  like(...Array.from({ length: 1000 }, (_, at) => `${at}${'%'.repeat(wildcards)}`))

describeBehaviour(
  'filter.work',
  {
    default: async (tester) => {
      // Three entries times a million pieces are allowed.
      expect(await found(tester, patterns(1000))).toEqual([])
      expect(await leaningOf(tester, like('a'))).not.toContain('filter.work')
    },
    1000: async (tester) => {
      expect(await found(tester, like(...times(332, 'x'), 'a'))).toEqual(['a'])
      await expectRefused(tester, [like('a'), like(...times(334, 'x'))], '/1/value filter.work')
      await expectRefused(tester, [like('%'.repeat(333))], '/0/value filter.work')
      await expectRefused(tester, [like('_'.repeat(333))], '/0/value filter.work')
      const refused = await tester.search({ body: { filters: [like('%'.repeat(333))] } })
      expect((refused.body as { detail: string }).detail).toBe(
        '/filters/0/value: expected LIKE patterns of at most 1000 pieces times entries; this file set has 3 entries, so at most 333 pieces, got 334 pieces.',
      )
      expect(await found(tester, equals(...times(999, 'x'), 'a'))).toEqual(['a'])
    },
  },
  abc,
)

test('a search with several mistakes is refused with all of them', async () => {
  const filters = [
    filter('colour', 'IS', 'a'),
    filter('size', 'EQUALS', 7, 'abc'),
    { value: 5 },
    filter('name', 'LIKE'),
  ]
  const refused = await createTester(abc).search({ body: { fieldSort: [{ field: 'shade' }], filters } })
  expect(refused.status).toBe(400)
  expect(complaintsOf(refused).toSorted()).toEqual([
    '/fieldSort/0/field sort.unknown',
    '/filters/0/field filter.fields',
    '/filters/0/operator filter.operators',
    '/filters/1/value/0 type',
    '/filters/1/value/1 filter.numbers',
    '/filters/2/field filter.fields',
    '/filters/2/operator filter.operator-absent',
    '/filters/2/value type',
    '/filters/3/value filter.empty',
  ])
})

test('a page too large to be made at once lists every behaviour that it may depend on', async () => {
  const { search } = createTester(set(file('d/a')))
  const large = { limit: 5000 }
  expect(rowsOf(await search({ query: large, body: { filters: [like('a')] } }))).toContain('dir.filtered')
  expect(rowsOf(await search({ query: large }))).not.toContain('dir.filtered')
})

test.each([
  '{"filters":{}}',
  '{"filters":"name"}',
  '{"filters":[null]}',
  '{"filters":[[]]}',
  '{"filters":[[[]]]}',
  '{"filters":[0]}',
  '{"filters":[{}]}',
  '{"filters":[{"__proto__":{"field":"name","operator":"LIKE","value":["a"]}}]}',
  '{"filters":[{"field":"name","operator":"LIKE","value":["a"],"not":"yes"}]}',
  '{"filters":[{"field":"name","operator":"LIKE","value":["a"],"not":1}]}',
  '{"filters":[{"field":["name"],"operator":"LIKE","value":["a"]}]}',
  '{"filters":[{"field":"name","operator":{"toString":1},"value":["a"]}]}',
  '{"filters":[{"field":"name","operator":"LIKE","value":{"0":"a","length":1}}]}',
  '{"filters":[{"field":"size","operator":"EQUALS","value":[1e999]}]}',
  '{"filters":[{"field":"size","operator":"EQUALS","value":[123456789012345678901234567890]}]}',
  '{"filters":[{"field":123456789012345678901234567890,"operator":-0,"value":1e-999}]}',
  '{"fieldSort":{}}',
  '{"fieldSort":[null]}',
  '{"fieldSort":[{"field":{},"order":[]}]}',
  '{"fieldSort":[{"__proto__":{"field":"name"}}]}',
  '{"dateFilters":[null]}',
  '{"dateFilters":[{"field":"created","start":123456789012345678901234567890}]}',
])('is refused, whatever is asked for: %s', async (body) => {
  const behaviours = { 'body.types': 'coerce', 'filter.value-type': 'coerce', 'date.format': 'plus-epoch-ms' }
  for (const tester of [createTester(abc), createTester({ ...abc, behaviours })]) {
    const refused = await tester.search({ body })
    expect(refused.status).toBe(400)
    expect(complaintsOf(refused)).not.toEqual([])
  }
})

test.each([
  '{"__proto__":{"filters":[null]}}',
  '{"constructor":1,"filters":[{"field":"name","operator":"LIKE","value":["a"],"__proto__":null,"toString":1}]}',
  '{"filters":[{"field":"name","operator":"IN","value":["\\ud800","a","\\udc00\\ud800"],"\\ud800":1}]}',
  '{"filters":[{"field":"name","operator":"LESS_THAN","value":["\\ud800"]},{"field":"name","operator":"LIKE","value":["a","\\udc00"]}]}',
])('is answered, strange as it is: %s', async (body) => {
  const { search } = createTester(set(file('a')))
  const page = await search({ body })
  expect(page.status).toBe(200)
  expect(pathsOf(page)).toEqual(['a'])
})
