import { once } from '../../../base/cache.ts'
import type { State } from '../../../engine/state.ts'
import { withValue } from '../../../contract/pointer.ts'
import { readDocumented } from '../../../contract/schemas/documented.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import { violation } from '../../../base/errors/problem.ts'
import { requestInvalid } from '../../../base/errors/request-errors.ts'
import type { Call, Handler, Outcome, Reading } from '../../handler.ts'
import { refuseBeyondLimits } from '../documents/limit-changes.ts'
import { storeDocument } from '../documents/stored-document.ts'
import { idOf } from '../documents/ids.ts'
import type { OperationPlan, Role } from '../infer/plan.ts'
import { actOnItem, readAction } from './actions/act-on-item.ts'
import { actOnMany } from './actions/act-on-many.ts'
import { removeChildren } from './cascade.ts'
import { decideOnce } from './idempotency.ts'
import { callerName, isCaller, withOwner } from './caller.ts'
import { itemHandler, instanceOf, itemId, notFound } from './instance.ts'
import { bodyFaults } from './body-faults.ts'
import { merged, patched } from './patch.ts'
import type { ReadWithRelated } from '../related/read-with-related.ts'
import {
  checkEmptyNames,
  checkOtherId,
  checkReadOnly,
  readInput,
  readInputs,
  MARK_READ_ONLY,
  requiredId,
  storedBeyond,
} from './read-input.ts'
import { refuseByStatus } from '../lifecycles/said-statuses.ts'
import { refuseUnknownReferences } from './references.ts'
import { respond, isUnchanged, refuseUnmet, tagHeader } from './respond.ts'
import { readOnlyMembers } from '../items/server-members.ts'
import { findSame } from '../items/unique-members.ts'
import { withDefaults } from '../items/unsent-members.ts'
import { keepNamed } from '../items/show.ts'
import type { ItemRequest, Item, OperationWork } from './work.ts'
import { changeItem, createItem, createItems, newItem } from './write.ts'
import { withLeftOut } from './store-item.ts'
import { type Members, asText } from '../../../base/formats/json.ts'
import { plainName } from '../../../base/formats/names.ts'
import { createsByName, updatesToo, keepsUnsent, mayCreate } from './described-writes.ts'

/** A path may name the item: `POST /repos/{owner}/{repo}`. */
function createHere(work: OperationWork, request: ItemRequest): Outcome {
  const given = { ...readInput(work, request.call), ...givenByQuery(work, request.call) }
  if (work.plan.itemParameter !== undefined)
    return createItem(work, request, { given, id: itemId(work.plan, request.call) })
  return findExisting(work, request, given) ?? createItem(work, request, { given })
}

/** The item that a creation gives instead of a new one, with 200 where that is documented. @throws Problem 409 */
function findExisting(work: OperationWork, request: ItemRequest, given: Members): Outcome | undefined {
  const { documents } = request.instance
  const { collection, operation, output } = work.plan
  const id = sameAs(work, request, given)
  // `POST /silences` with the id of one that there is: "creates a silence, or updates an existing one".
  const own = idOf(collection.identity, given)
  if (own !== undefined && documents?.get(own) && updatesToo(work.document, operation))
    return replaceItem({ ...work, plan: { ...work.plan, role: 'replace' } }, request)
  const stored = id === undefined ? undefined : documents?.get(id)
  if (id === undefined || !stored) return undefined
  const { statuses } = readDocumented(work.document, operation)
  return { ...respond(work, { ...request, id, stored }, []), status: statuses.includes('200') ? 200 : output.status }
}

/** The item that has the unique members of one that is written. @throws Problem 409 */
function sameAs(work: OperationWork, request: ItemRequest, given: Members, item?: Item): string | undefined {
  const { documents } = request.instance
  const unique = work.unique()
  if (!documents || unique.keys.length === 0) return undefined
  const { document, plan } = work
  const changed = item && { id: item.id, before: item.stored.value }
  return findSame({ unique, given, changed, documents, collection: plan.collection, document, call: request.call })
}

