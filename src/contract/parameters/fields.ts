import type { Schemas } from '../schemas/schemas.ts'
import { readText, typesAt } from './style.ts'
import { deepPath, readDeep } from './deep-fields.ts'
import { encodePointer, isObject } from '../../formats/json.ts'

/** Whether a schema lets nothing pass but objects. One that says nothing of types is taken for one, as most bodies are objects. */
export function isObjectAlone(pointer: string, schemas: Schemas): boolean {
  const types = typesAt(pointer, schemas)
  return types.every((type) => type === 'object')
}

/**
 * The fields of a form as an object: texts by the types of its properties, and what is there more than once as a list. A property
 * whose `encoding` is `deepObject` is written as `card[number]=1`.
 *
 * @param pointer of the media type of the form
 */
export function readFields(
  fields: Iterable<readonly [string, unknown]>,
  mediaType: string,
  schemas: Schemas,
): Readonly<Record<string, unknown>> {
  const pointer = `${mediaType}/schema`
  const encoding = schemas.resolve(mediaType)?.encoding
  const deep: [readonly string[], string][] = []
  const made = new Map<string, unknown>()
  for (const [name, field] of fields) {
    const path = deepPath(name)
    const rule = isObject(encoding) && path ? encoding[path[0] ?? ''] : undefined
    if (path && typeof field === 'string' && isObject(rule) && rule.style === 'deepObject') {
      deep.push([path, field])
      continue
    }
    const at = `${schemas.locate(pointer)}/properties/${encodePointer(name)}`
    const types = typesAt(at, schemas)
    const isList = types.includes('array')
    const inner = isList ? typesAt(`${schemas.locate(at)}/items`, schemas) : types
    const value = typeof field === 'string' ? readField(field, inner) : field
    const known = made.get(name)
    if (known === undefined) made.set(name, isList ? [value] : value)
    else made.set(name, [...(Array.isArray(known) ? (known as unknown[]) : [known]), value])
  }
  return { ...Object.fromEntries(made), ...readDeep(deep, pointer, schemas) }
}

/** Objects are JSON within a form (OpenAPI 3.1, 4.8.15.1). */
function readField(text: string, types: readonly string[]): unknown {
  if (!types.includes('object')) return readText(text, types)
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
