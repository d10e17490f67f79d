import type { DeliveryRecord, DeliveryWithMessage, ReportScheduleRecord } from '../../../types/control-api.d.ts'
import { type ControlCall, type ControlRoutes, LIMIT, NO_CONTENT, ok, readCount } from '../../engine/control-route.ts'
import { iso, readInstant } from '../../base/formats/instant.ts'
import type { Sandbox } from '../../engine/sandbox.ts'
import { deliveryNotFound, reportScheduleNotFound } from '../../base/errors/resource-errors.ts'
import { lazily } from '../../base/formats/json-pieces.ts'
import type { ResourceNeeds } from '../dry-run.ts'
import type { Explanation } from '../resource.ts'
import { explainReportSchedule } from './explain/explain-report-schedule.ts'
import { messageOf } from './mail/message.ts'
import { calendarChoices } from './next-run-date.ts'
import type { Delivery, ReportSchedule } from './report-schedule.ts'
import { showRun, writeDelivery, writeReportSchedule } from './report-schedule-document.ts'
import { localTime } from './time-zone.ts'
import { listUpcomingRuns } from './explain/run-explanation.ts'

export const reportScheduleRoutes: ControlRoutes<ResourceNeeds> = {
  listReportSchedules(call) {
    const sandbox = sandboxNow(call)
    const all = [...sandbox.state.reportSchedules.values()].sort((a, b) => a.id - b.id)
    return ok({ reportSchedules: all.map((one) => showReportSchedule(one, sandbox)) })
  },
  getReportSchedule: (call) => ok(showReportSchedule(findReportSchedule(call), call.sandbox())),
  deleteReportSchedule(call) {
    const { id } = findReportSchedule(call)
    call.sandbox().commit([{ type: 'report-schedule.removed', reportScheduleId: id }])
    return NO_CONTENT
  },
  /** Also of schedules that were deleted. */
  listRuns(call) {
    const limit = readCount(call, 'limit', LIMIT)
    const sandbox = sandboxNow(call)
    const id = call.path.scheduleId
    const runs = [...sandbox.state.runs].filter((run) => run.reportSchedule.id === id)
    if (runs.length === 0) findReportSchedule(call)
    return ok({ total: runs.length, runs: lazily(runs.slice(-limit), showRun) })
  },
  listUpcomingRuns(call) {
    const limit = readCount(call, 'limit', { least: 1, most: 100, otherwise: 8 })
    const reportSchedule = findReportSchedule(call)
    const { state, settings } = call.sandbox()
    return ok(listUpcomingRuns(reportSchedule, state, { choices: calendarChoices(settings), limit }))
  },
  listDeliveries(call) {
    const limit = readCount(call, 'limit', LIMIT)
    const found = findDeliveries(call)
    return ok({
      total: found.length,
      deliveries: lazily(found.slice(-limit), (delivery) => showDelivery(delivery, call)),
    })
  },
  getDelivery(call) {
    const { state, name } = sandboxNow(call)
    const id = call.path.deliveryId
    const delivery = [...state.deliveries].find((one) => one.id === id)
    if (!delivery)
      throw deliveryNotFound({
        detail: `The sandbox ${name} has no delivery ${String(id)}. GET /__mock/deliveries lists those that it keeps.`,
      })
    const run = [...state.runs].find((one) => one.id === delivery.runId)
    const timezone = run?.reportSchedule.schedule?.timezone ?? 'UTC'
    const { from, to, subject, text, attachments } = messageOf(name, delivery, timezone)
    const date = iso(delivery.at)
    return ok({
      delivery: showDelivery(delivery, call),
      timezone,
      localTime: localTime(delivery.at, timezone),
      message: { from, to, subject, date, text, attachments },
    } satisfies DeliveryWithMessage)
  },
  deleteDeliveries(call) {
    const found = findDeliveries(call)
    if (found.length > 0) call.sandbox().commit([{ type: 'deliveries.removed', ids: found.map(({ id }) => id) }])
    return ok({ removed: found.length })
  },
}

function showDelivery(delivery: Delivery, { mailOf }: Pick<ResourceNeeds, 'mailOf'>): DeliveryRecord {
  const mail = mailOf(delivery)
  return { ...writeDelivery(delivery), ...(mail ? { mail } : {}) }
}

/** The sandbox, once the runs that fell due are in its state. */
function sandboxNow(call: Pick<ControlCall, 'sandbox'>): Sandbox {
  const sandbox = call.sandbox()
  sandbox.now()
  return sandbox
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
  const sandbox = sandboxNow(call)
  const found = typeof id === 'number' ? sandbox.state.reportSchedules.get(id) : undefined
  if (found) return found
  throw reportScheduleNotFound({
    detail: `The sandbox ${sandbox.name} has no report schedule ${String(id)}. GET /__mock/report-schedules lists them.`,
  })
}

/** The deliveries that match all filters of the query. */
function findDeliveries(call: ControlCall): Delivery[] {
  const { scheduleId, recipientType, recipient, since, until } = call.query
  const first = typeof since === 'string' ? readInstant(since, { parameter: 'since' }) : -Infinity
  const last = typeof until === 'string' ? readInstant(until, { parameter: 'until' }) : Infinity
  const sandbox = sandboxNow(call)
  return [...sandbox.state.deliveries].filter(
    (delivery) =>
      (scheduleId === undefined || delivery.reportScheduleId === scheduleId) &&
      (recipientType === undefined || delivery.recipient.type === recipientType) &&
      (recipient === undefined || delivery.recipient.value === recipient) &&
      delivery.at >= first &&
      delivery.at <= last,
  )
}

/** Explains how the `nextRunDate` of a stored report schedule, or of one that a create would store, came about. */
export const scheduleExplanation: Explanation = {
  explain({ schedule }: { readonly schedule: { readonly id?: number; readonly info?: object } }, call) {
    const { dryRun } = call
    const sandbox = sandboxNow(call)
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
