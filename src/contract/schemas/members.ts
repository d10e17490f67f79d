import { partsOf } from '../pointer.ts'
import type { Schema } from './schemas.ts'
import { encodePointer, isObject } from '../../formats/json.ts'

const MOST_UNKNOWN = 20

/** Whether `unknownMembers` would find none; most bodies have none, and for them no pointers need be written. */
export function knowsAll(value: unknown, schema: Schema | undefined): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) {
    const items = schema?.items
    return !isObject(items) || value.every((element: unknown) => knowsAll(element, items))
  }
  const properties = schema?.properties
  if (!properties) return true
  return Object.keys(value).every((name) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    return known !== undefined && knowsAll((value as Readonly<Record<string, unknown>>)[name], known as Schema)
  })
}

/** Members that no schema on the way knows. A schema without `properties` is open, and so is one made of alternatives. */
export function unknownMembers(value: unknown, schema: Schema | undefined, pointer: string): string[] {
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
      return known === undefined ? [at] : unknownMembers(inner, known as Schema, at)
    })
    .slice(0, MOST_UNKNOWN)
}

/** What a schema knows at a pointer of a value. */
export function schemaAt(schema: Schema | undefined, pointer: string): Schema | undefined {
  return partsOf(pointer).reduce<Schema | undefined>((at, name) => {
    const inner = at?.items ?? at?.properties?.[name]
    return isObject(inner) ? inner : undefined
  }, schema)
}
