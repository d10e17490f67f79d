import { generateSync, type JsonSchema } from 'json-schema-faker'
import { chanceKey } from '../engine/random.ts'
import type { Lookup } from '../contract/pointer.ts'
import { isJson } from '../contract/media-type.ts'
import { isObject, stringifyJson } from '../base/formats/json.ts'
import { plainName } from '../base/formats/names.ts'
import { asksForValue, askedValue, isChosen } from './asked/asked-value.ts'
import { believableBoolean, believableNumber, leastNumber } from './believable-number.ts'
import { believableText, isMeaningful, propertyName } from './believable-text.ts'
import { constantOf } from './constants.ts'
import { fakerFor } from './faker.ts'
import { instantOf } from './formats.ts'
import {
  firstStatus,
  idLike,
  numberLike,
  isNothingYet,
  isOwnId,
  newBoolean,
  anotherId,
  tellsEvent,
} from './new-values.ts'
import { exampleOf, type MergedSchema, mergeSchema, type Trail } from './merge-schema.ts'

export interface ValueStyle {
  /** Whether examples and defaults of schemas are used. */
  readonly examples: boolean
  readonly requiredOnly: boolean
  /** How many alternatives further than the one that was drawn. */
  readonly turn: number
  /**
   * What is made up. By default all of it is believable; with `little`, it is as of something new: null and the first status are
   * preferred, dates are the run's, nothing is counted, and ids are not those of examples; with `nothing`, enumerations have their first
   * value, numbers the least, and free texts are empty too.
   */
  readonly invents?: 'little' | 'nothing'
}

export interface ValueOptions {
  readonly lookup: Lookup
  /** What chance depends on, together with the place of each value. */
  readonly key: number
  /** Epoch ms. */
  readonly now: number
}

/** More values, or deeper ones, are generated only where they are required. */
export const MAX_VALUES = 2000
const MAX_OPTIONAL_DEPTH = 6
const MAX_DEPTH = 12
const MAX_ELEMENTS = 100

/** What can stand at one place of a value instead of what was drawn. */
export type Slot = { readonly choices: readonly unknown[] } | ScalarSlot

export interface ScalarSlot {
  readonly schema: MergedSchema
  /** Whether the document says what is drawn, so that nothing is made of that. */
  readonly isExact: boolean
  /** Equal seeds give equal values. */
  draw(seed: number): unknown
}

/** The making of one value. */
export interface ValueRun extends ValueOptions {
  readonly style: ValueStyle
  /**
   * Set for documents that are kept: filled with the places, as pointers without escapes, that may be drawn again. Such a document
   * has no `writeOnly` members.
   */
  readonly slots?: Map<string, Slot>
  /** Filled with the pointers of values that the document itself gives, without escapes. */
  readonly given?: string[]
  /** What the references in prepared schemas lead to, by their number. */
  readonly targets: (() => JsonSchema)[]
  left: number
}

/** Where a value lies. */
export interface ValuePlace {
  readonly pointer: string
  /** The name of the nearest property. */
  readonly name: string
  readonly depth: number
  readonly trail: Trail
}

/** @param place called for each value that the schema is used for, since the elements of an array share one schema */
export function refer(run: ValueRun, schema: unknown, place: () => ValuePlace): JsonSchema {
  return { $ref: String(run.targets.push(() => prepare(run, schema, place())) - 1) }
}

function inside({ pointer, depth }: ValuePlace, part: string | number, name: string, trail: Trail): ValuePlace {
  return { pointer: `${pointer}/${part}`, name, depth: depth + 1, trail }
}

function drawOne({ key }: ValueRun, purpose: string, count: number): number {
  return count < 2 ? 0 : chanceKey(key, purpose) % count
}

