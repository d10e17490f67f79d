import type {
  DeliveryRecord,
  InstantText,
  RunRecord,
  StateDocument,
  StoredReportSchedule,
} from '../../../types/control-api.d.ts'
import { readInstant, iso } from '../../formats/instant.ts'
import type { Origin } from '../../engine/state.ts'
import { requestInvalid } from '../../errors/request-errors.ts'
import { violation } from '../../errors/problem.ts'
import type { ReportSchedule } from './calendar/report-schedule.ts'
import type { Delivery, Run } from './calendar/run.ts'
import { localTime } from './calendar/time-zone.ts'

/** Report schedules, runs and deliveries as state documents, logs and the control API hold them. */

export function writeReportSchedule({ written, ...rest }: ReportSchedule): StoredReportSchedule {
  return { ...rest, written: iso(written) }
}

export function writeRun({ id, at, reportSchedule }: Run): StateDocument['runs'][number] {
  return { id, at: iso(at), reportSchedule: writeReportSchedule(reportSchedule) }
}

/** A run as the stream and the clock show it, without the whole schedule. */
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
  return { ...showRunFacts(run), reportSchedule: writeReportSchedule(run.reportSchedule) }
}

export function writeDelivery(delivery: Delivery): DeliveryRecord {
  return writeDeliveryAt(delivery, iso(delivery.at))
}

/** The same where the instant was written already. */
export function writeDeliveryAt(delivery: Delivery, at: InstantText): DeliveryRecord {
  const { id, runId, reportScheduleId: scheduleId, recipient, title, pageId, viewId, attachmentInclude } = delivery
  return { id, runId, at, scheduleId, recipient, title, pageId, viewId, attachmentInclude }
}

/** What the service would have refused is refused here too, but for what the behaviours let an update leave empty. */
export function readReportSchedule(from: Origin, stored: StoredReportSchedule, pointer: string): ReportSchedule {
  const { id, ownerId, written, revision, ...rest } = stored
  const info = rest as Omit<ReportSchedule, 'id' | 'ownerId' | 'written' | 'revision'>
  const given = Object.fromEntries(Object.entries(bodyOf(info)).filter(([, value]) => value !== null && value !== ''))
  const violations = (from.rules?.reportSchedules.check(given) ?? [])
    .filter(({ received }) => received !== undefined)
    .map(({ pointer: at = '', expected, received = '' }) => ({
      ...violation({ pointer: pointer + at }, 'reportSchedule', expected),
      message: `${pointer}${at}: expected ${expected}, got ${received}.`,
      received,
    }))
  if (violations.length > 0) throw requestInvalid(violations)
  if (!Number.isSafeInteger(id))
    throw requestInvalid([violation({ pointer: `${pointer}/id` }, 'id', 'an id below 2^53', id)])
  return { id, ...info, ownerId, written: readInstant(written, { pointer: `${pointer}/written` }), revision }
}

/** What a client would have sent: members that a contract of the user's own adds stand among the others there. */
export function bodyOf({ added, schedule, ...rest }: Pick<ReportSchedule, 'added' | 'schedule'>): object {
  if (!schedule) return { ...rest, ...added, schedule }
  const { added: addedSettings, ...settings } = schedule
  return { ...rest, ...added, schedule: { ...settings, ...addedSettings } }
}

export function readDelivery({ at, scheduleId, ...rest }: DeliveryRecord, pointer: string): Delivery {
  const { id, runId, recipient, title, pageId, viewId, attachmentInclude } = rest
  const facts = { id, runId, at: readInstant(at, { pointer: `${pointer}/at` }), reportScheduleId: scheduleId }
  return { ...facts, recipient, title, pageId, viewId, attachmentInclude }
}
