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
  const isProperty = hint !== name && properties.some((one) => one.node === name)
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
  const known = new Map(propertiesOf(document, schema).map((one) => [one.node, one]))
  if (typeof tree === 'string' && !known.has('#text')) return tree === '' ? {} : tree
  const members: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(typeof tree === 'string' ? { '#text': tree } : tree)) {
    const property = known.get(name)
    // Namespace declarations and attributes without a schema are not part of the value.
    if (!property && /^[@#]/.test(name)) continue
    const [last = name, ...above] = property?.path.toReversed() ?? []
    let holder = members
    for (const one of above.toReversed()) holder = holder[one] = asObject(holder[one])
    holder[last] = property ? valueOf(inner, document, property.schema) : inner
  }
  return members
}

interface XmlProperty {
  /** Its name in XML, as the parser calls it. */
  readonly node: string
  /** Its name, after those of objects that have no node of their own. */
  readonly path: readonly string[]
  readonly schema: unknown
}

function propertiesOf(document: unknown, schema: unknown): readonly XmlProperty[] {
  return [...shapeOf(document, schema, 'any').properties].flatMap(([name, member]): readonly XmlProperty[] => {
    const hints = hintsOf(document, member)
    const isList = typesOf(document, member).includes('array')
    if (hints.nodeType === 'none' && !isList)
      return propertiesOf(document, member).map((one) => ({ ...one, path: [name, ...one.path] }))
    // A list without a wrapper has the name of its items.
    const ofItems =
      isList && hints.wrapped !== true ? hintsOf(document, shapeOf(document, member, 'any').items).name : undefined
    const element = ofItems ?? hints.name ?? name
    const node = hints.attribute === true ? `@${element}` : isTextNode(hints) ? '#text' : element
    return [{ node, path: [name], schema: member }]
  })
}

/** The `xml` keyword of a schema (OpenAPI 3.1, 4.8.26). */
export interface XmlKeyword {
  readonly name?: string
  readonly prefix?: string
  readonly namespace?: string
  readonly attribute?: boolean
  readonly wrapped?: boolean
  /** `text`, `cdata` or `none` (OpenAPI 3.2, 4.26). */
  readonly nodeType?: string
}

/** Whether a member is the text of its element. */
export function isTextNode({ nodeType }: XmlKeyword): boolean {
  return nodeType === 'text' || nodeType === 'cdata'
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
