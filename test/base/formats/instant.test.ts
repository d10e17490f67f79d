import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nanosecondText, parseInstant, readNanosecondText } from '../../../src/base/formats/instant.ts'
import { cases } from '../../support/cases.ts'

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

test('a timestamp of any year, fraction and zone is the moment that Date reads', () => {
  const part = (from: number, to: number) => fc.integer({ min: from, max: to }).map((value) => pad(value, 2))
  const parts = fc.record({
    year: fc.integer({ min: 0, max: 9999 }).map((value) => pad(value, 4)),
    month: part(0, 13),
    day: part(0, 32),
    hour: part(0, 25),
    minute: part(0, 61),
    second: part(0, 61),
    ms: fc.constantFrom('', '.5', '.25', '.125'),
    nanos: fc.constantFrom('', '000001', '00002'),
    zone: fc.constantFrom('Z', 'z', '+00:00', '-05:30', '+23:59', '+24:00', '-01:60', ''),
  })
  fc.assert(
    fc.property(parts, ({ year, month, day, hour, minute, second, ms, nanos, zone }) => {
      const isExact = ms === '.125'
      const text = `${year}-${month}-${day}T${hour}:${minute}:${second}${ms}${isExact ? nanos : ''}`
      const wall = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${ms}Z`)
      const isDate = !Number.isNaN(wall.valueOf()) && wall.toISOString().startsWith(text.slice(0, 19))
      const isZone = zone !== '' && !['+24:00', '-01:60'].includes(zone)
      const offset =
        new Map([
          ['-05:30', -330],
          ['+23:59', 1439],
        ]).get(zone) ?? 0
      const expected = { ms: wall.valueOf() - offset * 60_000, nanos: isExact ? Number(nanos.padEnd(6, '0')) : 0 }
      expect(parseInstant(text + zone)).toEqual(isDate && isZone ? expected : undefined)
    }),
    { numRuns: cases(2000) },
  )
})

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0')
}
