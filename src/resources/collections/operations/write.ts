import { derivedNow } from '../items/derived-members.ts'
import { valueAt, withValue } from '../../../contract/pointer.ts'
import { readDocumented } from '../../../contract/schemas/documented.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import { violation } from '../../../base/errors/problem.ts'
import { requestInvalid } from '../../../base/errors/request-errors.ts'
import { itemExists } from '../../../base/errors/resource-errors.ts'
import { withArticle } from '../../../base/errors/wording.ts'
import { chanceKey } from '../../../engine/random.ts'
import type { StateEvent } from '../../../engine/state.ts'
import type { Outcome } from '../../handler.ts'
import { allowsId, nextId, idOf } from '../documents/ids.ts'
import { firstId } from '../documents/documents.ts'
import { withEffect } from '../lifecycles/effect.ts'
import { momentsOfChange } from '../lifecycles/word-effect.ts'
import { refuseByStatus } from '../lifecycles/said-statuses.ts'
import { refuseTransitions } from '../lifecycles/refuse-transition.ts'
import { moveChildren } from './cascade.ts'
import { SINGLETON } from './instance-name.ts'
import { storeItem } from './store-item.ts'
import { isListOfNames, renamedId } from './read-input.ts'
import { refuseUnknownReferences } from './references.ts'
import { respond } from './respond.ts'
import { derivedId } from '../items/derived-id.ts'
import { idValue, withStamps } from '../items/server-members.ts'
import { withDefaults, withParts } from '../items/unsent-members.ts'
import { linkedItem } from '../related/linked-item.ts'
import { showItem, showWhole } from '../items/show.ts'
import type { ItemRequest, Item, OperationWork } from './work.ts'
import { type Members, asText, splitPointer } from '../../../base/formats/json.ts'
import type { CollectionPlan } from '../infer/plan.ts'
import { plainName } from '../../../base/formats/names.ts'

/** The lists whose elements have paths: other requests put them there. */
function emptyLists({ views }: OperationWork): Members {
  return Object.fromEntries(views.flatMap(({ element }) => (element ? [[element.name, []]] : [])))
}

/** Decides the creation of one item. @param id what the path names; undefined for a new one */
export function createItem(
  work: OperationWork,
  request: ItemRequest,
  { given, id }: { readonly given: Members; readonly id?: string },
): Outcome {
  const item = newItem(work, request, { given, named: id, documents: request.instance.documents })
  const outcome = respond(work, item, [creationOf(item)])
  const { output, operation } = work.plan
  const { statuses } = readDocumented(work.document, operation)
  // A PUT that creates is 201 where that is documented (RFC 9110, 9.3.4).
  const status = id !== undefined && statuses.includes('201') ? 201 : output.status
  // RFC 9110, 15.3.2. A response that does not show the item at least has its address.
  const path = status === 201 || !output.located ? work.locationOf(item) : undefined
  const location = path !== undefined && work.headers().hasWholeLocation ? `${request.call.origin()}${path}` : path
  return { ...outcome, status, headers: { ...outcome.headers, ...(location === undefined ? {} : { location }) } }
}

/** Decides the creation of several items: all or none. */
export function createItems(work: OperationWork, request: ItemRequest, inputs: readonly Members[]): Outcome {
  const made = newItems(work, request, inputs)
  return respondWithAll(work, request, made, made.map(creationOf))
}

export function creationOf({ instance, id, stored }: Item): StateEvent {
  return { type: 'document.created', collection: instance.name, id, document: stored }
}

/** Items to be created, which know of each other. */
export function newItems(work: OperationWork, request: ItemRequest, inputs: readonly Members[]): readonly Item[] {
  const { instance } = request
  const made: Item[] = []
  for (const given of inputs) {
    const taken = new Map(made.map(({ id, stored }) => [id, stored]))
    const documents = instance.documents
    const present = {
      made: (documents?.made ?? 0) + made.length,
      get: (id: string) => taken.get(id) ?? documents?.get(id),
    }
    const named = isListOfNames(work) ? idOf(work.plan.collection.identity, given) : undefined
    made.push(newItem(work, request, { given, named, documents: present }))
  }
  return made
}

