import type { Contract, Operation } from '../../contract/contract.ts'
import type { InferredOperations, StatefulOperation } from '../resource.ts'
import type { Inference, OperationPlan } from './infer/plan.ts'
import { describePlan } from './describe-plan.ts'
import { createHandler } from './operations/handlers.ts'
import { createListOperation } from './operations/list-operation.ts'

/** The handlers of the operations that were inferred. @param free the operations that nothing else handles */
export function bindCollections(
  { document }: Pick<Contract, 'document'>,
  { operations, reasons }: Inference,
  free: readonly Operation[],
): InferredOperations {
  const bound = free.flatMap((operation) => {
    const plan = operations.get(operation)
    return plan ? [[operation, { operation: bind(plan, document), reason: plan.reason }] as const] : []
  })
  return { operations: new Map(bound), reasons }
}

function bind(plan: OperationPlan, document: unknown): StatefulOperation {
  const { role, collection, itemParameter } = plan
  const { status } = plan.output
  const name = `${role} ${collection.name}`
  if (role === 'list' || role === 'search') return createListOperation(name, { plan, document })
  return {
    name,
    collection: collection.name,
    handler: createHandler({ plan, document }, role),
    describe: () => describePlan(plan),
    successStatus: () => status,
    ...(itemParameter === undefined ? {} : { parameter: { name: itemParameter } }),
    ...(role === 'action' ? { isAction: true } : {}),
    ...(role === 'create' ? { isCreate: true } : {}),
    uses: { query: [], body: {}, storesBody: true },
  }
}