/** How each operation on an item is handled; lists have a handler of their own. */
type ItemRole = Exclude<Role, 'list' | 'search' | 'start-token' | 'count'>

const DECIDE: Readonly<Record<ItemRole, (work: OperationWork, request: ItemRequest) => Outcome>> = {
  create: createHere,
  'create-many': (work, request) => createItems(work, request, readInputs(work, request.call)),
  read: readItem,
  exists: readItem,
  replace: replaceItem,
  merge: mergeItem,
  delete: deleteItem,
  action: (work, request) => actOnItem(work, getItem(work, request)),
  bulk: (work, request) => actOnMany(work, request, (item) => removalOf(work, item)),
}

/** The roles that need an item. A replacement may create it, and a deletion may be repeated. */
const NEEDS_ITEM = new Set<Role>(['read', 'exists', 'merge', 'action'])

/** The roles that store what is sent. */
const STORES_INPUT = new Set<Role>(['create', 'replace', 'merge'])

/** Handles an operation on an item. @param related for a read */
export function createHandler(work: OperationWork, role: ItemRole, related?: ReadWithRelated): Handler {
  const decide = (state: State, call: Call) => {
    const request = itemRequestOf(work, state, call)
    return related ? readItem(work, request, related.of(request)) : DECIDE[role](work, request)
  }
  const isRead = role === 'read' || role === 'exists'
  const ownId = () => requiredId(work.document, work.plan)
  const stored = once(() => storedBeyond(work))
  return {
    ...itemHandler(work.plan, NEEDS_ITEM.has(role) && !createsByName(work)),
    ...(STORES_INPUT.has(role)
      ? { takes: ({ settings }) => (settings['body.unknown'] === 'error' ? [] : stored()) }
      : {}),
    ...(STORES_INPUT.has(role) && bodyFaults(work)),
    remedyFor: ({ code, pointer }) =>
      code === 'required' && pointer !== undefined && pointer === ownId() ? MARK_READ_ONLY : undefined,
    read: (state, call) => ({
      ...(isRead
        ? { violations: [] }
        : check(work, call, findItem(work, itemRequestOf(work, state, call))?.stored.value)),
      decide: () => (isRead ? decide(state, call) : decideWrite(work, { state, call }, () => decide(state, call))),
    }),
  }
}

/** @throws Problem 409 beyond the limits of a sandbox, or for another request with the same idempotency key */
function decideWrite(
  work: OperationWork,
  { state, call }: Omit<ItemRequest, 'instance'>,
  decide: () => Outcome,
): Outcome {
  const key = call.header(work.headers().idempotencyKey.toLowerCase())
  const decideNow = () => withoutDryRun(work, call, decide())
  const outcome = key === undefined ? decideNow() : decideOnce(work, { state, call, key }, decideNow)
  if (outcome.events.length > 0) refuseBeyondLimits(state, outcome.events)
  return outcome
}

function check(work: OperationWork, call: Call, before: Members | undefined): Omit<Reading, 'decide'> {
  if (work.plan.role === 'bulk' || work.plan.element) return { violations: [] }
  if (work.plan.role !== 'action') {
    const readOnly = checkReadOnly(work, call, before)
    const isDecided = readOnly.violations.length > 0 || (readOnly.ignored ?? []).length > 0
    const { violations, ignored = [] } = isDecided ? readOnly : checkOtherId(work, call, before)
    return { violations: [...violations, ...checkEmptyNames(work, call).violations], ignored }
  }
  return { violations: [], ignored: readAction(work, call, before ?? {}).ignored }
}

/** Leaves out the changes of a dry run: `?dryRun=true`, `?dry_run=All`, `?validateOnly=true` (AIP-163), where it is documented. */
function withoutDryRun({ plan }: OperationWork, { query }: Call, outcome: Outcome): Outcome {
  const isDryRun = sentBy(plan, query, DRY_RUN).some((value) => !/^(false|0|no)?$/i.test(asText(value)))
  return isDryRun ? { ...outcome, events: [] } : outcome
}

