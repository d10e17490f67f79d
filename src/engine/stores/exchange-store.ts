import type { Awaitable } from '../../base/awaitable.ts'

/** A request and its response, as the journal writes them. */
export interface StoredExchange {
  /** A moment of the store (`FoundStream.moment`) before the exchange was over, and not before it began. Exchanges are in this order. */
  readonly moment: number
  readonly text: string
}

/** Exchanges that a writer adds at once. Added again, as after a lost answer, they change nothing more. */
export interface ExchangeBatch {
  readonly writer: string
  /** Counts the batches of a writer. */
  readonly round: number
  /** Whether the writer handles no request now. Otherwise its next round begins. */
  readonly isOver: boolean
  /** Whether some before it were lost, since too many waited. */
  readonly isLossy: boolean
  readonly exchanges: readonly StoredExchange[]
}

/** What a store knows of its writers. */
export interface ExchangeWriters {
  readonly moment: number
  /** The rounds of those that handle requests, or have not added all exchanges yet. */
  readonly working: ReadonlyMap<string, number>
  /** Why some exchanges may be lost, as a sentence. */
  readonly doubt?: string | undefined
}

export interface FoundExchange {
  /** Counts from 1 in each stream. */
  readonly number: number
  readonly text: string
}

/** Exchanges of a stream, in their order. */
export interface FoundExchanges {
  readonly exchanges: readonly FoundExchange[]
  /** The number of the latest one; 0 before the first. */
  readonly last: number
  /** The number of the latest one when the journal was cleared. */
  readonly clearedUpTo: number
  /** The number of the latest one when the coverage was cleared. */
  readonly uncoveredUpTo: number
}

/**
 * Where replicas share their exchanges: a list for each stream, which drops the oldest of more than `MAX_STORED` exchanges or `MAX_STORED_LENGTH`
 * characters. A writer says that it handles requests before it responds to the first one, and adds their exchanges later, in batches. Who asks
 * waits until no writer works in the round that it worked in then.
 */
export interface ExchangeStore {
  /** Whether moments are microseconds of a clock, so that one can be told some time after a read. Sessions read less often then. */
  readonly isTimed?: boolean | undefined
  /** @returns a name for a writer that no other one has, without spaces */
  join(): Awaitable<string>
  begin(stream: string, writer: string, round: number): Awaitable<void>
  /** Drops those that were over when the journal was cleared. @returns how many the stream was given, with those that have no number yet */
  add(stream: string, batch: ExchangeBatch): Awaitable<number>
  /** Undefined for a stream that was removed. */
  look(stream: string): Awaitable<ExchangeWriters | undefined>
  /** Numbers those that were over at a moment, and reads those after a number. */
  read(stream: string, until: number, after: number): Awaitable<FoundExchanges | undefined>
  /**
   * Forgets what there is. Exchanges stay for those that count coverage until later ones take their place.
   *
   * @param gone writers that do not work any more, as in `StoredCommit.clears`
   */
  clear(stream: string, what: 'journal' | 'coverage', gone: readonly string[]): Awaitable<void>
}

export const MAX_STORED = 1000
export const MAX_STORED_LENGTH = 8 * 1024 * 1024
