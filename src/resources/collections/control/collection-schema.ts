import type { CollectionSchema } from '../../../../types/control-api.d.ts'
import { bundleSchema } from '../../../contract/schemas/bundle-schema.ts'
import type { ControlCall } from '../../../engine/control-route.ts'
import type { CollectionPlan } from '../infer/plan.ts'
import { documentedIn } from '../lists/read-list-parameters.ts'
import type { Lifecycle } from '../lifecycles/lifecycle.ts'
import { referencesOf } from '../operations/references.ts'
import { findInstance } from './find-instance.ts'
import { type KnownCollections, operationsOn } from './known-collections.ts'

/** The schema and settings of the documents of a collection, by its name in the contract or that of an instance. @throws Problem 404 */
export async function findCollectionSchema(call: ControlCall, known: KnownCollections): Promise<CollectionSchema> {
  const { collections, document, lifecycles } = known
  const named = collections.find(({ name }) => name === call.path.collection)
  const plan = named ?? (await findInstance(call, known)).plan
  if (!plan) return { collection: null, schema: {}, isShortened: false, statuses: [], references: [], lists: [] }
  const references = [...referencesOf({ collections, document }, plan.schema)]
  return {
    collection: plan.name,
    ...bundleSchema(document, plan.schema),
    statuses: (lifecycles.get(plan) ?? []).map(showLifecycle),
    references: references
      .filter(({ pointer }) => pointer !== plan.identity.pointer)
      .map(({ pointer, target }) => ({ member: pointer, collection: target.name })),
    lists: listsOf(known, plan),
  }
}

function showLifecycle({ pointer, statuses }: Lifecycle): CollectionSchema['statuses'][number] {
  type StatusValue = CollectionSchema['statuses'][number]['changes'][number]['from']
  const valueOf = (text: string) => (statuses.get(text)?.value ?? text) as StatusValue
  return {
    member: pointer,
    changes: [...statuses].map(([from, { next, timed }]) => ({
      from: valueOf(from),
      to: next.map(valueOf),
      ...(timed ? { byTime: { to: valueOf(timed.to), milliseconds: timed.after } } : {}),
    })),
  }
}

function listsOf(known: KnownCollections, plan: CollectionPlan): CollectionSchema['lists'] {
  return operationsOn(known, plan)
    .filter(({ role }) => role === 'list' || role === 'search')
    .map((list) => ({
      operationId: list.operation.operationId,
      path: list.operation.path,
      pathParameters: list.pathParameters,
      queryParameters: [...documentedIn('query', list.operation, known.document).keys()],
    }))
}
