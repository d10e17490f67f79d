import { companyLeaves } from './company.ts'
import type { Fixtures, FileSetFixture } from './fixtures.ts'
import type { Clock } from '../world/clock.ts'
import type { Base } from '../world/file-sets/base.ts'
import { createEntries } from '../world/file-sets/entries.ts'
import type { Integer } from '../world/file-sets/file-record.ts'
import { createGenerated } from '../world/file-sets/generated.ts'
import { createRecords } from '../world/file-sets/records.ts'
import type { ReportSchedule, ScheduleSettings } from '../world/report-schedules/report-schedule.ts'
import type { FileSet, World } from '../world/world.ts'

export interface Beginning {
  readonly seed: number
  /** Epoch ms; generated dates lie before it. */
  readonly firstMoment: number
  readonly clock: Clock
  readonly fixtures: Fixtures
  /** The first id that a report schedule gets. */
  readonly firstReportScheduleId: number
  readonly ownerId: Integer
  /** Reads the body of a create, which was checked. */
  readReportSchedule(info: unknown): Pick<ReportSchedule, 'title' | 'pageId' | 'viewId' | 'attachmentInclude'> & {
    readonly schedule: ScheduleSettings | null
  }
}

/** The world at its first moment: the same beginning always gives the same world, to the byte. */
export function genesis(beginning: Beginning): World {
  const { seed, clock, fixtures } = beginning
  const reportSchedules = createReportSchedules(beginning)
  return {
    seed,
    clock,
    fileSets: new Map(fixtures.fileSets.map((fixture) => [fixture.id, createFileSet(fixture, beginning)])),
    reportSchedules,
    nextReportScheduleId: Math.max(beginning.firstReportScheduleId, ...[...reportSchedules.keys()].map((id) => id + 1)),
  }
}

function createFileSet(fixture: FileSetFixture, { seed, firstMoment }: Beginning): FileSet {
  const { id } = fixture
  return { id, entries: createEntries(id, createBaseOf(fixture, seed, firstMoment)), version: 0, past: new Map() }
}

function createBaseOf(fixture: FileSetFixture, seed: number, firstMoment: number): Base {
  if ('records' in fixture) return createRecords(fixture.id, fixture.records)
  return createGenerated(fixture.id, seed, fixture.generate, companyLeaves(seed, fixture.generate, firstMoment))
}

function createReportSchedules({
  fixtures,
  firstReportScheduleId,
  firstMoment,
  ownerId,
  readReportSchedule,
}: Beginning): Map<number, ReportSchedule> {
  const taken = new Set(fixtures.reportSchedules.flatMap(({ id }) => id ?? []))
  let next = firstReportScheduleId
  const schedules = fixtures.reportSchedules.map((fixture) => {
    while (taken.has(next)) next++
    const id = fixture.id ?? next++
    return [
      id,
      {
        id,
        ...readReportSchedule(fixture.info),
        ownerId: fixture.ownerId ?? ownerId,
        written: firstMoment,
        revision: 1,
      },
    ] as const
  })
  return new Map(schedules)
}
