import { iso } from '../engine/instant.ts'
import type { Sandbox } from '../engine/sandbox.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import { showRunFacts, writeDeliveryAt } from '../resources/report-schedules/report-schedule-document.ts'
import { type PlannedRun, toEvent } from '../resources/report-schedules/runner.ts'
import type { Checkpoint, ClockState, PassedRun, SandboxSummary } from './client/types.ts'

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

/** A year of many schedules has a hundred thousand deliveries, so an instant that they share is formatted once. */
export function showPassedRun(planned: PlannedRun): PassedRun {
  const { run, deliveries } = toEvent(planned)
  const facts = showRunFacts(run)
  return { ...facts, deliveries: deliveries.map((delivery) => writeDeliveryAt(delivery, facts.at)) }
}
