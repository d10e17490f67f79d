import type { BehaviourSettings } from '../../../types/behaviour-settings.d.ts'
import { findTimeZone, stretchAt, Temporal } from './time-zone.ts'
import type { State } from '../../engine/state.ts'
import type { ReportSchedule, ScheduleSettings, CalendarChoices, RunRule, Progress } from './report-schedule.ts'

/** The settings of the behaviours that the calendar depends on. */
export function calendarChoices(
  settings: Pick<BehaviourSettings, 'days.short-month' | 'next-run.gap' | 'next-run.overlap' | 'next-run.when'>,
): CalendarChoices {
  return {
    shortMonth: settings['days.short-month'],
    gap: settings['next-run.gap'],
    overlap: settings['next-run.overlap'],
    when: settings['next-run.when'],
  }
}

export interface NextRun extends LocalTimeRun {
  readonly at: number
  /** A local time up to this run is skipped. Without one, the setting for gaps makes no difference. */
  readonly metGap: boolean
  /** A local time up to this run happens twice. Without one, the setting for overlaps makes no difference. */
  readonly metOverlap: boolean
}

/** A day that a search for a next run tries. */
export interface TriedDay extends LocalTimeRun {
  /** Days since 1 January 1970. */
  readonly day: number
  /** The local time that the rule asks for, epoch ms as if it were UTC. */
  readonly intended: number
}

/** What becomes of a local time. */
interface LocalTimeRun {
  /** Epoch ms; undefined where the clocks skip the time and the run. */
  readonly at: number | undefined
  /** A clock change skips the local time, so the run is moved. */
  readonly inGap: boolean
  /** The local time happens twice. */
  readonly inOverlap: boolean
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A day 31 in a gap that is skipped may be four months away, so two years are enough. */
const MONTHS_AHEAD = 24
const DAYS_AHEAD = 731

/**
 * The instant of the next run, epoch ms: the first after `after`, or at it where `when` is `inclusive`. Right for every zone of the
 * runtime from 1970 on.
 *
 * @throws Error for an invalid rule
 * @example nextRunDate({ frequency: 'WEEKLY', daysToRun: 'SUN', hourOfDay: 2, minOfHour: 30, timezone: 'America/New_York' },
 *   Date.UTC(2026, 2, 5), choices) // 1772955000000: 02:30 is skipped on 8 March, so it runs at 03:30
 */
export function nextRunDate(rule: RunRule, after: number, choices: CalendarChoices): number {
  return nextRun(rule, after, choices).at
}

/** Later dates never run earlier, so the first date that fits is the next run. @param onDay called for each day that is tried */
export function nextRun(
  rule: RunRule,
  after: number,
  choices: CalendarChoices,
  onDay?: (day: TriedDay) => void,
): NextRun {
  const zone = findTimeZone(rule.timezone)
  if (zone === undefined) throw new Error(`${rule.timezone} is not a time zone. Ask isTimeZone first.`)
  const time = rule.hourOfDay * HOUR + rule.minOfHour * MINUTE
  const earliest = choices.when === 'inclusive' ? after : after + 1
  let metGap = false
  let metOverlap = false
  for (const day of intendedDays(rule, firstDay(zone, after), choices.shortMonth)) {
    const intended = day * DAY + time
    const fate = findFate(intended, zone, choices)
    onDay?.({ day, intended, ...fate })
    const { at, inGap, inOverlap } = fate
    metGap ||= inGap
    metOverlap ||= inOverlap
    if (at !== undefined && at >= earliest) return { at, inGap, inOverlap, metGap, metOverlap }
  }
  throw new Error(`${rule.frequency} ${rule.daysToRun} has no run in two years after ${after}.`)
}

/** The day before, because a gap may move a run of yesterday to today: no gap since 1970 is longer than a day. */
export function firstDay(zone: string, after: number): number {
  return Math.floor((after + stretchAt(zone, after).offset) / DAY) - 1
}

/**
 * The instant of a local time, which is given as if it were UTC. No clock was ever changed by more than a day, so two days away from any
 * change a subtraction is enough. Otherwise Temporal decides.
 */
function findFate(local: number, zone: string, choices: CalendarChoices): LocalTimeRun {
  const { from, to, offset } = stretchAt(zone, local - stretchAt(zone, local).offset)
  const at = local - offset
  if (at - from > 2 * DAY && to - at > 2 * DAY) return { at, inGap: false, inOverlap: false }
  const intended = Temporal.Instant.fromEpochMilliseconds(local).toZonedDateTimeISO('UTC').toPlainDateTime()
  // Both take the time after a gap. They differ in overlaps only.
  const earlier = intended.toZonedDateTime(zone, { disambiguation: 'compatible' })
  const later = intended.toZonedDateTime(zone, { disambiguation: 'later' })
  const inGap = !earlier.toPlainDateTime().equals(intended)
  if (inGap && choices.gap === 'skip') return { at: undefined, inGap, inOverlap: false }
  const actual = choices.overlap === 'earlier' ? earlier : later
  return { at: actual.epochMilliseconds, inGap, inOverlap: earlier.epochMilliseconds !== later.epochMilliseconds }
}

/** The days of a rule from `start` on, ascending, counted from 1 January 1970. */
function intendedDays(rule: RunRule, start: number, shortMonth: CalendarChoices['shortMonth']): Iterable<number> {
  const { frequency, daysToRun } = rule
  if (frequency === 'DAILY') return weekdaysFrom(start, [1, 2, 3, 4, 5, 6, 7])
  const days = frequency === 'WEEKLY' ? decodeWeekdays(daysToRun) : decodeMonthDays(daysToRun)
  if (!days)
    throw new Error(`${frequency} cannot run on the days ${JSON.stringify(daysToRun)}. Validate the rule first.`)
  return frequency === 'WEEKLY' ? weekdaysFrom(start, days) : monthDaysFrom(start, days, shortMonth)
}

/** Monday is 1. Day 0, 1 January 1970, was a Thursday. */
function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1
}

