import type { ReportScheduleExplanation } from '../../../../types/control-api.d.ts'
import type { Call } from '../../handler.ts'
import { showReportSchedule } from '../report-schedule-view.ts'
import { asObject } from '../../../base/formats/json.ts'
import type { State } from '../../../engine/state.ts'
import { calendarChoices, runRule, searchFrom } from '../next-run-date.ts'
import type { ReportSchedule } from '../report-schedule.ts'
import { clocksOf, explainRun, type RunSearch, searchNextRun, timeOf } from './run-explanation.ts'
import { localTime } from '../time-zone.ts'

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

/** The date in a response body, so that what is explained is what clients see. */
function dateIn(body: unknown): number | null {
  const schedule = asObject(body).schedule
  const date = asObject(schedule).nextRunDate
  return typeof date === 'number' ? date : null
}

function whyThen(shown: number | null, { schedule }: ReportSchedule, search: RunSearch | undefined): string {
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
