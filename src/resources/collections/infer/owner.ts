import { shapeOf } from '../../../contract/schemas/shape.ts'
import { encodePointer, splitPointer } from '../../../base/formats/json.ts'
import { pointerOf } from '../../../contract/pointer.ts'
import { type Draft, hasRole, isAlone, isSearch, parentsOf } from './draft.ts'
import { thingOf } from './id-names.ts'
import { namesCaller } from './people.ts'
import type { CollectionPlan } from './plan.ts'
import { parametersOf, shapeOf as shapeOfPath } from './routes.ts'
import { isSameItem } from './same-item.ts'
import { plural } from '../../../base/formats/plurals.ts'
import { plainName, wordsOf } from '../../../base/formats/names.ts'

/** The collection that has the items of all parents, and the member of its items that names the parent; undefined where none does. */
export interface Owner {
  readonly collection: CollectionPlan
  readonly pointer: string | undefined
}

/**
 * `/customers/{id}/orders` lists the items of `/orders` whose `customer_id` is that of the customer, and `/tags/{id}/notes` those of
 * `/notes` that have the tag among their `tags`.
 */
export function findOwner(
  document: unknown,
  draft: Draft,
  { parent, identity }: CollectionPlan,
  plans: ReadonlyMap<Draft, CollectionPlan>,
): Owner | undefined {
  if (draft.isSingleton || (!parent && parametersOf(draft.segments).length === 0)) return undefined
  if (parent && isOfSameKind(document, draft, parent))
    return { collection: parent, pointer: memberFor(document, parent.schema, { noun: 'parent' }) }
  const holders: [Draft, CollectionPlan][] = []
  for (const [other, collection] of plans) {
    const isCandidate = other !== draft && !other.isSingleton && other.segments.at(-1) === draft.segments.at(-1)
    // A list alone holds nothing that requests create, and other parents have other items.
    const above = shapeOfPath(other.segments.slice(0, -1))
    const isOfOthers = above.includes('{') && !shapeOfPath(draft.segments).startsWith(above)
    if (isOfOthers || other.segments.some(namesCaller) || isSearch(other) || (isAlone(other) && !isAlone(draft)))
      continue
    // Numbers that begin anew below each parent find nothing among the items of all.
    if (draft.item && identity.pointer !== collection.identity.pointer) continue
    // Ids that clients choose are unique below one parent alone, such as `1.0.0`: a search over all does not hold them.
    if (identity.isChosen && draft.item && !other.item && other.operations.every(({ role }) => role === 'list'))
      continue
    if (
      !isCandidate ||
      other.segments.length >= draft.segments.length ||
      !isSameItem(document, other.schema, draft.schema)
    )
      continue
    const isRead = draft.operations.every(({ role }) => role === 'list' || role === 'search')
    const pointer =
      parent &&
      (memberFor(document, other.schema, parent) ?? (isRead ? listFor(document, other.schema, parent) : undefined))
    if (pointer !== undefined) return { collection, pointer }
    if (hasAllOf(other, draft)) holders.push([other, collection])
  }
  // `/issues/comments` has those of `/issues/{number}/comments`, whatever `/comments` has.
  const [nearest] = holders.toSorted(([one], [two]) => two.segments.length - one.segments.length)
  return nearest && { collection: nearest[1], pointer: undefined }
}

/** `POST /groups/{id}/children` makes a group, and `/tasks/{id}/subtasks` a task: its path is among those of all. */
function isOfSameKind(document: unknown, draft: Draft, parent: CollectionPlan): boolean {
  const { segments, schema } = draft
  const isPart = /^(children|replies|sub[_-]?\w+)$/i.test(segments.at(-1) ?? '')
  const isCreated = hasRole(draft, 'create') && !hasRole(draft, 'read')
  return isPart && isCreated && !parent.isSingleton && isSameItem(document, schema, parent.schema)
}

/**
 * Whether items that are created below parents have paths of their own among those of all, as with shallow routes: `POST
 * /issues/{number}/comments`, and `GET /comments/{id}`.
 */
export function hasAllOf(all: Pick<Draft, 'operations'>, below: Draft): boolean {
  if (hasRole(all, 'create') || !hasRole(below, 'create')) return false
  return hasRole(all, 'read') ? !hasRole(below, 'read') : !hasRole(below, 'delete', 'merge')
}

