import { isReference, locate, targetOf } from '../../contract/pointer.ts'
import { asList, asObject, encodePointer, isObject, stringifySorted } from '../../base/formats/json.ts'

/** Schemas of one document that apply to a value together. */
export interface Conjunction {
  /** Their pointers. */
  readonly schemas: readonly string[]
  /** Pointers of `oneOf` and `anyOf` that do not count, since one of their alternatives is among `schemas`. */
  readonly without?: readonly string[]
  /** Limits the values to these types. */
  readonly types?: readonly Type[]
}

/** The types of JSON Schema, without overlap: a `number` is an integer or a fraction. */
export type Type = 'null' | 'boolean' | 'string' | 'integer' | 'fraction' | 'array' | 'object'

const ALL_TYPES: readonly Type[] = ['null', 'boolean', 'string', 'integer', 'fraction', 'array', 'object']

/** A keyword and where it stands. */
export interface LocatedKeyword {
  readonly value: unknown
  readonly pointer: string
}

/** One level of a schema: references are followed and `allOf` is merged. */
export interface SchemaView {
  /** Of the first schema that is more than a reference. */
  readonly pointer: string
  readonly types: ReadonlySet<Type>
  /** The values of `enum` or `const`, by their JSON; undefined for any. */
  readonly values: ReadonlyMap<string, unknown> | undefined
  readonly properties: ReadonlyMap<string, Conjunction>
  readonly required: ReadonlySet<string>
  readonly items: Conjunction | undefined
  /** The schema of members without a name of their own; false if there may be none. */
  readonly others: Conjunction | false | undefined
  /** The other keywords that limit values. */
  readonly keywords: ReadonlyMap<string, LocatedKeyword>
  /** `oneOf` and `anyOf`: the pointer of each, and of its alternatives. */
  readonly groups: readonly { readonly pointer: string; readonly alternatives: readonly string[] }[]
}

/** A schema that is composed of more than this is not read further. */
const MAX_PARTS = 64

/** Keywords that say nothing about which values are valid. `default` does so only where it is asked for. */
const ANNOTATIONS = new Set([
  ...['title', 'description', 'example', 'examples', 'externalDocs', 'xml', '$comment', '$defs', 'definitions', '$id'],
  ...['$anchor', '$schema', 'readOnly', 'writeOnly', 'contentMediaType', 'contentEncoding'],
])

/** Formats that name a representation and exclude no value. */
const NO_LIMITS: readonly unknown[] = ['password', 'float', 'double']

export function createSchemaViews(document: unknown): (conjunction: Conjunction) => SchemaView {
  const known = new Map<string, SchemaView>()
  return (conjunction) => {
    const key = keyOf(conjunction)
    const view = known.get(key) ?? readView(document, conjunction)
    known.set(key, view)
    return view
  }
}

export function keyOf({ schemas, without = [], types = [] }: Conjunction): string {
  return [...schemas, '', ...without, '', ...types].join('\n')
}

interface SchemaPart {
  readonly pointer: string
  readonly schema: Readonly<Record<string, unknown>>
}

function readView(document: unknown, conjunction: Conjunction): SchemaView {
  const { parts, isNever } = partsOf(document, conjunction)
  const keywords = new Map<string, LocatedKeyword>()
  for (const { pointer, schema } of parts)
    for (const [name, value] of Object.entries(schema))
      if (!READ.has(name) && !ANNOTATIONS.has(name) && !name.startsWith('x-') && limits(name, value))
        keywords.set(name, stricter(name, keywords.get(name), { value, pointer: `${pointer}/${encodePointer(name)}` }))
  const values = valuesOf(parts)
  const closed = parts.find(({ schema }) => schema.additionalProperties === false)
  const others = parts.flatMap(({ pointer, schema }) =>
    isObject(schema.additionalProperties) ? [`${pointer}/additionalProperties`] : [],
  )
  const items = parts.flatMap(({ pointer, schema }) => (isObject(schema.items) ? [`${pointer}/items`] : []))
  return {
    pointer: (parts.find(isMore) ?? parts[0])?.pointer ?? conjunction.schemas[0] ?? '',
    types: isNever ? new Set() : typesOf(parts, values, conjunction.types ?? ALL_TYPES),
    values,
    properties: propertiesOf(parts),
    required: new Set(parts.flatMap(({ schema }) => asList(schema.required).map(String))),
    items: items.length === 0 ? undefined : { schemas: items },
    others: closed ? false : others.length === 0 ? undefined : { schemas: others },
    keywords,
    groups: groupsOf(parts, conjunction.without ?? []),
  }
}

