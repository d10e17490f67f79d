import { createStateModel } from '../engine/state-model.ts'
import type { StateModel } from '../engine/state.ts'
import { faultState } from '../engine/faults/fault-state.ts'
import { createCollections } from '../resources/collections/collections.ts'
import { createFileSets } from '../resources/file-sets/file-sets.ts'
import { createReportSchedules } from '../resources/report-schedules/report-schedules.ts'
import { stubState } from '../resources/user-operations/stubs/stub-state.ts'
import type { Resource, ResourceFactory } from '../resources/resource.ts'

/** The kinds of resources. */
export const RESOURCES: readonly ResourceFactory[] = [
  // One line each.
  createFileSets,
  createReportSchedules,
  createCollections,
]

export function createResources(factories: readonly ResourceFactory[] = RESOURCES): readonly Resource[] {
  return factories.map((create) => create())
}

/** What sandboxes keep: resources, faults, and the uses of stubs. @throws Error when two of them have the same name or type of event */
export function createModel(resources: readonly Resource[] = createResources()): StateModel {
  return createStateModel([...resources.map(({ state }) => state), faultState, stubState])
}
