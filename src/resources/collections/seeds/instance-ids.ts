import { createCache } from '../../../base/cache.ts'
import type { CollectionPlan } from '../infer/plan.ts'
import { SINGLETON } from '../operations/instance-name.ts'
import type { Example } from './examples.ts'
import { findPlace, type InstancePlace, parentOf } from './instance-place.ts'
import { createSeedIds, type SeedIds } from './seed-ids.ts'
import type { SeedSources } from './seed-source.ts'

export interface InstanceIdParts {
  readonly document: unknown
  readonly plans: readonly CollectionPlan[]
  readonly sources: SeedSources
  readonly count: number
  /** The same with fixtures. */
  readonly idsOf: IdsOf
  /** Whether an instance begins with a document of this id. */
  has(seed: number, name: string, id: string): boolean
}

/** The ids that an instance begins with, and the examples that are among its documents: they come first. */
export interface InstanceIds extends SeedIds {
  readonly examples: readonly Example[]
}

export type IdsOf = (seed: number, name: string) => InstanceIds | undefined

/** The most documents that the instances of one parent begin with. */
const MOST_NESTED = 10

/** Instances whose ids are kept. */
const MAX_INSTANCES = 10_000

/** How many documents an instance begins with. @param count how many a collection begins with */
export function firstCount({ plan, ids }: InstancePlace, count: number): number {
  const wanted = plan.isSingleton ? 1 : ids.length > 0 ? Math.min(count, MOST_NESTED) : count
  // Half of the ids are left for new documents.
  return Math.min(wanted, Math.ceil((plan.identity.most ?? Infinity) / 2))
}

/** Finds the ids of initial documents without making the documents. */
export function createInstanceIds({ document, plans, sources, count, idsOf, has }: InstanceIdParts): IdsOf {
  const known = createCache<string, InstanceIds>({ most: MAX_INSTANCES })
  const generatedIds: IdsOf = (seed, name) => {
    const before = known.get(`${seed} ${name}`)
    const place = before ? undefined : findPlace(plans, name)
    if (!place) return before
    const { plan } = place
    const most = isOfNewParent(seed, place) ? 0 : firstCount(place, count)
    const examples = isOfFirstParent(seed, place) ? sources.of(plan).examples.slice(0, most) : []
    const given = plan.isSingleton
      ? [SINGLETON]
      : examples.map(({ id }) => (id !== undefined && plan.identity.fits(id) ? id : undefined))
    const ids = { ...createSeedIds({ plan, document, seed, instance: name, given, count: most }), examples }
    known.set(`${seed} ${name}`, ids)
    return ids
  }
  /** What a request creates has nothing below it yet, but for its single documents. */
  const isOfNewParent = (seed: number, place: InstancePlace): boolean => {
    const parent = parentOf(place)
    return parent !== undefined && !place.plan.isSingleton && !has(seed, parent.name, parent.id)
  }
  /** Each example is used once, for the first parent. */
  const isOfFirstParent = (seed: number, of: InstancePlace): boolean => {
    const parent = parentOf(of)
    if (!parent) return true
    const place = findPlace(plans, parent.name)
    return idsOf(seed, parent.name)?.at(0) === parent.id && (place === undefined || isOfFirstParent(seed, place))
  }
  return generatedIds
}
