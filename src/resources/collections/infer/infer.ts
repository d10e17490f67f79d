import type { Contract, Operation, Parameter } from '../../../contract/contract.ts'
import { isNumeric, shapeOf as documentShape } from '../../../contract/schemas/shape.ts'
import type { DraftOperation } from './draft-operation.ts'
import { type Draft, isAlone, parentsOf } from './draft.ts'
import { findDrafts } from './drafts.ts'
import { findIdentity } from './identity.ts'
import type { CollectionPlan, Inference, OperationPlan, Role } from './plan.ts'
import {
  parameterCount,
  parameterOf,
  parametersOf,
  readRoutes,
  type PathItem,
  type Routes,
  segmentsOf,
  shapeOf,
} from './routes.ts'
import { partOf } from './match-item.ts'
import { describedBy, findOwner, listedOfAll, type Owner } from './owner.ts'
import { isOfPeople } from './people.ts'
import { withRpcMethods } from '../rpc/rpc-methods.ts'
import { whyUnreachable, withoutIds } from './reasons/unreachable.ts'

/** Finds the collections that a contract is about, and what its operations do with them, from the document alone. */
export function inferCollections({ document, ...contract }: Pick<Contract, 'document' | 'operations'>): Inference {
  const operations = withRpcMethods(document, contract.operations)
  const routes = readRoutes(operations)
  const { drafts, reasons: others } = findDrafts(document, routes)
  const reasons = new Map(operations.map((one): [Operation, string] => [one, others.get(one) ?? SAME_PATH]))
  const prefix = commonPrefix([...drafts.values()])
  const plans = new Map<Draft, CollectionPlan>()
  const found = new Map<Operation, OperationPlan>()
  const kept = new Set<CollectionPlan>()
  const spread = new Map([...drafts.values()].map((draft) => [draft, listedOfAll(document, draft, drafts)] as const))
  for (const draft of inOrder(drafts, (one) => spread.get(one) !== undefined)) {
    const all = plans.get(spread.get(draft) ?? draft)
    if (all) {
      for (const one of draft.operations) {
        const plan = operationPlan(document, one, { own: all, owner: undefined, accounts: undefined })
        found.set(one.operation, { ...plan, parent: undefined, isOfAll: true })
      }
      continue
    }
    const described = describedBy(document, draft, drafts)
    const own = planOf(document, described, { routes, prefix, parent: parentOf(draft, drafts, plans) })
    const owner = findOwner(document, draft, own, plans)
    const collection = owner?.collection ?? own
    const why = whyUnreachable(document, draft, collection.identity)
    const usable = why === undefined ? draft.operations : withoutIds(draft)
    // Collections below items with unknown ids cannot be reached.
    if (why === undefined && (draft.item ?? own.identity.pointer) !== undefined) plans.set(draft, own)
    if (usable.length > 0) kept.add(collection)
    for (const one of draft.operations) {
      if (usable.includes(one))
        found.set(one.operation, operationPlan(document, one, { own, owner, accounts: accountsIn(kept) }))
      else reasons.set(one.operation, why ?? '')
    }
  }
  for (const [operation, plan] of found)
    if (plan.role === 'create' && !plan.parent)
      found.set(operation, { ...plan, parent: madeBelow(operation, drafts, plans) })
  for (const operation of found.keys()) reasons.delete(operation)
  return { collections: [...kept], operations: asWritten(found), reasons: asWritten(reasons) }
}

/** The collection whose item the path of a creation names, as `/flows/{id}/start` names a flow. That item must exist. */
function madeBelow(
  operation: Operation,
  drafts: ReadonlyMap<string, Draft>,
  plans: ReadonlyMap<Draft, CollectionPlan>,
) {
  const segments = segmentsOf(operation)
  const at = segments.findLastIndex((one) => parameterOf(one) !== undefined)
  const above = at > 0 && at < segments.length - 1 ? drafts.get(shapeOf(segments.slice(0, at))) : undefined
  return above && !above.isSingleton ? plans.get(above) : undefined
}

/** By the operations of the document. */
function asWritten<Said>(said: ReadonlyMap<Operation, Said>): ReadonlyMap<Operation, Said> {
  return new Map([...said].map(([operation, one]) => [operation.written ?? operation, one]))
}

/** For operations whose method and path another operation has. */
const SAME_PATH = 'another operation has the same method and path; only its query or headers differ'

/** Parents come first: their paths are shorter, or `x-standin` names them. A word is found before a parameter in its place. */
function inOrder(drafts: ReadonlyMap<string, Draft>, isLast: (draft: Draft) => boolean): Draft[] {
  const isNamed = ({ hints }: Draft) => Number(typeof hints.parent === 'string')
  const keys = ({ segments }: Draft) => parametersOf(segments).length
  return [...drafts.values()].sort(
    (a, b) =>
      Number(isLast(a)) - Number(isLast(b)) ||
      isNamed(a) - isNamed(b) ||
      a.segments.length - b.segments.length ||
      keys(a) - keys(b),
  )
}

