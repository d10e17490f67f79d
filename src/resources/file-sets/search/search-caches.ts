import { SMALL_SET } from '../entries/columns.ts'
import { stringifyJson } from '../../../base/formats/json.ts'
import type { Entries } from '../entries/entries.ts'
import { type EntryRecord, FIELDS } from '../entries/file-record.ts'
import { createListing, type PreparedListing } from './listing.ts'
import type { BehaviourSettings } from '../../../../types/behaviour-settings.d.ts'
import type { BehaviourTracker, Recorded } from '../../../behaviours/tracker.ts'
import { createCursorCodec, type CursorCodec, type Query, textOfQuery } from './cursor.ts'
import { createOwnedCache, createSeen, remembering, rememberingEach } from '../../../base/cache.ts'
import type { State } from '../../../engine/state.ts'
import type { Adaptation } from '../../adaptation.ts'
import type { Call, Fragment } from '../../handler.ts'

/** What searches keep between requests. */
export interface SearchCaches {
  cursors(seed: number): CursorCodec
  /** The JSON of entries. @param adaptation adapts them to the user's contract */
  fragments(adaptation: Adaptation | undefined): EntryJsonCache
  readonly listings: PreparedListings
}

/** A call of a search, with what is kept for it. */
export interface SearchCall extends Call {
  readonly cursors: CursorCodec
  readonly fragments: EntryJsonCache
  readonly listings: PreparedListings
}

/** Creating a codec takes longer than creating the rest of a sandbox, so those of recent seeds are kept. */
const MAX_CODECS = 1024

/** Bytes. */
const FRAGMENTS_KEPT = 32 * 2 ** 20

export function createSearchCaches(): SearchCaches {
  const usual = createEntryJsonCache(FRAGMENTS_KEPT)
  const adapted = rememberingEach((complete: (entry: object) => object) =>
    createEntryJsonCache(FRAGMENTS_KEPT, complete),
  )
  return {
    cursors: remembering(MAX_CODECS, createCursorCodec),
    fragments(adaptation) {
      const complete = adaptation?.entries?.complete
      return complete ? adapted(complete) : usual
    },
    listings: createPreparedListings(),
  }
}

export function createSearchCall({ cursors, fragments, listings }: SearchCaches, state: State, call: Call): SearchCall {
  return { ...call, cursors: cursors(state.seed), fragments: fragments(call.adaptation), listings }
}

/** How an entry is written. */
interface EntryForm {
  /** `dir.fields`: whether a directory has the fields of a file, with null where it has no value. */
  readonly isFilled: boolean
  /** `file.created-spelling` */
  readonly spelling: Spelling
}

type Spelling = BehaviourSettings['file.created-spelling']

const SPELLINGS: readonly Spelling[] = ['z', 'offset', 'mixed']

/** A number of its own for each entry in each form. */
function keyOf(slot: number, { isFilled, spelling }: EntryForm): number {
  return 2 * (SPELLINGS.length * slot + SPELLINGS.indexOf(spelling)) + (isFilled ? 1 : 0)
}

/**
 * The JSON text of an entry. Making it takes several microseconds and a lookup a fraction of one, so recent ones are cached. They
 * are never stale: each is cached with the entries, or the base, that it was made from, which never change.
 */
interface EntryJsonCache {
  /** The JSON of entries by slot, added to the cache. */
  cached(entries: Entries, form: EntryForm, slots: readonly number[]): Fragment[]
  /** Reads the cache without adding to it: for searches of everything, which would evict what is used often. */
  uncached(entries: Entries, form: EntryForm): (slot: number) => Fragment
}

/**
 * @param most bytes, estimated with the bookkeeping of the JavaScript engine
 * @param complete adapts an entry to the user's contract
 */
