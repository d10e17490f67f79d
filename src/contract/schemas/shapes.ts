import type { Schema } from './schemas.ts'
import { isObject } from '../../formats/json.ts'

/**
 * What members a schema knows, as a schema of `properties` and `items` alone, made step by step as somebody walks into it, since it
 * may hold itself. A schema without `properties` is open, and so is one made of alternatives or one that speaks of further members.
 *
 * @param find what a schema that is a reference leads to; undefined for others
 */
export function createShapes(find: (schema: object) => unknown): (schema: unknown) => Schema | undefined {
  const known = new WeakMap<object, Schema>()
  const shapeOf = (schema: unknown): Schema | undefined => {
    if (!isObject(schema)) return undefined
    const made = known.get(schema) ?? createShape(schema)
    known.set(schema, made)
    return made
  }
  const createShape = (schema: Readonly<Record<string, unknown>>): Schema => {
    const parts = partsOf(schema, find, new Set())
    const isOpen = parts.some((part) =>
      OPENING.some((keyword) => part[keyword] !== undefined && part[keyword] !== false),
    )
    const properties = parts.flatMap((part) => (isObject(part.properties) ? Object.entries(part.properties) : []))
    const items = parts.map((part) => part.items).find(isObject)
    const made: Record<string, unknown> = {}
    if (!isOpen && properties.length > 0) made.properties = lazily({}, properties, shapeOf)
    return items === undefined ? made : lazily(made, [['items', items]], shapeOf)
  }
  return shapeOf
}

/** They allow members that `properties` does not name. */
const OPENING = [
  'additionalProperties',
  'patternProperties',
  'unevaluatedProperties',
  'anyOf',
  'oneOf',
  'if',
  'dependentSchemas',
]

/** The schema, what it refers to, and all of which it says `allOf`. */
function partsOf(
  schema: unknown,
  find: (schema: object) => unknown,
  seen: Set<unknown>,
): readonly Readonly<Record<string, unknown>>[] {
  if (!isObject(schema) || seen.has(schema)) return []
  seen.add(schema)
  const { allOf } = schema
  return [
    schema,
    ...partsOf(find(schema), find, seen),
    ...(Array.isArray(allOf) ? allOf.flatMap((part) => partsOf(part, find, seen)) : []),
  ]
}

/** Adds members whose shape is made when somebody looks; one without a shape is there all the same, and open. */
function lazily(
  object: Record<string, unknown>,
  entries: readonly (readonly [string, unknown])[],
  shapeOf: (schema: unknown) => Schema | undefined,
): Record<string, unknown> {
  for (const [name, schema] of entries) {
    Object.defineProperty(object, name, { get: () => shapeOf(schema) ?? {}, enumerable: true, configurable: true })
  }
  return object
}
