import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nextRunDate } from '../../../src/resources/report-schedules/next-run-date.ts'
import { allChoices, day, expectedRun, naiveRuns, readTimeline } from './naive-calendar.ts'
import { cases } from '../../support/cases.ts'

const anyZone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
const anyChoices = fc.constantFrom(...allChoices)
const anyQuarter = fc.record({ hourOfDay: fc.integer({ min: 0, max: 23 }), minOfHour: fc.constantFrom(0, 15, 30, 45) })
const anyDays = fc.oneof(
  fc.record({ frequency: fc.constant('DAILY' as const), daysToRun: fc.constantFrom('', '1', 'MON') }),
  fc.record({
    frequency: fc.constant('WEEKLY' as const),
    daysToRun: listOf(fc.constantFrom('SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT')),
  }),
  fc.record({ frequency: fc.constant('MONTHLY' as const), daysToRun: listOf(fc.integer({ min: 1, max: 31 })) }),
)
const anyMoment = fc
  .integer({ min: Date.UTC(1980, 0) / 1000, max: Date.UTC(2200, 0) / 1000 })
  .map((seconds) => seconds * 1000)

function listOf(item: fc.Arbitrary<string | number>): fc.Arbitrary<string> {
  return fc.uniqueArray(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(','))
}

it('any rule at any moment of 1980-2200 runs when a look at the wall clock says so', () => {
  fc.assert(
    fc.property(anyZone, anyDays, anyQuarter, anyMoment, anyChoices, (timezone, days, time, moment, choices) => {
      const rule = { ...days, ...time, timezone }
      const runs = naiveRuns(readTimeline(timezone, moment - 2 * day, moment + 65 * day), rule, choices)
      expect(nextRunDate(rule, moment, choices)).toBe(expectedRun(runs, moment, choices.when))
    }),
    { numRuns: cases(120) },
  )
})

it('a schedule that is followed from run to run keeps every appointment once and in order', () => {
  const strictly = anyChoices.map((choices) => ({ ...choices, when: 'strict' as const }))
  fc.assert(
    fc.property(anyZone, anyDays, anyQuarter, anyMoment, strictly, (timezone, days, time, moment, choices) => {
      const rule = { ...days, ...time, timezone }
      const until = moment + 40 * day
      const appointments = naiveRuns(readTimeline(timezone, moment - 2 * day, until + 2 * day), rule, choices)
      // One run more than there are appointments lies beyond `until`, and a run that does not advance ends here as well.
      const found: number[] = []
      let run = nextRunDate(rule, moment, choices)
      while (run < until && found.length <= appointments.length) {
        found.push(run)
        run = nextRunDate(rule, run, choices)
      }
      expect(found).toEqual(appointments.filter((appointment) => appointment > moment && appointment < until))
    }),
    { numRuns: cases(120) },
  )
})
