import { compareCodePoints, rankOfUnit } from '../base/formats/code-points.ts'
import type { Steps } from './slices.ts'

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
  const compare = texts.some((text) => SURROGATES_AND_ABOVE.test(text)) ? compareCodePoints : compareUnits
  const sorted = yield* sortFrom({ texts, digits, compare }, identity(texts.length), 0)
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

/** Without these, texts are in the order of their units, which the engine compares several times as fast. */
const SURROGATES_AND_ABOVE = /[\ud800-\uffff]/

function compareUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

interface Ranked {
  readonly texts: readonly string[]
  readonly compare: (a: string, b: string) => number
  /** The next units by index. Each pass overwrites those of its own indexes only, so all passes share them. */
  readonly digits: { readonly left: Uint32Array; readonly right: Uint32Array }
}

/** Sorts indexes whose texts have their first `depth` units in common. */
function* sortFrom(ranked: Ranked, indexes: Uint32Array, depth: number): Steps<Uint32Array> {
  const { texts, digits, compare } = ranked
  if (indexes.length < FEWEST_SPREAD) {
    yield
    return indexes.sort((a, b) => compare(texts[a] ?? '', texts[b] ?? '') || a - b)
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
