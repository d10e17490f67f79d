import { expect, test } from 'vitest'
import { distance, inZone, offsetAt, offsetOf, shortTime, toInstant, wallTime } from '../../console/src/times.ts'

test('an instant by the wall clock of a zone', () => {
  expect(inZone('2026-03-08T07:30:00Z', 'America/New_York')).toBe('Sun 8 Mar 2026, 03:30')
  expect(inZone('2026-09-08T22:00:00Z', 'Europe/Berlin')).toBe('Wed 9 Sep 2026, 00:00')
  expect(shortTime('2026-03-08T07:30:00Z', 'America/New_York')).toBe('8 Mar 2026, 03:30')
  expect(inZone('2026-03-08T07:30:00Z', 'Nowhere/Land')).toBe('Sun 8 Mar 2026, 07:30 UTC')
})

test('a local time with its offset keeps its wall clock', () => {
  expect(wallTime('2026-03-08T03:30:00-04:00')).toBe('Sun 8 Mar 2026, 03:30')
  expect(offsetOf('2026-03-08T03:30:00-04:00')).toBe('UTC−04:00')
})

test('the offset of a zone changes with its clocks', () => {
  expect(offsetAt('2026-03-08T06:59:59Z', 'America/New_York')).toBe('-05:00')
  expect(offsetAt('2026-03-08T07:00:00Z', 'America/New_York')).toBe('-04:00')
  expect(offsetAt('2026-03-08T07:00:00Z', 'UTC')).toBe('+00:00')
})

test.for([
  ['2026-03-05T14:31:00Z', 'in 1 minute'],
  ['2026-03-05T17:30:00Z', 'in 3 hours'],
  ['2026-03-08T14:30:00Z', 'in 3 days'],
  ['2026-03-29T14:30:00Z', 'in 3 weeks'],
  ['2026-02-05T14:30:00Z', '4 weeks ago'],
] as const)('how far %s is from 14:30 on 5 March: %s', ([to, words]) => {
  expect(distance('2026-03-05T14:30:00Z', to)).toBe(words)
})

test.for([
  ['2027-03-28 01:30', '2027-03-28T01:30:00Z'],
  ['2027-03-28', '2027-03-28T00:00:00Z'],
  [' 2027-03-28T01:30:15Z ', '2027-03-28T01:30:15Z'],
  ['2027-03-28 01:30 +02:00', '2027-03-28T01:30:00+02:00'],
  ['tomorrow', 'tomorrow'],
] as const)('%j is typed for %s', ([typed, instant]) => {
  expect(toInstant(typed)).toBe(instant)
})
