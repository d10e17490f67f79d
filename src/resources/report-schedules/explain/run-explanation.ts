import type { ReportScheduleExplanation, UpcomingRun, UpcomingRunList } from '../../../../types/control-api.d.ts'
import { iso, LAST_INSTANT } from '../../../base/formats/instant.ts'
import {
  decodeMonthDays,
  firstDay,
  nextRun,
  type TriedDay,
  weekdayName,
  progressOf,
  runRule,
  runsFrom,
  searchFrom,
} from '../next-run-date.ts'
import { findTimeZone, localTime } from '../time-zone.ts'
import type { State } from '../../../engine/state.ts'
import type { ReportSchedule, CalendarChoices, RunRule, Progress } from '../report-schedule.ts'

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

function dateOf({ intended }: TriedDay): string {
  return iso(intended).slice(0, -'T00:00:00.000Z'.length)
}

/** The next runs of a report schedule if nothing changes, each with why it lands where it does. */
export function listUpcomingRuns(
  reportSchedule: ReportSchedule,
  state: State,
  { choices, limit }: { readonly choices: CalendarChoices; readonly limit: number },
): UpcomingRunList {
  const { schedule } = reportSchedule
  const rule = schedule ? runRule(schedule) : undefined
  if (!schedule || !rule) return { runs: [], end: 'It has no runs: its schedule does not say when to run.' }
  if (!schedule.enabled) return { runs: [], end: 'It is disabled, so it does not run.' }
  const runs: UpcomingRun[] = []
  let progress = progressOf(state, reportSchedule)
  while (runs.length < limit) {
    const from = runsFrom(progress, choices)
    const start = searchFrom(schedule, from.after, from.choices)
    const search = searchNextRun(rule, start.after, start.choices)
    const { at, zone } = search
    if (at > (schedule.expirationDate ?? Infinity)) {
      const when = `${localTime(at, zone)} in ${zone}`
      return { runs, end: `The next time would be ${when}, after its expirationDate (schedule.dates).` }
    }
    if (at > LAST_INSTANT) return { runs, end: 'The clock ends before the next time.' }
    const why = start.after === from.after ? reasonOf(progress, reportSchedule, state) : STARTS
    const explanation = explainRun(search, why)
    runs.push({ why: describe(search, explanation), explanation })
    progress = { settled: at, lastRun: at }
  }
  return { runs, end: null }
}

const STARTS = 'its startDate, which schedule.dates respects'

/** Why a search for a run counts from its moment. */
function reasonOf({ settled, lastRun }: Progress, { written }: ReportSchedule, { runsSince }: State): string {
  if (lastRun !== undefined && lastRun >= settled) return 'the run before'
  if (settled === written) return 'when it was last written'
  return settled === runsSince ? 'where the clock began or was set back to' : 'the time up to which its runs are done'
}

function describe(search: RunSearch, { countedFrom, shortMonths }: RunExplanation): string {
  const { rule, choices, days, zone, after } = search
  const last = days.at(-1)
  const time = timeOf(last?.intended ?? 0)
  const rest =
    rule.frequency === 'DAILY'
      ? ''
      : rule.frequency === 'WEEKLY'
        ? `${rule.daysToRun} at `
        : `day ${rule.daysToRun} at `
  const since = countedFrom.why === 'the run before' ? countedFrom.why : `${localTime(after, zone)}, ${countedFrom.why}`
  const sentences = [`The first ${rest}${time} after ${since}.`]
  for (const { month, day, became } of shortMonths)
    sentences.push(
      choices.shortMonth === 'skip'
        ? `${month} has no day ${day} and is skipped (days.short-month).`
        : `${month} has no day ${day}, so it runs on day ${became}.`,
    )
  for (const day of days)
    if (day.at === undefined)
      sentences.push(
        `${dateOf(day)} is skipped: the clocks do not show ${timeOf(day.intended)} that day (next-run.gap).`,
      )
  if (last && clocksOf(last) === 'gap')
    sentences.push(`The clocks skip ${time} that day, so it runs after the gap (next-run.gap).`)
  if (last && clocksOf(last) === 'overlap')
    sentences.push(`The clocks show ${time} twice that day; it runs at the ${choices.overlap} one (next-run.overlap).`)
  return sentences.join(' ')
}
