import { encodePointer, isObject } from '../../formats/json.ts'
import { partsOf } from '../pointer.ts'

/** The members that a schema names: those of an object, or what is known of the elements of a list. */
export interface KnownMembers {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly items?: unknown
}

/**
 * What members a schema knows, as a schema of `properties` and `items` alone, made step by step as somebody walks into it, since it
 * may hold itself. A schema without `properties` is open, and so is one made of alternatives or one that speaks of further members.
 *
 * @param find what a schema that is a reference leads to; undefined for others
 */
export function createKnownMembers(find: (schema: object) => unknown): (schema: unknown) => KnownMembers | undefined {
  const known = new WeakMap<object, KnownMembers>()
  const shapeOf = (schema: unknown): KnownMembers | undefined => {
    if (!isObject(schema)) return undefined
    const made = known.get(schema) ?? createShape(schema)
    known.set(schema, made)
    return made
  }
  const createShape = (schema: Readonly<Record<string, unknown>>): KnownMembers => {
    const parts = conjuncts(schema, find, new Set())
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
function conjuncts(
  schema: unknown,
  find: (schema: object) => unknown,
  seen: Set<unknown>,
): readonly Readonly<Record<string, unknown>>[] {
  if (!isObject(schema) || seen.has(schema)) return []
  seen.add(schema)
  const { allOf } = schema
  return [
    schema,
    ...conjuncts(find(schema), find, seen),
    ...(Array.isArray(allOf) ? allOf.flatMap((part) => conjuncts(part, find, seen)) : []),
  ]
}

/** Adds members whose shape is made when somebody looks; one without a shape is there all the same, and open. */
function lazily(
  object: Record<string, unknown>,
  entries: readonly (readonly [string, unknown])[],
  shapeOf: (schema: unknown) => KnownMembers | undefined,
): Record<string, unknown> {
  for (const [name, schema] of entries) {
    Object.defineProperty(object, name, { get: () => shapeOf(schema) ?? {}, enumerable: true, configurable: true })
  }
  return object
}

const MOST_UNKNOWN = 20

/** Whether `unknownMembers` would find none; most bodies have none, and for them no pointers need be written. */
export function knowsAll(value: unknown, schema: KnownMembers | undefined): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) {
    const items = schema?.items
    return !isObject(items) || value.every((element: unknown) => knowsAll(element, items))
  }
  const properties = schema?.properties
  if (!properties) return true
  return Object.keys(value).every((name) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    return known !== undefined && knowsAll((value as Readonly<Record<string, unknown>>)[name], known as KnownMembers)
  })
}

/** Members that no schema on the way knows. A schema without `properties` is open, and so is one made of alternatives. */
export function unknownMembers(value: unknown, schema: KnownMembers | undefined, pointer: string): string[] {
  if (Array.isArray(value)) {
    const items = schema?.items
    return isObject(items)
      ? value
          .flatMap((element: unknown, index) => unknownMembers(element, items, `${pointer}/${index}`))
          .slice(0, MOST_UNKNOWN)
      : []
  }
  const properties = schema?.properties
  if (!isObject(value) || !properties) return []
  return Object.entries(value)
    .flatMap(([name, inner]) => {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined
      const at = `${pointer}/${encodePointer(name)}`
      return known === undefined ? [at] : unknownMembers(inner, known as KnownMembers, at)
    })
    .slice(0, MOST_UNKNOWN)
}

/** What a schema knows at a pointer of a value. */
export function schemaAt(schema: KnownMembers | undefined, pointer: string): KnownMembers | undefined {
  return partsOf(pointer).reduce<KnownMembers | undefined>((at, name) => {
    const inner = at?.items ?? at?.properties?.[name]
    return isObject(inner) ? inner : undefined
  }, schema)
}
