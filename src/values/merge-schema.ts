import type { Lookup } from '../contract/pointer.ts'
import { isObject } from '../base/formats/json.ts'

/** A schema without references and compositions. */
export interface MergedSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly [keyword: string]: unknown
}

/** The first example of a schema, or else its default. A default list without elements is what clients leave out. */
export function exampleOf({ example, examples, default: byDefault }: MergedSchema): unknown {
  const usual = Array.isArray(byDefault) && byDefault.length === 0 ? undefined : byDefault
  return example ?? (Array.isArray(examples) ? (examples as readonly unknown[])[0] : undefined) ?? usual ?? undefined
}

/** The schemas on the way to a value, used to stop recursion. */
export interface Trail {
  /** Schemas of the document, references resolved. */
  readonly schemas: readonly unknown[]
  /** The name of the last one that has a name: `Person` for `#/components/schemas/Person`. */
  readonly owner: string
}

export interface Merged {
  readonly schema: MergedSchema
  readonly trail: Trail
}

interface MergeOptions {
  readonly lookup: Lookup
  /** Returns an index below `count`. */
  choose(count: number): number
}

/** Limits references to references and compositions of compositions. */
const MAX_DEPTH = 24

/**
 * Merges a schema with the schemas that it refers to or is composed of, and picks one of each set of alternatives. json-schema-faker
 * resolves these too, but it loses `anyOf` and `properties` beside a `$ref`, and knows no discriminators.
 */
export function mergeSchema(schema: unknown, trail: Trail, options: MergeOptions, depth = 0): Merged {
  if (!isObject(schema) || depth > MAX_DEPTH) return { schema: {}, trail }
  const { $ref: reference, allOf, oneOf, anyOf, ...own } = schema
  let merged: Merged = { schema: own, trail }
  const add = (part: unknown) => {
    const next = mergeSchema(part, merged.trail, options, depth + 1)
    merged = { schema: combine(merged.schema, next.schema), trail: next.trail }
  }
  if (typeof reference === 'string') {
    const target = options.lookup.follow(schema)
    merged = { ...merged, trail: { schemas: [...trail.schemas, target], owner: nameOf(reference) } }
    add(target)
  }
  for (const part of listOf(allOf)) add(part)
  const sets = [listOf(oneOf), listOf(anyOf)].filter((alternatives) => alternatives.length > 0)
  for (const alternatives of sets) add(pick(alternatives, merged.trail, options))
  return { ...merged, schema: withDiscriminator(merged, schema.discriminator, options.lookup, sets.length > 0) }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** Prefers alternatives that are not null and do not lead back to a schema of the trail. */
function pick(alternatives: readonly unknown[], { schemas }: Trail, { lookup, choose }: MergeOptions): unknown {
  const open = alternatives.filter((one) => {
    const target = lookup.follow(one)
    return !schemas.includes(target) && !(isObject(target) && target.type === 'null')
  })
  const candidates = open.length > 0 ? open : alternatives
  return candidates[choose(candidates.length)]
}

/** @param isChosen whether the owner of the trail is an alternative that was picked */
function withDiscriminator(
  { schema, trail: { owner } }: Merged,
  discriminator: unknown,
  lookup: Lookup,
  isChosen: boolean,
): MergedSchema {
  if (!isObject(discriminator) || typeof discriminator.propertyName !== 'string') return schema
  const { propertyName, mapping } = discriminator
  const known = lookup.follow(schema.properties?.[propertyName])
  if (isObject(known) && (known.const !== undefined || known.enum !== undefined)) return schema
  const names = isObject(mapping) ? Object.entries(mapping) : []
  const named = names.find(([, place]) => typeof place === 'string' && nameOf(place) === owner)
  // An alternative outside the mapping has the name of its schema; a parent that maps its children has none.
  const name = named?.[0] ?? (isChosen || names.length === 0 ? owner : '')
  if (name === '') return schema
  return { ...schema, properties: { ...schema.properties, [propertyName]: { type: 'string', const: name } } }
}

/** For a keyword in both, `other` wins; contradictory bounds are rare and the result is validated. */
function combine(one: MergedSchema, other: MergedSchema): MergedSchema {
  const required = [...new Set([...(one.required ?? []), ...(other.required ?? [])])]
  const properties = combineProperties(one.properties, other.properties)
  return {
    ...one,
    ...other,
    ...(properties === undefined ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  }
}

function combineProperties(
  one: MergedSchema['properties'],
  other: MergedSchema['properties'],
): MergedSchema['properties'] {
  if (!one || !other) return one ?? other
  const both = Object.keys(other).filter((name) => Object.hasOwn(one, name))
  return { ...one, ...other, ...Object.fromEntries(both.map((name) => [name, { allOf: [one[name], other[name]] }])) }
}
