import { createStateModel } from '../engine/state-model.ts'
import { faultState } from '../faults/fault-state.ts'
import { collectionState } from '../resources/collections/collection-state.ts'
import { fileSetState } from '../resources/file-sets/file-set-state.ts'
import { reportScheduleState } from '../resources/report-schedules/report-schedule-state.ts'

/** What sandboxes keep. */
const PARTS = [fileSetState, reportScheduleState, faultState, collectionState]

export const STATE_MODEL = createStateModel(PARTS)
