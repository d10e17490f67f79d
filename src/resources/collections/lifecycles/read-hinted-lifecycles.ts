import type { Contract, Operation } from '../../../contract/contract.ts'
import { valueAt } from '../../../contract/pointer.ts'
import { memberAt, shapeOf } from '../../../contract/schemas/shape.ts'
import { encodePointer, isObject, type Json, textOrJson } from '../../../base/formats/json.ts'
import { shown, StartupError } from '../../../base/errors/problem.ts'
import { didYouMean, withArticle } from '../../../base/errors/wording.ts'
import { hintedRole, hintOfOperation } from '../infer/hints.ts'
import { membersOfId } from '../items/derived-id.ts'
import type { CollectionPlan, Inference, OperationPlan, Role } from '../infer/plan.ts'
import { parameterCount } from '../infer/routes.ts'
import type { Lifecycle } from './lifecycle.ts'
import { type Complain, readTransitions } from './read-transitions.ts'
import { valuesOf } from './status-words.ts'

/** How the statuses of the items of each collection may change. */
export type Lifecycles = ReadonlyMap<CollectionPlan, readonly Lifecycle[]>

interface LifecycleParts extends Pick<Contract, 'document' | 'placeOf' | 'operations'> {
  readonly inference: Inference
}

const OF_PATHS = ['collection', 'id', 'parent', 'ignore', 'transitions']
const OF_OPERATIONS = ['id', 'role', 'set', 'stubs', 'unique', 'validation']

/**
 * Reads the lifecycles that `x-standin` of path items declares, and checks all else that `x-standin` says.
 *
 * @throws StartupError with everything that is wrong
 */
export function readHintedLifecycles(
  { document, placeOf, operations }: Omit<LifecycleParts, 'inference'>,
  inference: Inference,
): Lifecycles {
  const complaints: string[] = []
  const complainAt = (at: string) => (pointer: string, complaint: string) => {
    const place = `${at}/x-standin${pointer}`
    complaints.push(`${placeOf(place)}: ${place}: ${complaint}`)
  }
  const found = new Map<CollectionPlan, readonly Lifecycle[]>()
  for (const [pointer, operation] of firstOperations(operations)) {
    const hint = hintAt(document, pointer)
    if (hint === undefined) continue
    const complain = complainAt(pointer)
    const plan = [...inference.operations.values()].find(({ operation }) => operation.pointer.startsWith(`${pointer}/`))
    const lifecycles = readHint(hint, { document, inference, plan, complain, path: operation.path })
    if (plan && lifecycles.length > 0)
      found.set(plan.collection, [...(found.get(plan.collection) ?? []), ...lifecycles])
  }
  for (const operation of operations)
    checkOperation(operation, {
      document,
      plan: inference.operations.get(operation),
      reason: inference.reasons.get(operation),
      complain: complainAt(operation.pointer),
    })
  if (complaints.length > 0) throw new StartupError(complaints)
  return found
}

/** The pointers of path items, each with one of its operations. */
function firstOperations(operations: readonly Operation[]): Map<string, Operation> {
  return new Map(operations.map((one) => [one.pointer.slice(0, one.pointer.lastIndexOf('/')), one]))
}

function hintAt(document: unknown, pointer: string): unknown {
  const pathItem = valueAt(document, pointer)
  return isObject(pathItem) ? pathItem['x-standin'] : undefined
}

interface HintParts {
  readonly document: Contract['document']
  readonly inference: Inference
  readonly plan: OperationPlan | undefined
  readonly complain: Complain
  readonly path: string
}

