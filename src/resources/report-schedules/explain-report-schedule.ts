import type { ReportScheduleExplanation } from '../../../types/control-api.d.ts'
import type { Call } from '../handler.ts'
import { calendarChoices, showReportSchedule } from './report-schedule-view.ts'
import { isObject } from '../../formats/json.ts'
import type { State } from '../../engine/state.ts'
import type { RunRule } from './calendar/next-run-date.ts'
import { type ReportSchedule, runRule } from './calendar/report-schedule.ts'
import { localTime, searchFrom } from './calendar/run.ts'
import { type NextRunTrace, type TracedDay, traceNextRun } from './calendar/trace-next-run.ts'

type RunExplanation = NonNullable<ReportScheduleExplanation['run']>
type DayExplanation = RunExplanation['days'][number]

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
  const answer = showReportSchedule(reportSchedule, call, { behaviour, status: 200, seed: state.seed })
  const nextRunDate = findDate(answer)
  const onRead = tracker.ask('next-run.passes') === 'on-read'
  const rule = reportSchedule.schedule ? runRule(reportSchedule.schedule) : undefined
  const from = onRead ? now : reportSchedule.written
  const since = onRead
    ? 'the present, as next-run.passes has it'
    : `when it ${isStored ? 'was last' : 'would be'} written, as next-run.passes has it`
  const { after, choices } = searchFrom(reportSchedule.schedule ?? {}, from, calendarChoices(tracker.settings))
  const counted = after === from ? since : 'its startDate, which schedule.dates respects'
  const trace = rule && traceNextRun(rule, after, choices)
  return {
    scheduleId: isStored ? reportSchedule.id : null,
    title: reportSchedule.title,
    nextRunDate,
    why: whyThen(nextRunDate, reportSchedule, trace),
    ...(rule && trace ? { run: explainRun(rule, trace, after, counted) } : {}),
    behaviours: tracker.used().ids,
  }
}

/** The answer of the service itself, so that what is explained is what it shows. */
function findDate(answer: unknown): number | null {
  const schedule = isObject(answer) ? answer.schedule : undefined
  const date = isObject(schedule) ? schedule.nextRunDate : undefined
  return typeof date === 'number' ? date : null
}

function whyThen(shown: number | null, { schedule }: ReportSchedule, trace: NextRunTrace | undefined): string {
  const last = trace?.days.at(-1)
  if (!trace || !last) return 'It has no next run: it is not told when to run.'
  const when = `${localTime(trace.at, trace.zone)} in ${trace.zone}`
  if (trace.at > (schedule?.expirationDate ?? Infinity))
    return `It has no next run: the next time would be ${when}, after its expirationDate (schedule.dates).`
  if (shown === null)
    return schedule?.enabled === false
      ? `It is disabled, and next-run.disabled leaves nextRunDate out; it would be ${when}.`
      : `The answer leaves nextRunDate out; it would be ${when}.`
  const clocks = { ordinary: '', gap: whyGap(last), overlap: ': the clocks show that time twice (next-run.overlap)' }
  return `It runs next at ${when}${clocks[last.clocks]}.`
}

function whyGap({ intended }: TracedDay): string {
  return `: the clocks skip ${timeOf(intended)} that day, so it runs after the gap (next-run.gap)`
}

function explainRun(rule: RunRule, trace: NextRunTrace, from: number, why: string): RunExplanation {
  const { at, zone } = trace
  const local = localTime(at, zone)
  return {
    reads: `${rule.frequency}${rule.frequency === 'DAILY' ? '' : ` on ${rule.daysToRun}`} at ${timeOf(trace.days[0]?.intended ?? 0)}`,
    timezone: zone,
    countedFrom: { at: iso(from), localTime: localTime(from, zone), why },
    days: trace.days.map((day) => showDay(day, zone)),
    shortMonths: trace.shortMonths.map(({ month, day, clampedTo }) => ({
      month,
      day,
      became: clampedTo === undefined ? 'skipped (days.short-month)' : `${clampedTo} (days.short-month)`,
    })),
    at: iso(at),
    localTime: local,
    offset: local.slice(local.lastIndexOf('T') + 'T00:00:00'.length),
  }
}

function showDay({ day, intended, clocks, at, verdict }: TracedDay, zone: string): DayExplanation {
  return {
    date: iso(intended).slice(0, -'T00:00:00.000Z'.length),
    weekday: WEEKDAYS[((day % 7) + 7) % 7] ?? '',
    intended: timeOf(intended),
    clocks,
    at: at === undefined ? null : iso(at),
    localTime: at === undefined ? null : localTime(at, zone),
    verdict,
  }
}

/** The first day, 1 January 1970, was a Thursday. */
const WEEKDAYS = ['THU', 'FRI', 'SAT', 'SUN', 'MON', 'TUE', 'WED']

function timeOf(local: number): string {
  return iso(local).slice(-'00:00:00.000Z'.length).slice(0, 5)
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
