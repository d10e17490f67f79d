import { shapeOf } from '../../../contract/schemas/shape.ts'

/** Whether two schemas describe the same thing: most members of the smaller are members of the other. */
export function isSameItem(document: unknown, one: unknown, other: unknown): boolean {
  if (one === other) return one !== undefined
  const [a, b] = [one, other].map((schema) => shapeOf(document, schema, 'any').properties)
  if (!a || !b) return false
  const [smaller, larger] = a.size <= b.size ? [a, b] : [b, a]
  if (smaller.size === 0) return false
  const shared = [...smaller].filter(([name]) => larger.has(name))
  // Ids of different patterns, such as `^CA` and `^KX`, are those of different things.
  const hasOtherIds = shared.some(([name, schema]) => {
    if (!/^(id|sid|uid)$/i.test(name)) return false
    const [first, second] = [schema, larger.get(name)].map((held) => shapeOf(document, held).keywords.pattern)
    return first !== undefined && second !== undefined && first !== second
  })
  return !hasOtherIds && shared.length / smaller.size > LEAST_SHARE
}

/** Whether neither has more than twice the members of the other: `/products/categories` has a part of what products have, and no products. */
export function isAsLarge(document: unknown, one: unknown, other: unknown): boolean {
  const [least = 0, most = 0] = [one, other]
    .map((schema) => shapeOf(document, schema, 'any').properties.size)
    .toSorted((a, b) => a - b)
  return least * 2 >= most
}

const LEAST_SHARE = 0.5
