import { valueAt } from '../../../contract/pointer.ts'
import { chanceKey } from '../../../engine/random.ts'
import { shown, violation } from '../../../base/errors/problem.ts'
import { completeObject } from '../../../values/complete-object.ts'
import { idOf } from '../documents/ids.ts'
import type { CollectionPlan } from '../infer/plan.ts'
import { idValue, parentMembers, withMembers } from '../items/server-members.ts'
import type { InstancePlace } from '../seeds/instance-place.ts'
import { type Completed, withMissing } from '../seeds/seed-source.ts'
import type { Seeds } from '../seeds/seeds.ts'
import { createDocumentCheck } from './complete-document.ts'
import type { KnownCollections } from './known-collections.ts'
import type { Members } from '../../../base/formats/json.ts'

/** A document with missing members filled in, and the violations that remain. */
export type ReadGiven = (id: string, value: Members) => Completed

export interface ReadGivenParts {
  readonly known: KnownCollections
  readonly seeds: Seeds
  /** Epoch ms. */
  readonly now: number
}

/**
 * Reads documents of an instance from outside. Missing members are filled in from its id, the ids of its parents and its schema; what it
 * has stays as it is.
 */
export function createGivenReader(
  { known, seeds, now }: ReadGivenParts,
  { plan, name, ids }: InstancePlace,
): ReadGiven {
  const { document } = known
  const parents = [...parentMembers(document, plan, ids)]
  const { accepts, views, otherViews } = seeds.checkOf(plan)
  const check = createDocumentCheck(document)
  return (id, value) => {
    const own = idMember(plan, id)
    if (own && valueAt(value, own[0]) !== undefined && idOf(plan.identity, value) !== id) {
      const [pointer, expected] = own
      const found = violation({ pointer }, 'id', `${shown(expected)}, as its id`, valueAt(value, pointer))
      return { value, violations: [found] }
    }
    const lacking = [...parents, ...(own ? [own] : [])].filter(([at]) => valueAt(value, at) === undefined)
    const identified = lacking.length === 0 ? value : withMembers(value, new Map(lacking))
    // Validity does not depend on the seed.
    const completion = { written: now, key: chanceKey(0, `${name} ${id}`) }
    const isWhole = accepts(identified)
    const whole = isWhole
      ? identified
      : withMissing(identified, completeObject(document, plan.schema, identified, completion))
    return { value: whole, violations: check(isWhole ? otherViews : views, { name, id, value: whole, seed: 0, now }) }
  }
}

/** The member that has the id, and its value there; undefined where a document has none. */
function idMember(
  { identity, isSingleton }: CollectionPlan,
  id: string,
): readonly [pointer: string, value: unknown] | undefined {
  return identity.pointer === undefined || isSingleton ? undefined : [identity.pointer, idValue({ identity }, id)]
}
