import type { DeliveryRecord, StateDocument, StoredReportSchedule } from '../../../types/control-api.d.ts'
import { refuseRepeatedIds } from '../../engine/sandbox-document.ts'
import { readInstant, iso } from '../../base/formats/instant.ts'
import { createLatest, type Latest, type OwnedLatest } from '../../engine/latest.ts'
import {
  type EventKind,
  type InitialStateOptions,
  type OwnedState,
  stateChange,
  type StatePart,
} from '../../engine/state.ts'
import type { ReportScheduleFixture } from './fixtures.ts'
import type { GivenReportSchedules } from './given-report-schedules.ts'
import type { Delivery, ReportSchedule, Run, Progress } from './report-schedule.ts'
import { progressOf } from './next-run-date.ts'
import { Runner } from './runner.ts'
import {
  readDelivery,
  readReportSchedule,
  readRun,
  showRunFacts,
  writeDelivery,
  writeReportSchedule,
  writeRun,
} from './report-schedule-document.ts'

/** A state keeps as many runs and as many deliveries, the latest ones. */
const MAX_RUNS_KEPT = 100_000

declare module '../../engine/state.ts' {
  interface State {
    readonly reportSchedules: ReadonlyMap<number, ReportSchedule>
    /** The id that the next report schedule gets; ids are never used twice. */
    readonly nextReportScheduleId: number
    /** Epoch ms. There are no runs up to this instant, however old a schedule is. */
    readonly runsSince: number
    /** By id of the report schedule. One without an entry has never run since it was written. */
    readonly progress: ReadonlyMap<number, Progress>
    /** The oldest first. */
    readonly runs: Latest<Run>
    readonly deliveries: Latest<Delivery>
    readonly nextRunId: number
    readonly nextDeliveryId: number
  }
  interface OwnedState {
    reportSchedules: Map<number, ReportSchedule>
    nextReportScheduleId: number
    runsSince: number
    progress: Map<number, Progress>
    runs: OwnedLatest<Run>
    deliveries: OwnedLatest<Delivery>
    nextRunId: number
    nextDeliveryId: number
  }
  interface StateRules {
    readonly reportSchedules: GivenReportSchedules
  }
  interface Fixtures {
    readonly reportSchedules: readonly ReportScheduleFixture[]
  }
  interface StateEvents {
    'report-schedule.created': WrittenSchedule
    'report-schedule.updated': WrittenSchedule
    'report-schedule.removed': { readonly reportScheduleId: number }
    'report-schedule.ran': { readonly run: Run; readonly deliveries: readonly Delivery[] }
    'deliveries.removed': { readonly ids: readonly number[] }
  }
}

interface WrittenSchedule {
  readonly reportSchedule: ReportSchedule
}

const WRITTEN: EventKind<WrittenSchedule> = {
  evolve(state, { reportSchedule }) {
    state.reportSchedules.set(reportSchedule.id, reportSchedule)
    state.nextReportScheduleId = Math.max(state.nextReportScheduleId, reportSchedule.id + 1)
    const known = state.progress.get(reportSchedule.id)
    if (known) state.progress.set(reportSchedule.id, { ...known, settled: reportSchedule.written })
  },
  write: ({ reportSchedule }) => ({ reportSchedule: writeReportSchedule(reportSchedule) }),
  read: ({ reportSchedule }: { reportSchedule: StoredReportSchedule }, origin) => ({
    reportSchedule: readReportSchedule(origin, reportSchedule, '/reportSchedule'),
  }),
}

interface RunWithDeliveries {
  readonly run: StateDocument['runs'][number]
  readonly deliveries: readonly DeliveryRecord[]
}

/** The report schedules of a sandbox, with their runs and deliveries. */
export const reportScheduleState: StatePart<
  | 'report-schedule.created'
  | 'report-schedule.updated'
  | 'report-schedule.removed'
  | 'report-schedule.ran'
  | 'deliveries.removed'
