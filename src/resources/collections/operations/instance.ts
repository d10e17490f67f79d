import { decodePercent, valueAt } from '../../../contract/pointer.ts'
import type { State } from '../../../engine/state.ts'
import { type Problem, violation } from '../../../base/errors/problem.ts'
import { itemNotFound } from '../../../base/errors/resource-errors.ts'
import type { Call, Handler } from '../../handler.ts'
import { asText } from '../../../base/formats/json.ts'
import { documentsOf, prepareDocuments, requireDocuments } from '../collection-state.ts'
import { createDocuments, type Documents, firstId } from '../documents/documents.ts'
import { idOf } from '../documents/ids.ts'
import type { CollectionPlan, OperationPlan } from '../infer/plan.ts'
import { findPlace } from '../seeds/instance-place.ts'
import { isCaller, withOwner } from './caller.ts'
import { idNamed, idOfKey, idsOf, instanceName, SINGLETON, textIn } from './instance-name.ts'
import { idOfOne, namedParent, refuseUnknownParent } from './parent.ts'

/** The documents that a request is about: those of a collection, or of one parent. */
export interface Instance {
  /** `customers/1/orders` */
  readonly name: string
  /** Undefined when it has had none. */
  readonly documents: Documents | undefined
}

export function instanceOf(state: State, plan: OperationPlan, call: Call): Instance {
  const { collection, parents } = plan
  if (plan.isOfAll) return { name: collection.name, documents: documentsOfAll(state, collection) }
  const name = instanceName(collection, idsOf(state, collection.parent, parents, textIn(withOwner(state, plan, call))))
  return { name, documents: documentsOf(state, name) }
}

/**
 * The items of all parents, of which two may have the same id. Those whose parent has changed ones come first: a first page shows what a
 * client created.
 *
 * @throws NotReady where many are to be made first
 */
function documentsOfAll(state: State, collection: CollectionPlan): Documents {
  const read = (name: string) => {
    requireDocuments(state, name)
    return [...(documentsOf(state, name) ?? [])]
  }
  const changed = [...state.collections.keys()].filter((name) => findPlace([collection], name))
  const parents = collection.parent ? read(collection.parent.name).map(([id]) => instanceName(collection, [id])) : []
  const names = [...new Set([...changed, ...parents])]
  return createDocuments(names.flatMap((name) => read(name).map(([id, one]) => [`${name}/${id}`, one] as const)))
}

/** The id of the item that the path names; of the body, where the path is that of the collection. */
export function itemId(
  { itemParameter, collection, input, keyedBy, isOfCaller }: OperationPlan,
  call: Call,
  documents?: Documents,
): string {
  if (collection.isSingleton) return SINGLETON
  if (isOfCaller) return firstId(documents) ?? 'me'
  const named = itemParameter === undefined ? '' : asText(call.path[itemParameter])
  if (keyedBy !== undefined) return idOfKey(documents, keyedBy, named) ?? `with the ${keyedBy.slice(1)} ${named}`
  if (itemParameter !== undefined) return idNamed(collection, itemParameter, named, documents)
  return idOf(collection.identity, valueAt(call.body, input?.pointer ?? '')) ?? ''
}

/** @throws Problem 404 when the path names a parent or an item that does not exist, 410 where `collections.deleted` says so */
function refuseUnknownItem(state: State, plan: OperationPlan, call: Call): void {
  refuseUnknownParent(state, plan, call)
  if (plan.itemParameter === undefined) return
  const instance = instanceOf(state, plan, call)
  const id = itemId(plan, call, instance.documents)
  if (!instance.documents?.get(id) && !(plan.role === 'read' && isCaller(call, id)))
    throw notFound(plan, { call, instance }, id)
}

/** What handlers of items have in common. @param needsItem whether the item of the path must exist, and not its parent alone */
export function itemHandler(
  plan: OperationPlan,
  needsItem = true,
): Pick<Handler, 'takesNothing' | 'prepare' | 'assertExists'> {
  const refuseUnknown = needsItem ? refuseUnknownItem : refuseUnknownParent
  return {
    takesNothing: true,
    // The first accounts come before the rest, where the caller's account tells whose documents a request is about.
    prepare(state, path, header) {
      const own = () => prepareInstances(state, plan, withOwner(state, plan, { path, header }).path)
      const preparing = plan.accounts && prepareDocuments(state, instanceName(plan.accounts, []))
      return preparing ? preparing.then(own) : own()
    },
    assertExists: (state, call) => refuseUnknown(state, plan, call),
  }
}

/** Makes the first documents of what a request is about, and of the collection of its parent. @param path as sent */
function prepareInstances(
  state: State,
  plan: OperationPlan,
  path: Readonly<Record<string, string>>,
): Promise<void> | undefined {
  const { collection, parent, parents } = plan
  if (plan.isOfAll) return undefined
  const textAt = (name: string) => decodePercent(path[name] ?? '')
  const own = () => prepareDocuments(state, instanceName(collection, idsOf(state, collection.parent, parents, textAt)))
  if (!parent) return own()
  // Without a parent the response is 404, so no documents are made.
  const ofParent = () => {
    const { documents, id } = namedParent(state, plan, parent, textAt)
    return documents?.get(id) ? own() : undefined
  }
  const preparing = prepareDocuments(state, namedParent(state, plan, parent, textAt).name)
  return preparing ? preparing.then(ofParent) : ofParent()
}

/** The problem of an item that does not exist: it may have been removed before. */
export function notFound(
  plan: OperationPlan,
  { call, instance }: { readonly call: Call; readonly instance: Instance },
  stored: string,
): Problem {
  const { collection, itemParameter = plan.parents.at(-1), role } = plan
  const { noun } = collection
  const id = collection.isSingleton ? plan.parents.map(textIn(call)).join('/') : stored
  const wasRemoved = instance.documents?.wasRemoved(stored) === true
  const expected = idOfOne(noun, collection.isSingleton ? undefined : instance.documents)
  const found = itemNotFound({
    detail: `There is no ${noun} ${id}.`,
    violations: [violation({ parameter: itemParameter ?? '' }, 'collections', expected, id)],
    behaviours: [
      ...(wasRemoved ? ['collections.deleted'] : []),
      ...(wasRemoved && role === 'delete' ? ['collections.delete-again'] : []),
      ...(role === 'replace' ? ['collections.put-unknown'] : []),
    ],
  })
  return wasRemoved && call.tracker.settings['collections.deleted'] === '410'
    ? found.with({ status: 410, detail: `The ${noun} ${id} was deleted.` })
    : found
}
