import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../support/random/any-text.ts'
import { createSeen } from '../../src/base/cache.ts'

test('a text is seen from its second time on', () => {
  const seen = createSeen()
  expect([seen('a'), seen('a'), seen('b'), seen('a'), seen('b')]).toEqual([false, true, false, true, true])
})

test('other texts do not make a text seen', () => {
  const seen = createSeen()
  const searches = Array.from({ length: 20_000 }, (_, at) => `{"start":"${1_672_531_200_000 + at}000000"}`)
  expect(searches.filter(seen)).toEqual([])
})

test('a text that was just given is seen, whatever it is', () => {
  const seen = createSeen()
  fc.assert(
    fc.property(anyText(), (text) => {
      seen(text)
      return seen(text)
    }),
  )
})