> = {
  name: 'report-schedules',
  createScheduler: (sandbox) => new Runner(sandbox),
  events: {
    'report-schedule.created': WRITTEN,
    'report-schedule.updated': WRITTEN,
    'report-schedule.removed': {
      evolve(state, { reportScheduleId }) {
        state.reportSchedules.delete(reportScheduleId)
        state.progress.delete(reportScheduleId)
      },
      write: ({ reportScheduleId }) => ({ scheduleId: reportScheduleId }),
      read: ({ scheduleId }: { scheduleId: number }) => ({ reportScheduleId: scheduleId }),
    },
    'report-schedule.ran': {
      evolve: (state, { run, deliveries }) => storeRun(state, run, deliveries),
      write: ({ run, deliveries }) => ({ run: writeRun(run), deliveries: deliveries.map(writeDelivery) }),
      read: ({ run, deliveries }: RunWithDeliveries, origin) => ({
        run: readRun(origin, run, '/run'),
        deliveries: deliveries.map((one, index) => readDelivery(one, `/deliveries/${index}`)),
      }),
      parts: ({ deliveries }) => deliveries.length,
      publish: ({ run, deliveries }) => [
        { event: 'run', data: () => showRunFacts(run) },
        ...deliveries.map((delivery) => ({ event: 'delivery', data: () => writeDelivery(delivery) })),
      ],
    },
    'deliveries.removed': {
      evolve(state, { ids }) {
        const removed = new Set(ids)
        state.deliveries.removeIf(({ id }) => removed.has(id))
      },
      parts: ({ ids }) => ids.length,
      publish: ({ ids }) => [stateChange('deliveries.removed', { count: ids.length })],
    },
  },
  initial(options) {
    const reportSchedules = createReportSchedules(options)
    const next = [...reportSchedules.keys()].map((id) => id + 1)
    return {
      reportSchedules,
      nextReportScheduleId: Math.max(options.settings['create.ids'], ...next),
      runsSince: options.firstMoment,
      progress: new Map(),
      runs: createLatest(MAX_RUNS_KEPT),
      deliveries: createLatest(MAX_RUNS_KEPT),
      nextRunId: 1,
      nextDeliveryId: 1,
    }
  },
  count: ({ reportSchedules, runs, deliveries }) => ({
    reportSchedules: reportSchedules.size,
    runs: runs.size,
    deliveries: deliveries.size,
  }),
  own(state) {
    state.reportSchedules = new Map(state.reportSchedules)
    state.progress = new Map(state.progress)
    state.runs = state.runs.copy()
    state.deliveries = state.deliveries.copy()
  },
  begin(state, at) {
    state.runsSince = Math.max(state.runsSince, at)
  },
  /** When the clock is set back, runs that are ahead again will be made, but no run is repeated. */
  clockMoved(state, { from, to }) {
    if (to >= from) return
    state.runsSince = Math.min(state.runsSince, to)
    for (const reportSchedule of state.reportSchedules.values()) {
      const { settled, lastRun } = progressOf(state, reportSchedule)
      if (settled > to) state.progress.set(reportSchedule.id, { settled: to, lastRun })
    }
  },
  write: (state, { list }) => ({
    nextReportScheduleId: state.nextReportScheduleId,
    nextRunId: state.nextRunId,
    nextDeliveryId: state.nextDeliveryId,
    runsSince: iso(state.runsSince),
    reportSchedules: list(state.reportSchedules.values(), writeReportSchedule),
    progress: list(state.progress, ([scheduleId, { settled, lastRun }]) => ({
      scheduleId,
      settled: iso(settled),
      lastRun: lastRun === undefined ? undefined : iso(lastRun),
    })),
    runs: list(state.runs, writeRun),
    deliveries: list(state.deliveries, writeDelivery),
  }),
  read(written: StateDocument, origin) {
    const { nextReportScheduleId, nextRunId, nextDeliveryId } = written
    refuseRepeatedIds(written.reportSchedules, 'reportSchedules', {
      name: 'nextReportScheduleId',
      id: nextReportScheduleId,
    })
    refuseRepeatedIds(written.runs, 'runs', { name: 'nextRunId', id: nextRunId })
    refuseRepeatedIds(written.deliveries, 'deliveries', { name: 'nextDeliveryId', id: nextDeliveryId })
    const reportSchedules = written.reportSchedules.map((one, index) =>
      readReportSchedule(origin, one, `/reportSchedules/${index}`),
    )
    const runs = written.runs.map((one, index) => readRun(origin, one, `/runs/${index}`))
    const deliveries = written.deliveries.map((one, index) => readDelivery(one, `/deliveries/${index}`))
    return {
      reportSchedules: new Map(reportSchedules.map((one) => [one.id, one])),
      nextReportScheduleId,
      runsSince: readInstant(written.runsSince, { pointer: '/runsSince' }),
      progress: new Map(written.progress.map(readProgress)),
      runs: createLatest(MAX_RUNS_KEPT, runs),
      deliveries: createLatest(MAX_RUNS_KEPT, deliveries),
      nextRunId,
      nextDeliveryId,
    }
  },
}

function readProgress(
  { scheduleId, settled, lastRun }: StateDocument['progress'][number],
  index: number,
): [number, Progress] {
  const at = `/progress/${index}`
  const last = lastRun === undefined ? undefined : readInstant(lastRun, { pointer: `${at}/lastRun` })
  return [scheduleId, { settled: readInstant(settled, { pointer: `${at}/settled` }), lastRun: last }]
}

function storeRun(state: OwnedState, run: Run, deliveries: readonly Delivery[]): void {
  state.runs.append(run)
  state.nextRunId = run.id + 1
  for (const delivery of deliveries) {
    state.deliveries.append(delivery)
    state.nextDeliveryId = delivery.id + 1
  }
  // Runs of deleted schedules are kept, but only existing schedules have progress.
  const { id } = run.reportSchedule
  if (state.reportSchedules.has(id)) state.progress.set(id, { settled: run.at, lastRun: run.at })
}

function createReportSchedules(options: InitialStateOptions): Map<number, ReportSchedule> {
  const { fixtures, settings, firstMoment, ownerId, rules } = options
  const taken = new Set(fixtures.reportSchedules.flatMap(({ id }) => id ?? []))
  let next = settings['create.ids']
  const schedules = fixtures.reportSchedules.map((fixture) => {
    while (taken.has(next)) next++
    const id = fixture.id ?? next++
    const facts = { ownerId: fixture.ownerId ?? ownerId, written: firstMoment, revision: 1 }
    return [id, { id, ...rules.reportSchedules.complete(fixture.info, fixture.isChecked), ...facts }] as const
  })
  return new Map(schedules)
}