function createEntryJsonCache(most: number, complete?: (record: EntryRecord) => object): EntryJsonCache {
  const kept = createOwnedCache<number, Fragment>({ most, sizeOf })
  const make = (entries: Entries, slot: number, form: EntryForm) => {
    const record = entries.record(slot)
    return render(complete ? complete(record) : record, form, slot)
  }
  // Slots of the base mean the same in all entries that share it; the others belong to these entries alone.
  return {
    cached(entries, form, slots) {
      const { base } = entries
      const fragments: Fragment[] = []
      for (const slot of slots) {
        const owner = slot < base.count ? base : entries
        const key = keyOf(slot, form)
        let fragment = kept.get(owner, key)
        if (fragment === undefined) kept.set(owner, key, (fragment = make(entries, slot, form)))
        fragments.push(fragment)
      }
      return fragments
    },
    uncached(entries, form) {
      const { base } = entries
      return (slot) => kept.get(slot < base.count ? base : entries, keyOf(slot, form)) ?? make(entries, slot, form)
    },
  }
}

/** A character takes two bytes as soon as one of the text is beyond Latin 1; the map and the object take about a hundred. */
function sizeOf({ text, bytes }: Fragment): number {
  return (bytes === text.length ? bytes : 2 * text.length) + 100
}

/** A directory has few fields, unless the behaviour catalogue fills the others with null. */
function render(record: object, { isFilled, spelling }: EntryForm, slot: number): Fragment {
  const isDirectory = 'fileType' in record && record.fileType === 'DIRECTORY'
  const filled = isDirectory && isFilled ? { ...NO_FIELDS, ...record } : record
  const text = stringifyJson(spelling === 'z' ? filled : respelt(filled, spelling, slot))
  return { text, bytes: Buffer.byteLength(text) }
}

/** The same moment in other digits. */
function respelt(record: object, spelling: Spelling, slot: number): object {
  const { created } = record as { readonly created?: unknown }
  const [, moment, fraction = ''] = /^(.*T[\d:]{8})(?:\.(\d+))?Z$/.exec(String(created)) ?? []
  if (moment === undefined) return record
  const digits = spelling === 'mixed' ? fraction.padEnd(3 * (1 + (slot % 3)), '0') : fraction
  const zone = spelling === 'mixed' && slot % 2 === 0 ? 'Z' : '+00:00'
  return { ...record, created: `${moment}.${digits}${zone}` }
}

const NO_FIELDS = Object.fromEntries(FIELDS.map((field) => [field, null]))

/** Listings of earlier searches. Clients repeat searches, and each page of a walk needs the same listing. */
interface PreparedListings {
  /** The listing of a query, as `createListing` makes it. */
  prepare(entries: Entries, query: Query, tracker: BehaviourTracker, seed: number): PreparedListing
}

interface Prepared {
  readonly settings: BehaviourSettings
  readonly seed: number
  readonly recorded: Recorded<PreparedListing>
  readonly bytes: number
}

/** Bytes. What a listing takes is estimated. */
const MOST = 16 * 2 ** 20

/**
 * A listing is cached when it is prepared for the second time. It never becomes stale, because entries, query, behaviours and seed do
 * not change. The behaviours that preparing it recorded are recorded again each time it is used.
 */
function createPreparedListings(): PreparedListings {
  const kept = createOwnedCache<string, Prepared>({ most: MOST, sizeOf: ({ bytes }) => bytes })
  const seen = createSeen()
  return {
    prepare(entries, query, tracker, seed) {
      const key = textOfQuery(query)
      const known = kept.get(entries, key)
      if (known?.settings === tracker.settings && known.seed === seed) {
        tracker.repeat(known.recorded)
        const { memory } = known.recorded.made.listing
        memory.isRepeated = true
        return known.recorded.made
      }
      const { settings } = tracker
      if (!seen(key)) return createListing(entries, query, tracker, seed)
      const recorded = tracker.record(() => createListing(entries, query, tracker, seed))
      tracker.repeat(recorded)
      kept.set(entries, key, { settings, seed, recorded, bytes: listingBytes(entries, key) })
      return recorded.made
    },
  }
}

/** A small set keeps what was found. */
function listingBytes({ base: { count } }: Entries, key: string): number {
  return 4096 + 8 * key.length + (count <= SMALL_SET ? 4 * count : 0)
}
