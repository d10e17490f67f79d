import type { BehaviourId } from '../../types/behaviour-settings.d.ts'
import type { BehaviourTracker } from '../behaviours/tracker.ts'
import type { Adaptation } from './adaptation.ts'
import type { FaultStrikes } from '../engine/faults/fault.ts'
import { Defect, type Violation } from '../base/errors/problem.ts'
import type { Integer } from '../base/formats/json.ts'
import type { Steps, Work } from '../engine/slices.ts'
import type { State, StateEvent } from '../engine/state.ts'

/** Who calls. */
export interface Identity {
  readonly userId: Integer
  /** By file set: the directories that the key lists, without slashes around them (`search.visible`). */
  readonly directories?: ReadonlyMap<string, readonly string[]> | undefined
}

/** A parameter, decoded as the contract types it. */
export type ParameterValue = string | Integer | boolean | null | readonly unknown[] | Readonly<Record<string, unknown>>

/** The input of an operation. Parameters that were not sent are absent. */
export interface Call {
  readonly operationId: string
  /** From the seed and the number of the request. */
  readonly requestId: string
  readonly path: Readonly<Record<string, ParameterValue>>
  readonly query: Readonly<Record<string, ParameterValue>>
  /** The normalized body; undefined when there was none. */
  readonly body: unknown
  /** @param name in lower case */
  header(name: string): string | undefined
  /** The path and query as sent. */
  url(): string
  /** Scheme and authority that the client used, by the Host and X-Forwarded-Proto: `http://localhost:4010`. */
  origin(): string
  readonly identity: Identity
  /** The key of the request; the empty string for none. */
  key(): string
  /** Epoch ms by the sandbox's clock, read once for each request. */
  readonly now: number
  readonly tracker: BehaviourTracker
  /** Faults that may affect the response; undefined when there are none. */
  readonly faults?: FaultStrikes | undefined
  /** What to take over from a user's contract; undefined for the packaged one. */
  readonly adaptation?: Adaptation | undefined
}

/** What a handler decided. */
export interface Outcome {
  readonly status: number
  readonly body: OutcomeBody
  readonly headers?: Readonly<Record<string, string>>
  readonly events: readonly StateEvent[]
}

interface JsonBody {
  readonly json: unknown
  /** The same as text, where it is known. */
  readonly text?: string
}

export type OutcomeBody =
  JsonBody | { readonly page: Page } | Content | { readonly empty: true } | { readonly live: LiveBody }

/** A body whose parts are sent when they come. */
export interface LiveBody {
  readonly contentType: string
  /** Sent at once; empty for nothing. */
  readonly opening: string
  /** Ends when there is no more to come, or soon after the signal. */
  parts(signal: AbortSignal): AsyncIterable<string>
}

/** A body that is not JSON, or JSON of another media type. */
export interface Content {
  readonly content: string | Uint8Array
  readonly contentType: string
  /** Bytes of a text, where they are known. */
  readonly length?: number
  /** A text as it is sent, where it is known. */
  readonly encoded?: Uint8Array | undefined
  /** What the client sends for the next page, for the journal; undefined for anything but a page that has one. */
  readonly next?: string | undefined
}

/** The JSON text of an element of a list. */
export interface Fragment {
  readonly text: string
  /** Bytes of the text in UTF-8. */
  readonly bytes: number
}

/** A page of a search: the JSON text of each entry, rendered while it is sent when the page is large, and its context. */
export interface Page {
  readonly fragments: Iterable<Fragment>
  /** Whether the fragments are rendered one by one, so that their length is not known before. */
  readonly streamed: boolean
  /** Call it after all fragments were taken. */
  context(): unknown
  /** Other members that a user's contract requires. */
  readonly added?: Readonly<Record<string, unknown>>
}

/**
 * A stateful operation, in the order of the behaviour `http.order`: the body is normalized and validated, what the path names must
 * exist, the request is read, and decided. All of it is synchronous and pure. A decision that only reads may run in steps, between
 * which other requests are handled: it sees the state of its first step.
 */
export interface Handler {
  /**
   * Makes what the request reads and the state does not have yet, between other requests; undefined where all is there.
   *
   * @param path the parameters of the path, as sent
   * @param header the value of a header by its lower-case name
   */
  prepare?(state: State, path: Readonly<Record<string, string>>, header: Call['header']): Promise<void> | undefined
  /** Whether a missing body stays undefined where the contract requires none; otherwise it is `{}`. */
  readonly takesNothing?: true
  /** A copy of the body with harmless deviations removed, as behaviours allow: nulls omitted, spellings unified. Absent for none. */
  normalizeBody?(body: unknown, tracker: BehaviourTracker, adaptation?: Adaptation): unknown
  /** JSON pointers of members of the body that behaviours accept although the contract does not list them. */
  takes?(tracker: BehaviourTracker, body: unknown): readonly string[]
  /** Whether a query parameter that the contract does not list has an effect. */
  takesQuery?(name: string): boolean
  /** @throws Problem when what the path names does not exist */
  assertExists(state: State, call: Call): void
  /** What counts of the ways in which a body breaks the contract, and the behaviours without which some of it would not. */
  faultsThatCount?(found: readonly Violation[], tracker: BehaviourTracker): CountedFaults
  /** What the author of the contract may do about a violation of it, as a sentence. */
  remedyFor?(violation: Violation): string | undefined
  /** Reads the request. The body may be invalid by the contract, so that all violations are reported at once. */
  read(state: State, call: Call): Reading
}

interface CountedFaults {
  readonly faults: readonly Violation[]
  readonly behaviours: readonly BehaviourId[]
}

/** What a request means: either there are violations, or it can be decided. */
export interface Reading {
  readonly violations: readonly Violation[]
  /** JSON pointers of members of the body that the contract has and that have no effect. */
  readonly ignored?: readonly string[]
  decide(): Work<Outcome>
  /**
   * Decides a later call with the same path, query, body and behaviours without reading it again; absent where the reading depends
   * on anything else.
   */
  repeat?(state: State, call: Call): Work<Outcome>
}

export { refusal, refusalInWords } from '../behaviours/refusal.ts'

/**
 * What a decision needs takes long to make. It is thrown because it is found deep inside code that is synchronous and so cannot wait.
 * The caller catches it, runs the steps while other requests are handled, and decides again from the beginning. That is
 * safe, as decisions are pure, and it ends, as what was made is kept. See `runWhenReady` in `app/middleware/run-handler.ts`.
 */
export class NotReady extends Error {
  readonly steps: Steps<object>

  constructor(steps: Steps<object>) {
    super('what the handler needs is not made yet')
    this.steps = steps
  }
}

/** Decides again once what was not ready is made. */
export function* whenReady<Made>(make: () => Made): Steps<Made> {
  for (;;) {
    try {
      return make()
    } catch (error) {
      if (!(error instanceof NotReady)) throw error
      yield* error.steps
    }
  }
}

/** An event of a user's handler is wrong. */
export class EventDefect extends Defect {}

/** Reads one part of a request and collects its violations. */
export interface Reader {
  readonly tracker: BehaviourTracker
  readonly violations: Violation[]
}
