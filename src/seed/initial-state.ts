import { isDeepStrictEqual } from 'node:util'
import { companyLeaves } from '../resources/file-sets/company.ts'
import type { Fixtures, FileSetFixture } from './fixtures.ts'
import type { Clock } from '../engine/clock.ts'
import { createEntries } from '../resources/file-sets/store/entries.ts'
import type { FileChoices, Integer } from '../resources/file-sets/store/file-record.ts'
import { createGenerated } from '../resources/file-sets/store/generated.ts'
import { recordsInSteps } from '../resources/file-sets/store/records.ts'
import type { ReportSchedule, ScheduleSettings } from '../resources/report-schedules/calendar/report-schedule.ts'
import { createLatest } from '../engine/latest.ts'
import { MOST_RUNS_KEPT } from '../resources/report-schedules/calendar/run.ts'
import { runSteps, type Steps } from '../engine/steps.ts'
import { type FileSet, type Generation, NO_OVERRIDES, type State } from '../engine/state.ts'

export interface InitialStateOptions {
  readonly seed: number
  /** Epoch ms; generated dates lie before it. */
  readonly firstMoment: number
  readonly choices?: FileChoices | undefined
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

/**
 * The state at its first moment: the same beginning always gives the same state, to the byte.
 *
 * @param known a state whose generated file sets need not be generated again
 */
export function createInitialState(beginning: InitialStateOptions, known?: State): State {
  const { seed, clock, fixtures } = beginning
  const reportSchedules = createReportSchedules(beginning)
  return {
    seed,
    clock,
    fileSets: new Map(
      fixtures.fileSets.map((fixture) => [
        fixture.id,
        findGenerated(fixture, beginning, known) ?? createFileSet(fixture, beginning),
      ]),
    ),
    reportSchedules,
    nextReportScheduleId: Math.max(beginning.firstReportScheduleId, ...[...reportSchedules.keys()].map((id) => id + 1)),
    runsSince: beginning.firstMoment,
    progress: new Map(),
    runs: createLatest(MOST_RUNS_KEPT),
    deliveries: createLatest(MOST_RUNS_KEPT),
    nextRunId: 1,
    nextDeliveryId: 1,
    faults: new Map(),
    nextFaultId: 1,
    overrides: NO_OVERRIDES,
    collections: fixtures.collections,
  }
}

function findGenerated(
  fixture: FileSetFixture,
  { seed, firstMoment, choices }: InitialStateOptions,
  known?: State,
): FileSet | undefined {
  const found = 'generate' in fixture ? known?.fileSets.get(fixture.id) : undefined
  if (!found?.generated || !('generate' in fixture)) return undefined
  const { generated } = found
  const isSame =
    generated.seed === seed &&
    generated.firstMoment === firstMoment &&
    generated.files === fixture.generate &&
    isDeepStrictEqual(generated.choices, choices)
  return isSame ? found : undefined
}

/** A file set at its first moment. */
export function createFileSet(fixture: FileSetFixture, generation: Omit<Generation, 'files'>): FileSet {
  return runSteps(fileSetInSteps(fixture, generation))
}

/** The same in steps. */
export function* fileSetInSteps(
  fixture: FileSetFixture,
  { seed, firstMoment, choices }: Omit<Generation, 'files'>,
): Steps<FileSet> {
  const { id } = fixture
  const set = { id, version: 0, past: new Map() }
  if ('records' in fixture) return { ...set, entries: createEntries(id, yield* recordsInSteps(id, fixture.records)) }
  const files = fixture.generate
  const leaves = companyLeaves(seed, files, firstMoment)
  yield
  const base = yield* createGenerated(id, { seed, files, firstMoment, choices }, leaves)
  return {
    ...set,
    entries: createEntries(id, base),
    generated: { seed, files, firstMoment, ...(choices ? { choices } : {}) },
  }
}

function createReportSchedules({
  fixtures,
  firstReportScheduleId,
  firstMoment,
  ownerId,
  readReportSchedule,
}: InitialStateOptions): Map<number, ReportSchedule> {
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
