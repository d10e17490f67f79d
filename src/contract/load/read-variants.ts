import { follow, isReference, type Reference } from '../pointer.ts'
import { allows, shapeOf } from '../schemas/shape.ts'
import { asList, asObject, encodePointer, isObject, type Members } from '../../base/formats/json.ts'
import { plainName } from '../../base/formats/names.ts'

/** A base with more heirs stays as it is: an `entity` that everything inherits from says little of one item. */
const MOST_HEIRS = 40

/**
 * Reads discriminators as JSON Schema, which has none. Their alternatives get the values that stand for them, since a `oneOf` of a cat
 * and a dog with optional members allows neither: each matches both. A reference to a base with a discriminator, which others
 * inherit by `allOf`, becomes one to any of those, or to an item with another value (OpenAPI 3.1, 4.8.25).
 *
 * @returns rewrites one schema before those inside it. `heldBy` is the member that holds it
 */
export function readVariants(document: Members): (schema: Members, heldBy: string) => Members {
  const inherited = readInheritance(document)
  const rewrite = (schema: Members, heldBy: string, outer?: Discriminator): Members => {
    if (isReference(schema)) {
      if (heldBy === 'allOf' || 'properties' in schema || 'anyOf' in schema) return schema
      if (outer?.fallback === schema.$ref) return { ...schema, not: outer.named }
      const { heir, open } = inherited.get(schema.$ref) ?? {}
      const own = outer ? variant(document, schema, outer) : ALTERNATIVES.includes(heldBy) ? heir : undefined
      return { ...schema, ...(own ?? open) }
    }
    const discriminator = discriminatorOf(document, schema) ?? outer
    const lists = discriminator ? HOLDERS.filter((name) => Array.isArray(schema[name])) : []
    const inner = (name: string) =>
      asList(schema[name]).map((one) => (isObject(one) ? rewrite(one, name, discriminator) : one))
    return lists.length === 0 ? schema : { ...schema, ...Object.fromEntries(lists.map((name) => [name, inner(name)])) }
  }
  return rewrite
}

/** What a reference to a base with a discriminator, or to an heir of one, says besides. */
interface Inherited {
  /** Where it is an alternative: only values that stand for it. */
  readonly heir?: object
  /** Values that stand for it or its heirs, or for none that is known. */
  readonly open: object
}

function readInheritance(document: Members): ReadonlyMap<string, Inherited> {
  const schemas = Object.entries(asObject(asObject(document.components).schemas)).map(([name, schema]) => ({
    place: `#/components/schemas/${encodePointer(name)}`,
    schema,
  }))
  const inherits = schemas.flatMap(({ place, schema }) =>
    asList(asObject(schema).allOf).flatMap((one) => (isReference(one) ? { base: one.$ref, place } : [])),
  )
  const children = Map.groupBy(inherits, ({ base }) => base)
  const heirsOf = (base: string, known = new Set<string>()): ReadonlySet<string> => {
    for (const { place } of children.get(base) ?? []) if (!known.has(place)) heirsOf(place, known.add(place))
    return known
  }
  const heirs: [string, Inherited][] = []
  const bases: [string, Inherited][] = []
  for (const { place, schema } of schemas) {
    const discriminator = isObject(schema) && !hasAlternatives(schema) ? discriminatorOf(document, schema) : undefined
    if (!discriminator) continue
    const { property, mapping } = discriminator
    const below = [...new Set(mapping.size > 0 ? mapping.values() : heirsOf(place))].filter((heir) => heir !== place)
    const variants = below.flatMap((heir) => variant(document, { $ref: heir }, discriminator) ?? [])
    for (const heir of variants) {
      const { $ref: to, properties } = heir
      // A reference to an heir with heirs of its own may be to those.
      if (!children.has(to)) heirs.push([to, { heir, open: openTo(property, [{ properties }]) }])
    }
    if (variants.length > 0 && variants.length <= MOST_HEIRS) bases.push([place, { open: openTo(property, variants) }])
  }
  return new Map([...heirs, ...bases])
}

