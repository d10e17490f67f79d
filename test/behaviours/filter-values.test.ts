import { expect, test } from 'vitest'
import { describeBehaviour } from '../support/describe-behaviour.ts'
import { complaintsOf, createTester, rowsOf, type Tester } from '../support/tester.ts'
import { file, directory, set, filter, equals, not, found, leaningOf, expectRefused } from '../support/filters.ts'

const ALL = ['a', 'b', 'c']

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
