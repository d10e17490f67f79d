import type { IncomingMessage } from 'node:http'
import { withoutSandbox } from '../../http/sandbox-name.ts'
import type { KeyHolder, Keys } from '../dependencies.ts'
import type { Middleware } from '../request-context.ts'
import type { BehaviourTracker } from '../../behaviours/tracker.ts'
import type { Contract, Operation } from '../../contract/contract.ts'
import type { CredentialLocation } from '../../contract/parameters/credential-location.ts'
import type { SecurityRequirement } from '../../contract/parameters/security.ts'
import { refusalInWords } from '../../behaviours/refusal.ts'
import type { Identity } from '../../resources/handler.ts'
import type { Problem } from '../../errors/problem.ts'
import { keyMissing, operationForbidden } from '../../errors/request-errors.ts'

/** What stands against a way in, and where. The worse the nearer a request was to come in. */
interface Obstacle {
  readonly why: 'missing' | 'twice' | 'unknown'
  readonly way: SecurityRequirement
  readonly place: CredentialLocation
  /** For people. */
  readonly came: string
}

const NEARNESS = ['missing', 'twice', 'unknown']

export interface AuthenticationDependencies {
  readonly keys: Keys
  readonly contract: Credentials
}

type Credentials = Pick<Contract, 'credentialLocations'>

/** Finds out who calls. */
export function authenticate({ keys, contract }: AuthenticationDependencies): Middleware {
  return (request, { locals: { context } }, next) => {
    const { operation } = context.route
    context.identity =
      operation.securityRequirements.length > 0
        ? identify(request, operation, keys, context.tracker)
        : identifyFreely(request, keys, contract)
    next()
  }
}

/**
 * The caller, by the keys of one of the ways into an operation.
 *
 * @throws Problem 401 for a key that is missing, blank, sent twice or unknown; 403 for one without the right
 */
function identify(request: IncomingMessage, operation: Operation, keys: Keys, tracker: BehaviourTracker): Identity {
  const rule = tracker.ask('auth.keys')
  if (rule === 'off') return keys.anyone
  let nearest: Obstacle | undefined
  for (const way of operation.securityRequirements) {
    const found = enter(way, request, keys, rule === 'any')
    if (!('why' in found)) return withRight(found, operation, way)
    if (!nearest || NEARNESS.indexOf(found.why) > NEARNESS.indexOf(nearest.why)) nearest = found
  }
  if (!nearest) return keys.anyone
  throw unauthorized(nearest, operation.securityRequirements, tracker)
}

/** The holder of the first key that is known, when a key is in each place of the way. */
function enter(
  way: SecurityRequirement,
  request: IncomingMessage,
  keys: Keys,
  isAnyAllowed: boolean,
): KeyHolder | Obstacle {
  let holder: KeyHolder | undefined
  for (const place of way) {
    const sent = place.values(request)
    if (sent.length > 1) return { why: 'twice', way, place, came: 'several' }
    const key = place.read(sent[0] ?? '', keys.isListed)
    if (key.trim() === '') return { why: 'missing', way, place, came: describe(sent[0]) }
    holder ??= holderOf(key, keys)
  }
  if (holder) return holder
  const [place] = way
  return isAnyAllowed || !place ? keys.anyone : { why: 'unknown', way, place, came: 'another' }
}

/** What is there in the place of a key. */
function describe(sent: string | undefined): string {
  if (sent === undefined) return 'nothing'
  return sent.trim() === '' ? 'a blank one' : 'something else'
}

function holderOf(key: string, { listed }: Keys): KeyHolder | undefined {
  return listed.get(key) ?? listed.get(withoutSandbox(key))
}

function withRight(holder: KeyHolder, { operationId }: Operation, [place]: SecurityRequirement): Identity {
  if (!holder.rights || holder.rights.has(operationId) || !place) return holder
  throw operationForbidden({
    detail: `The key has no right to ${operationId}; it may ${[...holder.rights].join(', ') || 'do nothing'}.`,
    violations: [
      refusalInWords('auth.forbidden', whereIs(place), `a key with the right ${operationId}`, 'one without'),
    ],
  })
}

/** Who calls an operation that asks for no key: the holder of a known key that is there all the same, or anyone. */
function identifyFreely(request: IncomingMessage, keys: Keys, { credentialLocations }: Credentials): Identity {
  if (keys.listed.size === 0) return keys.anyone
  for (const place of credentialLocations) {
    const [held = ''] = place.values(request)
    const holder = holderOf(place.read(held, keys.isListed), keys)
    if (holder) return holder
  }
  return keys.anyone
}

/** The key of a request, from any location that the contract allows; the empty string for none. */
export function sentKey(request: IncomingMessage, { credentialLocations }: Credentials): string {
  return credentialLocations.map((place) => place.values(request).join()).join()
}

function unauthorized(
  { why, way, place, came }: Obstacle,
  securityRequirements: readonly SecurityRequirement[],
  tracker: BehaviourTracker,
): Problem {
  const { detail, expected } = wordsFor(why, way, place, securityRequirements)
  const challenges = new Set(securityRequirements.flat().map(({ challenge }) => challenge))
  const status = Number(tracker.settings['auth.refused'])
  return keyMissing({
    status,
    detail,
    ...(status === 401 ? { headers: { 'www-authenticate': [...challenges].join(', ') } } : {}),
    violations: [refusalInWords('auth.refused', whereIs(place), expected, came)],
  })
}

interface Words {
  readonly detail: string
  readonly expected: string
}

function wordsFor(
  why: Obstacle['why'],
  way: SecurityRequirement,
  place: CredentialLocation,
  securityRequirements: readonly SecurityRequirement[],
): Words {
  switch (why) {
    case 'missing': {
      const whole = way.length > 1 ? ` in ${place.title}` : ''
      const wanted = securityRequirements
        .map((one) => one.map(({ title }) => title).join(' and one in '))
        .join(', or in ')
      return { detail: `The request has no key${whole}. Send one in ${wanted}.`, expected: 'a key that is not blank' }
    }
    case 'twice': {
      const what = place.in === 'query' ? 'query parameter' : place.in
      return { detail: `The ${what} is there twice. Send it once.`, expected: 'one key' }
    }
    case 'unknown':
      return {
        detail: 'The key is not known. The configuration lists the known ones under `keys`.',
        expected: 'a known key',
      }
  }
}

function whereIs({ in: place, name }: CredentialLocation) {
  if (place === 'query') return { parameter: name }
  return { header: place === 'cookie' ? 'Cookie' : name }
}
