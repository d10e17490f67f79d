import { type Call, type Handler, type Outcome, refusal } from './handler.ts'
import {
  leavesOut,
  readReportScheduleInfo,
  type ReportScheduleInfo,
  softenReportScheduleInfo,
} from './report-schedule-info.ts'
import { showReportSchedule } from './report-schedule-view.ts'
import { takenBeyondContract } from './schedule-dates.ts'
import { isObject } from '../json.ts'
import { Problem } from '../problem.ts'
import type { Integer } from '../world/file-sets/file-record.ts'
import { isKnownId } from '../world/known-ids.ts'
import type { ReportSchedule } from '../world/report-schedules/report-schedule.ts'
import type { World } from '../world/world.ts'

export const createReportSchedule: Handler = {
  soften: softenReportScheduleInfo,
  takes: takenBeyondContract,
  find(_world, call) {
    refuseUnknownLinks(call)
  },
  read(world, call) {
    const required = [{ pointers: call.leaning.answers['create.required'], row: 'create.required' }] as const
    const { info, violations } = readReportScheduleInfo(call.body, call.leaning, {
      required,
      follows: call.follows,
      knownIds: call.knownIds,
    })
    const repeat = repeatOf(info)
    return { violations, decide: () => repeat(world, call), repeat }
  },
}

/** Made apart from `decide`: functions of one scope keep all that any of them needs, and this one is kept longer than a world. */
function repeatOf(info: ReportScheduleInfo) {
  return (world: World, call: Call) => {
    call.leaning.lean('create.ids')
    return createNew(world, call, info, world.nextReportScheduleId)
  }
}

/** `links.exist`. @throws Problem 404 or 403 for a page or a view that no fixture lists */
export function refuseUnknownLinks({ body, leaning, knownIds }: Call): void {
  if (!isObject(body)) return
  for (const [name, list] of [
    ['pageId', 'pages'],
    ['viewId', 'views'],
  ] as const) {
    const id = body[name]
    if (typeof id !== 'bigint' && !Number.isInteger(id)) continue
    const rule = leaning.ask('links.exist')
    if (rule === 'any' || isKnownId(knownIds, list, id as Integer)) continue
    const violation = refusal('links.exist', { pointer: `/${name}` }, `an id that a fixture lists under ${list}`, id)
    throw new Problem(rule === 'listed' ? 404 : 403, 'link-not-found', 'The page or view does not exist', {
      detail: violation.message,
      violations: [violation],
    })
  }
}

/** Decides on a new schedule under an id, whoever chose the id. */
export function createNew(world: World, call: Call, info: ReportScheduleInfo, id: number): Outcome {
  const { leaning, identity, now } = call
  refuseDuplicate(world, call, info)
  refuseBeyondBound(world, id)
  if (leavesOut(call.body)) leaning.lean('create.required')
  if (info.attachmentInclude === undefined) leaning.lean('create.defaults')
  const made: ReportSchedule = {
    id,
    title: info.title ?? '',
    pageId: info.pageId ?? null,
    viewId: info.viewId ?? null,
    attachmentInclude: info.attachmentInclude ?? leaning.answers['create.defaults'].attachmentInclude,
    ownerId: identity.userId,
    schedule: info.schedule ?? null,
    written: now,
    revision: 1,
  }
  const reportSchedule = info.added ? { ...made, added: info.added } : made
  const status = Number(leaning.ask('create.status'))
  return {
    status,
    body: { json: showReportSchedule(reportSchedule, call, { row: 'create.response', status, seed: world.seed }) },
    headers: entityTag(reportSchedule, call),
    events: [{ type: 'report-schedule.created', reportSchedule }],
  }
}

/** `ETag`, where the ledger's `update.concurrent` asks for it. */
export function entityTag({ revision }: ReportSchedule, { leaning }: Call): Record<string, string> {
  if (leaning.answers['update.concurrent'] !== 'etag') return {}
  leaning.lean('update.concurrent')
  return { etag: `"${revision}"` }
}

function refuseDuplicate({ reportSchedules }: World, { leaning }: Call, { title, viewId }: ReportScheduleInfo): void {
  const rule = leaning.answers['create.duplicate']
  // Whether another rule would have found a conflict is not looked up: that takes as long as there are schedules.
  if (reportSchedules.size > 0) leaning.lean('create.duplicate')
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
    throw new Problem(409, 'report-schedule-conflict', 'There is such a report schedule already', {
      detail: violation.message,
      violations: [violation],
    })
  }
}

/** Everything that can grow has a bound; at about half a kilobyte each this one is half a gigabyte. */
const MOST_REPORT_SCHEDULES = 1_000_000

/** Ids are used up early only by an update that creates, or a fixture, with a huge one. */
function refuseBeyondBound({ reportSchedules }: World, id: number): void {
  if (reportSchedules.size < MOST_REPORT_SCHEDULES && Number.isSafeInteger(id)) return
  throw new Problem(409, 'too-many-report-schedules', 'There are too many report schedules', {
    detail: `One world holds ${MOST_REPORT_SCHEDULES} report schedules, with ids below 2^53. Reset it to go on.`,
    rows: ['create.ids'],
  })
}
