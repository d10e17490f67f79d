import type { Schemas } from './schemas/schemas.ts'
import { readText, typesAt } from './parameters/typed-text.ts'
import { encodePointer, isObject } from '../base/formats/json.ts'

/** A parsed element: its text, or its attributes (`@id`), text (`#text`) and child elements by name. */
export type XmlTree = string | { readonly [name: string]: XmlTree | readonly XmlTree[] }

/** Limits schemas that are composed of themselves. */
const MAX_PARTS = 8

/**
 * The value of an XML document, by the `xml` hints of a schema (OpenAPI 3.1, 4.8.26). Elements that the schema does not name keep their
 * names.
 *
 * @param tree its only member is the outermost element
 * @param pointer of the schema
 */
export function xmlValue(tree: Readonly<Record<string, XmlTree>>, pointer: string, schemas: Schemas): unknown {
  const [[name, root] = ['', '']] = Object.entries(tree)
  const properties = propertiesAt(pointer, schemas)
  const hint = hintsAt(pointer, schemas).name
  // Some documents describe the outermost element as the only property of an object.
  const isProperty = hint !== name && properties.some((one) => one.element === name && !one.isAttribute)
  return valueOf(isProperty ? tree : root, pointer, schemas)
}

function valueOf(tree: XmlTree | readonly XmlTree[], pointer: string, schemas: Schemas): unknown {
  const types = typesAt(pointer, schemas)
  if (types.includes('array')) return listOf(tree, pointer, schemas)
  if (isList(tree)) return tree.map((one) => valueOf(one, pointer, schemas))
  if (types.includes('object') || (types.length === 0 && typeof tree !== 'string'))
    return objectOf(tree, pointer, schemas)
  return readText(typeof tree === 'string' ? tree : textOf(tree['#text']), types)
}

function listOf(tree: XmlTree | readonly XmlTree[], pointer: string, schemas: Schemas): unknown[] {
  const items = `${schemas.locate(pointer)}/items`
  const isWrapped = hintsAt(pointer, schemas).wrapped === true
  const held = isWrapped ? (isList(tree) || typeof tree === 'string' ? [] : elementsOf(tree)) : [tree].flat()
  return held.map((one) => valueOf(one, items, schemas))
}

/** The elements of a wrapper, of any name. */
function elementsOf(tree: Exclude<XmlTree, string>): XmlTree[] {
  return Object.entries(tree).flatMap(([name, inner]) => (/^[@#]/.test(name) ? [] : [inner].flat()))
}

function objectOf(tree: XmlTree, pointer: string, schemas: Schemas): unknown {
  if (typeof tree === 'string') return tree === '' ? {} : tree
  const known = new Map(
    propertiesAt(pointer, schemas).map((one) => [`${one.isAttribute ? '@' : ''}${one.element}`, one]),
  )
  return Object.fromEntries(
    Object.entries(tree).flatMap(([name, inner]): [string, unknown][] => {
      const property = known.get(name)
      if (property) return [[property.name, valueOf(inner, property.pointer, schemas)]]
      // Namespace declarations and attributes without a schema are not part of the value.
      return name.startsWith('@') || name === '#text' ? [] : [[name, inner]]
    }),
  )
}

interface XmlProperty {
  readonly name: string
  /** Its name in XML. */
  readonly element: string
  readonly isAttribute: boolean
  readonly pointer: string
}

/** The properties of a schema and of the schemas it is composed of. */
function propertiesAt(pointer: string, schemas: Schemas, depth = 0): readonly XmlProperty[] {
  const at = schemas.locate(pointer)
  const schema = schemas.resolve(at)
  if (!schema || depth > MAX_PARTS) return []
  const own = Object.keys(schema.properties ?? {}).map((name): XmlProperty => {
    const place = `${at}/properties/${encodePointer(name)}`
    return { name, pointer: place, ...namesOf(name, place, schemas) }
  })
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => {
    const held = schema[keyword]
    return Array.isArray(held) ? held.map((_, index) => `${at}/${keyword}/${index}`) : []
  })
  return [...own, ...parts.flatMap((part) => propertiesAt(part, schemas, depth + 1))]
}

/** A list without a wrapper has the name of its items. */
function namesOf(name: string, pointer: string, schemas: Schemas): Pick<XmlProperty, 'element' | 'isAttribute'> {
  const hints = hintsAt(pointer, schemas)
  const isBare = typesAt(pointer, schemas).includes('array') && hints.wrapped !== true
  const ofItems = isBare ? hintsAt(`${schemas.locate(pointer)}/items`, schemas).name : undefined
  const element = [ofItems, hints.name].find((one) => typeof one === 'string') ?? name
  return { element, isAttribute: hints.attribute === true }
}

function hintsAt(pointer: string, schemas: Schemas, depth = 0): Readonly<Record<string, unknown>> {
  const at = schemas.locate(pointer)
  const schema = schemas.resolve(at)
  if (isObject(schema?.xml) || depth > MAX_PARTS) return isObject(schema?.xml) ? schema.xml : {}
  const parts = Array.isArray(schema?.allOf) ? schema.allOf.keys() : []
  for (const index of parts) {
    const hints = hintsAt(`${at}/allOf/${index}`, schemas, depth + 1)
    if (Object.keys(hints).length > 0) return hints
  }
  return {}
}

function isList(tree: XmlTree | readonly XmlTree[]): tree is readonly XmlTree[] {
  return Array.isArray(tree)
}

function textOf(tree: XmlTree | readonly XmlTree[] | undefined): string {
  return typeof tree === 'string' ? tree : ''
}
