import type { ReportScheduleExplanation } from '../../../../types/control-api.d.ts'
import { iso } from '../../../formats/instant.ts'
import {
  type CalendarChoices,
  decodeMonthDays,
  firstDay,
  nextRun,
  type RunRule,
  type TriedDay,
  weekdayName,
} from '../next-run-date.ts'
import { findTimeZone, localTime } from '../time-zone.ts'

export type RunExplanation = NonNullable<ReportScheduleExplanation['run']>

/** A search for a next run: the instant that it counts from, and the days that it tries. The last one fits. */
export interface RunSearch {
  readonly rule: RunRule
  readonly choices: CalendarChoices
  readonly after: number
  readonly zone: string
  readonly days: readonly TriedDay[]
  /** Epoch ms. */
  readonly at: number
}

export function searchNextRun(rule: RunRule, after: number, choices: CalendarChoices): RunSearch {
  const days: TriedDay[] = []
  const { at } = nextRun(rule, after, choices, (day) => void days.push(day))
  return { rule, choices, after, zone: findTimeZone(rule.timezone) ?? rule.timezone, days, at }
}

/** @param why why the search counts from its moment */
export function explainRun(search: RunSearch, why: string): RunExplanation {
  const { rule, after, zone, days, at } = search
  const local = localTime(at, zone)
  return {
    reads: `${rule.frequency}${rule.frequency === 'DAILY' ? '' : ` on ${rule.daysToRun}`} at ${timeOf(days[0]?.intended ?? 0)}`,
    timezone: zone,
    countedFrom: { at: iso(after), localTime: localTime(after, zone), why },
    days: days.map((day) => ({
      date: dateOf(day),
      weekday: weekdayName(day.day),
      intended: timeOf(day.intended),
      clocks: clocksOf(day),
      at: day.at === undefined ? null : iso(day.at),
      localTime: day.at === undefined ? null : localTime(day.at, zone),
      verdict: day.at === undefined ? 'skipped' : day === days.at(-1) ? 'next' : 'too early',
    })),
    shortMonths: findShortMonths(search),
    at: iso(at),
    localTime: local,
    offset: local.slice(local.lastIndexOf('T') + 'T00:00:00'.length),
  }
}

/** Days of the rule that a month up to the run does not have, where that decided when it runs or which days it passed over. */
function findShortMonths({ rule, choices, after, zone, days }: RunSearch): RunExplanation['shortMonths'] {
  const monthDays = rule.frequency === 'MONTHLY' ? (decodeMonthDays(rule.daysToRun) ?? []) : []
  const last = days.at(-1)?.day ?? 0
  const found: RunExplanation['shortMonths'][number][] = []
  const from = firstDay(zone, after) + 1
  const month = new Date(from * DAY)
  month.setUTCDate(1)
  for (; month.getTime() <= last * DAY; month.setUTCMonth(month.getUTCMonth() + 1)) {
    const end = new Date(month)
    end.setUTCMonth(end.getUTCMonth() + 1, 0)
    const endDay = end.getTime() / DAY
    // The end of the month was passed before the search began, or comes after the run.
    if (endDay !== last && (endDay <= from || endDay > last)) continue
    const length = end.getUTCDate()
    const became = choices.shortMonth === 'skip' ? 'skipped (days.short-month)' : `${length} (days.short-month)`
    for (const day of monthDays) if (day > length) found.push({ month: iso(month.getTime()).slice(0, 7), day, became })
  }
  return found
}

const DAY = 86_400_000

export function clocksOf({ inGap, inOverlap }: TriedDay): 'ordinary' | 'gap' | 'overlap' {
  return inGap ? 'gap' : inOverlap ? 'overlap' : 'ordinary'
}

/** The hour and minute of a local time that is given as if it were UTC. */
export function timeOf(local: number): string {
  return iso(local).slice(-'00:00:00.000Z'.length).slice(0, 5)
}

export function dateOf({ intended }: TriedDay): string {
  return iso(intended).slice(0, -'T00:00:00.000Z'.length)
}
