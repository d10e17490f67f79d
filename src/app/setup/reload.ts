import type { Config } from '../../config/config.ts'
import { infoOf } from '../../resources/report-schedules/report-schedule-document.ts'
import { withNumbers } from '../../base/formats/json.ts'
import type { Violation } from '../../base/errors/problem.ts'
import type { Sandboxes } from '../../engine/sandboxes.ts'
import type { StateRules } from '../../engine/state.ts'
import type { DocumentEntries } from '../../resources/collections/documents/stored-document.ts'
import type { Entries } from '../../resources/file-sets/entries/entries.ts'
import type { ReportSchedule } from '../../resources/report-schedules/report-schedule.ts'

/** The result of reloading changed files. */
export interface Reload {
  /** What is loaded now: `3 operations, 14 validators, …`. */
  readonly summary: string
  /** Whether a reset goes back to another state than before. */
  readonly hasNewStart: boolean
  /** Settings that have changed but only take effect at a start. */
  readonly needStart: readonly (keyof Config)[]
  /** What the sandboxes hold that the contract or the behaviours would refuse now, a sentence each. */
  readonly invalid: readonly string[]
}

/** Settings that a process cannot change: its address, its connections to the outside, and what its states are created from. */
const FIXED = [
  'host',
  'port',
  'seed',
  'clock',
  'log',
  'upstream',
  'record',
  'maxSandboxes',
  'sandboxTtl',
  'control',
  'controlToken',
  'smtp',
  'data',
  'store',
  'storeDurability',
  'consistency',
  'fsync',
  'artifacts',
  'watch',
] as const satisfies readonly (keyof Config)[]

/** The settings after a reload. */
export function settle(present: Config, next: Config): { config: Config; needStart: readonly (keyof Config)[] } {
  const once = Object.fromEntries(FIXED.map((setting) => [setting, present[setting]]))
  const needStart = FIXED.filter((setting) => present[setting] !== next[setting])
  return { config: { ...next, ...once }, needStart }
}

/** At most this many are listed one by one. */
const MAX_LISTED = 20
/** The most entries that are checked: a tenth of a second of work. */
const MAX_ENTRIES = 20_000

/** Everything in the sandboxes that a new contract makes invalid. It stays, and the user decides what to do about it. */
export function findInvalid(sandboxes: Sandboxes, rules: StateRules): string[] {
  const found: string[] = []
  let count = 0
  const report = (what: string, violations: readonly Violation[]) => {
    const [first] = violations
    if (!first) return
    const { pointer = '', expected, received = 'nothing', source } = first
    const where = source === undefined ? '' : ` (${source})`
    if (++count <= MAX_LISTED) found.push(`${what}: ${pointer || 'it'}: expected ${expected}, got ${received}${where}`)
  }
  const schedules = new Set<ReportSchedule>()
  const known = new Set<Entries>()
  const documents = new Set<DocumentEntries>()
  let checked = 0
  for (const [name, { state }] of sandboxes.all) {
    for (const { collection, count: invalid, unchecked, first } of rules.collections.findInvalid(state, documents)) {
      const where = `sandbox ${name}, collection ${collection}`
      for (const { id, violations } of first) report(`${where}, document ${id}`, violations)
      if (invalid > first.length) found.push(`${where}: ${invalid - first.length} more documents`)
      if (unchecked > 0) found.push(`${where}: ${unchecked} documents were not checked`)
    }
    for (const reportSchedule of state.reportSchedules.values()) {
      // Forks share what neither has changed; it is reported once.
      if (schedules.has(reportSchedule)) continue
      schedules.add(reportSchedule)
      report(
        `sandbox ${name}, report schedule ${reportSchedule.id}`,
        rules.reportSchedules.check(withNumbers(infoOf(reportSchedule))),
      )
    }
    for (const [id, { entries, generated }] of state.fileSets) {
      if (known.has(entries) || (generated && entries.isUnchanged)) continue
      known.add(entries)
      for (const record of entries.stored()) {
        if (++checked > MAX_ENTRIES) break
        report(`sandbox ${name}, file set ${id}, ${JSON.stringify(record.path)}`, rules.files.checkRecord(record))
      }
    }
  }
  if (count > MAX_LISTED) found.push(`and ${count - MAX_LISTED} more`)
  if (checked > MAX_ENTRIES) found.push(`only the first ${MAX_ENTRIES} files were checked`)
  return found
}
