import { type ControlHandler, ok } from './call.ts'
import { showSandbox } from './show.ts'
import { readState } from './read-state.ts'
import type { StateDocument } from './types.ts'
import { writeState } from './write-state.ts'

export const getState: ControlHandler = (call) => ok(writeState(call.sandbox()))

export const putState: ControlHandler = (call) => {
  const sandbox = call.sandbox()
  sandbox.restore(readState(call, call.body as StateDocument))
  return ok(showSandbox(sandbox))
}
