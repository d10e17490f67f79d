import { rememberingEach } from '../../base/cache.ts'
import { asObject, encodePointer, isObject, splitPointer } from '../../base/formats/json.ts'
import { conjunctsOf } from './shape.ts'

/** The members that a schema names: those of an object, or what is known of the elements of a list. */
export interface KnownMembers {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly items?: unknown
}

/**
 * Reads which members schemas name, step by step as they are asked for, since a schema may contain itself. A schema without
 * `properties` is open, and so is one with alternatives or with keywords for further members.
 */
export function createKnownMembers(document: unknown): (schema: unknown) => KnownMembers | undefined {
  const read = rememberingEach((schema: Readonly<Record<string, unknown>>): KnownMembers => {
    const parts = conjunctsOf(document, schema)
    const isOpen = parts.some((part) =>
      OPENING.some((keyword) => part[keyword] !== undefined && part[keyword] !== false),
    )
    const properties = parts.flatMap((part) => Object.entries(asObject(part.properties)))
    const items = parts.map((part) => part.items).find(isObject)
    return {
      ...(!isOpen && properties.length > 0 ? { properties: lazily(properties, membersOf) } : {}),
      get items() {
        return membersOf(items)
      },
    }
  })
  const membersOf = (schema: unknown) => (isObject(schema) ? read(schema) : undefined)
  return membersOf
}

/** Keywords that allow members besides `properties`. */
const OPENING = [
  'additionalProperties',
  'patternProperties',
  'unevaluatedProperties',
  'anyOf',
  'oneOf',
  'if',
  'dependentSchemas',
]

/** An object whose members are read when they are first asked for; one that is no schema is open. */
function lazily(
  entries: readonly (readonly [string, unknown])[],
  read: (schema: unknown) => KnownMembers | undefined,
): Readonly<Record<string, unknown>> {
  const object = {}
  for (const [name, schema] of entries) {
    const get = () => {
      const value = read(schema) ?? {}
      Object.defineProperty(object, name, { value, enumerable: true })
      return value
    }
    Object.defineProperty(object, name, { get, enumerable: true, configurable: true })
  }
  return object
}

const MAX_UNKNOWN = 20

/** Finds the members of a value that a schema does not name, by their pointers. */
export function createUnknownMembers(schema: KnownMembers | undefined): (value: unknown) => readonly string[] {
  return (value) => (knowsAll(value, schema) ? NONE : unknownMembers(value, schema, ''))
}

const NONE: readonly string[] = []

/** Whether `unknownMembers` would find none: the usual case, without writing pointers. */
function knowsAll(value: unknown, schema: KnownMembers | undefined): boolean {
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

/** The pointers of members that the schemas do not name. */
export function unknownMembers(value: unknown, schema: KnownMembers | undefined, pointer: string): string[] {
  if (Array.isArray(value)) {
    const items = schema?.items
    return isObject(items)
      ? value
          .flatMap((element: unknown, index) => unknownMembers(element, items, `${pointer}/${index}`))
          .slice(0, MAX_UNKNOWN)
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
    .slice(0, MAX_UNKNOWN)
}

/** What is known of the members at a pointer of a value. */
export function schemaAt(schema: KnownMembers | undefined, pointer: string): KnownMembers | undefined {
  return splitPointer(pointer).reduce<KnownMembers | undefined>((at, name) => {
    const inner = at?.items ?? at?.properties?.[name]
    return isObject(inner) ? inner : undefined
  }, schema)
}
