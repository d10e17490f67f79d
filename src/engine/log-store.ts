import { createMemoryLog, type EventLog } from './event-log.ts'
import type { RestoredSandbox } from './sandbox.ts'
import { type Beginning, createImage } from './snapshot.ts'

/** Where the logs of sandboxes are: in memory alone, or where they outlive the process. */
export interface LogStore {
  /** The sandboxes that are there already, in the order of their making. */
  readonly found: ReadonlyMap<string, RestoredSandbox>
  /** The log of a sandbox that begins. @param ttl as it was created with */
  begin(name: string, beginning: Beginning, ttl?: number | null): EventLog
  /** Forgets a sandbox and its log. */
  remove(name: string): void
}

/** Keeps logs in memory alone. */
export const IN_MEMORY: LogStore = {
  found: new Map(),
  begin: (_name, beginning) => createMemoryLog(createImage(beginning)),
  remove() {
    // It was nowhere else.
  },
}
