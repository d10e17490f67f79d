import type { CollectionInstance, CollectionList } from '../../../../types/control-api.d.ts'
import type { ControlCall } from '../../../engine/control-route.ts'
import type { State } from '../../../engine/state.ts'
import { lazily } from '../../../base/formats/json-pieces.ts'
import { keyParts } from '../../../contract/template.ts'
import { documentsShown } from '../collection-state.ts'
import type { CollectionPlan } from '../infer/plan.ts'
import { parameterCount } from '../infer/routes.ts'
import { findPlace } from '../seeds/instance-place.ts'
import { type KnownCollections, operationsOn } from './known-collections.ts'

/** The collections of the contract, and the instances that were changed. */
export function listCollections(call: ControlCall, known: KnownCollections): CollectionList {
  const { collections } = known
  const { state } = call.sandbox()
  return {
    collections: collections.map((plan) => showCollection(known, plan, state)),
    instances: lazily(documentsShown(state.collections), ([name, { size: count }]): CollectionInstance => ({
      name,
      collection: findPlace(collections, name)?.plan.name ?? null,
      count,
    })),
  }
}

/** The number of documents of a collection; null if each parent has its own, or if it is not known yet. */
function countOf(plan: CollectionPlan, { collections, collectionSeeds, collectionSeed }: State): number | null {
  if (parameterCount(plan) > 0) return null
  return collections.get(plan.name)?.size ?? collectionSeeds.count(collectionSeed, plan.name) ?? null
}

/** The path of a collection as it is served. */
function pathOf(known: KnownCollections, plan: CollectionPlan): string {
  const operations = operationsOn(known, plan)
  const { operation, itemParameter } = operations.find(({ ownedBy }) => !ownedBy) ?? operations[0] ?? {}
  if (!operation) return `/${plan.path}`
  const { template } = keyParts(operation.path)
  const [path = ''] = itemParameter === undefined ? [template] : template.split(`/{${itemParameter}}`)
  return `${operation.basePath}${path}`
}

function showCollection(
  known: KnownCollections,
  plan: CollectionPlan,
  state: State,
): CollectionList['collections'][number] {
  const { name, noun, isSingleton, parent, identity } = plan
  return {
    name,
    path: pathOf(known, plan),
    noun,
    isSingleton,
    parent: parent?.name ?? null,
    identity: { member: identity.pointer ?? null, type: identity.type },
    count: countOf(plan, state),
    operations: operationsOn(known, plan).map(({ operation, role, reason }) => ({
      operationId: operation.operationId,
      method: operation.method,
      path: `${operation.basePath}${operation.path}`,
      role,
      reason,
    })),
  }
}
