import type { AllPlans, CollectionPlan, OperationPlan } from '../infer/plan.ts'
import type { BehaviourSettings } from '../../../../types/behaviour-settings.d.ts'
import type { State, StateEvent } from '../../../engine/state.ts'
import type { Json } from '../../../base/formats/json.ts'
import { readDocumented } from '../../../contract/schemas/documented.ts'
import { itemHeld } from '../../../base/errors/resource-errors.ts'
import { documentsOf, requireDocuments } from '../collection-state.ts'
import { selectNow } from '../documents/select.ts'
import type { Condition } from '../documents/selection.ts'
import { storeDocument } from '../documents/stored-document.ts'
import { parameterCount } from '../infer/routes.ts'
import { instanceName } from './instance-name.ts'
import { PARENT_FACT, parentPath } from './parent.ts'
import { wordsOf } from '../../../base/formats/names.ts'
import type { Operation } from '../../../contract/contract.ts'
import { singular } from '../../../base/formats/plurals.ts'
import { referencesOf } from './references.ts'
import { idValue } from '../items/server-members.ts'

/** An item that is deleted. */
interface Removed {
  readonly state: State
  readonly collection: CollectionPlan
  /** The ids of its parents, the outermost first. */
  readonly parents: readonly string[]
  readonly id: string
  /** The operation that deletes it; undefined for the control API. */
  readonly operation?: Operation
  /** The setting of `collections.cascade`, which is asked where there is something below, or something that names the item. */
  cascade(): BehaviourSettings['collections.cascade']
}

/** The events that remove what lies below an item that is deleted, as `collections.cascade` says. @throws Problem 409 */
export function removeChildren(known: AllPlans, removed: Removed): StateEvent[] {
  const children = childrenOf(known, removed)
  const holder = holderOf(known, removed)
  if (children.length === 0 && holder === undefined) return []
  const setting = removed.cascade()
  const first = setting === 'as-documented' ? holder : setting === 'refuse' ? children[0]?.collection : undefined
  if (first !== undefined)
    throw itemHeld({
      detail: `The ${removed.collection.noun} ${removed.id} has ${first}, which must be deleted first.`,
      behaviours: ['collections.cascade'],
    })
  return setting === 'keep' ? [] : children.map((child) => ({ type: 'document.removed', ...child }))
}

/** The events that put what lies below an item below its new id. */
export function moveChildren(known: AllPlans, renamed: Omit<Removed, 'cascade'>, id: string): StateEvent[] {
  const { state, collection: plan, parents } = renamed
  const [from, to] = [parentPath(plan, [...parents, renamed.id]), parentPath(plan, [...parents, id])]
  const moved = (path: string) => (`${path}/`.startsWith(`${from}/`) ? to + path.slice(from.length) : path)
  return childrenOf(known, renamed).flatMap((child): StateEvent[] => {
    const before = documentsOf(state, child.collection)?.get(child.id)
    if (!before) return []
    const fact = before.hidden?.[PARENT_FACT]
    const document =
      typeof fact === 'string' ? storeDocument(before.value, { ...before.hidden, [PARENT_FACT]: moved(fact) }) : before
    const collection = moved(child.collection)
    if (collection === child.collection)
      return document === before ? [] : [{ type: 'document.updated', ...child, document }]
    return [
      { type: 'document.removed', ...child },
      { type: 'document.created', collection, id: child.id, document },
    ]
  })
}

/** How the description of a 409 says that an item is kept for the sake of others: "The hotel still has bookings", "in use". */
const HELD =
  /\b(?:still|in use|(?:is|are|being) (?:used|referenced|linked) by|contains?|depends? on|dependent|not empty|assigned to|attached to|associated with|(?:has|have) (?!been|already)(?:\w+ ){0,2}\w{3,}s)\b/i

interface HoldingCollection {
  readonly collection: CollectionPlan
  /** Of the collection, or of its instance below the item. */
  readonly name: string
  /** Where its items name others; undefined for all items of it. */
  readonly pointers?: ReadonlySet<string>
}

