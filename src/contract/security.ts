import { createLookup } from './lookup.ts'
import { isObject } from '../json.ts'

type Values = Readonly<Record<string, unknown>>

/** How a contract wants its key. */
export interface KeyRule {
  /** The header that carries it; the one of RFC 9110 when no scheme names another. */
  readonly header: string
  /** The word that stands before the key there, where one does. */
  readonly scheme?: 'Bearer'
  /** Names of the schemes that are satisfied by that header. */
  readonly schemes: ReadonlySet<string>
  /** Names of the query parameters that other schemes use. */
  readonly query: readonly string[]
}

const STANDARD = 'Authorization'

/** The first scheme of type `apiKey` in a header; else all that put a token into `Authorization`. */
export function readKeyRule(document: Values): KeyRule {
  const { components } = document
  const held = isObject(components) ? components.securitySchemes : undefined
  const { follow } = createLookup(document)
  const schemes = Object.entries(isObject(held) ? held : {})
    // A scheme may stand in another file, and here only refer to it.
    .map(([name, scheme]) => [name, follow(scheme)] as const)
    .filter((entry): entry is readonly [string, Values] => isObject(entry[1]))
  const query = schemes.flatMap(([, { type, in: place, name }]) =>
    type === 'apiKey' && place === 'query' && typeof name === 'string' ? [name] : [],
  )
  const first = schemes.find(
    ([, { type, in: place, name }]) => type === 'apiKey' && place === 'header' && typeof name === 'string',
  )
  if (!first) {
    const bearers = schemes.filter(([, scheme]) => bearsToken(scheme)).map(([name]) => name)
    return { header: STANDARD, scheme: 'Bearer', schemes: new Set(bearers), query }
  }
  const header = String(first[1].name)
  const same = schemes.filter(
    ([, scheme]) =>
      (scheme.type === 'apiKey' &&
        scheme.in === 'header' &&
        String(scheme.name).toLowerCase() === header.toLowerCase()) ||
      (header.toLowerCase() === STANDARD.toLowerCase() && bearsToken(scheme)),
  )
  return { header, schemes: new Set(same.map(([name]) => name)), query }
}

function bearsToken({ type, scheme }: Values): boolean {
  return type === 'oauth2' || type === 'openIdConnect' || (type === 'http' && /^bearer$/i.test(String(scheme)))
}

/** A key is asked for where each way in needs the header; a way that needs nothing, or what is not looked at, is open. */
export function needsKey(operation: Values, document: Values, { schemes }: KeyRule): 'key' | 'none' {
  const ways = operation.security ?? document.security
  if (!Array.isArray(ways) || ways.length === 0) return 'none'
  const all = ways.every((way) => isObject(way) && Object.keys(way).some((name) => schemes.has(name)))
  return all ? 'key' : 'none'
}

/** The path of the first server, its variables by their defaults; empty when it is none or only a slash. */
export function readBasePath(document: Values): string {
  const [server] = Array.isArray(document.servers) ? (document.servers as unknown[]) : []
  if (!isObject(server) || typeof server.url !== 'string') return ''
  const variables = isObject(server.variables) ? server.variables : {}
  const url = server.url.replaceAll(/\{([^{}]*)\}/g, (_whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
    return isObject(variable) ? String(variable.default) : ''
  })
  const path = url.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, '').replace(/[?#].*$/, '')
  const trimmed = path.replace(/^\/*/, '/').replace(/\/+$/, '')
  return trimmed
}
