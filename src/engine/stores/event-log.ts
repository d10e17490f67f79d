import type { Image, OwnedImage, SandboxEvent } from '../snapshot.ts'
import type { SharedExchanges } from './shared-exchanges.ts'

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
  /** How it is shared with other processes; undefined for logs of this process alone. */
  readonly shared?: Shared
  /** Starts again from the present sandbox. Absent for logs in files, which keep their beginning. @param next the number of the next event */
  restart?(present: Image, next: number): void
}

/** A log that other processes append to as well: `SharedLog`. */
export interface Shared {
  belongTo(sandbox: SharedSandbox): void
  /** Whether the sandbox is in the store. */
  readonly isStored: boolean
  /** Whether events wait, or are on their way to the store. */
  readonly isWaiting: boolean
  /** The number of a request; `refresh` has reserved it. */
  takeNumber(): number
  /** Reads what other processes changed before this call; undefined where a session has nothing to wait for. */
  refresh(by: RefreshedBy): Promise<void> | undefined
  /** What clients of a session send back to see at least what is stored now; undefined without sessions. */
  readonly session: string | undefined
  /** Stores everything that waits; undefined when nothing does. @throws Overtaken when another process was faster */
  confirm(): Promise<void> | undefined
  /** The exchanges of all processes; undefined where the store does not share them. */
  readonly exchanges: SharedExchanges | undefined
  /** Whether no other process has handled requests to the sandbox. @throws Problem 503 when the store is away */
  isAlone(): Promise<boolean>
  /** Removes the sandbox from the store. */
  remove(): Promise<void>
}

/** Who reads what other processes changed. */
export interface RefreshedBy {
  /** Whether the caller will take the number of a request. */
  readonly isNumbered?: boolean
  /** Whether it uses the sandbox, which starts its time to live again. */
  readonly isUse?: boolean
  /** The `session` that the client has seen. */
  readonly seen?: string | undefined
  /** The time to live of a sandbox that is made for it. @throws Problem 400 */
  readonly ttl?: () => number | undefined
}

/** The sandbox that a log belongs to. */
export interface SharedSandbox {
  readonly image: OwnedImage
  /** Sets its image, and the number of its next event. */
  replace(image: OwnedImage, nextEvent: number): void
  /** Stores an event in an image of it. */
  evolve(image: OwnedImage, event: SandboxEvent, at: number): void
  /** Stores an event of another process. */
  follow(event: SandboxEvent, at: number): void
  /** Tells observers of an event that is stored. @param isOwn whether this process decided it */
  announce(event: SandboxEvent, isOwn: boolean): void
}
