import type { ReportScheduleExplanation } from '../../../types/control-api.d.ts'
import type { Call } from '../handler.ts'
import { iso } from '../../formats/instant.ts'
import { showReportSchedule } from './report-schedule-view.ts'
import { isObject } from '../../formats/json.ts'
import type { State } from '../../engine/state.ts'
import {
  type CalendarChoices,
  calendarChoices,
  decodeMonthDays,
  firstDay,
  nextRun,
  type RunRule,
  type TriedDay,
  weekdayName,
} from './next-run-date.ts'
import { type ReportSchedule, runRule, searchFrom } from './report-schedule.ts'
import { findTimeZone, localTime } from './time-zone.ts'

type RunExplanation = NonNullable<ReportScheduleExplanation['run']>

/** A search for a next run: the instant that it counts from, and the days that it tries. The last one fits. */
interface Search {
  readonly rule: RunRule
  readonly choices: CalendarChoices
  readonly after: number
  readonly zone: string
  readonly days: readonly TriedDay[]
  /** Epoch ms. */
  readonly at: number
}

/**
 * How the nextRunDate of a report schedule came about.
 *
 * @param isStored false for one that a create would make
 */
export function explainReportSchedule(
  state: State,
  call: Call,
  { reportSchedule, isStored }: { readonly reportSchedule: ReportSchedule; readonly isStored: boolean },
): ReportScheduleExplanation {
  const { tracker, now } = call
  const behaviour = isStored ? 'update.response' : 'create.response'
  const nextRunDate = dateIn(showReportSchedule(reportSchedule, call, { behaviour, status: 200, seed: state.seed }))
  const onRead = tracker.ask('next-run.passes') === 'on-read'
  const since = onRead
    ? 'the present, as next-run.passes has it'
    : `when it ${isStored ? 'was last' : 'would be'} written, as next-run.passes has it`
  const from = onRead ? now : reportSchedule.written
  const { after, choices } = searchFrom(reportSchedule.schedule ?? {}, from, calendarChoices(tracker.settings))
  const rule = reportSchedule.schedule ? runRule(reportSchedule.schedule) : undefined
  const search = rule && searchNextRun(rule, after, choices)
  const why = after === from ? since : 'its startDate, which schedule.dates respects'
  return {
    scheduleId: isStored ? reportSchedule.id : null,
    title: reportSchedule.title,
    nextRunDate,
    why: whyThen(nextRunDate, reportSchedule, search),
    ...(search ? { run: explainRun(search, why) } : {}),
    behaviours: tracker.used().ids,
  }
}

function searchNextRun(rule: RunRule, after: number, choices: CalendarChoices): Search {
  const days: TriedDay[] = []
  const { at } = nextRun(rule, after, choices, (day) => void days.push(day))
  return { rule, choices, after, zone: findTimeZone(rule.timezone) ?? rule.timezone, days, at }
}

/** The date in a response body, so that what is explained is what clients see. */
function dateIn(body: unknown): number | null {
  const schedule = isObject(body) ? body.schedule : undefined
  const date = isObject(schedule) ? schedule.nextRunDate : undefined
  return typeof date === 'number' ? date : null
}

function whyThen(shown: number | null, { schedule }: ReportSchedule, search: Search | undefined): string {
  const last = search?.days.at(-1)
  if (!search || !last) return 'It has no next run: its schedule does not say when to run.'
  const when = `${localTime(search.at, search.zone)} in ${search.zone}`
  if (search.at > (schedule?.expirationDate ?? Infinity))
    return `It has no next run: the next time would be ${when}, after its expirationDate (schedule.dates).`
  if (shown === null)
    return schedule?.enabled === false
      ? `It is disabled, and next-run.disabled leaves nextRunDate out; it would be ${when}.`
      : `The response leaves nextRunDate out; it would be ${when}.`
  const clocks = {
    ordinary: '',
    gap: `: the clocks skip ${timeOf(last.intended)} that day, so it runs after the gap (next-run.gap)`,
    overlap: ': the clocks show that time twice (next-run.overlap)',
  }
  return `It runs next at ${when}${clocks[clocksOf(last)]}.`
}

function explainRun(search: Search, why: string): RunExplanation {
  const { rule, after, zone, days, at } = search
  const local = localTime(at, zone)
  return {
    reads: `${rule.frequency}${rule.frequency === 'DAILY' ? '' : ` on ${rule.daysToRun}`} at ${timeOf(days[0]?.intended ?? 0)}`,
    timezone: zone,
    countedFrom: { at: iso(after), localTime: localTime(after, zone), why },
    days: days.map((day) => ({
      date: iso(day.intended).slice(0, -'T00:00:00.000Z'.length),
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

/** Months up to the run that do not have a day of the rule. */
function findShortMonths({ rule, choices, after, zone, days }: Search): RunExplanation['shortMonths'] {
  const monthDays = rule.frequency === 'MONTHLY' ? (decodeMonthDays(rule.daysToRun) ?? []) : []
  const last = days.at(-1)?.day ?? 0
  const found: RunExplanation['shortMonths'][number][] = []
  const month = new Date(firstDay(zone, after) * DAY)
  month.setUTCDate(1)
  for (; month.getTime() <= last * DAY; month.setUTCMonth(month.getUTCMonth() + 1)) {
    const end = new Date(month)
    end.setUTCMonth(end.getUTCMonth() + 1, 0)
    const length = end.getUTCDate()
    const became = choices.shortMonth === 'skip' ? 'skipped (days.short-month)' : `${length} (days.short-month)`
    for (const day of monthDays) if (day > length) found.push({ month: iso(month.getTime()).slice(0, 7), day, became })
  }
  return found
}

const DAY = 86_400_000

function clocksOf({ inGap, inOverlap }: TriedDay): 'ordinary' | 'gap' | 'overlap' {
  return inGap ? 'gap' : inOverlap ? 'overlap' : 'ordinary'
}

function timeOf(local: number): string {
  return iso(local).slice(-'00:00:00.000Z'.length).slice(0, 5)
}