function isMore({ schema }: SchemaPart): boolean {
  return Object.keys(schema).some((name) => name !== '$ref')
}

/** Keywords that have a member of their own in the view. */
const READ = new Set([
  ...['$ref', 'allOf', 'oneOf', 'anyOf', 'type', 'enum', 'const', 'properties', 'required', 'items'],
  'additionalProperties',
])

function partsOf(
  document: unknown,
  { schemas }: Conjunction,
): { readonly parts: SchemaPart[]; readonly isNever: boolean } {
  const parts = new Map<string, SchemaPart>()
  const queue = [...schemas]
  let isNever = false
  while (queue.length > 0 && parts.size < MAX_PARTS) {
    const { value, pointer } = locate(document, queue.shift() ?? '', false)
    isNever ||= value === false
    if (!isObject(value) || parts.has(pointer)) continue
    parts.set(pointer, { pointer, schema: value })
    if (isReference(value) && value.$ref.startsWith('#')) queue.push(targetOf(value))
    queue.push(...asList(value.allOf).map((_, index) => `${pointer}/allOf/${index}`))
  }
  return { parts: [...parts.values()], isNever }
}

function typesOf(parts: readonly SchemaPart[], values: SchemaView['values'], among: readonly Type[]): Set<Type> {
  const allowed = parts.flatMap(({ schema: { type } }) => (type === undefined ? [] : [[type].flat().flatMap(named)]))
  if (values) allowed.push([...values.values()].map(typeOf))
  return new Set(among.filter((type) => allowed.every((list) => list.includes(type))))
}

function named(type: unknown): Type[] {
  return type === 'number' ? ['integer', 'fraction'] : ALL_TYPES.filter((one) => one === type)
}

function typeOf(value: unknown): Type {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean' || typeof value === 'string') return typeof value as 'boolean' | 'string'
  if (typeof value === 'bigint' || Number.isInteger(value)) return 'integer'
  return typeof value === 'number' ? 'fraction' : 'object'
}

function valuesOf(parts: readonly SchemaPart[]): ReadonlyMap<string, unknown> | undefined {
  const lists = parts.flatMap(({ schema }) => [
    ...(Array.isArray(schema.enum) ? [schema.enum as unknown[]] : []),
    ...('const' in schema ? [[schema.const]] : []),
  ])
  const [first, ...others] = lists.map((list) => new Map(list.map((value) => [stringifySorted(value), value])))
  return first && new Map([...first].filter(([json]) => others.every((other) => other.has(json))))
}

/** A member that one part names has to be allowed by the others too, where they restrict members that they do not name. */
function propertiesOf(parts: readonly SchemaPart[]): Map<string, Conjunction> {
  const names = new Set(parts.flatMap(({ schema }) => Object.keys(asObject(schema.properties))))
  return new Map([...names].map((name) => [name, { schemas: parts.flatMap((part) => schemaOfMember(part, name)) }]))
}

function schemaOfMember({ pointer, schema }: SchemaPart, name: string): string[] {
  const { properties, additionalProperties, patternProperties } = schema
  if (isObject(properties) && Object.hasOwn(properties, name)) return [`${pointer}/properties/${encodePointer(name)}`]
  const isLimited =
    patternProperties === undefined && (additionalProperties === false || isObject(additionalProperties))
  return isLimited ? [`${pointer}/additionalProperties`] : []
}

function groupsOf(parts: readonly SchemaPart[], without: readonly string[]): SchemaView['groups'] {
  return parts.flatMap(({ pointer, schema }) =>
    ['oneOf', 'anyOf'].flatMap((name) => {
      const at = `${pointer}/${name}`
      const alternatives = asList(schema[name]).map((_, index) => `${at}/${index}`)
      return alternatives.length === 0 || without.includes(at) ? [] : [{ pointer: at, alternatives }]
    }),
  )
}

/** Whether a keyword with this value excludes anything, or is compared for another reason. */
function limits(name: string, value: unknown): boolean {
  if (name === 'format') return !NO_LIMITS.includes(value)
  return value !== false && !(value === 0 && /^min[LIP]/.test(name))
}

/** Of the same keyword in two parts, the one that counts. */
function stricter(name: string, one: LocatedKeyword | undefined, other: LocatedKeyword): LocatedKeyword {
  if (!one || typeof one.value !== 'number' || typeof other.value !== 'number') return other
  const isGreater = one.value > other.value
  return /^(?:min|exclusiveMin)/.test(name) === isGreater ? one : other
}
