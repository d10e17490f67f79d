import type { StateEvent } from '../engine/state.ts'
import type { Delivery, Run } from '../resources/report-schedules/calendar/run.ts'

/** Something that happened in a sandbox, small enough to be remembered by the thousand. */
export type Happening =
  /** By its id, for the journal has the bounds that exchanges are kept within. */
  | { readonly kind: 'exchange'; readonly exchangeId: number }
  | { readonly kind: 'run'; readonly run: Run }
  | { readonly kind: 'delivery'; readonly delivery: Delivery }
  | { readonly kind: 'state'; readonly change: StateChange }

/** An event of the state; of those that may be long only what they concern. */
export type StateChange =
  | Exclude<StateEvent, { readonly type: LongEvent }>
  | { readonly type: 'deliveries.removed'; readonly count: number }
  | { readonly type: 'file-set.created'; readonly fileSetId: string; readonly files: number }
  | {
      readonly type: 'files.added' | 'files.removed'
      readonly fileSetId: string
      readonly count: number
      /** The first of them. */
      readonly paths: readonly string[]
    }
  | { readonly type: 'file.changed'; readonly fileSetId: string; readonly path: string; readonly to: string }
  | {
      readonly type: 'document.created' | 'document.updated'
      readonly collection: string
      readonly id: string
    }
  /** It stands at its beginning, being new or having been reset; or it became what a checkpoint or a state holds. */
  | { readonly type: 'sandbox.begun' | 'sandbox.restored' }

type LongEvent =
  | 'report-schedule.ran'
  | 'deliveries.removed'
  | 'file-set.created'
  | 'files.added'
  | 'files.removed'
  | 'file.changed'
  | 'document.created'
  | 'document.updated'

/** Publishes what happens in a sandbox to its listeners, and keeps the latest events for those that reconnect. */
export interface Feed {
  /** Tells this feed from one of another process or of an earlier sandbox of the name. */
  readonly fingerprint: string
  /** The number of the latest happening; 0 before the first. */
  readonly last: number
  /** The number of the oldest that is remembered; one more than `last` when none is. */
  readonly first: number
  /** By its number; undefined when it is not remembered. */
  at(number: number): Happening | undefined
  tell(happening: Happening): void
  tellEvent(event: StateEvent): void
  /** @param exchangeId in the sandbox's journal */
  tellExchange(exchangeId: number): void
  /** @param wake is called when something has happened, and after the feed was closed @returns stops it */
  listen(wake: () => void): () => void
  /** Nothing will happen any more: the sandbox is gone. */
  close(): void
  readonly isClosed: boolean
}

/** As many happenings are remembered; each takes a few dozen bytes besides what others keep anyhow. */
const MOST_HAPPENINGS = 4096

/** A change of many files lists at most this many paths. */
const MOST_PATHS = 5

/** @param birth a text without spaces */
export function createFeed(fingerprint: string): Feed {
  /** An exchange by its id and a change as it is, not wrapped: there is one for each request, and the garbage collector copies what is kept. */
  const ring: (Happening | StateChange | number)[] = []
  const listeners = new Set<() => void>()
  let last = 0
  let isClosed = false
  const tell = (happening: Happening | StateChange | number) => {
    ring[last++ % MOST_HAPPENINGS] = happening
    for (const wake of listeners) wake()
  }
  const at = (number: number): Happening | undefined => {
    if (number <= last - MOST_HAPPENINGS || number > last) return undefined
    const told = ring[(number - 1) % MOST_HAPPENINGS]
    if (typeof told === 'number') return { kind: 'exchange', exchangeId: told }
    return told && 'type' in told ? { kind: 'state', change: told } : told
  }
  return {
    fingerprint,
    get last() {
      return last
    },
    get first() {
      return Math.max(0, last - MOST_HAPPENINGS) + 1
    },
    at,
    tell,
    tellExchange: tell,
    tellEvent(event) {
      if (event.type === 'report-schedule.ran') {
        tell({ kind: 'run', run: event.run })
        for (const delivery of event.deliveries) tell({ kind: 'delivery', delivery })
      } else tell(shorten(event))
    },
    listen(wake) {
      listeners.add(wake)
      return () => void listeners.delete(wake)
    },
    close() {
      isClosed = true
      for (const wake of listeners) wake()
    },
    get isClosed() {
      return isClosed
    },
  }
}

function shorten(event: Exclude<StateEvent, { readonly type: 'report-schedule.ran' }>): StateChange {
  // Other resources have short events: they are published as they are.
  switch (event.type) {
    case 'deliveries.removed':
      return { type: event.type, count: event.ids.length }
    case 'file-set.created':
      return { type: event.type, fileSetId: event.fileSet.id, files: event.fileSet.entries.fileCount }
    case 'files.added': {
      const paths = event.files.slice(0, MOST_PATHS).map(({ path }) => path)
      return { type: event.type, fileSetId: event.fileSetId, count: event.files.length, paths }
    }
    case 'files.removed':
      return {
        type: event.type,
        fileSetId: event.fileSetId,
        count: event.paths.length,
        paths: event.paths.slice(0, MOST_PATHS),
      }
    case 'file.changed':
      return { type: event.type, fileSetId: event.fileSetId, path: event.path, to: event.file.path }
    case 'document.created':
    case 'document.updated':
      return { type: event.type, collection: event.collection, id: event.id }
    default:
      return event
  }
}
