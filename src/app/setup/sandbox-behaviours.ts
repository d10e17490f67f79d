import type { BehaviourSettings } from '../../../types/behaviour-settings.d.ts'
import { type Behaviours, changeBehaviours, type Complaint } from '../../behaviours/behaviours.ts'
import { lagOf, pendingTimeOf } from '../../resources/file-sets/operation/visible-file-set.ts'
import { calendarChoices } from '../../resources/report-schedules/report-schedule-view.ts'
import type { Answered } from '../../engine/sandbox.ts'
import type { Overrides } from '../../engine/state.ts'

/** What the states of a stand-in live by: its own answers, with those laid over them that a state has otherwise. */
export function createAnswersOf(own: Behaviours): (overrides: Overrides) => Answered {
  const base = answered(own)
  const known = new WeakMap<Overrides, Answered>()
  return (overrides) => {
    if (Object.keys(overrides).length === 0) return base
    const found = known.get(overrides)
    if (found) return found
    const changed = lay(own, overrides)
    if (!('settings' in changed)) throw new Error(changed.map(({ complaint }) => complaint).join(' '))
    const made = answered(changed)
    known.set(overrides, made)
    return made
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

function answered(behaviours: Behaviours): Answered {
  const { settings } = behaviours
  return { behaviours, choices: calendarChoices(settings), delay: Math.max(lagOf(settings), pendingTimeOf(settings)) }
}
