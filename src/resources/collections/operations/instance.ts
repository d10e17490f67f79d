import { plainName } from '../../../base/formats/names.ts'
import { decodePercent, valueAt } from '../../../contract/pointer.ts'
import type { State } from '../../../engine/state.ts'
import { refusal } from '../../../behaviours/refusal.ts'
import { type Problem, violation } from '../../../base/errors/problem.ts'
import { itemNotFound } from '../../../base/errors/resource-errors.ts'
import { withArticle } from '../../../base/errors/wording.ts'
import type { Call, Handler } from '../../handler.ts'
import { asText, encodePointer, type Json, type Members } from '../../../base/formats/json.ts'
import { documentsOf, prepareDocuments, requireDocuments } from '../collection-state.ts'
import { createDocuments, type Documents, firstId } from '../documents/documents.ts'
import { selectNow } from '../documents/select.ts'
import { isDocumentId } from '../documents/stored-document.ts'
import { namesIn, NAMING, OTHER_IDS } from '../infer/id-names.ts'
import { idOf } from '../documents/ids.ts'
import type { CollectionPlan, ItemIdentity, OperationPlan } from '../infer/plan.ts'
import { parameterCount } from '../infer/routes.ts'
import { isCallerWord, isOfPeople } from '../infer/people.ts'
import { findPlace } from '../seeds/instance-place.ts'

/** The documents that a request is about: those of a collection, or of one parent. */
export interface Instance {
  /** `customers/1/orders` */
  readonly name: string
  /** Undefined when it has had none. */
  readonly documents: Documents | undefined
}

/** The id of the document of a singleton. */
export const SINGLETON = 'singleton'

/** The name of an instance: the path of the collection with the ids of parents. */
export function instanceName({ name, path }: CollectionPlan, ids: readonly string[]): string {
  const encoded = ids.map(encodeURIComponent)
  if (name !== path) return [name, ...encoded].join('/')
  const rest = [...encoded]
  return path
    .split('/')
    .map((segment) => (segment.startsWith('{') ? (rest.shift() ?? '') : segment))
    .join('/')
}

type TextAt = (parameter: string) => string

const textIn =
  ({ path }: Call): TextAt =>
  (parameter) =>
    asText(path[parameter])

/** The ids of the parents that a path goes through, where it may have their names. */
function idsOf(
  state: State,
  parent: CollectionPlan | undefined,
  names: readonly string[],
  textAt: TextAt,
): readonly string[] {
  const count = parent ? parameterCount(parent) : 0
  const [own, ...rest] = names.slice(count)
  if (!parent || own === undefined) return names.map(textAt)
  const above = idsOf(state, parent.parent, names.slice(0, count), textAt)
  const documents = documentsOf(state, instanceName(parent, above))
  return [...above, idNamed(parent, own, textAt(own), documents), ...rest.map(textAt)]
}

/**
 * The id of the item that a part of the path means: `{idOrName}`, or a name where the ids are numbers or UUIDs and the path takes other
 * texts, as with `/databases/{database}`. A service that makes ids which are texts may make them from names, so these are tried too.
 */
export function idNamed(
  { identity, noun }: CollectionPlan,
  parameter: string,
  text: string,
  documents: Documents | undefined,
): string {
  if (documents === undefined || documents.get(text)) return text
  if (isOfPeople({ noun }) && isCallerWord(text)) return firstId(documents) ?? text
  const parts = namesIn(parameter).map((one) => one.toLowerCase())
  const [, member = ''] = plainName(parameter).split(plainName(noun), 2)
  const byName = isNoId(identity, text) || mayBeName(identity, text) ? NAMING : []
  // `{flowAlias}` of a flow with an id is its `alias`.
  const isMember = !/^$|id$/.test(member) && /^\/(id|uuid)$/.test(identity.pointer ?? '')
  const own = parts.length > 1 ? parts : isMember ? [member] : []
  const others = identity.pointer === '/id' ? OTHER_IDS : []
  const names = [...own, ...byName, ...others, ...(text.includes('@') ? ['email'] : [])]
  const [named] = names.flatMap((name) => idOfKey(documents, `/${encodePointer(name)}`, text) ?? [])
  return named ?? text
}

