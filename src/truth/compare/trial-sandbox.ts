import type { ControlClient } from '../../control/client/client.ts'
import { iso } from '../../base/formats/instant.ts'
import type { Responder } from './case.ts'
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
  /** Sends requests to the new sandbox. */
  readonly side: (sandbox: TrialSandbox) => Responder
}

/** Deleted by the server itself if this process is killed. */
const TTL = '30m'

export async function createTrialSandbox({ control, from, name, isReset, side }: TrialOptions): Promise<TrialSandbox> {
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
      return sides
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
  const sides = side(sandbox)
  await sandbox.keepAsStart()
  return sandbox
}

const START = 'start-of-comparison'

/** Without the members that are null, which are what a stand-in shows where nothing is given. */
function givenFile(entry: SeenEntry) {
  const given = Object.entries(entry).filter(([name, value]) => value !== null && name !== 'name')
  return { ...Object.fromEntries(given), path: entry.path }
}
