import type { Lookup } from '../contract/pointer.ts'
import { asList, isObject, type Members } from '../base/formats/json.ts'
import { isOnlyTrue } from '../contract/schemas/shape.ts'

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

interface Merged {
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
 * resolves these too, but it loses `anyOf` and `properties` beside a `$ref`.
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
  for (const part of asList(allOf)) add(part)
  for (const alternatives of [asList(oneOf), asList(anyOf)])
    if (alternatives.length > 0) add(pick(alternatives, merged.trail, options))
  return merged
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/**
 * Prefers alternatives that are not null, say what they are, do not lead back to a schema of the trail, are not what remains of a deleted
 * item, and are ids instead of items.
 */
function pick(alternatives: readonly unknown[], { schemas }: Trail, { lookup, choose }: MergeOptions): unknown {
  const ids = idsAmong(lookup, alternatives)
  const open = (ids.length > 0 ? ids : alternatives).filter((one) => {
    const target = lookup.follow(one)
    return (
      !schemas.includes(target) &&
      !(isObject(target) && (target.type === 'null' || 'not' in target || isDeleted(target)))
    )
  })
  const candidates = open.length > 0 ? open : alternatives
  return candidates[choose(candidates.length)]
}

/** `{ id, deleted: true }`, which services show of an item that was deleted. */
function isDeleted({ properties, required }: Members): boolean {
  const mark = isObject(properties) ? properties.deleted : undefined
  return isObject(mark) && isOnlyTrue(mark) && asList(required).includes('deleted')
}

/**
 * The alternatives that are ids, where the others are the items that have them: services show `customer: 'cus_1'`, and the customer itself
 * where a request asks for it with `expand`. Empty for other alternatives.
 */
export function idsAmong({ follow }: Pick<Lookup, 'follow'>, alternatives: readonly unknown[]): readonly unknown[] {
  const targets = alternatives.map((one) => follow(one)).filter((one) => isObject(one) && one.type !== 'null')
  const [items, ids] = [true, false].map((isItem) =>
    targets.filter((one) => (isObject(one) && isObject(one.properties)) === isItem),
  ) as [Members[], Members[]]
  const haveIds = items.every(({ properties }) => isObject(properties) && isObject(properties.id))
  const areIds = ids.every((one) => (one.type === 'string' || one.type === 'integer') && one.enum === undefined)
  // Two texts beside an item are no ids: one that fits both fits no `oneOf`.
  const areDistinct = new Set(ids.map((one) => one.type)).size === ids.length
  return items.length > 0 && haveIds && areIds && areDistinct ? ids : []
}

/** For a keyword in both, `other` wins; contradictory bounds are rare and the result is validated. */
function combine(one: MergedSchema, other: MergedSchema): MergedSchema {
  const required = [...new Set([...(one.required ?? []), ...(other.required ?? [])])]
  const properties = combineProperties(one.properties, other.properties)
  const shared = other.enum?.filter((value) => one.enum?.includes(value) === true) ?? []
  return {
    ...one,
    ...other,
    ...(shared.length === 0 ? {} : { enum: shared }),
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