const DRY_RUN = /^(is_?)?(dry_?run|validate_?only)$/i
const UPDATE_MASK = /^(update|field)_?mask$/i

/** What a request sent for the documented query parameters of such a name. */
function sentBy({ operation: { queryNames } }: OperationPlan, query: Call['query'], named: RegExp) {
  return [...queryNames]
    .filter((name) => named.test(name))
    .map((name) => query[name])
    .filter((value) => value !== undefined)
}

/**
 * The members of a new item that the query has: `POST /branches?name=trial` with the branch that it begins at as body. Only those that the
 * request must have, since others say how it is made.
 */
function givenByQuery({ document, plan }: OperationWork, { query }: Call): Members {
  const names = membersOfQuery(document, plan)
  return Object.fromEntries(names.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])))
}

function membersOfQuery(document: unknown, { operation: { parameters }, role, collection }: OperationPlan): string[] {
  if (role !== 'create') return []
  const { properties } = shapeOf(document, collection.schema, 'any')
  return parameters.flatMap((one) => (one.in === 'query' && one.required && properties.has(one.name) ? [one.name] : []))
}

/** The query parameters that say what is written, and how. */
export function usedByWrites(document: unknown, plan: OperationPlan): string[] {
  const { operation, role } = plan
  const isHow = (name: string) => DRY_RUN.test(name) || (role === 'merge' && UPDATE_MASK.test(name))
  return [...[...operation.queryNames].filter(isHow), ...membersOfQuery(document, plan)]
}

function itemRequestOf({ plan }: OperationWork, state: State, call: Call): ItemRequest {
  const owned = withOwner(state, plan, call)
  return { state, call: owned, instance: instanceOf(state, plan, owned) }
}

/** The item that the path names, or the id in the body where the path has none; undefined where there is none. */
function findItem(work: OperationWork, request: ItemRequest): Item | undefined {
  const id = idIn(work, request)
  const stored = id === undefined ? undefined : request.instance.documents?.get(id)
  return id === undefined || !stored ? undefined : { ...request, id, stored }
}

function idIn({ plan }: OperationWork, { call, instance }: ItemRequest): string | undefined {
  const id = itemId(plan, call, instance.documents)
  return id === '' ? undefined : id
}

/** @throws Problem 404, or 410 */
function getItem(work: OperationWork, request: ItemRequest): Item {
  const item = findItem(work, request)
  if (item) return item
  const id = idIn(work, request)
  const { identity, noun } = work.plan.collection
  if (id === undefined)
    throw requestInvalid([violation({ pointer: identity.pointer ?? '' }, 'required', `the id of the ${noun}`)])
  throw notFound(work.plan, request, id)
}

/** The account of the caller is there without having been created. */
function callerItem(work: OperationWork, request: ItemRequest): Item | undefined {
  const { isOfCaller, collection } = work.plan
  const id = isOfCaller ? callerName(request.call) : (idIn(work, request) ?? '')
  if (!isOfCaller && !isCaller(request.call, id)) return undefined
  const named = id !== '' && collection.identity.fits(id) ? id : undefined
  return newItem(work, request, { given: {}, named, documents: undefined })
}

function readItem(work: OperationWork, request: ItemRequest, withRelated?: Item['withRelated']): Outcome {
  const item = { ...(findItem(work, request) ?? callerItem(work, request) ?? getItem(work, request)), withRelated }
  // The tag is that of the item, and not of those that it names.
  if (!withRelated && isUnchanged(work, request.call, item.stored))
    return { status: 304, headers: tagHeader(work, item.stored), body: { empty: true }, events: [] }
  const shown = respond(work, item, [])
  return work.plan.role === 'exists' ? { ...shown, body: { empty: true } } : shown
}

