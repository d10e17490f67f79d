import type { FileSet } from '../entries/file-set.ts'
import { WALK_FAULTS } from '../../../faults/page-faults.ts'
import type { FaultEffect, FaultedRequest, OperationFaults } from '../../resource.ts'
import { invalidCursor } from './page-start.ts'
import type { SearchCaches } from './search-caches.ts'

/** What faults do to searches. */
export function createSearchFaults({ cursors }: Pick<SearchCaches, 'cursors'>): OperationFaults {
  return {
    // The edit is of the last file of the previous page, and only its removal is possible.
    meets: ({ kind, edit }) => kind in WALK_FAULTS || (kind === 'conflicting-edit' && edit === 'remove'),
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
