import { isDeepStrictEqual } from 'node:util'
import { isObject, stringifyJson, tryParseJson } from '../../base/formats/json.ts'
import { decodePercent } from '../../contract/pointer.ts'
import type { ReadExchange } from '../recordings/differences/find-differences.ts'
import { kindOf } from '../recordings/differences/values.ts'
import { headerOf, wordIn } from '../recordings/recorded-exchange.ts'
import type { Planned } from './responder.ts'

/** What a service made, such as ids, and what a stand-in made in its place. */
interface MadeNames {
  /** Whether a request names something that the stand-in has nothing in the place of. */
  areLost(request: Planned): boolean
  /** A request with the names of the stand-in. */
  ours<Request extends Planned>(request: Request): Request
  /** A body of the service with the names of the stand-in. */
  oursIn(json: unknown): unknown
  /** Takes the names of two responses to one request. @param index of the request */
  learn(index: number, theirs: ReadExchange, ours: ReadExchange): void
}

export function createMadeNames(requests: readonly Planned[]): MadeNames {
  const uses = usesOf(requests)
  /** Undefined where the stand-in has nothing in its place. */
  const own = new Map<string, string | undefined>()
  /** The same for those that responses alone have. */
  const shown = new Map<string, string>()
  /** Ids of things that the service has removed, which some services use again. */
  const free = new Set<string>()
  const note = (index: number, theirs: unknown, ours: unknown, isId: boolean) => {
    const text = String(theirs)
    if (text === '') return
    const use = uses.get(text)
    const made = typeof ours === 'string' || typeof ours === 'number' ? String(ours) : undefined
    const isAgain = made !== undefined && requests[index]?.method === 'POST' && free.delete(text)
    // What a request had before was chosen by the client.
    if (use && use.first <= index && !isAgain) return
    if (use) own.set(text, isAgain ? made : (own.get(text) ?? made))
    // A short number is the id of many things.
    else if (isId && made !== undefined && text.length >= SHORTEST_ID) shown.set(text, made)
  }
  const inRequests = createReplacer((text) => own.get(text))
  const inBodies = createReplacer((text) => own.get(text) ?? shown.get(text))
  return {
    areLost: (request) => [...wordsOf(request)].some((word) => own.has(word) && own.get(word) === undefined),
    ours: (request) => inRequests.request(request),
    oursIn: (json) => inBodies.value(json),
    learn(index, theirs, ours) {
      const { status, headers, body } = theirs.exchange.response
      if (status >= 400) return
      const { method, url } = requests[index] ?? {}
      const removed = method === 'DELETE' ? lastSegment(url ?? '') : undefined
      // A number is the id of many things.
      if (removed !== undefined && own.has(removed) && !/^\d+$/.test(removed)) free.add(removed)
      for (const [name, their, our] of leafPairs(theirs.json, ours.json)) {
        const isId = kindOf(name, their) === 'id'
        if (isId || isMade(their)) note(index, their, our, isId)
      }
      // A text alone may be the id of what was made.
      const word = wordIn(body)
      if (word !== undefined && isMade(word)) note(index, word, wordIn(ours.exchange.response.body), false)
      for (const name of ['etag', 'location']) {
        const [their, our] = [headers, ours.exchange.response.headers].map((all) => headerOf(all, name))
        if (their === undefined) continue
        note(index, their, our, false)
        if (name === 'location')
          note(index, lastSegment(their), our === undefined ? undefined : lastSegment(our), false)
      }
    },
  }
}

/** The values of two bodies that stand in the same place, with the names of their members. */
export function* leafPairs(theirs: unknown, ours: unknown, name = ''): Generator<[string, unknown, unknown]> {
  if (Array.isArray(theirs))
    for (const [at, inner] of theirs.entries())
      yield* leafPairs(inner, Array.isArray(ours) ? ours[at] : undefined, name)
  else if (isObject(theirs))
    for (const [member, inner] of Object.entries(theirs))
      yield* leafPairs(inner, isObject(ours) ? ours[member] : undefined, member)
  else yield [name, theirs, ours]
}

/** Characters of an id that no request names. */
const SHORTEST_ID = 3

/** When requests name each word first. */
function usesOf(requests: readonly Planned[]): ReadonlyMap<string, { readonly first: number }> {
  const uses = new Map<string, { readonly first: number }>()
  for (const [first, request] of requests.entries())
    for (const word of wordsOf(request)) if (!uses.has(word)) uses.set(word, { first })
  return uses
}

/** @param look the name in place of another; undefined where it stays */
export function createReplacer(look: (text: string) => string | undefined) {
  const request = <Request extends Planned>(sent: Request): Request => ({
    ...sent,
    // Recordings may have what no request can, such as spaces.
    url: inUrl(sent.url).replaceAll(/[^!-~]+/g, encodeURIComponent),
    headers: sent.headers.map(({ name, value }) => ({ name, value: look(value) ?? value })),
    body: bodyIn(sent.body, inValue),
  })
  const inUrl = (url: string) =>
    url.replaceAll(/[^/?&=,]+/g, (part) => {
      const other = look(decodePercent(part))
      return other === undefined ? part : encodeURIComponent(other)
    })
  const inValue = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') return look(value) ?? (value.includes('/') ? inUrl(value) : value)
    if (typeof value === 'number' && kindOf(name, value) === 'id') {
      const other = look(String(value))
      return other !== undefined && /^-?\d+$/.test(other) ? Number(other) : (other ?? value)
    }
    if (Array.isArray(value)) return value.map((one) => inValue(one, name))
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([member, one]) => [
        (isMade(member) ? look(member) : undefined) ?? member,
        inValue(one, member),
      ]),
    )
  }
  return { request, value: (value: unknown) => inValue(value) }
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

function lastSegment(url: string): string {
  const segments = url.replace(/[?#].*/s, '').split('/')
  return decodePercent(segments.findLast((one) => one !== '') ?? '')
}

/** What a request names: segments of its path, values of its query, of its body, and of conditions. */
export function* wordsOf({ url, body, headers }: Planned): Generator<string> {
  for (const part of url.split(/[/?&=,]/)) if (part !== '') yield decodePercent(part)
  for (const name of ['if-match', 'if-none-match']) {
    const value = headerOf(headers, name)
    if (value !== undefined) yield value
  }
  yield* leavesOf(tryParseJson(body))
}

function* leavesOf(value: unknown): Generator<string> {
  if (typeof value === 'string' || typeof value === 'number') yield String(value)
  else if (Array.isArray(value)) for (const one of value) yield* leavesOf(one)
  else if (isObject(value)) for (const one of Object.values(value)) yield* leavesOf(one)
}
