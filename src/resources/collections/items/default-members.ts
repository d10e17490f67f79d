import { shapeOf } from '../../../contract/schemas/shape.ts'
import { isObject, type Members } from '../../../base/formats/json.ts'
import { generateRequired } from '../../../values/generate-value.ts'

/** With the defaults of the schema for members that were not sent, also in the objects that were. */
export function withDefaults(document: unknown, schema: unknown, value: unknown): unknown {
  const shape = shapeOf(document, schema, 'any')
  if (Array.isArray(value)) return value.map((one: unknown) => withDefaults(document, shape.items, one))
  if (!isObject(value)) return value
  const defaults = [...shape.properties].flatMap(([name, member]): [string, unknown][] => {
    const { default: byDefault } = shapeOf(document, member).keywords
    return byDefault === undefined || name in value ? [] : [[name, byDefault]]
  })
  const members = Object.entries(value).map(([name, inner]): [string, unknown] => {
    const member = shape.properties.get(name)
    return [name, member === undefined ? inner : withDefaults(document, member, inner)]
  })
  return Object.fromEntries([...members, ...defaults])
}

/**
 * With the lists of parts that a new item requires and only the service makes, such as the `choices` of a completion. Lists of what has
 * an id of its own, such as comments, begin empty.
 *
 * @param sent the schema of the request
 */
export function withParts(
  document: unknown,
  schema: unknown,
  value: Members,
  { sent, ...made }: { readonly sent: unknown; readonly key: number; readonly now: number },
): Members {
  const { properties, required } = shapeOf(document, schema, 'any')
  const known = shapeOf(document, sent, 'any').properties
  const parts = [...required].flatMap((name): [string, unknown][] => {
    const member = properties.get(name)
    const { types, items } = shapeOf(document, member)
    const part = shapeOf(document, items).properties
    if (name in value || known.has(name) || !types.has('array') || part.size === 0 || part.has('id')) return []
    const place = { document, schema: { allOf: [member], minItems: 1 }, pointer: `/${name}`, name }
    return [[name, generateRequired(place, made, { invents: 'little', turn: 0 })]]
  })
  return { ...value, ...Object.fromEntries(parts) }
}
