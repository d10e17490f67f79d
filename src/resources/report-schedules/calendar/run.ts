import type { State } from '../../../engine/state.ts'
import type { Integer } from '../../../formats/json.ts'
import { type CalendarChoices, decodeMonthDays, decodeWeekdays, nextRun, type NextRun } from './next-run-date.ts'
import { type Recipient, type ReportSchedule, runRule, type ScheduleSettings } from './report-schedule.ts'

/** A report that a schedule made. */
export interface Run {
  /** Counts from 1 in each state. */
  readonly id: number
  /** Epoch ms. */
  readonly at: number
  /** The schedule as it was then. */
  readonly reportSchedule: ReportSchedule
}

/** What one recipient got from one run. */
export interface Delivery {
  /** Counts from 1 in each state. */
  readonly id: number
  readonly runId: number
  /** Epoch ms. */
  readonly at: number
  readonly reportScheduleId: number
  readonly recipient: Recipient
  readonly title: string
  readonly pageId: Integer | null
  readonly viewId: Integer | null
  readonly attachmentInclude: boolean
}

/** As many runs, and as many deliveries, a state remembers; older ones are forgotten. */
export const MOST_RUNS_KEPT = 100_000

/** How far a schedule has come. */
export interface Progress {
  /** Its runs up to this instant, epoch ms, are made or will never be. */
  readonly settled: number
  /** Epoch ms of its latest run by its own time; undefined before the first. It never runs at or before it again. */
  readonly lastRun: number | undefined
}

/** The instant of the first run after what is settled; undefined when the schedule is disabled or not told when to run. */
export function nextRunOf(
  { schedule }: ReportSchedule,
  { settled, lastRun }: Progress,
  choices: CalendarChoices,
): number | undefined {
  if (schedule?.enabled !== true) return undefined
  if (lastRun === undefined || lastRun < settled) return nextRunWithin(schedule, settled, choices)?.at
  return nextRunWithin(schedule, lastRun, { ...choices, when: 'strict' })?.at
}

/** The next run from startDate to expirationDate; undefined when there is none, or the settings do not say when to run. */
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
): { readonly after: number; readonly choices: CalendarChoices } {
  if (startDate === undefined || startDate <= after) return { after, choices }
  return { after: startDate, choices: { ...choices, when: 'inclusive' } }
}

/** Everybody who gets the report, each once. */
export function distinctRecipients({ schedule }: ReportSchedule): readonly Recipient[] {
  const recipients = schedule?.additionalRecipients ?? []
  return [...new Map(recipients.map((one) => [JSON.stringify([one.type, one.value]), one])).values()]
}

/** What a run sends. @param firstId the id of the first delivery; the others follow */
export function deliveriesOf(run: Run, recipients: readonly Recipient[], firstId: number): Delivery[] {
  const { id: runId, at, reportSchedule } = run
  const { id: reportScheduleId, title, pageId, viewId, attachmentInclude } = reportSchedule
  return recipients.map((recipient, index) => ({
    id: firstId + index,
    runId,
    at,
    reportScheduleId,
    recipient,
    title,
    pageId,
    viewId,
    attachmentInclude,
  }))
}

const MILLISECONDS_OF = { day: 86_400_000, week: 7 * 86_400_000, month: 30.436875 * 86_400_000 }

/** About how many runs a schedule makes in a millisecond; 0 for one that does not run. */
export function runsPerMillisecond({ schedule }: ReportSchedule): number {
  const rule = schedule?.enabled === true ? runRule(schedule) : undefined
  if (!rule) return 0
  if (rule.frequency === 'DAILY') return 1 / MILLISECONDS_OF.day
  if (rule.frequency === 'WEEKLY') return (decodeWeekdays(rule.daysToRun)?.length ?? 0) / MILLISECONDS_OF.week
  return (decodeMonthDays(rule.daysToRun)?.length ?? 0) / MILLISECONDS_OF.month
}

/** How much of a span lies from startDate to expirationDate, from 0 to 1. */
export function shareWithinDates({ schedule }: ReportSchedule, from: number, until: number): number {
  const start = Math.max(from, schedule?.startDate ?? from)
  const end = Math.min(until, schedule?.expirationDate ?? until)
  return until > from ? Math.max(0, end - start) / (until - from) : 1
}

/** How far a schedule of the state has come. */
export function progressOf(state: State, { id, written }: Pick<ReportSchedule, 'id' | 'written'>): Progress {
  const { settled, lastRun } = state.progress.get(id) ?? { settled: written, lastRun: undefined }
  return { settled: Math.max(settled, state.runsSince), lastRun }
}
