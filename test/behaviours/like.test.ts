import { expect } from 'vitest'
import { describeBehaviour } from '../support/describe-behaviour.ts'
import { file, set, filter, like, equals, not, found, leaningOf, expectRefused } from '../support/filters.ts'

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
