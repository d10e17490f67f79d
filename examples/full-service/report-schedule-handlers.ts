import { events, operationsOf, problem } from 'standin'
import type { operations } from './contract.d.ts'

const defineOperation = operationsOf<operations>()

export const reportScheduleHandlers = [
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
    const recipients = stored.schedule?.additionalRecipients ?? []
    return {
      status: 202,
      body: {
        scheduleId,
        at: iso(now),
        recipients: new Set(recipients.map(({ type, value }) => `${type} ${value}`)).size,
      },
      events: [events.runReportSchedule(scheduleId)],
    }
  }),
]

function iso(instant: number): string {
  return new Date(instant).toISOString()
}

function noReportSchedule(id: number) {
  return problem(404, 'There is no such report schedule', `There is no report schedule ${id}.`)
}
