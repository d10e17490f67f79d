import type { State } from '../../engine/state.ts'
import type { Integer, Json } from '../../base/formats/json.ts'
import { type CalendarChoices, nextRun, type NextRun, type RunRule } from './next-run-date.ts'

/** Receives a report: an e-mail address, or the id of a user or a group. */
export interface Recipient {
  readonly type: string
  readonly value: string
}

/** Members that the user's contract names beyond those of the interface, as sent. */
export type AddedMembers = Readonly<Record<string, Json>>

/** The settings of a schedule, with defaults filled in. The rule of its runs is only incomplete where no behaviour requires it. */
export interface ScheduleSettings {
  readonly frequency?: string | undefined
  readonly daysToRun?: string | undefined
  readonly hourOfDay?: number | undefined
  readonly minOfHour?: number | undefined
  /** As sent. */
  readonly timezone: string
  readonly enabled: boolean
  readonly additionalRecipients: readonly Recipient[]
  /** There are no runs before, epoch ms (`schedule.dates`). */
  readonly startDate?: number | undefined
  /** There are no runs after, epoch ms (`schedule.dates`). */
  readonly expirationDate?: number | undefined
  readonly added?: AddedMembers | undefined
}

/** A report schedule in the state. The next run and counts are computed for each response. Fields are null only after an update cleared them. */
export interface ReportSchedule {
  readonly id: number
  readonly title: string
  readonly pageId: Integer | null
  readonly viewId: Integer | null
  readonly attachmentInclude: boolean
  readonly ownerId: Integer
  readonly schedule: ScheduleSettings | null
  /** When it was last written, epoch ms. */
  readonly written: number
  /** How often it was written. Its entity tag. */
  readonly revision: number
  readonly added?: AddedMembers | undefined
}

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
export interface Delivery extends Pick<ReportSchedule, 'title' | 'pageId' | 'viewId' | 'attachmentInclude'> {
  /** Counts from 1 in each state. */
  readonly id: number
  readonly runId: number
  /** Epoch ms. */
  readonly at: number
  readonly reportScheduleId: number
  readonly recipient: Recipient
}

/** How far the runs of a schedule have come. */
export interface Progress {
  /** Runs up to this instant, epoch ms, were made or never will be. */
  readonly settled: number
  /** When it last ran on its own, epoch ms. It never runs at or before that again. */
  readonly lastRun: number | undefined
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

/** Equal for recipients that are the same. */
export function recipientKey({ type, value }: Recipient): string {
  return JSON.stringify([type, value])
}

/** The recipients, each once. */
export function distinctRecipients({ schedule }: ReportSchedule): readonly Recipient[] {
  const recipients = schedule?.additionalRecipients ?? []
  return [...new Map(recipients.map((one) => [recipientKey(one), one])).values()]
}

/** What a run sends. @param firstId the id of the first delivery; the others follow */
export function deliveriesOf(run: Run, recipients: readonly Recipient[], firstId: number): Delivery[] {
  const { id: runId, at, reportSchedule } = run
  const { id: reportScheduleId, title, pageId, viewId, attachmentInclude } = reportSchedule
  return recipients.map((recipient, index) => {
    const id = firstId + index
    return { id, runId, at, reportScheduleId, recipient, title, pageId, viewId, attachmentInclude }
  })
}
