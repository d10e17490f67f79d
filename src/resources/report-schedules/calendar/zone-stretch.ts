import { createCache } from '../../../engine/cache.ts'
import { Temporal } from './temporal.ts'

/** A time from `from` until before `to` (epoch ms) in which a zone's clocks are `offset` ms ahead of UTC, and are not changed. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly offset: number
}

/** Enough for the zones of the state; of each the stretches about now and about the next runs. */
const ZONES_KEPT = 512
const STRETCHES_KEPT = 4

/**
 * The stretch that a moment lies in. Temporal knows, but needs several microseconds to tell; the clocks of a zone change at
 * most a few times a year, so what it told is kept.
 *
 * @param zone as `findTimeZone` spells it
 */
export function stretchAt(zone: string, at: number): Stretch {
  const known = stretches.get(zone) ?? []
  const found = known.find(({ from, to }) => at >= from && at < to)
  if (found) return found
  const stretch = findStretch(zone, at)
  stretches.set(zone, [stretch, ...known].slice(0, STRETCHES_KEPT))
  return stretch
}

/** What a zone's clocks show is the same for every stand-in, so all of a process share it. */
const stretches = createCache<string, readonly Stretch[]>({ most: ZONES_KEPT })

function findStretch(zone: string, at: number): Stretch {
  const here = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
  // A change at this very moment is the beginning; Temporal looks strictly before.
  const from = here.add({ milliseconds: 1 }).getTimeZoneTransition('previous')
  const to = here.getTimeZoneTransition('next')
  return {
    from: from?.epochMilliseconds ?? -Infinity,
    to: to?.epochMilliseconds ?? Infinity,
    offset: here.offsetNanoseconds / NANOSECONDS,
  }
}

const NANOSECONDS = 1_000_000
