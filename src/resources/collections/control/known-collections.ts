import type { Contract, Operation } from '../../../contract/contract.ts'
import type { CollectionPlan, Inference, OperationPlan } from '../infer/plan.ts'
import type { Lifecycles } from '../lifecycles/read-hinted-lifecycles.ts'

/** What is known of the collections of the contract. */
export interface KnownCollections extends Pick<Inference, 'collections' | 'operations'> {
  /** The contract. */
  readonly document: unknown
  readonly lifecycles: Lifecycles
}

export const NO_COLLECTIONS: KnownCollections = {
  document: {},
  collections: [],
  operations: new Map(),
  lifecycles: new Map(),
}

/**
 * Without collections whose operations are all handled by user handlers.
 *
 * @param free the operations that nothing else handles
 */
export function knownOf(
  { document }: Pick<Contract, 'document'>,
  { collections, operations: all, lifecycles }: Inference & Pick<KnownCollections, 'lifecycles'>,
  free: readonly Operation[],
): KnownCollections {
  const ours = new Set(free)
  const operations = new Map([...all].filter(([operation]) => ours.has(operation)))
  const used = new Set<CollectionPlan>()
  for (const { collection } of operations.values())
    for (let plan: CollectionPlan | undefined = collection; plan; plan = plan.parent) used.add(plan)
  return { document, operations, lifecycles, collections: collections.filter((one) => used.has(one)) }
}

/** What the operations on a collection are. */
export function operationsOn({ operations }: KnownCollections, plan: CollectionPlan): OperationPlan[] {
  return [...operations.values()].filter(({ collection }) => collection === plan)
}
