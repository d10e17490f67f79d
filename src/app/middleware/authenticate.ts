import type { IncomingMessage } from 'node:http'
import { withoutSandbox } from '../../http/sandbox-name.ts'
import type { Middleware } from './request-context.ts'
import type { BehaviourTracker } from '../../behaviours/tracker.ts'
import type { Contract, Operation } from '../../contract/contract.ts'
import type { CredentialLocation } from '../../contract/parameters/credential-location.ts'
import type { SecurityRequirement } from '../../contract/parameters/security.ts'
import { refusalInWords } from '../../behaviours/refusal.ts'
import type { Identity } from '../../resources/handler.ts'
import type { Problem } from '../../base/errors/problem.ts'
import { keyMissing, operationForbidden } from '../../base/errors/request-errors.ts'

/** The keys of the configuration, and who calls with a key that is not among them. */
export interface Keys {
  readonly listed: ReadonlyMap<string, KeyHolder>
  readonly isListed: (key: string) => boolean
  readonly anyone: Identity
}

interface KeyHolder extends Identity {
  /** The operations that the key may use; undefined for all. */
  readonly rights?: ReadonlySet<string> | undefined
}

/** Why a key is refused, and the credential location that it is about. */
interface Obstacle {
  readonly why: 'missing' | 'twice' | 'unknown'
  readonly requirement: SecurityRequirement
  readonly location: CredentialLocation
  /** What was received, in words: a key must not be shown. */
  readonly received: string
}

/** Of several obstacles the last of these is reported: that request was closest to being accepted. */
const REPORTED = ['missing', 'twice', 'unknown']

type Credentials = Pick<Contract, 'credentialLocations'>

/** Finds out who calls, by the security requirements of the operation. */
export function authenticate({ keys, contract }: { readonly keys: Keys; readonly contract: Credentials }): Middleware {
  return (request, { locals: { context } }, next) => {
    const { operation } = context.route
    context.identity =
      operation.securityRequirements.length > 0
        ? identify(request, operation, keys, context.tracker)
        : identifyOptionally(request, keys, contract)
    next()
  }
}

/**
 * The caller, by the keys that one of the operation's requirements asks for.
 *
 * @throws Problem 401 for a key that is missing, blank, sent twice or unknown; 403 for one without the right
 */
function identify(request: IncomingMessage, operation: Operation, keys: Keys, tracker: BehaviourTracker): Identity {
  const rule = tracker.ask('auth.keys')
  if (rule === 'off') return keys.anyone
  let reported: Obstacle | undefined
  for (const requirement of operation.securityRequirements) {
    const found = findHolder(requirement, request, keys, rule === 'any')
    if (!('why' in found)) return withRight(found, operation, requirement)
    if (!reported || REPORTED.indexOf(found.why) > REPORTED.indexOf(reported.why)) reported = found
  }
  if (!reported) return keys.anyone
  throw unauthorized(reported, operation.securityRequirements, tracker)
}

/** The holder of the first known key, when each location of the requirement has a key. */
function findHolder(
  requirement: SecurityRequirement,
  request: IncomingMessage,
  keys: Keys,
  isAnyAllowed: boolean,
): KeyHolder | Obstacle {
  let holder: KeyHolder | undefined
  for (const location of requirement) {
    const [sent, ...more] = location.values(request)
    if (more.length > 0) return { why: 'twice', requirement, location, received: 'several' }
    const key = location.read(sent ?? '', keys.isListed)
    if (key.trim() === '') return { why: 'missing', requirement, location, received: describe(sent) }
    holder ??= holderOf(key, keys)
  }
  if (holder) return holder
  const [location] = requirement
  return isAnyAllowed || !location ? keys.anyone : { why: 'unknown', requirement, location, received: 'another' }
}

function describe(sent: string | undefined): string {
  if (sent === undefined) return 'nothing'
  return sent.trim() === '' ? 'a blank one' : 'something else'
}

function holderOf(key: string, { listed }: Keys): KeyHolder | undefined {
  return listed.size === 0 ? undefined : (listed.get(key) ?? listed.get(withoutSandbox(key)))
}

function withRight(holder: KeyHolder, { operationId }: Operation, [location]: SecurityRequirement): Identity {
  if (!holder.rights || holder.rights.has(operationId) || !location) return holder
  throw operationForbidden({
    detail: `The key has no right to ${operationId}; it may ${[...holder.rights].join(', ') || 'do nothing'}.`,
    violations: [
      refusalInWords('auth.forbidden', whereIs(location), `a key with the right ${operationId}`, 'one without'),
    ],
  })
}

/** The caller of an operation that asks for no key: the holder of a configured key if one is sent, else anyone. */
function identifyOptionally(request: IncomingMessage, keys: Keys, { credentialLocations }: Credentials): Identity {
  if (keys.listed.size === 0) return keys.anyone
  for (const location of credentialLocations) {
    const [sent = ''] = location.values(request)
    const holder = holderOf(location.read(sent, keys.isListed), keys)
    if (holder) return holder
  }
  return keys.anyone
}

/** The key of a request, from any location that the contract allows; the empty string for none. */
export function sentKey(request: IncomingMessage, { credentialLocations }: Credentials): string {
  return credentialLocations.map((location) => location.values(request).join()).join()
}

function unauthorized(
  { why, requirement, location, received }: Obstacle,
  requirements: readonly SecurityRequirement[],
  tracker: BehaviourTracker,
): Problem {
  const status = Number(tracker.settings['auth.refused'])
  const { detail, expected } = MESSAGES[why](location, requirement, requirements)
  const challenges = new Set(requirements.flat().map(({ challenge }) => challenge))
  return keyMissing({
    status,
    detail,
    ...(status === 401 ? { headers: { 'www-authenticate': [...challenges].join(', ') } } : {}),
    violations: [refusalInWords('auth.refused', whereIs(location), expected, received)],
  })
}

type KeyMessage = (
  location: CredentialLocation,
  requirement: SecurityRequirement,
  requirements: readonly SecurityRequirement[],
) => { readonly detail: string; readonly expected: string }

const MESSAGES: Readonly<Record<Obstacle['why'], KeyMessage>> = {
  missing(location, requirement, requirements) {
    const whole = requirement.length > 1 ? ` in ${location.title}` : ''
    const wanted = requirements.map((one) => one.map(({ title }) => title).join(' and one in ')).join(', or in ')
    return { detail: `The request has no key${whole}. Send one in ${wanted}.`, expected: 'a key that is not blank' }
  },
  twice: (location) => ({
    detail: `The ${location.in === 'query' ? 'query parameter' : location.in} is there twice. Send it once.`,
    expected: 'one key',
  }),
  unknown: () => ({
    detail: 'The key is not known. The configuration lists the known ones under `keys`.',
    expected: 'a known key',
  }),
}

function whereIs({ in: place, name }: CredentialLocation) {
  if (place === 'query') return { parameter: name }
  return { header: place === 'cookie' ? 'Cookie' : name }
}
