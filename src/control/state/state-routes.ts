import { type ControlHandler, ok } from '../../engine/control-route.ts'
import { showSandbox } from '../show.ts'
import type { StateRules } from '../../engine/state.ts'
import { readStateDocument, STATE_VERSION, writeStateDocument } from '../../engine/sandbox-document.ts'
import type { StateDocument } from '../../../types/control-api.d.ts'
import { stateTooNew } from '../../errors/control-errors.ts'
import { lazily } from '../../formats/json-pieces.ts'

export const getState: ControlHandler = function* (call) {
  const snapshot = call.sandbox().snapshot()
  const { state } = snapshot
  state.model.refuseTooLarge(state)
  yield* state.model.prepare(state)
  return ok(writeStateDocument(snapshot, { list: lazily }))
}

export const putState: ControlHandler<{ readonly rules: StateRules }> = function* (call) {
  // A request that names no possible sandbox is refused before the document is read.
  const { model } = call.sandbox().state
  const state = yield* readStateDocument(call.body as StateDocument, { model, rules: call.rules })
  const sandbox = call.sandbox()
  sandbox.restore(state)
  return ok(showSandbox(sandbox))
}

/** A document of a newer Standin may hold what this one does not know, so it is refused before it is read. @throws Problem 409 */
export function refuseNewerState(body: unknown): void {
  const version: unknown = typeof body === 'object' && body !== null && 'version' in body ? body.version : undefined
  if (typeof version !== 'number' || version <= STATE_VERSION) return
  throw stateTooNew({
    detail: `The document is of version ${version}; this Standin reads up to ${STATE_VERSION}. Use the Standin that made it, or a newer one.`,
  })
}
