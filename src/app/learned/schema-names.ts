import { followOnce, isReference } from '../../contract/pointer.ts'
import { alternativesOf, conjunctsOf, memberAt, shapeOf } from '../../contract/schemas/shape.ts'
import { isObject, splitPointer } from '../../base/formats/json.ts'

/** The name of a schema that several responses share, `#/components/schemas/Pet`; also of one that may be null. Undefined for any other. */
export function nameOf(document: unknown, schema: unknown, steps = 8): string | undefined {
  if (steps === 0 || !isObject(schema)) return undefined
  if (isReference(schema)) {
    const { properties, types } = shapeOf(document, schema, 'any')
    if (properties.size > 0 || types.has('object')) return schema.$ref
    return nameOf(document, followOnce(document, schema), steps - 1)
  }
  const some = [schema.anyOf, schema.oneOf, schema.allOf].find(Array.isArray) as readonly unknown[] | undefined
  const others = some?.filter((one) => !(isObject(one) && one.type === 'null')) ?? []
  return others.length === 1 ? nameOf(document, others[0], steps - 1) : undefined
}

/** The schema of a member; undefined where the document says nothing of it. */
export function memberSchema(document: unknown, schema: unknown, name: string): unknown {
  const { additionalProperties } = shapeOf(document, schema, 'any').keywords
  return memberAt(document, schema, [name]) ?? (isObject(additionalProperties) ? additionalProperties : undefined)
}

/** Whether a member is one of many that have names of their own, such as ids. */
export function isNamedFreely(document: unknown, schema: unknown, name: string): boolean {
  return LIKE_ID.test(name) && memberAt(document, schema, [name]) === undefined
}

/** Whether an object may have members of any name, and this is one of them. */
export function isNamedByClient(document: unknown, schema: unknown, name: string): boolean {
  const { properties, keywords } = shapeOf(document, schema, 'any')
  return !properties.has(name) && isObject(keywords.additionalProperties)
}

/** The name of a member that is an id, so that its object is a dictionary. */
export const LIKE_ID = /^(?=.*\d)[0-9a-f-]{8,}$/i

/** The schema of the elements of a list. */
export function elementSchema(document: unknown, schema: unknown): unknown {
  const { items } = shapeOf(document, schema, 'any')
  if (items !== undefined) return items
  const lists = alternativesOf(document, schema).map((one) => shapeOf(document, one, 'any').items)
  return lists.find((one) => one !== undefined) ?? conjunctsOf(document, schema).find((one) => one.items)?.items
}

/** The schema of a part of a body, by a JSON pointer in which `*` stands for the elements of a list. */
export function schemaAt(document: unknown, schema: unknown, pointer: string): unknown {
  return splitPointer(pointer).reduce((held, name) => partSchema(document, held, name), schema)
}

/** The schema of one part: a member, or for `*` and a number an element of a list. */
export function partSchema(document: unknown, schema: unknown, name: string): unknown {
  return /^(?:\*|\d+)$/.test(name) ? elementSchema(document, schema) : memberSchema(document, schema, name)
}
