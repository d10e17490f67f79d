import type { Violation } from '../errors/problem.ts'

/** What goes over the wire of the journal, of verification, of the archive and of the stream. */

/** ISO 8601 in UTC. */
type InstantText = string

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
  /** What was sent; null when the connection ended without a byte. */
  readonly answer: {
    /** 0 for bytes that are no HTTP response. */
    readonly status: number
    readonly headers: readonly HeaderRecord[]
    readonly body: string | null
    /** Present where the body is not UTF-8. */
    readonly encoding?: 'base64'
    /** False where the connection ended before all of it was sent. */
    readonly isComplete: boolean
    readonly isCut: boolean
    /** Whether the body made room for later ones. */
    readonly isForgotten: boolean
  } | null
  readonly hasChanged: boolean
  readonly behaviours: readonly string[]
  readonly problem: string | null
  readonly issues: readonly Violation[]
  readonly fault: string | null
  /** The id of the exchange that a browser repeated by itself with this one, and that the fault struck; absent otherwise. */
  readonly repeats?: number
  /** The stack of a defect of the mock; absent where there is none. */
  readonly defect?: string
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
      readonly encoding?: 'base64'
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
