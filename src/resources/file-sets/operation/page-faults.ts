import type { Fault } from '../../../faults/fault.ts'

/** Faults of the page of a search. */
type PageFault = Extract<Fault, { readonly kind: (typeof PAGE_FAULTS)[number] }>

export const PAGE_FAULTS = ['short-page', 'duplicate-entry', 'missing-entry'] as const

/** The faults of one exchange that concern its page. */
export interface PageFaults {
  /** The faults that strike, one by one. A fault that is not possible on this page does not count as matched. */
  strikes(isPossible: (fault: PageFault) => boolean): Iterable<PageStrike>
}

interface PageStrike {
  readonly fault: PageFault
  /** Chance for a purpose, from 0 to just below 1. */
  share(purpose: string): number
}

export interface CorruptPage {
  /** The slots to show. */
  readonly shown: readonly number[]
  /** So many of the slots that were found belong to the page: the next one begins after them. */
  readonly kept: number
}

/**
 * Applies faults to the first entries of a page. A page never has more entries than requested, and the token continues after the
 * last entry that belongs to the page, so a fault affects this page only.
 *
 * @param slots what was found for the page; all of it, unless the page is a large one
 * @param limit how many entries it may have
 */
export function corruptPage(slots: readonly number[], limit: number, faults: PageFaults): CorruptPage {
  let shown = [...slots]
  let kept = slots.length
  const cutTo = (length: number) => {
    shown = shown.slice(0, length)
    kept = slots.indexOf(shown.at(-1) ?? -1) + 1
  }
  for (const { fault, share } of faults.strikes((one) => isPossible(one, shown.length, limit))) {
    if (fault.kind === 'short-page') cutTo(shortened(fault.entries, shown.length))
    // An entry that is there twice takes the place of the last one, which then begins the next page.
    if (fault.kind === 'duplicate-entry' && shown.length === limit) cutTo(limit - 1)
    const chosen = Math.floor(share('entry') * shown.length)
    if (fault.kind === 'duplicate-entry') shown.splice(chosen, 0, shown[chosen] ?? 0)
    if (fault.kind === 'missing-entry') shown.splice(chosen, 1)
  }
  return { shown, kept }
}

function isPossible(fault: PageFault, length: number, limit: number): boolean {
  if (fault.kind === 'short-page') return shortened(fault.entries, length) < length
  return length > (fault.kind === 'duplicate-entry' && limit === 1 ? 1 : 0)
}

function shortened(entries: number | undefined, length: number): number {
  return entries ?? Math.max(1, Math.floor(length / 2))
}
