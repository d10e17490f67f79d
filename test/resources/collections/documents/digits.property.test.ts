import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runSteps } from '../../../../src/engine/slices.ts'
import { identity, sortInSteps } from '../../../../src/engine/sort-in-steps.ts'
import { digitsOf } from '../../../../src/resources/collections/documents/digits.ts'
import { anyText } from '../../../support/random/any-text.ts'
import { compareKeys, type Key, STRUCTURE } from '../../../../src/resources/collections/documents/key.ts'
import { cases } from '../../../support/cases.ts'

const near = fc.constantFrom(0, -0, 7.5, -7.5, -7.500000000000001, Number.MIN_VALUE, -Number.MIN_VALUE, 2 ** 53)
const number = fc.oneof(near, fc.double({ noNaN: true }), fc.integer())
const instant = fc.record({ ms: fc.oneof(near.map(Math.trunc), fc.integer()), nanos: fc.nat(2) })
const others = [number, instant, fc.boolean(), fc.constantFrom(null, STRUCTURE)] as const
const common = fc.oneof(...others, fc.string({ maxLength: 3 }))
/** Texts whose order by code point is not that of their units. */
const high = fc.oneof(...others, fc.constantFrom('a\u{1F600}', 'a\uFF5E', 'a\uE000', 'a'), anyText({ maxLength: 3 }))
const exact = fc.oneof(common, fc.bigInt({ min: 2n ** 53n - 2n, max: 2n ** 53n + 2n }), fc.bigInt())

test('keys sorted by their digits are in the order in which they are compared, those that are equal as they were', () => {
  const property = fc.property(
    fc.oneof(fc.array<Key>(common), fc.array<Key>(high), fc.array<Key>(exact), fc.array<Key>(number)),
    fc.boolean(),
    (keys, descending) => {
      let sorted = identity(keys.length)
      for (const digits of runSteps(digitsOf(keys, descending))) sorted = runSteps(sortInSteps(sorted, digits))
      const rank = (at: number) => Number(keys[at] === null)
      const expected = [...keys.keys()].sort(
        (a, b) => rank(a) - rank(b) || compareKeys(keys[a]!, keys[b]!) * (descending ? -1 : 1) || a - b,
      )
      expect([...sorted]).toEqual(expected)
    },
  )
  fc.assert(property, { numRuns: cases(1000) })
})
