import type { Call, Handler, Outcome } from '../handler.ts'
import { asText } from '../../base/formats/json.ts'
import { findStored } from './update-report-schedule.ts'
import { reportScheduleNotFound } from '../../base/errors/resource-errors.ts'
import type { ReportSchedule } from './report-schedule.ts'
import { describeReportSchedule } from './report-schedule-view.ts'
import type { State } from '../../engine/state.ts'

export const getReportSchedule: Handler = {
  takesNothing: true,
  assertExists: getStored,
  read: (state, call) => ({
    violations: [],
    decide() {
      const { usual, known } = describeReportSchedule(getStored(state, call), call, state)
      return respond(call.adaptation ? call.adaptation.complete(200, usual, known) : usual)
    },
  }),
}

export const listReportSchedules: Handler = {
  takesNothing: true,
  assertExists() {
    // A list can be empty.
  },
  read: (state, call) => ({
    violations: [],
    decide() {
      const { enabled } = call.query
      const asked = [...state.reportSchedules.values()]
        .filter(({ schedule }) => typeof enabled !== 'boolean' || schedule?.enabled === enabled)
        .sort((a, b) => a.id - b.id)
      const described = asked.map((stored) => describeReportSchedule(stored, call, state))
      return respond(
        call.adaptation?.completeList(200, described, 'reportSchedules') ?? {
          reportSchedules: described.map(({ usual }) => usual),
        },
      )
    },
  }),
}

/** @throws Problem 404 */
export function getStored(state: State, call: Call): ReportSchedule {
  const stored = findStored(state, call)
  if (stored) return stored
  throw reportScheduleNotFound({ detail: `There is no report schedule ${asText(call.path.scheduleId)}.` })
}

function respond(json: unknown): Outcome {
  return { status: 200, body: { json }, events: [] }
}
