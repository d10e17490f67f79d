import { isObject } from '../../formats/json.ts'
import type { BehaviourSettings } from '../../behaviours/settings.ts'
import type { BehaviourTracker } from '../../behaviours/tracker.ts'
import { createNew, entityTag, refuseUnknownLinks } from './create-report-schedule.ts'
import type { OperationFaults } from '../resource.ts'
import { asText, type Call, type Handler, type Outcome, refusal, refusalInWords } from '../handler.ts'
import {
  clearedOf,
  omitsSetting,
  readReportScheduleInfo,
  type ReportScheduleInfo,
  type Required,
  normalizeReportScheduleInfo,
} from './report-schedule-info.ts'
import { showReportSchedule } from './report-schedule-view.ts'
import { acceptedBeyondContract } from './schedule-settings.ts'
import { type Violation } from '../../errors/problem.ts'
import type { ReportSchedule, ScheduleSettings } from './calendar/report-schedule.ts'
import type { State } from '../../engine/state.ts'
import { preconditionFailed, reportScheduleForbidden, reportScheduleNotFound } from '../../errors/resource-errors.ts'
import { requestInvalid } from '../../errors/request-errors.ts'

export const updateReportSchedule: Handler = {
  normalizeBody: normalizeReportScheduleInfo,
  takes: acceptedBeyondContract,

  find(state, call) {
    const { tracker } = call
    const stored = findStored(state, call)
    if (stored) {
      refuseOtherOwner(stored, call)
      refuseUnknownLinks(call)
      return
    }
    const id = call.path.scheduleId
    const answer = tracker.ask('update.unknown-id')
    if (answer === 'create') {
      if (typeof id === 'number' && id > 0) {
        refuseUnknownLinks(call)
        return
      }
    }
    throw reportScheduleNotFound({
      status: answer === 'create' ? 404 : Number(answer),
      detail: `There is no report schedule ${asText(id)}. An update never creates one: POST it first and use the id of the answer.`,
      violations: [refusal('update.unknown-id', { parameter: 'scheduleId' }, 'the id of a report schedule', id)],
    })
  },

  read(state, call) {
    const { tracker } = call
    const stored = findStored(state, call)
    const isMerged = tracker.answers['update.schedule'] === 'deep-merge'
    const base = isMerged && stored?.schedule ? withoutCleared(stored.schedule, call.body) : undefined
    const { info, violations } = readReportScheduleInfo(call.body, tracker, {
      required: requiredParts(stored, tracker),
      base,
      follows: call.follows,
      knownIds: call.knownIds,
    })
    checkBody(call, violations)
    const changesLinks = stored !== undefined && checkLinks(call, stored, info, violations)
    return {
      violations,
      decide() {
        refuseStale(call, stored)
        if (stored) return storeUpdate(state, call, stored, info)
        return createNew(state, call, info, Number(call.path.scheduleId))
      },
      ...(isMerged || changesLinks || tracker.answers['update.unknown-id'] === 'create'
        ? {}
        : { repeat: repeatOf(info) }),
    }
  },
}

/** For a reading that did not depend on the stored schedule. The stored one may have changed since, but it is there: `find` looked. */
function repeatOf(info: ReportScheduleInfo) {
  return (state: State, call: Call) => {
    const stored = findStored(state, call)
    if (!stored) throw new Error('the report schedule that was found is gone')
    const violations: Violation[] = []
    checkLinks(call, stored, info, violations)
    if (violations.length > 0) throw requestInvalid(violations)
    refuseStale(call, stored)
    return storeUpdate(state, call, stored, info)
  }
}

