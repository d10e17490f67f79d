import { iso } from './call.ts'
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
} from './types.ts'
import { type PlannedRun, toEvent } from '../sandbox/runner.ts'
import type { Snapshot } from '../sandbox/image.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { ReportSchedule } from '../world/report-schedules/report-schedule.ts'
import { type Delivery, localTime, type Run } from '../world/report-schedules/run.ts'
import type { FileSet } from '../world/world.ts'

/** What the control API shows of a world. */

export function showSandbox(sandbox: Sandbox): SandboxSummary {
  const clock = showClock(sandbox)
  const { name, world, requests, checkpoints } = sandbox
  return {
    name,
    seed: world.seed,
    clock,
    fileSets: world.fileSets.size,
    files: [...world.fileSets.values()].reduce((sum, { entries }) => sum + entries.fileCount, 0),
    reportSchedules: world.reportSchedules.size,
    runs: world.runs.size,
    deliveries: world.deliveries.size,
    checkpoints: checkpoints.size,
    requests,
  }
}

export function showClock(sandbox: Sandbox): ClockState {
  const now = iso(sandbox.now())
  const { clock } = sandbox.world
  return { mode: clock.mode, now, rate: clock.mode === 'frozen' ? 0 : clock.rate }
}

export function showCheckpoint(name: string, { world, taken }: Snapshot): Checkpoint {
  return { name, now: iso(taken), fileSets: world.fileSets.size, reportSchedules: world.reportSchedules.size }
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
  const { lastRun } = sandbox.world.progress.get(reportSchedule.id) ?? {}
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
