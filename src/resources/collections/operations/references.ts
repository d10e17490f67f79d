import type { CollectionPlan, OperationPlan, Plans } from '../infer/plan.ts'
import { refusal } from '../../../behaviours/refusal.ts'
import { valueAt } from '../../../contract/pointer.ts'
import { readDocumented } from '../../../contract/schemas/documented.ts'
import { allows, type Shape, shapeOf } from '../../../contract/schemas/shape.ts'
import type { Violation } from '../../../base/errors/problem.ts'
import { itemNotFound } from '../../../base/errors/resource-errors.ts'
import { requestInvalid } from '../../../base/errors/request-errors.ts'
import { asObject, encodePointer, isObject, type Members, splitPointer } from '../../../base/formats/json.ts'
import type { DocumentContext } from '../../../values/consistency/level.ts'
import { takenFrom } from '../../../values/consistency/links.ts'
import { schemaAt } from '../../../values/fit-object.ts'
import { documentsOf, hasDocument, requireDocuments } from '../collection-state.ts'
import { nounsOfPath } from '../seeds/instance-place.ts'
import { instanceName } from './instance-name.ts'
import { idOfOne } from './parent.ts'
import { exampleKey } from './example-ids.ts'
import type { ItemRequest, OperationWork } from './work.ts'
import { plainName } from '../../../base/formats/names.ts'

interface NamedMember {
  /** `customerid` */
  readonly name: string
  /** Where the body and the item document it. */
  readonly schemas: readonly unknown[]
}

/** A member of a request that may name an item. */
interface ReferringMember extends NamedMember {
  readonly pointer: string
}

/**
 * Refuses ids of items that do not exist, in the members that a request has. Only where it is sure which items a member names, and not
 * the ids that the contract itself gives as examples, nor those that the item has already.
 *
 * @param before the item as it is; undefined for a new one
 * @throws Problem 404, or 422, where that is documented for it, else 400
 */
export function refuseUnknownReferences(
  work: OperationWork,
  { state, call }: ItemRequest,
  { given, before }: { readonly given: Members; readonly before: Members | undefined },
): void {
  const { plan, document } = work
  const found: Violation[] = []
  const nouns: string[] = []
  const schemas = [plan.input?.schema, plan.collection.schema]
  const value = { ...before, ...given }
  for (const [member, id] of idsIn(document, { schemas, value: given, pointer: '' })) {
    const { name, pointer } = member
    const target =
      pointer === plan.collection.identity.pointer
        ? undefined
        : (targetOf(work, member, 'anywhere') ?? shownAs(work, name))
    // An item names others of its kind as its parent, and itself by the id that it is to have.
    const place = target && target !== plan.collection ? placeOf(work, target, { call, value }) : undefined
    // Nothing is known of the items of a list alone but that it shows some.
    const isKnown = work.operations.some(({ collection, role }) => collection === target && role !== 'list')
    if (!target || place === undefined || !isKnown || !isIdFor(target, id) || hasDocument(state, place, String(id)))
      continue
    // What no operation creates, such as the schemas that a service is configured with, may be there without being known.
    if (!target.isCreated && (documentsOf(state, place)?.made ?? 0) === 0) continue
    const wasRemoved = state.collections.get(place)?.wasRemoved(String(id)) === true
    const isExample = !wasRemoved && work.exampleIds().has(exampleKey(name, id))
    if (isExample || valueAt(before, pointer) === id) continue
    if (call.tracker.ask('collections.reference') === 'accept') continue
    requireDocuments(state, place)
    const expected = idOfOne(target.noun, documentsOf(state, place))
    nouns.push(target.noun)
    found.push(refusal('collections.reference', { pointer: inBody(plan, pointer) }, expected, id))
  }
  const [missing] = nouns
  if (missing === undefined) return
  const { statuses, described } = readDocumented(document, plan.operation)
  // Without an id in the path, a 404 can only mean what the body names.
  const isAbout = !plan.operation.path.includes('{') || plainName(described(404)).includes(plainName(missing))
  if (statuses.includes('404') && isAbout)
    throw itemNotFound({ detail: `There is no such ${missing}.`, violations: found })
  throw requestInvalid(found, statuses.includes('422') ? { status: 422 } : {})
}

/** `assignee_id` names what the item shows as its `assignee`. */
function shownAs({ embedded }: OperationWork, name: string): CollectionPlan | undefined {
  const shown = embedded().find((one) => `${plainName(one.name)}id` === name)?.target
  return shown?.isSingleton ? undefined : shown
}

/** A pointer in the item as one in the body. */
function inBody({ input, into }: OperationPlan, pointer: string): string {
  return `${input?.pointer ?? ''}${pointer.startsWith(`${into}/`) ? pointer.slice(into.length) : pointer}`
}

