import { once } from '../../base/cache.ts'
import type { Contract, Operation } from '../../contract/contract.ts'
import type { Handler } from '../handler.ts'
import type { BelowItem, InferredOperations, StatefulOperation } from '../resource.ts'
import { shapeOf } from '../../contract/schemas/shape.ts'
import { memberMeant } from './infer/actions.ts'
import { type Inference, type OperationPlan, type Role, describePlan, behavioursOf } from './infer/plan.ts'
import { createConsistency } from '../../values/consistency/make-consistent.ts'
import { type OperationEffect, findEffect, wordOf } from './lifecycles/effect.ts'
import { firstStatuses } from './lifecycles/first-statuses.ts'
import type { Lifecycles } from './lifecycles/read-hinted-lifecycles.ts'
import { readStatusRule } from './lifecycles/said-statuses.ts'
import { itemHandler } from './operations/instance.ts'
import { unusedByMany } from './operations/actions/act-on-many.ts'
import { createItemFaults } from './operations/faults.ts'
import { uniqueFor } from './items/unique-members.ts'
import { readDocumentedHeaders } from './operations/documented-headers.ts'
import { findExampleIds } from './operations/example-ids.ts'
import { findTargets } from './operations/find-targets.ts'
import { isExpansion } from './lists/parameter-names.ts'
import { keyOf } from '../../base/formats/plurals.ts'
import { wordsOf } from '../../base/formats/names.ts'
import { createHandler, usedByWrites } from './operations/create-handler.ts'
import { listedValues, schemaOfSeeds } from './lists/listed-values.ts'
import { createListOperation, unusedByList } from './lists/list-operation.ts'
import { type ListPlan, readListPlan } from './lists/list-plan.ts'
import { createCountHandler } from './lists/count.ts'
import { createStartTokenHandler } from './lists/start-token.ts'
import { embeddedLists, embeddedMembers } from './related/embedded-members.ts'
import { createReadWithRelated } from './related/read-with-related.ts'
import { createDerivedMembers } from './items/derived-members.ts'
import { createItemFit, createShownItems } from './items/view.ts'
import { createLocation } from './operations/respond.ts'
import { asCalled } from './rpc/rpc-call.ts'
import type { OperationWork } from './operations/work.ts'
import type { State } from '../../engine/state.ts'
import type { Problem, Violation } from '../../base/errors/problem.ts'
import { withArticle } from '../../base/errors/wording.ts'
import { documentInvalid } from '../../base/errors/resource-errors.ts'
import { findPlace } from './seeds/instance-place.ts'

interface InferredCollections {
  readonly inference: Inference
  readonly lifecycles: Lifecycles
}

const SETS_NOTHING = 'sets nothing, since neither the word in its path nor its body means a member'

/** What an action does to its item, for people. */
function effectOf(
  document: unknown,
  { role, input, operation, collection, element }: OperationPlan,
  effect?: OperationEffect,
): string[] {
  if (element) return []
  const names = [...(input ? shapeOf(document, input.schema, 'any').properties.keys() : [])]
  const isMeant = (name: string) =>
    memberMeant(document, { ...operation, ...collection, word: wordOf(operation.path) }, name) !== undefined
  const given = role === 'action' ? names.filter(isMeant) : []
  const sets = [...(effect ? [effect.reason] : []), ...(given.length > 0 ? [`takes ${given.join(', ')}`] : [])]
  return role === 'action' && sets.length === 0 ? [SETS_NOTHING] : sets
}

/** The handlers of the operations that were inferred. @param free the operations that nothing else handles */
export function bindCollections(
  { document }: Pick<Contract, 'document'>,
  { inference: { operations, reasons, collections }, lifecycles: all }: InferredCollections,
  free: readonly Operation[],
): Omit<InferredOperations, 'streams' | 'waits'> {
  const plans = [...operations.values()]
  const groups = Map.groupBy(plans, ({ collection }) => collection)
  const shared = new Map(
    [...groups].map(([collection, views]) => {
      const schema = once(() => schemaOfSeeds(document, collection, views))
      return [collection, { views, schema, fit: createItemFit(views) }]
    }),
  )
  const exampleIds = once(() => findExampleIds(document))
  const bound = free.flatMap((operation) => {
    const plan = operations.get(operation)
    const own = plan && shared.get(plan.collection)
    if (!own) return []
    const lifecycles = all.get(plan.collection) ?? []
    const effect = findEffect(document, plan, { lifecycles, schema: own.schema })
    const known = { document, collections, operations: plans, exampleIds }
    const work = createWork({ ...known, ...own, plan, lifecycles, effect })
    const reason = [plan.reason, ...effectOf(document, plan, effect)].join('; ')
    return [
      [
        operation,
        { operation: Object.assign(asCalled(plan, bind(work)), { blameState: blameState(plan) }), reason },
      ] as const,
    ]
  })
  const understood = new Map(bound)
  const reads = new Map(plans.filter(({ role }) => role === 'read').map((plan) => [plan.operation.path, plan]))
  const below = free.flatMap((operation) => {
    const item = understood.has(operation) ? undefined : itemAbove(operation.path, reads)
    return item ? [[operation, item] as const] : []
  })
  return { operations: understood, reasons, below: new Map(below) }
}

