import type { OperationPlan } from '../infer/plan.ts'
import { comparableOf } from './comparable.ts'
import { readItemMembers } from './item-members.ts'
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
  for (const { role, operation, output, collection } of views) {
    if (role !== 'list') continue
    const items = readItemMembers(document, output.located?.schema ?? collection.schema)
    for (const parameter of readListParameters(operation, { document, items })) {
      const { meaning } = parameter
      if (meaning.kind !== 'equal' || found.has(meaning.member.pointer)) continue
      const value = listedValue(parameter, meaning.member)
      if (value !== undefined) found.set(meaning.member.pointer, meaning.member.isList ? [value] : value)
    }
  }
  return found
}

function listedValue({ usual, only }: ListParameter, member: Parameters<typeof comparableOf>[0]): unknown {
  const [first] = [usual ?? only].flat()
  const text: unknown = typeof first === 'string' ? first.split(',')[0]?.trim() : first
  const value = text === undefined ? undefined : comparableOf(member, text)
  return !member.values || member.values.includes(value) ? value : undefined
}
