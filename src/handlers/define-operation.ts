import type { CallView } from './call-view.ts'
import type { UserEvent } from './events.ts'
import type { AnswerOf, UntypedOperation } from './typed.ts'
import type { StateView } from './state-view.ts'

/** A refusal in the shape that the service gives to all of them. Nothing is changed. */
export interface Refusal {
  readonly kind: 'problem'
  readonly status: number
  readonly title: string
  readonly detail: string
}

/** What besides status and body an answer may have. */
interface Rest {
  readonly headers?: Readonly<Record<string, string>>
  /** What is to happen, in this order; all of it or nothing. */
  readonly events?: readonly UserEvent[]
}

/** An answer as the contract types it, or a refusal. */
export type UserOutcome<Operation> = AnswerOf<Operation, Rest> | Refusal

/**
 * Answers a request that holds to the contract. It must be pure: what it answers follows from state and call alone, so that a run
 * can be done again. It cannot wait for anything.
 */
export type UserHandle<Operation> = (state: StateView, call: CallView<Operation>) => UserOutcome<Operation>

/** An operation of the contract with a handler of the user's. */
export interface UserOperation {
  readonly operationId: string
  readonly handle: (state: StateView, call: CallView<never>) => unknown
}

/**
 * Answers an operation of the contract by a function. With the interface `operations` that `openapi-typescript` makes of the
 * contract, parameters, body and answer are typed by it: `defineOperation<operations, 'getOrder'>('getOrder', …)`.
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
 * `defineOperation`, typed by a contract once for all.
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
 * A refusal. Its `type` is made of the title.
 *
 * @example if (!order) return problem(404, 'There is no such order', `There is no order ${call.path.orderId}.`)
 */
export function problem(status: number, title: string, detail = title): Refusal {
  return { kind: 'problem', status, title, detail }
}
