import { counted } from '../../base/errors/wording.ts'
import { findList } from '../../contract/schemas/shape.ts'
import {
  type BuiltinOperation,
  type Fit,
  listed,
  MAX_TARGETS,
  type OperationCoverage,
  type OperationFaults,
  type OperationShapes,
  type Resource,
  type UsualMembers,
} from '../resource.ts'
import { createReportScheduleHandler } from './create-report-schedule.ts'
import { createReportScheduleFixtures, type ListedIds, missingIdLists } from './fixtures.ts'
import { createGivenReportSchedules } from './given-report-schedules.ts'
import { getReportSchedule, getStored, listReportSchedules } from './read-report-schedules.ts'
import { reportScheduleRoutes, scheduleExplanation } from './control-routes.ts'
import { reportScheduleState } from './report-schedule-state.ts'
import { updateFaults, updateHandler } from './update-report-schedule.ts'
import type { Handler } from '../handler.ts'
import { asList, asObject, isObject } from '../../base/formats/json.ts'

/** When reports can run, and who can receive them, as the behaviours have it. */
const scheduleCoverage: OperationCoverage = {
  values: (settings) => ({
    frequencies: settings['frequency.values'],
    'recipient types': settings['recipient.types'],
  }),
  used({ body }, note) {
    const schedule = asObject(asObject(body).schedule)
    if (typeof schedule.frequency === 'string') note('frequencies', schedule.frequency)
    const { additionalRecipients } = schedule
    for (const recipient of asList(additionalRecipients))
      if (isObject(recipient)) note('recipient types', String(recipient.type))
  },
}

const deleteReportSchedule: Handler = {
  takesNothing: true,
  assertExists: getStored,
  read: (state, call) => ({
    violations: [],
    decide: () => ({
      status: 204,
      body: { empty: true },
      events: [{ type: 'report-schedule.removed', reportScheduleId: getStored(state, call).id }],
    }),
  }),
}

const SCHEDULE_ID = { name: 'scheduleId', isInteger: true } as const
const SETTINGS = ['frequency', 'daysToRun', 'hourOfDay', 'minOfHour'] as const

const MEMBERS: UsualMembers = {
  noun: 'report schedule',
  body: {
    '': new Set(['id', 'title', 'pageId', 'viewId', 'schedule', 'attachmentInclude']),
    '/schedule': new Set([...SETTINGS, 'timezone', 'enabled', 'additionalRecipients', 'nextRunDate']),
  },
  response: new Set(['id', 'reportViewId', 'pageId', 'title', 'schedule']),
}

const WRITTEN: Pick<BuiltinOperation, 'fit' | 'uses' | 'members' | 'coverage'> = {
  coverage: scheduleCoverage,
  members: MEMBERS,
  fit: fitWrite,
  uses: { query: [], storesBody: true, body: { schedule: { additionalRecipients: [{ type: true, value: true }] } } },
}

/** What a schedule is written, and shown, by. */
const TIMING = ['frequency', 'days', 'time', 'next-run', 'zone', 'schedule']
const WRITING = ['create', 'body', 'write', 'response', 'recipients', 'links', ...TIMING, 'title', 'recipient']

const findTargets: BuiltinOperation['findTargets'] = ({ reportSchedules }) =>
  Promise.resolve([...reportSchedules.keys()].slice(0, MAX_TARGETS).map((id) => ({ path: { scheduleId: String(id) } })))

/** Its response may be lost after the change was stored. */
const LOSABLE: OperationFaults = { meets: ({ kind }) => kind === 'lost-answer' }

export function createReportSchedules(): Resource {
  const known: ListedIds = { ids: {} }
  return {
    createRules: (parts) => ({ reportSchedules: createGivenReportSchedules(parts) }),
    fixtures: createReportScheduleFixtures((read) => (known.ids = read)),
    summarise: ({ reportSchedules }) => [counted(reportSchedules.size, 'report schedule')],
    missingLists: () => missingIdLists(known.ids),
    state: reportScheduleState,
    controlRoutes: reportScheduleRoutes,
    explanations: { schedule: scheduleExplanation },
    initialBehaviours: {
      'create.ids': 'To choose the next id of a sandbox, PUT its state with another nextReportScheduleId',
    },
    operations: [
      { ...CREATE, handler: createReportScheduleHandler(known) },
      { ...UPDATE, handler: updateHandler(known) },
      ...READS,
      DELETE,
    ],
  }
}

