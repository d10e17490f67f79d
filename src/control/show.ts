import { iso } from '../formats/instant.ts'
import type { Sandbox } from '../engine/sandbox.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import type { Checkpoint, ClockState, SandboxSummary } from './client/types.ts'

/** What the control API shows of a sandbox. */

export function showSandbox(sandbox: Sandbox): SandboxSummary {
  const clock = showClock(sandbox)
  const { name, state, requests, checkpoints } = sandbox
  const counts = state.model.count(state)
  return { name, seed: state.seed, clock, ...counts, checkpoints: checkpoints.size, requests } as SandboxSummary
}

export function showClock(sandbox: Sandbox): ClockState {
  const now = iso(sandbox.now())
  const { clock } = sandbox.state
  return { mode: clock.mode, now, rate: clock.mode === 'frozen' ? 0 : clock.rate }
}

export function showCheckpoint(name: string, { state, taken }: Snapshot): Checkpoint {
  return { name, now: iso(taken), ...state.model.count(state) } as Checkpoint
}
