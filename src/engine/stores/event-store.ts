import type { Awaitable } from '../../base/awaitable.ts'
import type { ExchangeStore } from './exchange-store.ts'
import type { RunFingerprint } from './fingerprint.ts'

/** A sandbox as a store knows it. */
export interface StoredSandbox {
  readonly name: string
  /** The time to live that it was created with, milliseconds; null for no end, undefined for the usual time. */
  readonly ttl?: number | null | undefined
}

/** The events of one sandbox. One that is removed and made again has another stream. */
export interface StoredStream extends StoredSandbox {
  /** Identifies the stream in its store. */
  readonly stream: string
  /** When it was used last, epoch ms, as `create` and `use` were told. */
  readonly usedAt?: number | undefined
}

/** A sandbox that is made in a store. */
interface NewStream extends StoredSandbox {
  /** Epoch ms. */
  readonly usedAt: number
}

/** A part of a snapshot or of a commit: an object that JSON can hold. */
export type StoredRecord = Readonly<Record<string, unknown>>

/** Events that are stored together or not at all. */
export interface StoredCommit {
  /** The number of its first event. It is refused when the stream has another one next. */
  readonly expected: number
  /** The number that the event after it gets. */
  readonly next: number
  readonly records: readonly StoredRecord[]
  /** Where the journal begins again with it: the writers of exchanges that do not work any more. */
  readonly clears?: readonly string[] | undefined
}

/** A sandbox as it was before an event. */
export interface StoredSnapshot {
  /** The number of that event. */
  readonly next: number
  /** May be read once. */
  readonly records: Iterable<StoredRecord>
}

/** A record as it was read. */
export interface FoundRecord {
  readonly value: StoredRecord
  /** Where it stands, for messages about damage: `data/sandbox-1.jsonl:3`. */
  readonly place: string
}

/** A stream as it was read. */
export interface FoundStream {
  /** The number of the first event that the records have after their snapshot, or of the first one that was asked for. */
  readonly first: number
  /** The snapshot, where it is needed, and then the commits, in their order. May be read once. */
  readonly records: Iterable<FoundRecord>
  /** A number that is larger at each later read, whichever process reads; from stores that have `exchanges`. */
  readonly moment?: number | undefined
}

/**
 * Where the events of sandboxes outlive the process. Events are numbered in each stream, from the number of its first snapshot on. Several
 * processes may append to one store: each says which event it expects to be the next one, and decides again where another was faster.
 * `test/engine/stores/conformance.ts` says what each implementation does. What cannot be done now throws a Problem 503 or 507.
 */
export interface EventStore {
  /** What it is, in health checks: `redis`. */
  readonly kind?: string
  /** Epoch ms of the midnight that the first start began at; undefined for a store that is new. */
  readonly firstMoment: number | undefined
  /**
   * Called before everything else. A store that is new keeps the fingerprint.
   *
   * @returns the one that it keeps; where that is another one, the start is refused
   */
  open(fingerprint: RunFingerprint): Awaitable<RunFingerprint>
  /** In the order in which they were made. */
  list(): Awaitable<readonly StoredStream[]>
  /**
   * Makes a stream that begins with a snapshot.
   *
   * @param most how many there may be
   * @returns what identifies it; undefined where there is one of that name, or there are too many
   */
  create(sandbox: NewStream, snapshot: StoredSnapshot, most: number): Awaitable<string | undefined>
  /**
   * Reads a stream from an event on; from a snapshot on where that event is no longer kept, or the stream ends before it.
   *
   * @param from undefined for the whole stream
   * @returns undefined for a stream that was removed
   */
  read(stream: string, from?: number): Awaitable<FoundStream | undefined>
  /** Stores a commit. @returns whether it was the next one; otherwise nothing is stored */
  append(stream: string, commit: StoredCommit): Awaitable<boolean>
  /** Whether a snapshot is due, so that the stream stays short. */
  isLong(stream: string): boolean
  /** Replaces everything before an event by a snapshot. It may be put off. */
  snapshot(stream: string, snapshot: StoredSnapshot): Awaitable<void>
  /** Reserves numbers for request ids. @returns the first one */
  reserve(stream: string, count: number): Awaitable<number>
  /** Notes that a sandbox is used at a moment, if it was used after another one; both are epoch ms. @returns whether it was */
  use(stream: string, at: number, after: number): Awaitable<boolean>
  /**
   * Forgets a stream.
   *
   * @param until epoch ms: only where it was not used after that
   * @returns whether it was there, and is forgotten
   */
  remove(stream: string, until?: number): Awaitable<boolean>
  /** Where replicas share what was sent and received; absent where they do not, and then what needs all of it is refused. */
  readonly exchanges?: ExchangeStore
  close(): Awaitable<void>
}

/** A store of one process alone, which does everything at once. */
export interface LocalStore {
  readonly firstMoment: number | undefined
  /** @throws StartupError when the store belongs to another initial state, and writes nothing then */
  open(fingerprint: RunFingerprint): void
  list(): readonly StoredStream[]
  create(sandbox: StoredSandbox, snapshot: StoredSnapshot): string
  /** Called once for each stream of an earlier process, before it is appended to. */
  read(stream: string): FoundStream
  append(stream: string, commit: StoredCommit): boolean
  /** Keeps a record that may be lost. It is read like a commit. */
  note(stream: string, record: StoredRecord): void
  isLong(stream: string): boolean
  snapshot(stream: string, snapshot: StoredSnapshot): void
  /** Later appends to it are dropped. */
  remove(stream: string): void
  close(): void
}
