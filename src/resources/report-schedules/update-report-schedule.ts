import { isObject, asText } from '../../base/formats/json.ts'
import type { BehaviourTracker } from '../../behaviours/tracker.ts'
import { createWithId, entityTag, refuseUnknownLinks } from './create-report-schedule.ts'
import type { OperationFaults } from '../resource.ts'
import type { KnownIds, ListedIds } from './fixtures.ts'
import { type Call, type Handler, type Outcome, type Reading, refusal, refusalInWords } from '../handler.ts'
import {
  clearedOf,
  type ReadInfo,
  readReportScheduleInfo,
  type ReportScheduleInfo,
  type Required,
  normalizeReportScheduleInfo,
} from './report-schedule-info.ts'
import { showReportSchedule } from './report-schedule-view.ts'
import { acceptedBeyondContract } from './schedule-settings.ts'
import type { Violation } from '../../base/errors/problem.ts'
import type { ReportSchedule, ScheduleSettings } from './report-schedule.ts'
import type { State } from '../../engine/state.ts'
import {
  preconditionFailed,
  reportScheduleForbidden,
  reportScheduleNotFound,
} from '../../base/errors/resource-errors.ts'
import { requestInvalid } from '../../base/errors/request-errors.ts'

/** @param known the ids that fixtures list */
export const updateHandler = (known: ListedIds): Handler => ({
  normalizeBody: normalizeReportScheduleInfo,
  takes: acceptedBeyondContract,

  assertExists(state, call) {
    refuseUnknownOrForeign(state, call)
    refuseUnknownLinks(call, known.ids)
  },
  read: (state, call) => readUpdate(state, call, known.ids),
})

/** @throws Problem for a schedule that does not exist, unless the update creates it, or that belongs to another user */
function refuseUnknownOrForeign(state: State, call: Call): void {
  const stored = findStored(state, call)
  if (stored) {
    refuseOtherOwner(stored, call)
    return
  }
  const id = call.path.scheduleId
  const rule = call.tracker.ask('update.unknown-id')
  if (rule === 'create' && typeof id === 'number' && id > 0) return
  throw reportScheduleNotFound({
    status: rule === 'create' ? 404 : Number(rule),
    detail: `There is no report schedule ${asText(id)}. An update never creates one: POST it first and use the id of the response.`,
    violations: [refusal('update.unknown-id', { parameter: 'scheduleId' }, 'the id of a report schedule', id)],
  })
}

function readUpdate(state: State, call: Call, knownIds: KnownIds): Reading {
  const { tracker, body, adaptation } = call
  const stored = findStored(state, call)
  const isMerged = tracker.settings['update.schedule'] === 'deep-merge'
  const base = isMerged && stored?.schedule ? withoutCleared(stored.schedule, body) : undefined
  const required = requiredFields(stored, tracker)
  const read = readReportScheduleInfo(body, tracker, { required, base, adaptation, knownIds })
  const { info, violations } = read
  checkBody(call, read)
  const changesLinks = stored !== undefined && checkLinks(call, stored, info, violations)
  const depends = isMerged || changesLinks || tracker.settings['update.unknown-id'] === 'create'
  return {
    violations,
    decide() {
      refuseStale(call, stored)
      if (stored) return storeUpdate(state, call, stored, read)
      return createWithId(state, call, read, Number(call.path.scheduleId))
    },
    ...(depends ? {} : { repeat: repeatOf(read) }),
  }
}

/** For readings that did not depend on the stored schedule. It may have changed since, but it exists: `find` looked. */
function repeatOf(read: ReadInfo) {
  return (state: State, call: Call) => {
    const stored = findStored(state, call)
    if (!stored) throw new Error('the report schedule that was found is gone')
    const violations: Violation[] = []
    checkLinks(call, stored, read.info, violations)
    if (violations.length > 0) throw requestInvalid(violations)
    refuseStale(call, stored)
    return storeUpdate(state, call, stored, read)
  }
}

/** `schedule.owner`. @throws Problem 403 or 404 for other users than the owner */
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

const SETTINGS = ['/schedule/frequency', '/schedule/daysToRun', '/schedule/hourOfDay', '/schedule/minOfHour']
const FIELDS = ['title', 'pageId', 'viewId', 'schedule', 'attachmentInclude']
const POINTERS = FIELDS.map((name) => `/${name}`)

