import type { SeenEntry, SearchSeen } from '../../search-seen.ts'
import type { Traffic, Walk } from '../../traffic.ts'
import { plainDirectories } from '../searches/witnesses.ts'

/**
 * Whether the page of a token that was sent with another search goes on with the `same` search that the token is from, or shows the
 * one that was `sent`, from the last entry on; undefined when what is known of the two searches does not tell.
 */
export function compareContinuations(
  { search, origin }: { readonly search: SearchSeen; readonly origin: SearchSeen },
  traffic: Traffic,
): 'same' | 'sent' | undefined {
  const last = origin.files.at(-1)
  if (!last) return undefined
  const goesOn = (like: SearchSeen) => agree(traffic.walksLike(like).map((walk) => isContinued(walk, last, search)))
  const [same, sent] = [goesOn(origin), goesOn(search)]
  if (same === true && sent === false) return 'same'
  if (same === false && sent === true) return 'sent'
  return undefined
}

/** Undefined for readings that contradict each other, and for none. */
function agree(readings: readonly (boolean | undefined)[]): boolean | undefined {
  const known = new Set(readings.filter((one) => one !== undefined))
  const [value] = known
  return known.size === 1 ? value : undefined
}

/** Whether a page could be what follows an entry in a walk. */
function isContinued(walk: Walk, after: SeenEntry, { files }: SearchSeen): boolean | undefined {
  const { entries, isComplete } = walk
  const at = entries.findIndex(({ path }) => path === after.path)
  if (at < 0) {
    // Where the entry would be is unknown.
    if (!isComplete) return undefined
    const paths = new Set(entries.map(({ path }) => path))
    return files.every(({ path }) => paths.has(path))
  }
  const following = entries.slice(at + 1, at + 1 + files.length)
  if (following.some(({ path }, index) => path !== files[index]?.path)) return false
  if (files.length === 0) return entries[at + 1] === undefined && (isComplete || undefined)
  return following.length === files.length ? true : isComplete ? false : undefined
}

/** A part of what was listed, for a search that finds something else after an entry than the whole has there. */
interface ListingPart {
  readonly query: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

/** The part in which such an entry comes first: a directory, or what is newer than a moment. */
export function findPart(walk: Walk): ListingPart | undefined {
  const entries = walk.entries.slice(0, MAX_COMPARED)
  const moments = [...new Set(entries.map(momentOf))].filter((one) => !Number.isNaN(one)).sort((a, b) => a - b)
  const starts = moments.slice(0, -1).map((one, at) => (one + (moments[at + 1] ?? one)) / 2)
  const candidates = [
    ...plainDirectories(walk).map((directoryPath) => ({
      part: { query: { directoryPath }, body: {} },
      has: ({ path }: SeenEntry) => path.startsWith(`${directoryPath}/`),
    })),
    ...starts.slice(0, MAX_CANDIDATES).map((moment) => ({
      part: {
        query: {},
        body: { dateFilters: [{ field: 'created', start: new Date(moment).toISOString() }] },
      },
      has: (entry: SeenEntry) => momentOf(entry) > moment,
    })),
  ]
  const found = candidates.map(({ part, has }) => ({ part, place: placeOfGap(entries.map(has)) }))
  return found.filter(({ place }) => place >= 0).sort((a, b) => a.place - b.place)[0]?.part
}

/** Entries and moments that are compared. */
const MAX_COMPARED = 1000
const MAX_CANDIDATES = 100

export function momentOf({ created }: SeenEntry): number {
  return Date.parse(String(created))
}

/** Of those that are in the part, the number of the first that one follows that is not, with more of the part after it; -1 for none. */
function placeOfGap(isIn: readonly boolean[]): number {
  const last = isIn.lastIndexOf(true)
  const at = isIn.findIndex((one, index) => one && index < last && isIn[index + 1] === false)
  return at < 0 ? -1 : isIn.slice(0, at).filter(Boolean).length
}
