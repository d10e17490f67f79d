import {
  type ControlCall,
  type ControlHandler,
  type ControlRoutes,
  LIMIT,
  NO_CONTENT,
  ok,
  readCount,
} from '../../engine/control-route.ts'
import type { Explanation } from '../resource.ts'
import { explainReportSchedule } from './explain-report-schedule.ts'
import type { ReportScheduleRecord } from '../../../types/control-api.d.ts'
import { iso } from '../../formats/instant.ts'
import type { Sandbox } from '../../engine/sandbox.ts'
import { lazily } from '../../formats/json-pieces.ts'
import type { ReportSchedule } from './calendar/report-schedule.ts'
import { showRun, writeReportSchedule } from './report-schedule-document.ts'
import { reportScheduleNotFound } from '../../errors/resource-errors.ts'

const listReportSchedules: ControlHandler = (call) => {
  const sandbox = call.sandbox()
  sandbox.now()
  const all = [...sandbox.state.reportSchedules.values()].sort((a, b) => a.id - b.id)
  return ok({ reportSchedules: all.map((one) => showReportSchedule(one, sandbox)) })
}

const getReportSchedule: ControlHandler = (call) => ok(showReportSchedule(findReportSchedule(call), call.sandbox()))

const deleteReportSchedule: ControlHandler = (call) => {
  const { id } = findReportSchedule(call)
  call.sandbox().commit([{ type: 'report-schedule.removed', reportScheduleId: id }])
  return NO_CONTENT
}

/** Those of a schedule that is gone, too. */
const listRuns: ControlHandler = (call) => {
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
function findReportSchedule(call: ControlCall, id: unknown = call.path.scheduleId): ReportSchedule {
  const sandbox = call.sandbox()
  sandbox.now()
  const found = typeof id === 'number' ? sandbox.state.reportSchedules.get(id) : undefined
  if (found) return found
  throw reportScheduleNotFound({
    detail: `The sandbox ${sandbox.name} has no report schedule ${String(id)}. GET /__mock/report-schedules lists them.`,
  })
}

export const reportScheduleRoutes: ControlRoutes = {
  listReportSchedules,
  getReportSchedule,
  deleteReportSchedule,
  listRuns,
}

/** Explains how the `nextRunDate` of a stored report schedule, or of one that a create would store, came about. */
export const scheduleExplanation: Explanation = {
  explain({ schedule }: { readonly schedule: { readonly id?: number; readonly info?: object } }, call) {
    const { dryRun } = call
    const sandbox = call.sandbox()
    sandbox.now()
    const { state } = sandbox
    const pointers = { body: '/schedule/info', query: '/schedule' }
    if (schedule.id !== undefined) {
      const reportSchedule = findReportSchedule(call, schedule.id)
      const simulated = dryRun({ handlerKind: 'updateReportSchedule', pointers }, sandbox)
      return explainReportSchedule(state, simulated.call, { reportSchedule, isStored: true })
    }
    const simulated = dryRun({ handlerKind: 'createReportSchedule', body: schedule.info, pointers }, sandbox)
    const [event] = simulated.validateAndRead().decide().events
    if (event?.type !== 'report-schedule.created') throw new Error('a create did not create a report schedule')
    return explainReportSchedule(state, simulated.call, { reportSchedule: event.reportSchedule, isStored: false })
  },
}
