import { counted } from '../../../errors/counted.ts'
import { isObject } from '../../../formats/json.ts'
import { refusal } from '../../handler.ts'
import { readDateFilter } from './read-date-filter.ts'
import { readFieldSort } from './read-field-sort.ts'
import { readFilter } from './read-filter.ts'
import { readEach } from '../../reader.ts'
import type { BehaviourTracker } from '../../../behaviours/tracker.ts'
import type { Violation } from '../../../errors/problem.ts'
import type { DateFilter, FieldSort, Filter } from '../search/query.ts'

/** The body of a search as it was meant; a part that was not sent is undefined. */
export interface QueryBody {
  readonly fieldSort?: readonly FieldSort[]
  readonly filters?: readonly Filter[]
  readonly dateFilters?: readonly DateFilter[]
}

/** Reads the three arrays of a search. Elements that are not objects are left to the contract, which has refused them. */
export function readQueryBody(body: unknown, tracker: BehaviourTracker): { query: QueryBody; violations: Violation[] } {
  const violations: Violation[] = []
  const reader = { tracker, violations }
  if (!isObject(body)) return { query: {}, violations }
  const { fieldSort, filters, dateFilters } = body
  const bound = tracker.answers['filter.max'].filters
  const refuseLong = (name: string, list: unknown) => {
    if (Array.isArray(list) && list.length > bound)
      violations.push(
        refusal('filter.max', { pointer: `/${name}` }, `at most ${counted(bound, 'element')}`, list.length),
      )
  }
  refuseLong('filters', filters)
  refuseLong('dateFilters', dateFilters)
  const query: { -readonly [Part in keyof QueryBody]: QueryBody[Part] } = {}
  if (Array.isArray(fieldSort)) query.fieldSort = readFieldSort(fieldSort, reader)
  if (Array.isArray(filters)) query.filters = readEach(filters.slice(0, bound), '/filters', reader, readFilter)
  if (Array.isArray(dateFilters))
    query.dateFilters = readEach(dateFilters.slice(0, bound), '/dateFilters', reader, readDateFilter)
  return { query, violations }
}
