import XMLBuilder from 'fast-xml-builder'
import { shapeOf } from '../../contract/schemas/shape.ts'
import { hintsOf, isTextNode, type XmlKeyword } from '../../contract/xml-value.ts'
import { isObject, textOrJson } from '../../base/formats/json.ts'

const ATTRIBUTE = '@'
const TEXT = '#text'
const CHARACTER_DATA = '#cdata'

/**
 * A value as an XML document. An element has the name of its `xml` hint or else of its property, and the root that of its schema.
 *
 * @param schema as written in the document, such as a reference
 * @example xmlOf(document, { xml: { name: 'pet' }, properties: { id: { xml: { attribute: true } } } }, { id: 1 }) // <pet id="1"></pet>
 */
export function xmlOf(document: unknown, schema: unknown, value: unknown): string {
  const builder = new XMLBuilder({
    ignoreAttributes: false,
    attributeNamePrefix: ATTRIBUTE,
    textNodeName: TEXT,
    cdataPropName: CHARACTER_DATA,
    suppressBooleanAttributes: false,
    format: true,
  })
  const hints = hintsOf(document, schema)
  const name = nameOf(hints, nameOfReference(schema) ?? 'root')
  const content = contentOf(document, schema, value)
  // A document has one root element.
  const root = Array.isArray(content) ? { [itemName(document, schema, name)]: content } : content
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build({ [name]: withNamespace(hints, root) })}`
}

/** The builder's input: objects of attributes and elements, arrays of elements of one name, texts. */
function contentOf(document: unknown, schema: unknown, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = shapeOf(document, schema, 'any')
    return value.map((one: unknown) => withNamespace(hintsOf(document, items), contentOf(document, items, one)))
  }
  if (!isObject(value)) return value === null || value === undefined ? '' : textOrJson(value)
  const { properties } = shapeOf(document, schema, 'any')
  return Object.fromEntries(
    Object.entries(value).flatMap(([property, held]) =>
      membersOf(document, { property, schema: properties.get(property) }, held),
    ),
  )
}

interface PropertySchema {
  readonly property: string
  readonly schema: unknown
}

function membersOf(document: unknown, { property, schema }: PropertySchema, value: unknown): [string, unknown][] {
  const hints = hintsOf(document, schema)
  const name = nameOf(hints, property)
  if (isTextNode(hints)) return [[hints.nodeType === 'cdata' ? CHARACTER_DATA : TEXT, textOrJson(value)]]
  if (hints.attribute === true && !isObject(value)) return [[`${ATTRIBUTE}${name}`, textOrJson(value)]]
  const content = contentOf(document, schema, value)
  if (hints.nodeType === 'none' && isObject(content)) return Object.entries(content)
  if (!Array.isArray(value)) return [[name, withNamespace(hints, content)]]
  const item = itemName(document, schema, hints.wrapped === true ? validName(property) : name)
  return [hints.wrapped === true ? [name, withNamespace(hints, { [item]: content })] : [item, content]]
}

function itemName(document: unknown, schema: unknown, usual: string): string {
  const hints = hintsOf(document, shapeOf(document, schema, 'any').items)
  return hints.name === undefined ? usual : nameOf(hints, usual)
}

function nameOf({ name, prefix }: XmlKeyword, usual: string): string {
  const own = validName(name ?? usual)
  return prefix === undefined ? own : `${prefix}:${own}`
}

function validName(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(name) ? name : 'member'
}

function nameOfReference(schema: unknown): string | undefined {
  const reference = isObject(schema) ? schema.$ref : undefined
  return typeof reference === 'string' ? reference.slice(reference.lastIndexOf('/') + 1) : undefined
}

function withNamespace({ namespace, prefix }: XmlKeyword, content: unknown): unknown {
  if (namespace === undefined) return content
  const attribute = { [`${ATTRIBUTE}xmlns${prefix === undefined ? '' : `:${prefix}`}`]: namespace }
  return isObject(content) ? { ...attribute, ...content } : { ...attribute, [TEXT]: content }
}
