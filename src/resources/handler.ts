import type { BehaviourTracker } from '../behaviours/tracker.ts'
import type { Adaptation } from './adaptation.ts'
import type { FaultStrikes } from '../faults/fault.ts'
import { shown, type Violation } from '../errors/problem.ts'
import type { StateEvent } from '../engine/state.ts'
import type { Integer } from '../formats/json.ts'
import type { Work } from '../engine/steps.ts'
import type { State } from '../engine/state.ts'

/** Who calls. */
export interface Identity {
  readonly userId: Integer
  /** By file set: the directories that the key lists, without slashes around them (`search.visible`). */
  readonly directories?: ReadonlyMap<string, readonly string[]> | undefined
}

/** A text, or what the contract says a text stands for. */
export type ParameterValue = string | Integer | boolean | null | readonly unknown[] | Readonly<Record<string, unknown>>

/** The input of an operation. Parameters are decoded by the types that the contract gives them; absent ones are not there. */
export interface Call {
  readonly operationId: string
  /** Of the exchange; a draw from the seed and the number of the request. */
  readonly requestId: string
  readonly path: Readonly<Record<string, ParameterValue>>
  readonly query: Readonly<Record<string, ParameterValue>>
  /** The body with whatever the behaviour catalogue overlooks already mended; undefined when there was none. */
  readonly body: unknown
  header(name: string): string | undefined
  readonly identity: Identity
  /** The key that came with the request; the empty string for none. */
  key(): string
  /** Epoch ms by the sandbox's clock, read once for the whole exchange. */
  readonly now: number
  readonly tracker: BehaviourTracker
  /** Faults that may affect the response; undefined when there are none. */
  readonly faults?: FaultStrikes | undefined
  /** What to take over from a contract of the user's own; undefined where there is none. */
  readonly follows?: Adaptation | undefined
}

/** A parameter as a text; a list or an object, which no name of ours is, as JSON. */
export function asText(value: ParameterValue | undefined): string {
  return typeof value === 'object' ? shown(value) : String(value)
}

/** What a handler decided. */
export interface Outcome {
  readonly status: number
  readonly body: OutcomeBody
  readonly headers?: Readonly<Record<string, string>>
  readonly events: readonly StateEvent[]
}

export type OutcomeBody = { readonly json: unknown } | { readonly page: Page } | Content | { readonly empty: true }

/** What is no JSON, or JSON of another name. */
export interface Content {
  readonly content: string | Uint8Array
  readonly contentType: string
}

/** The JSON text of an element of a list. */
export interface Fragment {
  readonly text: string
  /** Bytes of the text in UTF-8. */
  readonly bytes: number
}

/** A page of a search: the JSON text of each entry, made while it is sent when the page is large, and then its context. */
export interface Page {
  readonly fragments: Iterable<Fragment>
  /** Whether the fragments are made one by one, so that their length is not known beforehand. */
  readonly streamed: boolean
  /** To be asked when all fragments were taken. */
  context(): unknown
  /** What stands beside them by a contract of the user's own. */
  readonly added?: Readonly<Record<string, unknown>>
}

/**
 * A stateful operation, in the order of the behaviour `http.order`: the request is mended and held against the contract, what it
 * names must exist, its meaning is read, and one decision is made. All of it is synchronous and pure. A decision that only reads
 * may be given in steps, between which other requests are answered: it goes on with the state as it was at its first step.
 */
export interface Handler {
  /** Whether a request without a body, where the contract asks for none, reaches it as one; else the body is `{}`. */
  readonly takesNothing?: true
  /** A copy of the body with what the behaviour catalogue overlooks mended: nulls left out, spellings unified. */
  normalizeBody(body: unknown, tracker: BehaviourTracker, follows?: Adaptation): unknown
  /** JSON pointers of members of the body that behaviours take, whether the contract knows them or not. */
  takes?(tracker: BehaviourTracker): readonly string[]
  /** @throws Problem when what the path names does not exist */
  find(state: State, call: Call): void
  /** Reads the meaning of the request. It must bear a body that the contract has refused, to tell all that is wrong at once. */
  read(state: State, call: Call): Reading
}

/** What a request means: either there are violations, or it can be decided. */
export interface Reading {
  readonly violations: readonly Violation[]
  decide(): Work<Outcome>
  /**
   * The same for a later call with the same path, query, body and behaviours, so that those need not be read again; absent where
   * the reading depends on anything else.
   */
  repeat?(state: State, call: Call): Work<Outcome>
}

export { refusal, refusalInWords } from '../behaviours/refusal.ts'
