import type { FileRecord, Integer, IntegerField, TextField } from './file-record.ts'
import type { Rope } from './rope.ts'

/**
 * The files of a set, numbered from 0, as columns. A generated set works its answers out from the number, a set of records looks
 * them up; nobody else can tell the two apart.
 */
export interface Files {
  readonly count: number
  /** By file: the number of the directory that it lies in. */
  readonly directoryOf: Uint32Array
  /** By directory: how many files lie in the directories before it; one more number closes the list. */
  readonly before: Uint32Array
  /** The files ordered by their directories, so that those of directory `d` are at places `before[d]` to `before[d + 1] - 1`. */
  at(place: number): number
  /** When it was created: epoch milliseconds, and the nanoseconds beyond them. */
  ms(file: number): number
  nanos(file: number): number
  /** Whether any file has nanoseconds. */
  readonly hasNanos: boolean
  record(file: number): FileRecord
  /** A column; the name is always the last segment of the path. */
  text(field: TextField): Column
  integer(field: IntegerField): (file: number) => Integer | null
  /**
   * The first 32 bits of texts that are lower-case hexadecimal and differ in them, so that their order is the order of the texts;
   * undefined where that is not known.
   */
  head(field: TextField): ((file: number) => number) | undefined
  findId(id: string): number | undefined
}

/** A column of texts, some of which may be null. */
export interface Column {
  readonly rope: Rope
  /** Absent where none is. */
  readonly isNull?: (at: number) => boolean
}

export function always(rope: Rope): Column {
  return { rope }
}

export const NOTHING: Column = { rope: [], isNull: () => true }
