import { leastLength, LONGEST_MATCH, LONGEST_TEXT, SHORTEST } from '../contract/schemas/patterns.ts'
import type { Lookup } from '../contract/pointer.ts'
import { conjunctsOf } from '../contract/schemas/shape.ts'
import type { Side } from '../contract/schemas/split-schema.ts'
import { isObject, type Members, stringifyJson } from '../base/formats/json.ts'

/** Why no value can satisfy a schema. */
interface Flaw {
  /** The place in the value. */
  readonly pointer: string
  readonly what: string
}

interface FlawSearch {
  readonly lookup: Lookup
  readonly side: Side
  /** The schemas being searched, the outermost first. */
  readonly ancestors: Set<unknown>
  /** Schemas without a flaw. */
  readonly possible: Set<unknown>
  /** How many more schemas are searched. All others are assumed to be possible. */
  left: number
}

const MAX_SCHEMAS = 5000

/**
 * Why no value can satisfy a schema, such as `/parent leads back to itself, without end`. Only what is certain is reported, so undefined
 * does not mean that there is a value.
 *
 * @param side `readOnly` members are not required in requests, nor `writeOnly` ones in responses
 */
export function whyImpossible(lookup: Lookup, schema: unknown, side: Side): string | undefined {
  const search: FlawSearch = { lookup, side, ancestors: new Set(), possible: new Set(), left: MAX_SCHEMAS }
  const flaw = flawOf(search, schema)
  return flaw && `${flaw.pointer || 'it'} ${flaw.what}`
}

function flawOf(search: FlawSearch, written: unknown): Flaw | undefined {
  const schema = isBareReference(written) ? search.lookup.follow(written) : written
  if (schema === false) return { pointer: '', what: 'may be nothing at all' }
  if (!isObject(schema) || search.possible.has(schema) || --search.left < 0) return undefined
  // A schema that requires itself has no finite value.
  if (search.ancestors.has(schema)) return { pointer: '', what: 'leads back to itself, without end' }
  search.ancestors.add(schema)
  const flaw = flawOfParts(search, conjunctsOf(search.lookup.document, schema))
  search.ancestors.delete(schema)
  if (!flaw) search.possible.add(schema)
  return flaw
}

function isBareReference(schema: unknown): boolean {
  return isObject(schema) && typeof schema.$ref === 'string' && Object.keys(schema).length === 1
}