/** The response to a write of several items: it shows all, or the first where it has one alone. */
export function respondWithAll(
  work: OperationWork,
  { state, call, instance }: ItemRequest,
  written: readonly Item[],
  events: Outcome['events'],
): Outcome {
  const {
    document,
    plan: { output },
  } = work
  const [first] = written
  if (!output.located?.isList) {
    if (first) return { ...respond(work, first, []), events }
    return { status: output.status, body: { empty: true }, events }
  }
  const { schema } = output.located
  const items = written.map(({ id, stored }) =>
    showItem(schema, derivedNow(work, { state, call }, { instance: instance.name, id, stored }).value, {
      document,
      seed: state.seed,
      purpose: `${instance.name} ${id}`,
      now: call.now,
    }),
  )
  const showing = { document, seed: state.seed, purpose: instance.name, now: call.now }
  return { status: output.status, body: { json: showWhole(output, items, showing) }, events }
}

type StoredItems = Pick<NonNullable<ItemRequest['instance']['documents']>, 'made' | 'get'>

interface NewItem {
  readonly given: Members
  /** What the path names; undefined where the service or the body gives the id. */
  readonly named: string | undefined
  /** The items before it; undefined for none. */
  readonly documents: StoredItems | undefined
}

/** The member at the top that holds the id; empty where none does. */
function idMember({ identity }: CollectionPlan): string {
  const [name = '', ...inner] = splitPointer(identity.pointer ?? '')
  return inner.length === 0 ? name : ''
}

export function newItem(
  work: OperationWork,
  request: ItemRequest,
  { given: sent, named: inPath, documents }: NewItem,
): Item {
  const linked = inPath === undefined ? undefined : linkedItem(work, request, inPath)
  const asked = linked ? { ...linked.stored.value, ...sent } : sent
  const named = linked?.id ?? inPath
  const { collection, ownedBy } = work.plan
  const { state, call, instance } = request
  const derived = derivedId(work.plan.operation, asked)
  const isDerived = named === undefined && derived !== undefined && collection.identity.fits(derived)
  const chosen = isDerived ? derived : (named ?? chosenId(work, asked))
  const { [idMember(collection)]: _, ...unnamed } = asked
  const given = chosen === undefined ? unnamed : asked
  if (chosen !== undefined && !collection.identity.fits(chosen)) throw unreadable(work, chosen)
  if (chosen !== undefined && documents?.get(chosen)) throw alreadyThere(work, chosen)
  refuseUnknownReferences(work, request, { given, before: undefined })
  const place = { instance: instance.name, seed: state.seed, like: firstId(instance.documents) }
  const id = chosen ?? nextId(collection, work.document, { documents, ...place })
  const owner = ownedBy?.pointer
  const owned = owner === undefined ? given : withValue(given, owner, asMember(call.path[ownedBy?.parameter ?? '']))
  const { pointer } = collection.identity
  const withId = (value: Members) =>
    pointer === undefined || id === SINGLETON ? value : withValue(value, pointer, idValue(collection, id))
  // A version can be an id; then ids are not counted.
  const defaults = withDefaults(work.document, collection.schema, { ...emptyLists(work), ...withId(owned) }) as Members
  const made = { sent: work.plan.input?.schema, key: chanceKey(state.seed, `${instance.name} ${id}`), now: call.now }
  const first = withFirstValues(work, withParts(work.document, collection.schema, defaults, made))
  const value = withId(withStamps(work.document, collection, first, { before: undefined, now: call.now }))
  return {
    ...request,
    id,
    stored: storeItem(work, request, {
      given,
      id,
      value: affected(work, value, { given, now: call.now }),
      before: undefined,
    }),
  }
}

/** The id that the client gives the item. */
function chosenId(work: OperationWork, given: Members): string | undefined {
  const { identity } = work.plan.collection
  return identity.isChosen ? idOf(identity, given) : idInBody(work, given)
}

/**
 * The id in a body: the member called as the path parameter of items, such as `userId` for `/groups/{groupId}/users/{userId}`. Where items are
 * found by their `name`, also the only required member that ends in `name`, such as `new_branch_name`.
 */
function idInBody({ document, plan, views }: OperationWork, given: Members): string | undefined {
  const parameter = views.find(({ itemParameter }) => itemParameter !== undefined)?.itemParameter
  if (parameter === undefined || plan.input?.isList) return undefined
  const { required } = shapeOf(document, plan.input?.schema)
  const names = plan.collection.identity.pointer === '/name' ? [...required].filter((name) => /name$/i.test(name)) : []
  const isMeant = (name: string) =>
    plainName(name) === plainName(parameter) || (names.length === 1 && names[0] === name)
  const [, id] = Object.entries(given).find(([name]) => isMeant(name)) ?? []
  const { type, schema } = plan.collection.identity
  const isId = typeof id === 'string' || (typeof id === 'number' && type === 'integer')
  // What responses could not show as the id is not taken for it.
  return isId && id !== '' && allowsId(document, schema, String(id)) ? String(id) : undefined
}

