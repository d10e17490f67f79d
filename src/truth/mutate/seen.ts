import { isDeepStrictEqual } from 'node:util'
import { encodePointer, isObject, tryParseJson } from '../../base/formats/json.ts'
import type { SeenDifference } from '../../control/client/mutation-report.ts'
import type { Exchange } from '../../journal/exchange.ts'
import { headerOf } from '../../base/network/http-message.ts'
import type { Journal } from '../../journal/journal.ts'

/** What a test received, request by request. */
export interface SeenExchange extends Pick<
  Exchange,
  'operationId' | 'method' | 'url' | 'status' | 'now' | 'next' | 'hasChanged'
> {
  /** The sandbox, and its id in the journal there; 0 when it was dropped. */
  readonly sandbox: string
  readonly id: number
  readonly behaviours: readonly string[]
  /** What the client received, by place: `status`, `header etag`, or the JSON pointer of a value. */
  readonly received: ReadonlyMap<string, unknown>
  /** The body, where it is JSON. */
  readonly json: unknown
  /** The JSON that the client sent. */
  readonly sent: unknown
  /** Whether the client asked for an order. */
  readonly isOrdered: boolean
  /** Whether the client asked for it to be done only while no other client had changed the resource. */
  readonly isConditional: boolean
  /** Whether it may be sent again if it is not known to be done: by its method, or by a key that it has. */
  readonly isRepeatable: boolean
  /** The kind of fault that a mutant applied to it. */
  readonly struckBy: string | undefined
  /** Whether only the beginning of the body is known. */
  readonly isCut: boolean
}

/** Set by the server anew for each response, or not part of the service. */
const NOT_COMPARED = /^(date|content-length|connection|keep-alive|x-request-id|x-mock-.*)$/

/** An exchange that the journal dropped to make room: what it was is not known. */
const DROPPED: SeenExchange = {
  sandbox: '',
  id: 0,
  operationId: undefined,
  method: '',
  url: '',
  status: 0,
  now: 0,
  behaviours: [],
  received: new Map(),
  json: undefined,
  sent: undefined,
  isOrdered: true,
  next: undefined,
  hasChanged: false,
  isConditional: false,
  isRepeatable: true,
  struckBy: undefined,
  isCut: true,
}

/** The exchanges of a sandbox since its journal was cleared. */
export function seenFrom({ name, journal }: { readonly name: string; readonly journal: Journal }): SeenExchange[] {
  journal.settle()
  const kept = [...journal.after(0)].map((exchange) =>
    exchange && !exchange.isResponseDropped ? seenOf(exchange, name) : DROPPED,
  )
  return [...Array.from({ length: journal.forgottenAfter(0) }, () => DROPPED), ...kept]
}

export function seenOf(exchange: Exchange, sandbox: string): SeenExchange {
  const { operationId, method, url, status, now, responseHeaders, responseBody = '', isResponseCut } = exchange
  const received = new Map<string, unknown>([['status', exchange.end === 'whole' ? status : exchange.end]])
  for (let at = 0; at < responseHeaders.length; at += 2) {
    const name = (responseHeaders[at] ?? '').toLowerCase()
    if (!NOT_COMPARED.test(name)) received.set(`header ${name}`, responseHeaders[at + 1])
  }
  const json = isJson(responseHeaders) && !isResponseCut ? tryParseJson(responseBody) : undefined
  if (isResponseCut) received.set('length of the body', headerOf(responseHeaders, 'content-length'))
  if (json === undefined) received.set('body', responseBody)
  else addValues(json, '', received)
  withoutAddress(received, headerOf(exchange.requestHeaders, 'host'))
  return {
    sandbox,
    id: exchange.id,
    operationId,
    method,
    url,
    status,
    now,
    behaviours: exchange.behaviours.split(', ').filter((id) => id !== ''),
    received,
    json,
    sent: tryParseJson(exchange.requestBody ?? ''),
    isOrdered: /sort|order/i.test(`${url} ${exchange.requestBody ?? ''}`),
    next: exchange.next,
    hasChanged: exchange.hasChanged,
    isConditional: CONDITIONS.some((name) => headerOf(exchange.requestHeaders, name) !== undefined),
    isRepeatable:
      !/^(POST|PATCH)$/.test(method) || exchange.requestHeaders.some((name, at) => at % 2 === 0 && KEY.test(name)),
    struckBy: exchange.faultId?.startsWith('mutant-') === true ? exchange.fault : undefined,
    isCut: isResponseCut,
  }
}

const CONDITIONS = ['if-match', 'if-unmodified-since']
const KEY = /idempoten(cy|ce|t)-?(key|token|id)/i

/** Servers of other runs have other ports, which URLs of pages and resources show. */
function withoutAddress(received: Map<string, unknown>, host: string | undefined): void {
  if (host === undefined) return
  for (const [place, value] of received)
    if (typeof value === 'string' && value.includes(host)) received.set(place, value.replaceAll(host, 'standin'))
}

function isJson(headers: readonly string[]): boolean {
  return /\bjson\b/.test(headerOf(headers, 'content-type') ?? '')
}

/** Each value at its pointer; an empty list or object is a value. */
function addValues(value: unknown, pointer: string, values: Map<string, unknown>): void {
  const members = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : []
  if (members.length === 0) values.set(pointer, value)
  for (const [name, member] of members) addValues(member, `${pointer}/${encodePointer(String(name))}`, values)
}

/** What differs between two runs of a test without any change of the service: `0 /files/0/created`. */
export type Noise = ReadonlySet<string>

