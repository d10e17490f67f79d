import { followOnce, isReference } from '../pointer.ts'
import { asList, isObject, type Members } from '../../base/formats/json.ts'

/** One level of a schema, with references followed and `allOf` merged. It is read, not compiled: nothing is validated. */
export interface Shape {
  /** The allowed types; empty for any. */
  readonly types: ReadonlySet<string>
  /** The schemas of its members, by name. */
  readonly properties: ReadonlyMap<string, unknown>
  readonly required: ReadonlySet<string>
  /** The schema of its elements. */
  readonly items: unknown
  /** Whether it allows no other members. */
  readonly isClosed: boolean
  /** All other keywords; the later of equal ones. */
  readonly keywords: Readonly<Record<string, unknown>>
}

/** Which alternative of `anyOf` or `oneOf` is read: the one of a number (modulo their count), or all of them as optional. */
export type Branch = number | 'any'

/** Limits schemas that are composed of themselves. */
const MAX_STEPS = 32

/**
 * Reads one level of a schema of a document that has only local references.
 *
 * @example shapeOf(document, { $ref: '#/components/schemas/Error' }).properties.has('message')
 */
export function shapeOf(document: unknown, schema: unknown, branch: Branch = 0): Shape {
  if (!isObject(schema)) return readShape(document, schema, branch)
  const known = shapes.get(schema) ?? new Map<Branch, KnownShape>()
  const found = known.get(branch)
  if (found && found.document === document) return found.shape
  const shape = readShape(document, schema, branch)
  shapes.set(schema, known.set(branch, { document, shape }))
  return shape
}

interface KnownShape {
  readonly document: unknown
  readonly shape: Shape
}

/** By schema. Documents are not changed after they were loaded, and each response asks for the same shapes. */
const shapes = new WeakMap<object, Map<Branch, KnownShape>>()

function readShape(document: unknown, schema: unknown, branch: Branch): Shape {
  const parts = partsOf(document, schema, branch, MAX_STEPS)
  const properties = new Map<string, unknown>()
  const required = new Set<string>()
  const keywords: Record<string, unknown> = {}
  for (const { asserted, isOptional } of parts) {
    const { properties: members, required: names, ...rest } = asserted
    if (isObject(members))
      for (const [name, inner] of Object.entries(members))
        properties.set(name, isOptional ? eitherOf(properties.get(name), inner) : inner)
    if (Array.isArray(names) && !isOptional) for (const name of names) required.add(String(name))
    Object.assign(keywords, rest)
  }
  // Some schemas require members that they do not describe.
  const names = parts.flatMap(({ asserted }) => (Array.isArray(asserted.required) ? asserted.required.map(String) : []))
  // A schema that describes no member at all allows others besides.
  if (properties.size > 0) for (const name of names) if (!properties.has(name)) properties.set(name, ANYTHING)
  // What applies to every value decides; of alternatives, each may.
  const typesIn = (one: AssertedPart) => [one.asserted.type].flat().filter((type) => typeof type === 'string')
  const common = parts.findLast((one) => !one.isOptional && typesIn(one).length > 0)
  const types = common ? typesIn(common) : parts.flatMap(typesIn)
  const isClosed = keywords.additionalProperties === false || keywords.unevaluatedProperties === false
  return { types: new Set(types), properties, required, items: keywords.items, isClosed, keywords }
}

const ANYTHING = {}

/** A member that alternatives have different schemas for. */
function eitherOf(one: unknown, other: unknown): unknown {
  const alternatives: unknown[] = isObject(one) && EITHER in one && Array.isArray(one.anyOf) ? one.anyOf : [one]
  if (one === undefined || alternatives.some((known) => isSameSchema(known, other))) return one ?? other
  return { anyOf: [...alternatives, other], [EITHER]: true }
}

const EITHER = Symbol('alternatives')

/** Whether two schemas are one, or refer to one. */
export function isSameSchema(one: unknown, other: unknown): boolean {
  return one === other || (isReference(one) && isReference(other) && one.$ref === other.$ref)
}

/** Whether a value may be a number, and the schema says so. */
export function isNumeric({ types }: Pick<Shape, 'types'>): boolean {
  return types.has('integer') || types.has('number')
}

/** Whether a shape allows values of a type. */
export function allows({ types }: Shape, type: string): boolean {
  return types.size === 0 || types.has(type) || (type === 'integer' && types.has('number'))
}

/** The only value that keywords allow; undefined where there are several. */
export function onlyValue({ const: only, enum: values }: Members): unknown {
  return only ?? (Array.isArray(values) && values.length === 1 ? (values[0] as unknown) : undefined)
}

/** Whether a value can only be true, as a mark that some items have. */
export function isOnlyTrue(keywords: Members): boolean {
  return onlyValue(keywords) === true
}

/** The schema, what it refers to, and the parts of its `allOf`: a value has to satisfy all of them. */
export function conjunctsOf(document: unknown, schema: unknown, seen = new Set<unknown>()): readonly Members[] {
  if (!isObject(schema) || seen.has(schema)) return []
  seen.add(schema)
  const parts = [followOnce(document, schema), ...asList(schema.allOf)]
  return [schema, ...parts.flatMap((part) => conjunctsOf(document, part, seen))]
}

