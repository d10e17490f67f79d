import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nanosecondText, readNanosecondText } from '../../src/formats/instant.ts'

const LAST_MS = 253_402_300_799_999

test('instants become nanoseconds as decimal text, and the text becomes the same instants', () => {
  const ms = fc.oneof(fc.constant(0), fc.integer({ min: -LAST_MS, max: LAST_MS }))
  const nanos = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 999_999 }))
  fc.assert(
    fc.property(ms, nanos, (ms, nanos) => {
      const text = nanosecondText({ ms, nanos })
      expect(text).toBe(String(BigInt(ms) * 1_000_000n + BigInt(nanos)))
      expect(readNanosecondText(text)).toEqual({ ms: ms + 0, nanos })
    }),
  )
})
