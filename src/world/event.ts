import type { EntriesChange } from './file-sets/entries.ts'
import type { EntryRecord } from './file-sets/file-record.ts'
import type { ReportSchedule } from './report-schedules/report-schedule.ts'
import type { OwnedWorld } from './world.ts'

/** A change of the world: past tense, and complete, so that storing it needs no decision. */
export type WorldEvent =
  | { readonly type: 'report-schedule.created'; readonly reportSchedule: ReportSchedule }
  | { readonly type: 'report-schedule.updated'; readonly reportSchedule: ReportSchedule }
  | { readonly type: 'files.added'; readonly fileSetId: string; readonly files: readonly EntryRecord[] }
  | { readonly type: 'files.removed'; readonly fileSetId: string; readonly paths: readonly string[] }

/** As many earlier versions of a file set are kept. */
const VERSIONS_KEPT = 16

/** Stores an event in a world, in place. It only stores: what the event says was decided, and checked, before. */
export function evolve(world: OwnedWorld, event: WorldEvent): void {
  switch (event.type) {
    case 'report-schedule.created':
    case 'report-schedule.updated': {
      const { reportSchedule } = event
      world.reportSchedules.set(reportSchedule.id, reportSchedule)
      world.nextReportScheduleId = Math.max(world.nextReportScheduleId, reportSchedule.id + 1)
      return
    }
    case 'files.added':
      return changeEntries(world, event.fileSetId, { added: event.files })
    case 'files.removed':
      return changeEntries(world, event.fileSetId, { removed: event.paths })
  }
}

function changeEntries(world: OwnedWorld, fileSetId: string, change: EntriesChange): void {
  const fileSet = world.fileSets.get(fileSetId)
  if (!fileSet) return
  const { entries, version } = fileSet
  const past = new Map([...fileSet.past, [version, entries] as const].slice(-VERSIONS_KEPT))
  world.fileSets.set(fileSetId, { id: fileSetId, entries: entries.with(change), version: version + 1, past })
}
