import { isObject, tryParseJson } from '../../base/formats/json.ts'
import { decodePercent } from '../../contract/pointer.ts'
import { kindOf } from '../recordings/differences/values.ts'
import { headerOf, type RecordedRequest } from '../recordings/recorded-exchange.ts'
import type { LearntResponse } from './compared-exchange.ts'

/** What a service made, such as ids, and what a stand-in made in its place. */
export interface MadeNames {
  /** Whether a request names something that the stand-in has nothing in the place of. */
  areLost(request: RecordedRequest): boolean
  /** A request with the names of the stand-in. */
  ours(request: RecordedRequest): RecordedRequest
  /** A body of the service with the names of the stand-in. */
  oursIn(json: unknown): unknown
  /** Takes the names of two responses to one request. @param index of the request */
  learn(index: number, theirs: LearntResponse, ours: LearntResponse): void
}

export function createMadeNames(requests: readonly RecordedRequest[]): MadeNames {
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
  const visit = (index: number, name: string, theirs: unknown, ours: unknown): void => {
    if (Array.isArray(theirs))
      for (const [at, inner] of theirs.entries()) visit(index, name, inner, Array.isArray(ours) ? ours[at] : undefined)
    else if (isObject(theirs))
      for (const [member, inner] of Object.entries(theirs))
        visit(index, member, inner, isObject(ours) ? ours[member] : undefined)
    else if (kindOf(name, theirs) === 'id') note(index, theirs, ours, true)
    else if (isMade(theirs)) note(index, theirs, ours, false)
  }
  const inRequests = createReplacer((text) => own.get(text))
  const inBodies = createReplacer((text) => own.get(text) ?? shown.get(text))
  return {
    areLost: (request) => [...wordsOf(request)].some((word) => own.has(word) && own.get(word) === undefined),
    ours: (request) => ({
      ...request,
      // Recordings may have what no request can, such as spaces.
      url: inRequests.url(request.url).replaceAll(/[^!-~]+/g, encodeURIComponent),
      headers: request.headers.map(({ name, value }) => ({ name, value: own.get(value) ?? value })),
      body: bodyIn(request.body, inRequests.value),
    }),
    oursIn: (json) => inBodies.value(json),
    learn(index, theirs, ours) {
      if (theirs.status >= 400) return
      const { method, url } = requests[index] ?? {}
      const removed = method === 'DELETE' ? lastSegment(url ?? '') : undefined
      // A number is the id of many things.
      if (removed !== undefined && own.has(removed) && !/^\d+$/.test(removed)) free.add(removed)
      visit(index, '', theirs.json, ours.json)
      // A text alone may be the id of what was made.
      if (theirs.word !== undefined && isMade(theirs.word)) note(index, theirs.word, ours.word, false)
      for (const name of ['etag', 'location']) {
        const [their, our] = [theirs, ours].map(({ headers }) => headers.get(name))
        if (their === undefined) continue
        note(index, their, our, false)
        if (name === 'location')
          note(index, lastSegment(their), our === undefined ? undefined : lastSegment(our), false)
      }
    },
  }
}

/** Characters of an id that no request names. */
const SHORTEST_ID = 3

/** When requests name each word first. */
function usesOf(requests: readonly RecordedRequest[]): ReadonlyMap<string, { readonly first: number }> {
  const uses = new Map<string, { readonly first: number }>()
  for (const [first, request] of requests.entries())
    for (const word of wordsOf(request)) if (!uses.has(word)) uses.set(word, { first })
  return uses
}

/** @param look the name in place of another; undefined where it stays */
function createReplacer(look: (text: string) => string | undefined) {
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
  return { url: inUrl, value: (value: unknown) => inValue(value) }
}

/** Whether a text is none that a person writes: an id, a token, a number in a name. */
function isMade(value: unknown): boolean {
  return typeof value === 'string' && value.length > 2 && /\d/.test(value) && !/\s/.test(value)
}

function bodyIn(body: string | undefined, change: (value: unknown) => unknown): string | undefined {
  const value = body === undefined || body === '' ? undefined : tryParseJson(body)
  // HAR has an empty text where there was no body.
  if (value !== undefined) return JSON.stringify(change(value))
  return body === '' ? undefined : body
}

function lastSegment(url: string): string {
  const segments = url.replace(/[?#].*/s, '').split('/')
  return decodePercent(segments.findLast((one) => one !== '') ?? '')
}

/** What a request names: segments of its path, values of its query, of its body, and of conditions. */
function* wordsOf({ url, body, headers }: RecordedRequest): Generator<string> {
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
