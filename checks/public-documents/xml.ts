import { isObject } from '../../src/base/formats/json.ts'
import { follow, type Values } from './read-contract.ts'

/** A value as XML, by the `xml` hints of its schema (OpenAPI 3.1, 4.8.26). */
export function xmlOf(document: Values, schema: unknown, value: unknown): string {
  const named =
    isObject(schema) && typeof schema.$ref === 'string' ? schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1) : 'root'
  return element(document, schema, value, named)
}

function element(document: Values, written: unknown, value: unknown, fallback: string): string {
  const schema = merged(document, written)
  const hint = isObject(schema.xml) ? schema.xml : {}
  const name = `${typeof hint.prefix === 'string' ? `${hint.prefix}:` : ''}${typeof hint.name === 'string' ? hint.name : fallback}`
  if (Array.isArray(value)) {
    const items = merged(document, schema.items)
    const itemHint = isObject(items.xml) ? items.xml : {}
    const item =
      typeof itemHint.name === 'string'
        ? itemHint.name
        : hint.wrapped === true && typeof hint.name !== 'string'
          ? fallback
          : name
    const inner = value.map((one) => element(document, schema.items, one, item)).join('')
    return hint.wrapped === true ? `<${name}>${inner}</${name}>` : inner
  }
  if (!isObject(value)) return `<${name}>${textOf(value)}</${name}>`
  const properties = isObject(schema.properties) ? schema.properties : {}
  const attributes: string[] = []
  const children: string[] = []
  for (const [key, inner] of Object.entries(value)) {
    const { xml } = merged(document, properties[key])
    const own = isObject(xml) ? xml : {}
    if (own.attribute === true) attributes.push(` ${typeof own.name === 'string' ? own.name : key}="${textOf(inner)}"`)
    else children.push(element(document, properties[key] ?? {}, inner, key))
  }
  return `<${name}${attributes.join('')}>${children.join('')}</${name}>`
}

function merged(document: Values, written: unknown): Values {
  const { allOf, ...own } = follow(document, written)
  const parts = Array.isArray(allOf) ? allOf.map((part) => merged(document, part)) : []
  const properties = Object.assign({}, ...parts.map((part) => part.properties), own.properties) as Values
  return Object.assign({}, ...parts, own, { properties }) as Values
}

function textOf(value: unknown): string {
  return String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
