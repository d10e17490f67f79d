import type { FileRecord, IntegerField, JsonField, TextField } from './file-record.ts'
import type { Integer } from '../../../base/formats/json.ts'

/**
 * The files of a set, numbered from 0, as columns. A generated set computes values from the number, a set of records looks them up;
 * callers see no difference.
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
  /** The first 32 bits of an id. Present where ids are lower-case hexadecimal, so that their order is nearly that of the ids. */
  readonly idHead?: (file: number) => number
  findId(id: string): number | undefined
}

/** Up to this many entries, computed values are kept: looking them up is then quicker than working on shared pieces. */
export const SMALL_SET = 20_000

/** A column of texts, some of which may be null. */
export interface Column {
  readonly pieces: Pieces
  /** Absent where none is. */
  readonly isNull?: (at: number) => boolean
}

export function always(pieces: Pieces): Column {
  return { pieces }
}

export const NOTHING: Column = { pieces: [], isNull: () => true }

/**
 * Texts by number, put together from pieces that many of them share: a path is a directory, a stem and a date. Work that goes over
 * texts is done once for each piece and remembered, not once for each text.
 */

/** One piece of every text: which one a text has, by its code, and what that is. */
export interface Piece {
  /** Codes run from 0 to `count - 1`. */
  readonly count: number
  /** Whether texts share it, so that what was found out about it is worth remembering. */
  readonly isShared: boolean
  /** By the number of a text: the code of its piece. Absent where text and code have the same number. */
  readonly codes?: Codes
  text(code: number): string
}

export type Codes = Uint8Array | Uint16Array | Uint32Array

/** The pieces of every text, in order. None if all texts of the column are null. */
export type Pieces = readonly Piece[]

/** A column in which every text is the same. */
export function constant(text: string): Pieces {
  return [{ count: 1, isShared: true, codes: NO_CODES, text: () => text }]
}

/** A column that holds each of its texts. */
export function plain(texts: readonly string[]): Pieces {
  return [{ count: texts.length, isShared: false, text: (code) => texts[code] ?? '' }]
}

/** A column that holds each different text once. */
export function shared(texts: Iterable<string>, count: number): Piece {
  const codes = new Uint32Array(count)
  const known = new Map<string, number>()
  let at = 0
  for (const text of texts) {
    const code = known.get(text) ?? known.size
    known.set(text, code)
    codes[at++] = code
  }
  const distinct = [...known.keys()]
  return { count: distinct.length, isShared: true, codes, text: (code) => distinct[code] ?? '' }
}

/** The code of a piece in text number `at`; past the end of its codes it is 0. */
export function codeOf({ codes }: Piece, at: number): number {
  return codes === undefined ? at : (codes[at] ?? 0)
}

/** The codes of a piece that is the same in all texts. */
export const NO_CODES: Codes = new Uint8Array(0)

/** Reads a text. */
export function reader(pieces: Pieces): (at: number) => string | null {
  const [first, second, third] = pieces
  const read = (piece: Piece, at: number) => piece.text(codeOf(piece, at))
  if (!first) return () => null
  if (!second) return (at) => read(first, at)
  if (!third) return (at) => read(first, at) + read(second, at)
  return (at) => pieces.reduce((text, piece) => text + read(piece, at), '')
}

/** Reads whole records from the columns of files. */
export function recordReader(
  columns: Readonly<Record<TextField, Column>>,
  integer: (field: IntegerField) => (file: number) => Integer | null,
  json: (file: number) => Pick<FileRecord, JsonField>,
): (file: number) => FileRecord {
  const text = (field: TextField) => {
    const read = reader(columns[field].pieces)
    return (file: number) => read(file) ?? ''
  }
  const [id, path, name, created] = [text('id'), text('path'), text('name'), text('created')]
  const [fileType, contentType, downloadUrl] = [text('fileType'), text('contentType'), text('downloadUrl')]
  const [hash, hashAlgorithm] = [text('hash'), text('hashAlgorithm')]
  const [size, createdBy] = [integer('size'), integer('createdBy')]
  return (file) => ({
    id: id(file),
    path: path(file),
    name: name(file),
    fileType: fileType(file),
    contentType: contentType(file),
    size: size(file) ?? 0,
    hash: hash(file),
    hashAlgorithm: hashAlgorithm(file),
    downloadUrl: downloadUrl(file),
    created: created(file),
    createdBy: createdBy(file) ?? 0,
    ...json(file),
  })
}
