import { chanceKey } from '../../../engine/random.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import { isObject, type Members, splitPointer } from '../../../base/formats/json.ts'
import { completeObject } from '../../../values/complete-object.ts'
import { outcomeMembers } from '../../../values/consistency/outcome.ts'
import type { Output } from '../infer/plan.ts'
import type { Side } from '../../../contract/schemas/split-schema.ts'

/** The members of a value that a schema names, at every level; all where it names none. */
export function keepNamed(document: unknown, schema: unknown, value: unknown, side: Side = 'response'): unknown {
  const shape = shapeOf(document, schema, 'any')
  if (Array.isArray(value))
    return shape.items === undefined ? value : value.map((one) => keepNamed(document, shape.items, one, side))
  if (!isObject(value) || shape.properties.size === 0) return value
  const others = isObject(shape.keywords.additionalProperties) || shape.keywords.additionalProperties === true
  const kept = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const member = shape.properties.get(name)
    if (member === undefined) return others || shape.keywords.patternProperties !== undefined ? [[name, inner]] : []
    if (side === 'response' && isWriteOnly(document, member)) return []
    return [[name, keepNamed(document, member, inner, side)]]
  })
  return Object.fromEntries(kept)
}

function isWriteOnly(document: unknown, schema: unknown): boolean {
  return shapeOf(document, schema).keywords.writeOnly === true
}

export interface Showing {
  readonly document: unknown
  readonly seed: number
  /** What distinguishes the item from all others, for values that are made up. */
  readonly purpose: string
  /** Epoch ms. */
  readonly now: number
}

/** An item as a schema describes it: without other members, and with all required ones. */
export function showItem(schema: unknown, value: Members, { document, seed, purpose, now }: Showing): Members {
  const kept = keepNamed(document, schema, value) as Members
  return completeObject(document, schema, kept, { written: now, key: chanceKey(seed, purpose) })
}

/** The body of a response that shows an item, or a list of them. */
export function showWhole(
  { schema, located, status }: Output,
  shown: unknown,
  { document, seed, purpose, now }: Showing,
): unknown {
  const names = splitPointer(located?.pointer ?? '')
  if (names.length === 0) return shown
  const inner = names.reduceRight<unknown>((value, name) => ({ [name]: value }), shown) as Members
  const whenNamed = outcomeMembers(document, schema, status)
  return completeObject(document, schema, inner, { written: now, key: chanceKey(seed, purpose), whenNamed })
}
