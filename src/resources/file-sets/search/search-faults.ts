import type { FileSet } from '../entries/file-set.ts'
import type { FaultKinds, FaultOf, FaultStrikes } from '../../../faults/fault.ts'
import type { FaultEffect, FaultedRequest, OperationFaults } from '../../resource.ts'
import { invalidCursor } from './page-start.ts'
import type { SearchCaches } from './search-caches.ts'

const PAGE_FAULTS = ['short-page', 'duplicate-entry', 'missing-entry'] as const
type PageFault = FaultOf<(typeof PAGE_FAULTS)[number]>

declare module '../../../faults/fault.ts' {
  interface FaultEffects {
    /** Refuses a pagination token as expired. */
    'cursor-expired': object
    /** Returns a page with fewer entries and a token for the rest; half of them when undefined. */
    'short-page': { readonly entries?: number | undefined }
    'duplicate-entry': object
    'missing-entry': object
    /** Searches the file set as it was some changes ago. */
    'stale-read': { readonly versions: number }
  }
}

/** The kinds of faults that only searches know. */
export const SEARCH_FAULTS: FaultKinds = {
  'cursor-expired': { fields: [], read: () => ({}), isOperationSpecific: true, needsToken: true },
  'short-page': { fields: ['entries'], read: ({ entries }) => ({ entries }), isOperationSpecific: true },
  'duplicate-entry': { fields: [], read: () => ({}), isOperationSpecific: true },
  'missing-entry': { fields: [], read: () => ({}), isOperationSpecific: true },
  'stale-read': { fields: ['versions'], read: ({ versions = 1 }) => ({ versions }), isOperationSpecific: true },
}

/** What faults do to searches. */
export function createSearchFaults({ cursors }: Pick<SearchCaches, 'cursors'>): OperationFaults {
  return {
    // The edit is of the last file of the previous page, and only its removal is possible.
    meets: ({ kind, edit }) => kind in SEARCH_FAULTS || (kind === 'conflicting-edit' && edit === 'remove'),
    page(request) {
      const token = tokenOf(request)
      if (token === '') return 1
      const cursor = cursors(request.state.seed).decode(token)
      return cursor && cursor.pages + 1
    },
    before(fault, request) {
      const token = tokenOf(request)
      if (fault.kind === 'cursor-expired')
        return token === ''
          ? undefined
          : { problem: invalidCursor('next.expiry', 'a token that has not expired', token) }
      const fileSet = fileSetOf(request)
      if (fault.kind === 'stale-read') return staleRead(request, fileSet, fault.versions)
      if (fault.kind !== 'conflicting-edit' || fault.edit !== 'remove') return undefined
      const last = cursors(request.state.seed).decode(token)?.place.at(-1)
      const slot = typeof last === 'string' ? fileSet?.entries.slotWithId(last) : undefined
      if (!fileSet || slot === undefined || fileSet.entries.isDirectory(slot)) return undefined
      const { path } = fileSet.entries.record(slot)
      return { events: [{ type: 'files.removed', fileSetId: fileSet.id, paths: [path] }] }
    },
  }
}

function tokenOf({ search }: FaultedRequest): string {
  return new URLSearchParams(search).get('next') ?? ''
}

function fileSetOf({ state, named = '' }: FaultedRequest): FileSet | undefined {
  try {
    return state.fileSets.get(decodeURIComponent(named))
  } catch {
    // The request is refused later for what cannot be decoded.
    return undefined
  }
}

/** The state with an earlier version of the file set, or its oldest known one. */
function staleRead({ state }: FaultedRequest, fileSet: FileSet | undefined, versions: number): FaultEffect | undefined {
  const earlier = [...(fileSet?.past.entries() ?? [])]
  const [version, entries] = earlier.at(-versions) ?? earlier[0] ?? []
  if (!fileSet || version === undefined || entries === undefined) return undefined
  const past = new Map(earlier.filter(([one]) => one < version))
  return {
    state: { ...state, fileSets: new Map(state.fileSets).set(fileSet.id, { ...fileSet, version, entries, past }) },
  }
}

export interface CorruptPage {
  /** The slots to show. */
  readonly shown: readonly number[]
  /** How many of the slots that were found belong to the page: the next one begins after them. */
  readonly kept: number
}

/**
 * Applies faults to the first entries of a page. A page never has more entries than requested, and the token continues after the
 * last entry that belongs to the page, so a fault affects this page only.
 *
 * @param slots what was found for the page; all of it, unless the page is a large one
 * @param limit how many entries it may have
 */
export function corruptPage(slots: readonly number[], limit: number, faults: FaultStrikes): CorruptPage {
  let shown = [...slots]
  let kept = slots.length
  const cutTo = (length: number) => {
    shown = shown.slice(0, length)
    kept = slots.indexOf(shown.at(-1) ?? -1) + 1
  }
  for (const { fault, share } of faults.strikes(PAGE_FAULTS, (one) => isPossible(one, shown.length, limit))) {
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
