import { aliasesOfTimeZones } from './time-zone-links.ts'

/** `Etc/GMT+5` is five hours behind UTC. V8 knows these zones and lists none of them. */
const hoursFromUtc = [
  ...Array.from({ length: 12 }, (_, index) => `Etc/GMT+${index + 1}`),
  ...Array.from({ length: 14 }, (_, index) => `Etc/GMT-${index + 1}`),
]

/**
 * Names are looked up in a table that is built once, so nothing that a client sends is remembered, Node 24 and 26 agree,
 * and the spelling counts where it should (Temporal itself takes `us/eastern`, and the polyfill keeps every spelling it meets).
 */
const primaryNames: ReadonlyMap<string, string> = new Map([
  ...[...Intl.supportedValuesOf('timeZone'), ...hoursFromUtc].map((name) => [name, name] as const),
  ...Object.entries(aliasesOfTimeZones).flatMap(([primary, aliases]) => [
    [primary, primary] as const,
    ...aliases.split(' ').map((alias) => [alias, primary] as const),
  ]),
])

const spellings: ReadonlyMap<string, string> = new Map(
  [...primaryNames.keys()].map((name) => [name.toLowerCase(), name]),
)

/** `+02`, `+0200`, `+02:00`: the offsets that Temporal takes for a time zone. */
const offsetPattern = /^([+-])([01]\d|2[0-3])(?::?([0-5]\d))?$/

/**
 * Whether `name` is a time zone that a schedule may have. The row is `zone.short`.
 *
 * `strict` takes the tz database's names in region/city form, aliases and `Etc/...` included, and the two words `UTC` and
 * `GMT`, each spelled exactly so. Other single words (`Japan`, `CET`, `EST5EDT`) have no region and no city: refused.
 * `any` takes every identifier that Temporal takes: single words, offsets, any letter case.
 *
 * @example isTimeZone('us/eastern', 'strict') // false, while 'any' says true
 */
export function isTimeZone(name: string, rule: 'strict' | 'any'): boolean {
  if (rule === 'any') return findTimeZone(name) !== undefined
  return primaryNames.has(name) && (name.includes('/') || name === 'UTC' || name === 'GMT')
}

/**
 * The zone that is meant by `name` in any letter case, as the tz database spells it and without resolving an alias; an offset
 * in the form `+02:00`. Undefined when it is no zone.
 *
 * @example findTimeZone('us/eastern') // 'US/Eastern'
 */
export function findTimeZone(name: string): string | undefined {
  if (primaryNames.has(name)) return name
  const offset = offsetPattern.exec(name)
  if (offset) return encodeOffset(offset)
  // Lower-casing turns the Kelvin sign into a plain k, so only ASCII is looked up. No zone's name is longer than 32.
  return name.length <= 32 && /^[\x21-\x7e]+$/.test(name) ? spellings.get(name.toLowerCase()) : undefined
}

/**
 * The name that an alias stands for today; any other zone comes back as the tz database spells it, and what is no zone comes
 * back as it is. The row is `zone.alias`.
 *
 * @example canonicalTimeZone('Asia/Calcutta') // 'Asia/Kolkata'
 */
export function canonicalTimeZone(name: string): string {
  const zone = findTimeZone(name) ?? name
  return primaryNames.get(zone) ?? zone
}

/**
 * Whether `name` is another name of a zone that has a better one (`US/Eastern`, `Asia/Calcutta`, `GMT`). The row is `zone.alias`.
 * A matter of names alone: `utc` and `+0200` are odd spellings, but no aliases.
 */
export function isAlias(name: string): boolean {
  const zone = findTimeZone(name)
  return zone !== undefined && (primaryNames.get(zone) ?? zone) !== zone
}

/** Temporal's own spelling; there is no negative zero: `-00` is `+00:00`. */
function encodeOffset([, sign = '+', hours = '00', minutes = '00']: RegExpExecArray): string {
  return hours === '00' && minutes === '00' ? '+00:00' : `${sign}${hours}:${minutes}`
}
