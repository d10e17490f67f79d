import type { UpcomingRun, UpcomingRunList } from '../../../../types/control-api.d.ts'
import type { State } from '../../../engine/state.ts'
import { LAST_INSTANT } from '../../../formats/instant.ts'
import type { CalendarChoices } from '../next-run-date.ts'
import { type Progress, progressOf, type ReportSchedule, runRule, runsFrom, searchFrom } from '../report-schedule.ts'
import {
  clocksOf,
  dateOf,
  explainRun,
  type RunExplanation,
  type RunSearch,
  searchNextRun,
  timeOf,
} from './run-explanation.ts'
import { localTime } from '../time-zone.ts'

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
