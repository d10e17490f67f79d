import type { CallView } from './call-view.ts'
import type { UserEvent } from './events.ts'
import type { AnswerOf, UntypedOperation } from './typed.ts'
import type { StateView } from './state-view.ts'

/** An error response in the service's own format. Nothing is stored. */
export interface Refusal {
  readonly kind: 'problem'
  readonly status: number
  readonly title: string
  readonly detail: string
}

/** What a response may have besides status and body. */
interface Rest {
  readonly headers?: Readonly<Record<string, string>>
  /** Events to store, in this order; all of them or none. */
  readonly events?: readonly UserEvent[]
}

/** A response as the contract types it, or an error response. */
export type UserOutcome<Operation> = AnswerOf<Operation, Rest> | Refusal

/**
 * Handles a request that is valid by the contract. It must be synchronous and pure: the response depends only on state and call, so that
 * a run can be replayed.
 */
export type UserHandle<Operation> = (state: StateView, call: CallView<Operation>) => UserOutcome<Operation>

/** An operation of the contract with a user's handler. */
export interface UserOperation {
  readonly operationId: string
  readonly handle: (state: StateView, call: CallView<never>) => unknown
}

/**
 * Handles an operation of the contract with a function. With the interface `operations` that `openapi-typescript` generates from the
 * contract, parameters, body and response are typed: `defineOperation<operations, 'getOrder'>('getOrder', …)`.
 *
 * @example defineOperation('getOrder', (state, call) => ({ status: 200, body: state.collection('orders').get(call.path.orderId) }))
 */
export function defineOperation(operationId: string, handle: UserHandle<UntypedOperation>): UserOperation
export function defineOperation<Operations extends object, Id extends keyof Operations & string>(
  operationId: Id,
  handle: UserHandle<Operations[Id]>,
): UserOperation
export function defineOperation(operationId: string, handle: UserOperation['handle']): UserOperation {
  return { operationId, handle }
}

/**
 * `defineOperation`, typed by a contract.
 *
 * @example const defineOperation = operationsOf<operations>()
 */
export function operationsOf<Operations extends object>(): <Id extends keyof Operations & string>(
  operationId: Id,
  handle: UserHandle<Operations[Id]>,
) => UserOperation {
  return (operationId, handle) => ({ operationId, handle })
}

/**
 * An error response. Its `type` is derived from the title.
 *
 * @example if (!order) return problem(404, 'There is no such order', `There is no order ${call.path.orderId}.`)
 */
export function problem(status: number, title: string, detail = title): Refusal {
  return { kind: 'problem', status, title, detail }
}