/** Whether a text that the path may have cannot be one of the ids. */
function isNoId({ type, fits }: ItemIdentity, text: string): boolean {
  return type !== 'text' && fits(text) && !(type === 'uuid' ? /^[\da-f-]{36}$/i : /^-?\d+$/).test(text)
}

/** Whether a text that is no known id may be a name: the service makes the ids, and the text does not look like a UUID or a hash. */
function mayBeName({ type, isChosen }: ItemIdentity, text: string): boolean {
  return type === 'text' && !isChosen && !/^[\da-f-]{32,36}$/i.test(text)
}

export function instanceOf(state: State, plan: OperationPlan, call: Call): Instance {
  const { collection, parents } = plan
  if (plan.isOfAll) return { name: collection.name, documents: documentsOfAll(state, collection) }
  const name = instanceName(collection, idsOf(state, collection.parent, parents, textIn(withOwner(state, plan, call))))
  return { name, documents: documentsOf(state, name) }
}

/** A request with the owner that its path leaves out, who is the caller: `/user/repos` beside `/repos/{owner}/{repo}`. */
export function withOwner<T extends Pick<Call, 'path' | 'header'>>(
  state: State,
  { accounts, isOfCaller, pathParameters, parents: [owner] }: OperationPlan,
  call: T,
): T {
  if (!isOfCaller || owner === undefined || pathParameters.includes(owner)) return call
  const named = callerName(call)
  const name = named === '' ? (firstAccount(state, accounts) ?? 'me') : named
  return { ...call, path: { ...call.path, [owner]: name } }
}

