import type { Schema, Schemas } from '../schemas/schemas.ts'
import { encodePointer, isObject } from '../../base/formats/json.ts'

/** The types that a schema allows, also through `allOf`, `anyOf` and `oneOf`. */
export function typesAt(pointer: string, schemas: Schemas, depth = 0): readonly string[] {
  const schema: Schema = schemas.resolve(pointer) ?? {}
  if (schema.type !== undefined) return typeof schema.type === 'string' ? [schema.type] : schema.type
  if (depth > MAX_DEPTH) return []
  const at = schemas.locate(pointer)
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => {
    const held = schema[keyword]
    return Array.isArray(held) ? held.map((_, index) => `${at}/${keyword}/${index}`) : []
  })
  const types = parts.flatMap((part) => typesAt(part, schemas, depth + 1))
  if (types.length > 0) return [...new Set(types)]
  return schema.properties ? ['object'] : schema.items === undefined ? [] : ['array']
}

const MAX_DEPTH = 8

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A text as a value of the first type that fits, or as a string. */
export function readText(text: string, types: readonly string[]): unknown {
  if ((types.includes('number') || types.includes('integer')) && NUMBER.test(text)) {
    const value = Number(text)
    return Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d{1,40}$/.test(text) ? BigInt(text) : value
  }
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if (types.includes('null') && (text === 'null' || (text === '' && !types.includes('string')))) return null
  return text
}

/** Deeper names are cut, so that no name makes a value that is hard to walk. */
const MAX_LEVELS = 8

/** `card[address][city]` as `card`, `address`, `city`; undefined for a name without brackets. */
function deepPath(name: string): readonly string[] | undefined {
  const mark = name.indexOf('[')
  if (mark <= 0 || !name.endsWith(']')) return undefined
  return [name.slice(0, mark), ...partsIn(name.slice(mark))]
}

/** `[address][city]` as `address`, `city`. */
export function partsIn(brackets: string): readonly string[] {
  return brackets.slice(1, -1).split('][').slice(0, MAX_LEVELS)
}

/** A text, or members by their names. */
type TextTree = Map<string, TextTree | string>

/**
 * Texts by the paths of their names, such as `card[number]=1` and `expand[]=a`, as objects and lists with the types of their schemas.
 *
 * @param pointer of the schema of the whole
 */
export function readDeep(
  fields: readonly (readonly [readonly string[], string])[],
  pointer: string,
  schemas: Schemas,
): Readonly<Record<string, unknown>> {
  const root: TextTree = new Map()
  for (const [path, text] of fields) insert(root, path, text)
  const made = [...root].map(
    ([name, tree]) => [name, valueOf(tree, propertyAt(pointer, name, schemas), schemas)] as const,
  )
  return Object.fromEntries(made)
}

function insert(tree: TextTree, [name = '', ...rest]: readonly string[], text: string): void {
  // `expand[]=a&expand[]=b` are two elements.
  const key = name === '' ? String(tree.size) : name
  if (rest.length === 0) {
    tree.set(key, text)
    return
  }
  const held = tree.get(key)
  const inner: TextTree = held instanceof Map ? held : new Map<string, TextTree | string>()
  tree.set(key, inner)
  insert(inner, rest, text)
}

function valueOf(tree: TextTree | string, pointer: string, schemas: Schemas): unknown {
  const types = typesAt(pointer, schemas)
  if (typeof tree === 'string') return readText(tree, types)
  const isList = types.includes('array') && [...tree.keys()].every((key) => /^\d+$/.test(key))
  if (isList) return [...tree.values()].map((inner) => valueOf(inner, within(pointer, ['items'], schemas), schemas))
  return Object.fromEntries(
    [...tree].map(([name, inner]) => [name, valueOf(inner, propertyAt(pointer, name, schemas), schemas)]),
  )
}

/** The pointer of the schema of a member. */
export function propertyAt(pointer: string, name: string, schemas: Schemas): string {
  const known = within(pointer, ['properties', name], schemas)
  return schemas.resolve(known) ? known : within(pointer, ['additionalProperties'], schemas)
}

/** The pointer at which a schema, or one that it is composed of, has a member; the first one if none has it. */
function within(pointer: string, path: readonly string[], schemas: Schemas, depth = 0): string {
  const at = schemas.locate(pointer)
  const wanted = at + path.map((part) => `/${encodePointer(part)}`).join('')
  if (schemas.resolve(wanted) || depth > MAX_LEVELS) return wanted
  const schema = schemas.resolve(at)
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const parts = isObject(schema) ? schema[keyword] : undefined
    for (const index of Array.isArray(parts) ? parts.keys() : []) {
      const found = within(`${at}/${keyword}/${index}`, path, schemas, depth + 1)
      if (schemas.resolve(found)) return found
    }
  }
  return wanted
}

/** Whether a schema allows only objects. One without types counts too, since most bodies are objects. */
export function isObjectAlone(pointer: string, schemas: Schemas): boolean {
  return typesAt(pointer, schemas).every((type) => type === 'object')
}

/**
 * The fields of a form as an object: texts by the types of its properties, and repeated ones as a list. A property whose `encoding`
 * is `deepObject` is written as `card[number]=1`.
 *
 * @param mediaType the pointer of the media type of the form
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
