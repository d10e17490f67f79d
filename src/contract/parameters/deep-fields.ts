import type { Schemas } from '../schemas/schemas.ts'
import { readText, typesAt } from './style.ts'
import { encodePointer, isObject } from '../../formats/json.ts'

/** Deeper names are cut, so that no name makes a value that is hard to walk. */
const MOST_LEVELS = 8

/** `card[address][city]` as `card`, `address`, `city`; undefined for a name without brackets. */
export function deepPath(name: string): readonly string[] | undefined {
  const mark = name.indexOf('[')
  if (mark <= 0 || !name.endsWith(']')) return undefined
  return [name.slice(0, mark), ...name.slice(mark + 1, -1).split('][')].slice(0, MOST_LEVELS)
}

/** A text, or members by their names. */
type Tree = Map<string, Tree | string>

/**
 * The fields of a form that are written as `card[number]=1` and `expand[]=a`, as objects and lists with the types of their schemas.
 *
 * @param pointer of the schema of the form
 */
export function readDeep(
  fields: readonly (readonly [readonly string[], string])[],
  pointer: string,
  schemas: Schemas,
): Readonly<Record<string, unknown>> {
  const root: Tree = new Map()
  for (const [path, text] of fields) plant(root, path, text)
  const made = [...root].map(([name, tree]) => [name, grow(tree, propertyAt(pointer, name, schemas), schemas)] as const)
  return Object.fromEntries(made)
}

function plant(tree: Tree, [name = '', ...rest]: readonly string[], text: string): void {
  // `expand[]=a&expand[]=b` are two elements.
  const key = name === '' ? String(tree.size) : name
  if (rest.length === 0) {
    tree.set(key, text)
    return
  }
  const held = tree.get(key)
  const inner: Tree = held instanceof Map ? held : new Map<string, Tree | string>()
  tree.set(key, inner)
  plant(inner, rest, text)
}

function grow(tree: Tree | string, pointer: string, schemas: Schemas): unknown {
  const types = typesAt(pointer, schemas)
  if (typeof tree === 'string') return readText(tree, types)
  const isList = types.includes('array') && [...tree.keys()].every((key) => /^\d+$/.test(key))
  if (isList) return [...tree.values()].map((inner) => grow(inner, within(pointer, ['items'], schemas), schemas))
  return Object.fromEntries(
    [...tree].map(([name, inner]) => [name, grow(inner, propertyAt(pointer, name, schemas), schemas)]),
  )
}

function propertyAt(pointer: string, name: string, schemas: Schemas): string {
  const known = within(pointer, ['properties', name], schemas)
  return schemas.resolve(known) ? known : within(pointer, ['additionalProperties'], schemas)
}

/** Where a schema, or one that it is made of, has a member; where it would be when none has it. */
function within(pointer: string, path: readonly string[], schemas: Schemas, depth = 0): string {
  const at = schemas.locate(pointer)
  const wanted = at + path.map((part) => `/${encodePointer(part)}`).join('')
  if (schemas.resolve(wanted) || depth > MOST_LEVELS) return wanted
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