/** What the first account is called, rather than its number. */
function firstAccount(state: State, accounts: CollectionPlan | undefined): string | undefined {
  const documents = accounts && documentsOf(state, instanceName(accounts, []))
  const id = firstId(documents)
  const account = id === undefined || accounts?.identity.type === 'text' ? {} : (documents?.get(id)?.value ?? {})
  const name = account.login ?? account.username ?? account.name
  return typeof name === 'string' && isDocumentId(name) ? name : id
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

/** The id of the item whose member has a value. @throws NotReady if an index must be made first */
function idOfKey(documents: Documents | undefined, pointer: string, text: string): string | undefined {
  const oneOf: readonly Json[] = /^-?\d{1,15}$/.test(text) ? [text, Number(text)] : [text]
  const found = documents && selectNow(documents, { conditions: [{ pointer, oneOf }], order: [] })
  return found && found.count > 0 ? found.slice(0, 1)[0]?.id : undefined
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

/** `collections.unknown-parent` @throws Problem 404 */
function refuseUnknownParent(state: State, plan: OperationPlan, call: Call): void {
  const { parent } = plan
  if (!parent) return
  const { parameter, documents, id } = namedParent(state, plan, parent, call)
  // A parent such as `default` may exist from the start without being documented, and so may any that no operation creates.
  const mayBeGiven = parent.identity.isChosen || isNoId(parent.identity, id) || !parent.isCreated
  const isGiven = mayBeGiven && (documents?.made ?? 0) === 0
  if (isGiven || documents?.get(id) || isCaller(call, id)) return
  if (call.tracker.ask('collections.unknown-parent') === 'accept') return
  throw itemNotFound({
    detail: `There is no ${parent.noun} ${id}.`,
    violations: [refusal('collections.unknown-parent', { parameter }, idOfOne(parent.noun, documents), id)],
  })
}

/** The parent that the path names, and what it is looked for in. */
function namedParent(state: State, plan: OperationPlan, parent: CollectionPlan, call: Call) {
  const { ids, parameter } = parentNames(plan, parent)
  const documents = documentsOf(state, instanceName(parent, idsOf(state, parent.parent, ids, textIn(call))))
  return { parameter, documents, id: idNamed(parent, parameter, textIn(call)(parameter), documents) }
}

/** The hidden fact with the path of the parent that an item was created below, where no member names the parent. */
export const PARENT_FACT = 'parent'

/** What that fact says of an item: `issues/3`. @param ids of the parent and of its own parents, the outermost first */
export function parentPath(parent: CollectionPlan, ids: readonly string[]): string {
  return `${instanceName(parent, ids.slice(0, -1))}/${encodeURIComponent(ids.at(-1) ?? '')}`
}

/** Whether that fact says which items of a collection an operation is about. */
export function isParentHidden({ ownedBy }: OperationPlan): boolean {
  return ownedBy !== undefined && ownedBy.pointer === undefined
}

/** The fact of what a request creates or lists; undefined where items name their parent, or have none. */
export function parentFact(state: State, plan: OperationPlan, call: Call): string | undefined {
  const { parent } = plan
  if (!isParentHidden(plan) || !parent) return undefined
  const { ids } = parentNames(plan, parent)
  return parentPath(parent, [
    ...idsOf(state, parent.parent, ids, textIn(call)),
    namedParent(state, plan, parent, call).id,
  ])
}

/** The item that the path names as the parent; undefined where it is not known. */
export function parentItem(state: State, plan: OperationPlan, call: Call): Members | undefined {
  const named = plan.parent && namedParent(state, plan, plan.parent, call)
  return named?.documents?.get(named.id)?.value
}

/** Whether an id is that of the caller: clients send the id of their own account as the user name of HTTP Basic, and need not create it. */
export function isCaller(call: Pick<Call, 'header'>, id: string): boolean {
  return id !== '' && callerName(call) === id
}

/** The user name of HTTP Basic; empty for none. */
export function callerName(call: Pick<Call, 'header'>): string {
  const [, coded = ''] = /^Basic ([\w+/=]+)$/i.exec(call.header('authorization') ?? '') ?? []
  return Buffer.from(coded, 'base64').toString().split(':')[0] ?? ''
}

/** The path parameters with the ids of the parent's own parents, and with its own. */
function parentNames({ pathParameters: names }: OperationPlan, parent: CollectionPlan) {
  const count = parameterCount(parent)
  return { ids: names.slice(0, count), parameter: names[count] ?? '' }
}

/** What handlers of items have in common. @param needsItem whether the item of the path must exist, and not its parent alone */
export function itemHandler(
  plan: OperationPlan,
  needsItem = true,
): Pick<Handler, 'takesNothing' | 'prepare' | 'assertExists'> {
  const refuseUnknown = needsItem ? refuseUnknownItem : refuseUnknownParent
  return {
    takesNothing: true,
    prepare: (state, path, header) => prepareOwners(state, plan, { path, header }),
    assertExists: (state, call) => refuseUnknown(state, plan, call),
  }
}

/** Makes the first accounts before the rest, where the caller's account tells whose documents a request is about. */
function prepareOwners(
  state: State,
  plan: OperationPlan,
  { path, header }: { readonly path: Readonly<Record<string, string>>; readonly header: Call['header'] },
): Promise<void> | undefined {
  const own = () => prepareInstances(state, plan, withOwner(state, plan, { path, header }).path)
  const preparing = plan.accounts && prepareDocuments(state, instanceName(plan.accounts, []))
  return preparing ? preparing.then(own) : own()
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
  const { ids, parameter } = parentNames(plan, parent)
  const name = instanceName(parent, idsOf(state, parent.parent, ids, textAt))
  // Without a parent the response is 404, so no documents are made.
  const ofParent = () => {
    const documents = documentsOf(state, name)
    return documents?.get(idNamed(parent, parameter, textAt(parameter), documents)) ? own() : undefined
  }
  const preparing = prepareDocuments(state, name)
  return preparing ? preparing.then(ofParent) : ofParent()
}

interface Missed {
  readonly call: Call
  readonly instance: Instance
}

/** What is expected where an item is named, with the first of them. */
export function idOfOne(noun: string, documents: Documents | undefined): string {
  const first = firstId(documents)
  return `the id of ${withArticle(noun)}${first === undefined ? '' : `, such as ${first}`}`
}

/** The problem of an item that does not exist: it may have been removed before. */
export function notFound(plan: OperationPlan, missed: Missed, stored: string): Problem {
  const { collection, itemParameter = plan.parents.at(-1), role } = plan
  const { call, instance } = missed
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
