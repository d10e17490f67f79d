import { isObject } from '../../src/base/formats/json.ts'
import { follow, type Values } from '../public-documents/read-contract.ts'

/** Every member that a schema names, in whichever of its parts and alternatives. */
export function propertiesOf(document: Values, schema: unknown, depth = 0): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>()
  if (depth > 8) return found
  const { properties, allOf, anyOf, oneOf } = follow(document, schema)
  for (const part of [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : [])))
    for (const [name, inner] of propertiesOf(document, part, depth + 1)) found.set(name, inner)
  for (const [name, inner] of Object.entries(isObject(properties) ? properties : {})) found.set(name, inner)
  return found
}

/** The part of a schema that has most names in common with a list of names: the schema itself, or that of a member of an envelope. */
export function partLike(document: Values, schema: unknown, names: readonly string[]): unknown {
  const below = (one: unknown) => [...propertiesOf(document, one).values()]
  const inner = below(schema)
  const shares = (one: unknown) => names.filter((name) => propertiesOf(document, one).has(name)).length
  return [schema, ...inner, ...inner.flatMap(below)].reduce((best, one) => (shares(one) > shares(best) ? one : best))
}

/** A keyword of a schema, or of one of the parts that apply together with it. */
export function keywordOf(document: Values, schema: unknown, keyword: string, depth = 0): unknown {
  const held = follow(document, schema)
  const beside = isObject(schema) ? schema[keyword] : undefined
  if (beside !== undefined || held[keyword] !== undefined) return beside ?? held[keyword]
  const parts = Array.isArray(held.allOf) && depth < 8 ? (held.allOf as unknown[]) : []
  return parts.map((part) => keywordOf(document, part, keyword, depth + 1)).find((value) => value !== undefined)
}

/** The schema of the elements of a list. */
export function itemsOf(document: Values, schema: unknown): unknown {
  return keywordOf(document, schema, 'items')
}

/** `order_id`, `orderId` and `OrderID` are the same name. */
export function plain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()
}

/** Members that a service writes itself, even where the document does not say so: an id, when it was created, which version it is. */
export function isServers(document: Values, name: string, schema: unknown): boolean {
  return keywordOf(document, schema, 'readOnly') === true || SERVERS.test(plain(name))
}

const SERVERS =
  /^(?:id|uuid|guid|sid|version|etag|revision|selflink|self|href|.*(?:creat|updat|modif|insert|delet).*(?:at|on|time|date|stamp|ts)?)$/

export function singular(word: string): string {
  const name = plain(word)
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`
  if (/(?:ss|x|z|ch|sh)es$/.test(name)) return name.slice(0, -2)
  return name.endsWith('s') && !name.endsWith('ss') ? name.slice(0, -1) : name
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : []
}
