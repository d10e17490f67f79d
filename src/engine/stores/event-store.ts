import type { RunFingerprint } from './fingerprint.ts'

/** A value that is there at once, or later. Where it is there at once, nothing waits. */
export type Awaitable<Value> = Value | Promise<Value>

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
  /** The number of the first event after the snapshot. */
  readonly first: number
  /** The snapshot and then the commits, in their order. May be read once, and while that is done nothing is appended. */
  readonly records: Iterable<FoundRecord>
}

/**
 * Where the events of sandboxes outlive the process. Events are numbered in each stream, from the number of its first snapshot on.
 * `test/engine/stores/conformance.ts` says what each implementation does.
 */
export interface EventStore {
  /** Epoch ms of the midnight that the first start began at; undefined for a store that is new. */
  readonly firstMoment: number | undefined
  /** Called once, before everything else. @throws StartupError when the store belongs to another initial state, and writes nothing then */
  open(fingerprint: RunFingerprint): void
  /** In the order in which they were made. */
  list(): readonly StoredStream[]
  /** Makes a stream that begins with a snapshot. */
  create(sandbox: StoredSandbox, snapshot: StoredSnapshot): string
  read(stream: string): FoundStream
  /** Stores a commit. @returns whether it was the next one; otherwise nothing is stored */
  append(stream: string, commit: StoredCommit): boolean
  /** Keeps a record that may be lost. It is read like a commit. */
  note?(stream: string, record: StoredRecord): void
  /** Whether a snapshot is due, so that the stream stays short. */
  isLong(stream: string): boolean
  /** Replaces everything before an event by a snapshot. It may be put off. */
  snapshot(stream: string, snapshot: StoredSnapshot): void
  /** Forgets a stream. Later appends to it are dropped. */
  remove(stream: string): void
  close(): void
}
