import { createListing, type PreparedListing } from './listing.ts'
import type { BehaviourSettings } from '../../../behaviours/settings.ts'
import type { BehaviourTracker, Recorded } from '../../../behaviours/tracker.ts'
import type { Entries } from '../store/entries.ts'
import { SMALL_SET } from '../search/plain-texts.ts'
import { type Query, textOfQuery } from '../search/query.ts'
import { createKept } from '../../../engine/kept.ts'
import { createSeen } from '../../../engine/seen.ts'

/** Listings of searches that were asked before. Clients repeat searches, and each page of a walk needs the same listing. */
export interface PreparedListings {
  /** The listing of a query, as `createListing` makes it. */
  prepare(entries: Entries, query: Query, tracker: BehaviourTracker, seed: number): PreparedListing
}

interface Prepared {
  readonly answers: BehaviourSettings
  readonly seed: number
  readonly recorded: Recorded<PreparedListing>
  readonly bytes: number
}

/** Bytes. What a listing takes is estimated. */
const MOST = 16 * 2 ** 20

/**
 * Listings are kept from their second time on. A listing depends on entries, query, behaviours and seed, all of which never change; so do the behaviours that making it
 * recorded, which are recorded again each time it is used.
 */
export function createPreparedListings(): PreparedListings {
  const kept = createKept<string, Prepared>({ most: MOST, sizeOf: ({ bytes }) => bytes })
  const seen = createSeen()
  return {
    prepare(entries, query, tracker, seed) {
      const key = textOfQuery(query)
      const known = kept.get(entries, key)
      if (known?.answers === tracker.answers && known.seed === seed) {
        tracker.repeat(known.recorded)
        const { memory } = known.recorded.made.listing
        memory.isRepeated = true
        return known.recorded.made
      }
      const { answers } = tracker
      if (!seen(key)) return createListing(entries, query, tracker, seed)
      const recorded = tracker.record(() => createListing(entries, query, tracker, seed))
      tracker.repeat(recorded)
      kept.set(entries, key, { answers, seed, recorded, bytes: sizeOf(entries, query, key) })
      return recorded.made
    },
  }
}

/** A small set keeps what was found, and a filter of a large one a byte for each entry. */
function sizeOf({ base: { count } }: Entries, { filters }: Query, key: string): number {
  return 4096 + 8 * key.length + count * (count > SMALL_SET ? filters.length : 4)
}
