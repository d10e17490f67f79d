import type { ControlClient } from '../../control/client/client.ts'
import { createStandin } from '../setup/create-standin.ts'
import type { StandinOptions } from '../standin.ts'
import type { WholeReplay } from './write-replay.ts'

/** A server of this process. */
export interface StartedAgain {
  readonly url: string
  readonly control: ControlClient
  stop(): Promise<void>
}

/**
 * Starts a stand-in with the settings and the first moment of another one, which may be another process, and with other behaviours. For
 * behaviours that only the initial state depends on.
 *
 * @returns undefined where the other has a contract of its own: such a stand-in may need handlers, which are code
 */
export async function startAgain(
  other: ControlClient,
  behaviours: Readonly<Record<string, unknown>>,
): Promise<StartedAgain | undefined> {
  const { settings, fingerprint } = (await other.getReplay()) as WholeReplay
  if (settings.contract !== undefined) return undefined
  // Keys are replaced by names in a replay, so any key is accepted.
  const { keys: _keys, behaviours: before, ...rest } = settings as Partial<StandinOptions>
  const first = Date.parse(fingerprint.firstMoment)
  const standin = createStandin({ ...rest, behaviours: { ...before, ...behaviours }, port: 0, now: () => first })
  return { url: await standin.start(), control: standin.control, stop: () => standin.stop() }
}
