import { createListing, type PreparedListing } from './listing.ts'
import type { Answers } from '../behaviours/answers.ts'
import type { Leaning, Recorded } from '../behaviours/leaning.ts'
import type { Entries } from '../world/file-sets/entries.ts'
import { SMALL_SET } from '../world/file-sets/plain-texts.ts'
import { type Query, textOfQuery } from '../world/file-sets/query.ts'
import { createKept } from '../world/kept.ts'
import { createSeen } from '../world/seen.ts'

/** Listings of searches that were asked before. Clients repeat searches, and each page of a walk needs the same listing. */
export interface PreparedListings {
  /** The listing of a query, as `createListing` makes it. */
  prepare(entries: Entries, query: Query, leaning: Leaning, seed: number): PreparedListing
}

interface Prepared {
  readonly answers: Answers
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
    prepare(entries, query, leaning, seed) {
      const key = textOfQuery(query)
      const known = kept.get(entries, key)
      if (known?.answers === leaning.answers && known.seed === seed) {
        leaning.repeat(known.recorded)
        const { memory } = known.recorded.made.listing
        memory.isRepeated = true
        return known.recorded.made
      }
      const { answers } = leaning
      if (!seen(key)) return createListing(entries, query, leaning, seed)
      const recorded = leaning.record(() => createListing(entries, query, leaning, seed))
      leaning.repeat(recorded)
      kept.set(entries, key, { answers, seed, recorded, bytes: sizeOf(entries, query, key) })
      return recorded.made
    },
  }
}

/** A small set keeps what was found, and a filter of a large one a byte for each entry. */
function sizeOf({ base: { count } }: Entries, { filters }: Query, key: string): number {
  return 4096 + 8 * key.length + count * (count > SMALL_SET ? filters.length : 4)
}