interface SentMember {
  readonly schemas: readonly unknown[]
  readonly value: unknown
  readonly pointer: string
}

/** The values of the documented members that may be ids: `customer_id`, each of `customer_ids`, and `id` of `{"customer": {"id": 3}}`. */
function* idsIn(
  document: unknown,
  { schemas, value, pointer }: SentMember,
): Generator<readonly [ReferringMember, unknown]> {
  const shapes = schemas.map((schema) => shapeOf(document, schema, 'any'))
  if (Array.isArray(value)) {
    const items = shapes.flatMap((shape) => shape.items ?? [])
    for (const [index, one] of value.entries())
      yield* idsIn(document, { schemas: items, value: one, pointer: `${pointer}/${index}` })
    return
  }
  if (!isObject(value)) return
  for (const [name, inner] of Object.entries(value)) {
    const own = shapes.flatMap(({ properties }) => properties.get(name) ?? [])
    const member = { name: plainName(name), schemas: own, pointer: `${pointer}/${encodePointer(name)}` }
    if (own.length === 0) continue
    const inside = own.map((schema) => shapeOf(document, schema, 'any'))
    if (Array.isArray(inner) && member.name.endsWith('ids')) {
      const each = { name: member.name.slice(0, -1), schemas: inside.flatMap(({ items }) => items ?? []) }
      for (const [index, id] of inner.entries()) yield [{ ...each, pointer: `${member.pointer}/${index}` }, id]
    } else if (isObject(inner) && Object.keys(inner).length === 1 && 'id' in inner) {
      const ids = inside.flatMap(({ properties }) => properties.get('id') ?? [])
      yield [{ name: `${member.name}id`, schemas: ids, pointer: `${member.pointer}/id` }, inner.id]
    } else if (member.name.endsWith('id')) yield [member, inner]
    else yield* idsIn(document, { schemas: own, value: inner, pointer: member.pointer })
  }
}

/**
 * The collection whose items a member names: the only one of that name whose ids are documented as the member is.
 *
 * @param where items below others are known by more than one id, and so only what has those ids can name them
 */
function targetOf(
  { collections, document }: Plans,
  { name, schemas }: NamedMember,
  where: 'top' | 'anywhere' = 'top',
): CollectionPlan | undefined {
  const [target, ...others] = collections.filter(
    ({ noun, isSingleton }) => !isSingleton && `${plainName(noun)}id` === name,
  )
  if (!target || others.length > 0 || (where === 'top' && target.path.includes('{'))) return undefined
  const { pointer = '', schema, type } = target.identity
  // Items that are identified by a name may be referred to by a different id.
  if (!/^\/[^/]*id$/i.test(pointer)) return undefined
  const own = shapeOf(document, schema)
  const isAlike = (member: unknown): boolean => {
    const { types, keywords } = shapeOf(document, member)
    if (type === 'integer') return types.has('integer') || types.has('number')
    return types.has('string') && keywords.format === own.keywords.format && keywords.pattern === own.keywords.pattern
  }
  return schemas.length > 0 && schemas.every(isAlike) ? target : undefined
}

/** What says where items are that a value names: the value itself, and the path of the request. */
interface NamingValue {
  readonly call: Pick<ItemRequest['call'], 'path'>
  readonly value: Members
}

/**
 * The instance whose items a value names: `events/7/ticket-types` for the `ticket_type_id` of a booking whose `event_id` is 7, or that is
 * below that event. Undefined where the parents are not known.
 */
function placeOf({ plan }: OperationWork, target: CollectionPlan, { call, value }: NamingValue): string | undefined {
  const nouns = nounsOfPath(target)
  if (nouns.length === 0) return target.name
  const above = new Map(nounsOfPath(plan.collection).map((noun, at) => [noun, call.path[plan.parents[at] ?? '']]))
  const members = new Map(Object.entries(value).map(([name, held]) => [plainName(name), held]))
  const ids = nouns.flatMap((noun) => {
    const id = above.get(noun) ?? members.get(`${noun}id`)
    return typeof id === 'string' || typeof id === 'number' ? [String(id)] : []
  })
  return ids.length === nouns.length ? instanceName(target, ids) : undefined
}

/** Deeper members are not read, because schemas may be recursive. */
const MAX_DEPTH = 4

/** A member of items that names an item of a collection. */
interface ItemReference {
  /** As a JSON pointer, with `*` for each element of a list. */
  readonly pointer: string
  readonly target: CollectionPlan
}

