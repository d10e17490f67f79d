import { createReportSchedule } from './create-report-schedule.ts'
import type { Handler } from './handler.ts'
import { searchFiles } from './search-files.ts'
import { updateReportSchedule } from './update-report-schedule.ts'

/** What a stateful operation is to the service, whatever a contract calls it. */
export type Role = 'searchFiles' | 'createReportSchedule' | 'updateReportSchedule'

/** Who answers an operation: one of the stateful handlers, a user's own, a generator of believable answers, or nobody. */
export type Nature = Role | 'own' | 'generated' | 'refused'

interface RoleTraits {
  readonly handler: Handler
  /** What the handler calls the parameter of the path that names what it works on. */
  readonly parameter: string | undefined
}

export const ROLES: Readonly<Record<Role, RoleTraits>> = {
  searchFiles: { handler: searchFiles, parameter: 'fileSetId' },
  createReportSchedule: { handler: createReportSchedule, parameter: undefined },
  updateReportSchedule: { handler: updateReportSchedule, parameter: 'scheduleId' },
}

export const ROLE_NAMES = Object.keys(ROLES) as readonly Role[]

export function isRole(name: unknown): name is Role {
  return typeof name === 'string' && Object.hasOwn(ROLES, name)
}
