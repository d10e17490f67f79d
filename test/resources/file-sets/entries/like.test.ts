import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLike, hasDanglingEscape, type LikeRule } from '../../../../src/resources/file-sets/entries/like.ts'
import { cases } from '../../../support/cases.ts'

const SQL: LikeRule = { shape: 'contains', case: 'insensitive', wildcards: 'sql' }

/** One atom of a pattern: a run of any characters, any one character, or this character. */
type Atom = '%' | '_' | { readonly character: string }

function atomsOf(pattern: string, { shape, wildcards }: LikeRule): Atom[] {
  const characters = Array.from(pattern)
  const atoms: Atom[] = []
  for (let character = characters.shift(); character !== undefined; character = characters.shift()) {
    if (wildcards === 'literal') atoms.push({ character })
    else if (character === '%' || character === '_') atoms.push(character)
    else atoms.push({ character: character === '\\' ? (characters.shift() ?? character) : character })
  }
  if (shape === 'contains') atoms.unshift('%')
  if (shape !== 'anchored') atoms.push('%')
  return atoms
}

/** Case as the engine's regular expressions fold it, one character at a time. */
function isSame(a: string, b: string, rule: LikeRule): boolean {
  if (a === b || rule.case === 'sensitive') return a === b
  return new RegExp(`^\\u{${(a.codePointAt(0) ?? 0).toString(16)}}$`, 'iu').test(b)
}

/** The model: row by row, which beginnings of the text the atoms so far can make up. */
function isLike(text: string, pattern: string, rule: LikeRule): boolean {
  const characters = Array.from(text)
  let reached = [true, ...characters.map(() => false)]
  for (const atom of atomsOf(pattern, rule)) {
    if (atom === '%') {
      const first = reached.indexOf(true)
      reached = reached.map((_, length) => first >= 0 && length >= first)
    } else {
      const fits = (at: number) => atom === '_' || isSame(atom.character, characters[at] ?? '', rule)
      reached = reached.map((_, length) => length > 0 && reached[length - 1] === true && fits(length - 1))
    }
  }
  return reached.at(-1) === true
}

const rules = fc.record<LikeRule>({
  shape: fc.constantFrom('contains', 'anchored', 'prefix'),
  case: fc.constantFrom('insensitive', 'sensitive'),
  wildcards: fc.constantFrom('sql', 'sql', 'sql', 'literal'),
})
const from = (letters: readonly string[], maxLength: number, minLength = 0) =>
  fc.array(fc.constantFrom(...letters), { minLength, maxLength, size: 'max' }).map((parts) => parts.join(''))
const LETTERS = ['a', 'a', 'a', 'A', 'b', 'B', '\u{1f600}', 'e\u0301', '\u017f', 's', '\u212a', 'k', '\u0130', '\u0131']
const WILD = ['%', '_', '\\', '\\%', '\\_', '\\\\']
const texts = from([...LETTERS, '%', '_', '\\'], 40)

test('short patterns match what the model matches', () => {
  const patterns = from([...LETTERS, ...WILD, '%', '_'], 8)
  fc.assert(
    fc.property(patterns, texts, rules, (pattern, text, rule) => {
      expect(createLike([pattern], rule).matches(text)).toBe(isLike(text, pattern, rule))
    }),
    { seed: 42, numRuns: cases(5000) },
  )
})

test('patterns of up to 1,024 characters, made from the text itself, match what the model matches', () => {
  // A pattern that has nothing of the text in it would hardly ever match.
  const likened = fc
    .tuple(
      from(['a', 'b', 'A', '\u{1f600}'], 1024, 200),
      fc.infiniteStream(fc.nat(255)),
      fc.integer({ min: 100, max: 1024 }),
    )
    .map(([text, dice, cut]) => ({ text, pattern: patternFrom(text, dice).slice(0, cut).toWellFormed() }))
  fc.assert(
    fc.property(likened, rules, ({ text, pattern }, rule) => {
      expect(createLike([pattern], rule).matches(text)).toBe(isLike(text, pattern, rule))
    }),
    { seed: 42, numRuns: cases(200) },
  )
})

/** The text with some of its characters as `_`, some runs as `%`, and once in a while another character. */
function patternFrom(text: string, dice: Iterator<number>): string {
  let pattern = ''
  let skip = 0
  for (const character of text) {
    const die = Number(dice.next().value)
    if (skip > 0) skip--
    else if (die < 16) pattern += '_'
    else if (die < 24) pattern += '%'
    else if (die < 32) {
      pattern += '%'
      skip = die - 24
    } else if (die === 32) pattern += 'b'
    else pattern += character
  }
  return pattern
}

