import { readText } from './parameters/typed-text.ts'
import { shapeOf, typesOf } from './schemas/shape.ts'
import { asObject } from '../base/formats/json.ts'

/** A parsed element: its text, or its attributes (`@id`), text (`#text`) and child elements by name. */
export type XmlTree = string | { readonly [name: string]: XmlTree | readonly XmlTree[] }

/**
 * The value of an XML document, by the `xml` hints of a schema (OpenAPI 3.1, 4.8.26). Elements that the schema does not name keep their
 * names.
 *
 * @param tree its only member is the outermost element
 */
export function xmlValue(tree: Readonly<Record<string, XmlTree>>, document: unknown, schema: unknown): unknown {
  const [[name, root] = ['', '']] = Object.entries(tree)
  const properties = propertiesOf(document, schema)
  const hint = hintsOf(document, schema).name
  // Some documents describe the outermost element as the only property of an object.
  const isProperty = hint !== name && properties.some((one) => one.element === name && !one.isAttribute)
  return valueOf(isProperty ? tree : root, document, schema)
}

function valueOf(tree: XmlTree | readonly XmlTree[], document: unknown, schema: unknown): unknown {
  const types = typesOf(document, schema)
  if (types.includes('array')) return listOf(tree, document, schema)
  if (isList(tree)) return tree.map((one) => valueOf(one, document, schema))
  if (types.includes('object') || (types.length === 0 && typeof tree !== 'string'))
    return objectOf(tree, document, schema)
  return readText(typeof tree === 'string' ? tree : textOf(tree['#text']), types)
}

function listOf(tree: XmlTree | readonly XmlTree[], document: unknown, schema: unknown): unknown[] {
  const { items } = shapeOf(document, schema, 'any')
  const isWrapped = hintsOf(document, schema).wrapped === true
  const held = isWrapped ? (isList(tree) || typeof tree === 'string' ? [] : elementsOf(tree)) : [tree].flat()
  return held.map((one) => valueOf(one, document, items))
}

/** The elements of a wrapper, of any name. */
function elementsOf(tree: Exclude<XmlTree, string>): XmlTree[] {
  return Object.entries(tree).flatMap(([name, inner]) => (/^[@#]/.test(name) ? [] : [inner].flat()))
}

function objectOf(tree: XmlTree, document: unknown, schema: unknown): unknown {
  if (typeof tree === 'string') return tree === '' ? {} : tree
  const known = new Map(
    propertiesOf(document, schema).map((one) => [`${one.isAttribute ? '@' : ''}${one.element}`, one]),
  )
  return Object.fromEntries(
    Object.entries(tree).flatMap(([name, inner]): [string, unknown][] => {
      const property = known.get(name)
      if (property) return [[property.name, valueOf(inner, document, property.schema)]]
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
  readonly schema: unknown
}

function propertiesOf(document: unknown, schema: unknown): readonly XmlProperty[] {
  return [...shapeOf(document, schema, 'any').properties].map(([name, member]) => {
    const hints = hintsOf(document, member)
    // A list without a wrapper has the name of its items.
    const isBare = typesOf(document, member).includes('array') && hints.wrapped !== true
    const ofItems = isBare ? hintsOf(document, shapeOf(document, member, 'any').items).name : undefined
    return { name, element: ofItems ?? hints.name ?? name, isAttribute: hints.attribute === true, schema: member }
  })
}

/** The `xml` keyword of a schema (OpenAPI 3.1, 4.8.26). */
export interface XmlKeyword {
  readonly name?: string
  readonly prefix?: string
  readonly namespace?: string
  readonly attribute?: boolean
  readonly wrapped?: boolean
}

export function hintsOf(document: unknown, schema: unknown): XmlKeyword {
  return asObject(shapeOf(document, schema, 'any').keywords.xml)
}

function isList(tree: XmlTree | readonly XmlTree[]): tree is readonly XmlTree[] {
  return Array.isArray(tree)
}

function textOf(tree: XmlTree | readonly XmlTree[] | undefined): string {
  return typeof tree === 'string' ? tree : ''
}
