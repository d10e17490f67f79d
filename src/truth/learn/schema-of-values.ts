import { LIKE_ID } from '../../app/learned/schema-names.ts'
import { parseInstant } from '../../base/formats/instant.ts'
import { isObject, type Members } from '../../base/formats/json.ts'
import { isUuid } from '../../engine/random.ts'

/** How deep values are described. */
const DEEPEST = 8

/** A JSON schema that describes values: their types, members, elements, and the formats of texts. */
export function schemaOfValues(values: readonly unknown[], levels = DEEPEST): Members {
  const types = [...new Set(values.map(typeOf))]
  const known = types.includes('number') ? types.filter((type) => type !== 'integer') : types
  const [only] = known
  return {
    ...(known.length > 0 && { type: known.length === 1 ? only : known }),
    ...formatOf(values.filter((value) => value !== null)),
    ...(levels > 0 && describeParts(values, levels - 1)),
  }
}

function describeParts(values: readonly unknown[], levels: number): Members {
  const objects = values.filter(isObject)
  const elements = values.filter(Array.isArray).flat() as readonly unknown[]
  const names = [...new Set(objects.flatMap(Object.keys))]
  const isMap = names.length > 0 && names.every((name) => LIKE_ID.test(name))
  const within = (some: readonly string[]) =>
    schemaOfValues(
      objects.flatMap((one) => some.flatMap((name) => (Object.hasOwn(one, name) ? [one[name]] : []))),
      levels,
    )
  return {
    ...(isMap && { additionalProperties: within(names) }),
    ...(names.length > 0 && !isMap && { properties: Object.fromEntries(names.map((name) => [name, within([name])])) }),
    ...(elements.length > 0 && { items: schemaOfValues(elements, levels) }),
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

function formatOf(values: readonly unknown[]): Members {
  const are = (test: (text: string) => unknown) =>
    values.length > 0 && values.every((value) => typeof value === 'string' && test(value))
  if (are(isUuid)) return { format: 'uuid' }
  return are((text) => text.includes('T') && parseInstant(text)) ? { format: 'date-time' } : {}
}
