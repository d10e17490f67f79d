import type { BehaviourSettings } from '../../../types/behaviour-settings.d.ts'
import { type Behaviours, changeBehaviours, type Complaint } from '../../behaviours/behaviours.ts'
import type { Overrides } from '../../engine/state.ts'

/** The behaviours of states: those of the configuration, with the overrides of a state. */
export function createBehavioursOf(own: Behaviours): (overrides: Overrides) => Behaviours {
  const known = new WeakMap<Overrides, Behaviours>()
  return (overrides) => {
    if (Object.keys(overrides).length === 0) return own
    const found = known.get(overrides)
    if (found) return found
    const changed = lay(own, overrides)
    if (!('settings' in changed)) throw new Error(changed.map(({ complaint }) => complaint).join(' '))
    known.set(overrides, changed)
    return changed
  }
}

/**
 * What is wrong with overrides.
 *
 * @param findMissing what settings need that is not there
 */
export function checkOverrides(
  own: Behaviours,
  overrides: Overrides,
  findMissing: (settings: BehaviourSettings) => readonly { readonly id: string; readonly complaint: string }[],
): readonly Complaint[] {
  const changed = lay(own, overrides)
  if (!('settings' in changed)) return changed
  const missing = findMissing(changed.settings)
  return missing.map(({ id, complaint }) => ({ id, complaint, value: overrides[id], from: 'the sandbox' }))
}

function lay(own: Behaviours, overrides: Overrides): Behaviours | readonly Complaint[] {
  return changeBehaviours(
    own,
    Object.entries(overrides).map(([id, value]) => ({ id, value, from: 'the sandbox' })),
  )
}
