import type { Sandbox } from '../engine/sandbox.ts'
import type { Work } from '../engine/steps.ts'
import type { Call, Outcome } from '../resources/handler.ts'

/** Reads a request as the emulated service would. @throws Problem for parameters that it cannot decode */
export type DryRun = (simulated: SimulatedRequest, sandbox: Sandbox) => DryRunRequest

/** A request to the emulated service, described to the control API instead of sent. */
export interface SimulatedRequest {
  readonly handlerKind: string
  /** By the handler's names for them. */
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  /** Where its parts stand in the control request: JSON pointers. */
  readonly pointers: {
    readonly body: string
    readonly query: string
    /** Of path parameters. */
    readonly parameters: Readonly<Record<string, string>>
  }
}

export interface DryRunRequest {
  readonly call: Call
  /** Validates the request and reads its meaning. @throws Problem as the service would refuse it */
  validateAndRead(): {
    /** What the service would do; nothing is stored. @throws Problem */
    decide(): Outcome
  }
  /** Explains the request, and what is `wanted` of its response. */
  explain(wanted?: unknown): Work<object>
}
