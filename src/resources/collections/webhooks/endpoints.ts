import type { State } from '../../../engine/state.ts'
import { asList, isObject, type Members } from '../../../base/formats/json.ts'
import { plainName, wordsOf } from '../../../base/formats/names.ts'
import { entriesIn } from '../documents/stored-document.ts'
import type { KnownCollections } from '../control/known-collections.ts'
import { findPlace } from '../seeds/instance-place.ts'

/** Where a webhook goes. */
export interface WebhookEndpoint {
  readonly url: string
  /** What the client was told that messages to it are signed with; undefined for the usual secret. */
  readonly secret: string | undefined
}

/** Of one sandbox. */
const MOST_ENDPOINTS = 100

const ENDPOINT = /^(hook|webhook|subscription|endpoint|callback|listener|notification)s?$/

/** Whether items are addresses that messages go to, as webhooks are. */
export function isEndpoint(noun: string): boolean {
  return wordsOf(noun).some((word) => ENDPOINT.test(word))
}

/** Endpoints that clients registered as items of the service, such as `POST /webhooks`, and that want an event. */
export function findEndpoints(
  { collections, collectionSeeds, collectionSeed }: State,
  known: KnownCollections,
  event: string,
): readonly WebhookEndpoint[] {
  const found: WebhookEndpoint[] = []
  for (const [name, { entries }] of collections) {
    const noun = findPlace(known.collections, name)?.plan.noun
    if (noun === undefined || !isEndpoint(noun)) continue
    const seeds = collectionSeeds.get(collectionSeed, name)
    for (const { id, document } of entriesIn(entries)) {
      // No client registered those that the collection begins with.
      if (seeds?.get(id) === document) continue
      const endpoint = endpointOf(document.value, event)
      if (endpoint) found.push(endpoint)
      if (found.length >= MOST_ENDPOINTS) return found
    }
  }
  return found
}

function endpointOf(item: Members, event: string): WebhookEndpoint | undefined {
  // GitHub has them in `config`.
  const members = [
    ...Object.entries(item),
    ...Object.values(item)
      .filter(isObject)
      .flatMap((inner) => Object.entries(inner)),
  ]
  const textOf = (names: RegExp) => {
    const value = members.find(([name, held]) => names.test(plainName(name)) && typeof held === 'string')?.[1]
    return typeof value === 'string' ? value : undefined
  }
  const url = textOf(
    /^((webhook|callback|target|endpoint|notification|delivery|hook|payload)?(url|uri|address)|endpoint)$/,
  )
  const isOff = members.some(
    ([name, value]) => /^(active|enabled|isactive|isenabled)$/.test(plainName(name)) && value === false,
  )
  if (url === undefined || isOff || !wants(members, event)) return undefined
  return { url, secret: textOf(/^(webhook|signing|hook)?secret(key)?$/) }
}

/** Whether an endpoint lists an event, or none. */
function wants(members: readonly (readonly [string, unknown])[], event: string): boolean {
  const listed = members.find(([name]) =>
    /^(enabled|subscribed)?(events?|eventtypes?|topics?|triggers?)$/.test(plainName(name)),
  )?.[1]
  const names = typeof listed === 'string' ? [listed] : asList(listed).filter((one) => typeof one === 'string')
  return names.length === 0 || names.some((name) => name === '*' || plainName(name) === plainName(event))
}
