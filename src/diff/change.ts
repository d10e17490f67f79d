import type { Side } from '../contract/schemas/split-schema.ts'

/**
 * `breaking`: a client that OLD allows may fail with NEW. `warning`: whether it may cannot be told, or it should be looked at.
 * `compatible`: it cannot.
 */
export type Level = 'breaking' | 'warning' | 'compatible'

export const LEVELS: readonly Level[] = ['breaking', 'warning', 'compatible']

/** The part of an operation that changed. */
export type Part =
  | { readonly kind: 'operation' }
  | { readonly kind: 'parameter'; readonly in: string; readonly name: string }
  | { readonly kind: 'request-body'; readonly mediaType?: string }
  | { readonly kind: 'response'; readonly status: string; readonly mediaType?: string; readonly header?: string }

/** Where in the interface a change shows. */
export interface Use {
  /** In OLD, or in NEW for what is new there: `GET /orders`. */
  readonly operation: string
  readonly part: Part
  /** In the value: a JSON pointer in which `*` is any element, and any member without a name of its own. */
  readonly pointer: string
}

/** One difference between two contracts. A part that several operations refer to has several uses. */
export interface Change {
  readonly level: Level
  /** Such as `member-removed`; see `docs/truth.md`. */
  readonly kind: string
  readonly side: Side
  /** What follows the place: `is required now`. */
  readonly words: string
  /** `file:line` in OLD; in NEW where OLD has nothing. */
  readonly before: string | undefined
  readonly after: string | undefined
  readonly uses: readonly Use[]
}
