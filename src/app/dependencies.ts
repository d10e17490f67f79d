import type { ServerResponse } from 'node:http'
import type { Behaviours } from '../behaviours/behaviours.ts'
import type { Bindings } from './binding/binding.ts'
import type { Contract } from '../contract/contract.ts'
import type { Router } from '../contract/router.ts'
import type { ControlApi } from '../control/server/control-api.ts'
import type { Health } from '../control/client/types.ts'
import type { AllowedHosts } from '../http/allowed-hosts.ts'
import type { ContractAdapter } from './adapter/contract-adapter.ts'
import type { Log } from '../journal/log.ts'
import type { Metrics } from '../journal/metrics.ts'
import type { PreparedRequests } from './request/prepared-requests.ts'
import type { RefusedOrigins } from './middleware/cors.ts'
import type { SelfCheck } from './adapter/self-check.ts'
import type { Slices } from '../engine/slices.ts'
import type { SilentRetries } from '../faults/silent-retries.ts'
import type { Listeners } from '../journal/stream.ts'
import type { Identity } from '../resources/handler.ts'
import type { Recording } from '../journal/record-exchange.ts'
import type { Redactor } from '../journal/redact.ts'
import type { KnownIds } from '../engine/known-ids.ts'
import type { Sandboxes } from '../engine/sandboxes.ts'

/** What the middlewares are given, put together once at start. Each names the few of these that it takes. */
export interface AppDependencies {
  readonly contract: Contract
  readonly router: Router
  /** What handles each operation. */
  readonly bindings: Bindings
  /** How answers follow a contract of the user's own; undefined for the one that comes with the package. */
  readonly following: ContractAdapter | undefined
  /** Undefined where no answer is held against the contract before it leaves. */
  readonly selfCheck: SelfCheck | undefined
  readonly behaviours: Behaviours
  readonly sandboxes: Sandboxes
  /** Ids that fixtures list. */
  readonly knownIds: KnownIds
  readonly requests: PreparedRequests
  /** Undefined when it is switched off. */
  readonly control: ControlApi | undefined
  readonly keys: Keys
  /** Origins that may call besides the local ones, as a browser writes them: `https://app.example.com`. */
  readonly origins: readonly string[]
  /** Tells of the pages that may not. */
  readonly refusedOrigins: RefusedOrigins
  readonly hosts: AllowedHosts
  /** It changes while requests come. */
  readonly health: { status: Health['status'] }
  readonly log: Log
  readonly metrics: Metrics
  readonly recording: Recording
  /** Requests that a browser may repeat by itself. */
  readonly silentRetries: SilentRetries
  /** Who listens to the stream of the control API. */
  readonly listeners: Listeners
  /** Takes keys out of what is shown. */
  readonly redactor: Redactor
  /** Divides long work. */
  readonly slices: Slices
  /** Milliseconds by the machine's steady clock. */
  elapsed(): number
  /** Resolves after real milliseconds, or when the response's connection is gone. */
  wait(milliseconds: number, response: ServerResponse): Promise<void>
  /** The machine's clock, epoch ms. */
  realNow(): number
}

/** The keys of the configuration, and who calls with a key that is not among them. */
export interface Keys {
  readonly listed: ReadonlyMap<string, KeyHolder>
  /** Whether there is such a key. */
  readonly isListed: (key: string) => boolean
  readonly anyone: Identity
}

export interface KeyHolder extends Identity {
  /** The operations that the key may use; undefined for all. */
  readonly rights?: ReadonlySet<string> | undefined
}
