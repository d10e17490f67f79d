import { type Call, type Handler, type Outcome, refusal } from '../handler.ts'
import {
  normalizeReportScheduleInfo,
  type ReadInfo,
  readReportScheduleInfo,
  type ReportScheduleInfo,
} from './report-schedule-info.ts'
import { showReportSchedule } from './report-schedule-view.ts'
import { acceptedBeyondContract } from './schedule-settings.ts'
import { type Integer, isObject } from '../../base/formats/json.ts'
import { isKnownId, type KnownIds, type ListedIds } from './fixtures.ts'
import type { ReportSchedule } from './report-schedule.ts'
import type { State } from '../../engine/state.ts'
import { linkNotFound, reportScheduleConflict, tooManyReportSchedules } from '../../base/errors/resource-errors.ts'

/** @param known the ids that fixtures list */
export const createReportScheduleHandler = (known: ListedIds): Handler => ({
  normalizeBody: normalizeReportScheduleInfo,
  takes: acceptedBeyondContract,
  assertExists(_state, call) {
    refuseUnknownLinks(call, known.ids)
  },
  read(state, call) {
    const required = [{ pointers: call.tracker.settings['create.required'], behaviour: 'create.required' }] as const
    const options = { required, adaptation: call.adaptation, knownIds: known.ids }
    const read = readReportScheduleInfo(call.body, call.tracker, options)
    const repeat = repeatOf(read)
    return { violations: read.violations, decide: () => repeat(state, call), repeat }
  },
})

/** A separate function: a closure inside `read` would keep the state alive. */
function repeatOf(read: ReadInfo) {
  return (state: State, call: Call) => {
    call.tracker.note('create.ids')
    return createWithId(state, call, read, state.nextReportScheduleId)
  }
}

/** Applies `links.exist`. @throws Problem 404 or 403 for a page or a view that no fixture lists */
export function refuseUnknownLinks({ body, tracker }: Call, knownIds: KnownIds): void {
  if (!isObject(body)) return
  for (const [name, list] of [
    ['pageId', 'pages'],
    ['viewId', 'views'],
  ] as const) {
    const id = body[name]
    if (typeof id !== 'bigint' && !Number.isInteger(id)) continue
    const rule = tracker.ask('links.exist')
    if (rule === 'any' || isKnownId(knownIds, list, id as Integer)) continue
    const violation = refusal('links.exist', { pointer: `/${name}` }, `an id that a fixture lists under ${list}`, id)
    throw linkNotFound({ status: rule === 'listed' ? 404 : 403, violations: [violation] })
  }
}

/** Creates a schedule with a given id. */
export function createWithId(state: State, call: Call, { info, omitsField }: ReadInfo, id: number): Outcome {
  const { tracker, identity, now } = call
  refuseDuplicate(state, call, info)
  refuseBeyondBound(state, id)
  if (omitsField) tracker.note('create.required')
  if (info.attachmentInclude === undefined) tracker.note('create.defaults')
  const made: ReportSchedule = {
    id,
    title: info.title ?? '',
    pageId: info.pageId ?? null,
    viewId: info.viewId ?? null,
    attachmentInclude: info.attachmentInclude ?? tracker.settings['create.defaults'].attachmentInclude,
    ownerId: identity.userId,
    schedule: info.schedule ?? null,
    written: now,
    revision: 1,
  }
  const reportSchedule = info.added ? { ...made, added: info.added } : made
  const status = Number(tracker.ask('create.status'))
  return {
    status,
    body: {
      json: showReportSchedule(reportSchedule, call, { behaviour: 'create.response', status, seed: state.seed }),
    },
    headers: entityTag(reportSchedule, call),
    events: [{ type: 'report-schedule.created', reportSchedule }],
  }
}

/** `ETag`, where the behaviour `update.concurrent` asks for it. */
export function entityTag({ revision }: ReportSchedule, { tracker }: Call): Record<string, string> {
  if (tracker.settings['update.concurrent'] !== 'etag') return {}
  tracker.note('update.concurrent')
  return { etag: `"${revision}"` }
}

function refuseDuplicate({ reportSchedules }: State, { tracker }: Call, { title, viewId }: ReportScheduleInfo): void {
  const rule = tracker.settings['create.duplicate']
  // Looking for conflicts under the other settings would cost time per schedule, so this is noted whenever there are schedules.
  if (reportSchedules.size > 0) tracker.note('create.duplicate')
  if (rule === 'allow') return
  for (const stored of reportSchedules.values()) {
    const isSame = rule === 'conflict-on-title' ? stored.title === title : stored.viewId === viewId
    if (!isSame) continue
    const [pointer, received] = rule === 'conflict-on-title' ? ['/title', title] : ['/viewId', viewId]
    const violation = refusal(
      'create.duplicate',
      { pointer },
      `one that no schedule has; schedule ${stored.id} has it`,
      received,
    )
    throw reportScheduleConflict({ violations: [violation] })
  }
}

/** Half a gigabyte, at about half a kilobyte each. */
const MAX_REPORT_SCHEDULES = 1_000_000

/** Ids run out early only through an update that creates, or a fixture. */
function refuseBeyondBound({ reportSchedules }: State, id: number): void {
  if (reportSchedules.size < MAX_REPORT_SCHEDULES && Number.isSafeInteger(id)) return
  throw tooManyReportSchedules({
    detail: `A sandbox holds ${MAX_REPORT_SCHEDULES} report schedules, with ids below 2^53. Reset it to go on.`,
    behaviours: ['create.ids'],
  })
}
