import { isObject } from '../../base/formats/json.ts'
import type { Asking, Questioner } from './probe.ts'
import type { ScheduleSeen } from './schedule-seen.ts'
import type { Traffic } from './traffic.ts'

/** A report schedule that calibration created, and cannot remove. */
export interface LeftBehind {
  readonly id: string
  readonly isEnabled: boolean
}

export function findLeftBehind(traffic: Traffic): readonly LeftBehind[] {
  return [...groupById(traffic)].map(([id, done]) => ({ id, isEnabled: isEnabled(done) }))
}

/** Switches off what may run, and gives the schedule that the probes share its title back. */
export function* switchOff({ traffic, update }: Questioner): Asking {
  const groups = groupById(traffic)
  const [shared] = groups.values()
  for (const [id, done] of groups) {
    if (done !== shared && !isEnabled(done)) continue
    const { outcome } = yield* update(id, switchedOff(done))
    // It may lack what an update must have.
    if (outcome === 'refused' && shared && done !== shared) yield* update(id, switchedOff(shared))
  }
}

/** What was done to each schedule, its create first. Probes only update what they created. */
function groupById({ schedules }: Traffic): ReadonlyMap<string, readonly ScheduleSeen[]> {
  const groups = new Map<string, ScheduleSeen[]>()
  for (const seen of schedules) {
    const { outcome, id, response } = seen
    if (outcome !== 'done') continue
    const name = id ?? String(response.id)
    groups.set(name, groups.get(name) ?? [])
    groups.get(name)?.push(seen)
  }
  return groups
}

function isEnabled(done: readonly ScheduleSeen[]): boolean {
  const last = done.at(-1)
  return last !== undefined && isObject(last.response.schedule) && last.shown.enabled !== false
}

function switchedOff([first]: readonly ScheduleSeen[]): unknown {
  return { ...first?.fields, schedule: { ...first?.schedule, enabled: false } }
}
