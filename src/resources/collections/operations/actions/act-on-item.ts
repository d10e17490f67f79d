import { isDeepStrictEqual } from 'node:util'
import { refusal } from '../../../../behaviours/refusal.ts'
import { transitionRefused } from '../../../../base/errors/resource-errors.ts'
import { operationRefused } from '../../../../base/errors/response-errors.ts'
import { readDocumented } from '../../../../contract/schemas/documented.ts'
import { valueAt, withValue } from '../../../../contract/pointer.ts'
import { memberAt, shapeOf } from '../../../../contract/schemas/shape.ts'
import { withArticle } from '../../../../base/errors/wording.ts'
import { encodePointer, isObject, type Members, splitPointer } from '../../../../base/formats/json.ts'
import type { Call, Outcome } from '../../../handler.ts'
import { isCopy, memberMeant, operatorOf } from '../../infer/actions.ts'
import { convertMembers } from '../../items/show.ts'
import { changedList, inList } from './change-element.ts'
import { isStamp } from '../../items/server-members.ts'
import { effectOfBody, wordOf } from '../../lifecycles/effect.ts'
import { merged, patched } from '../patch.ts'
import { readInput } from '../read-input.ts'
import { refuseUnknownReferences } from '../references.ts'
import { respond, refuseUnmet } from '../respond.ts'
import type { Item, OperationWork } from '../work.ts'
import { changeItem, createItem } from '../write.ts'
import { plainName } from '../../../../base/formats/names.ts'

/**
 * What the operation does is done to the stored item: the word in its path and the members of its body that are the item's.
 *
 * @throws Problem 501 for an operation that is not known to do anything, where `collections.unknown-action` says so
 */
export function actOnItem(own: OperationWork, item: Item): Outcome {
  const { plan, document } = own
  const { call, stored } = item
  const isSet = Object.keys(own.effect?.set ?? {}).length > 0
  const told = isSet ? undefined : effectOfBody(document, own.schema(), call.body)
  const work = told ? { ...own, effect: told } : own
  const { effect } = work
  refuseUnmet(work, call, stored)
  refuseRepeated(work, item)
  const read = plan.element ? changedList(work, item, plan.element) : readAction(work, call, stored.value).given
  // The word that says what is done is no member of the item.
  const given = told ? Object.fromEntries(Object.entries(read).filter(([name]) => !operatorOf([name]))) : read
  // `PATCH /deployments/{name}/scale` with a JSON Patch: what is below an item shows members of it, and changes them.
  if (plan.operation.method === 'PATCH' && Array.isArray(call.body) && !plan.element)
    return changeItem(work, item, () => patched(work, item, call.body as unknown[]))
  if (makesAnother(work) && plan.output.located)
    return createItem(work, item, { given: { ...copyOf(work, stored.value), ...readInput(work, call) } })
  if (Object.keys(given).length > 0) {
    refuseUnknownReferences(work, item, { given, before: stored.value })
    const cleared = effect?.cleared.filter((name) => !(name in given)) ?? []
    const isWhole = plan.operation.method === 'PUT' && plan.into !== ''
    return changeItem({ ...work, effect: effect && { ...effect, cleared } }, item, (before) =>
      isWhole ? withValue(before, plan.into, valueAt(given, plan.into)) : merged(work, item, given),
    )
  }
  if (effect) return changeItem(work, item, (before) => before)
  refuseUnknownAction(work, call)
  return respond(work, item, [])
}

/**
 * `collections.repeated-action`, for what no declared lifecycle decides.
 *
 * @throws Problem 409 for a POST that would only set what the item has, where the document has a 409 for it
 */