function readHint(hint: unknown, { document, inference, plan, complain, path }: HintParts): Lifecycle[] {
  if (!isObject(hint)) {
    complain('', `it is ${shown(hint)}. Of a path it is an object that may have ${OF_PATHS.join(', ')}.`)
    return []
  }
  refuseUnknownMembers(hint, OF_PATHS, complain)
  const { collection, id, parent, ignore, transitions } = hint
  if (ignore !== undefined && typeof ignore !== 'boolean')
    complain('/ignore', `it is ${shown(ignore)}. Write true or false.`)
  if (collection !== undefined && !isName(collection))
    complain('/collection', `it is ${shown(collection)}. Name a collection by letters, digits and -._~.`)
  const names = inference.collections.map(({ name }) => name)
  if (parent !== undefined && parent !== null && !names.includes(parent as string))
    complain(
      '/parent',
      `there is no collection ${shown(parent)}. It may be one of ${names.join(', ')}, or null.${didYouMean(parent, names)}`,
    )
  if (ignore === true || [collection, id, parent, transitions].every((one) => one === undefined)) return []
  if (!plan) {
    complain('', `no collection was found at ${path}. Put it on the path of a collection, or of its items.`)
    return []
  }
  if (plan.role === 'action')
    for (const [name, value] of Object.entries({ collection, id, parent }))
      if (value !== undefined)
        complain(`/${name}`, 'it has no effect below an item. Put it on the path of the collection, or of its items.')
  checkPlace(collection, parent, { plan, inference, complain })
  if (id !== undefined) checkId(id, { document, plan, complain })
  if (transitions === undefined) return []
  const inside: Complain = (pointer, complaint) => complain(`/transitions${pointer}`, complaint)
  return readTransitions(transitions, plan.collection, { document, complain: inside })
}

interface Placed extends Omit<HintContext, 'document'> {
  readonly inference: Inference
}

/** Names must be unique, and the path of a nested collection must contain the id of its parent. */
function checkPlace(name: unknown, parent: unknown, { plan, inference: { collections }, complain }: Placed): void {
  const { collection, pathParameters, itemParameter } = plan
  const other = collections.find((one) => one.name === name && one !== collection)
  if (other)
    complain('/collection', `the collection of /${other.path} is called ${other.name} too. Choose another name.`)
  const found = collections.find((one) => one.name === parent)
  const ids = itemParameter === undefined ? pathParameters.length : pathParameters.indexOf(itemParameter)
  if (found && ids <= parameterCount(found))
    complain('/parent', `the path of its collection has no id of ${withArticle(found.noun)}. Remove it, or write null.`)
}

function isName(name: unknown): boolean {
  return typeof name === 'string' && /^[\w.~-]{1,100}$/.test(name)
}

interface HintContext {
  readonly document: Contract['document']
  readonly plan: OperationPlan
  readonly complain: Complain
}

function checkId(id: unknown, { document, plan: { collection }, complain }: HintContext): void {
  const names = [...shapeOf(document, collection.schema, 'any').properties.keys()]
  if (typeof id === 'string' && names.includes(id)) return
  complain(
    '/id',
    `${withArticle(collection.noun)} has no member ${shown(id)}. It has ${names.join(', ')}.${didYouMean(id, names)}`,
  )
}

interface CheckedOperation extends Omit<HintContext, 'plan'> {
  readonly plan: OperationPlan | undefined
  /** Why the operation was not inferred. */
  readonly reason: string | undefined
}

function checkOperation(operation: Operation, { document, plan, reason, complain }: CheckedOperation): void {
  const hint = hintOfOperation(operation)
  refuseUnknownMembers(hint, OF_OPERATIONS, complain)
  const role = hintedRole(operation)
  const misfit = role && (plan ? misfitOf(plan) : (reason ?? 'it is of no collection'))
  if (misfit !== undefined) complain('', `${operation.method} ${operation.path} cannot be ${role}: ${misfit}.`)
  const { id, set, unique, validation } = hint
  if (validation !== undefined && validation !== 'warn' && validation !== 'refuse')
    complain('/validation', `it is ${shown(validation)}. Write refuse or warn.`)
  if (unique !== undefined) checkUnique(unique, { document, plan, complain })
  if (id !== undefined) checkDerivedId(id, { document, plan, complain })
  if (set === undefined) return
  if (!isObject(set)) {
    complain('/set', `it is ${shown(set)}. Write the members that it sets: set: { status: cancelled }.`)
    return
  }
  if (!plan) {
    complain('/set', `${operation.method} ${operation.path} is not an operation on an item of a collection.`)
    return
  }
  for (const [name, value] of Object.entries(set)) checkSet(name, value as Json, { document, plan, complain })
}

