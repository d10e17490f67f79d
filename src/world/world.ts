import type { Clock } from './clock.ts'
import type { Documents, OwnedDocuments } from './documents.ts'
import type { ArmedFault } from './fault.ts'
import type { FileChoices } from './file-sets/file-choices.ts'
import type { Entries } from './file-sets/entries.ts'
import type { OwnedLatest, Latest } from './latest.ts'
import type { ReportSchedule } from './report-schedules/report-schedule.ts'
import type { Delivery, Progress, Run } from './report-schedules/run.ts'

/** One file set. Its entries never change; a change puts new ones in their place. */
export interface FileSet {
  readonly id: string
  readonly entries: Entries
  /** How many changes it has seen. */
  readonly version: number
  /** When the latest versions were made, epoch ms by the clock of the sandbox. What a world begins with is not here. */
  readonly made?: ReadonlyMap<number, number> | undefined
  /** Earlier entries by version, the newest last: walks that the ledger lets see a snapshot go on with them. */
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
export interface World {
  readonly seed: number
  readonly clock: Clock
  readonly fileSets: ReadonlyMap<string, FileSet>
  readonly reportSchedules: ReadonlyMap<number, ReportSchedule>
  /** The id that the next report schedule gets; ids are never used twice. */
  readonly nextReportScheduleId: number
  /** Epoch ms: no run up to this instant is made, however old the schedule. A world has no runs from before it began. */
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
  /** Answers of the ledger that are otherwise in this world than in others, by the id of their row. */
  readonly overrides: Overrides
  /** Documents of the user's own operations, by the name of their collection. */
  readonly collections: ReadonlyMap<string, Documents>
}

export type Overrides = Readonly<Record<string, unknown>>

export const NO_OVERRIDES: Overrides = {}

/** A world that its sandbox owns and `evolve` may change in place. */
export interface OwnedWorld extends World {
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

/** A world of one's own that starts like another. The large parts, the entries of file sets, are shared. */
export function copyWorld(world: World): OwnedWorld {
  return {
    ...world,
    fileSets: new Map(world.fileSets),
    reportSchedules: new Map(world.reportSchedules),
    progress: new Map(world.progress),
    runs: world.runs.copy(),
    deliveries: world.deliveries.copy(),
    faults: new Map(world.faults),
    collections: copyCollections(world.collections),
  }
}

function copyCollections(collections: World['collections']): Map<string, OwnedDocuments> {
  const copies = new Map<string, OwnedDocuments>()
  for (const [name, documents] of collections) copies.set(name, documents.copy())
  return copies
}

/** How far a schedule of the world has come. */
export function progressOf(world: World, { id, written }: Pick<ReportSchedule, 'id' | 'written'>): Progress {
  const { settled, lastRun } = world.progress.get(id) ?? { settled: written, lastRun: undefined }
  return { settled: Math.max(settled, world.runsSince), lastRun }
}
