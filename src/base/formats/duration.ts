const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Days, hours, minutes and seconds, as in `1h30m` and in ISO 8601's `PT1H30M`. */
const FORM = /^P?(?:(\d{1,9})D)?T?(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?$/i

/**
 * Reads a duration. Undefined for anything else, and for no time at all.
 *
 * @returns milliseconds
 * @example parseDuration('1h30m') // 5400000
 */
export function parseDuration(text: string): number | undefined {
  const [, ...parts] = FORM.exec(text) ?? []
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part: string | undefined) => Number(part ?? 0))
  const milliseconds = days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND
  return milliseconds === 0 ? undefined : milliseconds
}

/** A time to live in milliseconds; undefined for what is none. */
export function parseTtl(text: string): number | undefined {
  const ttl = parseDuration(text)
  return ttl === undefined || ttl > LONGEST_TTL ? undefined : ttl
}

const LONGEST_TTL = 365 * DAY

/** What `parseTtl` expects. */
export const TTL_EXPECTED = 'a duration from 1 second to 365 days, such as 90s, 15m, 1h or PT1H30M'

/**
 * Milliseconds, of which whole seconds count, as ISO 8601.
 *
 * @example encodeDuration(5400000) // 'PT1H30M'
 */
export function encodeDuration(milliseconds: number): string {
  const part = (unit: number, of: number, letter: string) => {
    const count = Math.floor((milliseconds % of) / unit)
    return count === 0 ? '' : `${count}${letter}`
  }
  const time = part(HOUR, DAY, 'H') + part(MINUTE, HOUR, 'M') + part(SECOND, MINUTE, 'S')
  return `P${part(DAY, Infinity, 'D')}${time === '' ? '' : `T${time}`}`
}