/** The first collection with items below an item, or that name it, of those that the documented 409 speaks of; all if it names none. */
function holderOf(known: AllPlans, { state, collection: plan, parents, id, operation }: Removed): string | undefined {
  const said = operation ? readDocumented(known.document, operation).described(409) : ''
  if (!HELD.test(said)) return undefined
  const ids = [id, idValue(plan, id)] as readonly Json[]
  const holders = known.collections.flatMap((collection): HoldingCollection[] => {
    if (collection.isSingleton || collection === plan) return []
    if (collection.parent === plan) return [{ collection, name: instanceName(collection, [...parents, id]) }]
    if (collection.path.includes('{')) return []
    const owned = known.operations.flatMap((one) =>
      one.collection === collection && one.parent === plan ? (one.ownedBy?.pointer ?? []) : [],
    )
    const named = [...referencesOf(known, collection.schema)].flatMap(({ pointer, target }) =>
      target === plan && !pointer.includes('*') ? [pointer] : [],
    )
    const pointers = new Set([...owned, ...named])
    return pointers.size > 0 ? [{ collection, name: collection.name, pointers }] : []
  })
  const words = new Set(wordsOf(said).map(singular))
  const meant = holders.filter(({ collection: { noun } }) => words.has(wordsOf(noun).at(-1) ?? ''))
  return (meant.length > 0 ? meant : holders).find(({ name, pointers }) => {
    requireDocuments(state, name)
    const documents = documentsOf(state, name)
    if (!documents || documents.size === 0) return false
    const finds = (pointer: string) =>
      selectNow(documents, { conditions: [{ pointer, oneOf: ids }], order: [] }).count > 0
    return pointers === undefined || [...pointers].some(finds)
  })?.name
}

interface ChildItem {
  readonly collection: string
  readonly id: string
}

function childrenOf(known: AllPlans, { state, collection: plan, parents, id }: Omit<Removed, 'cascade'>): ChildItem[] {
  const { operations } = known
  const prefix = `${instanceName(plan, parents)}/${encodeURIComponent(id)}/`
  const below = [...state.collections].flatMap(([collection, documents]) =>
    collection.startsWith(prefix) ? [...documents].map(([child]) => ({ collection, id: child })) : [],
  )
  const untouched = [...beginnings(known, state, { collection: plan, ids: [...parents, id] })]
  const owned = operations.filter(({ ownedBy, parent }) => ownedBy && parent === plan)
  const ids = [id, idValue(plan, id)] as readonly Json[]
  const views = new Map(
    owned.map(({ collection, ownedBy }): [string, Condition] => [
      instanceName(collection, parents.slice(0, parameterCount(collection))),
      ownedBy?.pointer === undefined
        ? { hidden: PARENT_FACT, oneOf: [parentPath(plan, [...parents, id])] }
        : { pointer: ownedBy.pointer, oneOf: ids },
    ]),
  )
  const listed = [...views].flatMap(([collection, condition]) => {
    requireDocuments(state, collection)
    const documents = documentsOf(state, collection)
    const { count = 0, slice } = documents ? selectNow(documents, { conditions: [condition], order: [] }) : {}
    return slice?.(0, count).map((child) => ({ collection, id: child.id })) ?? []
  })
  return [...below, ...untouched, ...listed]
}

interface Above {
  readonly collection: CollectionPlan
  /** The ids of an item and of its parents, the outermost first. */
  readonly ids: readonly string[]
}

/** The initial documents of unchanged collections below an item, so that a later item with the same id does not get them. */
function* beginnings(known: AllPlans, state: State, above: Above): Generator<ChildItem> {
  if (!mayReturn(known, above.collection)) return
  for (const collection of known.collections) {
    const isBelow = collection.parent === above.collection && parameterCount(collection) === above.ids.length
    if (!isBelow || collection.isSingleton) continue
    const name = instanceName(collection, above.ids)
    // Changed instances are found by path, unless the collection has another name.
    const isNew = !state.collections.has(name) || collection.name !== collection.path
    for (const [id] of documentsOf(state, name) ?? []) {
      if (isNew) yield { collection: name, id }
      yield* beginnings(known, state, { collection, ids: [...above.ids, id] })
    }
  }
}

/** Whether clients can create an item with an id that another one had. */
function mayReturn({ operations, document }: AllPlans, collection: CollectionPlan): boolean {
  const creates = (plan: OperationPlan) =>
    plan.role === 'replace' && readDocumented(document, plan.operation).statuses.includes('201')
  return collection.identity.isChosen || operations.some((plan) => plan.collection === collection && creates(plan))
}
