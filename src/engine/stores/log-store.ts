import type { RestoredSandbox } from '../sandbox.ts'
import { type Beginning, createImage } from '../snapshot.ts'
import type { State } from '../state.ts'
import type { EventLog } from './event-log.ts'
import type { RunFingerprint } from './fingerprint.ts'
import { createMemoryLog } from './memory/memory-log.ts'

/** Where the logs of sandboxes are: in memory alone, or where they outlive the process. */
export interface LogStore {
  /** The sandboxes that are there already, in the order of their making. */
  readonly found: ReadonlyMap<string, RestoredSandbox>
  /** The log of a sandbox that begins. @param ttl as it was created with */
  begin(name: string, beginning: Beginning, ttl?: number | null): EventLog
  /** Forgets a sandbox and its log. */
  remove(name: string): void
}

/** The logs of an earlier process, or of other ones. */
export interface KeptLogs {
  /** When their initial state was created, epoch ms; undefined when there is none yet. */
  readonly firstMoment: number | undefined
  /** Reads them. @throws StartupError for another initial state, and for damage */
  open(fingerprint: RunFingerprint, initialState: State): LogStore
  close(): void
}

/** Keeps logs in memory alone. */
export const IN_MEMORY: LogStore = {
  found: new Map(),
  begin: (_name, beginning) => createMemoryLog(createImage(beginning)),
  remove() {
    // It was nowhere else.
  },
}
