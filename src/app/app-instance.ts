import type { Outbox } from '../resources/report-schedules/mail/outbox.ts'
import type { Follower } from '../resources/resource.ts'
import type { Sandbox } from '../engine/sandbox.ts'
import type { Steps } from '../engine/slices.ts'
import type { RunFingerprint } from '../engine/stores/fingerprint.ts'
import type { KeptLogs, StoreHealth } from '../engine/stores/log-store.ts'
import type { Health } from '../control/client/types.ts'
import type { Answerers } from '../control/control-needs.ts'
import type { Coverage } from '../journal/coverage/coverage.ts'
import type { Listeners } from '../journal/stream.ts'
import type { AppOptions } from './app-options.ts'
import type { KeptArtifacts } from './artifacts/write-artifacts.ts'
import type { FindForwarding } from './binding/bound-operations.ts'
import type { WholeReplay } from './replay/write-replay.ts'
import type { LoadedSetup } from './setup/load.ts'

/** What stays when changed files are loaded again. */
export interface KeptParts extends Pick<AppOptions, 'sandboxes' | 'metrics' | 'slices' | 'streams'> {
  /** Epoch ms. */
  readonly started: number
  readonly coverage: Coverage
  readonly outbox: Outbox | undefined
  readonly health: { status: Health['status']; readonly store?: StoreHealth | undefined }
  /** Who listens to the stream of the control API. */
  readonly listeners: Listeners
  readonly keptArtifacts: KeptArtifacts
  /** What acts by itself on what happens in sandboxes. */
  readonly followers: readonly (Follower | undefined)[]
}

/** A stand-in without its server: what its app is created from, what was loaded, and what stays. */
export interface AppInstance extends Omit<AppOptions, keyof KeptParts>, LoadedSetup, KeptParts {
  readonly data: KeptLogs | undefined
  /** Who handles each operation, where some are forwarded to a service. */
  readonly answerers: Answerers | undefined
  readonly forwarding: FindForwarding | undefined
  readonly fingerprint: () => RunFingerprint
  /** Writes what it takes to replay a sandbox. @throws Problem 409 when it is too large */
  writeReplay(sandbox: Sandbox): Steps<WholeReplay>
}
