import { type ControlHandler, ok } from '../engine/control-route.ts'
import { requestInvalid } from '../errors/request-errors.ts'
import { violation } from '../errors/problem.ts'
import { readOverrides } from '../engine/state-model.ts'
import type { BehavioursDocument } from './client/types.ts'
import type { Sandbox } from '../engine/sandbox.ts'
import type { Overrides, StateRules } from '../engine/state.ts'

export const getBehaviours: ControlHandler = (call) => ok(showBehaviours(call.sandbox()))

/** Replaces all overrides of the sandbox; `{}` clears them. */
export const putBehaviours: ControlHandler<{ readonly rules: StateRules }> = (call) => {
  const overrides = readOverrides(call, call.body as Overrides, '')
  refuseWithoutEffect(overrides)
  const sandbox = call.sandbox()
  // Runs that are due happen under the previous settings.
  sandbox.now()
  sandbox.commit([{ type: 'behaviours.changed', overrides }])
  return ok(showBehaviours(sandbox))
}

/** Behaviours that only affect the initial state, and how to change a sandbox instead. */
const OF_THE_START: Readonly<Record<string, string>> = {
  'create.ids': 'To choose the next id of a sandbox, PUT its state with another nextReportScheduleId',
  'file.types': 'To change the files of a sandbox, replace them through the file routes',
  'file.index': 'To change the files of a sandbox, replace them through the file routes',
  'file.download-url': 'To change the files of a sandbox, replace them through the file routes',
  'file.created-precision': 'To change the files of a sandbox, replace them through the file routes',
}

/** @throws Problem 400 */
function refuseWithoutEffect(overrides: Overrides): void {
  const violations = Object.entries(overrides).flatMap(([id, value]) => {
    const remedy = OF_THE_START[id]
    if (remedy === undefined) return []
    const message = `${id} has no effect on a sandbox that exists. ${remedy}, or start with --behaviour ${id}=${String(value)}.`
    return [
      { ...violation({ pointer: `/${id}` }, 'behaviour', 'a behaviour that a sandbox can change', value), message },
    ]
  })
  if (violations.length > 0) throw requestInvalid(violations)
}

function showBehaviours({ behaviours: { profile, settings, catalog }, state }: Sandbox): BehavioursDocument {
  const held: Readonly<Record<string, unknown>> = { ...settings }
  return {
    profile,
    overrides: state.overrides,
    behaviours: catalog.behaviours.map(({ id, section, question, default: usual, options, basis }) => ({
      id,
      section,
      question,
      setting: held[id],
      default: usual,
      ...(options === undefined ? {} : { options }),
      basis,
    })),
  }
}
