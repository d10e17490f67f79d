import { expect, it } from 'vitest'
import { decodeMonthDays, decodeWeekdays } from '../../../src/resources/report-schedules/next-run-date.ts'

it('weekdays are read as ISO weekdays, sorted, each once', () => {
  expect(decodeWeekdays('SUN')).toEqual([7])
  expect(decodeWeekdays('WED,MON,WED')).toEqual([1, 3])
  expect(decodeWeekdays('MON,TUE,WED,THU,FRI,SAT,SUN')).toEqual([1, 2, 3, 4, 5, 6, 7])
})

it.each(['', ',', 'MON,', 'mon', 'MONDAY', ' MON', 'MON, WED', 'MON WED', '1', 'MON,15'])(
  '%j is no weekday',
  (text) => {
    expect(decodeWeekdays(text)).toBeUndefined()
  },
)

it('days of the month are read as numbers, sorted, each once', () => {
  expect(decodeMonthDays('31')).toEqual([31])
  expect(decodeMonthDays('15,1,10,2,15')).toEqual([1, 2, 10, 15])
})

it('every day from 1 to 31 can be meant', () => {
  const days = Array.from({ length: 31 }, (_, index) => index + 1)
  expect(decodeMonthDays(days.join(','))).toEqual(days)
})

it.each(['', '0', '32', '01', '+1', '-1', '1.0', '1e1', ' 1', '1, 15', '1,', 'MON', '١'])(
  '%j is no day of the month',
  (text) => {
    expect(decodeMonthDays(text)).toBeUndefined()
  },
)
