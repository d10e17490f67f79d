import type { State } from '../../engine/state.ts'
import { counted } from '../../errors/wording.ts'
import type { ResourceFactory, RuleParts } from '../resource.ts'
import { bindCollections } from './bind-collections.ts'
import { createCollectionState } from './collection-state.ts'
import { createFixtureRules } from './control/check-fixtures.ts'
import { createCollectionRules } from './control/find-invalid.ts'
import { createCollectionRoutes } from './control/control-routes.ts'
import { createListExplanation } from './control/explain-list.ts'
import { knownOf, NO_COLLECTIONS } from './control/known-collections.ts'
import { collectionFixtures } from './fixture-collections.ts'
import { inferCollections } from './infer/infer.ts'
import { readHintedLifecycles } from './lifecycles/read-hinted-lifecycles.ts'
import { NO_LIFECYCLES, timedLifecycles } from './lifecycles/timed-lifecycles.ts'
import { ROLES } from './infer/plan.ts'
import { createSeeds } from './seeds/create-seeds.ts'
import { NO_SEEDS, type Seeds } from './seeds/seeds.ts'

/** The documents of any contract: of its own collections, and of users' operations. */
export const createCollections: ResourceFactory = () => {
  let [seeds, timed] = [NO_SEEDS, NO_LIFECYCLES]
  let known = NO_COLLECTIONS
  let begin: (parts: RuleParts) => Seeds = () => NO_SEEDS
  return {
    state: createCollectionState(
      () => seeds,
      () => timed,
    ),
    createRules(parts) {
      seeds = begin(parts)
      const { firstMoment: now, seed, hasOwnHandlers, isPackaged } = parts
      const allowsOthers = hasOwnHandlers || isPackaged
      const fixtures = createFixtureRules(() => ({ known, seeds, seed, allowsOthers, now }))
      return {
        collections: createCollectionRules({
          known: () => known,
          timed: () => timed,
          seeds: () => seeds,
          fixtures,
          now,
        }),
      }
    },
    fixtures: collectionFixtures,
    summarise: summariseCollections,
    controlRoutes: createCollectionRoutes(
      () => known,
      () => timed,
    ),
    explanations: { list: createListExplanation(() => known) },
    operations: [],
    roles: ROLES,
    infer(contract, free) {
      const inference = inferCollections(contract)
      const lifecycles = readHintedLifecycles(contract, inference)
      timed = timedLifecycles(contract.document, lifecycles)
      const found = knownOf(contract, { ...inference, lifecycles }, free)
      known = found
      begin = ({ firstMoment, documents: count }) => createSeeds({ contract, inference: found, count, firstMoment })
      return bindCollections(contract, { inference, lifecycles }, free)
    },
  }
}

function summariseCollections({ collections }: State): readonly string[] {
  const documents = [...collections.values()].reduce((sum, { size }) => sum + size, 0)
  return documents === 0 ? [] : [`${counted(documents, 'document')} in ${counted(collections.size, 'collection')}`]
}
