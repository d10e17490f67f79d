import { requestInvalid } from '../errors/request-errors.ts'
import { violation, type Where } from '../errors/problem.ts'

/** A moment on the UTC time line, exact to the nanosecond: whole milliseconds since the Unix epoch plus 0–999,999 nanoseconds. */
export interface Instant {
  readonly ms: number
  readonly nanos: number
}

/** Timestamps have four digits for the year, and files are some years older than the clock. */
export const FIRST_INSTANT = Date.parse('0100-01-01T00:00:00Z')
export const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z')

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/**
 * Reads an RFC 3339 timestamp with `Z` or a numeric offset and up to nine fraction digits; undefined for anything else, also for
 * dates that no calendar has (30 February), 24:00 and leap seconds.
 *
 * @example parseInstant('2026-03-01T00:00:00.5+01:00') // { ms: 1772319600500, nanos: 0 }
 */
export function parseInstant(text: string): Instant | undefined {
  const match = RFC_3339.exec(text)
  if (!match) return undefined
  const [
    ,
    year = '',
    month = '',
    day = '',
    hour = '',
    minute = '',
    second = '',
    fraction = '',
    sign,
    offsetHour,
    offsetMinute,
  ] = match
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  if (Number(offsetHour ?? 0) > 23 || Number(offsetMinute ?? 0) > 59) return undefined
  // Date.parse takes 30 February for 2 March, so the day is read back.
  const date = Date.parse(`${year}-${month}-${day}T00:00:00.000Z`)
  if (Number.isNaN(date) || new Date(date).getUTCDate() !== Number(day)) return undefined
  const digits = fraction.padEnd(9, '0')
  const offset = (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)) * 60_000 * (sign === '-' ? -1 : 1)
  const time = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + Number(digits.slice(0, 3))
  return { ms: date + time - offset, nanos: Number(digits.slice(3)) }
}

/** Milliseconds since the Unix epoch as decimal text; undefined for anything else. */
export function parseEpochMs(text: string): Instant | undefined {
  return /^-?\d{1,15}$/.test(text) ? { ms: Number(text), nanos: 0 } : undefined
}

/** Earlier, the same or later: negative, zero or positive. */
export function compareInstants(a: Instant, b: Instant): number {
  return a.ms - b.ms || a.nanos - b.nanos
}

/** Nanoseconds since the Unix epoch as decimal text: more than a number holds exactly. */
export function nanosecondText({ ms, nanos }: Instant): string {
  // Nearly every instant has whole milliseconds, and needs no bigint.
  return nanos === 0 && ms !== 0 ? `${ms}000000` : (BigInt(ms) * 1_000_000n + BigInt(nanos)).toString()
}

/** The same in reverse. It floors towards the past, so that moments before 1970 keep 0–999,999 nanoseconds. */
export function readNanosecondText(text: string): Instant {
  if (text.endsWith('000000')) return { ms: Number(text.slice(0, -6)), nanos: 0 }
  const total = BigInt(text)
  const nanos = ((total % 1_000_000n) + 1_000_000n) % 1_000_000n
  return { ms: Number((total - nanos) / 1_000_000n), nanos: Number(nanos) }
}

/**
 * An instant as RFC 3339 in UTC: milliseconds, and nine digits where there is more.
 *
 * @example encodeInstant({ ms: 0, nanos: 500 }) // '1970-01-01T00:00:00.000000500Z'
 */
export function encodeInstant({ ms, nanos }: Instant): string {
  const text = new Date(ms).toISOString()
  return nanos === 0 ? text : `${text.slice(0, -1)}${String(nanos).padStart(6, '0')}Z`
}

/** Epoch ms as ISO 8601 in UTC. */
export function iso(ms: number): string {
  return new Date(ms).toISOString()
}

/** Epoch ms of an instant in a request. @throws Problem 400 */
export function readInstant(text: string, where: Where): number {
  const ms = parseInstant(text)?.ms
  if (ms !== undefined && ms >= FIRST_INSTANT && ms <= LAST_INSTANT) return ms
  throw requestInvalid([violation(where, 'instant', 'an instant with its zone, such as 2026-03-01T09:00:00Z', text)])
}
