import type { Contract } from '../contract/contract.ts'
import type { EngineNeeds } from '../engine/control-route.ts'
import type { FaultNeeds } from '../engine/faults/fault-routes.ts'
import type { Sandbox } from '../engine/sandbox.ts'
import type { Steps } from '../engine/slices.ts'
import type { CoverageNeeds } from '../journal/coverage/coverage-routes.ts'
import type { JournalNeeds } from '../journal/match-exchange.ts'
import type { Listeners } from '../journal/stream.ts'
import type { MetricsNeeds } from '../journal/metrics.ts'
import type { ResourceNeeds } from '../resources/dry-run.ts'
import type { Resource } from '../resources/resource.ts'
import type { OperationStub } from '../resources/user-operations/stubs/load-stubs.ts'
import type { Members } from '../base/formats/json.ts'
import type { AnswererName, AnsweringOperation, Health, Info } from './client/types.ts'
import type { Tried } from './working-request.ts'

/** Who handles each operation: this server, or the service of `--upstream`. It may change while the server runs. */
export interface Answerers {
  /** The address of the service. */
  readonly url: string
  readonly operations: readonly AnsweringOperation[]
  choose(operationId: string, answeredBy: AnswererName): void
}

/** The stubs of the settings and of the contract, and what reads those that are declared while the server runs. */
export interface StubBook {
  readonly written: readonly OperationStub[]
  /** One stub for each operation that it names, and what is wrong with it. */
  read(
    name: string,
    stub: Members,
  ): {
    readonly stubs: readonly OperationStub[]
    readonly complaints: readonly { readonly pointer: string; readonly text: string }[]
  }
}

/** What the handlers of the control API are given besides the request: what those of each room name, and the following. */
export interface ControlNeeds
  extends EngineNeeds, FaultNeeds, JournalNeeds, CoverageNeeds, MetricsNeeds, ResourceNeeds {
  readonly resources: readonly Resource[]
  /** Who handles each operation; undefined where no service is behind this server. */
  readonly answerers: Answerers | undefined
  readonly stubs: StubBook
  /** The streams that operations have open. */
  readonly streams: Listeners
  readonly health: Health
  info(): Steps<Info>
  /** The contract in force. */
  readonly served: Contract
  /** Writes what it takes to replay a sandbox. @throws Problem 409 when it is too large */
  writeReplay(sandbox: Sandbox): Generator<undefined, object>
  /** A request that an operation accepts now; undefined for operations that are not tried. It changes nothing. */
  tryOperation(
    operationId: string,
    sandbox: Sandbox,
    options: { readonly isAnswered: boolean; readonly sent: unknown },
  ): Promise<Tried | undefined>
  /** Writes the files of a sandbox to the directory of `--artifacts`; undefined without one. */
  readonly keepArtifacts?: ((sandbox: Sandbox) => Promise<void>) | undefined
}
