import { decodeMonthDays, decodeWeekdays } from './days-to-run.ts'
import { Temporal } from './temporal.ts'
import { findTimeZone } from './time-zone.ts'
import { stretchAt } from './zone-stretch.ts'

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

/** The calendar's open questions, one field for each behaviours. */
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
  /** An intended local time up to this run was skipped; without one, no answer about gaps gives another run. */
  readonly metGap: boolean
  /** An intended local time up to this run happens twice; without one, no answer about overlaps gives another run. */
  readonly metOverlap: boolean
}

/** What became of one intended local time. */
export interface Fate {
  /** Epoch milliseconds; undefined where the clock skips that time and a skipped run does not happen. */
  readonly at: number | undefined
  readonly inGap: boolean
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
  const today = Math.floor((after + stretchAt(zone, after).offset) / DAY)
  const time = rule.hourOfDay * HOUR + rule.minOfHour * MINUTE
  const earliest = choices.when === 'inclusive' ? after : after + 1
  let metGap = false
  let metOverlap = false
  for (const day of intendedDays(rule, today - 1, choices.shortMonth)) {
    const { at, inGap, inOverlap } = findFate(day * DAY + time, zone, choices)
    metGap ||= inGap
    metOverlap ||= inOverlap
    if (at !== undefined && at >= earliest) return { at, inGap, inOverlap, metGap, metOverlap }
  }
  throw new Error(`${rule.frequency} ${rule.daysToRun} has no run in two years after ${after}.`)
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * The instant of a local time, which is given as if it were UTC. No clock was ever changed by more than a day: two days away
 * from any change a local time happens once, and is found by subtraction. Temporal decides what is nearer.
 */
export function findFate(local: number, zone: string, choices: CalendarChoices): Fate {
  const { from, to, offset } = stretchAt(zone, local - stretchAt(zone, local).offset)
  const at = local - offset
  if (at - from > 2 * DAY && to - at > 2 * DAY) return { at, inGap: false, inOverlap: false }
  const intended = Temporal.Instant.fromEpochMilliseconds(local).toZonedDateTimeISO('UTC').toPlainDateTime()
  return findFateNearChange(intended, zone, choices)
}

function findFateNearChange(intended: Temporal.PlainDateTime, zone: string, choices: CalendarChoices): Fate {
  // Both take the time after a gap: they differ in overlaps only.
  const earlier = intended.toZonedDateTime(zone, { disambiguation: 'compatible' })
  const later = intended.toZonedDateTime(zone, { disambiguation: 'later' })
  const inGap = !earlier.toPlainDateTime().equals(intended)
  if (inGap && choices.gap === 'skip') return { at: undefined, inGap, inOverlap: false }
  const actual = choices.overlap === 'earlier' ? earlier : later
  return { at: actual.epochMilliseconds, inGap, inOverlap: earlier.epochMilliseconds !== later.epochMilliseconds }
}

/** The days that a rule names, from `start` on, ascending, whether the zone had such a day or not; all counted from 1 January 1970. */
export function intendedDays(
  rule: RunRule,
  start: number,
  shortMonth: CalendarChoices['shortMonth'],
): Iterable<number> {
  switch (rule.frequency) {
    case 'DAILY':
      return weekdaysFrom(start, [1, 2, 3, 4, 5, 6, 7])
    case 'WEEKLY':
      return weekdaysFrom(start, valid(decodeWeekdays(rule.daysToRun), rule))
    case 'MONTHLY':
      return monthDaysFrom(start, valid(decodeMonthDays(rule.daysToRun), rule), shortMonth)
  }
}

/** Monday is 1. The first day, 1 January 1970, was a Thursday. */
function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1
}

function* weekdaysFrom(start: number, weekdays: readonly number[]): Generator<number> {
  for (let day = start; day < start + daysAhead; day += 1) if (weekdays.includes(weekdayOf(day))) yield day
}

function* monthDaysFrom(
  start: number,
  monthDays: readonly number[],
  shortMonth: CalendarChoices['shortMonth'],
): Generator<number> {
  const date = new Date(start * DAY)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  for (let months = 0; months < monthsAhead; months += 1) {
    const first = firstOfMonth(year, month + months)
    const length = firstOfMonth(year, month + months + 1) - first
    for (const dayOfMonth of daysOf(length, monthDays, shortMonth)) {
      const day = first + dayOfMonth - 1
      if (day >= start) yield day
    }
  }
}

/** January is 0, and 12 is January of the next year. `Date.UTC` would take the year 99 for 1999. */
function firstOfMonth(year: number, month: number): number {
  return new Date(0).setUTCFullYear(year, month, 1) / DAY
}

/** Ascending. Several days may be clamped to the same one: the search takes the first, and is then past the others. */
function daysOf(
  last: number,
  monthDays: readonly number[],
  shortMonth: CalendarChoices['shortMonth'],
): readonly number[] {
  if (shortMonth === 'skip') return monthDays.filter((day) => day <= last)
  return monthDays.map((day) => Math.min(day, last))
}

function valid(days: readonly number[] | undefined, rule: RunRule): readonly number[] {
  if (days) return days
  throw new Error(
    `${rule.frequency} cannot run on the days ${JSON.stringify(rule.daysToRun)}. Validate the rule first.`,
  )
}
