import {
  cookieCredential,
  headerCredential,
  type CredentialLocation,
  parameterCredential,
  queryCredential,
} from './credential-location.ts'
import { createLookup } from '../pointer.ts'
import { shapeOf } from '../schemas/shape.ts'
import { holdsCredential } from '../../base/secret-names.ts'
import { asList, asObject, encodePointer, isObject, type Members } from '../../base/formats/json.ts'

/** The credentials of one alternative of `security`, all of which a request needs. */
export type SecurityRequirement = readonly CredentialLocation[]

/** How a contract secures its operations. */
export interface SecurityRules {
  /** Where API keys are sent, the usual location first. Never empty: a key may select a sandbox even if no operation needs one. */
  readonly locations: readonly [CredentialLocation, ...CredentialLocation[]]
  /** The location of each security scheme; the others cannot be checked. */
  readonly schemes: ReadonlyMap<string, CredentialLocation>
  /** Notes on schemes that are not enforced. */
  readonly notes: Set<string>
}

const STANDARD = 'Authorization'

/** The usual location is that of the first `apiKey` scheme in a header, else `Authorization`. */
export function readSecurityRules(document: Members): SecurityRules {
  const { components } = document
  const held = asObject(components).securitySchemes
  const { follow } = createLookup(document)
  const known = new Map<string, CredentialLocation>()
  const schemes = new Map<string, CredentialLocation>()
  for (const [name, written] of Object.entries(asObject(held))) {
    // A scheme may be a reference to another file.
    const scheme = follow(written)
    const location = isObject(scheme) ? locationOf(scheme) : undefined
    if (!location) continue
    const identity = location.in === 'header' ? location.challenge.toLowerCase() : location.challenge
    const same = known.get(identity) ?? location
    known.set(identity, same)
    schemes.set(name, same)
  }
  const [usual = headerCredential(STANDARD, 'Bearer'), ...others] = [...known.values()].sort(
    (a, b) => rankOf(a) - rankOf(b),
  )
  return { locations: [usual, ...others], schemes, notes: new Set() }
}

function rankOf({ in: part, word }: CredentialLocation): number {
  if (part !== 'header') return 2
  return word === undefined ? 0 : 1
}

function locationOf({ type, in: part, name, scheme }: Members): CredentialLocation | undefined {
  if (type === 'oauth2' || type === 'openIdConnect') return headerCredential(STANDARD, 'Bearer')
  if (type === 'http' && /^bearer$/i.test(String(scheme))) return headerCredential(STANDARD, 'Bearer')
  if (type === 'http' && /^basic$/i.test(String(scheme))) return headerCredential(STANDARD, 'Basic')
  if (type !== 'apiKey' || typeof name !== 'string') return undefined
  if (part === 'header') return headerCredential(name)
  if (part === 'query') return queryCredential(name)
  return part === 'cookie' ? cookieCredential(name) : undefined
}

/**
 * The alternatives of `security` for an operation; none for one that is open. Schemes that cannot be checked count as satisfied, with
 * a note. Documents that ask for a key in general often forget to say that a client without one can sign in.
 *
 * @param line method and path: `POST /auth/login`
 */
export function readSecurityRequirements(
  operation: Members,
  { document, line }: { readonly document: Members; readonly line: string },
  rules: SecurityRules,
): readonly SecurityRequirement[] {
  const kindOf = (name: string) =>
    describe(createLookup(document).at(`/components/securitySchemes/${encodePointer(name)}`))
  const listed = operation.security ?? (signsIn(operation, line, document) ? [] : document.security)
  if (!Array.isArray(listed)) return []
  const read = listed.map((one) => (isObject(one) ? readRequirement(Object.keys(one), kindOf, rules) : []))
  return read.some((one) => one.length === 0) ? [] : read
}

interface KeyParameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
}

/**
 * The required headers among the parameters of an operation that have the key of its caller, where the document names no security. A request
 * that lacks one lacks the key, and is as valid as others.
 */
export function keyParameters<One extends KeyParameter>(
  operation: Members,
  document: Members,
  parameters: readonly One[],
): readonly One[] {
  if (asList(operation.security ?? document.security).length > 0) return []
  return parameters.filter((one) => one.in === 'header' && one.required && holdsCredential(one.name))
}

/** The alternative that those headers are; none for an operation on which clients sign in. @param line as above */
export function keyRequirements(
  operation: Members,
  { document, line }: { readonly document: Members; readonly line: string },
  keys: readonly KeyParameter[],
): readonly SecurityRequirement[] {
  if (keys.length === 0 || signsIn(operation, line, document)) return []
  const names = keys.map(({ name }) => name)
  return [names.map((name) => parameterCredential(name, names))]
}

/** Paths on which clients sign in or up. `POST /auth/users` is none: an administrator creates an account there. */
const SIGN_IN =
  /^(?!.*\/(?:users?|accounts?|members?|admins?)\/?$)POST .*\/(?:auth|authenticat(?:e|ion)|log-?in|sign-?in|sign-?up|register|registration|sessions?|tokens?|(?:forgot|reset)-?password)(?:\/|$)/i

/** Whether a client signs in or up with a password: `POST /auth/login`, but not an operation that takes the old password too. */
function signsIn({ requestBody }: Members, line: string, document: Members): boolean {
  if (!SIGN_IN.test(line)) return false
  const { follow } = createLookup(document)
  const contents = Object.values(asObject(asObject(follow(requestBody)).content)).map(asObject)
  const names = contents.flatMap(({ schema }) => [...shapeOf(document, schema, 'any').properties.keys()])
  return /forgot/i.test(line) || (names.some((name) => /^password$/i.test(name)) && !names.some(isKnownPassword))
}

function isKnownPassword(name: string): boolean {
  return /^(?:old|current|previous)_?password$/i.test(name)
}

function readRequirement(
  names: readonly string[],
  kindOf: (name: string) => string,
  { schemes, notes }: SecurityRules,
): SecurityRequirement {
  const requirement: CredentialLocation[] = []
  for (const name of names) {
    const location = schemes.get(name)
    const rival = location && requirement.find((other) => other !== location && isSameHeader(other, location))
    if (!location) notes.add(`security scheme ${name} (${kindOf(name)}) is not enforced: any request passes it.`)
    else if (rival)
      notes.add(`security scheme ${name} is not enforced beside another that needs the header ${rival.name} too.`)
    else if (!requirement.includes(location)) requirement.push(location)
  }
  return requirement
}

/** No request can satisfy both. */
function isSameHeader(a: CredentialLocation, b: CredentialLocation): boolean {
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
export function readBasePath(...holders: readonly Members[]): string {
  const lists = holders.map(({ servers }) => asList(servers))
  const [server] = lists.find((list) => list.length > 0) ?? []
  if (!isObject(server) || typeof server.url !== 'string') return ''
  const variables = asObject(server.variables)
  const url = server.url.replaceAll(/\{([^{}]*)\}/g, (_whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
    return isObject(variable) ? String(variable.default) : ''
  })
  const path = url.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, '').replace(/[?#].*$/, '')
  const trimmed = path.replace(/^\/*/, '/').replace(/\/+$/, '')
  return trimmed
}