/** Remembers with each schema what is read of it. Documents do not change after they are loaded. */
export function readBySchema<Made>(
  read: (document: unknown, schema: unknown) => Made,
): (document: unknown, schema: unknown) => Made {
  const known = new WeakMap<object, { readonly document: unknown; readonly made: Made }>()
  return (document, schema) => {
    if (!isObject(schema)) return read(document, schema)
    const before = known.get(schema)
    if (before && before.document === document) return before.made
    const made = read(document, schema)
    known.set(schema, { document, made })
    return made
  }
}

/** The schemas of `anyOf` and `oneOf`, also of what applies together with a schema. */
export function alternativesOf(document: unknown, schema: unknown): readonly unknown[] {
  return conjunctsOf(document, schema).flatMap(({ anyOf, oneOf }) => [...asList(anyOf), ...asList(oneOf)])
}

/**
 * The types that a schema allows, also by its alternatives; where it names none, what its other keywords are about, and empty for
 * any. Numbers that have to be integers are integers.
 */
export function typesOf(document: unknown, schema: unknown, steps = MAX_STEPS): readonly string[] {
  if (steps === 0) return []
  const parts = conjunctsOf(document, schema)
  const inner = (list: unknown) => asList(list).flatMap((one) => typesOf(document, one, steps - 1))
  const named = parts
    .flatMap(({ type, anyOf, oneOf }) => [[type ?? []].flat(2).map(String), inner(anyOf), inner(oneOf)])
    .filter((types) => types.length > 0)
  const [first, ...others] = named.map(
    (types) => new Set(types.flatMap((type) => (type === 'number' ? NUMBERS : type))),
  )
  if (!first)
    return parts.some((part) => part.properties) ? ['object'] : parts.some((part) => part.items) ? ['array'] : []
  const common = [...others.reduce((all, types) => all.intersection(types), first)]
  return common.includes('number') ? common.filter((type) => type !== 'integer') : common
}

const NUMBERS = ['number', 'integer']

/**
 * Whether a schema says that a value may be null: by its type, its enumeration or an alternative, and by nothing that applies together
 * with it otherwise. `nullable` of OpenAPI 3.0 is part of the type when a document is loaded.
 *
 * @param ifUnsaid what counts for a schema that says nothing of it, such as one of description only
 */
export function allowsNull(document: unknown, schema: unknown, ifUnsaid = false): boolean {
  return saysNull(document, schema, MAX_STEPS) ?? ifUnsaid
}

function saysNull(document: unknown, schema: unknown, steps: number): boolean | undefined {
  if (steps === 0) return undefined
  const said = conjunctsOf(document, schema).flatMap(({ type, enum: values, const: only, anyOf, oneOf }) => [
    type === undefined ? undefined : [type].flat().includes('null'),
    Array.isArray(values) ? values.includes(null) : undefined,
    only === undefined ? undefined : only === null,
    ...[anyOf, oneOf].map((list) => {
      const inner = asList(list).map((one) => saysNull(document, one, steps - 1))
      if (inner.includes(true)) return true
      return inner.length > 0 && !inner.includes(undefined) ? false : undefined
    }),
  ])
  return said.includes(false) ? false : said.includes(true) ? true : undefined
}

interface AssertedPart {
  readonly asserted: Readonly<Record<string, unknown>>
  /** Whether it is one of several alternatives that are all read. */
  readonly isOptional: boolean
}

/** The schema and all parts that apply together with it. */
function partsOf(document: unknown, schema: unknown, branch: Branch, steps: number): AssertedPart[] {
  if (!isObject(schema) || steps === 0) return []
  const { $ref: _reference, allOf, anyOf, oneOf, ...asserted } = schema
  const inner = (one: unknown) => partsOf(document, one, branch, steps - 1)
  const alternatives = [anyOf, oneOf].flatMap((list) => {
    const real = (Array.isArray(list) ? list : []).filter((one: unknown) => !(isObject(one) && one.type === 'null'))
    if (branch !== 'any') return real.length === 0 ? [] : inner(real[branch % real.length])
    return real.flatMap(inner).map((part) => ({ ...part, isOptional: true }))
  })
  return [
    ...inner(followOnce(document, schema)),
    ...(Array.isArray(allOf) ? allOf.flatMap(inner) : []),
    ...alternatives,
    { asserted, isOptional: false },
  ]
}

/** The schema of a member inside a schema, by the names that lead to it; undefined where none is described. */
export function memberAt(document: unknown, schema: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((held, name) => shapeOf(document, held, 'any').properties.get(name), schema)
}

/** The list that a response consists of, or the first one that is a member of it. */
export interface FoundList {
  /** The member that holds it; undefined when the response is the list itself. */
  readonly name: string | undefined
  /** The schema of its elements. */
  readonly items: unknown
}

/** @example findList(document, shapeOf(document, { properties: { orders: { type: 'array' } } })) // { name: 'orders', … } */
export function findList(document: unknown, shape: Shape): FoundList | undefined {
  if (shape.properties.size === 0)
    return allows(shape, 'array') && !allows(shape, 'object') ? { name: undefined, items: shape.items } : undefined
  for (const [name, schema] of shape.properties) {
    const member = shapeOf(document, schema, 'any')
    if (allows(member, 'array') && !allows(member, 'object')) return { name, items: member.items }
  }
  return undefined
}