function replaceItem(work: OperationWork, request: ItemRequest): Outcome {
  const { plan } = work
  const item = findItem(work, request)
  const given = readInput(work, request.call)
  refuseUnmet(work, request.call, item?.stored)
  if (!item) {
    // The account of the caller exists, though nothing has created it.
    if (plan.isOfCaller) return createItem(work, request, { given })
    const id = idIn(work, request)
    if (id !== undefined && mayCreate(work, request.call)) return createItem(work, request, { given, id })
    return respond(work, getItem(work, request), [])
  }
  if (request.call.body === undefined) return changeItem(work, item, (before) => before)
  if (keepsUnsent(work)) return mergeItem(work, request)
  sameAs(work, request, given, item)
  refuseUnknownReferences(work, request, { given, before: item.stored.value })
  const kept = readOnlyMembers(work.document, plan.collection.schema)
  const visible =
    plan.into === ''
      ? (keepNamed(work.document, plan.input?.schema, item.stored.value, 'request') as Members)
      : withValue({}, plan.into, undefined)
  // A replacement keeps members that are read-only or that clients cannot see.
  const own = Object.entries(item.stored.value).filter(([name]) => kept.has(name) || !(name in visible))
  const replaced = withDefaults(work.document, plan.collection.schema, given) as Members
  return changeItem(work, item, () => withLeftOut(work, request, item.id, { ...Object.fromEntries(own), ...replaced }))
}

function mergeItem(work: OperationWork, request: ItemRequest): Outcome {
  const item = findItem(work, request)
  const refusesKnown = () => readDocumented(work.document, work.plan.operation).statuses.includes('409')
  if (createsByName(work) && (!item || refusesKnown()))
    return createItem(work, request, { given: readInput(work, request.call), id: itemId(work.plan, request.call) })
  if (!item && work.plan.isOfCaller) return createItem(work, request, { given: readInput(work, request.call) })
  return mergeInto(work, request, item ?? getItem(work, request))
}

function mergeInto(work: OperationWork, request: ItemRequest, item: Item): Outcome {
  const { body } = request.call
  refuseUnmet(work, request.call, item.stored)
  if (Array.isArray(body)) return changeItem(work, item, () => patched(work, item, body))
  const given = withinMask(work, request.call, readInput(work, request.call))
  sameAs(work, request, given, item)
  refuseUnknownReferences(work, request, { given, before: item.stored.value })
  return changeItem(work, item, () => merged(work, item, given))
}

/** The members that an update mask names, where one is sent: `?updateMask=title,size` (AIP-134), `?update_mask=title&update_mask=size`. */
function withinMask({ plan }: OperationWork, { query }: Call, given: Members): Members {
  const masks = sentBy(plan, query, UPDATE_MASK).flat()
  const paths = masks.flatMap((one) => (typeof one === 'string' ? one.split(',') : [])).filter((path) => path !== '')
  if (paths.length === 0 || paths.includes('*')) return given
  const named = new Set(paths.map((path) => plainName(path.split('.', 1)[0] ?? '')))
  return Object.fromEntries(Object.entries(given).filter(([name]) => named.has(plainName(name))))
}

const NOTHING = storeDocument({})

function deleteItem(work: OperationWork, request: ItemRequest): Outcome {
  const { plan } = work
  const { instance, call } = request
  const item = findItem(work, request)
  if (!item) {
    const id = idIn(work, request) ?? ''
    const isRepeated = instance.documents?.wasRemoved(id) === true && !plan.output.located
    if (isRepeated && call.tracker.ask('collections.delete-again') === 'succeed')
      return respond(work, { ...request, id, stored: NOTHING }, [])
    return respond(work, getItem(work, request), [])
  }
  refuseUnmet(work, call, item.stored)
  refuseByStatus(work.statusRule(), plan.collection.noun, item.stored.value, call)
  return respond(work, item, removalOf(work, item))
}

/** The removal of an item, and of what lies below it. */
function removalOf(work: OperationWork, { state, call, instance, id }: Item): Outcome['events'] {
  const { collection, parents, operation } = work.plan
  const children = removeChildren(work, {
    state,
    collection,
    id,
    operation,
    parents: parents.map((name) => asText(call.path[name])),
    cascade: () => call.tracker.ask('collections.cascade'),
  })
  return [...children, { type: 'document.removed', collection: instance.name, id }]
}
