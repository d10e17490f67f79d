import { type ControlClient, ControlError } from '../../control/client/client.ts'
import { iso } from '../../base/formats/instant.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Target } from '../recordings/target.ts'
import { createLiveSide, type Responder } from './responder.ts'
import type { SeenEntry } from '../calibrate/search-seen.ts'
import type { Overrides } from '../../behaviours/behaviours.ts'

/** A sandbox for the comparison alone, to ask the stand-in under other settings. The state of the user's sandbox stays. */
export interface TrialSandbox {
  /** The stand-in as it was at first, with these settings and this time. */
  prepare(trial: SandboxTrial): Promise<Responder>
  /** Makes a request that has a time of its own see that time. */
  setClock(moment: number): Promise<void>
  /** Creates a file set from entries, in place of one with that name. */
  fillFileSet(id: string, entries: readonly SeenEntry[]): Promise<void>
  /** Keeps the present state as the one that trials begin with. */
  keepAsStart(): Promise<void>
  close(): Promise<void>
}

interface SandboxTrial {
  readonly overrides: Overrides
  /** Epoch ms that its clock shows. */
  readonly now: number
  /** Whether the requests may change something. */
  readonly writes: boolean
}

interface TrialOptions {
  /** Of the sandbox to copy. */
  readonly control: ControlClient
  readonly from: string
  readonly name: string
  /** Whether it begins as the server began. */
  readonly isReset: boolean
  /** The stand-in. */
  readonly target: Target
  readonly contract: Contract
  /** Of requests that have none of their own. */
  readonly key?: string
}

/** Deleted by the server itself if this process is killed. */
const TTL = '30m'

export async function createTrialSandbox(options: TrialOptions): Promise<TrialSandbox> {
  const { control, from, name, isReset, target, contract, key = '' } = options
  if (isReset) await control.createSandbox({ name, ttl: TTL })
  else await control.forkSandbox(from, { name, ttl: TTL })
  const own = control.in(name)
  await own.removeFaults()
  const { overrides: usual } = await control.getBehaviours()
  let present: string | undefined
  let isChanged = false
  const sandbox: TrialSandbox = {
    async prepare({ overrides, now, writes }) {
      if (isChanged) {
        await own.restoreCheckpoint(START)
        present = undefined
      }
      isChanged = writes
      const wanted = { ...usual, ...overrides }
      const text = JSON.stringify(wanted)
      if (text !== present) await own.putBehaviours(wanted)
      present = text
      await sandbox.setClock(now)
      return side
    },
    async setClock(moment) {
      await own.putClock({ mode: 'frozen', now: iso(moment) })
    },
    async fillFileSet(id, entries) {
      const { fileSets } = await own.listFileSets()
      if (fileSets.some((one) => one.id === id)) await own.deleteFileSet(id)
      await own.createFileSet({ id, files: entries.map(givenFile) })
    },
    async keepAsStart() {
      await own.createCheckpoint({ name: START })
    },
    async close() {
      // What was sent here does not count as use of the contract by tests.
      await own.deleteCoverage({ scope: 'sandbox' }).catch(() => undefined)
      await control.deleteSandbox(name)
    },
  }
  const headers = [{ name: 'X-Mock-Sandbox', value: name }]
  const side = createLiveSide({ target, contract, key, headers, setClock: sandbox.setClock })
  await sandbox.keepAsStart()
  return sandbox
}

const START = 'start-of-comparison'

/** Without the members that are null, which are what a stand-in shows where nothing is given. */
function givenFile(entry: SeenEntry) {
  const given = Object.entries(entry).filter(([name, value]) => value !== null && name !== 'name')
  return { ...Object.fromEntries(given), path: entry.path }
}

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
