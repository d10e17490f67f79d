import { canonicalTimeZone, findTimeZone, stretchAt } from '../../resources/report-schedules/time-zone.ts'

const DAY = 86_400_000

export function isOffset(name: string): boolean {
  return /^[+-]\d\d(:?\d\d)?$/.test(name)
}

/** Whether there is a zone of this name, in this or another letter case. */
export function isZone(name: string): boolean {
  return findTimeZone(name) !== undefined
}

/** The name itself for one that is present; another one, or undefined where it is not known, for an older or odd name. */
export function presentNameOf(name: string): string | undefined {
  return isZone(name) ? canonicalTimeZone(name) : undefined
}

/** Milliseconds that a zone is ahead of UTC at an instant. */
function offsetAt(zone: string, at: number): number {
  return stretchAt(findTimeZone(zone) ?? 'UTC', at).offset
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
  const end = from + days * DAY
  for (let at = stretchAt(zone, from).to; at < end; at = stretchAt(zone, at).to) {
    const [old, present] = [offsetAt(zone, at - 1), offsetAt(zone, at)]
    const middle = at + (old + present) / 2
    changes.push({ zone, at, local: Math.floor(middle / 60_000) * 60_000, isGap: present > old })
  }
  return changes
}
