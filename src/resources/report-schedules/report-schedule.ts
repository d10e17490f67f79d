import type { Integer, Json } from '../../base/formats/json.ts'

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

/** When a schedule runs, by the wall clock of its time zone. */
export interface RunRule {
  readonly frequency: 'WEEKLY' | 'MONTHLY' | 'DAILY'
  /** WEEKLY: `MON` or `MON,WED`; MONTHLY: `15` or `1,15`; DAILY: ignored. */
  readonly daysToRun: string
  /** 0–23. */
  readonly hourOfDay: number
  /** 0–59. */
  readonly minOfHour: number
  /** What `isTimeZone` accepts. */
  readonly timezone: string
}

/** The settings of the behaviours that a next run depends on. */
export interface CalendarChoices {
  /** `days.short-month` */
  readonly shortMonth: 'skip' | 'clamp-to-last'
  /** `next-run.gap` */
  readonly gap: 'forward' | 'skip'
  /** `next-run.overlap` */
  readonly overlap: 'earlier' | 'later'
  /** `next-run.when` */
  readonly when: 'strict' | 'inclusive'
}

/** How far the runs of a schedule have come. */
export interface Progress {
  /** Runs up to this instant, epoch ms, were made or never will be. */
  readonly settled: number
  /** When it last ran on its own, epoch ms. It never runs at or before that again. */
  readonly lastRun: number | undefined
}
