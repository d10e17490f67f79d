import { type ControlHandler, ok } from './call.ts'
import { readOverrides } from './read-state.ts'
import type { BehavioursDocument } from './types.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Overrides } from '../world/world.ts'

export const getBehaviours: ControlHandler = (call) => ok(showBehaviours(call.sandbox()))

/** Replaces what the sandbox answers otherwise; `{}` leaves nothing otherwise. */
export const putBehaviours: ControlHandler = (call) => {
  const sandbox = call.sandbox()
  const overrides = readOverrides(call, call.body as Overrides, '')
  // What fell due before has run by the answers that held.
  sandbox.now()
  sandbox.commit([{ type: 'behaviours.changed', overrides }])
  return ok(showBehaviours(sandbox))
}

function showBehaviours({ behaviours: { profile, answers, ledger }, world }: Sandbox): BehavioursDocument {
  const held: Readonly<Record<string, unknown>> = { ...answers }
  return {
    profile,
    overrides: world.overrides,
    rows: ledger.rows.map(({ id, section, question, default: usual, switch: form, basis }) => ({
      id,
      section,
      question,
      answer: held[id],
      default: usual,
      ...(form === undefined ? {} : { switch: form }),
      basis,
    })),
  }
}
