import type { ControlClient } from '../../../../src/control/client/client.ts'
import type { BehavioursDocument, Overrides, StateDocument } from '../../../../src/control/client/types.ts'

/** What a reset returns to, in place of the name of a sandbox. No sandbox can have this name. */
export const START = '~start'

/**
 * The states of two sandboxes, complete where the other one has changed something: with the documents that they began with, and with
 * the settings of all behaviours.
 *
 * @param left the name of a sandbox, or `START` for the start of the right one
 */
export async function comparableStates(
  clientOf: (sandbox: string) => ControlClient,
  left: string,
  right: string,
): Promise<readonly [StateDocument, StateDocument]> {
  const other = left === START ? right : left
  const [ofLeft, ofRight] = [clientOf(other), clientOf(right)]
  const initial = left === START ? { initial: true } : {}
  const [a, b, settings, settingsAfter, { options }] = await Promise.all([
    ofLeft.getState({ ...initial, beside: right }),
    ofRight.getState({ beside: other }),
    ofLeft.getBehaviours(),
    ofRight.getBehaviours(),
    ofRight.getInfo(),
  ])
  const configured = (options.behaviours ?? {}) as Overrides
  const profile = typeof options.profile === 'string' ? `that of ${options.profile}` : undefined
  const atStart = settings.behaviours.map(({ id, default: usual }) => [id, configured[id] ?? profile ?? usual] as const)
  const before = left === START ? { ...Object.fromEntries(atStart), ...a.behaviours } : settingsOf(settings)
  // Only what one of them overrides can differ.
  const changed = Object.keys({ ...a.behaviours, ...b.behaviours })
  const only = (all: Overrides) => Object.fromEntries(changed.map((id) => [id, all[id]]))
  return [
    { ...a, behaviours: only(before) },
    { ...b, behaviours: only(settingsOf(settingsAfter)) },
  ]
}

function settingsOf({ behaviours }: BehavioursDocument): Overrides {
  return Object.fromEntries(behaviours.map(({ id, setting }) => [id, setting]))
}
