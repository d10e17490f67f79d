import { rememberingAll } from '../../base/cache.ts'
import { memberOf } from '../load/document-structure.ts'
import { follow, locate, targetOf } from '../pointer.ts'
import { encodePointer, isObject, type Members } from '../../base/formats/json.ts'

/** Requests may omit properties that are `readOnly`, responses those that are `writeOnly`. */
export type Side = 'request' | 'response'

/** A schema in which references, and large schemas, are references to parts of their own. */
interface SplitPart {
  readonly schema: object | boolean
  /** How many schemas it holds. */
  readonly size: number
}

/** Splits the schemas of a document into parts that can be compiled one at a time, as values need them. */
export interface Splitter {
  /** The part at a pointer. In it `$ref` is a pointer, not a URI. */
  at(pointer: string): SplitPart
  /** The pointer of a schema inside a part. */
  originOf(schema: object): string | undefined
}

/** A schema that holds more schemas than this becomes a part of its own. */
const LARGEST_INLINE = 12

/** Keywords that validate nothing. Examples in particular can be larger than the schema. */
const IGNORED = new Set([
  ...['title', 'description', 'default', 'example', 'examples', 'externalDocs', 'xml', 'discriminator'],
  ...['deprecated', 'readOnly', 'writeOnly', '$comment', '$defs', 'definitions'],
])

function isIgnored(keyword: string): boolean {
  return IGNORED.has(keyword) || (keyword.startsWith('x-') && keyword !== 'x-in-words')
}

/** @param side whose `required` members count; those of both sides when undefined */
export function createSplitter(document: Readonly<Record<string, unknown>>, side: Side | undefined): Splitter {
  const origins = new WeakMap<object, string>()
  const at = rememberingAll((pointer: string): SplitPart => {
    const { value, pointer: origin } = locate(document, pointer, false)
    if (!isObject(value)) return { schema: value !== false, size: 1 }
    let size = 0
    const copy = (schema: unknown, at: string): unknown => {
      size++
      if (!isObject(schema)) return schema
      const copyInner = (inner: unknown, pointer: string) =>
        countSchemas(inner, LARGEST_INLINE) > LARGEST_INLINE ? { $ref: pointer } : copy(inner, pointer)
      const members = Object.entries(schema).flatMap(([name, held]) => {
        const member = copyMember(name, held, (inner, below) =>
          copyInner(inner, `${at}/${encodePointer(name)}${below}`),
        )
        const isLenient = name === 'oneOf' && (isIndistinct(document, held) || hasOverlap(document, held))
        return member === undefined ? [] : [[isLenient ? 'anyOf' : name, member] as const]
      })
      const required = side === undefined ? undefined : requiredOn(side, document, schema)
      const copied = { ...Object.fromEntries(members), ...(required && { required }) }
      origins.set(copied, at)
      return copied
    }
    const schema = copy(value, origin) as object
    return { schema, size }
  })
  return { at, originOf: (schema) => origins.get(schema) }
}

/**
 * The copy of a member of a schema; undefined for one that validates nothing.
 *
 * @param copy copies a schema that the member holds; `below` is its pointer from the member on
 */
function copyMember(name: string, held: unknown, copy: (schema: unknown, below: string) => unknown): unknown {
  if (isIgnored(name)) return undefined
  if (name === '$ref' && typeof held === 'string') return targetOf({ $ref: held })
  const member = memberOf('schema', name)
  if (!member || typeof held !== 'object' || held === null) return held
  if (member.holds === 'one') return copy(held, '')
  if (Array.isArray(held)) return held.map((schema, index) => copy(schema, `/${index}`))
  return Object.fromEntries(Object.entries(held).map(([key, schema]) => [key, copy(schema, `/${encodePointer(key)}`)]))
}

/**
 * Whether alternatives are objects that neither require nor forbid a member, as authors write them for "some of these settings". An object
 * with members of one fits the others too, so `oneOf` would refuse every body that clients send, and every item that was created.
 */
function isIndistinct(document: Members, alternatives: unknown, depth = 0): boolean {
  if (!Array.isArray(alternatives) || depth > 2) return false
  return alternatives.every((one) => isOpen(document, follow(document, one), depth))
}

function isOpen(document: Members, schema: unknown, depth: number): boolean {
  if (!isObject(schema) || (schema.type !== undefined && schema.type !== 'object')) return false
  const { type: _type, properties = {}, oneOf, ...others } = schema
  if (Object.keys(others).some((keyword) => !isIgnored(keyword))) return false
  // A member with values of its own tells its alternative from the others.
  const members = isObject(properties) ? Object.values(properties).map((one) => follow(document, one)) : []
  if (members.some((one) => isObject(one) && ('enum' in one || 'const' in one))) return false
  return oneOf === undefined || isIndistinct(document, oneOf, depth + 1)
}

/**
 * Whether a value may fit two alternatives that differ by their type alone: an integer is a number, an empty list one of anything.
 * Generators write `oneOf` so for the union types of Rust, TypeScript and Python, whose values are meant by whichever fits.
 */
function hasOverlap(document: Members, alternatives: unknown): boolean {
  if (!Array.isArray(alternatives)) return false
  const types = alternatives.map((one) => plainTypeOf(document, one))
  const isMany = (of: readonly string[]) => types.filter((type) => type !== undefined && of.includes(type)).length > 1
  return isMany(['array']) || (isMany(['integer', 'number']) && new Set(types).has('number'))
}

/** The type of a schema that says nothing else but a format, or the type of its elements; undefined for another. */
function plainTypeOf(document: Members, schema: unknown): string | undefined {
  const found = follow(document, schema)
  if (!isObject(found)) return undefined
  const { type, format: _format, items, ...others } = found
  if (Object.keys(others).some((keyword) => !isIgnored(keyword)) || typeof type !== 'string') return undefined
  if (type === 'object' || (type !== 'array' && items !== undefined)) return undefined
  return type === 'array' && items !== undefined && plainTypeOf(document, items) === undefined ? undefined : type
}

/** How many schemas a schema holds, itself included; counting stops above `most`. */
function countSchemas(schema: unknown, most: number): number {
  if (!isObject(schema)) return 1
  let count = 1
  for (const [name, held] of Object.entries(schema)) {
    const member = isIgnored(name) ? undefined : memberOf('schema', name)
    if (!member || typeof held !== 'object' || held === null) continue
    for (const one of member.holds === 'one' ? [held] : (Object.values(held) as unknown[])) {
      count += countSchemas(one, most - count)
      if (count > most) return count
    }
  }
  return count
}

/** Members that a side may omit: OpenAPI 3.0.3, 4.7.24.1. */
const OMITTED: Readonly<Record<Side, string>> = { request: 'readOnly', response: 'writeOnly' }

/** The names that a schema requires on one side of an exchange; undefined when it requires the same on both. */
function requiredOn(side: Side, document: Members, { required, properties }: Members): string[] | undefined {
  if (!Array.isArray(required) || !isObject(properties)) return undefined
  const names = required as string[]
  const kept = names.filter((name) => !mayOmit(document, properties, name, side))
  return kept.length < names.length ? kept : undefined
}

function mayOmit(document: Members, properties: Members, name: string, side: Side): boolean {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined
  if (!isObject(property)) return false
  if (property[OMITTED[side]] === true) return true
  const named = follow(document, property)
  return isObject(named) && named[OMITTED[side]] === true
}
