import { chanceKey } from '../../../engine/random.ts'
import { shapeOf, allows, alternativesOf, isNumeric, type Shape } from '../../../contract/schemas/shape.ts'
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
    if (side === 'response' && shapeOf(document, member).keywords.writeOnly === true) return []
    return [[name, keepNamed(document, member, inner, side)]]
  })
  return Object.fromEntries(kept)
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

/** One item as a response shows it: alone, or as the only one of a list. */
export function listedIn(located: Output['located'], item: unknown): unknown {
  if (located?.isMap) return { 0: item }
  return located?.isList ? [item] : item
}

/** The body of a response that shows an item, or a list of them. */
export function showWhole(
  { schema, located, status }: Output,
  shown: unknown,
  { document, seed, purpose, now, id }: Showing & { readonly id?: unknown },
): unknown {
  const names = splitPointer(located?.pointer ?? '')
  if (names.length === 0) return shown
  const inner = names.reduceRight<unknown>((value, name) => ({ [name]: value }), shown) as Members
  // `{ id, result: {…} }` says which item it is.
  const named = located?.isList || id === undefined ? {} : convertMembers(document, schema, { id })
  const whenNamed = { ...outcomeMembers(document, schema, status), ...emptyMeta(document, schema), ...named }
  return completeObject(document, schema, inner, { written: now, key: chanceKey(seed, purpose), whenNamed })
}

/** The `meta` beside an item, where the schema describes no members of it: services write it as an empty object. */
function emptyMeta(document: unknown, schema: unknown): Members {
  const { types, properties } = shapeOf(document, shapeOf(document, schema, 'any').properties.get('meta'))
  return types.has('object') && properties.size === 0 ? { meta: {} } : {}
}

/** An object with its members converted to the documented types, without those that cannot be converted. */
export function convertMembers(document: unknown, schema: unknown, value: Members): Members {
  const { properties } = shapeOf(document, schema, 'any')
  const converted = Object.entries(value).map(([name, inner]): [string, unknown] => [
    name,
    properties.has(name) ? convert(document, properties.get(name), inner) : inner,
  ])
  return Object.fromEntries(converted.filter(([, inner]) => inner !== undefined))
}

/** Members of an object that a single value can represent. */
const KEYS = ['id', 'gid', 'sid', 'uuid', 'value', 'key', 'slug', 'name', 'code', 'username']

/** A value converted to the type of a schema; undefined where no conversion exists. */
function convert(document: unknown, schema: unknown, value: unknown): unknown {
  const shape = shapeOf(document, schema, 'any')
  if (alternativesOf(document, schema).length > 0 || (shape.types.size === 0 && shape.properties.size === 0))
    return value
  if (Array.isArray(value)) {
    if (shape.items === undefined) return allows(shape, 'array') ? value : undefined
    return value.map((one) => convert(document, shape.items, one)).filter((one) => one !== undefined)
  }
  if (isObject(value)) return isObjectShape(shape) ? convertMembers(document, schema, value) : keyOf(shape, value)
  if (value === null) return value
  if (isObjectShape(shape)) return asObject(document, shape, value)
  if (allowsOnly(shape, 'array')) return [convert(document, shape.items, value)]
  if (typeof value === 'number' && allowsOnly(shape, 'string')) return String(value)
  const isNumber = allowsOnly(shape, 'integer') || allowsOnly(shape, 'number')
  if (typeof value === 'string' && isNumber) return /^-?\d{1,15}(?:\.\d+)?$/.test(value) ? Number(value) : undefined
  return value
}

function isObjectShape(shape: Shape): boolean {
  return allowsOnly(shape, 'object') || (shape.types.size === 0 && shape.properties.size > 0)
}

function allowsOnly({ types }: Shape, type: string): boolean {
  return [...types].every((one) => one === type || one === 'null') && types.has(type)
}

/** `3` as `{"id": 3}`. */
function asObject(document: unknown, { properties }: Shape, value: unknown): Members | undefined {
  for (const name of KEYS) {
    const member = properties.get(name)
    const inner = member === undefined ? undefined : convert(document, member, value)
    if (typeof inner === typeof value || typeof inner === 'string' || typeof inner === 'number')
      return { [name]: inner }
  }
  return undefined
}

/** `{"id": 3}` as `3`. */
function keyOf(shape: Shape, value: Members): unknown {
  const [key] = KEYS.map((name) => value[name]).filter((one) => typeof one === 'string' || typeof one === 'number')
  const isFitting = typeof key === 'number' ? isNumeric(shape) : allows(shape, typeof key)
  return key !== undefined && isFitting ? key : undefined
}
