import type { DryRun } from './dry-run.ts'
import { type ControlAnswer, type ControlCall, type ControlHandler, ok } from '../engine/control-route.ts'
import { requestInvalid } from '../errors/request-errors.ts'
import { violation } from '../errors/problem.ts'
import { findReportSchedule } from '../resources/report-schedules/report-schedule-routes.ts'
import type { EntryName, ExplainScheduleRequest, ExplainSearchRequest } from './client/types.ts'
import { isObject } from '../formats/json.ts'
import { explainReportSchedule } from '../resources/report-schedules/explain-report-schedule.ts'
import { isSteps, type Steps } from '../engine/steps.ts'

interface ExplainRequest {
  readonly search?: ExplainSearchRequest
  readonly file?: EntryName
  readonly schedule?: ExplainScheduleRequest
}

/** The parts of a search, which are easily sent without what they belong under. */
const OF_A_SEARCH = ['fileSetId', 'query', 'body', 'filters', 'dateFilters', 'fieldSort', 'directoryPath']

/** Tells the sender of a bare search where to put it, instead of listing unknown members. @throws Problem 400 */
export function refuseBareSearch(body: unknown): void {
  if (!isObject(body) || body.search !== undefined || body.schedule !== undefined) return
  const bare = OF_A_SEARCH.find((name) => Object.hasOwn(body, name))
  if (bare === undefined) return
  const expected =
    'search, with the search in it: {"search":{"fileSetId":"demo","query":{"limit":3},"body":{"filters":[]}}}'
  throw requestInvalid([violation({ pointer: `/${bare}` }, 'explain', expected, body[bare])])
}

/** Says why a search answers what it answers, or how a nextRunDate came about. */
export interface ExplainNeeds {
  readonly dryRun: DryRun
}

export const explain: ControlHandler<ExplainNeeds> = (call) => {
  const { search, file, schedule } = call.body as ExplainRequest
  if (search && !schedule) return explainTheSearch(call, search, file)
  if (schedule && !search && !file) return ok(explainTheSchedule(call, schedule))
  throw requestInvalid([
    violation({ pointer: '' }, 'explain', 'either search, and perhaps file, or schedule', call.body),
  ])
}

function* explainTheSearch(
  call: ControlCall & ExplainNeeds,
  search: ExplainSearchRequest,
  file: EntryName | undefined,
): Steps<ControlAnswer> {
  const sandbox = call.sandbox()
  const { fileSetId, query = {}, body = {} } = search
  const pointers = { body: '/search/body', query: '/search/query', parameters: { fileSetId: '/search/fileSetId' } }
  const told = { handlerKind: 'searchFiles' as const, path: { fileSetId }, query, body, pointers }
  const asked = call.dryRun(told, sandbox)
  asked.validateAndRead()
  const explained = asked.explain(file)
  return ok(isSteps(explained) ? yield* explained : explained)
}

function explainTheSchedule(call: ControlCall & ExplainNeeds, schedule: ExplainScheduleRequest) {
  const sandbox = call.sandbox()
  sandbox.now()
  if ('id' in schedule) {
    const reportSchedule = findReportSchedule(call, schedule.id)
    const told = { ...NOTHING_TOLD, handlerKind: 'updateReportSchedule' as const }
    const asked = call.dryRun(told, sandbox)
    return explainReportSchedule(sandbox.state, asked.call, { reportSchedule, isStored: true })
  }
  const told = { ...NOTHING_TOLD, handlerKind: 'createReportSchedule' as const, body: schedule.info }
  const asked = call.dryRun(told, sandbox)
  const [event] = asked.validateAndRead().decide().events
  if (event?.type !== 'report-schedule.created') throw new Error('a create has not created')
  return explainReportSchedule(sandbox.state, asked.call, { reportSchedule: event.reportSchedule, isStored: false })
}

const NOTHING_TOLD = {
  path: {},
  query: {},
  body: {},
  pointers: { body: '/schedule/info', query: '/schedule', parameters: {} },
}