function parentOf(
  draft: Draft,
  drafts: ReadonlyMap<string, Draft>,
  plans: ReadonlyMap<Draft, CollectionPlan>,
): CollectionPlan | undefined {
  const { parent } = draft.hints
  if (parent === null) return undefined
  if (parent !== undefined) return [...plans.values()].find(({ name }) => name === parent)
  return plans.get(parentsOf(draft, drafts)[0] ?? draft)
}

interface OperationPlaces {
  readonly own: CollectionPlan
  readonly owner: Owner | undefined
  readonly accounts: CollectionPlan | undefined
}

/** The accounts of all users, if there are any. */
function accountsIn(collections: ReadonlySet<CollectionPlan>): CollectionPlan | undefined {
  return [...collections].find((one) => isOfPeople(one) && !one.isSingleton && parameterCount(one) === 0)
}

function operationPlan(
  document: unknown,
  { operation, role, input, output, reason, key, selects, element, isOfCaller = false }: DraftOperation,
  { own, owner, accounts }: OperationPlaces,
): OperationPlan {
  const segments = segmentsOf(operation)
  const names = parametersOf(segments)
  const count = parameterCount(own)
  const collection = owner?.collection ?? own
  const ofOwner = isOfCaller && names.length < count
  const owned = owner && { pointer: owner.pointer, parameter: names[count - 1] ?? '' }
  return {
    operation,
    role,
    collection,
    parent: own.parent,
    pathParameters: names,
    parents: ofOwner ? parametersOf(collection.path.split('/')) : names.slice(0, parameterCount(collection)),
    itemParameter: selects === undefined ? names[count] : undefined,
    keyedBy: key,
    element,
    isOfCaller,
    accounts: ofOwner ? accounts : undefined,
    ownedBy: typeof selects === 'string' ? { pointer: selects, parameter: names.at(-1) ?? '' } : owned,
    input,
    into:
      input && !element
        ? partOf(document, collection.schema, input, role === 'action' ? segments.at(-1) : undefined)
        : '',
    output,
    reason,
  }
}

/** Roles of operations that can create items. */
const CREATES = new Set<Role>(['create', 'create-many', 'replace', 'bulk'])

interface PlanParts {
  readonly routes: Routes
  readonly prefix: readonly string[]
  readonly parent: CollectionPlan | undefined
}

function planOf(document: unknown, draft: Draft, { routes, prefix, parent }: PlanParts): CollectionPlan {
  const { segments, noun, schema, isSingleton, input, hints, operations } = draft
  const shown = operations.flatMap(({ output }) => output.located?.schema ?? [])
  const parameter = isSingleton ? undefined : idParameter(document, draft, routes)
  const listed = operations.find(({ role }) => role === 'list')?.output.located?.schema
  const identity = findIdentity({
    document,
    schemas: [schema, ...shown],
    listed,
    noun,
    parameter,
    input,
    isOwned: parameterOf(segments.at(-1)) !== undefined,
    named: hints.id,
    operations: operations.map(({ operation }) => operation.pointer),
  })
  const begins = prefix.every((segment, at) => segment === segments[at])
  const path = segments.slice(begins ? prefix.length : 0).join('/')
  const isCreated = input !== undefined || operations.some(({ role }) => CREATES.has(role))
  return { name: hints.collection ?? path, path, noun, isSingleton, isCreated, parent, identity, schema }
}

/**
 * The path parameter for the id of an item: that of its own path, with the type that a path below it takes where that is a number. For a
 * list alone, that of a path below its items.
 */
function idParameter(document: unknown, draft: Draft, routes: Routes): Parameter | undefined {
  const { segments, item } = draft
  const at = segments.length
  const parameterAt = (route: PathItem | undefined) => {
    const operation = route?.methods.get('GET') ?? route?.methods.values().next().value
    const name = operation && parameterOf(segmentsOf(operation)[at])
    return operation?.parameters.find((one) => one.in === 'path' && one.name === name)
  }
  const shape = `${shapeOf(segments)}/{}/`
  const below = [...routes].flatMap(([key, route]) => (key.startsWith(shape) ? (parameterAt(route) ?? []) : []))
  const own = isAlone(draft) ? below[0] : parameterAt(item)
  const narrow = below.find(({ schema }) => isNumeric(documentShape(document, schema)))
  const isOpen =
    own === undefined || Object.keys(documentShape(document, own.schema).keywords).every((one) => one === 'type')
  return narrow && isOpen && !isNumeric(documentShape(document, own?.schema))
    ? { ...narrow, name: (own ?? narrow).name }
    : own
}

/** The segments that all paths begin with, such as `api/v1`; the last segment of a path is its own. Lists alone may be elsewhere. */
function commonPrefix(drafts: readonly Draft[]): readonly string[] {
  const others = drafts.filter((draft) => !isAlone(draft))
  const paths = (others.length > 0 ? others : drafts).map(({ segments }) =>
    segments.slice(
      0,
      segments.findLastIndex((one) => parameterOf(one) === undefined),
    ),
  )
  const [first = []] = paths
  const end = first.findIndex(
    (segment, at) => parameterOf(segment) !== undefined || paths.some((path) => path[at] !== segment),
  )
  return end < 0 ? first : first.slice(0, end)
}
