import { isObject } from '../../src/base/formats/json.ts'
import type { Values } from './read-contract.ts'

/** The text of a path, header or cookie parameter (OpenAPI 3.1, 4.8.12.6). */
export function parameterText({ name, in: place, style = 'simple', explode, content }: Values, value: unknown): string {
  const write = place === 'path' ? encodeURIComponent : (text: string) => text
  if (isObject(content)) return write(String(value))
  const isExploded = explode === true
  const separator = !isExploded || style === 'simple' ? ',' : style === 'label' ? '.' : `;${String(name)}=`
  const text = Array.isArray(value)
    ? value.map((one) => write(String(one))).join(separator)
    : isObject(value)
      ? members(value)
          .map(([key, inner]) => `${write(key)}${isExploded ? '=' : ','}${write(inner)}`)
          .join(isExploded && style !== 'simple' ? (style === 'label' ? '.' : ';') : ',')
      : write(String(value))
  if (style === 'label') return `.${text}`
  if (style !== 'matrix') return text
  return isObject(value) && isExploded ? `;${text}` : `;${String(name)}=${text}`
}

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' }

/** The parts of the query that a parameter becomes. */
export function queryPairs({ name, style = 'form', explode, content }: Values, value: unknown): readonly string[] {
  const key = encodeURIComponent(String(name))
  if (isObject(content)) return [`${key}=${encodeURIComponent(String(value))}`]
  const isExploded = typeof explode === 'boolean' ? explode : style === 'form'
  if (Array.isArray(value)) {
    const parts = value.map((one) => encodeURIComponent(typeof one === 'object' ? JSON.stringify(one) : String(one)))
    if (isExploded && style !== 'deepObject') return parts.map((part) => `${key}=${part}`)
    if (style === 'deepObject') return parts.map((part) => `${key}[]=${part}`)
    return [`${key}=${parts.join(SEPARATORS[String(style)] ?? ',')}`]
  }
  if (!isObject(value)) return [`${key}=${encodeURIComponent(String(value))}`]
  const held = members(Object.keys(value).length === 0 ? { a: 1 } : value)
  if (style === 'deepObject')
    return held.map(([inner, text]) => `${key}[${encodeURIComponent(inner)}]=${encodeURIComponent(text)}`)
  if (isExploded) return held.map(([inner, text]) => `${encodeURIComponent(inner)}=${encodeURIComponent(text)}`)
  return [`${key}=${held.flat().map(encodeURIComponent).join(',')}`]
}

function members(value: object): [string, string][] {
  return Object.entries(value).map(([name, inner]) => [
    name,
    typeof inner === 'object' && inner !== null ? JSON.stringify(inner) : String(inner),
  ])
}
