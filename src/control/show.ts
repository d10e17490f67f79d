import { iso } from '../engine/instant.ts'
import type {
  Checkpoint,
  ClockState,
  PassedRun,
  ReportScheduleRecord,
  RunRecord,
  SandboxSummary,
} from './client/types.ts'
import { writeDeliveryAt, writeReportSchedule } from '../resources/report-schedules/report-schedule-document.ts'
import { type PlannedRun, toEvent } from '../resources/report-schedules/runner.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import type { Sandbox } from '../engine/sandbox.ts'
import type { ReportSchedule } from '../resources/report-schedules/calendar/report-schedule.ts'
import { localTime, type Run } from '../resources/report-schedules/calendar/run.ts'

/** What the control API shows of a state. */

export function showSandbox(sandbox: Sandbox): SandboxSummary {
  const clock = showClock(sandbox)
  const { name, state, requests, checkpoints } = sandbox
  return {
    name,
    seed: state.seed,
    clock,
    fileSets: state.fileSets.size,
    files: [...state.fileSets.values()].reduce((sum, { entries }) => sum + entries.fileCount, 0),
    reportSchedules: state.reportSchedules.size,
    runs: state.runs.size,
    deliveries: state.deliveries.size,
    checkpoints: checkpoints.size,
    requests,
  }
}

export function showClock(sandbox: Sandbox): ClockState {
  const now = iso(sandbox.now())
  const { clock } = sandbox.state
  return { mode: clock.mode, now, rate: clock.mode === 'frozen' ? 0 : clock.rate }
}

export function showCheckpoint(name: string, { state, taken }: Snapshot): Checkpoint {
  return { name, now: iso(taken), fileSets: state.fileSets.size, reportSchedules: state.reportSchedules.size }
}

export function showReportSchedule(reportSchedule: ReportSchedule, sandbox: Sandbox): ReportScheduleRecord {
  const next = sandbox.nextRun(reportSchedule.id)
  const { lastRun } = sandbox.state.progress.get(reportSchedule.id) ?? {}
  return {
    ...writeReportSchedule(reportSchedule),
    nextRun: next === undefined ? null : iso(next),
    lastRun: lastRun === undefined ? null : iso(lastRun),
  }
}

export function showRunFacts({ id, at, reportSchedule }: Run) {
  const timezone = reportSchedule.schedule?.timezone ?? 'UTC'
  return {
    id,
    at: iso(at),
    scheduleId: reportSchedule.id,
    title: reportSchedule.title,
    timezone,
    localTime: localTime(at, timezone),
  }
}

export function showRun(run: Run): RunRecord {
  return { ...showRunFacts(run), reportSchedule: writeReportSchedule(run.reportSchedule) }
}

/** A year of many schedules has a hundred thousand deliveries, so an instant that they share is written once. */
export function showPassedRun(planned: PlannedRun): PassedRun {
  const { run, deliveries } = toEvent(planned)
  const facts = showRunFacts(run)
  return { ...facts, deliveries: deliveries.map((delivery) => writeDeliveryAt(delivery, facts.at)) }
}
