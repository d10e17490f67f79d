import { isDeepStrictEqual } from 'node:util'
import { isObject, stringifyJson, tryParseJson } from '../../base/formats/json.ts'
import type { ReadExchange } from '../recordings/differences/find-differences.ts'
import { kindOf } from '../recordings/differences/values.ts'
import { headerOf, wordIn } from '../recordings/recorded-exchange.ts'
import type { Planned } from './responder.ts'
import { keyOfId, lastSegment, resourceOfMember, resourceOfUrl, type UrlPart, urlParts } from './resource-ids.ts'

/** What a service made, such as ids, and what a stand-in made in its place. */
interface MadeNames {
  /** Whether a request names something that the stand-in has nothing in the place of. */
  areLost(request: Planned): boolean
  /** A request with the names of the stand-in. */
  ours<Request extends Planned>(request: Request): Request
  /** A body of the service with the names of the stand-in. @param url of the request */
  oursIn(json: unknown, url: string): unknown
  /** Takes the names of two responses to one request. @param index of the request */
  learn(index: number, theirs: ReadExchange, ours: ReadExchange): void
}

/** @param numbered what `numberedResources` finds: such numbers count up alike on both sides */
export function createMadeNames(requests: readonly Planned[], numbered: ReadonlySet<string>): MadeNames {
  const uses = usesOf(requests)
  /** Undefined where the stand-in has nothing in its place. */
  const own = new Map<string, string | undefined>()
  /** The same for those that responses alone have. */
  const shown = new Map<string, string>()
  /** Ids of things that the service has removed, which some services use again. */
  const free = new Set<string>()
  const note = (index: number, name: string, ours: unknown, isId: boolean) => {
    const use = uses.get(name)
    // A number that was not filled is no id.
    const made = typeof ours === 'string' || (typeof ours === 'number' && ours !== 0) ? String(ours) : undefined
    const isAgain = made !== undefined && requests[index]?.method === 'POST' && free.delete(name)
    // What a request had before was chosen by the client.
    if (use && use.first <= index && !isAgain) return
    if (use) own.set(name, isAgain ? made : (own.get(name) ?? made))
    else if (isId && made !== undefined && name.length >= SHORTEST_ID) shown.set(name, made)
  }
  const inRequests = createReplacer((name) => own.get(name))
  const inBodies = createReplacer((name) => own.get(name) ?? shown.get(name))
  return {
    areLost: (request) => [...wordsOf(request)].some((word) => own.has(word) && own.get(word) === undefined),
    ours: (request) => inRequests.request(request),
    oursIn: (json, url) => inBodies.value(json, resourceOfUrl(url)),
    learn(index, theirs, ours) {
      const { status, headers, body } = theirs.exchange.response
      if (status >= 400) return
      const { method, url = '' } = requests[index] ?? {}
      const removed = method === 'DELETE' ? lastSegment(url) : undefined
      // A number is the id of many things.
      if (removed !== undefined && own.has(removed) && !/^\d+$/.test(removed)) free.add(removed)
      // An error has made nothing.
      const made = ours.exchange.response.status < 400 ? ours.json : undefined
      for (const { name, resource, their, our } of leafPairs(theirs.json, made, resourceOfUrl(url))) {
        const isId = kindOf(name, their) === 'id'
        // Where paths name an item by its number, its id is something else.
        const of = numbered.has(resource) && name === 'id' ? `${resource} id` : resourceOfMember(name, resource)
        if ((isId || isMade(their)) && their !== '') note(index, keyOfId(String(their), of), our, isId)
      }
      // A text alone may be the id of what was made.
      const word = wordIn(body)
      if (word !== undefined && isMade(word))
        note(index, keyOfId(word, resourceOfUrl(url)), wordIn(ours.exchange.response.body), false)
      for (const name of ['etag', 'location']) {
        const [their, our] = [headers, ours.exchange.response.headers].map((all) => headerOf(all, name))
        if (their === undefined) continue
        note(index, their, our, false)
        if (name === 'location') {
          const last = our === undefined ? undefined : lastSegment(our)
          note(index, keyOfId(lastSegment(their), resourceOfUrl(their)), last, false)
        }
      }
    },
  }
}

