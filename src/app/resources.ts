import { createStateModel } from '../engine/state-model.ts'
import type { StateModel } from '../engine/state.ts'
import { faultState } from '../faults/fault-state.ts'
import { collections } from '../resources/collections/collection-state.ts'
import { fileSets } from '../resources/file-sets/file-sets.ts'
import { reportSchedules } from '../resources/report-schedules/report-schedules.ts'
import type { Resource } from '../resources/resource.ts'

/** The kinds of resources. */
export const RESOURCES: readonly Resource[] = [
  // One line each.
  fileSets,
  reportSchedules,
  collections,
]

/** What sandboxes keep: resources, and faults. @throws Error when two of them have the same name or type of event */
export function createModel(resources: readonly Resource[] = RESOURCES): StateModel {
  return createStateModel([...resources.map(({ state }) => state), faultState])
}
