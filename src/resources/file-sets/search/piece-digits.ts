import { isEndOfStep } from './radix.ts'
import { rankTexts } from './rank.ts'
import { codeOf, type Piece, type Rope } from '../store/rope.ts'
import type { Steps } from '../../../engine/steps.ts'

/**
 * The ranks of the pieces that the texts of files share, which stand for the texts where no piece can go on as another text does:
 * `Order_` and `Order_A_` could not be told apart by themselves. What all pieces in the next place begin with belongs to a piece,
 * for it is there that texts mostly part. Undefined where pieces are not shared, do not stand for the texts, or are more than these.
 *
 * @param directories the texts of directory 1 and on; they follow those of the files, up to `count` in all
 * @returns digits by slot, the least significant first
 */
export function* pieceDigits(
  files: Rope,
  fileCount: number,
  directories: Rope,
  count: number,
  normal: (text: string) => string,
): Steps<Uint32Array[] | undefined> {
  const [folder, deeper] = directories
  const pieces = files.reduce((sum, piece) => sum + piece.count, 0)
  if (files.length === 0 || deeper || pieces > fileCount || !files.every(({ isShared }) => isShared)) return undefined
  const texts = files.map((piece) => textsOf(piece, normal))
  const leading = texts.map((own, place) => {
    const lead = commonStart(texts[place + 1] ?? [])
    return own.map((text) => text + lead)
  })
  const names = folder ? textsOf(folder, normal) : []
  const ranks = leading.map((own, place) => rankTexts(place === 0 ? [...own, ...names] : own))
  const isAmbiguous = leading.some((own, place) => {
    const isLast = place === files.length - 1
    return !isLast && canGoOn(own, place === 0 ? [...own, ...names] : own, ranks[place] ?? new Uint32Array())
  })
  if (isAmbiguous) return undefined
  const digits: Uint32Array[] = []
  for (const [place, piece] of files.entries()) {
    yield
    digits.unshift(
      yield* digitsOf(piece, ranks[place] ?? new Uint32Array(), fileCount, count, place === 0 ? folder : undefined),
    )
  }
  return digits
}

/** By slot: one more than the rank of a file's piece, or of a directory's name; 0 where a directory's name is over. */
function* digitsOf(
  piece: Piece,
  ranks: Uint32Array,
  fileCount: number,
  count: number,
  folder: Piece | undefined,
): Steps<Uint32Array> {
  const digits = new Uint32Array(count)
  for (let slot = 0; slot < fileCount; slot++) {
    digits[slot] = 1 + (ranks[codeOf(piece, slot)] ?? 0)
    if (isEndOfStep(slot)) yield
  }
  if (!folder) return digits
  for (let slot = fileCount; slot < count; slot++) {
    digits[slot] = 1 + (ranks[piece.count + codeOf(folder, slot - fileCount + 1)] ?? 0)
  }
  return digits
}

function textsOf({ count, text }: Piece, normal: (text: string) => string): string[] {
  return Array.from({ length: count }, (_, code) => normal(text(code)))
}

function commonStart([first = '', ...rest]: readonly string[]): string {
  let length = first.length
  for (const text of rest) {
    while (!text.startsWith(first.slice(0, length))) length--
  }
  return first.slice(0, length)
}

/** Whether any opening is the beginning of another text; one that is stands right before it. */
function canGoOn(openings: readonly string[], texts: readonly string[], ranks: Uint32Array): boolean {
  const byRank: string[] = []
  texts.forEach((text, at) => (byRank[ranks[at] ?? 0] = text))
  return openings.some((opening, at) => byRank[(ranks[at] ?? 0) + 1]?.startsWith(opening))
}
