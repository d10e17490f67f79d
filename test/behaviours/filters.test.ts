import { expect, test } from 'vitest'
import { describeBehaviour } from '../support/describe-behaviour.ts'
import { complaintsOf, createTester, pathsOf, rowsOf } from '../support/tester.ts'
import {
  type Filter,
  file,
  directory,
  set,
  filter,
  like,
  equals,
  not,
  found,
  leaningOf,
  expectRefused,
} from '../support/filters.ts'

const ALL = ['a', 'b', 'c']

const abc = set(file('a', { size: 1, connectorKey: 'key' }), file('b', { size: 2 }), file('c', { size: 3 }))
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
