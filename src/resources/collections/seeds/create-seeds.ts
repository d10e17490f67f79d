import type { Contract } from '../../../contract/contract.ts'
import { createCache } from '../../../engine/cache.ts'
import { chanceKey } from '../../../engine/random.ts'
import { completeObject } from '../../../values/complete-object.ts'
import { createDocuments, type Documents } from '../documents/documents.ts'
import { storeDocument } from '../documents/stored-document.ts'
import type { CollectionPlan } from '../infer/plan.ts'
import { SINGLETON } from '../operations/instance.ts'
import { idValue, nextId, withValue } from '../operations/server-members.ts'
import type { Seeds } from './seeds.ts'

/** Documents that each collection begins with. */
const COUNT = 10

/** Instances whose first documents are kept. */
const MAX_INSTANCES = 1000

export function createSeeds({ document }: Pick<Contract, 'document'>, plans: readonly CollectionPlan[]): Seeds {
  const made = createCache<string, Documents>({ most: MAX_INSTANCES })
  const planOf = (name: string) => plans.find((plan) => isInstance(plan, name))
  return {
    get(seed, name) {
      const key = `${seed} ${name}`
      const known = made.get(key)
      const plan = known ? undefined : planOf(name)
      if (!plan) return known
      const documents = makeDocuments(plan, document, { seed, name })
      made.set(key, documents)
      return documents
    },
    prepare: () => undefined,
  }
}

/** Whether a name is one of a collection, with ids for the parameters of its path. */
function isInstance({ path, name: own }: CollectionPlan, name: string): boolean {
  const template = own === path ? path.split('/') : [own, ...path.split('/').filter((one) => one.startsWith('{'))]
  const parts = name.split('/')
  return parts.length === template.length && template.every((one, at) => one.startsWith('{') || one === parts[at])
}

function makeDocuments(
  plan: CollectionPlan,
  document: unknown,
  { seed, name }: { seed: number; name: string },
): Documents {
  const made = createDocuments()
  for (let count = plan.isSingleton ? 1 : COUNT; count > 0; count--) {
    const id = plan.isSingleton ? SINGLETON : nextId(plan, document, { documents: made, instance: name, seed })
    const { pointer } = plan.identity
    const known = pointer === undefined || plan.isSingleton ? {} : withValue({}, pointer, idValue(plan, id))
    const value = completeObject(document, plan.schema, known, { written: 0, key: chanceKey(seed, `${name} ${id}`) })
    made.add(id, storeDocument(value))
  }
  return made
}
