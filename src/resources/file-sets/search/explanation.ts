import type * as api from '../../../../types/control-api.d.ts'

/** Why a search has its result, as the control API shows it. */
export type {
  ClauseCounts,
  CursorExplanation,
  Neighbour,
  SearchExplanation,
  SortedBy,
} from '../../../../types/control-api.d.ts'

export type ExplainedSearch = NonNullable<api.ExplainedSearch>
export type EntryExplanation = api.EntryExplanation
export type EntryClause = NonNullable<EntryExplanation['clauses']>[number]
export type Clause = Omit<EntryClause, 'holds' | 'held' | 'met'>
export type PlaceExplanation = NonNullable<EntryExplanation['place']>

/** A value of an entry, as a filter or a sort sees it. Integers above 2^53 are bigints, which JSON writes as numbers. */
export type ShownValue = api.SortedBy[number]['value']

/** The entry to explain. */
export interface EntryName {
  readonly id?: string | undefined
  readonly path?: string | undefined
}