export function noiseBetween(one: readonly SeenExchange[], other: readonly SeenExchange[]): Noise {
  return new Set([...differences(one, other, new Set())].map(({ key }) => key))
}

/** The first difference that is neither noise nor the time that has passed between both runs. */
export function firstDifference(
  usual: readonly SeenExchange[],
  now: readonly SeenExchange[],
  noise: Noise,
): SeenDifference | undefined {
  const [first] = differences(usual, now, noise)
  return first?.difference
}

/** What a test may have received differently where the journal keeps only the beginning of a body. */
export function possibleDifference(now: readonly SeenExchange[]): SeenDifference | undefined {
  const at = now.findIndex((one) => one.isCut && one !== DROPPED)
  const cut = now[at]
  return (
    cut && {
      at,
      operationId: cut.operationId,
      request: `${cut.method} ${cut.url}`,
      place: 'end of the body',
      before: 'not kept',
      after: 'not kept',
    }
  )
}

function* differences(
  usual: readonly SeenExchange[],
  now: readonly SeenExchange[],
  noise: Noise,
): Generator<{ readonly key: string; readonly difference: SeenDifference }> {
  for (let at = 0; at < Math.max(usual.length, now.length); at++) {
    const [before, after] = [usual[at], now[at]]
    // Other requests follow from other responses, so there was a difference before.
    if (!before || !after) {
      const { operationId, method, url } = before ?? after ?? DROPPED
      const difference = {
        at,
        operationId,
        request: `${method} ${url}`.trim(),
        place: 'requests',
        before: usual.length,
        after: now.length,
      }
      yield { key: 'requests', difference }
      return
    }
    if (before === DROPPED || after === DROPPED) continue
    const { operationId } = before
    const request = `${before.method} ${before.url}`
    let isFound = false
    for (const place of new Set([...before.received.keys(), ...after.received.keys()])) {
      const key = `${at} ${place}`
      const [old, present] = [before.received.get(place), after.received.get(place)]
      if (noise.has(key) || isDeepStrictEqual(old, present) || isFilled(place, old, after)) continue
      // As far from the request, or from the first one where time passed in between.
      const [first, other] = [usual[0] ?? before, now[0] ?? after]
      if (isSameMoment({ value: old, now: before.now }, { value: present, now: after.now })) continue
      if (isSameMoment({ value: old, now: first.now }, { value: present, now: other.now })) continue
      isFound = true
      yield { key, difference: { at, operationId, request, place, before: old, after: present } }
    }
    const how = after.struckBy === 'latency' ? 'late' : 'changed'
    if (!isFound && after.struckBy !== undefined)
      yield { key: `${at}`, difference: { at, operationId, request, place: 'response', before: 'usual', after: how } }
  }
}

/** Whether an empty list or object has members now, which say more. */
function isFilled(place: string, old: unknown, { received }: SeenExchange): boolean {
  return typeof old === 'object' && old !== null && [...received.keys()].some((one) => one.startsWith(`${place}/`))
}

interface Moment {
  readonly value: unknown
  readonly now: number
}

/** Milliseconds by which a moment may be nearer to its request, or further. */
const TOLERANCE = 5000

/** Whether two values are instants as far from the time of their requests, such as `created`. */
function isSameMoment(one: Moment, other: Moment): boolean {
  const [first, second] = [instantOf(one.value), instantOf(other.value)]
  if (first === undefined || second === undefined || typeof one.value !== typeof other.value) return false
  const isAlike = typeof one.value !== 'string' || formOf(one.value) === formOf(other.value as string)
  return isAlike && Math.abs(first - one.now - (second - other.now)) < TOLERANCE
}

/** A second may have no fraction by chance. */
function formOf(instant: string): string {
  return instant.replace(/\.\d+/, '').replaceAll(/\d/g, '0')
}

/**
 * Whether a client gave up a request that is not safe to repeat, because it may have been stored. That its test turned red is right then: nothing else
 * would tell.
 */
export function hasGivenUp(usual: readonly SeenExchange[], now: readonly SeenExchange[]): boolean {
  const last = now.findLast((one) => one.struckBy !== undefined && isUnanswered(one))
  if (!last || last.isRepeatable) return false
  // What was refused was not done, and may be sent again.
  const sentIn = (some: readonly SeenExchange[]) =>
    some.filter(({ method, url, struckBy }) => method === last.method && url === last.url && struckBy !== 'status')
  return sentIn(usual).some(({ hasChanged }) => hasChanged) && sentIn(now).length <= sentIn(usual).length
}

/** Whether a client cannot know what became of it. */
function isUnanswered({ received }: SeenExchange): boolean {
  const status = received.get('status')
  return typeof status !== 'number' || status === 504
}

/** The next moment that a response names: when a report is sent, or something expires. Values more than a year away are not taken for moments. */
export function momentAfter({ received, now }: SeenExchange): number | undefined {
  const named = [...received.values()].flatMap((value) => instantOf(value) ?? [])
  const coming = named.filter((at) => at > now && at < now + LONGEST_WAY)
  return coming.length === 0 ? undefined : Math.min(...coming)
}

/** Milliseconds: a year. */
const LONGEST_WAY = 366 * 86_400_000

/** Epoch ms of an ISO 8601 instant, or of seconds or milliseconds since 2001. */
function instantOf(value: unknown): number | undefined {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d|^\w{3}, \d\d \w{3} \d{4}/.test(value)) {
    const read = Date.parse(value)
    return Number.isNaN(read) ? undefined : read
  }
  if (typeof value !== 'number' || value < 1e9) return undefined
  return value < 1e11 ? value * 1000 : value
}