/** What json-schema-faker makes one value of: a schema without compositions, with references to the schemas of its members. */
function prepare(run: ValueRun, written: unknown, place: ValuePlace): JsonSchema {
  if (written === false || place.depth > MAX_DEPTH) return { const: null }
  const isMinimal = run.style.requiredOnly || place.depth >= MAX_OPTIONAL_DEPTH || run.left <= 0
  run.left--
  const { schema, trail } = mergeSchema(written, place.trail, {
    lookup: run.lookup,
    // The first of several alternatives is the usual one, so the first element of a list is of that.
    choose: (count) =>
      ((isMinimal || place.pointer.endsWith('/0') ? 0 : drawOne(run, `${place.pointer}?`, count)) + run.style.turn) %
      count,
  })
  if (schema.const !== undefined) {
    run.given?.push(place.pointer)
    return { const: schema.const }
  }
  const own =
    isChosen(schema) && run.style.invents !== 'nothing' ? chosenValue(run, schema, { ...place, trail }) : undefined
  if (own) return own
  // A default is what clients leave out, not what documents are like.
  // An id keeps the style of its example, also where an example beside it breaks its schema.
  const isShown = run.style.examples || (run.style.turn === 0 && !run.slots && isOwnId(place.name, trail.owner))
  const { invents } = run.style
  // No two accounts share their number, whose check digits a copy with other digits would not have.
  const isOwn = invents === 'little' && /iban$/i.test(place.name)
  // `is_completed: true` is of something that is not new.
  const isLater = invents === 'little' && typeOf(schema) === 'boolean' && tellsEvent(place.name)
  const example =
    isShown && !isOwn && !isLater
      ? exampleOf(run.slots || asksForValue(schema) ? { ...schema, default: undefined } : schema)
      : undefined
  if (example !== undefined) {
    const key = chanceKey(run.key, place.pointer)
    const isNew = invents === 'little' && isOwnId(place.name, trail.owner)
    const number = invents === 'little' ? numberLike(place.name, example, { key, pattern: schema.pattern }) : undefined
    const another = number ?? (isNew ? idLike(example, schema, key) : anotherId(example, schema, place, key))
    if (another === undefined) run.given?.push(place.pointer)
    return { const: another ?? example }
  }
  if (schema.enum && schema.enum.length > 0) {
    const values = schema.enum.filter((value) => value !== null)
    run.slots?.set(place.pointer, { choices: values.length > 0 ? values : [null] })
    const first =
      invents === 'little' ? firstStatus(values) : values[invents ? 0 : drawOne(run, place.pointer, values.length)]
    return { const: first ?? null }
  }
  if (invents && [schema.type].flat().includes('null')) return { const: null }
  const at = { ...place, trail }
  const { contentSchema, contentMediaType } = schema
  if (contentSchema !== undefined && typeof contentMediaType === 'string' && isJson(contentMediaType))
    return { believable: () => jsonText(run, contentSchema, at) }
  switch (typeOf(schema)) {
    case 'object':
      return prepareObject(run, schema, at, isMinimal)
    case 'array':
      return prepareArray(run, schema, at, isMinimal)
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      run.slots?.set(place.pointer, {
        schema,
        isExact: asksForValue(schema),
        draw: (seed) => drawScalar(run, schema, at, seed),
      })
      return { believable: () => drawScalar(run, schema, at, chanceKey(run.key, at.pointer)) }
    default:
      return { const: null }
  }
}

/** What the user's settings make of a schema, in place of examples and enumerations; undefined where that does not fit. */
function chosenValue(
  run: ValueRun,
  schema: MergedSchema,
  { pointer, name, trail }: ValuePlace,
): JsonSchema | undefined {
  const local = fakerFor(run.lookup.document)
  const draw = (seed: number) => askedValue({ name, owner: trail.owner, schema, seed, now: run.now, local })
  const first = draw(chanceKey(run.key, pointer))
  if (first === undefined) return undefined
  run.slots?.set(pointer, { schema, isExact: true, draw: (seed) => draw(seed) ?? first })
  return { believable: () => first }
}

