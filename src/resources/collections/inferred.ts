import type { Contract, Operation } from '../../contract/contract.ts'
import type { InferredOperations, RuleParts } from '../resource.ts'
import { bindCollections } from './bind-collections.ts'
import { type KnownCollections, knownOf } from './control/known-collections.ts'
import { inferCollections } from './infer/infer.ts'
import { readHintedLifecycles } from './lifecycles/read-hinted-lifecycles.ts'
import { MARK_READ_ONLY, requiredId } from './operations/read-input.ts'
import { timedLifecycles } from './lifecycles/timed-lifecycles.ts'
import type { TimedLifecycles } from './lifecycles/transition-scheduler.ts'
import { createSeeds } from './seeds/create-seeds.ts'
import type { Seeds } from './seeds/seeds.ts'

export { createFixtureRules } from './control/check-fixtures.ts'
export { createCollectionRoutes } from './control/control-routes.ts'
export { createListExplanation } from './control/explain-list.ts'
export { createCollectionRules } from './control/find-invalid.ts'

/** What a contract has of collections. */
export interface FoundCollections {
  readonly known: KnownCollections
  readonly timed: TimedLifecycles
  begin(parts: Pick<RuleParts, 'firstMoment' | 'documents'>): Seeds
  /** What is probably meant otherwise in the contract, a sentence for each. */
  doubts(): Iterable<string>
  readonly bound: InferredOperations
}

/** @param free the operations that nothing else handles */
export function findCollections(contract: Contract, free: readonly Operation[]): FoundCollections {
  const inference = inferCollections(contract)
  const lifecycles = readHintedLifecycles(contract, inference)
  const known = knownOf(contract, { ...inference, lifecycles }, free)
  return {
    known,
    timed: timedLifecycles(contract.document, lifecycles),
    begin: ({ firstMoment, documents: count }) => createSeeds({ contract, inference: known, count, firstMoment }),
    *doubts() {
      for (const plan of known.operations.values()) {
        const { operation, collection } = plan
        const pointer = requiredId(contract.document, plan)
        if (pointer === undefined) continue
        yield `${contract.placeOf(operation.pointer)}: ${operation.operationId} requires ${pointer} of a new ${collection.noun}. ${MARK_READ_ONLY}`
      }
    },
    bound: bindCollections(contract, { inference, lifecycles }, free),
  }
}
