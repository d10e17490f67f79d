import type { FieldSort, Filter } from '../search/cursor.ts'
import type { Integer } from '../store/file-record.ts'

/** Why the service answers as it does, in words and figures. Instants are ISO 8601 in UTC. */

/** A value of an entry, as a filter or a sort sees it. */
export type ShownValue = string | Integer | null

/** The entry that somebody asks about. */
export interface EntryName {
  readonly id?: string | undefined
  readonly path?: string | undefined
}

export interface ExplainedSearch {
  readonly directoryPath: string
  readonly immediateChildren: boolean
  readonly fieldSort: readonly FieldSort[]
  readonly filters: readonly Filter[]
  readonly dateFilters: readonly ExplainedDateFilter[]
}

interface ExplainedDateFilter {
  readonly field: string
  readonly start: string | null
  readonly end: string | null
  readonly not: boolean
}

export interface SearchExplanation {
  readonly fileSetId: string
  /** The search as it was understood: that of the cursor, where it goes on with that. */
  readonly search: ExplainedSearch
  /** Entries on a page. */
  readonly limit: number
  /** Pointers of filters and sort keys that were sent, and that the behaviour catalogue overlooks. */
  readonly overlooked: readonly string[]
  readonly scope: ScopeExplanation
  /** `all` of the clauses must hold, or `any`. */
  readonly combined: 'all' | 'any'
  readonly clauses: readonly ClauseCounts[]
  readonly order: OrderExplanation
  /** Entries in the result. */
  readonly total: number
  /** Pages that hold entries, when the search is walked from its beginning. */
  readonly pages: number
  readonly cursor?: CursorExplanation | undefined
  readonly entry?: EntryExplanation | undefined
  /** The behaviours that this depends on. */
  readonly behaviours: readonly string[]
}

interface ScopeExplanation {
  readonly reads: string
  /** Paths of the directories that are meant; the empty text is the root. */
  readonly directories: readonly string[]
  /** Entries that the filters are tried on. */
  readonly entries: number
}

/** A filter or a date filter. */
export interface Clause {
  /** Into `search` of the same answer: `/filters/0`. */
  readonly pointer: string
  /** How it is read, such as `name LIKE "budget": contains, case folded, % and _ wild`. */
  readonly reads: string
  /** What a text must be to be like each value; for LIKE alone. */
  readonly patterns?: readonly { readonly value: string; readonly means: string }[] | undefined
}

export interface ClauseCounts extends Clause {
  /** Entries of the scope that meet it. */
  readonly holds: number
  /** Entries that would be in the result, were it not for this clause. */
  readonly keepsOut: number
}

interface OrderExplanation {
  readonly reads: string
  /** The fields that count, in this order; the id is the last. */
  readonly by: readonly string[]
}

export interface EntryExplanation {
  /** Null when nothing has that name. */
  readonly id: string | null
  readonly path: string | null
  readonly inResult: boolean
  /** One sentence. */
  readonly why: string
  readonly scope?: { readonly holds: boolean; readonly why: string } | undefined
  readonly clauses?: readonly EntryClause[] | undefined
  /** Where it stands in the result; absent when it is not there. */
  readonly place?: PlaceExplanation | undefined
}

export interface EntryClause extends Clause {
  readonly holds: boolean
  /** What the entry has. */
  readonly held: ShownValue
  /** The values that are met, before a `not` inverts that. */
  readonly met: readonly string[]
}

export interface PlaceExplanation {
  /** Counted from 1, in the whole result. */
  readonly position: number
  /** Both counted from 1, when the search is walked from its beginning with this limit. */
  readonly page: number | null
  readonly onPage: number | null
  /** The same for a walk that goes on with the cursor; null when that has passed the entry. Absent without a cursor. */
  readonly fromCursor?: { readonly page: number; readonly onPage: number } | null | undefined
  /** By what it was placed: each field of the order, and what the entry has. */
  readonly values: readonly SortedBy[]
  readonly before: Neighbour | null
  readonly after: Neighbour | null
}

export interface SortedBy {
  readonly field: string
  readonly value: ShownValue
}

export interface Neighbour {
  readonly id: string
  readonly path: string
  /** The first field of the order that tells the two apart, and what the neighbour has there. */
  readonly decidedBy: string
  readonly value: ShownValue
}

/** What a pagination token means. */
export interface CursorExplanation {
  /** Whether the service takes it for this search; else why not. */
  readonly accepted: boolean
  readonly refusal?: string | undefined
  /** False for a token that this stand-in did not make: then nothing else is known of it. */
  readonly readable: boolean
  readonly fileSetId?: string | undefined
  /** Null when the token is too short for the search, and holds its digest alone. */
  readonly search?: ExplainedSearch | null | undefined
  /** The last entry given. The next page begins behind the place that it had then. */
  readonly last?:
    { readonly id: string; readonly path: string | null; readonly values: readonly SortedBy[] } | undefined
  /** Given so far. */
  readonly pages?: number | undefined
  readonly entries?: number | undefined
  /** The version of the file set that the walk began with. */
  readonly version?: number | undefined
  readonly limit?: number | undefined
  readonly issued?: string | undefined
  /** The entry that the next page begins with; null when there is none. */
  readonly leadsTo?: { readonly id: string; readonly path: string } | null | undefined
}

export interface ReportScheduleExplanation {
  /** Null for one that is not stored. */
  readonly scheduleId: number | null
  readonly title: string
  /** As the service shows it, epoch milliseconds; null when it leaves it out. */
  readonly nextRunDate: number | null
  /** One sentence. */
  readonly why: string
  /** Absent for a schedule that is not told when to run. */
  readonly run?: RunExplanation | undefined
  /** The behaviours that this depends on. */
  readonly behaviours: readonly string[]
}

export interface RunExplanation {
  /** The rule in words. */
  readonly reads: string
  readonly timezone: string
  /** The first run after this moment, and why this one. */
  readonly countedFrom: { readonly at: string; readonly localTime: string; readonly why: string }
  /** The days that the rule names, from the day before that moment on, until one fits. */
  readonly days: readonly DayExplanation[]
  /** Days of the month that a month on the way does not have. */
  readonly shortMonths: readonly { readonly month: string; readonly day: number; readonly became: string }[]
  readonly at: string
  readonly localTime: string
  /** Of the zone at that moment, such as `-04:00`. */
  readonly offset: string
}

export interface DayExplanation {
  readonly date: string
  readonly weekday: string
  /** What the clocks should show. */
  readonly intended: string
  /** `gap`: the clocks skip that time; `overlap`: they show it twice. */
  readonly clocks: 'ordinary' | 'gap' | 'overlap'
  /** Null when it does not happen. */
  readonly at: string | null
  readonly localTime: string | null
  readonly verdict: 'too early' | 'skipped' | 'next'
}
