import type { State, StateEvent } from '../../../engine/state.ts'
import { asText, type ParameterValue } from '../../handler.ts'
import { valueAt } from '../../../contract/pointer.ts'
import { readDocumented } from '../../../contract/schemas/documented.ts'
import { itemHeld } from '../../../errors/resource-errors.ts'
import { documentsOf } from '../collection-state.ts'
import type { CollectionPlan, OperationPlan } from '../infer/plan.ts'
import { instanceName, parameterCount } from './instance.ts'
import type { Asked, Work } from './work.ts'

/** The events that remove what lies below an item that is deleted, as `collections.cascade` says. @throws Problem 409 */
export function removeChildren(work: Work, asked: Asked, id: string): StateEvent[] {
  const { call } = asked
  const children = childrenOf(work, asked, id)
  if (children.length === 0) return []
  switch (call.tracker.ask('collections.cascade')) {
    case 'keep':
      return []
    case 'refuse':
      throw itemHeld({
        detail: `The ${work.plan.collection.noun} ${id} has ${children[0]?.collection ?? ''}, which must be deleted first.`,
        behaviours: ['collections.cascade'],
      })
    case 'delete':
      return children.map((child) => ({ type: 'document.removed', ...child }))
  }
}

interface Child {
  readonly collection: string
  readonly id: string
}

function childrenOf(work: Work, { state, instance, call }: Asked, id: string): Child[] {
  const { plan, operations } = work
  const parents = plan.parents.map((name) => asText(call.path[name]))
  const prefix = `${instance.name}/${encodeURIComponent(id)}/`
  const below = [...state.collections].flatMap(([collection, documents]) =>
    collection.startsWith(prefix) ? [...documents].map(([child]) => ({ collection, id: child })) : [],
  )
  const untouched = [...beginnings(work, state, { collection: plan.collection, ids: [...parents, id] })]
  const owned = operations.filter(({ ownedBy, parent }) => ownedBy && parent === plan.collection)
  const views = new Map(
    owned.flatMap(({ collection, ownedBy }) => (ownedBy ? [[collection.name, ownedBy.pointer]] : [])),
  )
  const listed = [...views].flatMap(([collection, pointer]) =>
    [...(documentsOf(state, collection) ?? [])].flatMap(([child, { value }]) =>
      asText(valueAt(value, pointer) as ParameterValue) === id ? [{ collection, id: child }] : [],
    ),
  )
  return [...below, ...untouched, ...listed]
}

interface Above {
  readonly collection: CollectionPlan
  /** The ids of an item and of its parents, the outermost first. */
  readonly ids: readonly string[]
}

/** What collections below an item begin with, where nothing was changed yet: an item that gets the same id later has none of it. */
function* beginnings(work: Work, state: State, above: Above): Generator<Child> {
  if (!mayReturn(work, above.collection)) return
  for (const collection of work.collections) {
    const isBelow = collection.parent === above.collection && parameterCount(collection) === above.ids.length
    if (!isBelow || collection.isSingleton) continue
    const name = instanceName(collection, above.ids)
    // What was changed is found by its path, unless the collection has another name.
    const isNew = !state.collections.has(name) || collection.name !== collection.path
    for (const [id] of documentsOf(state, name) ?? []) {
      if (isNew) yield { collection: name, id }
      yield* beginnings(work, state, { collection, ids: [...above.ids, id] })
    }
  }
}

/** Whether clients can create an item with an id that another one had. */
function mayReturn({ operations, document }: Work, collection: CollectionPlan): boolean {
  const creates = (plan: OperationPlan) =>
    plan.role === 'replace' && readDocumented(document, plan.operation).statuses.includes('201')
  return collection.identity.isChosen || operations.some((plan) => plan.collection === collection && creates(plan))
}