function refuseRepeated({ plan, document, effect, lifecycles }: OperationWork, { call, stored }: Item): void {
  const { operation, collection } = plan
  const set = Object.entries(effect?.set ?? {})
  const isDone = set.length > 0 && set.every(([name, value]) => isDeepStrictEqual(stored.value[name], value))
  const isDeclared = lifecycles.some(({ pointer }) => set.some(([name]) => pointer === `/${encodePointer(name)}`))
  if (!isDone || isDeclared || operation.method !== 'POST') return
  const { statuses } = readDocumented(document, operation)
  const setting = call.tracker.ask('collections.repeated-action')
  if (setting === 'accept' || (setting === 'as-documented' && !statuses.includes('409'))) return
  const [[name, value] = ['', undefined]] = set
  throw transitionRefused({
    detail: `The ${collection.noun} already has ${name}: ${String(value)}.`,
    violations: [
      refusal('collections.repeated-action', { pointer: `/${encodePointer(name)}` }, 'another value', value),
    ],
  })
}

/** `collections.unknown-action` @throws Problem 501 */
export function refuseUnknownAction({ plan: { operation, collection } }: OperationWork, { tracker }: Call): void {
  if (tracker.ask('collections.unknown-action') !== 'refuse') return
  throw operationRefused({
    detail: `${operation.method} ${operation.path}: it is not known what it does to ${withArticle(collection.noun)}. Say it with x-standin: { set: … }, or write a handler.`,
    behaviours: ['collections.unknown-action'],
  })
}

/** `/orders/{id}/duplicate`; or a 201 for a body with the name of a new item, as of a template: `/repos/{owner}/{repo}/generate`. */
function makesAnother({ plan, document }: OperationWork): boolean {
  const { operation, output, input, collection } = plan
  if (isCopy(wordOf(operation.path))) return true
  const { pointer, isChosen } = collection.identity
  const isNamed = pointer !== undefined && memberAt(document, input?.schema, splitPointer(pointer)) !== undefined
  return operation.method === 'POST' && output.status === 201 && isChosen && isNamed && !plan.element
}

/** What the client may write of an item, without its id and what the service sets. */
function copyOf({ plan: { collection } }: OperationWork, value: Members): Members {
  const [own] = splitPointer(collection.identity.pointer ?? '/id')
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== own && !isStamp(name)))
}

interface ActionInput {
  readonly given: Members
  /** The pointers of the members of the body that have no effect. */
  readonly ignored: readonly string[]
}

/** What the body of an action changes of an item. */
export function readAction(work: OperationWork, { body }: Pick<Call, 'body'>, before: Members): ActionInput {
  const { plan, document } = work
  const { schema } = plan.collection
  const held = valueAt(body, plan.input?.pointer ?? '')
  if (!isObject(held)) return { given: {}, ignored: [] }
  if (plan.into !== '') return { given: withValue({}, plan.into, held), ignored: [] }
  const { method, path } = plan.operation
  const word = wordOf(path)
  if (makesAnother(work)) return { given: {}, ignored: [] }
  const { properties } = shapeOf(document, schema, 'any')
  const [given, ignored] = [new Map<string, unknown>(), [] as string[]]
  for (const [name, sent] of Object.entries(held)) {
    const target = memberMeant(document, { word, method, schema }, name)
    const type = { properties: { value: properties.get(target ?? '') } }
    const shown = isObject(sent) || sent === null ? undefined : work.embedded().find((one) => one.name === target)
    const converted = shown ? { [shown.idName]: sent } : convertMembers(document, type, { value: sent }).value
    const value = target === undefined ? undefined : converted
    const isTold = target !== undefined && (typeof value !== 'number' || isSet(method, word, target))
    if (isTold && value !== undefined && !given.has(target))
      given.set(target, inList(method, word, { before: before[target], value }))
    else ignored.push(`${plan.input?.pointer ?? ''}/${encodePointer(name)}`)
  }
  return { given: Object.fromEntries(given), ignored }
}

/** Whether a number is what the member becomes. `/capture {"amount": 5}` and `/restock {"quantity": 5}` say how much is done. */
function isSet(method: string, word: string, member: string): boolean {
  const isSetting =
    /^(set|update|change|edit|patch|modify|assign|move|transfer|resize|rate|re?schedule|configure)/i.test(word)
  return method !== 'POST' || isSetting || plainName(member) === plainName(word) || /id$/i.test(member)
}
