import type { EntryRecord, Integer, Json } from '../world/file-sets/file-record.ts'

/** What goes over the wire of the control API, as `spec/control.openapi.yaml` has it; the tests hold every answer against that. */

/** ISO 8601 in UTC: `2026-03-05T14:30:00.000Z`. */
export type InstantText = string

export interface SandboxSummary {
  readonly name: string
  readonly seed: number
  readonly clock: ClockState
  readonly fileSets: number
  readonly files: number
  readonly reportSchedules: number
  readonly runs: number
  readonly deliveries: number
  readonly checkpoints: number
  /** Answered by the emulated service since the sandbox's beginning. */
  readonly requests: number
}

export interface ClockState {
  readonly mode: 'frozen' | 'running'
  readonly now: InstantText
  /** 0 when it stands still. */
  readonly rate: number
}

export interface ClockRequest {
  readonly mode: 'frozen' | 'running'
  /** An instant with its zone, or `machine`; what it shows when absent. */
  readonly now?: string
  /** 1 when absent; only for a clock that runs. */
  readonly rate?: number
}

/** By an ISO 8601 duration, to an instant, or to the next run of any schedule. */
export type AdvanceRequest = { readonly by: string } | { readonly to: string } | { readonly toNextRun: true }

export interface Advance {
  readonly now: InstantText
  readonly runs: readonly PassedRun[]
}

interface RunFacts {
  readonly id: number
  readonly at: InstantText
  readonly scheduleId: number
  readonly title: string
  readonly timezone: string
  /** `2026-03-08T03:30:00-04:00` */
  readonly localTime: string
}

export interface PassedRun extends RunFacts {
  readonly deliveries: readonly DeliveryRecord[]
}

export interface RunRecord extends RunFacts {
  readonly reportSchedule: StoredReportSchedule
}

export interface DeliveryRecord {
  readonly id: number
  readonly runId: number
  readonly at: InstantText
  readonly scheduleId: number
  readonly recipient: { readonly type: string; readonly value: string }
  readonly title: string
  readonly pageId: Integer | null
  readonly viewId: Integer | null
  readonly attachmentInclude: boolean
}

export interface DeliveryFilter {
  readonly scheduleId?: number
  readonly recipientType?: string
  readonly recipient?: string
  /** Inclusive. */
  readonly since?: string
  /** Inclusive. */
  readonly until?: string
}

export interface StoredReportSchedule {
  readonly id: number
  readonly title: string
  readonly pageId: Integer | null
  readonly viewId: Integer | null
  readonly attachmentInclude: boolean
  readonly ownerId: Integer
  readonly schedule: {
    readonly frequency?: string | undefined
    readonly daysToRun?: string | undefined
    readonly hourOfDay?: number | undefined
    readonly minOfHour?: number | undefined
    readonly timezone: string
    readonly enabled: boolean
    readonly additionalRecipients: readonly { readonly type: string; readonly value: string }[]
  } | null
  readonly written: InstantText
  readonly revision: number
}

export interface ReportScheduleRecord extends StoredReportSchedule {
  readonly nextRun: InstantText | null
  readonly lastRun: InstantText | null
}

export interface Checkpoint {
  readonly name: string
  readonly now: InstantText
  readonly fileSets: number
  readonly reportSchedules: number
}

export interface FileSetSummary {
  readonly id: string
  readonly files: number
  readonly directories: number
  readonly version: number
}

/** A file or directory as in a fixture: only the path is required. */
export type GivenFile = { readonly path: string } & Partial<FileFields> & {
    readonly id?: string
    readonly name?: string
  }

interface FileFields {
  readonly fileType: string
  readonly contentType: string
  readonly size: Integer | null
  readonly hash: string
  readonly hashAlgorithm: string
  readonly downloadUrl: string
  readonly created: string
  readonly createdBy: Integer
  readonly connectorKey: Json
  readonly indexStatus: Json
  readonly indexReason: Json
}

export type FileChange = Partial<FileFields> & { readonly path?: string }

export interface FileSetRequest {
  readonly id: string
  readonly files?: readonly GivenFile[]
  readonly generate?: number
}

export interface FileList {
  readonly total: number
  readonly files: readonly EntryRecord[]
}

/** A change of a sandbox. Besides the members that all have, each type has its own. */
export interface HistoryEvent {
  readonly number: number
  /** By the sandbox's clock, before the change. */
  readonly at: InstantText
  /** The request that it came from; absent for what the control API or the time did. */
  readonly requestId?: string
  /** Such as `report-schedule.created`. */
  readonly type: string
  readonly [member: string]: unknown
}

export interface HistoryPage {
  /** The number of the first event that is remembered. */
  readonly first: number
  /** Where to go on. */
  readonly next: number
  readonly events: readonly HistoryEvent[]
}

/** One versioned document that holds all of a sandbox but its checkpoints. */
export interface StateDocument {
  readonly format: 'standin-state'
  readonly version: number
  readonly seed: number
  readonly clock: {
    readonly mode: 'frozen' | 'running'
    readonly at: InstantText
    readonly since?: InstantText | undefined
    readonly rate?: number | undefined
  }
  readonly requests: number
  readonly nextReportScheduleId: number
  readonly nextRunId: number
  readonly nextDeliveryId: number
  readonly runsSince: InstantText
  readonly fileSets: readonly StoredFileSet[]
  readonly reportSchedules: readonly StoredReportSchedule[]
  readonly progress: readonly {
    readonly scheduleId: number
    readonly settled: InstantText
    readonly lastRun?: InstantText | undefined
  }[]
  readonly runs: readonly {
    readonly id: number
    readonly at: InstantText
    readonly reportSchedule: StoredReportSchedule
  }[]
  readonly deliveries: readonly DeliveryRecord[]
}

export interface StoredFileSet {
  readonly id: string
  readonly version: number
  /** All that was told; with `generated` what was added or changed since. */
  readonly files?: readonly EntryRecord[] | undefined
  /** Paths that were generated and are gone. */
  readonly removed?: readonly string[] | undefined
  readonly generated?: { readonly seed: number; readonly files: number; readonly firstMoment: InstantText } | undefined
}
