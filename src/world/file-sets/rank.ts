import { compareCodePoints, rankOfUnit } from './code-points.ts'
import { identity, sortByKeys } from './radix.ts'

/** By index: the rank of each text among all of them in code point order, from 0; equal texts have the same. */
export function rankTexts(texts: readonly string[]): Uint32Array {
  const sorted = sortFrom(texts, identity(texts.length), 0)
  const ranks = new Uint32Array(texts.length)
  let rank = 0
  for (let at = 1; at < sorted.length; at++) {
    const index = sorted[at] ?? 0
    if (texts[index] !== texts[sorted[at - 1] ?? 0]) rank++
    ranks[index] = rank
  }
  return ranks
}

/** Fewer than these are compared with each other; more are dealt out by their next characters first. */
const FEWEST_DEALT = 4096
/** UTF-16 units that one deal looks at. */
const UNITS = 4

/** Sorts indexes whose texts have their first `depth` units in common. */
function sortFrom(texts: readonly string[], indexes: Uint32Array, depth: number): Uint32Array {
  if (indexes.length < FEWEST_DEALT)
    return indexes.sort((a, b) => compareCodePoints(texts[a] ?? '', texts[b] ?? '') || a - b)
  const [left, right] = [new Uint32Array(texts.length), new Uint32Array(texts.length)]
  for (const index of indexes) {
    left[index] = twoUnits(texts[index] ?? '', depth)
    right[index] = twoUnits(texts[index] ?? '', depth + 2)
  }
  const dealt = sortByKeys(sortByKeys(indexes, right), left)
  const isSame = (a: number, b: number) => left[a] === left[b] && right[a] === right[b]
  for (let from = 0; from < dealt.length;) {
    let to = from + 1
    while (to < dealt.length && isSame(dealt[from] ?? 0, dealt[to] ?? 0)) to++
    if (to - from > 1) sortRun(texts, dealt, from, to, depth + UNITS)
    from = to
  }
  return dealt
}

/** Sorts a run of indexes in its place, unless all its texts are over. */
function sortRun(texts: readonly string[], dealt: Uint32Array, from: number, to: number, depth: number): void {
  const run = dealt.slice(from, to)
  if (run.every((index) => (texts[index] ?? '').length < depth && texts[index] === texts[run[0] ?? 0])) return
  dealt.set(sortFrom(texts, run, depth), from)
}

/** Two units as one number; where the text is over, the smallest, which may also be a unit: longer runs are looked at again. */
function twoUnits(text: string, at: number): number {
  const unit = (index: number) => (index < text.length ? rankOfUnit(text.charCodeAt(index)) : 0)
  return unit(at) * 0x10000 + unit(at + 1)
}
