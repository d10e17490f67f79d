import { misspelt } from '../../base/errors/wording.ts'
import { aliasesOfTimeZones } from './time-zone-links.ts'

type TemporalNamespace = typeof globalThis.Temporal

const native = (globalThis as { Temporal?: TemporalNamespace }).Temporal

/**
 * Temporal (ECMA-262): the runtime's own in Node 26, the polyfill's in older ones.
 *
 * @example Temporal.PlainDate.from('2026-03-08').dayOfWeek // 7
 */
export const Temporal: TemporalNamespace = native ?? loadPolyfill()

/** Not by a top-level await, which would keep CommonJS from requiring the library. `scripts/build.ts` puts the polyfill beside the bundle. */
function loadPolyfill(): TemporalNamespace {
  const { createRequire } = process.getBuiltinModule('node:module')
  const load = createRequire(import.meta.url)
  return (load('temporal-polyfill') as { readonly Temporal: TemporalNamespace }).Temporal
}

/** `Etc/GMT+5` is five hours behind UTC. V8 knows these zones and lists none of them. */
const hoursFromUtc = [
  ...Array.from({ length: 12 }, (_, index) => `Etc/GMT+${index + 1}`),
  ...Array.from({ length: 14 }, (_, index) => `Etc/GMT-${index + 1}`),
]

/**
 * The primary name of each name. A table, because Temporal also accepts `us/eastern`, versions of Node differ, and the polyfill
 * caches every spelling that it is given.
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

/** `+02`, `+0200`, `+02:00`: the offsets that Temporal accepts as time zones. */
const offsetPattern = /^([+-])([01]\d|2[0-3])(?::?([0-5]\d))?$/

/**
 * Whether `name` is a time zone (`zone.short`).
 *
 * `strict` accepts the tz database's names in region/city form, aliases and `Etc/...` included, and `UTC` and `GMT`, each in this
 * spelling. `any` accepts every identifier that Temporal does: single words such as `Japan` and `CET`, offsets, any letter case.
 *
 * @example isTimeZone('us/eastern', 'strict') // false, while 'any' says true
 */
export function isTimeZone(name: string, rule: 'strict' | 'any'): boolean {
  if (rule === 'any') return findTimeZone(name) !== undefined
  return primaryNames.has(name) && (name.includes('/') || name === 'UTC' || name === 'GMT')
}

/**
 * A time zone in the spelling of the tz database, without resolving aliases, or an offset in the form `+02:00`. Undefined when there is
 * none.
 *
 * @example findTimeZone('us/eastern') // 'US/Eastern'
 */
export function findTimeZone(name: string): string | undefined {
  if (primaryNames.has(name)) return name
  const offset = offsetPattern.exec(name)
  if (offset) return encodeOffset(offset)
  // Only ASCII, since the Kelvin sign in lower case is a plain k. No name is longer than 32.
  return name.length <= 32 && /^[\x21-\x7e]+$/.test(name) ? spellings.get(name.toLowerCase()) : undefined
}

/**
 * The present name of an alias. Other zones are returned in the spelling of the tz database, and what is no zone as it is.
 *
 * @example canonicalTimeZone('Asia/Calcutta') // 'Asia/Kolkata'
 */
export function canonicalTimeZone(name: string): string {
  const zone = findTimeZone(name) ?? name
  return primaryNames.get(zone) ?? zone
}

/** Whether `name` is an old or alternative name of a zone: `US/Eastern`, `Asia/Calcutta`, `GMT`. Odd spellings such as `utc` are not aliases. */
export function isAlias(name: string): boolean {
  const zone = findTimeZone(name)
  return zone !== undefined && (primaryNames.get(zone) ?? zone) !== zone
}

/**
 * The zone that was probably meant by a name that is none, by its whole name or by its city.
 *
 * @example nearestTimeZone('New York') // 'America/New_York'
 */
export function nearestTimeZone(name: string): string | undefined {
  const word = name.replaceAll(' ', '_')
  const zones = [...new Set(primaryNames.values()), ...primaryNames.keys()].filter((zone) => isTimeZone(zone, 'strict'))
  const byCity = new Map(zones.toReversed().map((zone) => [zone.slice(zone.lastIndexOf('/') + 1), zone]))
  return misspelt(word, zones) ?? byCity.get(misspelt(word, byCity.keys()) ?? '')
}

/** As Temporal spells it. There is no negative zero. */
function encodeOffset([, sign = '+', hours = '00', minutes = '00']: RegExpExecArray): string {
  return hours === '00' && minutes === '00' ? '+00:00' : `${sign}${hours}:${minutes}`
}

/** A time from `from` until before `to` (epoch ms) in which a zone is `offset` ms ahead of UTC. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly offset: number
}

/** By zone, shared by the process. There are as many zones as `findTimeZone` returns, about 3,500 with all offsets. */
const stretches = new Map<string, readonly Stretch[]>()
const STRETCHES_KEPT = 4

/**
 * The stretch that contains an instant. Temporal needs several microseconds to find it, so the latest ones are cached: clocks change at
 * most a few times a year.
 *
 * @param zone as `findTimeZone` returns it
 */
export function stretchAt(zone: string, at: number): Stretch {
  const known = stretches.get(zone) ?? []
  for (const stretch of known) if (at >= stretch.from && at < stretch.to) return stretch
  const stretch = findStretch(zone, at)
  stretches.set(zone, [stretch, ...known].slice(0, STRETCHES_KEPT))
  return stretch
}

function findStretch(zone: string, at: number): Stretch {
  const here = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
  // Temporal looks strictly before, and a change at this very instant begins the stretch.
  const from = here.add({ milliseconds: 1 }).getTimeZoneTransition('previous')
  const to = here.getTimeZoneTransition('next')
  return {
    from: from?.epochMilliseconds ?? -Infinity,
    to: to?.epochMilliseconds ?? Infinity,
    offset: here.offsetNanoseconds / 1_000_000,
  }
}

/**
 * An instant by the wall clock of a zone, with the offset to the minute.
 *
 * @example localTime(1772955000000, 'America/New_York') // '2026-03-08T03:30:00-04:00'
 */
export function localTime(at: number, timezone: string): string {
  const { offset } = stretchAt(findTimeZone(timezone) ?? 'UTC', at)
  const minutes = Math.round(Math.abs(offset) / 60_000)
  const twoDigits = (part: number) => String(part).padStart(2, '0')
  const wall = new Date(at + offset).toISOString().slice(0, 19)
  return `${wall}${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
}
