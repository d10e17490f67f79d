import { decodeMonthDays, decodeWeekdays } from './days-to-run.ts'
import { Temporal } from './temporal.ts'
import { findTimeZone } from './time-zone.ts'

/** When a schedule runs, by the wall clock of its time zone. The contract's `schedule` object is one. */
export interface RunRule {
  readonly frequency: 'WEEKLY' | 'MONTHLY' | 'DAILY'
  /** WEEKLY: `MON` or `MON,WED`; MONTHLY: `15` or `1,15`; DAILY: ignored. */
  readonly daysToRun: string
  /** 0–23. */
  readonly hourOfDay: number
  /** 0–59. */
  readonly minOfHour: number
  /** What `isTimeZone` takes. */
  readonly timezone: string
}

/** The calendar's open questions, one field for each row of the ledger. */
export interface CalendarChoices {
  /** Row `days.short-month`. */
  readonly shortMonth: 'skip' | 'clamp-to-last'
  /** Row `next-run.gap`. */
  readonly gap: 'forward' | 'skip'
  /** Row `next-run.overlap`. */
  readonly overlap: 'earlier' | 'later'
  /** Row `next-run.when`. */
  readonly when: 'strict' | 'inclusive'
}

/** A run, and which of the calendar's open questions it was an answer to. */
export interface Run {
  /** Epoch milliseconds. */
  readonly at: number
  /** The intended local time is skipped by a clock change, so the run is moved. */
  readonly inGap: boolean
  /** The intended local time happens twice. */
  readonly inOverlap: boolean
}

/** How far to look. A day 31 that falls into a gap that is skipped may be four months away; two years is out of doubt. */
const monthsAhead = 24
const daysAhead = 731

/**
 * The instant of the next run, in epoch milliseconds: the smallest one after the instant `after` (epoch milliseconds), or at
 * it where `when` is `inclusive`. Right for every zone that the runtime knows from 1970 on. The rule is taken to be valid;
 * one that is not throws an Error.
 *
 * @example nextRunDate({ frequency: 'WEEKLY', daysToRun: 'SUN', hourOfDay: 2, minOfHour: 30, timezone: 'America/New_York' },
 *   Date.UTC(2026, 2, 5), choices) // 1772955000000: 02:30 is skipped on 8 March, so it runs at 03:30
 */
export function nextRunDate(rule: RunRule, after: number, choices: CalendarChoices): number {
  return nextRun(rule, after, choices).at
}

/**
 * Later dates never run earlier, so the first date that fits is the answer. The search starts a day before today, because a
 * run that yesterday's gap moved forward may be still to come: no gap since 1970 is longer than a day.
 */
export function nextRun(rule: RunRule, after: number, choices: CalendarChoices): Run {
  const zone = findTimeZone(rule.timezone)
  if (zone === undefined) throw new Error(`${rule.timezone} is no time zone. Ask isTimeZone first.`)
  const today = Temporal.Instant.fromEpochMilliseconds(after).toZonedDateTimeISO(zone).toPlainDate()
  const time = new Temporal.PlainTime(rule.hourOfDay, rule.minOfHour)
  const earliest = choices.when === 'inclusive' ? after : after + 1
  for (const date of intendedDates(rule, today.subtract({ days: 1 }), choices.shortMonth)) {
    const run = findRun(date.toPlainDateTime(time), zone, choices)
    if (run && run.at >= earliest) return run
  }
  throw new Error(`${rule.frequency} ${rule.daysToRun} has no run in two years after ${after}.`)
}

/** The run of one date, or undefined where the clock skips that time and a skipped run does not happen. */
function findRun(intended: Temporal.PlainDateTime, zone: string, choices: CalendarChoices): Run | undefined {
  // Both take the time after a gap: they differ in overlaps only.
  const earlier = intended.toZonedDateTime(zone, { disambiguation: 'compatible' })
  const later = intended.toZonedDateTime(zone, { disambiguation: 'later' })
  const inGap = !earlier.toPlainDateTime().equals(intended)
  if (inGap && choices.gap === 'skip') return undefined
  const actual = choices.overlap === 'earlier' ? earlier : later
  return { at: actual.epochMilliseconds, inGap, inOverlap: earlier.epochMilliseconds !== later.epochMilliseconds }
}

/** The dates that a rule names, from `start` on, ascending, whether the zone had such a day or not. */
function intendedDates(
  rule: RunRule,
  start: Temporal.PlainDate,
  shortMonth: CalendarChoices['shortMonth'],
): Iterable<Temporal.PlainDate> {
  switch (rule.frequency) {
    case 'DAILY':
      return weekdaysFrom(start, [1, 2, 3, 4, 5, 6, 7])
    case 'WEEKLY':
      return weekdaysFrom(start, valid(decodeWeekdays(rule.daysToRun), rule))
    case 'MONTHLY':
      return monthDaysFrom(start, valid(decodeMonthDays(rule.daysToRun), rule), shortMonth)
  }
}

function* weekdaysFrom(start: Temporal.PlainDate, weekdays: readonly number[]): Generator<Temporal.PlainDate> {
  for (let days = 0; days < daysAhead; days += 1) {
    const weekday = ((start.dayOfWeek - 1 + days) % 7) + 1
    if (weekdays.includes(weekday)) yield start.add({ days })
  }
}

function* monthDaysFrom(
  start: Temporal.PlainDate,
  monthDays: readonly number[],
  shortMonth: CalendarChoices['shortMonth'],
): Generator<Temporal.PlainDate> {
  for (let months = 0; months < monthsAhead; months += 1) {
    const month = start.add({ months })
    for (const day of daysOf(month, monthDays, shortMonth)) {
      if (months > 0 || day >= start.day) yield month.with({ day })
    }
  }
}

/** Ascending. Several days may be clamped to the same one: the search takes the first, and is then past the others. */
function daysOf(
  month: Temporal.PlainDate,
  monthDays: readonly number[],
  shortMonth: CalendarChoices['shortMonth'],
): readonly number[] {
  const last = month.daysInMonth
  if (shortMonth === 'skip') return monthDays.filter((day) => day <= last)
  return monthDays.map((day) => Math.min(day, last))
}

function valid(days: readonly number[] | undefined, rule: RunRule): readonly number[] {
  if (days) return days
  throw new Error(
    `${rule.frequency} cannot run on the days ${JSON.stringify(rule.daysToRun)}. Validate the rule first.`,
  )
}
