import type { Behaviours } from '../../behaviours/behaviours.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Router } from '../../contract/router.ts'
import type { ControlHandler } from '../../engine/control-route.ts'
import type { Sandboxes } from '../../engine/sandboxes.ts'
import type { Slices } from '../../engine/slices.ts'
import type { AllowedHosts } from '../../http/allowed-hosts.ts'
import type { KeyLocations } from '../../http/sandbox-name.ts'
import type { Log } from '../../journal/log.ts'
import type { Metrics } from '../../journal/metrics.ts'
import type { Redactor } from '../../journal/redact.ts'
import type { Listeners } from '../../journal/stream.ts'
import type { Health } from '../client/types.ts'
import type { DryRun } from '../dry-run.ts'
import type { RouteNeeds } from '../routes.ts'

/** What the control API shares with the app. */
export interface ControlApiDependencies extends KeyLocations {
  readonly dryRun: DryRun
  /** Milliseconds by the machine's steady clock. */
  elapsed(): number
  readonly health: { status: Health['status'] }
  readonly hosts: AllowedHosts
  readonly listeners: Listeners
  readonly log: Log
  readonly metrics: Metrics
  /** Origins that may call besides local ones, as a browser writes them. */
  readonly origins: readonly string[]
  readonly redactor: Redactor
  readonly sandboxes: Sandboxes
  readonly slices: Slices
}

/** All that the control API needs besides. */
export interface ControlDependencies
  extends
    Pick<Contract, 'inTurns'>,
    Pick<RouteNeeds, 'rules' | 'mailOf' | 'operationTraits' | 'operations' | 'info' | 'writeReplay'> {
  readonly router: Router
  /** As its contract has them. */
  readonly paths: readonly string[]
  /** By operationId. */
  readonly handlers: ReadonlyMap<string, ControlHandler<RouteNeeds>>
  /** The operationIds of requests that change nothing, besides those whose method is `GET`. */
  readonly readOnly: ReadonlySet<string>
  /** By operationId: checks of a body before it is validated against the contract. @throws Problem */
  readonly bodyPrechecks: ReadonlyMap<string, (body: unknown) => void>
  /** How its bodies are read, whatever the behaviour catalogue says of the service's. */
  readonly behaviours: Behaviours
  /** The token that requests must carry; undefined allows requests of this machine only. */
  readonly token: string | undefined
  /** The machine's clock, epoch ms. */
  readonly realNow: () => number
}
