import { type Clock } from './clock.ts'
import { createDocuments, type OwnedDocuments, type StoredDocument } from '../resources/collections/collection-store.ts'
import { type Fault, NEW_TALLY, type Tally } from '../faults/fault.ts'
import type { EntriesChange } from '../resources/file-sets/store/entries.ts'
import type { EntryRecord } from '../resources/file-sets/store/file-record.ts'
import type { ReportSchedule } from '../resources/report-schedules/calendar/report-schedule.ts'
import type { Delivery, Run } from '../resources/report-schedules/calendar/run.ts'
import { type FileSet, type Overrides, type OwnedState, progressOf } from './state.ts'

/** A change of the state: past tense, and complete, so that storing it needs no decision. */
export type StateEvent =
  | { readonly type: 'report-schedule.created'; readonly reportSchedule: ReportSchedule }
  | { readonly type: 'report-schedule.updated'; readonly reportSchedule: ReportSchedule }
  | { readonly type: 'report-schedule.removed'; readonly reportScheduleId: number }
  | { readonly type: 'report-schedule.ran'; readonly run: Run; readonly deliveries: readonly Delivery[] }
  | { readonly type: 'deliveries.removed'; readonly ids: readonly number[] }
  /** `from` and `to` are what it showed before and after, epoch ms. */
  | { readonly type: 'clock.moved'; readonly clock: Clock; readonly from: number; readonly to: number }
  | { readonly type: 'file-set.created'; readonly fileSet: FileSet }
  | { readonly type: 'file-set.removed'; readonly fileSetId: string }
  | { readonly type: 'files.added'; readonly fileSetId: string; readonly files: readonly EntryRecord[] }
  | { readonly type: 'files.removed'; readonly fileSetId: string; readonly paths: readonly string[] }
  /** `path` is where it was; the record may have another. */
  | {
      readonly type: 'file.changed'
      readonly fileSetId: string
      readonly path: string
      readonly file: EntryRecord
    }
  | { readonly type: 'fault.armed'; readonly fault: Fault; readonly nextFaultId: number }
  /** An exchange matched, and was struck or let pass. */
  | { readonly type: 'fault.struck' | 'fault.passed'; readonly faultId: string; readonly tally: Tally }
  /** A client waited by the machine's clock as long as it was asked to: by a fault, or else by the behaviour `rate.limit`. */
  | { readonly type: 'rate-limit.lifted'; readonly faultId?: string | undefined }
  | { readonly type: 'faults.removed'; readonly ids: readonly string[] }
  /** All that are otherwise from now on. */
  | { readonly type: 'behaviours.changed'; readonly overrides: Overrides }
  /** A collection is there from its first document on. */
  | {
      readonly type: 'document.created' | 'document.updated'
      readonly collection: string
      readonly id: string
      readonly document: StoredDocument
    }
  | { readonly type: 'document.removed'; readonly collection: string; readonly id: string }

/** As many earlier versions of a file set are kept. */
const VERSIONS_KEPT = 16
/** As many at most where searches see changes late (`search.lag`). */
const MOST_VERSIONS_KEPT = 1000

/** When an event happened, epoch ms by the clock of the sandbox. */
export interface EventTime {
  readonly at: number
  /** How a file set was since this moment must be kept, for searches that see changes late. */
  readonly keptSince?: number
}

