import fc from 'fast-check'
import { expect, test } from 'vitest'
import { partMatch, wholeMatch } from '../../src/journal/match-values.ts'
import { cases } from '../support/cases.ts'

/** Short words over few letters, so that many match. */
const text = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 })
const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '*'), maxLength: 6 })

test('a pattern describes what the regular expression does that has `.*` for each star', () => {
  fc.assert(
    fc.property(pattern, text, (stars, value) => {
      const source = stars
        .split('*')
        .map((part) => part.replaceAll('.', '\\.'))
        .join('.*')
      expect(wholeMatch(stars)(value)).toBe(new RegExp(`^${source}$`, 's').test(value))
      expect(partMatch(stars)(value)).toBe(new RegExp(source, 's').test(value))
    }),
    { numRuns: cases(5000) },
  )
})
