import type { Steps } from '../../../engine/slices.ts'
import type { Base } from './base.ts'
import { codeOf, type Piece, type Pieces, reader } from './columns.ts'
import { compareCodePoints } from '../../../base/formats/code-points.ts'
import { identity, isEndOfStep, rankTexts, sortInSteps } from '../../../engine/sort-in-steps.ts'

/**
 * Sorts by the pieces that texts share instead of by the texts, where the ranks of the pieces have the same order: no piece may be the
 * beginning of another one in the same place, such as `Order_` of `Order_A_`. What all pieces in the next place begin with counts as
 * the end of a piece, since texts mostly differ there. Undefined where that is not so, or where there are more pieces than files.
 *
 * @param directories the texts of directory 1 and on; they follow those of the files, up to `count` in all
 * @returns digits by slot, the least significant first
 */
export function* pieceDigits(
  files: Pieces,
  fileCount: number,
  directories: Pieces,
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
  const ranks: Uint32Array[] = []
  for (const [place, own] of leading.entries()) ranks.push(yield* rankTexts(place === 0 ? [...own, ...names] : own))
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

/** Whether any opening is the beginning of another text, which then follows it in the order. */
function canGoOn(openings: readonly string[], texts: readonly string[], ranks: Uint32Array): boolean {
  const byRank: string[] = []
  texts.forEach((text, at) => (byRank[ranks[at] ?? 0] = text))
  return openings.some((opening, at) => byRank[(ranks[at] ?? 0) + 1]?.startsWith(opening))
}

/**
 * All slots by path, in code point order, made without putting a full path together. In one directory a file or directory
 * is placed by its name, and the contents of a directory `s` all together where `s/` sorts; so it is enough to
 * sort the names of each directory for themselves. `a.txt` comes before `a/b`, and `a-b` before both.
 */
export function* pathOrder(base: Base): Steps<Uint32Array> {
  const { files } = base
  const byName = yield* sortInSteps(yield* filesByName(base), files.directoryOf)
  const nameAt = reader(files.text('name').pieces)
  const slots = new Uint32Array(base.count)
  let filled = 0
  const take = (from: number, to: number) => {
    slots.set(byName.subarray(from, to), filled)
    filled += to - from
  }
  const visit = function* (directory: number): Steps<void> {
    yield
    const [from = 0, to = 0] = [files.before[directory], files.before[directory + 1]]
    const places = placesOf(base, directory)
    if (places.length === 0) {
      take(from, to)
      return
    }
    const names = Array.from(byName.subarray(from, to), (file) => nameAt(file) ?? '')
    let taken = 0
    for (const place of places) {
      const before = taken
      while (taken < names.length && compareCodePoints(names[taken] ?? '', place.text) < 0) taken++
      take(from + before, from + taken)
      if (place.inside === undefined) slots[filled++] = place.slot
      else yield* visit(place.inside)
    }
    take(from + taken, to)
  }
  yield* visit(0)
  return slots
}

type DirectoryPlace = { text: string; slot: number; inside?: never } | { text: string; inside: number }

/** The places of the immediate subdirectories among the files: each once for itself and once for its contents. */
function placesOf(base: Base, directory: number): DirectoryPlace[] {
  const { end, name: names } = base.directories
  const places: DirectoryPlace[] = []
  for (let child = directory + 1; child < (end[directory] ?? 0); child = end[child] ?? 0) {
    const name = names.text(codeOf(names, child))
    places.push({ text: name, slot: base.slotOf(child) }, { text: `${name}/`, inside: child })
  }
  return places.sort((a, b) => compareCodePoints(a.text, b.text))
}

function* filesByName({ files }: Base): Steps<Uint32Array> {
  const { pieces } = files.text('name')
  const all = identity(files.count)
  const nameAt = reader(pieces)
  const digits = (yield* pieceDigits(pieces, files.count, [], files.count, (text) => text)) ?? [
    yield* rankTexts(Array.from(all, (file) => nameAt(file) ?? '')),
  ]
  let sorted = all
  for (const one of digits) sorted = yield* sortInSteps(sorted, one)
  return sorted
}