type CreationContext = Omit<HintContext, 'plan'> & { readonly plan: OperationPlan | undefined }

function checkDerivedId(id: unknown, { document, plan, complain }: CreationContext): void {
  const members = typeof id === 'string' ? membersOfId(id) : []
  if (members.length === 0)
    return complain('/id', `it is ${shown(id)}. Write what new ids are made of, with members in braces: id: '{name}'.`)
  if (plan?.role !== 'create')
    return complain('/id', 'it has no effect here. Put it on the operation that creates the items of a collection.')
  const names = [...shapeOf(document, plan.input?.schema, 'any').properties.keys()]
  for (const name of members)
    if (names.length > 0 && !names.includes(name))
      complain('/id', `the body of ${plan.operation.operationId} has no member \`${name}\`.${didYouMean(name, names)}`)
}

function checkUnique(unique: unknown, { document, plan, complain }: CreationContext): void {
  if (!Array.isArray(unique) || !unique.every((one) => [one].flat().every((name) => typeof name === 'string')))
    return complain(
      '/unique',
      `it is ${shown(unique)}. Write members that tell items apart: unique: [code, [owner, title]].`,
    )
  if (plan?.role !== 'create')
    return complain('/unique', 'it has no effect here. Put it on the operation that creates the items of a collection.')
  const names = [...shapeOf(document, plan.collection.schema, 'any').properties.keys()]
  for (const name of unique.flat() as string[])
    if (names.length > 0 && !names.includes(name))
      complain('/unique', `${withArticle(plan.collection.noun)} has no member \`${name}\`.${didYouMean(name, names)}`)
}

function checkSet(name: string, value: Json, { document, plan: { collection }, complain }: HintContext): void {
  const at = `/set/${encodePointer(name)}`
  const member = memberAt(document, collection.schema, [name])
  const names = [...shapeOf(document, collection.schema, 'any').properties.keys()]
  if (member === undefined) {
    complain(at, `${withArticle(collection.noun)} has no member \`${name}\`.${didYouMean(name, names)}`)
    return
  }
  const values = valuesOf(document, member)
  if (values.length === 0 || value === null || values.includes(value)) return
  const words = values.map((one) => textOrJson(one))
  complain(at, `${shown(value)} is not one of ${words.join(', ')}.${didYouMean(value, words)}`)
}

function refuseUnknownMembers(
  hint: Readonly<Record<string, unknown>>,
  known: readonly string[],
  complain: Complain,
): void {
  for (const name of Object.keys(hint))
    if (!known.includes(name))
      complain(
        `/${encodePointer(name)}`,
        `\`${name}\` is not known. It may have ${known.join(', ')}.${didYouMean(name, known)}`,
      )
}

/** The roles that each method may have; a POST may have any. */
const ROLES_OF: Readonly<Record<string, readonly Role[]>> = {
  GET: ['list', 'search', 'read', 'exists'],
  HEAD: ['read', 'exists'],
  DELETE: ['delete', 'action', 'bulk'],
}

/** Why an operation cannot have the role that `x-standin` names, as the end of a sentence; undefined where it can. */
function misfitOf({ operation, role, collection, itemParameter, output }: OperationPlan): string | undefined {
  const { method } = operation
  const { noun, isSingleton } = collection
  const roles = ROLES_OF[method]
  if (roles && !roles.includes(role)) return `${withArticle(method)} may be ${roles.join(', ')}`
  if ((role === 'list' || role === 'search') && output.located?.isList !== true)
    return `its response has no list of items like ${withArticle(noun)}`
  const isRead = role === 'read' || role === 'exists'
  if (isRead && method !== 'POST' && itemParameter === undefined && !isSingleton)
    return `its path has no id of ${withArticle(noun)}`
  return undefined
}
