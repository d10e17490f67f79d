import { decodeMonthDays } from './days-to-run.ts'
import { type CalendarChoices, findFate, intendedDays, type RunRule } from './next-run-date.ts'
import { findTimeZone } from './time-zone.ts'
import { stretchAt } from './zone-stretch.ts'

/** How the next run was found. */
export interface NextRunTrace {
  /** As `findTimeZone` spells it. */
  readonly zone: string
  /** The days that were looked at, in order; the last is the one that fits. */
  readonly days: readonly TracedDay[]
  readonly shortMonths: readonly ShortMonth[]
  /** Epoch ms. */
  readonly at: number
}

export interface TracedDay {
  /** Days since 1 January 1970. */
  readonly day: number
  /** The local time that the rule asks for, epoch ms as if it were UTC. */
  readonly intended: number
  readonly clocks: 'ordinary' | 'gap' | 'overlap'
  /** Epoch ms; undefined where the clocks skip the time, and the behaviour catalogue the run. */
  readonly at: number | undefined
  readonly verdict: 'too early' | 'skipped' | 'next'
}

/** A month on the way that does not have a day of the rule. */
interface ShortMonth {
  /** `2026-02` */
  readonly month: string
  readonly day: number
  /** The day that it became; undefined when it was skipped. */
  readonly clampedTo: number | undefined
}

const MINUTE = 60_000
const DAY = 86_400_000

/** The same search as `nextRun`, which keeps what it looks at. */
export function traceNextRun(rule: RunRule, after: number, choices: CalendarChoices): NextRunTrace {
  const zone = findTimeZone(rule.timezone) ?? rule.timezone
  const first = Math.floor((after + stretchAt(zone, after).offset) / DAY) - 1
  const time = (rule.hourOfDay * 60 + rule.minOfHour) * MINUTE
  const earliest = choices.when === 'inclusive' ? after : after + 1
  const days: TracedDay[] = []
  for (const day of intendedDays(rule, first, choices.shortMonth)) {
    const intended = day * DAY + time
    const { at, inGap, inOverlap } = findFate(intended, zone, choices)
    const verdict = at === undefined ? 'skipped' : at >= earliest ? 'next' : 'too early'
    days.push({ day, intended, clocks: inGap ? 'gap' : inOverlap ? 'overlap' : 'ordinary', at, verdict })
    if (at !== undefined && verdict === 'next')
      return { zone, days, shortMonths: findShortMonths(rule, first, day, choices), at }
  }
  throw new Error(`${rule.frequency} ${rule.daysToRun} has no run in two years after ${after}.`)
}

function findShortMonths(rule: RunRule, first: number, last: number, { shortMonth }: CalendarChoices): ShortMonth[] {
  const monthDays = rule.frequency === 'MONTHLY' ? (decodeMonthDays(rule.daysToRun) ?? []) : []
  const found: ShortMonth[] = []
  const month = new Date(first * DAY)
  month.setUTCDate(1)
  for (; month.getTime() <= last * DAY; month.setUTCMonth(month.getUTCMonth() + 1)) {
    const end = new Date(month)
    end.setUTCMonth(end.getUTCMonth() + 1, 0)
    const length = end.getUTCDate()
    for (const day of monthDays.filter((one) => one > length))
      found.push({
        month: month.toISOString().slice(0, 7),
        day,
        clampedTo: shortMonth === 'skip' ? undefined : length,
      })
  }
  return found
}
