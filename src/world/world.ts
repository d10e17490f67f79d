import type { Clock } from './clock.ts'
import type { Entries } from './file-sets/entries.ts'
import type { ReportSchedule } from './report-schedules/report-schedule.ts'

/** One file set. Its entries never change; a change puts new ones in their place. */
export interface FileSet {
  readonly id: string
  readonly entries: Entries
  /** How many changes it has seen. */
  readonly version: number
  /** Earlier entries by version, the newest last: walks that the ledger lets see a snapshot go on with them. */
  readonly past: ReadonlyMap<number, Entries>
}

/** All state of one sandbox, as everybody but `evolve` sees it. */
export interface World {
  readonly seed: number
  readonly clock: Clock
  readonly fileSets: ReadonlyMap<string, FileSet>
  readonly reportSchedules: ReadonlyMap<number, ReportSchedule>
  /** The id that the next report schedule gets; ids are never used twice. */
  readonly nextReportScheduleId: number
}

/** A world that its sandbox owns and `evolve` may change in place. */
export interface OwnedWorld extends World {
  fileSets: Map<string, FileSet>
  reportSchedules: Map<number, ReportSchedule>
  nextReportScheduleId: number
}

/** A world of one's own that starts like another. The large parts, the entries of file sets, are shared. */
export function copyWorld(world: World): OwnedWorld {
  return { ...world, fileSets: new Map(world.fileSets), reportSchedules: new Map(world.reportSchedules) }
}
