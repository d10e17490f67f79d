import { memberOf } from '../load/grammar.ts'
import { follow, locate, targetOf } from './lookup.ts'
import { isReference } from '../pointer.ts'
import { encodePointer, isObject } from '../../formats/json.ts'

/** Requests may omit properties that are `readOnly`, responses those that are `writeOnly`. */
export type Side = 'request' | 'response'

/** A schema with every reference, and every large schema inside it, replaced by a reference to a piece of its own. */
interface Piece {
  readonly schema: object | boolean
  /** How many schemas it holds. */
  readonly size: number
}

/** Splits the schemas of a document into pieces that can be compiled one at a time, as values need them. */
export interface Pieces {
  /** The piece at a pointer. In it `$ref` is a pointer, not a URI. */
  at(pointer: string): Piece
  /** The pointer of a schema inside a piece. */
  originOf(schema: object): string | undefined
}

/** A schema that holds more schemas than this becomes a piece of its own. */
const LARGEST_INLINE = 12

/** Keywords that validate nothing. Examples in particular can be larger than the schema. */
const IGNORED = new Set([
  ...['title', 'description', 'default', 'example', 'examples', 'externalDocs', 'xml', 'discriminator'],
  ...['deprecated', 'readOnly', 'writeOnly', '$comment', '$defs', 'definitions'],
])

function isIgnored(keyword: string): boolean {
  return IGNORED.has(keyword) || (keyword.startsWith('x-') && keyword !== 'x-in-words')
}

/** @param side whose `required` members count; both sides' when undefined */
export function createPieces(document: Readonly<Record<string, unknown>>, side: Side | undefined): Pieces {
  const pieces = new Map<string, Piece>()
  const origins = new WeakMap<object, string>()
  const makePiece = (pointer: string): Piece => {
    const { value, pointer: origin } = locate(document, pointer, false)
    if (!isObject(value)) return { schema: value !== false, size: 1 }
    let size = 0
    const copy = (schema: unknown, at: string): unknown => {
      size++
      if (!isObject(schema)) return schema
      const made = Object.fromEntries(Object.entries(schema).flatMap(([name, held]) => copyMember(name, held, at)))
      const required = side === undefined ? undefined : requiredOn(side, document, schema)
      const copied = required === undefined ? made : { ...made, required }
      origins.set(copied, at)
      return copied
    }
    const copyMember = (name: string, held: unknown, at: string): [string, unknown][] => {
      if (isIgnored(name)) return []
      if (name === '$ref' && isReference({ $ref: held })) return [[name, targetOf({ $ref: String(held) })]]
      const member = memberOf('schema', name)
      if (!member || typeof held !== 'object' || held === null) return [[name, held]]
      const inner = `${at}/${encodePointer(name)}`
      if (member.holds === 'one') return [[name, copyOrRefer(held, inner)]]
      if (Array.isArray(held)) return [[name, held.map((one, index) => copyOrRefer(one, `${inner}/${index}`))]]
      const entries = Object.entries(held)
      return [
        [
          name,
          Object.fromEntries(entries.map(([key, one]) => [key, copyOrRefer(one, `${inner}/${encodePointer(key)}`)])),
        ],
      ]
    }
    const copyOrRefer = (schema: unknown, at: string) =>
      countSchemas(schema, LARGEST_INLINE) > LARGEST_INLINE ? { $ref: at } : copy(schema, at)
    const schema = copy(value, origin) as object
    return { schema, size }
  }
  return {
    at(pointer) {
      const piece = pieces.get(pointer) ?? makePiece(pointer)
      pieces.set(pointer, piece)
      return piece
    },
    originOf: (schema) => origins.get(schema),
  }
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

type Values = Readonly<Record<string, unknown>>

/** What a side need not have: OpenAPI 3.0.3, 4.7.24.1, `readOnly` and `writeOnly`. */
const SPARED: Readonly<Record<Side, string>> = { request: 'readOnly', response: 'writeOnly' }

/** The names that a schema requires on one side of an exchange; undefined when it requires the same on both. */
function requiredOn(side: Side, document: Values, { required, properties }: Values): string[] | undefined {
  if (!Array.isArray(required) || !isObject(properties)) return undefined
  const names = required as string[]
  const kept = names.filter((name) => !isSpared(document, properties, name, side))
  return kept.length < names.length ? kept : undefined
}

function isSpared(document: Values, properties: Values, name: string, side: Side): boolean {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined
  if (!isObject(property)) return false
  if (property[SPARED[side]] === true) return true
  const named = follow(document, property)
  return isObject(named) && named[SPARED[side]] === true
}
