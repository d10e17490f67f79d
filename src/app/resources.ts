import { createStateModel } from '../engine/state-model.ts'
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

/** What sandboxes keep. */
export const STATE_MODEL = createStateModel([...RESOURCES.map(({ state }) => state), faultState])
