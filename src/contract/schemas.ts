import type { Violation } from '../problem.ts'

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
}

/** A property that is `readOnly` need not be in a request, nor one that is `writeOnly` in an answer. */
export type Side = 'request' | 'response'

/** Everything in a value that a schema refuses; empty when nothing. */
export type Check = (value: unknown) => readonly Violation[]

export interface Schema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly items?: unknown
  readonly [keyword: string]: unknown
}
