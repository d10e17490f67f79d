import type { Side } from '../contract/schemas/split-schema.ts'
import type { Level } from './change.ts'
import type { Conjunction, SchemaView } from './schema-view.ts'

/** Whether fewer values are allowed than before, more, or others. */
export type Direction = 'narrowed' | 'widened' | 'changed'

/** A difference between two schemas. */
export interface SchemaChange {
  readonly kind: string
  readonly direction: Direction
  /** Where the direction does not decide it. */
  readonly level?: Level
  readonly words: string
  /** In the value, with `*` for any element and any other member. */
  readonly pointer: string
  /** Pointers in the documents; undefined where that one has nothing. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Compares what two schemas allow on one side of an exchange. */
export type Compare = (old: Conjunction, now: Conjunction, side: Side) => readonly SchemaChange[]

/** What the comparisons of parts of schemas need. */
export interface Comparison {
  readonly old: Reading
  readonly now: Reading
  readonly compare: Compare
}

export interface Reading {
  readonly document: unknown
  readonly viewOf: (conjunction: Conjunction) => SchemaView
}
