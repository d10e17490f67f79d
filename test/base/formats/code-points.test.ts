import { expect, test } from 'vitest'
import { compareCodePoints, fold } from '../../../src/base/formats/code-points.ts'
import { cases } from '../../support/cases.ts'

/** All that change with case are among the first; the others are rare. */
const LETTERS = Array.from({ length: cases(0x110000, 0x20000) }, (_, codePoint) => codePoint)
  .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
  .map((codePoint) => String.fromCodePoint(codePoint))
const CASED = LETTERS.filter((letter) => /\p{Changes_When_Casemapped}|\p{Changes_When_Casefolded}/u.test(letter))

test('two letters fold to one exactly where a regular expression without case takes them for one', () => {
  expect(CASED.length).toBeGreaterThan(2500)
  const all = CASED.join('')
  const twins = Map.groupBy(CASED, fold)
  for (const letter of CASED) {
    const codePoint = (letter.codePointAt(0) ?? 0).toString(16)
    expect(twins.get(fold(letter)), codePoint).toEqual(all.match(new RegExp(`\\u{${codePoint}}`, 'giu')))
  }
})

test('a letter without case folds to itself, and no letter to several', () => {
  const cased = new Set(CASED)
  for (const letter of LETTERS) {
    const folded = fold(letter)
    if (!cased.has(letter) && folded !== letter) expect(folded, letter).toBe(letter)
    if (Array.from(folded).length !== 1) expect(Array.from(folded), letter).toHaveLength(1)
  }
})

test('texts are in the order of their UTF-8 bytes', () => {
  const texts = ['', 'a', 'ab', '\u007f', '\u0080', '\u07ff', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}']
  const all = texts.flatMap((text) => texts.map((other) => text + other))
  for (const a of all) {
    for (const b of all) {
      expect(Math.sign(compareCodePoints(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }
  }
})
