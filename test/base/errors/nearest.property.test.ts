import fc from 'fast-check'
import { expect, test } from 'vitest'
import { misspelt } from '../../../src/base/errors/wording.ts'

const KEYWORDS = ['additionalProperties', 'description', 'maximum', 'maxLength', 'minimum', 'pattern', 'required']

/** A word after one slip: a letter left out, doubled, replaced, or exchanged with its neighbour. */
const slip = fc
  .record({
    word: fc.constantFrom(...KEYWORDS),
    at: fc.nat(),
    kind: fc.constantFrom('left out', 'doubled', 'replaced', 'exchanged'),
  })
  .map(({ word, at: place, kind }) => {
    const at = place % (word.length - 1)
    const letter = word.charAt(at)
    const middle = { 'left out': '', doubled: letter + letter, replaced: '_', exchanged: word.charAt(at + 1) + letter }
    const end = at + (kind === 'exchanged' ? 2 : 1)
    return { word, slipped: word.slice(0, at) + middle[kind] + word.slice(end) }
  })

test('one slip in a long word is recognized', () => {
  fc.assert(
    fc.property(slip, ({ word, slipped }) => {
      expect(misspelt(slipped, KEYWORDS)).toBe(word)
    }),
  )
})

test('words that have less than two letters in three in common with each known one are none of them', () => {
  const strange = fc.stringMatching(/^[_0-9]{0,40}$/)
  const mixed = fc.tuple(strange, fc.constantFrom(...KEYWORDS)).map(([digits, word]) => {
    const kept = word.slice(0, Math.floor(word.length / 2))
    return kept + digits.padEnd(word.length - kept.length, '_')
  })
  fc.assert(
    fc.property(mixed, (word) => {
      expect(misspelt(word, KEYWORDS)).toBeUndefined()
    }),
  )
})
