import { asObject, isObject, tryParseJson } from '../../base/formats/json.ts'
import { wordsOf } from '../../base/formats/names.ts'
import { singular } from '../../base/formats/plurals.ts'
import { decodePercent } from '../../contract/pointer.ts'
import type { RecordedExchange } from '../recordings/recorded-exchange.ts'

const NUMBER = /^\d{1,15}$/
const IDS = new Set(['id', 'ids', 'uuid', 'guid', 'pk'])

/** What holds an item, or a list of items, and says nothing of what they are. */
const ENVELOPES = new Set([
  'data',
  'result',
  'item',
  'content',
  'value',
  'record',
  'object',
  'response',
  'payload',
  'row',
])

/** What a name is about: `issue` of `issue_id` and of `issues`; empty for `id`. */
function thingOf(name: string): string {
  const words = wordsOf(name)
  const own = words.filter((word, at) => at < words.length - 1 || !IDS.has(word))
  return singular(own.at(-1) ?? '')
}

/** What an object is about that is a member of another one. @param holder what that one is about */
export function thingOfMember(name: string, holder: string): string {
  const thing = thingOf(name)
  return thing === '' || ENVELOPES.has(thing) ? holder : thing
}

/** The name by which an id is known. A number is the id of many things, so that it counts with the thing. */
export function nameOf(text: string, thing: string): string {
  return NUMBER.test(text) ? `${thing} ${text}` : text
}

/** Changes what may be ids in a URL: the segments of its path, and the values of its query. @param change of one, and what it is of */
export function mapUrl(url: string, change: (part: string, thing: string) => string): string {
  let thing = ''
  return url.replaceAll(/([/?&=,]?)([^/?&=,]+)/g, (_whole, sign: string, part: string) => {
    const text = decodePercent(part)
    if (sign === '?' || sign === '&') thing = thingOf(text) || thing
    const changed = change(text, thing)
    if ((sign === '/' || sign === '') && !NUMBER.test(text)) thing = thingOf(text)
    return sign + (changed === text ? part : encodeURIComponent(changed))
  })
}

/** What the path of a URL is about: `comment` of `/issues/3/comments/17`. */
export function thingOfUrl(url: string): string {
  let last = ''
  mapUrl(url.replace(/[?#].*/s, ''), (part) => {
    if (!NUMBER.test(part)) last = part
    return part
  })
  return thingOf(last)
}

/** The item of a response, also inside an envelope. */
function itemIn(body: unknown, thing: string): object {
  const members = Object.entries(asObject(body))
  const [, inner] = members.find(([name, value]) => isObject(value) && thingOfMember(name, thing) === thing) ?? []
  return inner === undefined ? asObject(body) : asObject(inner)
}

/** The things that paths name by another member than their `id`: the `number` of an issue, which each project counts from 1. */
export function keyedThings(exchanges: readonly RecordedExchange[]): ReadonlySet<string> {
  const counts = new Map<string, Map<string, number>>()
  for (const { request, response } of exchanges) {
    const segment = decodePercent(/\/([^/?#]+)\/?(?:[?#]|$)/.exec(request.url)?.[1] ?? '')
    if (!NUMBER.test(segment) || response.status >= 300) continue
    const body: unknown = tryParseJson(response.body)
    const thing = thingOfUrl(request.url)
    const members = counts.get(thing) ?? new Map<string, number>()
    counts.set(thing, members)
    for (const [name, value] of Object.entries(itemIn(body, thing)))
      if (String(value) === segment) members.set(name, (members.get(name) ?? 0) + 1)
  }
  const isKeyed = (members: ReadonlyMap<string, number>) => Math.max(0, ...members.values()) > (members.get('id') ?? 0)
  return new Set([...counts].flatMap(([thing, members]) => (isKeyed(members) ? [thing] : [])))
}
