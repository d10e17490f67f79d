import type * as api from '../../../types/control-api.d.ts'
import type { Json } from '../../base/formats/json.ts'
import { chanceKey, draw } from '../random.ts'
import { windowOf } from './rate-limit.ts'

/** A named, removable disturbance: what it does, to which exchanges, and how often. */
export type Fault = FaultFrame & Effect

interface FaultFrame {
  readonly id: string
  /** Which requests it applies to; an empty match applies to all. */
  readonly match: Match
  /** The share of matching requests that it affects, above 0 and up to 1. */
  readonly chance: number
  /** How often it applies at most; unlimited when undefined. */
  readonly times?: number | undefined
  /** How many matching requests pass before it applies. */
  readonly after: number
}

/** Which requests a fault applies to. All given conditions must hold. */
export interface Match {
  readonly operationId?: string | undefined
  readonly method?: string | undefined
  /** The path as sent, without the query; a final `*` matches any rest. */
  readonly path?: string | undefined
  /** Whole values by header name, in any case. */
  readonly header?: Readonly<Record<string, string>> | undefined
  /** A text that occurs in the JSON of the body, or a value that the body contains; see `contains` in `fault-match.ts`. */
  readonly body?: Json | undefined
  /** The page of a search, from 1. */
  readonly page?: number | undefined
}

/** The fields of each kind of fault, with their defaults filled in. Delays are in real time; they do not move the sandbox's clock. */
export interface FaultEffects {
  latency: { readonly delay: Delay }
  /** Replaces the response; without a body it is an error in the service's own format. */
  status: { readonly status: number; readonly headers: HeaderValues; readonly body?: Json | undefined }
  /** 429 above a number of requests in each window, by the sandbox's clock. */
  'rate-limit': { readonly limit: number; readonly seconds: number }
  /** Resets the connection before the handler runs. */
  reset: object
  /** Closes the connection without a response before the handler runs. */
  empty: object
  /** Ends the response after some bytes of the body, fewer than its headers announce; after half of it when undefined. Of a stream, `events` come whole before. */
  truncated: { readonly bytes?: number | undefined; readonly events?: number | undefined }
  /** Replaces the body with bytes that are not JSON, or the whole response with bytes that are not HTTP. */
  garbage: { readonly bytes: number; readonly of: 'body' | 'answer' }
  /** Sends the body in pieces over some time. */
  'slow-drip': { readonly pieces: number; readonly milliseconds: number }
  /** Stores the change but loses the response. */
  'lost-answer': { readonly by: 'reset' | 'empty' | 'gateway-timeout' }
  /** Changes or removes the resource of the request just before the handler runs. */
  'conflicting-edit': { readonly edit: 'change' | 'remove' }
  /** Refuses a pagination token as expired. */
  'cursor-expired': object
  /** Returns a page with fewer entries and a token for the rest; half of them when undefined. */
  'short-page': { readonly entries?: number | undefined }
  'duplicate-entry': object
  'missing-entry': object
  /** Searches the file set, or lists the collection, as it was some changes ago. */
  'stale-read': { readonly versions: number }
  /** Changes the JSON body of a successful response. */
  'changed-body': { readonly changes: readonly api.BodyChange[] }
  /** Sends a response of the same class with another status, headers or body, once the operation has run. */
  'changed-response': { readonly status: number; readonly headers: HeaderValues; readonly body?: Json | undefined }
}

export type KnownFaultKind = keyof FaultEffects

/** What a fault does. */
export type Effect = { [Kind in KnownFaultKind]: { readonly kind: Kind } & FaultEffects[Kind] }[KnownFaultKind]

export type FaultOf<Kind extends KnownFaultKind> = Extract<Fault, { readonly kind: Kind }>

/** A fault that affects a request. */
export interface FaultHit<Struck extends Fault = Fault> {
  readonly fault: Struck
  /** The number of requests that matched the fault so far, this one included. */
  readonly matched: number
  /** Chance for a purpose, from 0 to just below 1. */
  share(purpose: string): number
}

