import { asList, asObject, isObject, type Members } from '../../base/formats/json.ts'
import { bareType } from '../media-type.ts'
import { follow } from '../pointer.ts'
import { shapeOf } from '../schemas/shape.ts'
import { isMethod, type PartKind } from './document-structure.ts'

/**
 * Writes what is new in OpenAPI 3.2 as OpenAPI 3.1 has it: one object, before those inside it.
 *
 * - `additionalOperations` are operations of their path, by the lower-case method.
 * - A parameter of the whole query string that is a form is one parameter for each of its fields.
 * - A body of many items (`itemSchema`) is a list of them.
 * - A reference to a media type is the media type, and `dataValue` is the value of an example.
 */
export function readThreeTwo(document: Members): (kind: PartKind, value: Members) => Members {
  const readers: Readonly<Partial<Record<PartKind, (value: Members) => Members>>> = {
    document: withSecurity,
    pathItem: (item) => withParameters(document, withOperations(item)),
    operation: (operation) => withParameters(document, withSecurity(operation)),
    mediaType: (media) => withSchema(document, media),
    example: withValue,
    parameter: withoutCookieStyle,
    schema: withXml,
  }
  return (kind, value) => readers[kind]?.(value) ?? value
}

/** Those of methods that Node cannot read stay where they are. */
function withOperations({ additionalOperations: more, ...item }: Members): Members {
  if (!isObject(more)) return more === undefined ? item : { ...item, additionalOperations: more }
  const { read = [], left } = Object.groupBy(Object.entries(more), ([method]) =>
    isMethod(method.toLowerCase()) && !Object.hasOwn(item, method.toLowerCase()) ? 'read' : 'left',
  )
  return {
    ...item,
    ...Object.fromEntries(read.map(([method, operation]) => [method.toLowerCase(), operation])),
    ...(left && { additionalOperations: Object.fromEntries(left) }),
  }
}

function withParameters(document: Members, holder: Members): Members {
  const { parameters } = holder
  if (!Array.isArray(parameters)) return holder
  return { ...holder, parameters: parameters.flatMap((one: unknown) => fieldsOf(document, one) ?? [one]) }
}

/** Undefined for another parameter, and for a query string that is no form. */
function fieldsOf(document: Members, written: unknown): Members[] | undefined {
  const parameter = follow(document, written)
  if (!isObject(parameter) || parameter.in !== 'querystring') return undefined
  const [first] = Object.entries(asObject(parameter.content))
  const [type, media] = first ?? ['', undefined]
  if (bareType(type) !== 'application/x-www-form-urlencoded') return undefined
  const { schema } = asObject(follow(document, media))
  const { properties, required } = shapeOf(document, schema)
  return [...properties].map(([name, held]) => ({
    name,
    in: 'query',
    schema: held,
    ...(required.has(name) && { required: true }),
  }))
}

function withSchema(document: Members, written: Members): Members {
  const media = typeof written.$ref === 'string' ? asObject(follow(document, written)) : written
  const { itemSchema, ...rest } = media
  return itemSchema === undefined || 'schema' in rest
    ? media
    : { ...rest, schema: { type: 'array', items: itemSchema } }
}

function withValue(example: Members): Members {
  if ('value' in example) return example
  // What lies elsewhere is the same, written down.
  const { externalValue: _elsewhere, ...own } = example
  const value = own.dataValue ?? own.serializedValue
  return value === undefined ? example : { ...own, value }
}

/** Cookies are read without escapes in any case. */
function withoutCookieStyle(parameter: Members): Members {
  const { style, ...rest } = parameter
  return style === 'cookie' ? rest : parameter
}

/** A requirement may name its scheme by a reference. */
function withSecurity(holder: Members): Members {
  const { security } = holder
  if (!Array.isArray(security)) return holder
  const named = (requirement: unknown) =>
    isObject(requirement)
      ? Object.fromEntries(Object.entries(requirement).map(([name, scopes]) => [name.replace(OF_SCHEMES, ''), scopes]))
      : requirement
  return { ...holder, security: asList(security).map(named) }
}

const OF_SCHEMES = /^#\/components\/securitySchemes\//

/** Kinds of nodes that a schema of OpenAPI 3.1 cannot ask for. */
const NEW_NODES = new Set(['text', 'cdata', 'none'])

/** A list is no node of its own unless it says so. */
function withXml(schema: Members): Members {
  const { xml } = schema
  if (!isObject(xml) || typeof xml.nodeType !== 'string') return schema
  const { nodeType, ...rest } = xml
  const isList = schema.type === 'array'
  return {
    ...schema,
    xml: {
      ...rest,
      ...(nodeType === 'attribute' && { attribute: true }),
      ...(nodeType === 'element' && isList && { wrapped: true }),
      ...(NEW_NODES.has(nodeType) && { nodeType }),
    },
  }
}
