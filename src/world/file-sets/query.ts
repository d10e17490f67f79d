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

/** A query as JSON text. Queries are built by one function, so equal ones have equal text. */
export function textOfQuery(query: Query): string {
  const known = texts.get(query)
  if (known !== undefined) return known
  const text = JSON.stringify(query)
  texts.set(query, text)
  return text
}

const texts = new WeakMap<Query, string>()
