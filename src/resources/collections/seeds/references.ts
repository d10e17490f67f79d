import { chanceKey, draw } from '../../../engine/random.ts'
import type { CollectionPlan } from '../infer/plan.ts'
import { instanceName } from '../operations/instance-name.ts'
import { type InstancePlace, nounsOfPath } from './instance-place.ts'
import type { SeedIds } from './seed-ids.ts'
import { isOfPeople, namesPerson } from '../infer/people.ts'
import { plainName } from '../../../base/formats/names.ts'

/** Documents refer to the first ones of a collection, so that their ids are quickly known. */
export const MOST_REFERRED = 1000

interface ReferenceParts {
  readonly plans: readonly CollectionPlan[]
  readonly place: InstancePlace
  /** The number of the document that refers. */
  readonly index: number
  readonly key: number
  /** The ids of another instance. */
  idsOf(name: string): SeedIds | undefined
  /** A document of another instance; absent while that is made itself. */
  documentAt?(name: string, index: number): unknown
}

/** Finds the document for a reference such as `customer_id`: the parent, or a document of the collection with that name. */
export function referencesFor({ plans, place, index, key, idsOf, documentAt }: ReferenceParts) {
  const own = nounsOfPath(place.plan)
  const parents = new Map(own.map((noun, at) => [noun, place.ids[at] ?? '']))
  const parentFor = (plain: string) => [...parents].find(([name]) => plain.endsWith(name))?.[1]
  const choose = (plain: string, where: string) => {
    // A parent is older than its items.
    const isElder = plain === 'parent'
    const name = isElder ? place.name : instanceFor(targetOf(plans, plain), parents)
    const ids = name === undefined ? undefined : idsOf(name)
    const count = isElder ? index : Math.min(ids?.count ?? 0, MOST_REFERRED)
    if (name === undefined || count === 0) return undefined
    // The elements of a list name different documents.
    const order = /\/(\d+)$/.exec(where)?.[1] ?? ''
    const first = order === '' ? where : `${where.slice(0, -order.length)}0`
    return { name, ids, at: (draw(chanceKey(key, first), index) + Number(order)) % count }
  }
  return {
    references(noun: string, where: string): string | undefined {
      const plain = plainName(noun)
      const parent = parentFor(plain)
      if (parent !== undefined) return parent
      const chosen = choose(plain, where)
      return chosen?.ids?.at(chosen.at)
    },
    referred(noun: string, where: string): unknown {
      const plain = plainName(noun)
      const chosen = documentAt && parentFor(plain) === undefined ? choose(plain, where) : undefined
      return chosen && chosen.name !== place.name ? documentAt?.(chosen.name, chosen.at) : undefined
    },
  }
}

/** The collection whose items a noun names: `customer`, `billingcustomer`, or `owner` for users. */
function targetOf(plans: readonly CollectionPlan[], noun: string): CollectionPlan | undefined {
  const { named, users } = targets.get(plans) ?? readTargets(plans)
  return (named.find(({ plain }) => noun.endsWith(plain)) ?? (namesPerson(noun) ? users : undefined))?.plan
}

/** What documents of a contract can refer to, the longest nouns first. */
const targets = new WeakMap<readonly CollectionPlan[], ReturnType<typeof readTargets>>()

function readTargets(plans: readonly CollectionPlan[]) {
  const lists = plans
    .filter(({ isSingleton, identity }) => !isSingleton && (identity.pointer ?? identity.pathSchema))
    .map((plan) => ({ plan, plain: plainName(plan.noun) }))
  const named = lists.toSorted(
    ({ plan: one }, { plan: other }) => other.noun.length - one.noun.length || one.path.length - other.path.length,
  )
  const found = { named, users: lists.find(({ plan }) => isOfPeople(plan)) }
  targets.set(plans, found)
  return found
}

/** The name of an instance that a document can refer to: one of the top, or one below the same parents. */
function instanceFor(plan: CollectionPlan | undefined, parents: ReadonlyMap<string, string>): string | undefined {
  if (!plan) return undefined
  const ids = nounsOfPath(plan).map((noun) => parents.get(noun))
  return ids.includes(undefined) ? undefined : instanceName(plan, ids as string[])
}
