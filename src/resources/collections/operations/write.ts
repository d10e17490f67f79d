import { completeObject } from '../../../values/complete-object.ts'
import { chanceKey } from '../../../engine/random.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import type { State } from '../../../engine/state.ts'
import { isObject } from '../../../formats/json.ts'
import { violation, type Violation } from '../../../errors/problem.ts'
import { itemExists } from '../../../errors/resource-errors.ts'
import { requestInvalid } from '../../../errors/request-errors.ts'
import { valueAt } from '../../../contract/pointer.ts'
import { asText, type Call, type Outcome } from '../../handler.ts'
import type { Members } from '../../request-body.ts'
import { storeDocument, type StoredDocument } from '../documents/stored-document.ts'
import { idOf } from '../infer/identity.ts'
import { plainName } from '../infer/names.ts'
import type { OperationPlan } from '../infer/plan.ts'
import { fitItem } from './fit-item.ts'
import type { Effect } from '../lifecycles/effect.ts'
import { factsAfter, type Lifecycle } from '../lifecycles/lifecycle.ts'
import { refuseTransitions } from '../lifecycles/refuse-transition.ts'
import { type Instance, instanceOf, itemId, SINGLETON } from './instance.ts'
import { idValue, nextId, readOnlyMembers, stampMembers, withValue } from './server-members.ts'
import { mergePatch } from './merge-patch.ts'
import { keepNamed, showItem, showWhole } from './show.ts'

/** What the handlers of one operation work with. */
export interface Work {
  readonly plan: OperationPlan
  /** The contract. */
  readonly document: unknown
  /** The operations that show items of the collection. */
  readonly views: readonly OperationPlan[]
  readonly lifecycles: readonly Lifecycle[]
  /** What the operation sets besides what the request says; undefined for nothing. */
  readonly effect: Effect | undefined
}

/** The item of a body: the members that the contract names, without those that only the service writes. */
export function readInput({ plan, document }: Work, { body }: Call): Members {
  const { input, collection } = plan
  const held = input && valueAt(body, input.pointer)
  return isObject(held) ? writable(document, { input: input?.schema, schema: collection.schema, value: held }) : {}
}

interface Writable {
  readonly input: unknown
  readonly schema: unknown
  readonly value: Members
}

function writable(document: unknown, { input, schema, value }: Writable): Members {
  const named = {
    ...(keepNamed(document, schema, value, 'request') as Members),
    ...(keepNamed(document, input, value, 'request') as Members),
  }
  const taken = shapeOf(document, input, 'any').properties
  const kept = [
    ...[...readOnlyMembers(document, schema)].filter((name) => !taken.has(name)),
    ...readOnlyMembers(document, input),
  ]
  return Object.fromEntries(Object.entries(named).filter(([name]) => !kept.includes(name)))
}

/** Decides the creation of one item. */
export function createItem(work: Work, state: State, call: Call, given = readInput(work, call)): Outcome {
  const { plan, document } = work
  const { collection, ownedBy } = plan
  const instance = instanceOf(state, plan, call)
  const chosen = collection.identity.isChosen ? idOf(collection.identity, given) : undefined
  if (chosen !== undefined && instance.documents?.get(chosen)) throw alreadyThere(work, chosen)
  const id =
    chosen ?? nextId(collection, document, { documents: instance.documents, instance: instance.name, seed: state.seed })
  const owned = ownedBy ? withValue(given, ownedBy.pointer, asMember(call.path[ownedBy.parameter])) : given
  const identified =
    collection.identity.pointer === undefined
      ? owned
      : withValue(owned, collection.identity.pointer, idValue(collection, id))
  const value = {
    ...withFirstStatuses(work, withDefaults(document, collection.schema, identified)),
    ...stampMembers(document, collection.schema, undefined, call.now),
  }
  const stored = storeItem(work, { id, value: withEffect(work, value), state, call, instance })
  return respond(work, { id, stored, state, call, instance }, [
    { type: 'document.created', collection: instance.name, id, document: stored },
  ])
}

function asMember(value: unknown): unknown {
  return typeof value === 'object' ? asText(value as never) : value
}

function alreadyThere({ plan: { collection } }: Work, id: string) {
  const pointer = collection.identity.pointer ?? ''
  return itemExists({
    detail: `There is a ${collection.noun} ${id} already.`,
    violations: [violation({ pointer }, 'collections', `an id that no ${collection.noun} has`, id)],
  })
}

/** With the defaults of the schema for members that were not sent. */
function withDefaults(document: unknown, schema: unknown, value: Members): Members {
  const defaults = [...shapeOf(document, schema, 'any').properties].flatMap(([name, member]): [string, unknown][] => {
    const { default: byDefault } = shapeOf(document, member).keywords
    return byDefault === undefined || name in value ? [] : [[name, byDefault]]
  })
  return { ...value, ...Object.fromEntries(defaults) }
}