function asMember(value: unknown): unknown {
  return typeof value === 'object' ? asText(value) : value
}

/** No path could name the item. */
function unreadable({ plan: { collection, input } }: OperationWork, id: string) {
  const pointer = `${input?.pointer ?? ''}${collection.identity.pointer ?? ''}`
  return requestInvalid([
    violation({ pointer }, 'collections', `an id that the path of ${withArticle(collection.noun)} may have`, id),
  ])
}

function alreadyThere({ plan: { collection } }: OperationWork, id: string) {
  const pointer = collection.identity.pointer ?? ''
  return itemExists({
    detail: `There is ${withArticle(collection.noun)} ${id} already.`,
    violations: [violation({ pointer }, 'collections', `an id that no ${collection.noun} has`, id)],
  })
}

/** A new item begins with the first status of its lifecycle, or else with what lists ask for by default, unless it says otherwise. */
function withFirstValues({ lifecycles, ...work }: OperationWork, value: Members): Members {
  const statuses = lifecycles.map(({ pointer, first }): [string, unknown] => [pointer, first])
  return [...statuses, ...work.firstValues()].reduce<Members>(
    (item, [pointer, first]) => (valueAt(item, pointer) === undefined ? withValue(item, pointer, first) : item),
    value,
  )
}

interface ChangeToAffect {
  readonly before?: Members
  /** What the request says of a new item. */
  readonly given?: Members
  readonly now: number
}

/** With what the operation sets, or what its change of a status does besides. */
function affected(
  { effect, document, plan }: OperationWork,
  value: Members,
  { before, given, now }: ChangeToAffect,
): Members {
  const { schema } = plan.collection
  if (!effect) {
    const own = momentsOfChange(document, schema, { before, after: given ?? value })
    return withEffect(document, schema, { value, effect: own, now })
  }
  if (!before) return withEffect(document, schema, { value, effect, now })
  // `/confirm` on a cancelled item: it is no longer cancelled.
  const { cleared } = momentsOfChange(document, schema, { before, after: { ...value, ...effect.set } })
  const left = cleared.filter((name) => !effect.moments.includes(name) && !(name in effect.set))
  return withEffect(document, schema, { value, effect: { ...effect, cleared: [...effect.cleared, ...left] }, now })
}

/** Decides a change of an item. @param change what the request makes of it */
export function changeItem(work: OperationWork, item: Item, change: (before: Members) => Members): Outcome {
  const { plan, document } = work
  const { collection } = plan
  const { id, call, instance, stored: before } = item
  const wanted = affected(work, change(before.value), { before: before.value, now: call.now })
  refuseByStatus(work.statusRule(), collection.noun, before.value, call)
  refuseTransitions(work.lifecycles, { before: before.value, after: wanted, plan, document, effect: work.effect })
  const changed = withStamps(document, collection, wanted, { before: before.value, now: call.now })
  const { pointer } = collection.identity
  const value =
    pointer === undefined || id === SINGLETON
      ? changed
      : withValue(changed, pointer, valueAt(before.value, pointer) ?? idValue(collection, id))
  const given = Object.fromEntries(Object.entries(wanted).filter(([name, inner]) => before.value[name] !== inner))
  const renamed = renamedId(work, call.body)
  if (renamed !== undefined && pointer !== undefined && renamed !== id && collection.identity.fits(renamed)) {
    if (instance.documents?.get(renamed)) throw alreadyThere(work, renamed)
    const stored = storeItem(work, item, { given, id: renamed, value: withValue(value, pointer, renamed), before })
    const moved = { ...item, id: renamed, stored }
    const parents = plan.parents.map((name) => asText(call.path[name]))
    const children = moveChildren(work, { state: item.state, collection, parents, id }, renamed)
    const removal = { type: 'document.removed', collection: instance.name, id } as const
    return respond(work, moved, [removal, creationOf(moved), ...children])
  }
  const stored = storeItem(work, item, { given, id, value, before })
  return respond(work, { ...item, stored }, [
    { type: 'document.updated', collection: instance.name, id, document: stored },
  ])
}
