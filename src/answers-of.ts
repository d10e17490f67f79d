import { type Behaviours, changeBehaviours, type Complaint } from './behaviours/behaviours.ts'
import { calendarChoices } from './operations/report-schedule-view.ts'
import type { Answered } from './sandbox/sandbox.ts'
import type { Overrides } from './world/world.ts'

/** What the worlds of a stand-in live by: its own answers, with those laid over them that a world has otherwise. */
export function createAnswersOf(own: Behaviours): (overrides: Overrides) => Answered {
  const base = answered(own)
  const known = new WeakMap<Overrides, Answered>()
  return (overrides) => {
    if (Object.keys(overrides).length === 0) return base
    const found = known.get(overrides)
    if (found) return found
    const changed = lay(own, overrides)
    if (!('answers' in changed)) throw new Error(changed.map(({ complaint }) => complaint).join(' '))
    const made = answered(changed)
    known.set(overrides, made)
    return made
  }
}

/** What is wrong with overrides. */
export function checkOverrides(own: Behaviours, overrides: Overrides): readonly Complaint[] {
  const changed = lay(own, overrides)
  return 'answers' in changed ? [] : changed
}

function lay(own: Behaviours, overrides: Overrides): Behaviours | readonly Complaint[] {
  return changeBehaviours(
    own,
    Object.entries(overrides).map(([id, value]) => ({ id, value, from: 'the sandbox' })),
  )
}

function answered(behaviours: Behaviours): Answered {
  return { behaviours, choices: calendarChoices(behaviours.answers) }
}
