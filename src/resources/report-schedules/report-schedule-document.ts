import type {
  DeliveryRecord,
  InstantText,
  RunRecord,
  StateDocument,
  StoredReportSchedule,
} from '../../../types/control-api.d.ts'
import { readInstant, iso } from '../../base/formats/instant.ts'
import type { Origin } from '../../engine/state.ts'
import { requestInvalid } from '../../base/errors/request-errors.ts'
import { violation } from '../../base/errors/problem.ts'
import type { Delivery, ReportSchedule, Run } from './report-schedule.ts'
import { localTime } from './time-zone.ts'

/** Report schedules, runs and deliveries as state documents, logs and the control API hold them. */

export function writeReportSchedule({ written, ...rest }: ReportSchedule): StoredReportSchedule {
  return { ...rest, written: iso(written) }
}

type WrittenRun = StateDocument['runs'][number]

export function writeRun({ id, at, reportSchedule }: Run): WrittenRun {
  return { id, at: iso(at), reportSchedule: writeReportSchedule(reportSchedule) }
}

/** A run in the stream and in responses about the clock. */
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

/** @param at the instant of the delivery, already formatted */
export function writeDeliveryAt(delivery: Delivery, at: InstantText): DeliveryRecord {
  const { id, runId, reportScheduleId: scheduleId, recipient, title, pageId, viewId, attachmentInclude } = delivery
  return { id, runId, at, scheduleId, recipient, title, pageId, viewId, attachmentInclude }
}

/** @throws Problem 400 for what a create would refuse; fields that an update may clear can be absent */
export function readReportSchedule(from: Origin, stored: StoredReportSchedule, pointer: string): ReportSchedule {
  const { id, ownerId, written, revision, ...rest } = stored
  const info = rest as Omit<ReportSchedule, 'id' | 'ownerId' | 'written' | 'revision'>
  const violations = (from.rules?.reportSchedules.check(infoOf(info)) ?? [])
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

/** The body of a create for a schedule. Members that the user's contract adds lie among the others there, and cleared fields are absent. */
export function infoOf(
  stored: Omit<ReportSchedule, 'id' | 'ownerId' | 'written' | 'revision'>,
): Record<string, unknown> {
  const { title, pageId, viewId, attachmentInclude, schedule, added } = stored
  const { added: addedSettings, ...settings } = schedule ?? {}
  const info = {
    ...{ title, pageId, viewId, attachmentInclude },
    ...added,
    schedule: schedule && { ...settings, ...addedSettings },
  }
  return Object.fromEntries(Object.entries(info).filter(([, value]) => value !== null && value !== ''))
}

export function readRun(from: Origin, { id, at, reportSchedule }: WrittenRun, pointer: string): Run {
  return {
    id,
    at: readInstant(at, { pointer: `${pointer}/at` }),
    reportSchedule: readReportSchedule(from, reportSchedule, `${pointer}/reportSchedule`),
  }
}

export function readDelivery({ at, scheduleId, ...rest }: DeliveryRecord, pointer: string): Delivery {
  const { id, runId, recipient, title, pageId, viewId, attachmentInclude } = rest
  const facts = { id, runId, at: readInstant(at, { pointer: `${pointer}/at` }), reportScheduleId: scheduleId }
  return { ...facts, recipient, title, pageId, viewId, attachmentInclude }
}
