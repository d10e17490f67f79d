import { allows, shapeOf } from '../../../contract/schemas/shape.ts'
import { encodePointer, isObject, splitPointer } from '../../../base/formats/json.ts'
import { isStamp } from '../items/server-members.ts'
import type { DraftOperation } from './draft-operation.ts'
import type { Located } from './plan.ts'
import { isSameItem } from './same-item.ts'

/** Whether a schema describes objects with any members: `{ type: object }`, or one that says so. */
export function isOpenItem(document: unknown, schema: unknown): boolean {
  const { keywords, properties, items, types } = shapeOf(document, schema, 'any')
  const { additionalProperties: others } = keywords
  const isAny = others === true || (isObject(others) && Object.keys(others).length === 0)
  const isObjects = types.has('object') || isAny
  return isObjects && items === undefined && (isAny || (properties.size === 0 && others === undefined))
}

/**
 * The operations of a collection whose bodies have an item in the member in which the list has the items: `{"data": {…}, "permissions": {…}}`
 * where the list is `{"data": [{…}]}`. Alone, such a body could as well be the item itself.
 */
export function inMemberOfList(document: unknown, operations: readonly DraftOperation[]): readonly DraftOperation[] {
  const list = operations.find(({ role }) => role === 'list')?.output.located
  const [name, ...deeper] = splitPointer(list?.pointer ?? '')
  if (!list || name === undefined || deeper.length > 0) return operations
  const inMember = (located: Located | undefined): Located | undefined => {
    if (located?.pointer !== '' || located.isList) return located
    const member = shapeOf(document, located.schema, 'any').properties.get(name)
    const shape = shapeOf(document, member)
    const isItem = isOpenItem(document, member) || isSameItem(document, member, list.schema)
    // An item may have such a member of its own: work whose `data` is what it is about.
    const isWhole = !isOpenItem(document, list.schema) && isSameItem(document, located.schema, list.schema)
    if (member === undefined || !allows(shape, 'object') || !isItem || isWhole) return located
    return { pointer: `/${encodePointer(name)}`, schema: member, isList: false }
  }
  return operations.map((one) => ({
    ...one,
    input: inMember(one.input),
    output: { ...one.output, located: inMember(one.output.located) },
  }))
}

/**
 * The schema of items with any members, with those that the service is known to write, since the list can be filtered by them: `id` and
 * moments such as `last_modified`.
 */
export function withKnownMembers(document: unknown, schema: unknown, operations: readonly DraftOperation[]): unknown {
  if (!isOpenItem(document, schema)) return schema
  const list = operations.find(({ role }) => role === 'list')
  const { properties } = shapeOf(document, schema, 'any')
  const known = (list?.operation.parameters ?? []).flatMap((one) =>
    one.in === 'query' && (isStamp(one.name) || one.name === 'id') && !properties.has(one.name)
      ? [[one.name, one.schema] as const]
      : [],
  )
  if (known.length === 0) return schema
  return { type: 'object', properties: Object.fromEntries([...properties, ...known]), additionalProperties: true }
}