test('a text is like several patterns when it is like one of them', () => {
  const patterns = from([...LETTERS, ...WILD], 6)
  fc.assert(
    fc.property(fc.array(patterns, { maxLength: 5 }), texts, rules, (several, text, rule) => {
      expect(createLike(several, rule).matches(text)).toBe(several.some((pattern) => isLike(text, pattern, rule)))
    }),
    { seed: 42, numRuns: cases(2000) },
  )
})

test('half an emoji is no part of it', () => {
  expect(createLike(['\ud83d'], SQL).matches('\u{1f600}')).toBe(false)
  expect(createLike(['\ude00'], SQL).matches('\u{1f600}')).toBe(false)
  expect(createLike(['\ud83d'], SQL).matches('a\ud83db')).toBe(true)
  expect(createLike(['\u{1f600}'], SQL).matches('a\u{1f600}b')).toBe(true)
})

test.each([
  ['a', false],
  ['a\\', true],
  ['a\\\\', false],
  ['\\\\\\', true],
  ['\\a', false],
  ['', false],
])('the end of %j dangles: %j', (pattern, dangles) => {
  expect(hasDanglingEscape(pattern)).toBe(dangles)
})

// No clock is read: going back over the steps would take 2^512 of them or more, and reading the rest of a text of a million
// characters anew from each of them takes a million times a million, either of which is beyond the patience of any test run.
// That these tests end is the proof.
test.each<[string, string, boolean]>([
  ['%a'.repeat(512), 'a'.repeat(1023), true],
  ['%a'.repeat(512), 'a'.repeat(511), false],
  [`${'%a'.repeat(511)}%c`, 'a'.repeat(1024), false],
  [`${'a%'.repeat(511)}c`, 'a'.repeat(1024), false],
  [`${'_%'.repeat(511)}c`, 'a'.repeat(1024), false],
  [`${'%_'.repeat(511)}c`, 'a'.repeat(1024), false],
  ['_'.repeat(1000), 'a'.repeat(1024), true],
  ['_'.repeat(1000), 'a'.repeat(999), false],
  [`${'a_'.repeat(500)}c`, 'a'.repeat(1024), false],
])('a pattern that would make a careless matcher hang ends: %.20s', (pattern, text, expected) => {
  for (const shape of ['contains', 'prefix'] as const)
    expect(createLike([pattern], { ...SQL, shape }).matches(text)).toBe(expected)
})

test.each([
  ['a segment as long as a pattern may be', `${'a'.repeat(1022)}_c`],
  ['wildcards all the way', `${'_'.repeat(1023)}c`],
  ['as many segments as there can be', `${'%a'.repeat(511)}%c`],
  ['short segments with wildcards', `${'%_a'.repeat(341)}c`],
])('a text of a million characters is read once: %s', (_name, pattern) => {
  const text = 'a'.repeat(1_000_000)
  expect(createLike([pattern], SQL).matches(text)).toBe(false)
  expect(createLike([pattern], SQL).matches(`${text}c`)).toBe(true)
})

/** Texts `letter-number` of two pieces that many of them share, and how often the text of a piece was read. */
function createPieces(codes: number, files: number) {
  const reads = { count: 0 }
  const pieceOf = (count: number, codeOf: (file: number) => number, text: (code: number) => string) => ({
    count,
    isShared: true,
    codes: Uint16Array.from({ length: files }, (_, file) => codeOf(file)),
    text(code: number) {
      reads.count++
      return text(code)
    },
  })
  const first = pieceOf(
    26,
    (file) => file % 26,
    (code) => `${String.fromCharCode(97 + code)}-`,
  )
  const second = pieceOf(codes, (file) => (file * 7919) % codes, String)
  return {
    reads,
    pieces: [first, second],
    textOf: (file: number) => `${String.fromCharCode(97 + (file % 26))}-${(file * 7919) % codes}`,
  }
}

test('no text of a column costs more than a few others: what is known of all of them is made bit by bit', () => {
  const { reads, pieces, textOf } = createPieces(3000, 200_000)
  const like = createLike(['%c-%1_1%'], SQL)
  const matches = like.matchesAt(pieces)
  let [most, wrong] = [0, 0]
  for (let file = 0; file < 200_000; file++) {
    const before = reads.count
    if (matches(file) !== like.matches(textOf(file))) wrong++
    most = Math.max(most, reads.count - before)
  }
  expect(wrong).toBe(0)
  expect(most).toBeLessThanOrEqual(8)
  const made = reads.count
  for (let file = 0; file < 200_000; file++) matches(file)
  expect(reads.count, 'all is known by then').toBe(made)
})