/** A value of a response, and the one of the other side in its place. */
interface LeafPair {
  /** Of the member. */
  readonly name: string
  /** Of the object that it is a member of. */
  readonly resource: string
  readonly their: unknown
  readonly our: unknown
}

/** The values of two bodies that stand in the same place. @param resource of the bodies */
export function* leafPairs(theirs: unknown, ours: unknown, resource: string, name = ''): Generator<LeafPair> {
  if (Array.isArray(theirs))
    for (const [at, inner] of theirs.entries())
      yield* leafPairs(inner, Array.isArray(ours) ? ours[at] : undefined, resource, name)
  else if (isObject(theirs))
    for (const [member, inner] of Object.entries(theirs))
      yield* leafPairs(inner, isObject(ours) ? ours[member] : undefined, resourceOfMember(name, resource), member)
  else yield { name, resource, their: theirs, our: ours }
}

/** Characters of an id that no request names: a shorter text is a code of many things. */
const SHORTEST_ID = 3

/** When requests name each word first. */
function usesOf(requests: readonly Planned[]): ReadonlyMap<string, { readonly first: number }> {
  const uses = new Map<string, { readonly first: number }>()
  for (const [first, request] of requests.entries())
    for (const word of wordsOf(request)) if (!uses.has(word)) uses.set(word, { first })
  return uses
}

/** @param look the id in place of one that is known by a key of `keyOfId`; undefined where it stays */
export function createReplacer(look: (name: string) => string | undefined) {
  const request = <Request extends Planned>(sent: Request): Request => ({
    ...sent,
    // Recordings may have what no request can, such as spaces.
    url: inUrl(sent.url).replaceAll(/[^!-~]+/g, encodeURIComponent),
    headers: sent.headers.map(({ name, value }) => ({ name, value: look(value) ?? value })),
    body: bodyIn(sent.body, (value) => inValue(value, resourceOfUrl(sent.url))),
  })
  const inPart = ({ signs, part, text, resource }: UrlPart) => {
    const other = look(keyOfId(text, resource))
    return signs + (other === undefined ? part : encodeURIComponent(other))
  }
  const inUrl = (url: string) => [...urlParts(url)].map(inPart).join('')
  const inValue = (value: unknown, holder: string, name = ''): unknown => {
    const resource = resourceOfMember(name, holder)
    if (typeof value === 'string') return look(keyOfId(value, resource)) ?? (value.includes('/') ? inUrl(value) : value)
    if (typeof value === 'number' && kindOf(name, value) === 'id') {
      const other = look(keyOfId(String(value), resource))
      return other !== undefined && /^-?\d+$/.test(other) ? Number(other) : (other ?? value)
    }
    if (Array.isArray(value)) return value.map((one) => inValue(one, holder, name))
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([member, one]) => [
        (isMade(member) ? look(member) : undefined) ?? member,
        inValue(one, resource, member),
      ]),
    )
  }
  return { request, value: (value: unknown, resource: string) => inValue(value, resource) }
}

/** Whether a text is none that a person writes: an id, a token, a number in a name. */
function isMade(value: unknown): boolean {
  return typeof value === 'string' && value.length > 2 && /\d/.test(value) && !/\s/.test(value)
}

/** As it was written, where no name changes. */
function bodyIn(body: string | undefined, change: (value: unknown) => unknown): string | undefined {
  const value = tryParseJson(body)
  const changed = change(value)
  if (!isDeepStrictEqual(changed, value)) return stringifyJson(changed)
  // HAR has an empty text where there was no body.
  return body === '' ? undefined : body
}

/** The names of what may be ids in a request: segments of its path, values of its query, of its body, and of conditions. */
export function* wordsOf({ url, body, headers }: Planned): Generator<string> {
  for (const { text, resource } of urlParts(url)) if (text !== '') yield keyOfId(text, resource)
  for (const name of ['if-match', 'if-none-match']) {
    const value = headerOf(headers, name)
    if (value !== undefined) yield value
  }
  for (const { name, resource, their } of leafPairs(tryParseJson(body), undefined, resourceOfUrl(url)))
    if (typeof their === 'string' || typeof their === 'number')
      yield keyOfId(String(their), resourceOfMember(name, resource))
}