function flawOfParts(search: FlawSearch, parts: readonly Members[]): Flaw | undefined {
  if (parts.some(({ allOf }) => Array.isArray(allOf) && allOf.includes(false)))
    return { pointer: '', what: 'may be nothing at all' }
  const types = commonTypes(parts)
  if (types.length === 0) return { pointer: '', what: `must be ${describeTypes(parts)} at once` }
  const only = (type: string) => types.length === 1 && types[0] === type
  return (
    flawOfBounds(parts, types) ??
    (only('string') ? flawOfLength(parts) : undefined) ??
    flawOfAlternatives(search, parts) ??
    (only('object') ? flawOfMembers(search, parts) : undefined) ??
    (only('array') ? flawOfElements(search, parts) : undefined)
  )
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

/** An integer is a number too. */
function commonTypes(parts: readonly Members[]): readonly string[] {
  let common: readonly string[] = TYPES
  for (const { type } of parts) {
    if (type === undefined) continue
    const names = [type].flat()
    common = common.filter((one) => names.includes(one) || (one === 'integer' && names.includes('number')))
  }
  return common
}

function describeTypes(parts: readonly Members[]): string {
  const lists = parts.flatMap(({ type }) => (type === undefined ? [] : [[type].flat().map(String).join(' or ')]))
  return [...new Set(lists)].join(' and ')
}

/** Pairs of bounds with the types that they apply to. */
const BOUNDS: readonly (readonly [string, string, readonly string[]])[] = [
  ['minLength', 'maxLength', ['string']],
  ['minItems', 'maxItems', ['array']],
  ['minProperties', 'maxProperties', ['object']],
  ['minimum', 'maximum', ['number', 'integer']],
]

function flawOfBounds(parts: readonly Members[], types: readonly string[]): Flaw | undefined {
  const numbersOf = (name: string) => parts.map((part) => part[name]).filter((held) => typeof held === 'number')
  for (const [least, most, kinds] of BOUNDS) {
    if (!types.every((type) => kinds.includes(type))) continue
    const from = Math.max(...numbersOf(least))
    const to = Math.min(...numbersOf(most))
    if (from > to) return { pointer: '', what: `has a ${least} of ${from} and a ${most} of ${to}` }
  }
  return undefined
}

const NAMED = ['const', 'enum', 'default', 'example', 'examples']

/** Texts that are too long to generate, unless the document has one. */
function flawOfLength(parts: readonly Members[]): Flaw | undefined {
  if (parts.some((part) => NAMED.some((keyword) => part[keyword] !== undefined))) return undefined
  for (const { minLength, pattern } of parts) {
    if (Number(minLength ?? 0) > LONGEST_TEXT) return tooLong(Number(minLength), LONGEST_TEXT)
    const least = typeof pattern === 'string' ? leastLength(pattern, SHORTEST) : 0
    if (least > LONGEST_MATCH) return tooLong(least, LONGEST_MATCH)
  }
  return undefined
}

function tooLong(least: number, most: number): Flaw {
  return {
    pointer: '',
    what: `must have at least ${least} characters, and the mock makes at most ${most} for such a text`,
  }
}

function flawOfAlternatives(search: FlawSearch, parts: readonly Members[]): Flaw | undefined {
  for (const { anyOf, oneOf } of parts) {
    for (const alternatives of [anyOf, oneOf]) {
      if (!Array.isArray(alternatives) || alternatives.length === 0) continue
      const flaws = alternatives.map((one) => flawOf(search, one) ?? flawOfTypes(search, parts, one))
      if (flaws.every((flaw) => flaw !== undefined)) return flaws[0]
    }
    if (Array.isArray(oneOf) && isEachRepeated(search.lookup, oneOf))
      return { pointer: '', what: 'must be exactly one of alternatives, each of which says the same as another' }
  }
  return undefined
}

/** Larger sets of alternatives count as different. */
const MAX_PARTS = 2000
const DEEPEST = 24

/** Whether each alternative equals another one, so that no value can satisfy exactly one. */
function isEachRepeated(lookup: Lookup, alternatives: readonly unknown[]): boolean {
  let left = MAX_PARTS
  /** What a schema, or a map of schemas, asserts: references resolved, members sorted by name. */
  const meaningOf = (value: unknown, isMap: boolean, depth: number): unknown => {
    if (Array.isArray(value)) return value.map((one) => meaningOf(one, false, depth))
    if (!isObject(value) || --left < 0) return value
    const reference = isMap ? undefined : value.$ref
    const asserted = Object.keys(value).filter(
      (name) => isMap || !(name === '$ref' || ANNOTATIONS.has(name) || name.startsWith('x-')),
    )
    const memberOf = (name: string) =>
      !isMap && LITERALS.has(name) ? value[name] : meaningOf(value[name], !isMap && MAPS.has(name), depth + 1)
    const own = Object.fromEntries(asserted.sort().map((name) => [name, memberOf(name)]))
    if (typeof reference !== 'string') return own
    const target = depth < DEEPEST ? meaningOf(lookup.follow(value), false, depth + 1) : reference
    return asserted.length === 0 ? target : { ...own, $ref: target }
  }
  const meanings = alternatives.map((one) => stringifyJson(meaningOf(one, false, 0)))
  return (
    left >= 0 && meanings.length > 1 && meanings.every((one) => meanings.indexOf(one) !== meanings.lastIndexOf(one))
  )
}

/** Keywords that assert nothing. `readOnly` and `writeOnly` change what is required on one side. */
const ANNOTATIONS = new Set([
  ...['title', 'description', 'default', 'example', 'examples', 'deprecated'],
  ...['externalDocs', 'xml', 'discriminator', '$comment'],
])
const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', 'dependentRequired', '$defs'])
const LITERALS = new Set(['const', 'enum'])

/** Whether an alternative has no type in common with the schema around it. */
function flawOfTypes({ lookup }: FlawSearch, around: readonly Members[], alternative: unknown): Flaw | undefined {
  const parts = [...around, ...conjunctsOf(lookup.document, alternative)]
  return commonTypes(parts).length > 0 ? undefined : { pointer: '', what: `must be ${describeTypes(parts)} at once` }
}

function flawOfMembers(search: FlawSearch, parts: readonly Members[]): Flaw | undefined {
  for (const name of new Set(parts.flatMap((part) => requiredOf(search, part)))) {
    for (const part of parts) {
      const pointer = `/${name}`
      if (isShut(part, name)) return { pointer, what: 'is required, and shut out by additionalProperties' }
      const inner =
        isObject(part.properties) && Object.hasOwn(part.properties, name) ? part.properties[name] : undefined
      const flaw = flawOf(search, inner)
      if (flaw) return { pointer: `${pointer}${flaw.pointer}`, what: flaw.what }
    }
  }
  return undefined
}

/** The names that a part requires, without those for the other side of the exchange. */
function requiredOf({ lookup, side }: FlawSearch, { required, properties }: Members): readonly string[] {
  const otherSide = side === 'request' ? 'readOnly' : 'writeOnly'
  const isOtherSide = (name: string) => {
    const held = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
    return [held, lookup.follow(held)].some((one) => isObject(one) && one[otherSide] === true)
  }
  return Array.isArray(required) ? (required as string[]).filter((name) => !isOtherSide(name)) : []
}

function isShut({ additionalProperties, patternProperties, properties }: Members, name: string): boolean {
  const isNamed = isObject(properties) && Object.hasOwn(properties, name)
  return additionalProperties === false && patternProperties === undefined && !isNamed
}

function flawOfElements(search: FlawSearch, parts: readonly Members[]): Flaw | undefined {
  if (!parts.some(({ minItems }) => Number(minItems ?? 0) > 0)) return undefined
  for (const { items, prefixItems } of parts) {
    const flaw = flawOf(search, Array.isArray(prefixItems) ? prefixItems[0] : items)
    if (flaw) return { pointer: `/0${flaw.pointer}`, what: flaw.what }
  }
  return undefined
}