/** `schedule.owner`. @throws Problem 403 or 404 for another user than the owner */
function refuseOtherOwner({ ownerId }: ReportSchedule, { identity, tracker, path }: Call): void {
  if (BigInt(ownerId) === BigInt(identity.userId)) return
  const rule = tracker.ask('schedule.owner')
  if (rule === 'any') return
  const where = { parameter: 'scheduleId' }
  const violation = refusalInWords('schedule.owner', where, 'a schedule of the user who calls', 'one of another user')
  if (rule === 'owner-only-403')
    throw reportScheduleForbidden({
      detail: `Only its owner may update the report schedule ${asText(path.scheduleId)}.`,
      violations: [violation],
    })
  throw reportScheduleNotFound({
    detail: `There is no report schedule ${asText(path.scheduleId)} for the user of this key.`,
    violations: [violation],
  })
}

/** The report schedule that the path names. */
export function findStored({ reportSchedules }: State, { path }: Call): ReportSchedule | undefined {
  const id = path.scheduleId
  return typeof id === 'number' ? reportSchedules.get(id) : undefined
}

const SCHEDULE_PARTS = ['/schedule/frequency', '/schedule/daysToRun', '/schedule/hourOfDay', '/schedule/minOfHour']
const TOP_LEVEL = ['/title', '/pageId', '/viewId', '/schedule', '/attachmentInclude']

/** An update that creates must hold what a create must; else only a schedule that replaces another must be whole. */
function requiredParts(stored: ReportSchedule | undefined, { answers }: BehaviourTracker): Required[] {
  if (!stored && answers['update.unknown-id'] === 'create')
    return [{ pointers: answers['create.required'], behaviour: 'create.required' }]
  const required: Required[] = []
  if (answers['update.omitted'] === 'error') required.push({ pointers: TOP_LEVEL, behaviour: 'update.omitted' })
  if (answers['update.schedule'] === 'replace') {
    const pointers = SCHEDULE_PARTS.filter((pointer) =>
      (answers['create.required'] as readonly string[]).includes(pointer),
    )
    required.push({ pointers, behaviour: 'update.schedule' })
  }
  return required
}

/** The settings that a schedule sent in part is laid over, less what null empties. */
function withoutCleared(settings: ScheduleSettings, body: unknown): ScheduleSettings {
  const cleared = clearedOf(body)
  if (cleared.size === 0) return settings
  const left = Object.entries(settings).filter(([name]) => !cleared.has(`/schedule/${name}`))
  return Object.fromEntries(left) as unknown as ScheduleSettings
}

function checkBody({ tracker, body, path }: Call, violations: Violation[]): void {
  if (!isObject(body)) return
  if (Object.keys(body).length === 0 && clearedOf(body).size === 0 && tracker.ask('update.empty') === 'error') {
    violations.push(refusal('update.empty', { pointer: '' }, 'at least one field to change', body))
  }
  if ('id' in body) {
    const { id } = body
    const rule = tracker.ask('update.body-id')
    if (rule === 'error') violations.push(refusal('update.body-id', { pointer: '/id' }, 'no id: the path has it', id))
    else if (id !== path.scheduleId)
      violations.push(refusal('update.body-id', { pointer: '/id' }, 'the id in the path, or none', id))
  }
}

/** `update.links`. Returns whether the request has another page or view than the stored schedule. */
function checkLinks(
  { tracker }: Call,
  stored: ReportSchedule,
  info: ReportScheduleInfo,
  violations: Violation[],
): boolean {
  let changesLinks = false
  for (const name of ['pageId', 'viewId'] as const) {
    if (info[name] === undefined || info[name] === stored[name]) continue
    changesLinks = true
    if (tracker.ask('update.links') !== 'error') continue
    const expected = `${String(stored[name])}, which cannot be changed`
    violations.push(refusal('update.links', { pointer: `/${name}` }, expected, info[name]))
  }
  return changesLinks
}

