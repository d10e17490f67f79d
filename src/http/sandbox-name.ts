import type { IncomingMessage } from 'node:http'
import type { CredentialLocation } from '../contract/parameters/credential-location.ts'
import { sandboxTtlInvalid } from '../base/errors/control-errors.ts'
import { violation, type Where } from '../base/errors/problem.ts'
import { parseTtl, TTL_EXPECTED } from '../base/formats/duration.ts'

const HEADER = 'x-mock-sandbox'
const TTL_HEADER = 'X-Mock-Sandbox-TTL'

/** How a log line names the header. */
export const BY_HEADER = 'the header X-Mock-Sandbox'

/** Where keys are sent, and which are configured. */
export interface KeyLocations {
  readonly contract: { readonly credentialLocations: readonly CredentialLocation[] }
  readonly keys: { isListed(key: string): boolean }
}

/** The sandbox that the header `X-Mock-Sandbox` names. */
export function namedByHeader({ headers }: IncomingMessage): string | undefined {
  const named = headers[HEADER]
  return typeof named === 'string' && named !== '' ? named : undefined
}

/** Milliseconds of the header `X-Mock-Sandbox-TTL`, for the sandbox that a request makes. @throws Problem 400 */
export function ttlByHeader({ headers }: IncomingMessage): number | undefined {
  const text = headers[TTL_HEADER.toLowerCase()]
  return typeof text === 'string' && text !== '' ? readTtl(text, { header: TTL_HEADER }) : undefined
}

/** @returns milliseconds. @throws Problem 400 for what is no time to live */
export function readTtl(text: string, where: Where): number {
  const ttl = parseTtl(text)
  if (ttl !== undefined) return ttl
  throw sandboxTtlInvalid({ violations: [violation(where, 'duration', TTL_EXPECTED, text)] })
}

/** The first key of a request, in the order of the locations that the contract has; empty when there is none. */
export function firstKey(request: IncomingMessage, { contract, keys }: KeyLocations): string {
  for (const place of contract.credentialLocations) {
    const value = place.header === undefined ? place.values(request)[0] : request.headers[place.header]
    const key = typeof value === 'string' ? place.read(value, keys.isListed) : ''
    if (key !== '') return key
  }
  return ''
}

/** The sandbox that a key such as `anything@name` names; undefined for other keys. */
export function namedByKey(key: string): string | undefined {
  const at = key.lastIndexOf('@')
  return at < 0 ? undefined : key.slice(at + 1)
}

/** The key without the name of a sandbox. */
export function withoutSandbox(key: string): string {
  const at = key.lastIndexOf('@')
  return at < 0 ? key : key.slice(0, at)
}

/** The log line for a new sandbox, so that a typo in its name is visible. */
export function madeBy(name: string, by: string): string {
  return `sandbox "${name}" made, by ${by}`
}
