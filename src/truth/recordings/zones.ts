/** Time zones, by `Intl` alone: what checks the calendar of the stand-in does not use it. */

const HOUR = 3_600_000
const DAY = 24 * HOUR

const formats = createFormats()

/** Formats by zone: making one takes a hundred times as long as using it. */
function createFormats() {
  const known = new Map<string, Intl.DateTimeFormat | undefined>()
  return (zone: string): Intl.DateTimeFormat | undefined => {
    if (!known.has(zone) && known.size < MAX_FORMATS) known.set(zone, createFormat(zone))
    return known.get(zone) ?? createFormat(zone)
  }
}

const MAX_FORMATS = 1000

function createFormat(zone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
    })
  } catch {
    return undefined
  }
}

export function isOffset(name: string): boolean {
  return /^[+-]\d\d(:?\d\d)?$/.test(name)
}

/** Whether the runtime knows a zone of this name, in this or another letter case. */
export function isZone(name: string): boolean {
  return formats(name) !== undefined
}

const ZONES = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])

/** The name itself for one that is present; another one, or undefined where it is not known, for an older or odd name. */
export function presentNameOf(name: string): string | undefined {
  if (ZONES.has(name)) return name
  const resolved = formats(name)?.resolvedOptions().timeZone
  return resolved === name ? undefined : resolved
}

/** Milliseconds that a zone is ahead of UTC at an instant. */
export function offsetAt(zone: string, at: number): number {
  const parts = new Map((formats(zone)?.formatToParts(at) ?? []).map(({ type, value }) => [type, Number(value)]))
  const [year = 0, month = 1, day, hour, minute, second] = (
    ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
  ).map((type) => parts.get(type))
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000
}

/** What becomes of a local time, which is given as if it were UTC. */
interface Fate {
  /** One instant; two, the earlier one first, where the clocks are put back; none in a gap. */
  readonly instants: readonly number[]
  /** With the offset before the gap. */
  readonly forward: number
}

export function fateOf(local: number, zone: string): Fate {
  const [before, after] = [offsetAt(zone, local - DAY), offsetAt(zone, local + DAY)]
  const instants = [...new Set([local - before, local - after])]
    .filter((at) => at + offsetAt(zone, at) === local)
    .sort((a, b) => a - b)
  return { instants, forward: local - before }
}

/** The day in a zone, counted from 1 January 1970. */
export function dayAt(zone: string, at: number): number {
  return Math.floor((at + offsetAt(zone, at)) / DAY)
}

/** A change of the clocks of a zone. */
export interface ClockChange {
  readonly zone: string
  readonly at: number
  /** A local time that is skipped, or happens twice, as if it were UTC; at a full minute. */
  readonly local: number
  readonly isGap: boolean
}

/** The changes of a zone's clocks in so many days after an instant. */
export function clockChanges(zone: string, from: number, days: number): readonly ClockChange[] {
  const changes: ClockChange[] = []
  for (let at = from; at < from + days * DAY; at += DAY) {
    const [old, present] = [offsetAt(zone, at), offsetAt(zone, at + DAY)]
    if (old === present) continue
    const change = firstAfter(at, at + DAY, (instant) => offsetAt(zone, instant) === present)
    const middle = change + (old + present) / 2
    changes.push({ zone, at: change, local: Math.floor(middle / 60_000) * 60_000, isGap: present > old })
  }
  return changes
}

/** The first full minute from `low` to `high` for which the condition holds; it holds from there on. */
function firstAfter(low: number, high: number, isThere: (at: number) => boolean): number {
  let [before, after] = [Math.floor(low / 60_000), Math.ceil(high / 60_000)]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (isThere(middle * 60_000)) after = middle
    else before = middle
  }
  return after * 60_000
}
