import type { RestoredSandbox } from '../sandbox.ts'
import { type Beginning, createImage } from '../snapshot.ts'
import type { State } from '../state.ts'
import type { EventLog } from './event-log.ts'
import type { StoredStream } from './event-store.ts'
import type { RunFingerprint } from './fingerprint.ts'
import { createMemoryLog } from './memory/memory-log.ts'

/** A sandbox that begins. */
interface NewLog {
  readonly name: string
  /** As it was created with. */
  readonly ttl?: number | null | undefined
  /** Whether another process must not have one of this name. */
  readonly mustBeNew?: boolean
  /** Where it begins when it is made again, after another process has removed it. */
  readonly again?: () => Beginning
}

/** Where the logs of sandboxes are: in memory alone, or where they outlive the process. */
export interface LogStore {
  /** The sandboxes that are there already, in the order of their making. */
  readonly found: ReadonlyMap<string, RestoredSandbox>
  /** The log of a sandbox that begins. */
  begin(sandbox: NewLog, beginning: Beginning): EventLog
  /** Forgets a sandbox and its log. */
  remove(name: string): void
  /** All sandboxes that processes share, without those that have expired; absent where none are shared. */
  list?(): Promise<readonly StoredStream[]>
}

/** The logs of an earlier process, or of other ones. */
export interface KeptLogs {
  /** When their initial state was created, epoch ms; undefined when there is none yet. */
  readonly firstMoment: number | undefined
  /** Reads them. @throws StartupError for another initial state, and for damage */
  open(fingerprint: RunFingerprint, initialState: State): LogStore
  /** Resolves when a store that others share belongs to the same initial state. @throws StartupError otherwise */
  ready?(): Promise<void>
  /** How the store is that others share; absent where there is none. */
  health?(): StoreHealth
  close(): void | Promise<void>
}

/** How a store is, as a replica saw it last. */
export interface StoreHealth {
  /** `redis`, `memory`, or `custom` for a store of the user's own. */
  readonly kind: string
  readonly status: 'ready' | 'away'
  /** Sandboxes whose latest exchanges this replica has not stored yet. */
  readonly behind: number
}

/** Keeps logs in memory alone. */
export const IN_MEMORY: LogStore = {
  found: new Map(),
  begin: (_sandbox, beginning) => createMemoryLog(createImage(beginning)),
  remove() {
    // It was nowhere else.
  },
}
