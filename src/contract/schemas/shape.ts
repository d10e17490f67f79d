import { followOnce, isReference } from '../pointer.ts'
import { isObject } from '../../base/formats/json.ts'

/** One level of a schema, with references followed and `allOf` merged. It is read, not compiled: nothing is validated. */
export interface Shape {
  /** The allowed types; empty for any. */
  readonly types: ReadonlySet<string>
  /** The schemas of its members, by name. */
  readonly properties: ReadonlyMap<string, unknown>
  readonly required: ReadonlySet<string>
  /** The schema of its elements. */
  readonly items: unknown
  /** Whether it allows no other members. */
  readonly isClosed: boolean
  /** All other keywords; the later of equal ones. */
  readonly keywords: Readonly<Record<string, unknown>>
}

/** Which alternative of `anyOf` or `oneOf` is read: the one of a number (modulo their count), or all of them as optional. */
export type Branch = number | 'any'

/** Limits schemas that are composed of themselves. */
const MAX_STEPS = 32

/**
 * Reads one level of a schema of a document that has only local references.
 *
 * @example shapeOf(document, { $ref: '#/components/schemas/Error' }).properties.has('message')
 */
export function shapeOf(document: unknown, schema: unknown, branch: Branch = 0): Shape {
  if (!isObject(schema)) return readShape(document, schema, branch)
  const known = shapes.get(schema) ?? new Map<Branch, KnownShape>()
  const found = known.get(branch)
  if (found && found.document === document) return found.shape
  const shape = readShape(document, schema, branch)
  shapes.set(schema, known.set(branch, { document, shape }))
  return shape
}

interface KnownShape {
  readonly document: unknown
  readonly shape: Shape
}

/** By schema. Documents are not changed after they were loaded, and each response asks for the same shapes. */
const shapes = new WeakMap<object, Map<Branch, KnownShape>>()

function readShape(document: unknown, schema: unknown, branch: Branch): Shape {
  const parts = partsOf(document, schema, branch, MAX_STEPS)
  const properties = new Map<string, unknown>()
  const required = new Set<string>()
  const keywords: Record<string, unknown> = {}
  for (const { asserted, isOptional } of parts) {
    const { properties: members, required: names, ...rest } = asserted
    if (isObject(members))
      for (const [name, inner] of Object.entries(members))
        properties.set(name, isOptional ? eitherOf(properties.get(name), inner) : inner)
    if (Array.isArray(names) && !isOptional) for (const name of names) required.add(String(name))
    Object.assign(keywords, rest)
  }
  // Some schemas require members that they do not describe.
  const names = parts.flatMap(({ asserted }) => (Array.isArray(asserted.required) ? asserted.required.map(String) : []))
  // A schema that describes no member at all allows others besides.
  if (properties.size > 0) for (const name of names) if (!properties.has(name)) properties.set(name, ANYTHING)
  const types = [keywords.type].flat().filter((type) => typeof type === 'string')
  const isClosed = keywords.additionalProperties === false || keywords.unevaluatedProperties === false
  return { types: new Set(types), properties, required, items: keywords.items, isClosed, keywords }
}

const ANYTHING = {}

/** A member that alternatives have different schemas for. */
function eitherOf(one: unknown, other: unknown): unknown {
  const alternatives: unknown[] = isObject(one) && EITHER in one && Array.isArray(one.anyOf) ? one.anyOf : [one]
  if (one === undefined || alternatives.some((known) => isSameSchema(known, other))) return one ?? other
  return { anyOf: [...alternatives, other], [EITHER]: true }
}

const EITHER = Symbol('alternatives')

/** Whether two schemas are one, or refer to one. */
export function isSameSchema(one: unknown, other: unknown): boolean {
  return one === other || (isReference(one) && isReference(other) && one.$ref === other.$ref)
}

/** Whether a shape allows values of a type. */
export function allows({ types }: Shape, type: string): boolean {
  return types.size === 0 || types.has(type) || (type === 'integer' && types.has('number'))
}

interface AssertedPart {
  readonly asserted: Readonly<Record<string, unknown>>
  /** Whether it is one of several alternatives that are all read. */
  readonly isOptional: boolean
}

/** The schema and all parts that apply together with it. */
function partsOf(document: unknown, schema: unknown, branch: Branch, steps: number): AssertedPart[] {
  if (!isObject(schema) || steps === 0) return []
  const { $ref: _reference, allOf, anyOf, oneOf, ...asserted } = schema
  const inner = (one: unknown) => partsOf(document, one, branch, steps - 1)
  const alternatives = [anyOf, oneOf].flatMap((list) => {
    const real = (Array.isArray(list) ? list : []).filter((one: unknown) => !(isObject(one) && one.type === 'null'))
    if (branch !== 'any') return real.length === 0 ? [] : inner(real[branch % real.length])
    return real.flatMap(inner).map((part) => ({ ...part, isOptional: true }))
  })
  return [
    ...inner(followOnce(document, schema)),
    ...(Array.isArray(allOf) ? allOf.flatMap(inner) : []),
    ...alternatives,
    { asserted, isOptional: false },
  ]
}

/** The schema of a member inside a schema, by the names that lead to it; undefined where none is described. */
export function memberAt(document: unknown, schema: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((held, name) => shapeOf(document, held, 'any').properties.get(name), schema)
}

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
