import type { Contract } from '../../../contract/contract.ts'
import { type SeenEntry, entriesOf } from '../../calibrate/search-seen.ts'
import { createRouter } from '../../../contract/router.ts'
import type { RecordedExchange } from '../../recordings/recorded-exchange.ts'
import { readSeen } from '../case.ts'

/** The entries that a recording shows, by file set. */
export function entriesIn(
  exchanges: readonly RecordedExchange[],
  { operations }: Contract,
  search: string,
): Map<string, SeenEntry[]> {
  const { route } = createRouter(operations)
  const sets = new Map<string, Map<string, SeenEntry>>()
  for (const exchange of exchanges) {
    const { method, url } = exchange.request
    const found = route(method, url.split('?', 1)[0] ?? '', 'strict')
    if (found.kind !== 'operation' || found.operation.basePath + found.operation.path !== search) continue
    const id = decodeURIComponent(Object.values(found.parameters)[0] ?? '')
    const known = sets.get(id) ?? new Map<string, SeenEntry>()
    sets.set(id, known)
    const { json } = readSeen({ method, url, headers: [] }, exchange)
    for (const entry of entriesOf(json) ?? []) known.set(entry.path, entry)
  }
  return new Map([...sets].map(([id, known]) => [id, [...known.values()]]))
}
