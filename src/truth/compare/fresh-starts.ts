import { ControlError } from '../../control/client/client.ts'
import type { TrialSandbox } from './trial-sandbox.ts'
import type { Overrides } from '../../behaviours/behaviours.ts'

/**
 * Tries settings that only a start can have with a stand-in that is started for them, and all others in the sandbox.
 *
 * @param start a sandbox of a new stand-in with these settings; undefined when none can be started
 */
export function withFreshStarts(
  sandbox: TrialSandbox,
  start: (overrides: Overrides) => Promise<TrialSandbox | undefined>,
): TrialSandbox {
  const initial = new Set<string>()
  let held: { readonly key: string; readonly fresh: TrialSandbox } | undefined
  const startFor = async (overrides: Overrides) => {
    const key = JSON.stringify(overrides)
    if (held?.key === key) return held.fresh
    await held?.fresh.close()
    const fresh = await start(overrides)
    held = fresh && { key, fresh }
    return fresh
  }
  const prepare: TrialSandbox['prepare'] = async (trial) => {
    const entries = Object.entries(trial.overrides)
    const atStart = Object.fromEntries(entries.filter(([id]) => initial.has(id)))
    const later = Object.fromEntries(entries.filter(([id]) => !initial.has(id)))
    const chosen = Object.keys(atStart).length === 0 ? sandbox : await startFor(atStart)
    // Without one the sandbox refuses the setting, and says why.
    if (!chosen) return sandbox.prepare(trial)
    try {
      return await chosen.prepare({ ...trial, overrides: later })
    } catch (error) {
      const found = settingsOfStarts(error).filter((id) => !initial.has(id))
      if (found.length === 0) throw error
      for (const id of found) initial.add(id)
      return prepare(trial)
    }
  }
  return {
    ...sandbox,
    prepare,
    async close() {
      await held?.fresh.close()
      await sandbox.close()
    },
  }
}

/** The behaviours that a sandbox refused because it exists already. */
function settingsOfStarts(error: unknown): string[] {
  if (!(error instanceof ControlError)) return []
  return error.errors.flatMap((one) =>
    'pointer' in one && one.expected === 'a behaviour that a sandbox can change' ? [one.pointer.slice(1)] : [],
  )
}
