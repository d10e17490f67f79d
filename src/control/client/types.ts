import type { Effect, Fault, Tally } from '../../faults/fault.ts'
import type { FileChoices, EntryRecord, Integer, Json } from '../../resources/file-sets/store/file-record.ts'

export type * from '../../journal/journal-types.ts'
export type * from '../../resources/file-sets/explain/explanation.ts'

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
  /** What became of its message; absent unless this process sent it to a mail catcher (`--smtp`). */
  readonly mail?: {
    readonly status: 'waiting' | 'sent' | 'failed'
    readonly attempts: number
    /** Why it was not taken, the last time. */
    readonly error?: string | undefined
  }
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
    /** Epoch ms. */
    readonly startDate?: number | undefined
    /** Epoch ms. */
    readonly expirationDate?: number | undefined
    readonly added?: AddedMembers | undefined
  } | null
  readonly written: InstantText
  readonly revision: number
  readonly added?: AddedMembers | undefined
}

/** Members that a contract of the user's own names beyond those of the service, as they were sent. */
type AddedMembers = Readonly<Record<string, Json>>

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

export type Overrides = Readonly<Record<string, unknown>>

/** The behaviour catalogue of what the documents leave open, as one sandbox answers it. */
export interface BehavioursDocument {
  readonly profile: string
  /** What this sandbox answers otherwise than the others. */
  readonly overrides: Overrides
  readonly rows: readonly BehaviourRow[]
}

export interface BehaviourRow {
  readonly id: string
  readonly section: string
  readonly question: string
  /** What holds here. */
  readonly answer: unknown
  readonly default: unknown
  /** What it may be answered with; absent where there is nothing else. */
  readonly switch?: unknown
  /** `documented`, or how sure the answer is. */
  readonly basis: string
}

/**
 * Where the server is in its life: `starting` until everything is loaded that the first request needs, `stopping` from the moment it
 * was told to stop.
 */
export interface Health {
  readonly status: 'starting' | 'ready' | 'stopping'
}

/** What runs here. */
export interface Info {
  readonly name: 'standin'
  readonly version: string
  readonly node: string
  readonly contract: string
  readonly operations: readonly {
    readonly operationId: string
    readonly method: string
    readonly path: string
  }[]
  readonly profile: string
  readonly sandboxes: number
  readonly maxSandboxes: number
  /** Of this process. */
  readonly startedAt: InstantText
}

/** A search as it would be sent. */
export interface ExplainSearchRequest {
  readonly fileSetId: string
  /** The query parameters. */
  readonly query?: {
    readonly directoryPath?: string
    readonly immediateChildren?: boolean
    readonly limit?: number
    readonly next?: string
  }
  /** The body: `fieldSort`, `filters`, `dateFilters`. */
  readonly body?: object
}

/** A report schedule that is stored, or the body of a create. */
export type ExplainScheduleRequest = { readonly id: number } | { readonly info: object }

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

/** One file from which a run is done again. What is in it is for Standin; only these members are promised. */
export interface ReplayDocument {
  readonly format: 'standin-replay'
  readonly version: number
  readonly sandbox: string
  readonly history: readonly HistoryEvent[]
  readonly exchanges: readonly ReplayExchange[]
  readonly [member: string]: unknown
}

export interface ReplayExchange {
  readonly requestId: string
  /** By the sandbox's clock, when it was decided. */
  readonly now: InstantText
  /** By the sandbox's clock, when the request arrived; absent where it was not delayed. */
  readonly arrived?: InstantText | undefined
  /** How many request ids were given out, its own included. */
  readonly requests: number
  /** The number of the first event that it caused; `nextEvent` when it caused none. */
  readonly firstEvent: number
  /** The number of the next event once it was decided. */
  readonly nextEvent: number
  readonly method: string
  readonly url: string
  /** Names and values by turns, without secrets. */
  readonly headers: readonly string[]
  readonly body?: string | undefined
  /** Why it cannot be sent again; absent when it can. */
  readonly unrepeatable?: string | undefined
  readonly answer: {
    readonly status: number
    readonly headers: readonly string[]
    /** Absent when it was not kept, or not whole. */
    readonly body?: string | undefined
    /** Present where the body is not UTF-8. */
    readonly encoding?: 'base64' | undefined
    /** False where a fault ended the connection before all of it was sent; absent otherwise. */
    readonly isComplete?: false | undefined
  }
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
  /** None when absent. */
  readonly faults?: readonly StoredFault[] | undefined
  readonly nextFaultId?: number | undefined
  /** settings of behaviours that are otherwise in this state. */
  readonly behaviours?: Overrides | undefined
  /** Documents of the user's own operations; none when absent. */
  readonly collections?: readonly StoredCollection[] | undefined
}

export interface StoredCollection {
  readonly name: string
  /** How many documents were ever made in it. */
  readonly made: number
  /** In the order of their making. */
  readonly documents: readonly { readonly id: string; readonly document: Readonly<Record<string, Json>> }[]
}

export interface StoredFileSet {
  readonly id: string
  readonly version: number
  /** All that was told; with `generated` what was added or changed since. */
  readonly files?: readonly EntryRecord[] | undefined
  /** Directories that are implied by paths, and not what the oldest entry below them has it. */
  readonly directories?: readonly EntryRecord[]
  /** Paths that were generated and are gone. */
  readonly removed?: readonly string[] | undefined
  readonly generated?:
    | {
        readonly seed: number
        readonly files: number
        readonly firstMoment: InstantText
        readonly choices?: FileChoices | undefined
      }
    | undefined
}

export type FaultKind = Effect['kind']

export type FaultPreset = 'flaky-network' | 'slow-service' | 'rate-limited' | 'deploy-in-progress'

/** Which exchanges a fault may strike: all that is there must hold. */
export interface FaultMatch {
  readonly operationId?: string
  readonly method?: string
  /** As it is sent, without the query; a star at its end stands for any rest. */
  readonly path?: string
  readonly header?: Readonly<Record<string, string>>
  /** A text that occurs in the body's JSON, or a value that is contained in the body. */
  readonly body?: Json
  /** Of a walk, from 1. */
  readonly page?: number
}

/** A fault to be armed; each kind has its own fields. */
export interface FaultRequest {
  readonly kind: FaultKind
  readonly id?: string
  readonly match?: FaultMatch
  readonly chance?: number
  readonly times?: number
  readonly after?: number
  readonly delay?: {
    readonly milliseconds?: number
    readonly from?: number
    readonly to?: number
    readonly median?: number
    readonly sigma?: number
  }
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Json
  readonly limit?: number
  readonly seconds?: number
  readonly bytes?: number
  readonly of?: 'body' | 'answer'
  readonly pieces?: number
  readonly milliseconds?: number
  readonly by?: 'reset' | 'empty' | 'gateway-timeout'
  readonly entries?: number
  readonly versions?: number
  readonly edit?: 'change' | 'remove'
}

export interface PresetRequest {
  readonly preset: FaultPreset
  readonly match?: FaultMatch
}

export type FaultRecord = Fault & {
  /** Exchanges that matched. */
  readonly matched: number
  readonly struck: number
  /** Whether it has struck as often as it may. */
  readonly spent: boolean
}

export type StoredFault = Fault & Tally
