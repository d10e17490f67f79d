import type { Entry, SearchSeen } from '../search-seen.ts'
import type { Traffic, Walk } from '../traffic.ts'

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
function isContinued(walk: Walk, after: Entry, { files }: SearchSeen): boolean | undefined {
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

/** A moment that about half of the entries are newer than; undefined when all are of the same. */
export function findMiddle(entries: readonly Entry[]): string | undefined {
  const moments = entries
    .map(({ created }) => Date.parse(String(created)))
    .filter((moment) => !Number.isNaN(moment))
    .sort((a, b) => a - b)
  const middle = moments[moments.length >> 1] ?? Number.NaN
  const later = moments.find((moment) => moment > middle) ?? middle
  const earlier = moments.findLast((moment) => moment < middle) ?? middle
  const [from, to] = earlier < middle ? [earlier, middle] : [middle, later]
  return to - from > 1 ? new Date(Math.floor((from + to) / 2)).toISOString() : undefined
}
