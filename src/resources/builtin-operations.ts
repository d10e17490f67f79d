import { createReportSchedule } from './report-schedules/create-report-schedule.ts'
import type { Handler } from './handler.ts'
import { searchFiles } from './file-sets/operation/search-files.ts'
import { updateReportSchedule } from './report-schedules/update-report-schedule.ts'

/** What a stateful operation is to the service, whatever a contract calls it. */
export type BuiltinOperation = 'searchFiles' | 'createReportSchedule' | 'updateReportSchedule'

/** Who answers an operation: one of the stateful handlers, a user's own, a generator of believable answers, or nobody. */
export type HandlerKind = BuiltinOperation | 'own' | 'generated' | 'refused'

interface RoleTraits {
  readonly handler: Handler
  /** What the handler calls the parameter of the path that names what it works on. */
  readonly parameter: string | undefined
}

export const BUILTIN_OPERATIONS: Readonly<Record<BuiltinOperation, RoleTraits>> = {
  searchFiles: { handler: searchFiles, parameter: 'fileSetId' },
  createReportSchedule: { handler: createReportSchedule, parameter: undefined },
  updateReportSchedule: { handler: updateReportSchedule, parameter: 'scheduleId' },
}

export const BUILTIN_OPERATION_NAMES = Object.keys(BUILTIN_OPERATIONS) as readonly BuiltinOperation[]

export function isBuiltinOperation(name: unknown): name is BuiltinOperation {
  return typeof name === 'string' && Object.hasOwn(BUILTIN_OPERATIONS, name)
}