/**
 * The nearest item that a path goes through: `/tasks/{id}` of `/tasks/{id}/addTag`.
 *
 * @param reads the operations that read items, by their paths
 */
function itemAbove(path: string, reads: ReadonlyMap<string, OperationPlan>): BelowItem | undefined {
  const above = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  if (above === '') return undefined
  const read = reads.get(above)
  if (read?.itemParameter === undefined) return itemAbove(above, reads)
  if (read.keyedBy !== undefined || read.ownedBy) return undefined
  const plan = { ...read, parent: read.collection, itemParameter: undefined }
  return { ...itemHandler(plan, false), findTargets: (state, given) => findTargets(state, plan, given) }
}

function createWork(
  parts: Omit<
    OperationWork,
    | 'agree'
    | 'asksForRelated'
    | 'derived'
    | 'embedded'
    | 'embeddedLists'
    | 'headers'
    | 'firstValues'
    | 'locationOf'
    | 'shown'
    | 'statusRule'
    | 'unique'
  >,
): OperationWork {
  const { document, plan, views, lifecycles } = parts
  const locationOf = once(() => createLocation(parts))
  return {
    ...parts,
    derived: createDerivedMembers(parts, { ...plan, schema: plan.output.located?.schema }),
    shown: createShownItems(parts),
    agree: createConsistency(document, plan.collection.schema),
    embedded: once(() => embeddedMembers(parts, plan.collection.schema)),
    embeddedLists: once(() => embeddedLists(parts, plan.collection.schema)),
    asksForRelated: once(() =>
      views.some(({ operation: { queryNames } }) => [...queryNames].some((name) => isExpansion(keyOf(wordsOf(name))))),
    ),
    locationOf: (item) => locationOf()(item),
    unique: once(() => uniqueFor(document, plan, views)),
    statusRule: once(() => readStatusRule(document, plan, parts.effect)),
    headers: once(() => readDocumentedHeaders(document, plan, views)),
    firstValues: once(() => new Map([...firstStatuses(document, views, lifecycles), ...listedValues(document, views)])),
  }
}

function handlerOf(
  work: OperationWork,
  role: Exclude<Role, 'list' | 'search'>,
  { related, list }: { related: ReturnType<typeof createReadWithRelated> | undefined; list: () => ListPlan },
): Handler {
  if (role === 'start-token') return createStartTokenHandler(work)
  return role === 'count' ? createCountHandler(work, list) : createHandler(work, role, related)
}

function bind(work: OperationWork): StatefulOperation {
  const { plan } = work
  const { role, collection, itemParameter } = plan
  const { status } = plan.output
  const name = `${role} ${collection.name}`
  const related = role === 'read' && plan.output.located ? createReadWithRelated(work) : undefined
  if (role === 'list' || role === 'search') return createListOperation(name, work)
  const list = once(() => readListPlan(work.document, plan, work.collections))
  return {
    name,
    collection: collection.name,
    handler: handlerOf(work, role, { related, list }),
    faults: createItemFaults(work),
    describe: () => ({ ...describePlan(plan), ...(related && { parameters: related.describe() }) }),
    dependsOn: behavioursOf(plan),
    findTargets: (state, given) => findTargets(state, plan, given),
    successStatus: () => status,
    ...(itemParameter === undefined ? {} : { parameter: { name: itemParameter } }),
    ...(role === 'action' ? { isAction: true } : {}),
    ...(role === 'create' ? { isCreate: true } : {}),
    ...(related && { unused: related.unused }),
    ...(role === 'bulk' && {
      unused: (query, body) => ({ query: unusedByMany(work, { query, body }), body: [] }),
    }),
    ...(role === 'count' && { unused: unusedByList(list) }),
    uses: { query: usedByWrites(work.document, plan), body: {}, storesBody: true },
  }
}

/** Documents are valid when stored. But the contract may have changed since, or their writer may not have checked them. */
function blameState({ output, collection }: OperationPlan) {
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
