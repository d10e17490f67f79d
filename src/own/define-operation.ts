import type { CallView } from './call-view.ts'
import type { OwnEvent } from './events.ts'
import type { AnswerOf, UntypedOperation } from './typed.ts'
import type { WorldView } from './world-view.ts'

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
  readonly events?: readonly OwnEvent[]
}

/** An answer as the contract types it, or a refusal. */
export type OwnOutcome<Operation> = AnswerOf<Operation, Rest> | Refusal

/**
 * Answers a request that holds to the contract. It must be pure: what it answers follows from world and call alone, so that a run
 * can be done again. It cannot wait for anything.
 */
export type OwnHandle<Operation> = (world: WorldView, call: CallView<Operation>) => OwnOutcome<Operation>

/** An operation of the contract that the user answers himself. */
export interface OwnOperation {
  readonly operationId: string
  readonly handle: (world: WorldView, call: CallView<never>) => unknown
}

/**
 * Answers an operation of the contract by a function. With the interface `operations` that `openapi-typescript` makes of the
 * contract, parameters, body and answer are typed by it: `defineOperation<operations, 'getOrder'>('getOrder', …)`.
 *
 * @example defineOperation('getOrder', (world, call) => ({ status: 200, body: world.collection('orders').get(call.path.orderId) }))
 */
export function defineOperation(operationId: string, handle: OwnHandle<UntypedOperation>): OwnOperation
export function defineOperation<Operations extends object, Id extends keyof Operations & string>(
  operationId: Id,
  handle: OwnHandle<Operations[Id]>,
): OwnOperation
export function defineOperation(operationId: string, handle: OwnOperation['handle']): OwnOperation {
  return { operationId, handle }
}

/**
 * `defineOperation`, typed by a contract once for all.
 *
 * @example const defineOperation = operationsOf<operations>()
 */
export function operationsOf<Operations extends object>(): <Id extends keyof Operations & string>(
  operationId: Id,
  handle: OwnHandle<Operations[Id]>,
) => OwnOperation {
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
