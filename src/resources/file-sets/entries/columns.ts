import type { FileRecord, IntegerField, TextField } from './file-record.ts'
import type { Integer } from '../../../formats/json.ts'

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
  json: (file: number) => Pick<FileRecord, 'connectorKey' | 'indexStatus' | 'indexReason'>,
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

/**
 * Order by code point. JavaScript compares UTF-16 units, which puts an emoji (units D83D DE00) before U+FF5E; a database that
 * stores UTF-8 does not.
 *
 * @example compareCodePoints('\u{1F600}', '\uFF5E') // 1
 */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0
  const shorter = Math.min(a.length, b.length)
  let at = 0
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at++
  if (at === shorter) return a.length - b.length
  return rankOfUnit(a.charCodeAt(at)) - rankOfUnit(b.charCodeAt(at))
}

/** A UTF-16 unit with surrogates moved above the rest of the Basic Multilingual Plane: then unit order is code point order. */
export function rankOfUnit(unit: number): number {
  if (unit < 0xd800) return unit
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000
}

/** Letters that do not fold by their upper and lower case: the dotless i folds to itself, three others to an equivalent (status S). */
const ASTRAY = new Map([
  ['\u0131', '\u0131'],
  ['\u1fd3', '\u0390'],
  ['\u1fe3', '\u03b0'],
  ['\ufb05', '\ufb06'],
])

const ASCII = /^[\x00-\x7f]*$/

/**
 * Simple case folding (Unicode CaseFolding.txt, statuses C and S): what two texts must share to be equal but for case. It keeps
 * the number of characters and knows no locale, so ß stays one letter and the Turkish ı is a letter of its own.
 *
 * @example fold('STRASSE İı ſK') // 'strasse İı sk', the last letter being the Kelvin sign
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  let folded = ''
  for (const char of text) folded += foldCharacter(char)
  return folded
}

/** Upper case first, so that ſ, ς and the Kelvin sign meet their ordinary letters; a mapping to several letters is no simple one. */
function foldCharacter(char: string): string {
  const known = ASTRAY.get(char)
  if (known !== undefined) return known
  const upper = char.toUpperCase()
  const base = isSingle(upper) ? upper : char
  const lower = base.toLowerCase()
  return isSingle(lower) ? lower : base
}

/** The same for one character, by its code point. */
export function foldCodePoint(codePoint: number): number {
  if (codePoint < 0x80) return codePoint >= 0x41 && codePoint <= 0x5a ? codePoint + 0x20 : codePoint
  return foldCharacter(String.fromCodePoint(codePoint)).codePointAt(0) ?? codePoint
}

function isSingle(text: string): boolean {
  return text.length === 1 || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff)
}

/** Whether a text has letters that could be in another case. */
export function isCased(text: string): boolean {
  return text.toLowerCase() !== text || text.toUpperCase() !== text
}