/** A text that is the JSON of another value, as the data of an event. */
function jsonText(run: ValueRun, schema: unknown, place: ValuePlace): string {
  const value = generateSync(
    refer(run, schema, () => inside(place, 'content', '', { schemas: [], owner: '' })),
    {
      seed: chanceKey(run.key, `${place.pointer} content`),
      optionalsProbability: 1,
      maxDepth: Infinity,
      refResolver: (reference) => run.targets[Number(reference)]?.() ?? {},
    },
  )
  return stringifyJson(value)
}

function drawScalar(run: ValueRun, schema: MergedSchema, place: ValuePlace, seed: number): unknown {
  const { name, trail } = place
  const {
    now,
    style: { invents },
  } = run
  const hint = { name, owner: trail.owner, schema, seed, now, local: fakerFor(run.lookup.document) }
  const type = typeOf(schema)
  const asked = invents === 'nothing' ? undefined : askedValue(hint)
  if (asked !== undefined) return asked
  if (type === 'boolean') return invents ? invents === 'little' && newBoolean(name) : believableBoolean(hint)
  if (type !== 'string') {
    // The elements of a list are numbered from 0.
    const [, at] = name === 'index' ? (/\/(\d+)\/index$/.exec(place.pointer) ?? []) : []
    if (at !== undefined && run.style.turn === 0) return Number(at)
    const isLeast = invents === 'nothing' || (invents === 'little' && isNothingYet(name))
    return isLeast ? leastNumber(schema, type === 'integer') : believableNumber(hint, type === 'integer')
  }
  const { format, pattern, minLength } = schema
  const number = run.slots ? numberLike(name, exampleOf(schema), { key: seed, pattern }) : undefined
  if (number !== undefined) return number
  const instant = invents ? instantOf(format, now) : undefined
  if (instant !== undefined) return instant
  const isFree = format === undefined && pattern === undefined && minLength === undefined
  if (invents === 'nothing' && isFree) return ''
  // Nothing is known of such a text but its example.
  const example = run.slots && isFree && !isMeaningful(name) ? exampleOf(schema) : undefined
  return typeof example === 'string' ? example : believableText(hint)
}

/** Keywords that imply a type where the schema has none. A schema that says nothing is an object. */
const IMPLIED: readonly (readonly [string, readonly string[]])[] = [
  ['object', ['properties']],
  ['array', ['items', 'prefixItems']],
  ['number', ['minimum', 'maximum', 'multipleOf', 'exclusiveMinimum']],
  ['string', ['pattern', 'format', 'minLength', 'maxLength']],
]

function typeOf(schema: MergedSchema): string {
  const types = schema.type === undefined ? [] : [schema.type].flat()
  const first = types.find((type) => type !== 'null') ?? types[0]
  if (first !== undefined) return first
  if (isObject(schema.additionalProperties)) return 'object'
  return IMPLIED.find(([, keywords]) => keywords.some((keyword) => schema[keyword] !== undefined))?.[0] ?? 'object'
}

function prepareObject(run: ValueRun, schema: MergedSchema, place: ValuePlace, isMinimal: boolean): JsonSchema {
  const { properties = {}, required = [], additionalProperties, minProperties, dependentRequired } = schema
  const others = isObject(additionalProperties) ? additionalProperties : { type: 'string' }
  const isLeftOut = (name: string) => run.slots !== undefined && isWriteOnly(run, properties[name])
  const isWanted = (name: string) =>
    !isLeftOut(name) &&
    (required.includes(name) ||
      (!isMinimal && isWorthwhile(run, properties[name], place.trail) && !(run.slots && isPage(run, properties[name]))))
  const known = Object.keys(properties)
  const named = [...known.filter(isWanted), ...required.filter((name) => !Object.hasOwn(properties, name))]
  const isMap = isObject(additionalProperties) && known.length === 0
  const least = Math.max(Number(minProperties ?? 0) - named.length, isMap && !isMinimal ? 2 : 0)
  const more = isObject(schema.patternProperties) ? 0 : Math.min(least, MAX_ELEMENTS)
  const added = Array.from({ length: more }, (_, at) => propertyName(chanceKey(run.key, `${place.pointer}/*${at}`)))
  const member = (name: string): [string, JsonSchema] => {
    const own = Object.hasOwn(properties, name) ? properties[name] : others
    const constant = constantOf(name, run.lookup.follow(own), schema, place.trail.owner)
    const inner = constant === undefined ? own : { const: constant }
    return [name, refer(run, inner, () => inside(place, name, name, place.trail))]
  }
  return {
    type: 'object',
    properties: Object.fromEntries([...new Set([...named, ...added])].map(member)),
    required: required.filter((name) => !isLeftOut(name)),
    ...(isObject(dependentRequired) ? { dependentRequired: dependentRequired as Record<string, string[]> } : {}),
    ...(isObject(schema.patternProperties) ? preparePatterns(run, schema, place) : {}),
  }
}