const USUAL = {
  title: 'Weekly revenue',
  pageId: 1_204_518_837,
  viewId: 84_210,
  schedule: { frequency: 'WEEKLY', daysToRun: 'MON', hourOfDay: 8, minOfHour: 30, timezone: 'America/New_York' },
}

const CREATE: Omit<BuiltinOperation, 'handler'> = {
  name: 'createReportSchedule',
  successStatus: (settings) => Number(settings['create.status']),
  faults: LOSABLE,
  isCreate: true,
  dependsOn: WRITING,
  usualBody: USUAL,
  looksLike: ({ method, endsInParameter, bodyHas }) =>
    method === 'POST' && !endsInParameter && bodyHas('', 'title', 'schedule') && bodyHas('/schedule', ...SETTINGS),
  ...WRITTEN,
}

const UPDATE: Omit<BuiltinOperation, 'handler'> = {
  name: 'updateReportSchedule',
  faults: updateFaults,
  dependsOn: [...WRITING, 'update'],
  usualBody: { title: USUAL.title },
  parameter: SCHEDULE_ID,
  findTargets,
  integers: { path: { form: 'update.id-form', range: 'update.id-form' } },
  looksLike: ({ method, endsInParameter, bodyHas }) =>
    method === 'PUT' && endsInParameter && bodyHas('', 'title', 'schedule') && bodyHas('/schedule', ...SETTINGS),
  ...WRITTEN,
}

const READS: readonly BuiltinOperation[] = [
  {
    name: 'getReportSchedule',
    isChecked: true,
    handler: getReportSchedule,
    members: MEMBERS,
    dependsOn: ['response', 'recipients', ...TIMING],
    parameter: SCHEDULE_ID,
    findTargets,
    looksLike: ({ method, endsInParameter, responseHas }) =>
      method === 'GET' &&
      endsInParameter &&
      responseHas('', 'title', 'schedule') &&
      responseHas('/schedule', ...SETTINGS),
    fit: ({ operation, response }) => fitRead(operation.method, 'GET', lackOfObject(response)),
    uses: { query: [], body: {} },
  },
  {
    name: 'listReportSchedules',
    isChecked: true,
    handler: listReportSchedules,
    members: MEMBERS,
    dependsOn: ['response', 'recipients', ...TIMING],
    // The elements of a list say little about the operation, so it is only bound by its name.
    looksLike: () => false,
    fit: ({ operation, response, document }) =>
      fitRead(operation.method, 'GET', findList(document, response) ? undefined : 'its response has no list'),
    uses: { query: ['enabled'], body: {} },
  },
]

const DELETE: BuiltinOperation = {
  name: 'deleteReportSchedule',
  isChecked: true,
  handler: deleteReportSchedule,
  faults: LOSABLE,
  dependsOn: ['schedule'],
  parameter: SCHEDULE_ID,
  findTargets,
  // Only its path says what a DELETE removes.
  looksLike: () => false,
  fit: ({ operation }) => fitRead(operation.method, 'DELETE', undefined),
  uses: { query: [], body: {} },
}

const WRITES = ['POST', 'PUT', 'PATCH']

function fitWrite({ operation: { method }, body }: OperationShapes): Fit {
  const isWrite = WRITES.includes(method)
  const knows = body.properties.size === 0 || ['title', 'schedule', 'pageId'].some((name) => body.properties.has(name))
  const why = isWrite
    ? `its body has none of \`title\`, \`schedule\` and \`pageId\`, but ${listed(body.properties.keys())}`
    : `${method} has no body; it may be ${WRITES.join(', ')}`
  return { obstacle: isWrite && knows ? undefined : why, lack: undefined }
}

function fitRead(method: string, expected: string, obstacle: string | undefined): Fit {
  return { obstacle: method === expected ? obstacle : `it is ${method}; it must be ${expected}`, lack: undefined }
}

function lackOfObject({ properties }: OperationShapes['response']): string | undefined {
  if (properties.size === 0 || properties.has('id') || properties.has('title')) return undefined
  return `its response has neither \`id\` nor \`title\`, but ${listed(properties.keys())}`
}
