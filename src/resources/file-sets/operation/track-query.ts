import { readFieldSort } from './read-field-sort.ts'
import { readFilter } from './read-filter.ts'
import type { BehaviourTracker } from '../../../behaviours/tracker.ts'
import type { Query } from '../search/query.ts'

/** Records the behaviours that a query depends on which came with a token: the ones that reading it from a body records. */
export function trackQuery({ filters, dateFilters, fieldSort }: Query, tracker: BehaviourTracker): void {
  // It was accepted before, so nothing is complained about that anybody could mend.
  const reader = { tracker, violations: [] }
  for (const filter of filters) if (filter.field !== '') readFilter({ ...filter }, '', reader)
  for (const { start, end } of dateFilters) {
    tracker.note(start === null ? 'date.open-start' : 'date.start')
    tracker.note(end === null ? 'date.open-end' : 'date.end')
  }
  readFieldSort(fieldSort, reader)
}