/** json-schema-faker invents names for the patterns when there are too few members. */
function preparePatterns(
  run: ValueRun,
  { patternProperties, minProperties, additionalProperties }: MergedSchema,
  place: ValuePlace,
) {
  const schemas = Object.entries(patternProperties as Readonly<Record<string, unknown>>)
  const patterns = schemas.map(([pattern, inner]): [string, JsonSchema] => [
    pattern,
    refer(run, inner, () => inside(place, pattern, place.name, place.trail)),
  ])
  return {
    patternProperties: Object.fromEntries(patterns),
    minProperties: Math.min(Number(minProperties ?? 0), MAX_ELEMENTS),
    additionalProperties: additionalProperties !== false,
  }
}

/** Optional properties are left out when they are only for requests, forbidden, deprecated or recursive. */
function isWorthwhile({ lookup }: ValueRun, schema: unknown, { schemas }: Trail): boolean {
  const target = lookup.follow(schema)
  if (!isObject(target)) return target === true
  return target.writeOnly !== true && target.deprecated !== true && !schemas.includes(target)
}

/**
 * A page of a list, such as `{ data: […], has_more: false }`. Services show it in an item where a request asks for it; the list has a path
 * of its own.
 */
function isPage({ lookup }: ValueRun, schema: unknown): boolean {
  const target = lookup.follow(schema)
  const members = isObject(target) && isObject(target.properties) ? Object.entries(target.properties) : []
  return (
    members.some(([name]) => /^(has)?(more|next)(page|items|results|url)?$/.test(plainName(name))) &&
    members.some(([, member]) => isObject(member) && isObject(lookup.follow(member.items)))
  )
}

function isWriteOnly({ lookup }: ValueRun, schema: unknown): boolean {
  return [schema, lookup.follow(schema)].some((one) => isObject(one) && one.writeOnly === true)
}

function prepareArray(run: ValueRun, schema: MergedSchema, place: ValuePlace, isMinimal: boolean): JsonSchema {
  const { minItems = 0, maxItems = MAX_ELEMENTS, prefixItems, items, contains, uniqueItems } = schema
  const { trail, name } = place
  const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : []
  const isRecursive = trail.schemas.includes(run.lookup.follow(items))
  const most = items === false ? first.length : Math.min(Number(maxItems), MAX_ELEMENTS)
  // A list without elements shows nothing, so only what has no end is empty.
  const isEndless = place.depth >= MAX_DEPTH - 2 || run.left <= 0
  const least = run.style.invents === undefined && !run.slots && !isEndless ? 1 : 0
  const usual = isRecursive
    ? 0
    : isMinimal
      ? least
      : run.style.invents === 'little'
        ? 1
        : 1 + ((drawOne(run, `${place.pointer}#`, 3) + run.style.turn) % 3)
  const length = Math.min(Math.max(Number(minItems), first.length, usual), most)
  let count = first.length
  return {
    type: 'array',
    ...(first.length === 0
      ? {}
      : { prefixItems: first.map((one, at) => refer(run, one, () => inside(place, at, name, trail))) }),
    items: items !== false && refer(run, items ?? contains ?? {}, () => inside(place, count++, name, trail)),
    minItems: length,
    maxItems: length,
    // Lists rarely repeat an element.
    uniqueItems: uniqueItems === true || (first.length === 0 && Number(minItems) < 2),
  }
}
