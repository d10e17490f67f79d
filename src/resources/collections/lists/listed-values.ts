import { splitPointer } from '../../../base/formats/json.ts'
import type { CollectionPlan, OperationPlan } from '../infer/plan.ts'
import { comparableOf } from './comparable.ts'
import { type ItemMember, readItemMembers } from './item-members.ts'
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
 * The schema of items, with their open texts bounded to the values that lists filter them by: `open` and `closed` where `state` is any
 * text and its filter an enumeration.
 *
 * @param views the operations on the collection
 */
export function schemaByFilters(
  document: unknown,
  { schema }: CollectionPlan,
  views: readonly OperationPlan[],
): unknown {
  const found = new Map<string, readonly unknown[]>()
  for (const { parameter, member } of equalFilters(document, views)) {
    const [name = '', ...inner] = splitPointer(member.pointer)
    const values = parameter.values?.filter((value) => typeof value === 'string' && !ALL.has(value.toLowerCase())) ?? []
    const isOpen = member.kind === 'text' && !member.isList && !member.values && inner.length === 0
    if (isOpen && values.length > 0) found.set(name, [...new Set([...(found.get(name) ?? []), ...values])])
  }
  if (found.size === 0) return schema
  return {
    allOf: [schema, { properties: Object.fromEntries([...found].map(([name, values]) => [name, { enum: values }])) }],
  }
}

function* equalFilters(document: unknown, views: readonly OperationPlan[]) {
  for (const { role, operation, output, collection } of views) {
    if (role !== 'list') continue
    const items = readItemMembers(document, output.located?.schema ?? collection.schema)
    for (const parameter of readListParameters(operation, { document, items }))
      if (parameter.meaning.kind === 'equal') yield { parameter, member: parameter.meaning.member }
  }
}

function listedValue({ usual, isRequired, values }: ListParameter, member: ItemMember): unknown {
  const [first] = [usual ?? (isRequired ? values : undefined)].flat()
  const text: unknown = typeof first === 'string' ? first.split(',')[0]?.trim() : first
  const value = text === undefined ? undefined : comparableOf(member, text)
  return !member.values || member.values.includes(value) ? value : undefined
}
