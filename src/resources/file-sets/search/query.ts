/**
 * What a search asks for, checked and with every omission filled in: this is what a cursor remembers, and what two requests must
 * share to be pages of the same search.
 */
export interface Query {
  /** Normalised; the empty string is the root. */
  readonly directoryPath: string
  readonly immediateChildren: boolean
  readonly fieldSort: readonly FieldSort[]
  readonly filters: readonly Filter[]
  readonly dateFilters: readonly DateFilter[]
}

export interface FieldSort {
  readonly field: string
  readonly order: 'ASC' | 'DESC'
}

export interface Filter {
  readonly field: string
  readonly operator: string
  readonly value: readonly string[]
  readonly not: boolean
}

/** Bounds in nanoseconds since the epoch, as decimal text; null leaves a side open. */
export interface DateFilter {
  readonly field: string
  readonly start: string | null
  readonly end: string | null
  readonly not: boolean
}

/** A query that knows its text. Neither copies nor JSON of it have the text, so a changed copy cannot have a wrong one. */
class WrittenQuery implements Query {
  readonly directoryPath: string
  readonly immediateChildren: boolean
  readonly fieldSort: readonly FieldSort[]
  readonly filters: readonly Filter[]
  readonly dateFilters: readonly DateFilter[]
  #text: string | undefined

  constructor({ directoryPath, immediateChildren, fieldSort, filters, dateFilters }: Query) {
    this.directoryPath = directoryPath
    this.immediateChildren = immediateChildren
    this.fieldSort = fieldSort
    this.filters = filters
    this.dateFilters = dateFilters
  }

  static textOf(query: Query): string {
    return #text in query ? (query.#text ??= JSON.stringify(query)) : JSON.stringify(query)
  }
}

export function createQuery(query: Query): Query {
  return new WrittenQuery(query)
}

/** A query as JSON text. All are built with the members of `createQuery` in its order, so equal ones have equal text. */
export const textOfQuery: (query: Query) => string = WrittenQuery.textOf
