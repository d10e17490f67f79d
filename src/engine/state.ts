import type { Clock } from './clock.ts'
import type { Documents, OwnedDocuments } from '../resources/collections/collection-store.ts'
import type { ArmedFault } from '../faults/fault.ts'
import type { FileChoices } from '../resources/file-sets/store/file-record.ts'
import type { Entries } from '../resources/file-sets/store/entries.ts'
import type { OwnedLatest, Latest } from './latest.ts'
import type { ReportSchedule } from '../resources/report-schedules/calendar/report-schedule.ts'
import type { Delivery, Progress, Run } from '../resources/report-schedules/calendar/run.ts'

/** One file set. Its entries never change; a change puts new ones in their place. */
export interface FileSet {
  readonly id: string
  readonly entries: Entries
  /** How many changes it has seen. */
  readonly version: number
  /** When the latest versions were made, epoch ms by the clock of the sandbox. What a state begins with is not here. */
  readonly made?: ReadonlyMap<number, number> | undefined
  /** Earlier entries by version, the newest last: walks that the behaviours let see a snapshot go on with them. */
  readonly past: ReadonlyMap<number, Entries>
  /** What the base of its entries was generated from; undefined for a set of given records. */
  readonly generated?: Generation | undefined
}

/** All that the files of a generated set follow from. */
export interface Generation {
  readonly seed: number
  readonly files: number
  /** Epoch ms of a midnight; the dates of the files lie before it. */
  readonly firstMoment: number
  /** The usual when absent. */
  readonly choices?: FileChoices | undefined
}

/** All state of one sandbox, as everybody but `evolve` sees it. */
export interface State {
  readonly seed: number
  readonly clock: Clock
  readonly fileSets: ReadonlyMap<string, FileSet>
  readonly reportSchedules: ReadonlyMap<number, ReportSchedule>
  /** The id that the next report schedule gets; ids are never used twice. */
  readonly nextReportScheduleId: number
  /** Epoch ms: no run up to this instant is made, however old the schedule. A state has no runs from before it began. */
  readonly runsSince: number
  /** By report schedule; one that is not here is settled up to when it was written, and has never run. */
  readonly progress: ReadonlyMap<number, Progress>
  /** In the order of their making. */
  readonly runs: Latest<Run>
  readonly deliveries: Latest<Delivery>
  readonly nextRunId: number
  readonly nextDeliveryId: number
  /** By id, in the order of their arming. */
  readonly faults: ReadonlyMap<string, ArmedFault>
  /** The number of the next fault that is given no id. */
  readonly nextFaultId: number
  /** settings of behaviours that are otherwise in this state than in others, by the id of their row. */
  readonly overrides: Overrides
  /** Documents of the user's own operations, by the name of their collection. */
  readonly collections: ReadonlyMap<string, Documents>
}

export type Overrides = Readonly<Record<string, unknown>>

export const NO_OVERRIDES: Overrides = {}

/** A state that its sandbox owns and `evolve` may change in place. */
export interface OwnedState extends State {
  clock: Clock
  fileSets: Map<string, FileSet>
  reportSchedules: Map<number, ReportSchedule>
  nextReportScheduleId: number
  runsSince: number
  progress: Map<number, Progress>
  runs: OwnedLatest<Run>
  deliveries: OwnedLatest<Delivery>
  nextRunId: number
  nextDeliveryId: number
  faults: Map<string, ArmedFault>
  nextFaultId: number
  overrides: Overrides
  collections: Map<string, OwnedDocuments>
}

/** A state of one's own that starts like another. The large parts, the entries of file sets, are shared. */
export function copyState(state: State): OwnedState {
  return {
    ...state,
    fileSets: new Map(state.fileSets),
    reportSchedules: new Map(state.reportSchedules),
    progress: new Map(state.progress),
    runs: state.runs.copy(),
    deliveries: state.deliveries.copy(),
    faults: new Map(state.faults),
    collections: copyCollections(state.collections),
  }
}

function copyCollections(collections: State['collections']): Map<string, OwnedDocuments> {
  const copies = new Map<string, OwnedDocuments>()
  for (const [name, documents] of collections) copies.set(name, documents.copy())
  return copies
}

/** How far a schedule of the state has come. */
export function progressOf(state: State, { id, written }: Pick<ReportSchedule, 'id' | 'written'>): Progress {
  const { settled, lastRun } = state.progress.get(id) ?? { settled: written, lastRun: undefined }
  return { settled: Math.max(settled, state.runsSince), lastRun }
}
