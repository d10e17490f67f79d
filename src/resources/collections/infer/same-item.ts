import { shapeOf } from '../../../contract/schemas/shape.ts'

/** Whether two schemas describe the same thing: most members of the smaller are members of the other. */
export function isSameItem(document: unknown, one: unknown, other: unknown): boolean {
  if (one === other) return one !== undefined
  const [a, b] = [one, other].map((schema) => shapeOf(document, schema, 'any').properties)
  if (!a || !b) return false
  const [smaller, larger] = a.size <= b.size ? [a, b] : [b, a]
  if (smaller.size === 0) return false
  const shared = [...smaller.keys()].filter((name) => larger.has(name)).length
  return shared / smaller.size > LEAST_SHARE
}

const LEAST_SHARE = 0.5
