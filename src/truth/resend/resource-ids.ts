import { rememberingEach } from '../../base/cache.ts'
import { asObject, isObject, tryParseJson } from '../../base/formats/json.ts'
import { wordsOf } from '../../base/formats/names.ts'
import { singular } from '../../base/formats/plurals.ts'
import { decodePercent } from '../../contract/pointer.ts'
import type { RecordedExchange } from '../recordings/recorded-exchange.ts'

const NUMBER = /^\d{1,15}$/
const IDS = new Set(['id', 'ids', 'uuid', 'guid', 'pk'])

/** What holds an item, or a list of items, and says nothing of what they are. */
const ENVELOPES = new Set('data result item content value record object response payload row'.split(' '))

/** The resource that a name is about: `issue` of `issue_id` and of `issues`; empty for `id`. */
function resourceOf(name: string): string {
  const words = wordsOf(name)
  const own = words.filter((word, at) => at < words.length - 1 || !IDS.has(word))
  return singular(own.at(-1) ?? '')
}

/** The resource of an object that is a member of another one. @param holder the resource of that one */
export function resourceOfMember(name: string, holder: string): string {
  const resource = resourceOf(name)
  return resource === '' || ENVELOPES.has(resource) ? holder : resource
}

/** What an id is known by. Several resources have the same number, so that a number counts with its resource. */
export function keyOfId(id: string, resource: string): string {
  return NUMBER.test(id) ? `${resource} ${id}` : id
}

export interface UrlPart {
  /** The signs before it. */
  readonly signs: string
  /** As it is written. */
  readonly part: string
  readonly text: string
  /** The resource whose id it may be. */
  readonly resource: string
}

/** The parts of a URL: the segments of its path, and the names and values of its query. */
export function* urlParts(url: string): Generator<UrlPart> {
  let resource = ''
  for (const [, signs = '', part = ''] of url.matchAll(/([/?&=,]*)([^/?&=,]*)/g)) {
    const text = decodePercent(part)
    const sign = signs.at(-1) ?? '/'
    if (/[?&]/.test(sign)) resource = resourceOf(text) || resource
    yield { signs, part, text, resource }
    if (sign === '/' && part !== '' && !NUMBER.test(text)) resource = resourceOf(text)
  }
}

/** The resource of the path of a URL: `comment` of `/issues/3/comments/17`. */
export function resourceOfUrl(url: string): string {
  const names = [...urlParts(url.replace(/[?#].*/s, ''))].filter(({ text }) => text !== '' && !NUMBER.test(text))
  return resourceOf(names.at(-1)?.text ?? '')
}

export function lastSegment(url: string): string {
  const segments = url.replace(/[?#].*/s, '').split('/')
  return decodePercent(segments.findLast((one) => one !== '') ?? '')
}

/** The item of a response, also inside an envelope. */
function itemIn(body: unknown, resource: string): object {
  const members = Object.entries(asObject(body))
  const [, inner] =
    members.find(([name, value]) => isObject(value) && resourceOfMember(name, resource) === resource) ?? []
  return inner === undefined ? asObject(body) : asObject(inner)
}

/** The resources whose items paths name by another number than their `id`: by the `number` of an issue, which each project counts from 1. */
export const numberedResources = rememberingEach((exchanges: readonly RecordedExchange[]): ReadonlySet<string> => {
  const counts = new Map<string, Map<string, number>>()
  for (const { request, response } of exchanges) {
    const segment = lastSegment(request.url)
    if (!NUMBER.test(segment) || response.status >= 300) continue
    const resource = resourceOfUrl(request.url)
    const members = counts.get(resource) ?? new Map<string, number>()
    counts.set(resource, members)
    for (const [name, value] of Object.entries(itemIn(tryParseJson(response.body), resource)))
      if (String(value) === segment) members.set(name, (members.get(name) ?? 0) + 1)
  }
  const isNumbered = (members: ReadonlyMap<string, number>) =>
    Math.max(0, ...members.values()) > (members.get('id') ?? 0)
  return new Set([...counts].flatMap(([resource, members]) => (isNumbered(members) ? [resource] : [])))
})