function* weekdaysFrom(start: number, weekdays: readonly number[]): Generator<number> {
  for (let day = start; day < start + DAYS_AHEAD; day += 1) if (weekdays.includes(weekdayOf(day))) yield day
}

function* monthDaysFrom(
  start: number,
  monthDays: readonly number[],
  shortMonth: CalendarChoices['shortMonth'],
): Generator<number> {
  const date = new Date(start * DAY)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  for (let months = 0; months < MONTHS_AHEAD; months += 1) {
    const first = firstOfMonth(year, month + months)
    const length = firstOfMonth(year, month + months + 1) - first
    for (const dayOfMonth of monthDays) {
      if (dayOfMonth > length && shortMonth === 'skip') continue
      // Several days may be clamped to the same one. The search only takes the first.
      const day = first + Math.min(dayOfMonth, length) - 1
      if (day >= start) yield day
    }
  }
}

/** January is 0, and 12 is January of the next year. `Date.UTC` would take the year 99 for 1999. */
function firstOfMonth(year: number, month: number): number {
  return new Date(0).setUTCFullYear(year, month, 1) / DAY
}

const WEEKDAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN']

/** @param day counted from 1 January 1970 */
export function weekdayName(day: number): string {
  return WEEKDAYS[weekdayOf(day) - 1] ?? ''
}

/**
 * The days of a WEEKLY rule as ISO weekdays (1 is Monday), ascending, each once. Undefined for anything but a weekday or a comma list of
 * weekdays.
 *
 * @example decodeWeekdays('WED,MON') // [1, 3]
 */
export function decodeWeekdays(daysToRun: string): readonly number[] | undefined {
  return decodeList(daysToRun, (item) => WEEKDAYS.indexOf(item) + 1)
}

/**
 * The days of a MONTHLY rule, 1–31, ascending, each once. Undefined for anything but a day without leading zero or a comma list of such
 * days.
 *
 * @example decodeMonthDays('15,1') // [1, 15]
 */
export function decodeMonthDays(daysToRun: string): readonly number[] | undefined {
  return decodeList(daysToRun, (item) => (/^([1-9]|[12]\d|3[01])$/.test(item) ? Number(item) : 0))
}

/** @param dayOf returns 0 for what is no day */
function decodeList(daysToRun: string, dayOf: (item: string) => number): readonly number[] | undefined {
  if (!daysToRun.includes(',')) {
    const day = dayOf(daysToRun)
    return day === 0 ? undefined : [day]
  }
  const days = [...new Set(daysToRun.split(',').map(dayOf))].sort((a, b) => a - b)
  return days.includes(0) ? undefined : days
}

export function progressOf(state: State, { id, written }: Pick<ReportSchedule, 'id' | 'written'>): Progress {
  const { settled, lastRun } = state.progress.get(id) ?? { settled: written, lastRun: undefined }
  return { settled: Math.max(settled, state.runsSince), lastRun }
}

/** The instant of the first run after what is settled. Undefined for a schedule that is disabled or has no rule. */
export function nextRunOf(
  { schedule }: ReportSchedule,
  progress: Progress,
  choices: CalendarChoices,
): number | undefined {
  if (schedule?.enabled !== true) return undefined
  const from = runsFrom(progress, choices)
  return nextRunWithin(schedule, from.after, from.choices)?.at
}

/** Where the next run is counted from: what is settled, or a later run, which is never repeated. */
export function runsFrom({ settled, lastRun }: Progress, choices: CalendarChoices): RunStart {
  if (lastRun === undefined || lastRun < settled) return { after: settled, choices }
  return { after: lastRun, choices: { ...choices, when: 'strict' } }
}

/** The instant that a search for a run counts from, epoch ms, and the settings that hold there. */
interface RunStart {
  readonly after: number
  readonly choices: CalendarChoices
}

/** The next run from startDate to expirationDate. Undefined when there is none. */
export function nextRunWithin(
  settings: ScheduleSettings,
  after: number,
  choices: CalendarChoices,
): NextRun | undefined {
  const rule = runRule(settings)
  if (!rule) return undefined
  const search = searchFrom(settings, after, choices)
  const run = nextRun(rule, search.after, search.choices)
  return run.at > (settings.expirationDate ?? Infinity) ? undefined : run
}

/** Where the search for a next run starts: not before startDate, and a run at startDate itself counts. */
export function searchFrom(
  { startDate }: Pick<ScheduleSettings, 'startDate'>,
  after: number,
  choices: CalendarChoices,
): RunStart {
  if (startDate === undefined || startDate <= after) return { after, choices }
  return { after: startDate, choices: { ...choices, when: 'inclusive' } }
}

/** When a schedule runs. Undefined when a part of that is missing. */
export function runRule(settings: ScheduleSettings): RunRule | undefined {
  const { frequency, daysToRun, hourOfDay, minOfHour, timezone } = settings
  if (frequency !== 'WEEKLY' && frequency !== 'MONTHLY' && frequency !== 'DAILY') return undefined
  if (hourOfDay === undefined || minOfHour === undefined || (daysToRun === undefined && frequency !== 'DAILY'))
    return undefined
  return { frequency, daysToRun: daysToRun ?? '', hourOfDay, minOfHour, timezone }
}
