import { events, operationsOf, problem, type ReportScheduleView } from 'standin'
import type { components, operations } from './contract.d.ts'

const defineOperation = operationsOf<operations>()

export const reportScheduleHandlers = [
  defineOperation('listReportSchedules', (state, { query: { enabled } }) => {
    const all = state.reportSchedules.list()
    const asked = enabled === undefined ? all : all.filter(({ schedule }) => schedule?.enabled === enabled)
    return { status: 200, body: { reportSchedules: asked.map(show) } }
  }),

  defineOperation('getReportSchedule', (state, { path: { scheduleId } }) => {
    const stored = state.reportSchedules.get(scheduleId)
    return stored ? { status: 200, body: show(stored) } : noReportSchedule(scheduleId)
  }),

  defineOperation('deleteReportSchedule', (state, { path: { scheduleId } }) => {
    if (!state.reportSchedules.get(scheduleId)) return noReportSchedule(scheduleId)
    return { status: 204, events: [events.removeReportSchedule(scheduleId)] }
  }),

  defineOperation('switchReportSchedule', (state, { path: { scheduleId }, body: { enabled } }) => {
    if (!state.reportSchedules.get(scheduleId)) return noReportSchedule(scheduleId)
    return { status: 204, events: [events.changeReportSchedule(scheduleId, { schedule: { enabled } })] }
  }),

  defineOperation('listRuns', (state, { path: { scheduleId } }) => {
    if (!state.reportSchedules.get(scheduleId)) return noReportSchedule(scheduleId)
    const runs = state.reportSchedules
      .runs(scheduleId)
      .map(({ id, at, title, recipients }) => ({ id, at: iso(at), title, recipients }))
    return { status: 200, body: { runs: runs.reverse() } }
  }),

  defineOperation('sendReport', (state, { path: { scheduleId }, now }) => {
    const stored = state.reportSchedules.get(scheduleId)
    if (!stored) return noReportSchedule(scheduleId)
    const { recipientCount } = show(stored)
    return {
      status: 202,
      body: { scheduleId, at: iso(now), recipients: recipientCount },
      events: [events.runReportSchedule(scheduleId)],
    }
  }),
]

function show({ id, title, pageId, viewId, ownerId, schedule, nextRun, lastRun }: ReportScheduleView) {
  const recipients = schedule?.additionalRecipients ?? []
  const shown: components['schemas']['ReportSchedule'] = {
    id,
    title,
    ownerId: Number(ownerId),
    recipientCount: new Set(recipients.map(({ type, value }) => `${type} ${value}`)).size,
    ...(pageId === null ? {} : { pageId: Number(pageId) }),
    ...(viewId === null ? {} : { viewId: Number(viewId) }),
    ...(nextRun === undefined ? {} : { nextRun: iso(nextRun) }),
    ...(lastRun === undefined ? {} : { lastRun: iso(lastRun) }),
  }
  return schedule ? { ...shown, schedule: schedule as components['schemas']['ScheduleSettings'] } : shown
}

function iso(instant: number): string {
  return new Date(instant).toISOString()
}

function noReportSchedule(id: number) {
  return problem(404, 'There is no such report schedule', `There is no report schedule ${id}.`)
}
