import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Behaviours } from '../behaviours/behaviours.ts'
import type { ValidationMode } from '../config/config.ts'
import type { Contract } from '../contract/contract.ts'
import type { Health } from '../control/client/types.ts'
import type { Sandboxes } from '../engine/sandboxes.ts'
import type { Slices } from '../engine/slices.ts'
import type { AllowedHosts } from '../http/allowed-hosts.ts'
import type { ServerLog } from '../journal/server-log.ts'
import type { Listeners } from '../journal/stream.ts'
import type { Metrics } from '../journal/metrics.ts'
import type { Redactor } from '../journal/redact.ts'
import type { ContractAdapter } from './adapter/contract-adapter.ts'
import type { SelfCheck } from './adapter/self-check.ts'
import type { Bindings } from './binding/binding.ts'
import type { ServedStubs } from './binding/stub-book.ts'
import type { LearnedResponses } from './learned/learned-responses.ts'
import type { Keys } from './middleware/authenticate.ts'
import type { Wait } from './middleware/request-context.ts'

/** What an app is created from. */
export interface AppOptions {
  readonly contract: Contract
  readonly bindings: Bindings
  readonly stubs: ServedStubs
  /** Adapts responses to a contract of the user; undefined for the packaged one. */
  readonly contractAdapter: ContractAdapter | undefined
  /** Responds as a service whose traffic was learnt; undefined where none was. */
  readonly learned: LearnedResponses | undefined
  /** Undefined where responses are not checked against the contract. */
  readonly selfCheck: SelfCheck | undefined
  /** What becomes of requests that break the contract. */
  readonly validation: ValidationMode
  readonly behaviours: Behaviours
  readonly sandboxes: Sandboxes
  readonly keys: Keys
  readonly hosts: AllowedHosts
  /** Origins that may call besides the local ones, as a browser writes them: `https://app.example.com`. */
  readonly origins: readonly string[]
  /** Handles a request to the control API; undefined where that is switched off. */
  readonly control: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined
  /** Whether the server is starting, ready or stopping; changes while it runs. */
  readonly health: Health
  readonly log: ServerLog
  /** Whether requests come here after a service did not handle them. */
  readonly isAfterService?: boolean | undefined
  /** Headers that every response has besides, lower-case names and values by turns; none when absent. */
  readonly headers?: readonly string[] | undefined
  readonly metrics: Metrics
  /** Removes API keys from logs, journal and messages. */
  readonly redactor: Redactor
  /** Splits long work so that other requests get their turn. */
  readonly slices: Slices
  /** The streams that operations have open. */
  readonly streams: Listeners
  readonly wait: Wait
  /** Milliseconds by the machine's monotonic clock. */
  elapsed(): number
  /** The machine's clock, epoch ms. */
  realNow(): number
}

/** What pages are made of, and what is needed to send them. */
export interface PagesDependencies extends Pick<
  AppOptions,
  'contract' | 'bindings' | 'behaviours' | 'slices' | 'log' | 'elapsed'
> {
  /** Whether there is a control API, and so a console. */
  readonly hasControl: boolean
  /** What was loaded, as the start line says it. */
  readonly summary: () => string
}
