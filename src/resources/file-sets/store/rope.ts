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

/** The pieces in the order in which they stand; a text that is null has no pieces, and then all texts of the column are. */
export type Rope = readonly Piece[]

/** A column in which every text is the same. */
export function constant(text: string): Rope {
  return [{ count: 1, isShared: true, codes: NO_CODES, text: () => text }]
}

/** A column that holds each of its texts. */
export function plain(texts: readonly string[]): Rope {
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
export function reader(rope: Rope): (at: number) => string | null {
  const [first, second, third] = rope
  const read = (piece: Piece, at: number) => piece.text(codeOf(piece, at))
  if (!first) return () => null
  if (!second) return (at) => read(first, at)
  if (!third) return (at) => read(first, at) + read(second, at)
  return (at) => rope.reduce((text, piece) => text + read(piece, at), '')
}
