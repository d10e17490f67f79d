import { compareCodePoints } from '../../../base/formats/code-points.ts'
import { compareInstants, type Instant, parseInstant } from '../../../base/formats/instant.ts'
import { type Integer, type Json, stringifySorted } from '../../../base/formats/json.ts'

/** A JSON value in a form that can be compared. */
export type Key = boolean | Integer | Instant | string | typeof STRUCTURE | null

/** All lists and objects: they have no order among each other. */
export const STRUCTURE = Symbol('structure')

/** The key of a value; null where it is absent. A text that is an RFC 3339 timestamp is an instant, however it is written. */
export function keyOf(value: Json | undefined): Key {
  if (typeof value === 'string') return (mayBeInstant(value) ? parseInstant(value) : undefined) ?? value
  return typeof value === 'object' && value !== null ? STRUCTURE : (value ?? null)
}

/** Whether a text may be a timestamp, so that parsing it is worth the time. */
function mayBeInstant(text: string): boolean {
  return text.length >= 20 && text.charCodeAt(4) === 0x2d && text.charCodeAt(7) === 0x2d
}

/** Keys of different kinds are ordered by their kinds: an order of texts and instants together needs it. */
export function kindOf(key: Key): number {
  if (key === null) return 5
  if (key === STRUCTURE) return 4
  if (typeof key === 'string') return 3
  if (typeof key === 'object') return 2
  return typeof key === 'boolean' ? 0 : 1
}

/** By kind: booleans, numbers, instants, texts by code point, structures, null. */
export function compareKeys(a: Key, b: Key): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const order = kindOf(a) - kindOf(b)
  if (order !== 0) return order
  if (typeof a === 'string') return compareCodePoints(a, b as string)
  if (typeof a === 'symbol' || a === null || b === null) return 0
  if (typeof a === 'object') return compareInstants(a, b as Instant)
  const [one, other] = [a as Integer, b as Integer]
  return one < other ? -1 : one > other ? 1 : 0
}

export function isEqual(a: Json | undefined, b: Json): boolean {
  if (compareKeys(keyOf(a), keyOf(b)) !== 0) return false
  return keyOf(b) !== STRUCTURE || stringifySorted(a) === stringifySorted(b)
}
