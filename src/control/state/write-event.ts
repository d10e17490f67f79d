import { iso } from '../../engine/instant.ts'
import { showDelivery, showStored } from '../show.ts'
import type { HistoryEvent } from '../client/types.ts'
import { writeClock, writeFileSet, writeRun } from './write-state.ts'
import type { LoggedEvent } from '../../engine/event-log.ts'
import { type SandboxEvent } from '../../engine/snapshot.ts'
import type { State } from '../../engine/state.ts'

/** An event as data: its type, and the members of that type. */
export interface EventDocument {
  readonly type: string
  readonly [member: string]: unknown
}

/** An event as the history shows it. Of a state that was imported only the size is told. */
export function showEvent({ number, at, requestId, event }: LoggedEvent): HistoryEvent {
  return { number, at: iso(at), ...(requestId === undefined ? {} : { requestId }), ...writeEvent(event) }
}

/**
 * An event as data, with all that storing it needs but what the events before it tell.
 *
 * @param created see `writeWorld`
 */
export function writeEvent(event: SandboxEvent, initialState?: State): EventDocument {
  switch (event.type) {
    case 'report-schedule.created':
    case 'report-schedule.updated':
      return { type: event.type, reportSchedule: showStored(event.reportSchedule) }
    case 'report-schedule.removed':
      return { type: event.type, scheduleId: event.reportScheduleId }
    case 'report-schedule.ran':
      return { type: event.type, run: writeRun(event.run), deliveries: event.deliveries.map(showDelivery) }
    case 'clock.moved':
      return { type: event.type, clock: writeClock(event.clock), from: iso(event.from), to: iso(event.to) }
    case 'file-set.created':
      return { type: event.type, fileSet: writeFileSet(event.fileSet, initialState) }
    case 'sandbox.reset':
      return { type: event.type, since: iso(event.at) }
    case 'state.imported': {
      const { fileSets, reportSchedules } = event.state.state
      return { type: event.type, fileSets: fileSets.size, reportSchedules: reportSchedules.size }
    }
    case 'checkpoint.taken':
      return { type: event.type, name: event.name, now: iso(event.snapshot.taken) }
    case 'document.created':
    case 'document.updated': {
      const { type, collection, id, document } = event
      return { type, collection, id, document: document.value }
    }
    case 'document.removed':
    case 'deliveries.removed':
    case 'file-set.removed':
    case 'files.added':
    case 'files.removed':
    case 'file.changed':
    case 'checkpoint.removed':
    case 'checkpoint.restored':
    case 'fault.armed':
    case 'fault.struck':
    case 'fault.passed':
    case 'rate-limit.lifted':
    case 'faults.removed':
    case 'behaviours.changed':
      // Names, numbers, paths and records, which are data as they are.
      return event
  }
}
