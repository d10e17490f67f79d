import type { Steps } from '../../../engine/slices.ts'
import type { Base } from './base.ts'
import { codeOf, type Piece, type Pieces, reader } from './columns.ts'
import { compareCodePoints, rankOfUnit } from '../../../formats/code-points.ts'

/**
 * Sorting by whole numbers, digit by digit (least significant digit first). Each pass is stable and linear, so an order by several
 * keys is made by passes from the last key to the first.
 */

/** Bits of a digit: few passes over many keys, few buckets for few keys. */
const WIDE = 16
const NARROW = 8
const FEWEST_WIDE = 1 << 15

/** Whether a step ends after this turn of a loop: steps take a few milliseconds. */
export function isEndOfStep(turn: number): boolean {
  return (turn & 0x1ffff) === 0x1ffff
}

/** A permutation that leaves everything where it is. */
export function identity(count: number): Uint32Array {
  const slots = new Uint32Array(count)
  for (let slot = 0; slot < count; slot++) slots[slot] = slot
  return slots
}

/** The slots of a permutation ordered by their keys (by slot; below 2^32); slots with equal keys stay in the order they were in. */
export function* sortInSteps(slots: Uint32Array, keys: Uint32Array): Steps<Uint32Array> {
  // Counted loops: `for … of` over a typed array is several times as slow.
  const { length } = slots
  let [some, all] = [0, 0xffffffff]
  for (let at = 0; at < length; at++) {
    const key = keys[slots[at] ?? 0] ?? 0
    some |= key
    all &= key
    if (isEndOfStep(at)) yield
  }
  const differing = (some ^ all) >>> 0
  const bits = length < FEWEST_WIDE ? NARROW : WIDE
  let sorted = slots
  for (let shift = 0; shift < 32; shift += bits) {
    // Digits in which no two keys differ order nothing.
    if (((differing >>> shift) & ((1 << bits) - 1)) !== 0) sorted = yield* pass(sorted, keys, shift, bits)
  }
  return sorted
}

/** A counting sort by one digit. */
function* pass(slots: Uint32Array, keys: Uint32Array, shift: number, bits: number): Steps<Uint32Array> {
  const { length } = slots
  const radix = 1 << bits
  const next = new Uint32Array(radix + 1)
  for (let at = 0; at < length; at++) {
    const digit = ((keys[slots[at] ?? 0] ?? 0) >>> shift) & (radix - 1)
    next[digit + 1] = (next[digit + 1] ?? 0) + 1
    if (isEndOfStep(at)) yield
  }
  for (let digit = 0; digit < radix; digit++) next[digit + 1] = (next[digit + 1] ?? 0) + (next[digit] ?? 0)
  const sorted = new Uint32Array(length)
  for (let at = 0; at < length; at++) {
    const slot = slots[at] ?? 0
    const digit = ((keys[slot] ?? 0) >>> shift) & (radix - 1)
    const place = next[digit] ?? 0
    next[digit] = place + 1
    sorted[place] = slot
    if (isEndOfStep(at)) yield
  }
  return sorted
}

/** By index: the rank of each text among all of them in code point order, from 0; equal texts have the same. */
export function* rankTexts(texts: readonly string[]): Steps<Uint32Array> {
  const digits = { left: new Uint32Array(texts.length), right: new Uint32Array(texts.length) }
  const sorted = yield* sortFrom({ texts, digits }, identity(texts.length), 0)
  const ranks = new Uint32Array(texts.length)
  let rank = 0
  for (let at = 1; at < sorted.length; at++) {
    const index = sorted[at] ?? 0
    if (texts[index] !== texts[sorted[at - 1] ?? 0]) rank++
    ranks[index] = rank
    if (at % MAX_TEXTS === 0) yield
  }
  return ranks
}

/** Texts that are looked at in one step. */
const MAX_TEXTS = 8192
/** Fewer strings are compared with each other; more are distributed by their next characters first. */
const FEWEST_SPREAD = 4096
/** UTF-16 units per distribution. */
const UNITS = 4

interface Ranked {
  readonly texts: readonly string[]
  /** The next units by index. Each pass overwrites those of its own indexes only, so all passes share them. */
  readonly digits: { readonly left: Uint32Array; readonly right: Uint32Array }
}

/** Sorts indexes whose texts have their first `depth` units in common. */
function* sortFrom(ranked: Ranked, indexes: Uint32Array, depth: number): Steps<Uint32Array> {
  const { texts, digits } = ranked
  if (indexes.length < FEWEST_SPREAD) {
    yield
    return indexes.sort((a, b) => compareCodePoints(texts[a] ?? '', texts[b] ?? '') || a - b)
  }
  const { left, right } = digits
  for (let at = 0; at < indexes.length; at++) {
    const index = indexes[at] ?? 0
    left[index] = twoUnits(texts[index] ?? '', depth)
    right[index] = twoUnits(texts[index] ?? '', depth + 2)
    if (at % MAX_TEXTS === 0) yield
  }
  const sorted = yield* sortInSteps(yield* sortInSteps(indexes, right), left)
  const isSame = (a: number, b: number) => left[a] === left[b] && right[a] === right[b]
  for (let from = 0; from < sorted.length;) {
    let to = from + 1
    while (to < sorted.length && isSame(sorted[from] ?? 0, sorted[to] ?? 0)) to++
    if (to - from > 1) yield* sortRun(ranked, sorted, from, to, depth + UNITS)
    from = to
  }
  return sorted
}

/** Sorts a run of indexes in its place, unless all its texts are over. */
function* sortRun(ranked: Ranked, sorted: Uint32Array, from: number, to: number, depth: number): Steps<undefined> {
  const { texts } = ranked
  const run = sorted.slice(from, to)
  const isOver = run.every((index) => (texts[index] ?? '').length < depth && texts[index] === texts[run[0] ?? 0])
  if (!isOver) sorted.set(yield* sortFrom(ranked, run, depth), from)
  return undefined
}

/** Two units as one number; where the text is over, the smallest, which may also be a unit: longer runs are looked at again. */
function twoUnits(text: string, at: number): number {
  const unit = (index: number) => (index < text.length ? rankOfUnit(text.charCodeAt(index)) : 0)
  return unit(at) * 0x10000 + unit(at + 1)
}

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

type Place = { text: string; slot: number; inside?: never } | { text: string; inside: number }

/** The places of the immediate subdirectories among the files: each once for itself and once for its contents. */
function placesOf(base: Base, directory: number): Place[] {
  const { end, name: names } = base.directories
  const places: Place[] = []
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
