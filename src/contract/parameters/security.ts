import { cookiePlace, headerPlace, type KeyPlace, queryPlace } from './credential-location.ts'
import { createLookup } from '../schemas/lookup.ts'
import { encodePointer, isObject } from '../../formats/json.ts'

type Values = Readonly<Record<string, unknown>>

/** The places that a request must bear a key in, all of them. */
export type WayIn = readonly KeyPlace[]

/** How a contract wants its keys. */
export interface KeyRule {
  /** Where keys may be, the usual place first: never empty, for a sandbox may be named by a key that nobody asks for. */
  readonly places: readonly [KeyPlace, ...KeyPlace[]]
  /** Where the key of each security scheme is; those that are not here cannot be looked at. */
  readonly schemes: ReadonlyMap<string, KeyPlace>
  /** What nobody looks at, for people. */
  readonly notes: Set<string>
}

const STANDARD = 'Authorization'

/** The first scheme of type `apiKey` in a header has the usual place; else a token in `Authorization` has. */
export function readKeyRule(document: Values): KeyRule {
  const { components } = document
  const held = isObject(components) ? components.securitySchemes : undefined
  const { follow } = createLookup(document)
  const known = new Map<string, KeyPlace>()
  const schemes = new Map<string, KeyPlace>()
  for (const [name, written] of Object.entries(isObject(held) ? held : {})) {
    // A scheme may stand in another file, and here only refer to it.
    const scheme = follow(written)
    const place = isObject(scheme) ? placeOf(scheme) : undefined
    if (!place) continue
    const identity = place.in === 'header' ? place.challenge.toLowerCase() : place.challenge
    const same = known.get(identity) ?? place
    known.set(identity, same)
    schemes.set(name, same)
  }
  const [usual = headerPlace(STANDARD, 'Bearer'), ...others] = [...known.values()].sort((a, b) => rankOf(a) - rankOf(b))
  return { places: [usual, ...others], schemes, notes: new Set() }
}

function rankOf({ in: place, word }: KeyPlace): number {
  if (place !== 'header') return 2
  return word === undefined ? 0 : 1
}

function placeOf({ type, in: place, name, scheme }: Values): KeyPlace | undefined {
  if (type === 'oauth2' || type === 'openIdConnect') return headerPlace(STANDARD, 'Bearer')
  if (type === 'http' && /^bearer$/i.test(String(scheme))) return headerPlace(STANDARD, 'Bearer')
  if (type === 'http' && /^basic$/i.test(String(scheme))) return headerPlace(STANDARD, 'Basic')
  if (type !== 'apiKey' || typeof name !== 'string') return undefined
  if (place === 'header') return headerPlace(name)
  if (place === 'query') return queryPlace(name)
  return place === 'cookie' ? cookiePlace(name) : undefined
}

/**
 * The ways into an operation, one of which is enough; none for an operation that is open to everybody. What cannot be looked at is
 * taken to be there, and told.
 */
export function readWaysIn(operation: Values, document: Values, rule: KeyRule): readonly WayIn[] {
  const kindOf = (name: string) =>
    describe(createLookup(document).at(`/components/securitySchemes/${encodePointer(name)}`))
  const ways = operation.security ?? document.security
  if (!Array.isArray(ways)) return []
  const read = ways.map((way) => (isObject(way) ? readWay(Object.keys(way), kindOf, rule) : []))
  return read.some((way) => way.length === 0) ? [] : read
}

function readWay(names: readonly string[], kindOf: (name: string) => string, { schemes, notes }: KeyRule): WayIn {
  const way: KeyPlace[] = []
  for (const name of names) {
    const place = schemes.get(name)
    const rival = place && way.find((other) => other !== place && isSameHeader(other, place))
    if (!place) notes.add(`security scheme ${name} (${kindOf(name)}) is not enforced: any request passes it.`)
    else if (rival)
      notes.add(`security scheme ${name} is not enforced beside another that needs the header ${rival.name} too.`)
    else if (!way.includes(place)) way.push(place)
  }
  return way
}

/** No request can satisfy both. */
function isSameHeader(a: KeyPlace, b: KeyPlace): boolean {
  return a.in === 'header' && b.in === 'header' && a.name.toLowerCase() === b.name.toLowerCase()
}

function describe(scheme: unknown): string {
  if (!isObject(scheme)) return 'unknown'
  return [scheme.type, scheme.type === 'http' ? scheme.scheme : scheme.in]
    .filter((word) => typeof word === 'string')
    .join(' ')
}

/**
 * The path of the first server, its variables by their defaults; empty when it is none or only a slash.
 *
 * @param holders an operation, its path and its document: the first that has servers counts
 */
export function readBasePath(...holders: readonly Values[]): string {
  const lists = holders.map(({ servers }) => (Array.isArray(servers) ? (servers as unknown[]) : []))
  const [server] = lists.find((list) => list.length > 0) ?? []
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
