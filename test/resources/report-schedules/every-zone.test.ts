import { expect, it } from 'vitest'
import { nextRunDate } from '../../../src/resources/report-schedules/next-run-date.ts'
import type { RunRule } from '../../../src/resources/report-schedules/report-schedule.ts'
import {
  allChoices,
  clockChanges,
  day,
  expectedRun,
  minute,
  naiveRuns,
  readTimeline,
  wallClock,
} from './naive-calendar.ts'
import { sample } from '../../support/cases.ts'

const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const

it(
  'around its clock changes of 2024-2028 every zone runs when a look at the wall clock says so',
  { timeout: 90_000 },
  () => {
    for (const [index, zone] of sample(Intl.supportedValuesOf('timeZone'), 20).entries()) {
      const someDay = Date.UTC(2024, 1, 27) + (index % 28) * day
      const changes = clockChanges(zone, Date.UTC(2024, 0), Date.UTC(2029, 0))
      for (const [turn, moment] of [someDay, ...changes].entries()) {
        expect(differencesAround(zone, moment, index + turn)).toEqual([])
      }
    }
  },
)

/**
 * Rules for times just before, in and after a clock change, asked before, at and after it. There are too many ways to resolve
 * it for all of them each time: another `turn` takes others, at least two.
 */
function differencesAround(zone: string, change: number, turn: number): unknown[] {
  const timeline = readTimeline(zone, change - 3 * day, change + 3 * day)
  const until = change + 2 * day
  const clock = wallClock(zone)
  const lastBefore = clock(change - 15 * minute)
  const rules = [lastBefore, lastBefore + 15 * minute, clock(change)].flatMap((wall) => rulesFor(zone, wall))
  const differences: unknown[] = []
  for (const [number, rule] of rules.entries()) {
    for (const choices of allChoices.filter((_, index) => (index + number + turn) % 7 === 0)) {
      const runs = naiveRuns(timeline, rule, choices)
      for (const after of [change - 2 * day, change + ((number % 4) - 1) * 15 * minute, change + day]) {
        const expected = expectedRun(runs, after, choices.when)
        const actual = nextRunDate(rule, after, choices)
        const differs = expected === 'later' ? actual < until : actual !== expected
        if (differs) differences.push({ rule, after, choices, expected, actual })
      }
    }
  }
  return differences
}

/** The rules of a schedule that is meant for the wall clock time `wall`, or for a day of the month near it. */
function rulesFor(timezone: string, wall: number): RunRule[] {
  const date = new Date(wall)
  const time = { hourOfDay: date.getUTCHours(), minOfHour: date.getUTCMinutes(), timezone }
  return [
    { frequency: 'DAILY', daysToRun: '', ...time },
    { frequency: 'WEEKLY', daysToRun: weekdays[date.getUTCDay()]!, ...time },
    { frequency: 'MONTHLY', daysToRun: String(date.getUTCDate()), ...time },
    { frequency: 'MONTHLY', daysToRun: '31,29', ...time },
  ]
}