/** The faults that a request meets. */
export interface FaultStrikes {
  /**
   * The faults of some kinds that affect the request, in the order they were armed. Each is counted only when the caller takes it, so
   * a fault behind one that ends the request is not counted.
   *
   * @param isPossible whether a fault could do anything here; one that could not does not count as matched
   */
  strikes<Kind extends KnownFaultKind>(
    kinds: readonly Kind[],
    isPossible?: (fault: FaultOf<Kind>) => boolean,
  ): Generator<FaultHit<FaultOf<Kind>>, undefined>
}

type HeaderValues = Readonly<Record<string, string>>

/** A fault to arm; each kind has its own fields. */
export type FaultRequest = Omit<api.FaultRequest, 'preset' | 'kind'> & {
  readonly kind: NonNullable<api.FaultRequest['kind']>
}

/** Several faults that often come together. */
export interface PresetRequest extends Pick<api.FaultRequest, 'match'> {
  readonly preset: NonNullable<api.FaultRequest['preset']>
}

/** In milliseconds: fixed, uniform, or log-normal like network delays. */
export type Delay =
  | { readonly milliseconds: number }
  | { readonly from: number; readonly to: number }
  /** Half of the delays are shorter than the median; `sigma` is the standard deviation of their logarithm. */
  | { readonly median: number; readonly sigma: number }

/** The counters of a fault. */
export interface FaultTally {
  /** Requests that matched, affected or not. Chance is derived from this number. */
  readonly matched: number
  readonly struck: number
  /** For rate limits: the latest window, counted from the epoch, and the requests in it. */
  readonly window?: number | undefined
  readonly taken?: number | undefined
}

export interface ArmedFault {
  readonly fault: Fault
  readonly tally: FaultTally
}

export const NEW_TALLY: FaultTally = { matched: 0, struck: 0 }

/** The longest delay; the server closes connections that are idle for a minute. */
export const LONGEST_WAIT = 55_000

export function isSpent({ fault, tally }: ArmedFault): boolean {
  return fault.times !== undefined && tally.struck >= fault.times
}

/**
 * Whether a fault affects a matching request, and its counters afterwards.
 *
 * @param now epoch ms by the sandbox's clock
 */
export function meet(
  armed: ArmedFault,
  seed: number,
  now: number,
): { readonly isStruck: boolean; readonly tally: FaultTally } {
  const { fault, tally } = armed
  const matched = tally.matched + 1
  const met = { ...tally, matched }
  const isChosen = matched > fault.after && share(seed, fault.id, 'chance', matched) < fault.chance
  if (!isChosen || isSpent(armed)) return { isStruck: false, tally: met }
  if (fault.kind !== 'rate-limit') return { isStruck: true, tally: { ...met, struck: tally.struck + 1 } }
  const window = windowOf(now, fault.seconds)
  const taken = window === tally.window ? (tally.taken ?? 0) + 1 : 1
  const isStruck = taken > fault.limit
  return { isStruck, tally: { matched, struck: tally.struck + (isStruck ? 1 : 0), window, taken } }
}

/** A random share for one purpose of a fault at one request, from 0 to just below 1. */
export function share(seed: number, id: string, purpose: string, matched: number): number {
  return draw(chanceKey(seed, `fault ${id} ${purpose}`), matched) / 2 ** 32
}

/** Whole milliseconds. @param chance two shares, by which a delay is drawn */
export function delayOf(delay: Delay, [one, two]: readonly [number, number]): number {
  if ('milliseconds' in delay) return delay.milliseconds
  if ('from' in delay) return Math.round(delay.from + one * (delay.to - delay.from))
  // Box and Muller (1958); a share is never 1, so the logarithm is of something above 0.
  const normal = Math.sqrt(-2 * Math.log(1 - one)) * Math.cos(2 * Math.PI * two)
  return Math.min(Math.round(delay.median * Math.exp(delay.sigma * normal)), LONGEST_WAIT)
}

/** Random bytes. The first one cannot begin a JSON text, an HTTP response or any UTF-8 text. */
export function garbage(bytes: number, seed: number, id: string, matched: number): Uint8Array {
  const key = chanceKey(seed, `fault ${id} garbage ${matched}`)
  return Uint8Array.from({ length: bytes }, (_, at) => (at === 0 ? 0x80 | (draw(key, 0) & 0x3f) : draw(key, at) & 0xff))
}
