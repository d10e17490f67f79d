import type { Contract, Operation } from '../../contract/contract.ts'
import type { InferredOperations, RuleParts } from '../resource.ts'
import { bindCollections } from './bind-collections.ts'
import { type KnownCollections, knownOf } from './control/known-collections.ts'
import { inferCollections } from './infer/infer.ts'
import { readHintedLifecycles, type Lifecycles } from './lifecycles/read-hinted-lifecycles.ts'
import { MARK_READ_ONLY, requiredId } from './operations/read-input.ts'
import type { TimedLifecycles } from './lifecycles/transition-scheduler.ts'
import { createSeeds } from './seeds/create-seeds.ts'
import type { Seeds } from './seeds/seeds.ts'
import { findPlace } from './seeds/instance-place.ts'
import { withStamps } from './items/server-members.ts'
import { unknownGenerators } from '../../values/asked/asked-value.ts'
import { factsAfter } from './lifecycles/lifecycle.ts'
import { findWaits } from './streams/find-waits.ts'
import { findStreams } from './streams/find-streams.ts'
import { doubtfulWebhooks, findWebhooks } from './webhooks/find-webhooks.ts'

export { createFixtureRules } from './control/check-fixtures.ts'
export { createCollectionRoutes } from './control/control-routes.ts'
export { createListExplanation } from './control/explain-list.ts'
export { createCollectionRules } from './control/find-invalid.ts'
export { observeChanges } from './streams/change-feed.ts'
export { followWithWebhooks } from './webhooks/webhooks.ts'

/** What a contract has of collections. */
export interface FoundCollections {
  readonly known: KnownCollections
  readonly timed: TimedLifecycles
  begin(parts: Pick<RuleParts, 'firstMoment' | 'documents' | 'idsAfter'>): Seeds
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
    begin: ({ documents: count, ...rest }) => createSeeds({ contract, inference: known, count, ...rest }),
    *doubts() {
      yield* unknownGenerators(contract)
      yield* doubtfulWebhooks(findWebhooks(contract, known), contract.placeOf)
      for (const plan of known.operations.values()) {
        const { operation, collection } = plan
        const pointer = requiredId(contract.document, plan)
        if (pointer === undefined) continue
        yield `${contract.placeOf(operation.pointer)}: ${operation.operationId} requires ${pointer} of a new ${collection.noun}. ${MARK_READ_ONLY}`
      }
    },
    bound: {
      ...bindCollections(contract, { inference, lifecycles }, free),
      streams: findStreams(contract, known, free),
      waits: findWaits(contract, known, free),
    },
  }
}

/** The statuses that change by time. */
export function timedLifecycles(document: unknown, all: Lifecycles): TimedLifecycles {
  const timed = new Map(
    [...all].filter(([, lifecycles]) =>
      lifecycles.some(({ statuses }) => [...statuses.values()].some((status) => status.timed)),
    ),
  )
  const planOf = (instance: string) => findPlace([...timed.keys()], instance)?.plan
  return {
    isEmpty: timed.size === 0,
    factsOf(instance, written) {
      const plan = planOf(instance)
      return plan ? factsAfter(timed.get(plan) ?? [], written) : written.before?.hidden
    },
    of(instance) {
      const plan = planOf(instance)
      const lifecycles = plan && timed.get(plan)
      if (!lifecycles) return undefined
      return { lifecycles, stamp: (value, written) => withStamps(document, plan, value, written) }
    },
  }
}
