import type { Work } from '../engine/slices.ts'
import type { Sandbox } from '../engine/sandbox.ts'
import type { DeliveryRecord } from '../../types/control-api.d.ts'
import type { Call, Outcome } from './handler.ts'
import type { Delivery } from './report-schedules/report-schedule.ts'

/** What handlers of resources are given besides the request. */
export interface ResourceNeeds {
  readonly dryRun: DryRun
  /** The state of the message of a delivery; undefined when none was sent. */
  readonly mailOf: (delivery: Delivery) => DeliveryRecord['mail']
}

/** Reads a request as the emulated service would. @throws Problem for parameters that it cannot decode */
export type DryRun = (simulated: SimulatedRequest, sandbox: Sandbox) => DryRunRequest

/** A request to the emulated service that is described to the control API instead of sent. */
export interface SimulatedRequest {
  readonly handlerKind: string
  /** Instead of `handlerKind`, where several operations are handled alike. */
  readonly operationId?: string
  /** By the handler's names for them. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Where its parts are in the control request, as JSON pointers. */
  readonly pointers: {
    readonly body: string
    readonly query: string
    /** Of path parameters. */
    readonly parameters?: Readonly<Record<string, string>>
  }
}

export interface DryRunRequest {
  readonly call: Call
  /** Validates the request and reads its meaning. @throws Problem as the service would refuse it */
  validateAndRead(): {
    /** What the service would do; nothing is stored. @throws Problem */
    decide(): Outcome
    /** The same, for a caller that does it in slices. @throws Problem */
    work(): Work<Outcome>
  }
}
