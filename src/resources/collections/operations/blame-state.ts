import type { State } from '../../../engine/state.ts'
import type { Problem, Violation } from '../../../base/errors/problem.ts'
import { withArticle } from '../../../base/errors/wording.ts'
import { documentInvalid } from '../../../base/errors/resource-errors.ts'
import type { OperationPlan } from '../infer/plan.ts'
import { findPlace } from '../seeds/instance-place.ts'

/** Documents are valid when stored. But the contract may have changed since, or their writer may not have checked them. */
export function blameState({ output, collection }: OperationPlan) {
  return ({ collections, collectionSeeds }: State, violations: readonly Violation[]): Problem | undefined => {
    const { located } = output
    const isShown = violations.every(({ pointer = '' }) => pointer.startsWith(located?.pointer ?? ' '))
    const stored = [...collections.keys(), ...collectionSeeds.fixtureNames()]
    const isStored = stored.some((name) => findPlace([collection], name))
    if (!located || !isShown || !isStored) return undefined
    const where = violations[0]?.message ?? ''
    const detail = `The sandbox has ${withArticle(collection.noun)} that does not fit the contract: ${where} Change it with PATCH /__mock/collections/${collection.name}/{id}, or reset the sandbox.`
    return documentInvalid({ detail, violations })
  }
}
