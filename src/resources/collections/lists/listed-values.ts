import { type Shape, shapeOf } from '../../../contract/schemas/shape.ts'
import { asList, type Members, splitPointer } from '../../../base/formats/json.ts'
import type { CollectionPlan, OperationPlan } from '../infer/plan.ts'
import { comparableOf } from './comparable.ts'
import { type ItemMember, readListedMembers } from './item-members.ts'
import { ALL } from './read-list-query.ts'
import type { ListParameter } from './list-parameter.ts'
import { readListParameters } from './read-list-parameters.ts'

/**
 * The values that lists ask for where a request does not say otherwise, by the pointers of the members: `active` where a list shows the
 * active items by default. A new item that leaves the member open gets the value, or no list would show what was just created.
 *
 * @param views the operations on the collection
 */
export function listedValues(document: unknown, views: readonly OperationPlan[]): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>()
  for (const { parameter, member } of equalFilters(document, views)) {
    if (found.has(member.pointer)) continue
    const value = listedValue(parameter, member)
    if (value !== undefined) found.set(member.pointer, member.isList ? [value] : value)
  }
  return found
}

/**
 * The schema of items, with their open texts bounded to the values that lists filter them by, `open` and `closed` where `state` is any
 * text and its filter an enumeration, or to what requests may write.
 *
 * @param views the operations on the collection
 */
export function schemaOfSeeds(document: unknown, { schema }: CollectionPlan, views: readonly OperationPlan[]): unknown {
  const found = new Map(writtenBounds(document, schema, views))
  for (const { parameter, member } of equalFilters(document, views)) {
    const [name = '', ...inner] = splitPointer(member.pointer)
    const values = parameter.values?.filter((value) => typeof value === 'string' && !ALL.has(value.toLowerCase())) ?? []
    const isOpen = member.kind === 'text' && !member.isList && !member.values && inner.length === 0
    const known = found.get(name)?.enum
    const all = [...asList(known), ...values]
    if (isOpen && values.length > 0) found.set(name, { enum: [...new Set(all)] })
  }
  return found.size === 0 ? schema : { allOf: [schema, { properties: Object.fromEntries(found) }] }
}

/** What the bodies of requests say of members that items describe as any text: `events` is a list of an enumeration. */
function* writtenBounds(
  document: unknown,
  schema: unknown,
  views: readonly OperationPlan[],
): Generator<[name: string, bounds: Members]> {
  const { properties } = shapeOf(document, schema, 'any')
  for (const { role, input } of views) {
    if (role !== 'create' && role !== 'merge' && role !== 'replace') continue
    for (const [name, written] of shapeOf(document, input?.schema, 'any').properties) {
      const [own, sent] = [properties.get(name), written].map((one) => shapeOf(document, one))
      const [inner, sentInner] = [own, sent].map((one) => shapeOf(document, one?.items))
      if (isOpenText(own) && isBounded(sent)) yield [name, boundsOf(sent)]
      if (isOpenText(inner) && isBounded(sentInner)) yield [name, { items: boundsOf(sentInner) }]
    }
  }
}

const BOUNDS = ['enum', 'format', 'pattern', 'example']

function isOpenText(shape: Shape | undefined): shape is Shape {
  const isText = shape?.types.has('string') === true && shape.types.size === 1
  return isText && !['const', 'minLength', 'maxLength', ...BOUNDS].some((keyword) => keyword in shape.keywords)
}

function isBounded(shape: Shape | undefined): shape is Shape {
  return shape?.types.has('string') === true && BOUNDS.some((keyword) => keyword in shape.keywords)
}

function boundsOf({ keywords }: Shape): Members {
  return Object.fromEntries(Object.entries(keywords).filter(([keyword]) => BOUNDS.includes(keyword)))
}

function* equalFilters(document: unknown, views: readonly OperationPlan[]) {
  for (const view of views) {
    if (view.role !== 'list') continue
    const items = readListedMembers(document, view)
    for (const parameter of readListParameters(view.operation, { document, items }))
      if (parameter.meaning.kind === 'equal') yield { parameter, member: parameter.meaning.member }
  }
}

function listedValue({ usual, isRequired, values }: ListParameter, member: ItemMember): unknown {
  const [first] = [usual ?? (isRequired ? values : undefined)].flat()
  const text: unknown = typeof first === 'string' ? first.split(',')[0]?.trim() : first
  const value = text === undefined ? undefined : comparableOf(member, text)
  return !member.values || member.values.includes(value) ? value : undefined
}
