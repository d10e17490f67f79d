import type { RunRule } from './next-run-date.ts'
import type { Integer, Json } from '../../../formats/json.ts'

/** Someone who receives a report: an e-mail address, or the id of a user or a group. */
export interface Recipient {
  readonly type: string
  readonly value: string
}

/** Members that a contract of the user's own names beyond those of the interface, as they were sent. */
export type Added = Readonly<Record<string, Json>>

/** The settings of a schedule, with defaults filled in. The four parts that tell when it runs lack only where the behaviour catalogue does not require them. */
export interface ScheduleSettings {
  readonly frequency?: string | undefined
  readonly daysToRun?: string | undefined
  readonly hourOfDay?: number | undefined
  readonly minOfHour?: number | undefined
  /** As it was sent. */
  readonly timezone: string
  readonly enabled: boolean
  readonly additionalRecipients: readonly Recipient[]
  /** It runs at no earlier time, epoch ms (`schedule.dates`). */
  readonly startDate?: number | undefined
  /** It runs at no later time, epoch ms (`schedule.dates`). */
  readonly expirationDate?: number | undefined
  readonly added?: Added | undefined
}

/**
 * A report schedule as the state keeps it. What can be derived (the next run, counts) is worked out for each answer. Parts are
 * null only after an update that the behaviours let clear what it leaves out.
 */
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
  /** How often it was written; the entity tag where the behaviour catalogue asks for one. */
  readonly revision: number
  readonly added?: Added | undefined
}

/** Distinct recipients: the same type and value twice are one. */
export function recipientCount(recipients: readonly Recipient[]): number {
  return new Set(recipients.map(({ type, value }) => JSON.stringify([type, value]))).size
}

/** When a schedule runs; undefined when a part of that is missing. */
export function runRule({
  frequency,
  daysToRun,
  hourOfDay,
  minOfHour,
  timezone,
}: ScheduleSettings): RunRule | undefined {
  if (frequency !== 'WEEKLY' && frequency !== 'MONTHLY' && frequency !== 'DAILY') return undefined
  if (hourOfDay === undefined || minOfHour === undefined || (daysToRun === undefined && frequency !== 'DAILY'))
    return undefined
  return { frequency, daysToRun: daysToRun ?? '', hourOfDay, minOfHour, timezone }
}
