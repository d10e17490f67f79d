import type { Lookup } from '../contract/schemas/lookup.ts'
import { isObject } from '../formats/json.ts'

/** A schema without references and compositions: what is left is what one value must be. */
export interface FlatSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly [keyword: string]: unknown
}

/** What has been gone through on the way to a schema, so that those that hold themselves come to an end. */
export interface Trail {
  /** The schemas of the document, references followed. */
  readonly schemas: readonly unknown[]
  /** What the last of them that has a name is called: `Person` of `#/components/schemas/Person`. */
  readonly owner: string
}

export interface Flat {
  readonly schema: FlatSchema
  readonly trail: Trail
}

interface Flattening {
  readonly lookup: Lookup
  /** Chooses one of so many alternatives. */
  choose(count: number): number
}

/** References to references, and compositions of compositions. */
const DEEPEST = 24

/** One schema of what a schema refers to and is composed of, with one of each set of alternatives chosen. */
export function flatten(schema: unknown, trail: Trail, how: Flattening, depth = 0): Flat {
  if (!isObject(schema) || depth > DEEPEST) return { schema: {}, trail }
  const { $ref: reference, allOf, oneOf, anyOf, ...own } = schema
  let flat: Flat = { schema: own, trail }
  const add = (part: unknown) => {
    const next = flatten(part, flat.trail, how, depth + 1)
    flat = { schema: combine(flat.schema, next.schema), trail: next.trail }
  }
  if (typeof reference === 'string') {
    const target = how.lookup.follow(schema)
    flat = { ...flat, trail: { schemas: [...trail.schemas, target], owner: nameOf(reference) } }
    add(target)
  }
  for (const part of listOf(allOf)) add(part)
  for (const alternatives of [listOf(oneOf), listOf(anyOf)]) {
    if (alternatives.length > 0) add(chosen(alternatives, flat.trail, how))
  }
  const isChosen = listOf(oneOf).length + listOf(anyOf).length > 0
  return { ...flat, schema: discriminated(flat, schema.discriminator, { ...how, isChosen }) }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** Null is the least telling alternative, and one that leads back to where we are never ends. */
function chosen(alternatives: readonly unknown[], { schemas }: Trail, { lookup, choose }: Flattening): unknown {
  const open = alternatives.filter((one) => {
    const target = lookup.follow(one)
    return !schemas.includes(target) && !(isObject(target) && target.type === 'null')
  })
  const candidates = open.length > 0 ? open : alternatives
  return candidates[choose(candidates.length)]
}

interface Telling {
  readonly lookup: Lookup
  /** Whether there were alternatives, of which the trail's owner is the one that was chosen. */
  readonly isChosen: boolean
}

/** The member that tells alternatives apart names the one that was chosen. */
function discriminated({ schema, trail }: Flat, discriminator: unknown, { lookup, isChosen }: Telling): FlatSchema {
  if (!isObject(discriminator) || typeof discriminator.propertyName !== 'string') return schema
  const { propertyName, mapping } = discriminator
  const known = lookup.follow(schema.properties?.[propertyName])
  if (isObject(known) && (known.const !== undefined || known.enum !== undefined)) return schema
  const names = isObject(mapping) ? Object.entries(mapping) : []
  const named = names.find(([, place]) => typeof place === 'string' && nameOf(place) === trail.owner)
  // What the mapping does not name is named by its schema; a parent that names its children is none of them.
  const name = named?.[0] ?? (isChosen || names.length === 0 ? trail.owner : '')
  if (name === '') return schema
  return { ...schema, properties: { ...schema.properties, [propertyName]: { type: 'string', const: name } } }
}

/** What both ask for, as far as it can be told without trying. */
function combine(one: FlatSchema, other: FlatSchema): FlatSchema {
  const required = [...new Set([...(one.required ?? []), ...(other.required ?? [])])]
  const properties = combineMembers(one.properties, other.properties)
  const type = combineLists(one.type === undefined ? undefined : [one.type].flat(), typesOf(other))
  const values = combineLists(one.enum, other.enum)
  return {
    ...one,
    ...other,
    ...bounds(one, other),
    ...(type === undefined ? {} : { type }),
    ...(values === undefined ? {} : { enum: values }),
    ...(properties === undefined ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  }
}

function typesOf({ type }: FlatSchema): readonly string[] | undefined {
  return type === undefined ? undefined : [type].flat()
}

function combineMembers(one: FlatSchema['properties'], other: FlatSchema['properties']): FlatSchema['properties'] {
  if (!one || !other) return one ?? other
  const both = Object.keys(other).filter((name) => Object.hasOwn(one, name))
  return { ...one, ...other, ...Object.fromEntries(both.map((name) => [name, { allOf: [one[name], other[name]] }])) }
}

function combineLists<T>(one: readonly T[] | undefined, other: readonly T[] | undefined): readonly T[] | undefined {
  if (!one || !other) return one ?? other
  const both = one.filter((element) => other.includes(element))
  return both.length > 0 ? both : other
}

const LEAST = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const MOST = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']

function bounds(one: FlatSchema, other: FlatSchema): Record<string, number> {
  const tighter = (names: readonly string[], choose: (a: number, b: number) => number) =>
    names.flatMap((name): [string, number][] => {
      const [a, b] = [one[name], other[name]]
      return typeof a === 'number' && typeof b === 'number' ? [[name, choose(a, b)]] : []
    })
  return Object.fromEntries([...tighter(LEAST, Math.max), ...tighter(MOST, Math.min)])
}
