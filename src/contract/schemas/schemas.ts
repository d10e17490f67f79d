import type { Violation } from '../../errors/problem.ts'

/** The schemas of a contract, by their pointers in its document. */
export interface Schemas {
  /** What holds a value against the schema at a pointer. */
  compile(pointer: string, side?: Side): Check
  /** The pointer of what the object at a pointer refers to, or of itself. */
  locate(pointer: string): string
  /** The object at a pointer, its reference followed; a schema or another. */
  resolve(pointer: string): Schema | undefined
  /** What members the schema at a pointer knows, at any depth, each reference followed. */
  shapeOf(pointer: string): Schema | undefined
  /** How many were compiled. */
  readonly compiled: number
  /**
   * Runs work that checks values, without holding the event loop while schemas are compiled for it. The work is run again from its
   * beginning each time the loop was given back, so it must have no effects.
   */
  inTurns<T>(work: () => T): Promise<T>
  /** Begins something long: work that runs in turns goes on in the next turn, unless it did nothing long in this one. */
  takeTurn(): void
}

/** A property that is `readOnly` need not be in a request, nor one that is `writeOnly` in an answer. */
export type Side = 'request' | 'response'

/** Everything in a value that a schema refuses; empty when nothing. */
export interface Check {
  (value: unknown): readonly Violation[]
  /** Whether it refuses nothing, which is quicker to tell. */
  accepts(value: unknown): boolean
}

/** The check of what has no schema. */
export const ACCEPT_ALL: Check = Object.assign(() => [], { accepts: () => true })

export interface Schema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly items?: unknown
  readonly [keyword: string]: unknown
}
