import { iso } from '../engine/instant.ts'
import type {
  Checkpoint,
  ClockState,
  DeliveryRecord,
  FileSetSummary,
  InstantText,
  PassedRun,
  ReportScheduleRecord,
  RunRecord,
  SandboxSummary,
  StoredReportSchedule,
} from './client/types.ts'
import { type PlannedRun, toEvent } from '../resources/report-schedules/runner.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import type { Sandbox } from '../engine/sandbox.ts'
import type { ReportSchedule } from '../resources/report-schedules/calendar/report-schedule.ts'
import { type Delivery, localTime, type Run } from '../resources/report-schedules/calendar/run.ts'
import type { FileSet } from '../engine/state.ts'

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

export function showFileSet({ id, entries, version }: FileSet): FileSetSummary {
  const files = entries.fileCount
  return { id, files, directories: entries.count - files, version }
}

/** A report schedule as it is stored. */
export function showStored({ written, ...rest }: ReportSchedule): StoredReportSchedule {
  return { ...rest, written: iso(written) }
}

export function showReportSchedule(reportSchedule: ReportSchedule, sandbox: Sandbox): ReportScheduleRecord {
  const next = sandbox.nextRun(reportSchedule.id)
  const { lastRun } = sandbox.state.progress.get(reportSchedule.id) ?? {}
  return {
    ...showStored(reportSchedule),
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
  return { ...showRunFacts(run), reportSchedule: showStored(run.reportSchedule) }
}

/** A year of many schedules has a hundred thousand deliveries, so an instant that they share is written once. */
export function showPassedRun(planned: PlannedRun): PassedRun {
  const { run, deliveries } = toEvent(planned)
  const facts = showRunFacts(run)
  return { ...facts, deliveries: deliveries.map((delivery) => showDeliveryAt(delivery, facts.at)) }
}

export function showDelivery(delivery: Delivery): DeliveryRecord {
  return showDeliveryAt(delivery, iso(delivery.at))
}

function showDeliveryAt(delivery: Delivery, at: InstantText): DeliveryRecord {
  const { id, runId, reportScheduleId: scheduleId, recipient, title, pageId, viewId, attachmentInclude } = delivery
  return { id, runId, at, scheduleId, recipient, title, pageId, viewId, attachmentInclude }
}