/** Stores an event in a state, in place. It only stores: what the event says was decided, and checked, before. */
export function evolve(state: OwnedState, event: StateEvent, time: EventTime): void {
  switch (event.type) {
    case 'report-schedule.created':
    case 'report-schedule.updated': {
      const { reportSchedule } = event
      state.reportSchedules.set(reportSchedule.id, reportSchedule)
      state.nextReportScheduleId = Math.max(state.nextReportScheduleId, reportSchedule.id + 1)
      const known = state.progress.get(reportSchedule.id)
      if (known) state.progress.set(reportSchedule.id, { ...known, settled: reportSchedule.written })
      return
    }
    case 'report-schedule.removed':
      state.reportSchedules.delete(event.reportScheduleId)
      state.progress.delete(event.reportScheduleId)
      return
    case 'report-schedule.ran':
      return storeRun(state, event.run, event.deliveries)
    case 'deliveries.removed': {
      const removed = new Set(event.ids)
      return state.deliveries.removeIf(({ id }) => removed.has(id))
    }
    case 'clock.moved':
      state.clock = event.clock
      return event.to < event.from ? turnBack(state, event.to) : undefined
    case 'file-set.created':
      state.fileSets.set(event.fileSet.id, event.fileSet)
      return
    case 'file-set.removed':
      state.fileSets.delete(event.fileSetId)
      return
    case 'files.added':
      return changeEntries(state, event.fileSetId, { added: event.files }, time)
    case 'files.removed':
      return changeEntries(state, event.fileSetId, { removed: event.paths }, time)
    case 'file.changed':
      return changeEntries(state, event.fileSetId, { removed: [event.path], added: [event.file] }, time)
    case 'fault.armed':
      state.faults.set(event.fault.id, { fault: event.fault, tally: NEW_TALLY })
      state.nextFaultId = event.nextFaultId
      return
    case 'fault.struck':
    case 'fault.passed':
      return storeTally(state, event.faultId, event.tally)
    case 'rate-limit.lifted': {
      const { faultId = '' } = event
      const armed = state.faults.get(faultId)
      return armed && storeTally(state, faultId, { ...armed.tally, taken: 0 })
    }
    case 'faults.removed':
      for (const id of event.ids) state.faults.delete(id)
      return
    case 'behaviours.changed':
      state.overrides = event.overrides
      return
    case 'document.created':
      return documentsOf(state, event.collection).add(event.id, event.document)
    case 'document.updated':
      return documentsOf(state, event.collection).replace(event.id, event.document)
    case 'document.removed':
      return documentsOf(state, event.collection).remove(event.id)
  }
}

function documentsOf({ collections }: OwnedState, name: string): OwnedDocuments {
  const known = collections.get(name)
  if (known) return known
  const made = createDocuments()
  collections.set(name, made)
  return made
}

function storeTally({ faults }: OwnedState, faultId: string, tally: Tally): void {
  const armed = faults.get(faultId)
  if (armed) faults.set(faultId, { ...armed, tally })
}

function storeRun(state: OwnedState, run: Run, deliveries: readonly Delivery[]): void {
  state.runs.append(run)
  state.nextRunId = run.id + 1
  for (const delivery of deliveries) {
    state.deliveries.append(delivery)
    state.nextDeliveryId = delivery.id + 1
  }
  // What a schedule did stays, also when it is gone by now; only what is there goes on.
  const { id } = run.reportSchedule
  if (state.reportSchedules.has(id)) state.progress.set(id, { settled: run.at, lastRun: run.at })
}

/** A clock that is set back: what lies ahead again is to come, but what has run is not repeated. */
function turnBack(state: OwnedState, to: number): void {
  state.runsSince = Math.min(state.runsSince, to)
  for (const reportSchedule of state.reportSchedules.values()) {
    const { settled, lastRun } = progressOf(state, reportSchedule)
    if (settled > to) state.progress.set(reportSchedule.id, { settled: to, lastRun })
  }
}

function changeEntries(state: OwnedState, fileSetId: string, change: EntriesChange, time: EventTime): void {
  const fileSet = state.fileSets.get(fileSetId)
  if (!fileSet) return
  const { entries, version } = fileSet
  const kept = versionsKept(fileSet, time)
  const past = new Map([...fileSet.past, [version, entries] as const].slice(-kept))
  const made = new Map([...(fileSet.made ?? []), [version + 1, time.at] as const].slice(-kept))
  const changed = entries.with(change)
  // A large change builds the set anew, and then it is no longer a generated one with changes.
  const generated = changed.base === entries.base ? fileSet.generated : undefined
  state.fileSets.set(fileSetId, { id: fileSetId, entries: changed, version: version + 1, past, made, generated })
}

function versionsKept({ version, made }: FileSet, { keptSince }: EventTime): number {
  if (keptSince === undefined) return VERSIONS_KEPT
  // The version before the first one made since then is what there was at that moment.
  const [first = version + 1] = [...(made ?? [])].find(([, at]) => at > keptSince) ?? []
  return Math.min(MOST_VERSIONS_KEPT, Math.max(VERSIONS_KEPT, version - first + 2))
}
