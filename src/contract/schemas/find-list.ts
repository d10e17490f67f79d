import { allows, type Shape, shapeOf } from './shape.ts'

/** The list that a response consists of, or the first one that is a member of it. */
export interface FoundList {
  /** The member that holds it; undefined when the response is the list itself. */
  readonly name: string | undefined
  /** The schema of its elements. */
  readonly items: unknown
}

/** @example findList(document, shapeOf(document, { properties: { orders: { type: 'array' } } })) // { name: 'orders', … } */
export function findList(document: unknown, shape: Shape): FoundList | undefined {
  if (shape.properties.size === 0)
    return allows(shape, 'array') && !allows(shape, 'object') ? { name: undefined, items: shape.items } : undefined
  for (const [name, schema] of shape.properties) {
    const member = shapeOf(document, schema, 'any')
    if (allows(member, 'array') && !allows(member, 'object')) return { name, items: member.items }
  }
  return undefined
}
