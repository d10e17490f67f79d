import { shapeOf, typesOf } from '../schemas/shape.ts'
import { isObject, type Members } from '../../base/formats/json.ts'

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

interface DeepReading {
  readonly document: unknown
  /** The texts of a list that was sent as one. */
  listOf(text: string): readonly string[]
}

/**
 * Texts by the paths of their names, such as `card[number]=1` and `expand[]=a`, as objects and lists with the types of their schemas.
 */
export function readDeep(
  fields: readonly (readonly [readonly string[], string])[],
  schema: unknown,
  reading: DeepReading,
): Readonly<Record<string, unknown>> {
  const root: TextTree = new Map()
  for (const [path, text] of fields) insert(root, path, text)
  return membersOf(root, schema, reading)
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

function valueOf(tree: TextTree | string, schema: unknown, reading: DeepReading): unknown {
  const { document, listOf } = reading
  const types = typesOf(document, schema)
  const { items } = shapeOf(document, schema, 'any')
  if (typeof tree === 'string') {
    if (!types.includes('array') || types.includes('string')) return readText(tree, types)
    return listOf(tree).map((text) => readText(text, typesOf(document, items)))
  }
  const isList = types.includes('array') && [...tree.keys()].every((key) => /^\d+$/.test(key))
  if (!isList) return membersOf(tree, schema, reading)
  return [...tree.values()].map((inner) => valueOf(inner, items, reading))
}

function membersOf(tree: TextTree, schema: unknown, reading: DeepReading): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...tree].map(([name, inner]) => [name, valueOf(inner, propertyOf(reading.document, schema, name), reading)]),
  )
}

/** The schema of a member, also of one that the schema has no name for. */
export function propertyOf(document: unknown, schema: unknown, name: string): unknown {
  const { properties, keywords } = shapeOf(document, schema, 'any')
  return properties.get(name) ?? keywords.additionalProperties
}

/** Whether a schema allows only objects. One without types counts too, since most bodies are objects. */
export function isObjectAlone(document: unknown, schema: unknown): boolean {
  return typesOf(document, schema).every((type) => type === 'object')
}

/**
 * The fields of a form as an object: texts by the types of its properties, and repeated ones as a list. A property whose `encoding`
 * is `deepObject` is written as `card[number]=1`.
 */
export function readFields(
  fields: Iterable<readonly [string, unknown]>,
  document: unknown,
  { schema, encoding }: Members,
): Readonly<Record<string, unknown>> {
  const deep: [readonly string[], string][] = []
  const made = new Map<string, unknown>()
  for (const [name, field] of fields) {
    const path = deepPath(name)
    const rule = isObject(encoding) && path ? encoding[path[0] ?? ''] : undefined
    if (path && typeof field === 'string' && isObject(rule) && rule.style === 'deepObject') {
      deep.push([path, field])
      continue
    }
    const property = shapeOf(document, schema, 'any').properties.get(name)
    const types = typesOf(document, property)
    const isList = types.includes('array')
    const inner = isList ? typesOf(document, shapeOf(document, property, 'any').items) : types
    const value = typeof field === 'string' ? readField(field, inner) : field
    const known = made.get(name)
    if (known === undefined) made.set(name, isList ? [value] : value)
    else made.set(name, [...(Array.isArray(known) ? (known as unknown[]) : [known]), value])
  }
  return { ...Object.fromEntries(made), ...readDeep(deep, schema, { document, listOf: (text) => [text] }) }
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
