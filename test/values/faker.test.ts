import { faker as original } from '@faker-js/faker/locale/en'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { faker } from '../../src/values/faker.ts'

/** A thousand draws go through the whole state of the generator, and through a part of it again. */
test.each([1, 3, 1000])('our instance draws what the original draws, %i numbers after each seed', (count) => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (seed) => {
      const [expected, drawn] = [original, faker].map((one) => {
        one.seed(seed)
        one.setDefaultRefDate(0)
        return [one.person.fullName(), ...Array.from({ length: count }, () => one.number.float())]
      })
      expect(drawn).toEqual(expected)
    }),
    { numRuns: 50 },
  )
})
