import type { Violation } from '../problem.ts'
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
  /** By the sandbox's clock, when the request came. */
  readonly now: InstantText
  /** How many request ids were given out, its own included. */
  readonly requests: number
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

export interface HeaderRecord {
  readonly name: string
  readonly value: string
}

/** A request of the emulated service and its answer, without the keys. */
export interface ExchangeRecord {
  /** Counts from 1 in each sandbox. */
  readonly id: number
  readonly requestId: string
  readonly sandbox: string
  /** By the sandbox's clock when the request came. */
  readonly now: InstantText
  /** By the machine's clock. */
  readonly answeredAt: InstantText
  readonly milliseconds: number
  readonly operationId: string | null
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: readonly HeaderRecord[]
    readonly body: string | null
    /** Whether only the beginning of the body is kept. */
    readonly isCut: boolean
  }
  /** Null when the connection ended without one. */
  readonly answer: {
    readonly status: number
    readonly headers: readonly HeaderRecord[]
    readonly body: string | null
    readonly isCut: boolean
    /** Whether the body made room for later ones. */
    readonly isForgotten: boolean
  } | null
  readonly hasChanged: boolean
  readonly behaviours: readonly string[]
  readonly problem: string | null
  readonly issues: readonly Violation[]
  readonly fault: string | null
}

/** What an exchange must be like. In patterns `*` stands for any run of characters. */
export interface ExchangeMatch {
  readonly operationId?: string
  readonly method?: string
  /** A pattern for the whole path as it was sent. */
  readonly path?: string
  /** `429`, `4XX`, or `0` for an exchange without an answer. */
  readonly status?: string | number
  /** Patterns for whole values; null asks that there is none. */
  readonly query?: Readonly<Record<string, string | null>>
  readonly headers?: Readonly<Record<string, string | null>>
  /** A pattern for a part of the request's body. */
  readonly body?: string
  /** What the request's body must have as JSON. */
  readonly json?: unknown
  /** A pattern for a part of the answer's body. */
  readonly answer?: string
  readonly fault?: string
}

export interface ExchangeFilter extends Pick<
  ExchangeMatch,
  'operationId' | 'method' | 'path' | 'status' | 'body' | 'answer' | 'fault'
> {
  /** `prefer`, or `prefer: code=*`. */
  readonly header?: string
  /** By the sandbox's clock, inclusive. */
  readonly since?: string
  /** Exchanges with greater ids. */
  readonly after?: number
}

export interface ExchangeList {
  /** How many fit. */
  readonly total: number
  /** How many of the time in question are gone because there was no room for them. */
  readonly forgotten: number
  /** What to send as `after` for the next ones; null when there are none. */
  readonly next: number | null
  readonly exchanges: readonly ExchangeRecord[]
}

/** One of: a count of what matches, an order, or a habit of the client. */
export interface Expectation {
  /** For the result. */
  readonly name?: string
  /** What is counted, or what the rest is narrowed to. */
  readonly match?: ExchangeMatch
  readonly exactly?: number
  /** 1 when no other count is given. */
  readonly atLeast?: number
  readonly atMost?: number
  readonly order?: readonly ExchangeMatch[]
  readonly walkedEveryPageOnce?: true
  /** Seconds. */
  readonly backedOffAtLeast?: number
  /** Which clock `backedOffAtLeast` goes by; the one that shows more when absent. */
  readonly clock?: 'either' | 'sandbox' | 'machine'
  readonly neverSentSameCreateTwice?: true
}

export interface VerifyRequest {
  /** Exchanges with greater ids; all when absent. */
  readonly after?: number
  readonly expectations: readonly Expectation[]
}

export interface Verification {
  readonly passed: boolean
  /** How many exchanges were looked at. */
  readonly exchanges: number
  readonly forgotten: number
  readonly results: readonly ExpectationResult[]
}

export interface ExpectationResult {
  readonly name: string | null
  readonly passed: boolean
  readonly expected: string
  readonly received: string
  /** The ids of the first exchanges that matched. */
  readonly matched: readonly number[]
  readonly misses: readonly Miss[]
}

/** What came near, or was amiss. */
export interface Miss {
  /** Ids. */
  readonly exchanges: readonly number[]
  readonly summary: string
  readonly differences: readonly { readonly what: string; readonly expected: string; readonly received: string }[]
}

/** HTTP Archive 1.2. */
export interface Har {
  readonly log: {
    readonly version: '1.2'
    readonly creator: { readonly name: string; readonly version: string }
    readonly pages: readonly never[]
    readonly entries: readonly HarEntry[]
  }
}

export interface HarEntry {
  readonly startedDateTime: InstantText
  readonly time: number
  readonly request: {
    readonly method: string
    readonly url: string
    readonly httpVersion: string
    readonly cookies: readonly never[]
    readonly headers: readonly HeaderRecord[]
    readonly queryString: readonly HeaderRecord[]
    readonly postData?: { readonly mimeType: string; readonly text: string; readonly comment?: string }
    readonly headersSize: number
    readonly bodySize: number
  }
  readonly response: {
    readonly status: number
    readonly statusText: string
    readonly httpVersion: string
    readonly cookies: readonly never[]
    readonly headers: readonly HeaderRecord[]
    readonly content: {
      readonly size: number
      readonly mimeType: string
      readonly text?: string
      readonly comment?: string
    }
    readonly redirectURL: string
    readonly headersSize: number
    readonly bodySize: number
  }
  readonly cache: Readonly<Record<string, never>>
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number }
  readonly comment?: string
  readonly _id: number
  readonly _sandbox: string
  readonly _operationId: string | null
}

/** A server-sent event of the stream. */
export interface StreamEvent {
  /** To be sent as `Last-Event-ID` to go on after it. */
  readonly id: string
  readonly event: 'exchange' | 'world' | 'run' | 'delivery' | 'gap' | 'end'
  readonly data: unknown
}
