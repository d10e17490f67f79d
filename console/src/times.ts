/** Times as the console shows them: by the wall clock of a zone, with its offset where that matters. */

/** The time zone of the browser. */
export const VIEWER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

const FORM = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const satisfies Intl.DateTimeFormatOptions

/**
 * An instant by the wall clock of a zone; by that of UTC where the browser does not know the zone.
 *
 * @example inZone('2026-03-08T07:30:00Z', 'America/New_York') // 'Sun 8 Mar 2026, 03:30'
 */
export function inZone(instant: string, zone: string): string {
  const at = new Date(instant)
  try {
    return shown(at, zone)
  } catch {
    return `${shown(at, 'UTC')} UTC`
  }
}

/**
 * A local time with its offset, as the control API gives it, without the offset. The stand-in's time zones decide, not the browser's.
 *
 * @example wallTime('2026-03-08T03:30:00-04:00') // 'Sun 8 Mar 2026, 03:30'
 */
export function wallTime(local: string): string {
  return shown(new Date(`${local.slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}Z`), 'UTC')
}

/** @example offsetOf('2026-03-08T03:30:00-04:00') // 'UTC−04:00' */
export function offsetOf(local: string): string {
  return `UTC${local.slice('yyyy-mm-ddThh:mm:ss'.length).replace('-', '−')}`
}

/** Without the weekday, for tables. @example shortTime('2026-03-08T07:30:00Z', 'America/New_York') // '8 Mar 2026, 03:30' */
export function shortTime(instant: string, zone: string): string {
  return inZone(instant, zone).replace(/^\w+ /, '')
}

/** The offset of a zone from UTC at an instant. @example offsetAt('2026-03-08T07:30:00Z', 'America/New_York') // '-04:00' */
export function offsetAt(instant: string, zone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(
    new Date(instant),
  )
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return name === 'GMT' ? '+00:00' : name.replace('GMT', '')
}

/** How far off an instant is, in one unit. @example distance('2026-03-05T00:00:00Z', '2026-03-08T00:00:00Z') // 'in 3 days' */
export function distance(from: string, to: string): string {
  const minutes = Math.round((Date.parse(to) - Date.parse(from)) / 60_000)
  const [size, unit] = UNITS.find(([least]) => Math.abs(minutes) >= least * 2) ?? [1, 'minute']
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.round(minutes / size), unit)
}

const UNITS = [
  [525_600, 'year'],
  [43_800, 'month'],
  [10_080, 'week'],
  [1_440, 'day'],
  [60, 'hour'],
] as const

/**
 * What a person typed as an instant: `2027-03-28 01:30` is one of UTC. Anything else is left as it is.
 *
 * @example toInstant('2027-03-28 01:30') // '2027-03-28T01:30:00Z'
 */
export function toInstant(typed: string): string {
  const parts = /^(\d{4}-\d\d-\d\d)(?:[ Tt](\d\d:\d\d)(:\d\d(?:\.\d+)?)?\s*([Zz]|[+-]\d\d:\d\d)?)?$/.exec(typed.trim())
  if (!parts) return typed.trim()
  const [, date = '', time = '00:00', seconds = ':00', zone = 'Z'] = parts
  return `${date}T${time}${seconds}${zone}`
}

function shown(at: Date, timeZone: string): string {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-GB', { ...FORM, timeZone }).formatToParts(at).map(({ type, value }) => [type, value]),
  )
  const { weekday = '', day = '', month = '', year = '', hour = '', minute = '' } = parts
  return `${weekday} ${day} ${month.slice(0, 3)} ${year}, ${hour}:${minute}`
}