function storeUpdate(state: State, call: Call, stored: ReportSchedule, info: ReportScheduleInfo): Outcome {
  const reportSchedule = merge(stored, info, call)
  const isChanged =
    Object.keys(info).length > 0 || call.tracker.answers['update.omitted'] === 'clear' || clearedOf(call.body).size > 0
  const result = isChanged ? reportSchedule : stored
  return {
    status: 200,
    body: { json: showReportSchedule(result, call, { row: 'update.response', status: 200, seed: state.seed }) },
    headers: entityTag(result, call),
    events: isChanged ? [{ type: 'report-schedule.updated', reportSchedule }] : [],
  }
}

/** The stored schedule with what was sent laid over it. One literal, which takes less room than a copy with changes. */
function merge(stored: ReportSchedule, info: ReportScheduleInfo, { body, tracker, now }: Call): ReportSchedule {
  const { answers } = tracker
  if (['title', 'pageId', 'viewId', 'schedule', 'attachmentInclude'].some((name) => !(name in info)))
    tracker.note('update.omitted')
  if (omitsSetting(body)) tracker.note('update.schedule')
  const links = answers['update.links'] === 'ignore' ? { pageId: stored.pageId, viewId: stored.viewId } : {}
  const kept =
    answers['update.omitted'] === 'clear'
      ? { ...stored, ...EMPTY, attachmentInclude: answers['create.defaults'].attachmentInclude }
      : stored
  const laid = { ...kept, ...emptied(body, answers), ...info, ...links }
  const merged: ReportSchedule = {
    id: stored.id,
    title: laid.title,
    pageId: laid.pageId,
    viewId: laid.viewId,
    attachmentInclude: laid.attachmentInclude,
    ownerId: stored.ownerId,
    schedule: laid.schedule,
    written: now,
    revision: stored.revision + 1,
  }
  if (!laid.added) return merged
  return { ...merged, added: info.added && kept.added ? { ...kept.added, ...info.added } : laid.added }
}

const EMPTY = { title: '', pageId: null, viewId: null, schedule: null, added: undefined }

/** What null empties (`body.null: clear`). */
function emptied(body: unknown, answers: BehaviourSettings): Partial<ReportSchedule> {
  const cleared = clearedOf(body)
  if (cleared.size === 0) return {}
  const empty = { ...EMPTY, attachmentInclude: answers['create.defaults'].attachmentInclude }
  return Object.fromEntries(Object.entries(empty).filter(([name]) => cleared.has(`/${name}`)))
}

/** `If-Match` (RFC 9110, 13.1.1), where the behaviour `update.concurrent` respects it. A schedule that does not exist matches nothing. */
function refuseStale(call: Call, stored: ReportSchedule | undefined): void {
  const { tracker } = call
  const sent = call.header('if-match')
  if (sent === undefined) return
  const tags = sent.split(',').map((tag) => tag.trim())
  const present = stored && `"${stored.revision}"`
  if (present !== undefined && (tags.includes('*') || tags.includes(present))) return
  if (tracker.ask('update.concurrent') !== 'etag') return
  const state = present === undefined ? 'there is no such schedule yet' : `the schedule is now ${present}`
  throw preconditionFailed({
    detail: `If-Match is ${sent}, but ${state}. Read it again and repeat the update.`,
    violations: [refusal('update.concurrent', { header: 'If-Match' }, present ?? 'no If-Match', sent)],
  })
}

/** Somebody else may edit the schedule first, and the response may be lost. */
export const updateFaults: OperationFaults = {
  meets: ({ kind }) => kind === 'lost-answer' || kind === 'conflicting-edit',
  before(fault, { state, now, named }) {
    const stored = state.reportSchedules.get(Number(named))
    if (!stored || fault.kind !== 'conflicting-edit') return undefined
    if (fault.edit === 'remove') return { events: [{ type: 'report-schedule.removed', reportScheduleId: stored.id }] }
    const changed = { title: `${stored.title} (edited)`, written: now, revision: stored.revision + 1 }
    return { events: [{ type: 'report-schedule.updated', reportSchedule: { ...stored, ...changed } }] }
  },
}
