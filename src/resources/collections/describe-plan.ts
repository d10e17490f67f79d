import type { OperationMeaning } from '../resource.ts'
import type { CollectionPlan, OperationPlan } from './infer/plan.ts'

/** The role of an operation as a sentence. */
export function describePlan({ role, collection, ownedBy }: OperationPlan): OperationMeaning {
  const filter = ownedBy && ` of the items whose ${ownedBy.pointer} is {${ownedBy.parameter}}`
  return {
    collection: collection.name,
    items: describeItems(collection),
    role: `${role}${filter ?? ''}`,
  }
}

function describeItems({ isSingleton, identity: { pointer } }: CollectionPlan): string {
  if (isSingleton) return 'one document'
  if (pointer === undefined) return 'items without an id of their own'
  return `items by ${pointer}`
}
