import type { QueryBody } from './read-query.ts'

/** What a search request means, before a token has its say. */
export interface SearchInput {
  readonly body: QueryBody
  /** Normalised; undefined when the parameter was not sent or blank. */
  readonly directoryPath?: string | undefined
  readonly immediateChildren?: boolean | undefined
  readonly limit: number
  readonly token?: string | undefined
}
