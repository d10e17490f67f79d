import { type ControlCall, type ControlHandler, NO_CONTENT, LIMIT, ok, readCount } from '../../engine/control-route.ts'
import type { ReportScheduleRecord } from '../../../types/control-api.d.ts'
import { iso } from '../../engine/instant.ts'
import type { Sandbox } from '../../engine/sandbox.ts'
import { lazily } from '../../formats/json-pieces.ts'
import type { ReportSchedule } from './calendar/report-schedule.ts'
import { showRun, writeReportSchedule } from './report-schedule-document.ts'
import { reportScheduleNotFound } from '../../errors/resource-errors.ts'

export const listReportSchedules: ControlHandler = (call) => {
  const sandbox = call.sandbox()
  sandbox.now()
  const all = [...sandbox.state.reportSchedules.values()].sort((a, b) => a.id - b.id)
  return ok({ reportSchedules: all.map((one) => showReportSchedule(one, sandbox)) })
}

export const getReportSchedule: ControlHandler = (call) =>
  ok(showReportSchedule(findReportSchedule(call), call.sandbox()))

export const deleteReportSchedule: ControlHandler = (call) => {
  const { id } = findReportSchedule(call)
  call.sandbox().commit([{ type: 'report-schedule.removed', reportScheduleId: id }])
  return NO_CONTENT
}

/** Those of a schedule that is gone, too. */
export const listRuns: ControlHandler = (call) => {
  const limit = readCount(call, 'limit', LIMIT)
  const sandbox = call.sandbox()
  sandbox.now()
  const id = call.path.scheduleId
  const runs = [...sandbox.state.runs].filter((run) => run.reportSchedule.id === id)
  if (runs.length === 0) findReportSchedule(call)
  return ok({ total: runs.length, runs: lazily(runs.slice(-limit), showRun) })
}

function showReportSchedule(reportSchedule: ReportSchedule, sandbox: Sandbox): ReportScheduleRecord {
  const next = sandbox.nextDue('report-schedules', reportSchedule.id)
  const { lastRun } = sandbox.state.progress.get(reportSchedule.id) ?? {}
  return {
    ...writeReportSchedule(reportSchedule),
    nextRun: next === undefined ? null : iso(next),
    lastRun: lastRun === undefined ? null : iso(lastRun),
  }
}

/** @throws Problem 404 */
export function findReportSchedule(call: ControlCall, id: unknown = call.path.scheduleId): ReportSchedule {
  const sandbox = call.sandbox()
  sandbox.now()
  const found = typeof id === 'number' ? sandbox.state.reportSchedules.get(id) : undefined
  if (found) return found
  throw reportScheduleNotFound({
    detail: `The sandbox ${sandbox.name} has no report schedule ${String(id)}. GET /__mock/report-schedules lists them.`,
  })
}
