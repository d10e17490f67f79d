import type { Config } from '../../config/config.ts'
import { infoOf } from '../../resources/report-schedules/report-schedule-document.ts'
import { withNumbers } from '../../formats/json.ts'
import type { Violation } from '../../errors/problem.ts'
import type { Sandboxes } from '../../engine/sandboxes.ts'
import type { StateRules } from '../../engine/state.ts'
import type { Entries } from '../../resources/file-sets/entries/entries.ts'
import type { ReportSchedule } from '../../resources/report-schedules/report-schedule.ts'

/** What came of taking up files that have changed. */
export interface Reload {
  /** What is loaded now: `3 operations of own.yaml, …`. */
  readonly summary: string
  /** Settings that are otherwise in the files than in the process, and need a start. */
  readonly needStart: readonly (keyof Config)[]
  /** What there is in the sandboxes that the contract and the behaviour catalogue would refuse now, a sentence each. */
  readonly invalid: readonly string[]
}

/** What is decided once in the life of a process: its place, its ties to the outside, and what its states are made of. */
const DECIDED_ONCE = [
  'host',
  'port',
  'seed',
  'clock',
  'log',
  'maxSandboxes',
  'control',
  'controlToken',
  'smtp',
  'data',
  'fsync',
  'watch',
] as const satisfies readonly (keyof Config)[]

/** The settings that hold when others are read while a process runs. */
export function settle(present: Config, next: Config): { config: Config; needStart: readonly (keyof Config)[] } {
  const once = Object.fromEntries(DECIDED_ONCE.map((setting) => [setting, present[setting]]))
  const needStart = DECIDED_ONCE.filter((setting) => present[setting] !== next[setting])
  return { config: { ...next, ...once }, needStart }
}

/** At most this many are listed one by one. */
const MOST_TOLD = 20
/** So many entries are looked at: a tenth of a second of work. */
const MOST_ENTRIES = 20_000

/** Everything in the sandboxes that a new contract makes invalid. It stays: only its owner knows what to do about it. */
export function findInvalid(sandboxes: Sandboxes, rules: StateRules): string[] {
  const found: string[] = []
  let count = 0
  const tell = (what: string, violations: readonly Violation[]) => {
    const [first] = violations
    if (!first) return
    const { pointer = '', expected, received = 'nothing', source } = first
    const where = source === undefined ? '' : ` (${source})`
    if (++count <= MOST_TOLD) found.push(`${what}: ${pointer || 'it'}: expected ${expected}, got ${received}${where}`)
  }
  const schedules = new Set<ReportSchedule>()
  const known = new Set<Entries>()
  let looked = 0
  for (const [name, { state }] of sandboxes.all) {
    for (const reportSchedule of state.reportSchedules.values()) {
      // Forks share what neither has changed; it is reported once.
      if (schedules.has(reportSchedule)) continue
      schedules.add(reportSchedule)
      tell(
        `sandbox ${name}, report schedule ${reportSchedule.id}`,
        rules.reportSchedules.check(withNumbers(infoOf(reportSchedule))),
      )
    }
    for (const [id, { entries, generated }] of state.fileSets) {
      if (known.has(entries) || (generated && entries.isUnchanged)) continue
      known.add(entries)
      for (const record of entries.stored()) {
        if (++looked > MOST_ENTRIES) break
        tell(`sandbox ${name}, file set ${id}, ${JSON.stringify(record.path)}`, rules.files.checkRecord(record))
      }
    }
  }
  if (count > MOST_TOLD) found.push(`and ${count - MOST_TOLD} more`)
  if (looked > MOST_ENTRIES) found.push(`only the first ${MOST_ENTRIES} files were looked at`)
  return found
}