/** A new item begins with the first status of its lifecycle, unless it has one. */
function withFirstStatuses({ lifecycles }: Work, value: Members): Members {
  return lifecycles.reduce(
    (item, { pointer, first }) => (valueAt(item, pointer) === undefined ? withValue(item, pointer, first) : item),
    value,
  )
}

function withEffect({ effect }: Work, value: Members): Members {
  return effect ? (mergePatch(value, effect.set) as Members) : value
}

interface NewItem {
  readonly id: string
  readonly value: Members
  readonly state: State
  readonly call: Call
  readonly instance: Instance
}

/** An item as it is stored, with all that its schema requires. */
function storeItem(
  { plan: { collection }, document, views, lifecycles }: Work,
  { id, value, state, call, instance }: NewItem,
): StoredDocument {
  const showing = { document, seed: state.seed, purpose: `${instance.name} ${id}`, now: call.now }
  const whole = fitItem(views, { ...value, ...showItem(collection.schema, value, showing) }, showing)
  const before = instance.documents?.get(id)
  return storeDocument(whole, factsAfter(lifecycles, { before, value: whole, now: call.now }))
}

interface ShownItem extends Omit<NewItem, 'value'> {
  readonly stored: StoredDocument
}

/** The response that shows an item. @throws Problem 400 when the item would break the contract */
export function respond(
  { plan, document }: Work,
  { id, stored, state, call, instance }: ShownItem,
  events: Outcome['events'],
): Outcome {
  const { output, operation } = plan
  const { status, located } = output
  if (!located) {
    const body = isWithoutBody(output.status, output.schema)
      ? ({ empty: true } as const)
      : { json: emptyBody(plan, document, { id, call }) }
    return {
      status,
      body,
      events,
      ...(plan.role === 'create' ? { headers: { Location: itemPath(plan, call, id) } } : {}),
    }
  }
  const showing = { document, seed: state.seed, purpose: `${instance.name} ${id}`, now: call.now }
  const json = showWhole(output, showItem(located.schema, stored.value, showing), showing)
  if (events.length > 0) refuseInvalid(operation.checkResponse(status, json), located.pointer)
  return { status, body: { json }, events }
}

/** Where a new item is, for a response that does not show it (RFC 9110, 15.3.2). */
function itemPath({ operation }: OperationPlan, { path }: Call, id: string): string {
  const filled = operation.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => encodeURIComponent(asText(path[name])))
  return `${operation.basePath}${filled.replace(/\/$/, '')}/${encodeURIComponent(id)}`
}

function isWithoutBody(status: number, schema: unknown): boolean {
  return status === 204 || status === 205 || schema === undefined
}

/** What members of an acknowledgement say. */
const DONE = new Map<string, unknown>([
  ['success', true],
  ['ok', true],
  ['deleted', true],
  ['message', 'OK'],
  ['status', 'success'],
])

/** A body that shows no item, such as `{"success": true}`. */
function emptyBody(
  { output, collection, operation }: OperationPlan,
  document: unknown,
  { id, call }: { readonly id: string; readonly call: Call },
): unknown {
  const { types, properties } = shapeOf(document, output.schema, 'any')
  const own = collection.identity.pointer?.split('/').at(-1) ?? 'id'
  const ids = ['id', plainName(own), `${plainName(collection.noun)}id`]
  const shown = [...properties.keys()].flatMap((name): [string, unknown][] => {
    const plain = plainName(name)
    const value = ids.includes(plain) ? idValue(collection, id) : DONE.get(plain)
    return value === undefined ? [] : [[name, value]]
  })
  const known = Object.fromEntries(shown)
  if (types.size > 0 && !types.has('object')) return null
  return completeObject(document, output.schema, known, {
    written: call.now,
    key: chanceKey(0, id),
    check: (made) => operation.checkResponse(output.status, made),
  })
}

/** An item that a response cannot show would break the contract later, so its write is refused. */
function refuseInvalid(violations: readonly Violation[], pointer: string): void {
  if (violations.length === 0) return
  throw requestInvalid(violations.map((one) => ({ ...one, pointer: one.pointer?.slice(pointer.length) ?? '' })))
}

/** Decides a change of the item that the path, or its body, names. */
export function changeItem(work: Work, state: State, call: Call, change: (before: Members) => Members): Outcome {
  const { plan, document } = work
  const { collection } = plan
  const instance = instanceOf(state, plan, call)
  const id = itemId(plan, call)
  const before = instance.documents?.get(id)?.value ?? {}
  const wanted = withEffect(work, change(before))
  refuseTransitions(work.lifecycles, { before, after: wanted, plan, document })
  const changed = { ...wanted, ...stampMembers(document, collection.schema, before, call.now) }
  const { pointer } = collection.identity
  const value =
    pointer === undefined || id === SINGLETON
      ? changed
      : withValue(changed, pointer, valueAt(before, pointer) ?? idValue(collection, id))
  const stored = storeItem(work, { id, value, state, call, instance })
  return respond(work, { id, stored, state, call, instance }, [
    { type: 'document.updated', collection: instance.name, id, document: stored },
  ])
}