/** The list of an item that names several others: `tag_ids`, or the ids of the objects in `tags`, as a pointer to all of them. */
function listFor(
  document: unknown,
  schema: unknown,
  { noun, identity }: Pick<CollectionPlan, 'noun' | 'identity'>,
): string | undefined {
  const [own = 'id', ...deeper] = splitPointer(identity.pointer ?? '/id')
  for (const [name, member] of shapeOf(document, schema, 'any').properties) {
    const element = shapeOf(document, shapeOf(document, member).items)
    if (plainName(name) === `${plainName(noun)}ids` && element.types.size > 0) return pointerOf([name])
    if (plainName(name) !== plainName(plural(noun)) || deeper.length > 0) continue
    if (element.properties.has(own)) return pointerOf([name, own])
  }
  return undefined
}

/**
 * A read-only list with the schemas of the collection below a parent that its items are created in: `/flags` has the flags of all
 * `/projects/{id}/flags`. Any other draft stays as it is.
 */
export function describedBy(document: unknown, draft: Draft, drafts: ReadonlyMap<string, Draft>): Draft {
  if (draft.isSingleton || !draft.item || draft.operations.some(({ role }) => role !== 'list' && role !== 'read'))
    return draft
  const [creator, ...others] = [...drafts.values()].filter(
    (one) =>
      one.segments.at(-1) === draft.segments.at(-1) &&
      one.segments.length > draft.segments.length &&
      hasRole(one, 'create'),
  )
  const [parent] = creator ? parentsOf(creator, drafts) : []
  if (!creator || !parent || others.length > 0 || !isSameItem(document, creator.schema, draft.schema)) return draft
  return memberFor(document, draft.schema, parent) === undefined
    ? draft
    : { ...draft, schema: creator.schema, input: creator.input }
}

/** The member of an item that holds the id of another: `customer_id`, `customerId`, `customer`, or the `id` in the object `customer`. */
export function memberFor(
  document: unknown,
  schema: unknown,
  { noun, identity }: Pick<CollectionPlan, 'noun'> & Partial<Pick<CollectionPlan, 'identity'>>,
): string | undefined {
  const wanted = [`${plainName(noun)}id`, plainName(noun)]
  const [own = 'id', ...deeper] = splitPointer(identity?.pointer ?? '/id')
  for (const [name, member] of shapeOf(document, schema, 'any').properties) {
    const { types, properties } = shapeOf(document, member)
    const isScalar = properties.size === 0 && !types.has('object') && !types.has('array') && !types.has('boolean')
    // `org` is short for `organization`.
    const isLonger =
      properties.has(own) &&
      noun.length > 2 &&
      plainName(name).startsWith(wanted[1] ?? '') &&
      wordsOf(name).length === 1
    if (!wanted.includes(plainName(name)) && !isLonger) continue
    if (isScalar) return `/${encodePointer(name)}`
    if (deeper.length === 0 && !types.has('array') && properties.has(own)) return pointerOf([name, own])
  }
  return undefined
}

/**
 * The collection below a parent whose items a list at the top shows for all parents: `/api/v1/pods` beside
 * `/api/v1/namespaces/{namespace}/pods`. Undefined where items tell their parent by a member, so that the top may hold them.
 */
export function listedOfAll(document: unknown, draft: Draft, drafts: ReadonlyMap<string, Draft>): Draft | undefined {
  const { segments, item, operations, schema } = draft
  if (item || operations.some(({ role }) => role !== 'list') || shapeOfPath(segments).includes('{')) return undefined
  const [word, ...before] = segments.toReversed()
  const [below, ...others] = [...drafts.values()].filter(
    (one) =>
      one.segments.at(-1) === word &&
      hasRole(one, 'create') &&
      before.every((segment, at) => one.segments[before.length - 1 - at] === segment) &&
      parametersOf(one.segments).length === 1,
  )
  const [parameter = ''] = parametersOf(below?.segments ?? [])
  const isTold = memberFor(document, schema, { noun: thingOf(parameter) ?? parameter }) !== undefined
  return below && others.length === 0 && !isTold && isSameItem(document, below.schema, schema) ? below : undefined
}
