import type { PresetRequest } from '../../engine/faults/fault.ts'
import type * as api from '../../../types/control-api.d.ts'

/** The types of the control API: those of `spec/control.openapi.yaml`, and below where TypeScript can say more than the contract. */
export type * from '../../../types/control-api.d.ts'

export type { FaultRequest, PresetRequest } from '../../engine/faults/fault.ts'

/** By an ISO 8601 duration, to an instant, or to the next run of any schedule. */
export type AdvanceRequest = { readonly by: string } | { readonly to: string } | { readonly toNextRun: true }

export type DeliveryFilter = NonNullable<Parameters<api.ControlOperations['deleteDeliveries']>[0]>
export type ExchangeFilter = NonNullable<Parameters<api.ControlOperations['exportHar']>[0]>
export type ExpectationResult = api.Verification['results'][number]

/** A search as it would be sent. */
export type ExplainListRequest = NonNullable<api.ExplainRequest['list']>

export type ExplainSearchRequest = NonNullable<api.ExplainRequest['search']>

/** The entry to explain, by its id or its path. */
export type EntryName = NonNullable<api.ExplainRequest['file']>

/** A report schedule that is stored, or the body of a create. */
export type ExplainScheduleRequest = { readonly id: number } | { readonly info: object }

export type FaultKind = NonNullable<api.FaultRequest['kind']>
export type FaultPreset = PresetRequest['preset']

/** A server-sent event of the stream. */
export interface StreamEvent {
  /** Send it as `Last-Event-ID` to continue after this event. */
  readonly id: string
  readonly event: 'exchange' | 'state' | 'run' | 'delivery' | 'gap' | 'end'
  readonly data: unknown
}