/** An update that creates needs what a create needs, and a schedule that replaces another must be complete. */
function requiredFields(stored: ReportSchedule | undefined, { settings }: BehaviourTracker): Required[] {
  const toCreate: readonly string[] = settings['create.required']
  if (!stored && settings['update.unknown-id'] === 'create')
    return [{ pointers: toCreate, behaviour: 'create.required' }]
  const pointers = SETTINGS.filter((pointer) => toCreate.includes(pointer))
  return [
    ...(settings['update.omitted'] === 'error' ? [{ pointers: POINTERS, behaviour: 'update.omitted' } as const] : []),
    ...(settings['update.schedule'] === 'replace' ? [{ pointers, behaviour: 'update.schedule' } as const] : []),
  ]
}

/** The settings under those of a schedule that was sent in part. Without those that null clears. */
function withoutCleared(settings: ScheduleSettings, body: unknown): ScheduleSettings {
  const cleared = clearedOf(body)
  if (cleared.size === 0) return settings
  const left = Object.entries(settings).filter(([name]) => !cleared.has(`/schedule/${name}`))
  return Object.fromEntries(left) as unknown as ScheduleSettings
}

function checkBody({ tracker, body, path }: Call, { violations, cleared }: ReadInfo): void {
  if (!isObject(body)) return
  if (Object.keys(body).length === 0 && cleared.size === 0 && tracker.ask('update.empty') === 'error') {
    violations.push(refusal('update.empty', { pointer: '' }, 'at least one field to change', body))
  }
  if ('id' in body) {
    const { id } = body
    const isRefused = tracker.ask('update.body-id') === 'error'
    const expected = isRefused ? 'no id: the path has it' : 'the id in the path, or none'
    if (isRefused || id !== path.scheduleId)
      violations.push(refusal('update.body-id', { pointer: '/id' }, expected, id))
  }
}

/** `update.links`. Returns whether the request has another page or view than the stored schedule. */
function checkLinks(call: Call, stored: ReportSchedule, info: ReportScheduleInfo, violations: Violation[]): boolean {
  const changed = (['pageId', 'viewId'] as const).filter(
    (name) => info[name] !== undefined && info[name] !== stored[name],
  )
  for (const name of changed) {
    if (call.tracker.ask('update.links') !== 'error') continue
    const expected = `${String(stored[name])}, which cannot be changed`
    violations.push(refusal('update.links', { pointer: `/${name}` }, expected, info[name]))
  }
  return changed.length > 0
}

function storeUpdate(state: State, call: Call, stored: ReportSchedule, read: ReadInfo): Outcome {
  const reportSchedule = merge(stored, read, call)
  const clearsAny = call.tracker.settings['update.omitted'] === 'clear' || read.cleared.size > 0
  const isChanged = clearsAny || Object.keys(read.info).length > 0
  const result = isChanged ? reportSchedule : stored
  return {
    status: 200,
    body: { json: showReportSchedule(result, call, { behaviour: 'update.response', status: 200, seed: state.seed }) },
    headers: entityTag(result, call),
    events: isChanged ? [{ type: 'report-schedule.updated', reportSchedule }] : [],
  }
}

/** One literal, which takes less memory than a copy with changes. */
function merge(
  stored: ReportSchedule,
  { info, omitsSetting, cleared }: ReadInfo,
  { tracker, now }: Call,
): ReportSchedule {
  const { settings } = tracker
  if (FIELDS.some((name) => !(name in info))) tracker.note('update.omitted')
  if (omitsSetting) tracker.note('update.schedule')
  const empty: Clearable = { ...EMPTY, attachmentInclude: settings['create.defaults'].attachmentInclude }
  const kept = <Name extends keyof Clearable>(name: Name): Clearable[Name] =>
    settings['update.omitted'] === 'clear' || cleared.has(`/${name}`) ? empty[name] : stored[name]
  const link = (name: 'pageId' | 'viewId') =>
    settings['update.links'] === 'ignore' ? stored[name] : (info[name] ?? kept(name))
  const merged = {
    id: stored.id,
    title: info.title ?? kept('title'),
    pageId: link('pageId'),
    viewId: link('viewId'),
    attachmentInclude: info.attachmentInclude ?? kept('attachmentInclude'),
    ownerId: stored.ownerId,
    schedule: info.schedule ?? kept('schedule'),
    written: now,
    revision: stored.revision + 1,
  }
  const added = info.added ? { ...kept('added'), ...info.added } : kept('added')
  return added ? { ...merged, added } : merged
}

type Clearable = Pick<ReportSchedule, keyof typeof EMPTY | 'attachmentInclude'>

const EMPTY = { title: '', pageId: null, viewId: null, schedule: null, added: undefined }

/** `update.concurrent`: `If-Match` (RFC 9110, 13.1.1). Nothing matches a schedule that does not exist. */
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

/** Another client may edit the schedule first, and the response may be lost. */
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
