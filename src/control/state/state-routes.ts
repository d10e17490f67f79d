import { type ControlHandler, ok } from '../../engine/control-route.ts'
import { showSandbox } from '../show.ts'
import type { FileSetNeeds } from '../../resources/file-sets/control/file-sets.ts'
import { readState } from './read-state.ts'
import type { StateDocument } from '../client/types.ts'
import { writeState } from './write-state.ts'

export const getState: ControlHandler = function* (call) {
  return ok(yield* writeState(call.sandbox()))
}

export const putState: ControlHandler<FileSetNeeds> = function* (call) {
  // A request that names no possible sandbox is refused before the document is read.
  call.sandbox()
  const state = yield* readState(call, call.body as StateDocument)
  const sandbox = call.sandbox()
  sandbox.restore(state)
  return ok(showSandbox(sandbox))
}
