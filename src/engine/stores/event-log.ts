import type { Image, SandboxEvent } from '../snapshot.ts'

/** An event as the log keeps it. */
export interface LoggedEvent {
  /** Counts from 0 in each sandbox, and is never used twice. */
  readonly number: number
  /** Epoch ms by the sandbox's clock, before the event. */
  readonly at: number
  /** How many request ids were given out before. */
  readonly requests: number
  /** The request that it came from; undefined for what the control API or the time did. */
  readonly requestId: string | undefined
  readonly event: SandboxEvent
}

/** Events that are stored together or not at all. */
export interface Commit extends Omit<LoggedEvent, 'number' | 'event'> {
  readonly events: readonly SandboxEvent[]
}

/** The latest events, and the sandbox before them. */
export interface Recent {
  /** The number of the first event that is kept. */
  readonly first: number
  /** The number that the next event gets. */
  readonly next: number
  /** The sandbox before the first event that is kept. */
  before(): Image
  /** The kept events from a number on. */
  from(number: number): Iterable<LoggedEvent>
}

/**
 * The events of a sandbox, in order: in memory (`createMemoryLog`), or in a store besides (`createStoredLog`). A sandbox is the only
 * writer of its log.
 */
export interface EventLog {
  /**
   * Stores events. When it returns they are as durable as the log is.
   *
   * @param expected the number of the first one. @throws Error when it is not the next one, Problem 507 when the disk is full
   */
  append(expected: number, commit: Commit): void
  recent(): Recent
  /** Stores how many request ids were given out. Absent for logs in memory, whose sandbox knows it. */
  countRequests?(requests: number, present: () => Image): void
  /** Called between two commits: the log may rewrite itself, shorter, from the present sandbox. Absent for logs in memory. */
  tidy?(present: () => Image): void
  /** Starts again from the present sandbox. Absent for logs in files, which keep their beginning. @param next the number of the next event */
  restart?(present: Image, next: number): void
}