/** Alternatives, or what has another value: documents rarely name all of them. */
function openTo(property: string, variants: readonly Pick<Variant, 'properties'>[]) {
  const values = variants.flatMap(({ properties }) => properties[property]?.enum ?? [])
  return { anyOf: [...variants, { not: { required: [property], properties: { [property]: { enum: values } } } }] }
}

const ALTERNATIVES = ['oneOf', 'anyOf']
const HOLDERS = ['allOf', ...ALTERNATIVES]

interface Discriminator {
  readonly property: string
  /** The references that values stand for. */
  readonly mapping: ReadonlyMap<string, string>
  /** The reference for items without the property, or with a value that stands for no other (OpenAPI 3.2, 4.25). */
  readonly fallback: string | undefined
  /** Items whose value stands for another reference. */
  readonly named: object
}

interface Variant extends Reference {
  readonly properties: Readonly<Record<string, { readonly enum: readonly unknown[] }>>
  readonly required?: readonly string[]
}

/** A reference with the values of the discriminator that stand for it; undefined where they are not known. */
function variant(document: Members, held: Reference, { property, mapping }: Discriminator): Variant | undefined {
  const { $ref: place } = held
  const mapped = [...mapping].flatMap(([value, target]) => (target === place ? [value] : []))
  const names = mapped.length > 0 ? mapped : [schemaName(place)]
  const { properties } = shapeOf(document, held)
  const tag = shapeOf(document, properties.get(property))
  if (!allows(tag, 'string')) return undefined
  // An alternative that is one of several itself has their values.
  if (mapped.length === 0 && hasAlternatives(follow(document, held))) return undefined
  const { const: only, enum: some } = tag.keywords
  const allowed = only === undefined ? some : [only]
  const values = Array.isArray(allowed) ? allowed.filter((one) => names.some((name) => isAlike(one, name))) : names
  if (values.length === 0) return undefined
  // Where nothing else describes it, only its value tells the alternatives apart.
  const isDescribed = properties.has(property)
  return { ...held, properties: { [property]: { enum: values } }, ...(!isDescribed && { required: [property] }) }
}

/** Whether an enumeration has a name in another spelling: `big_cat` for `BigCat`. */
function isAlike(one: unknown, name: string): boolean {
  return one === name || (typeof one === 'string' && plainName(one) === plainName(name))
}

/** Undefined also for one whose property neither a schema nor a mapping describes: what its values are is not known. */
function discriminatorOf(document: Members, schema: Members): Discriminator | undefined {
  const { discriminator } = schema
  if (!isObject(discriminator) || typeof discriminator.propertyName !== 'string') return undefined
  const { propertyName: property, mapping, defaultMapping } = discriminator
  const hasMapping = isObject(mapping) && Object.keys(mapping).length > 0
  if (!hasMapping && !shapeOf(document, schema).properties.has(property)) return undefined
  // A value stands for a reference, or for the name of a schema.
  const known = new Map(Object.entries(asObject(mapping)).map(([value, to]) => [value, placeOf(to)] as const))
  const fallback = defaultMapping === undefined ? undefined : placeOf(defaultMapping)
  const mapped = new Set(known.values())
  const others = ALTERNATIVES.flatMap((name) => asList(schema[name])).flatMap((one) =>
    isReference(one) && one.$ref !== fallback && !mapped.has(one.$ref) ? [schemaName(one.$ref)] : [],
  )
  const values = [...known].flatMap(([value, place]) => (place === fallback ? [] : [value]))
  const named = { required: [property], properties: { [property]: { enum: [...values, ...others] } } }
  return { property, mapping: known, fallback, named }
}

/** The place of a schema that is named, or referred to. */
function placeOf(named: unknown): string {
  return String(named).includes('/') ? String(named) : `#/components/schemas/${encodePointer(String(named))}`
}

function schemaName(place: string): string {
  return place.slice(place.lastIndexOf('/') + 1)
}

function hasAlternatives(schema: unknown): boolean {
  return isObject(schema) && ALTERNATIVES.some((name) => name in schema)
}
