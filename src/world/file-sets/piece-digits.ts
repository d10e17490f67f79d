import { rankTexts } from './rank.ts'
import { codeOf, type Rope } from './rope.ts'

/**
 * The ranks of the pieces that the texts of files share, which stand for the texts where no first piece can go on as another text
 * does: `Order_` and `Order_A_` could not be told apart by themselves. What all second pieces begin with belongs to the first,
 * for it is there that texts mostly part. Undefined where pieces are not shared, do not stand for the texts, or are more than these.
 *
 * @param directories the texts of directory 1 and on; they follow those of the files, up to `count` in all
 * @returns digits by slot, the least significant first
 */
export function pieceDigits(
  files: Rope,
  fileCount: number,
  directories: Rope,
  count: number,
  normal: (text: string) => string,
): Uint32Array[] | undefined {
  const [first, second, more] = files
  const [folder, deeper] = directories
  if (!first?.isShared || second?.isShared === false || more || deeper) return undefined
  // A small set has fewer texts than there are pieces to put any together from.
  if (fileCount < first.count + (second?.count ?? 0)) return undefined
  const endings = second ? textsOf(second.count, (code) => second.text(code), normal) : []
  const lead = commonStart(endings)
  const openings = textsOf(first.count, (code) => first.text(code), normal).map((text) => text + lead)
  const names = folder ? textsOf(folder.count, (code) => folder.text(code), normal) : []
  const ranks = rankTexts([...openings, ...names])
  if (second && canGoOn(openings, [...openings, ...names], ranks)) return undefined
  const low = new Uint32Array(second ? count : 0)
  const high = new Uint32Array(count)
  const endingRanks = rankTexts(endings)
  for (let slot = 0; slot < fileCount; slot++) {
    high[slot] = ranks[codeOf(first, slot)] ?? 0
    // A directory's name is over where a file's goes on.
    if (second) low[slot] = 1 + (endingRanks[codeOf(second, slot)] ?? 0)
  }
  for (let slot = fileCount; slot < count; slot++) {
    high[slot] = folder ? (ranks[openings.length + codeOf(folder, slot - fileCount + 1)] ?? 0) : 0
  }
  return second ? [low, high] : [high]
}

function textsOf(count: number, text: (code: number) => string, normal: (text: string) => string): string[] {
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
