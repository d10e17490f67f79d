import type { Known } from '../adaptation.ts'
import { asText, type Call, type Handler, type Outcome } from '../handler.ts'
import { findStored } from './update-report-schedule.ts'
import { reportScheduleNotFound } from '../../errors/resource-errors.ts'
import { nextRunOf, progressOf, type ReportSchedule } from './report-schedule.ts'
import { describeReportSchedule } from './report-schedule-view.ts'
import { calendarChoices } from './next-run-date.ts'
import { iso } from '../../formats/instant.ts'
import type { State } from '../../engine/state.ts'

const WITHOUT_BODY: Pick<Handler, 'takesNothing' | 'normalizeBody'> = {
  takesNothing: true,
  normalizeBody: (body) => body,
}

export const getReportSchedule: Handler = {
  ...WITHOUT_BODY,
  find: getStored,
  read: (state, call) => ({
    violations: [],
    decide() {
      const { usual, known } = describe(state, call, getStored(state, call))
      return respond(call.follows ? call.follows.complete(200, usual, known) : usual)
    },
  }),
}

export const listReportSchedules: Handler = {
  ...WITHOUT_BODY,
  find() {
    // An empty list is a list.
  },
  read: (state, call) => ({
    violations: [],
    decide() {
      const { enabled } = call.query
      const asked = [...state.reportSchedules.values()]
        .filter(({ schedule }) => typeof enabled !== 'boolean' || schedule?.enabled === enabled)
        .sort((a, b) => a.id - b.id)
      const described = asked.map((stored) => describe(state, call, stored))
      return respond(
        call.follows?.completeList(200, described, 'reportSchedules') ?? {
          reportSchedules: described.map(({ usual }) => usual),
        },
      )
    },
  }),
}

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

/** @throws Problem 404 */
function getStored(state: State, call: Call): ReportSchedule {
  const stored = findStored(state, call)
  if (stored) return stored
  throw reportScheduleNotFound({ detail: `There is no report schedule ${asText(call.path.scheduleId)}.` })
}

function respond(json: unknown): Outcome {
  return { status: 200, body: { json }, events: [] }
}

/** A report schedule as a response shows it, with its next and its last run for contracts that name them. */
function describe(state: State, call: Call, stored: ReportSchedule): Described {
  const { usual, known } = describeReportSchedule(stored, call, state.seed)
  const progress = progressOf(state, stored)
  const next = nextRunOf(stored, progress, calendarChoices(call.tracker.settings))
  const runs = {
    ...(next === undefined ? {} : { nextRun: iso(next) }),
    ...(progress.lastRun === undefined ? {} : { lastRun: iso(progress.lastRun) }),
  }
  return { usual, known: { ...known, whenNamed: { ...known.whenNamed, ...runs } } }
}

interface Described {
  readonly usual: Readonly<Record<string, unknown>>
  readonly known: Known
}
