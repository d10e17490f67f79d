import type * as api from '../../types/control-api.d.ts'
import type { Json } from '../resources/file-sets/store/file-record.ts'
import type { Match } from './fault-match.ts'
import { chanceKey, draw } from '../engine/random.ts'

/** A named, removable disturbance: what it does, to which exchanges, and how often. */
export type Fault = FaultFrame & Effect

interface FaultFrame {
  readonly id: string
  /** Which exchanges it may strike; all for an empty one. */
  readonly match: Match
  /** The share of the exchanges that match, from above 0 to 1. */
  readonly chance: number
  /** It strikes so often at most; without an end when undefined. */
  readonly times?: number | undefined
  /** So many of the exchanges that match are let pass first. */
  readonly after: number
}

/** What a fault does. Times of waiting are real ones: the sandbox's clock does not move meanwhile. */
export type Effect =
  | { readonly kind: 'latency'; readonly delay: Delay }
  /** Instead of being decided; without a body it is a refusal such as the service's own. */
  | { readonly kind: 'status'; readonly status: number; readonly headers: Headers; readonly body?: Json | undefined }
  /** 429 beyond so many in each window, by the sandbox's clock. */
  | { readonly kind: 'rate-limit'; readonly limit: number; readonly seconds: number }
  /** The connection is reset, before anything was decided. */
  | { readonly kind: 'reset' }
  /** The connection is closed in order, without a byte of an answer; nothing was decided. */
  | { readonly kind: 'empty' }
  /** The answer ends after so many bytes of its body, though its headers promise more; half of it when undefined. */
  | { readonly kind: 'truncated'; readonly bytes?: number | undefined }
  /** Bytes that are no JSON in place of the body, or bytes that are no HTTP in place of the answer. */
  | { readonly kind: 'garbage'; readonly bytes: number; readonly of: 'body' | 'answer' }
  /** The body comes in so many pieces over so long a time. */
  | { readonly kind: 'slow-drip'; readonly pieces: number; readonly milliseconds: number }
  /** A change is made and stored, but its answer does not arrive. */
  | { readonly kind: 'lost-answer'; readonly by: 'reset' | 'empty' | 'gateway-timeout' }
  /** The token of a walk is refused as one that is too old. */
  | { readonly kind: 'cursor-expired' }
  /** A page has fewer entries than it could, and a token to go on; half of them when undefined. */
  | { readonly kind: 'short-page'; readonly entries?: number | undefined }
  | { readonly kind: 'duplicate-entry' }
  | { readonly kind: 'missing-entry' }
  /** A search sees the file set as it was so many changes ago. */
  | { readonly kind: 'stale-read'; readonly versions: number }
  /** Somebody else changes or removes what the request is about, just before it is decided. */
  | { readonly kind: 'conflicting-edit'; readonly edit: 'change' | 'remove' }

export type FaultKind = Effect['kind']

type Headers = Readonly<Record<string, string>>

/** A fault to arm; each kind has its own fields. */
export type FaultRequest = Omit<api.FaultRequest, 'preset' | 'kind'> & { readonly kind: FaultKind }

/** Several faults that often come together. */
export interface PresetRequest extends Pick<api.FaultRequest, 'match'> {
  readonly preset: NonNullable<api.FaultRequest['preset']>
}

/** In milliseconds: fixed, uniform, or log-normal, which is how the delays of networks are spread. */
export type Delay =
  | { readonly milliseconds: number }
  | { readonly from: number; readonly to: number }
  /** Half of the delays are shorter than the median; `sigma` is the standard deviation of their logarithm. */
  | { readonly median: number; readonly sigma: number }

/** What a fault has met so far. */
export interface Tally {
  /** Exchanges that matched, whether they were struck or not. Chance is drawn by this number. */
  readonly matched: number
  readonly struck: number
  /** Of a rate limit: the window that was met last, counted from the epoch, and the requests in it. */
  readonly window?: number | undefined
  readonly taken?: number | undefined
}

export interface ArmedFault {
  readonly fault: Fault
  readonly tally: Tally
}

export const NEW_TALLY: Tally = { matched: 0, struck: 0 }

/** No wait is longer, since the server takes a connection that is idle for a minute for dead. */
export const LONGEST_WAIT = 55_000

export function isSpent({ fault, tally }: ArmedFault): boolean {
  return fault.times !== undefined && tally.struck >= fault.times
}

/**
 * Whether a fault strikes an exchange that matches it, and its tally after that.
 *
 * @param now epoch ms by the sandbox's clock
 */
export function meet(
  armed: ArmedFault,
  seed: number,
  now: number,
): { readonly isStruck: boolean; readonly tally: Tally } {
  const { fault, tally } = armed
  const matched = tally.matched + 1
  const met = { ...tally, matched }
  const isChosen = matched > fault.after && share(seed, fault.id, 'chance', matched) < fault.chance
  if (!isChosen || isSpent(armed)) return { isStruck: false, tally: met }
  if (fault.kind !== 'rate-limit') return { isStruck: true, tally: { ...met, struck: tally.struck + 1 } }
  const window = Math.floor(now / (fault.seconds * 1000))
  const taken = window === tally.window ? (tally.taken ?? 0) + 1 : 1
  const isStruck = taken > fault.limit
  return { isStruck, tally: { matched, struck: tally.struck + (isStruck ? 1 : 0), window, taken } }
}

/** Chance for one purpose of a fault at one exchange: from 0 to just below 1. */
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

/** Bytes that begin neither a JSON text nor an HTTP answer, nor any text in UTF-8: the first one never stands first there. */
export function garbage(bytes: number, seed: number, id: string, matched: number): Uint8Array {
  const key = chanceKey(seed, `fault ${id} garbage ${matched}`)
  return Uint8Array.from({ length: bytes }, (_, at) => (at === 0 ? 0x80 | (draw(key, 0) & 0x3f) : draw(key, at) & 0xff))
}
