import type { FaultOf, FaultStrikes, KnownFaultKind } from './fault.ts'

const PAGE_FAULTS = ['short-page', 'duplicate-entry', 'missing-entry'] as const
type PageFault = FaultOf<(typeof PAGE_FAULTS)[number]>

/** Whether only operations with pages know a kind. */
export function isOfPages(kind: KnownFaultKind): boolean {
  return kind === 'cursor-expired' || kind === 'stale-read' || (PAGE_FAULTS as readonly string[]).includes(kind)
}

interface FoundPage<Entry> {
  /** What was found for the page; all of it, unless the page is a large one. */
  readonly found: readonly Entry[]
  /** How many entries it may have. */
  readonly limit: number
  /** Whether the next page begins after the last entry that belongs to this one. Pages by number begin where they do. */
  readonly continues: boolean
}

export interface CorruptPage<Entry> {
  /** The entries to show. */
  readonly shown: readonly Entry[]
  /** How many of the entries that were found belong to the page: the next one begins after them. */
  readonly kept: number
}

/**
 * Applies faults to the first entries of a page. A page never has more entries than requested, and the token continues after the
 * last entry that belongs to the page, so a fault affects this page only.
 */
export function corruptPage<Entry>(page: FoundPage<Entry>, faults: FaultStrikes): CorruptPage<Entry> {
  const { found, limit } = page
  let shown = [...found]
  let kept = found.length
  const cutTo = (length: number) => {
    shown = shown.slice(0, length)
    const last = shown.at(-1)
    kept = last === undefined ? 0 : found.indexOf(last) + 1
  }
  for (const { fault, share } of faults.strikes(PAGE_FAULTS, (one) => isPossible(one, shown.length, page))) {
    if (fault.kind === 'short-page') cutTo(shortened(fault.entries, shown.length))
    // An entry that is there twice takes the place of the last one, which then begins the next page.
    if (fault.kind === 'duplicate-entry' && shown.length === limit) cutTo(limit - 1)
    const chosen = Math.floor(share('entry') * shown.length)
    if (fault.kind === 'duplicate-entry') shown.splice(chosen, 0, ...shown.slice(chosen, chosen + 1))
    if (fault.kind === 'missing-entry') shown.splice(chosen, 1)
  }
  return { shown, kept }
}

function isPossible<Entry>(fault: PageFault, length: number, { limit, continues }: FoundPage<Entry>): boolean {
  if (fault.kind === 'short-page') return continues && shortened(fault.entries, length) < length
  if (fault.kind === 'missing-entry') return length > 0
  return length > (limit === 1 ? 1 : 0) && (continues || length < limit)
}

function shortened(entries: number | undefined, length: number): number {
  return entries ?? Math.max(1, Math.floor(length / 2))
}
