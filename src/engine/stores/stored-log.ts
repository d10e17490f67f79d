import { copyImage, createImage } from '../snapshot.ts'
import type { RestoredSandbox } from '../sandbox.ts'
import type { State } from '../state.ts'
import type { EventLog } from './event-log.ts'
import type { LocalStore } from './event-store.ts'
import type { KeptLogs, LogStore } from './log-store.ts'
import { createMemoryLog } from './memory/memory-log.ts'
import { restore } from './restore.ts'
import { commitRecords, imageRecords } from './stored-records.ts'

/** The logs that a store has. */
export function logsIn(store: LocalStore): KeptLogs {
  return {
    firstMoment: store.firstMoment,
    open(fingerprint, initialState) {
      store.open(fingerprint)
      return openLogs(store, initialState)
    },
    close: () => store.close(),
  }
}

/**
 * Reads the sandboxes of a store, and continues there.
 *
 * @param initialState the state whose file sets are only named in the store
 * @throws StartupError for damage
 */
function openLogs(store: LocalStore, initialState: State): LogStore {
  const streams = new Map<string, string>()
  const logOf = (name: string, stream: string, memory: EventLog): EventLog => {
    streams.set(name, stream)
    return createStoredLog(store, { stream, memory, initialState })
  }
  const origin = { model: initialState.model, initialState, made: new Map() }
  const found = new Map<string, RestoredSandbox>()
  for (const { stream, name, ttl } of store.list()) {
    const { image, log } = restore(store.read(stream), origin)
    found.set(name, { image, log: logOf(name, stream, log), ttl })
  }
  return {
    found,
    begin({ name, ttl }, beginning) {
      const image = createImage(beginning)
      const stream = store.create({ name, ttl }, { next: 0, records: imageRecords(image, initialState) })
      return logOf(name, stream, createMemoryLog(copyImage(image)))
    },
    remove(name) {
      const stream = streams.get(name)
      if (stream !== undefined) store.remove(stream)
      streams.delete(name)
    },
  }
}

interface StoredLogParts {
  readonly stream: string
  /** Keeps the latest events besides. */
  readonly memory: EventLog
  readonly initialState: State
}

/** An event log in a store, which also keeps the latest events in memory. */
function createStoredLog(store: LocalStore, { stream, memory, initialState }: StoredLogParts): EventLog {
  const tidy: EventLog['tidy'] = (present) => {
    if (!store.isLong(stream)) return
    const { next } = memory.recent()
    store.snapshot(stream, { next, records: imageRecords(present(), initialState) })
  }
  return {
    append(expected, commit) {
      const next = expected + commit.events.length
      const records = [...commitRecords(expected, commit, initialState)]
      if (!store.append(stream, { expected, next, records }))
        throw new Error(`the event ${expected} is not the next one of the stream ${stream}`)
      memory.append(expected, commit)
    },
    recent: () => memory.recent(),
    countRequests(requests, present) {
      store.note(stream, { requests })
      tidy(present)
    },
    tidy,
  }
}
