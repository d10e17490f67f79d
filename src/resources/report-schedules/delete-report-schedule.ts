import type { Handler } from '../handler.ts'
import { getStored, WITHOUT_BODY } from './read-report-schedules.ts'

export const deleteReportSchedule: Handler = {
  ...WITHOUT_BODY,
  find: getStored,
  read: (state, call) => ({
    violations: [],
    decide: () => ({
      status: 204,
      body: { empty: true },
      events: [{ type: 'report-schedule.removed', reportScheduleId: getStored(state, call).id }],
    }),
  }),
}
