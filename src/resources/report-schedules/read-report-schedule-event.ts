import { EventDefect } from '../event-defect.ts'
import type { ReportScheduleEvent } from '../../handlers/events.ts'
import type { EventRules, Origin } from '../../handlers/read-events.ts'
import { isObject } from '../../formats/json.ts'
import { shown } from '../../errors/problem.ts'
import type { StateEvent } from '../../engine/state.ts'
import type { ReportSchedule } from './calendar/report-schedule.ts'
import { deliveriesOf, distinctRecipients } from './calendar/run.ts'
import type { State } from '../../engine/state.ts'

/** @throws EventDefect for what cannot happen */
export function readReportScheduleEvent(
  event: ReportScheduleEvent,
  state: State,
  { reportSchedules: rules }: Pick<EventRules, 'reportSchedules'>,
  origin: Origin,
): StateEvent {
  switch (event.type) {
    case 'create-report-schedule': {
      const facts = { ownerId: origin.userId, written: origin.now, revision: 1 }
      const reportSchedule = { id: state.nextReportScheduleId, ...complete(event.info, rules), ...facts }
      return { type: 'report-schedule.created', reportSchedule }
    }
    case 'change-report-schedule': {
      const before = get(state, event.id)
      const { id, ownerId, revision } = before
      const changed = complete(changedInfo(before, event.change), rules)
      const reportSchedule = { id, ...changed, ownerId, written: origin.now, revision: revision + 1 }
      return { type: 'report-schedule.updated', reportSchedule }
    }
    case 'remove-report-schedule':
      return { type: 'report-schedule.removed', reportScheduleId: get(state, event.id).id }
    case 'run-report-schedule': {
      const reportSchedule = get(state, event.id)
      const run = { id: state.nextRunId, at: origin.now, reportSchedule }
      const deliveries = deliveriesOf(run, distinctRecipients(reportSchedule), state.nextDeliveryId)
      return { type: 'report-schedule.ran', run, deliveries }
    }
  }
}

function get({ reportSchedules }: State, id: number): ReportSchedule {
  const found = reportSchedules.get(id)
  if (found) return found
  throw new EventDefect(`there is no report schedule ${shown(id)}.`)
}

/** @throws EventDefect with the first thing that a create would be refused for */
function complete(info: unknown, { check, complete: read }: EventRules['reportSchedules']) {
  const [first] = check(info)
  if (first) throw new EventDefect(`the report schedule is not valid: ${first.message}`)
  return read(info)
}

/** The body of a create that would make what is there, with a change laid over it. */
function changedInfo(before: ReportSchedule, change: object): unknown {
  const { title, pageId, viewId, attachmentInclude, schedule } = before
  const settings = 'schedule' in change && isObject(change.schedule) ? change.schedule : {}
  const given = { title, pageId, viewId, attachmentInclude, ...change, schedule: { ...schedule, ...settings } }
  const info: Readonly<Record<string, unknown>> = given
  // What the behaviour catalogue let somebody empty is not there.
  return Object.fromEntries(Object.entries(info).filter(([, value]) => (value ?? null) !== null))
}