/** The members of a schema that name items of collections. */
export function* referencesOf(contract: Plans, schema: unknown, pointer = '', depth = 0): Generator<ItemReference> {
  const { properties, items } = shapeOf(contract.document, schema, 'any')
  if (depth > MAX_DEPTH) return
  if (items !== undefined) yield* referencesOf(contract, items, `${pointer}/*`, depth + 1)
  for (const [name, inner] of properties) {
    const at = `${pointer}/${encodePointer(name)}`
    const plain = plainName(name)
    const each = shapeOf(contract.document, inner, 'any').items
    const [noun, own, where] =
      plain.endsWith('ids') && each !== undefined ? [plain.slice(0, -1), each, `${at}/*`] : [plain, inner, at]
    const target = noun.endsWith('id') ? targetOf(contract, { name: noun, schemas: [own] }) : undefined
    if (target) yield { pointer: where, target }
    else yield* referencesOf(contract, inner, at, depth + 1)
  }
}

/** Whether a value can be an id. */
function isIdFor({ identity: { type } }: CollectionPlan, id: unknown): boolean {
  if (typeof id !== 'string' && typeof id !== 'number' && typeof id !== 'bigint') return false
  return type !== 'integer' || /^-?\d+$/.test(String(id))
}

type Referring = Pick<ItemRequest, 'state' | 'call'>

/**
 * An item with what a request leaves open and the items tell that it refers to: `unitPrice` and `productName` beside `productId`.
 *
 * @throws NotReady where many of those items are to be made first
 */
export function withReferred(work: OperationWork, { state, call }: Referring, value: Members): Members {
  const { document, plan } = work
  const named = { state, call, value }
  const fill = (schema: unknown, held: unknown, holder?: string): unknown => {
    const { properties, items } = shapeOf(document, schema, 'any')
    if (Array.isArray(held)) return held.map((one) => fill(items, one))
    if (!isObject(held)) return held
    const own = Object.entries(held).map(([name, inner]) => [name, fill(properties.get(name), inner, name)] as const)
    const open = [...properties].filter(([name]) => !Object.hasOwn(held, name))
    const told = Object.entries(held).flatMap(([name, id]) => {
      // In `product: { id }` the id is that of a product.
      const isInside = holder !== undefined && name === 'id'
      const plain = plainName(isInside ? `${holder}id` : name)
      if (!properties.has(name) || open.length === 0) return []
      const referred = itemNamed(work, named, { name: plain, schemas: [properties.get(name)], id })
      const taking = takenFrom(referred, isInside ? '' : plain.slice(0, -2))
      return open.flatMap(([other, schema]): [string, unknown][] => {
        const taken = taking(plainName(other))
        return taken !== undefined && mayBe(shapeOf(document, schema), taken) ? [[other, taken]] : []
      })
    })
    return Object.fromEntries([...own, ...told])
  }
  return fill(plan.collection.schema, value) as Members
}

/** The item that a member names; undefined where it names none. @throws NotReady where many items are to be made first */
function itemNamed(
  work: OperationWork,
  { state, ...naming }: NamingValue & Referring,
  { id, ...member }: NamedMember & { readonly id: unknown },
): unknown {
  const target = targetOf(work, member, 'anywhere')
  const place = target && placeOf(work, target, naming)
  if (place === undefined) return undefined
  requireDocuments(state, place)
  return documentsOf(state, place)?.get(String(id))?.value
}

/** Finds the items that the members of another one name, as values are made to agree with them. */
export function referredBy(
  work: OperationWork,
  { state, call }: Referring,
  value: Members,
): NonNullable<DocumentContext['referred']> {
  const { document, plan } = work
  const naming = { state, call, value }
  return (noun, place) => {
    const at = place.slice(0, place.lastIndexOf(`/${noun}/`))
    const holder = valueAt(value, at)
    const plain = `${plainName(noun)}id`
    const [name = '', id] = Object.entries(asObject(holder)).find(([one]) => plainName(one) === plain) ?? []
    const { schema } = schemaAt(value, splitPointer(at), { document, schema: plan.collection.schema })
    const member = shapeOf(document, schema, 'any').properties.get(name)
    return member === undefined ? undefined : itemNamed(work, naming, { name: plain, schemas: [member], id })
  }
}

/** Whether a member may certainly have a value. */
function mayBe(shape: Shape, value: string | number): boolean {
  const { keywords } = shape
  const isBound = ['enum', 'const', 'pattern', 'maxLength'].some((keyword) => keyword in keywords)
  if (typeof value === 'string') return allows(shape, 'string') && !isBound && keywords.format === undefined
  return (
    allows(shape, Number.isInteger(value) ? 'integer' : 'number') && !isBound && !(value > Number(keywords.maximum))
  )
}
