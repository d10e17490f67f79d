import { readFieldSort } from './read-field-sort.ts'
import { readFilter } from './read-filter.ts'
import type { Leaning } from '../behaviours/leaning.ts'
import type { Query } from '../world/file-sets/query.ts'

/** Records the behaviours that a query depends on which came with a token: the ones that reading it from a body records. */
export function leanOnQuery({ filters, dateFilters, fieldSort }: Query, leaning: Leaning): void {
  // It was accepted before, so nothing is complained about that anybody could mend.
  const reader = { leaning, violations: [] }
  for (const filter of filters) if (filter.field !== '') readFilter({ ...filter }, '', reader)
  for (const { start, end } of dateFilters) {
    leaning.lean(start === null ? 'date.open-start' : 'date.start')
    leaning.lean(end === null ? 'date.open-end' : 'date.end')
  }
  readFieldSort(fieldSort, reader)
}
