import { compareCodePoints, rankOfUnit } from '../store/code-points.ts'
import { identity, sortInSteps } from './radix.ts'
import { runSteps, type Steps } from '../../../engine/steps.ts'

/** By index: the rank of each text among all of them in code point order, from 0; equal texts have the same. */
export function rankTexts(texts: readonly string[]): Uint32Array {
  return runSteps(rankInSteps(texts))
}

/** The same in steps. */
export function* rankInSteps(texts: readonly string[]): Steps<Uint32Array> {
  const digits = { left: new Uint32Array(texts.length), right: new Uint32Array(texts.length) }
  const sorted = yield* sortFrom({ texts, digits }, identity(texts.length), 0)
  const ranks = new Uint32Array(texts.length)
  let rank = 0
  for (let at = 1; at < sorted.length; at++) {
    const index = sorted[at] ?? 0
    if (texts[index] !== texts[sorted[at - 1] ?? 0]) rank++
    ranks[index] = rank
    if (at % MOST_TEXTS === 0) yield
  }
  return ranks
}

/** Texts that are looked at in one step. */
const MOST_TEXTS = 8192
/** Fewer than these are compared with each other; more are dealt out by their next characters first. */
const FEWEST_DEALT = 4096
/** UTF-16 units that one deal looks at. */
const UNITS = 4

interface Ranked {
  readonly texts: readonly string[]
  /** The next units by index. Each deal overwrites those of its own indexes only, so all deals share them. */
  readonly digits: { readonly left: Uint32Array; readonly right: Uint32Array }
}

/** Sorts indexes whose texts have their first `depth` units in common. */
function* sortFrom(ranked: Ranked, indexes: Uint32Array, depth: number): Steps<Uint32Array> {
  const { texts, digits } = ranked
  if (indexes.length < FEWEST_DEALT) {
    yield
    return indexes.sort((a, b) => compareCodePoints(texts[a] ?? '', texts[b] ?? '') || a - b)
  }
  const { left, right } = digits
  for (let at = 0; at < indexes.length; at++) {
    const index = indexes[at] ?? 0
    left[index] = twoUnits(texts[index] ?? '', depth)
    right[index] = twoUnits(texts[index] ?? '', depth + 2)
    if (at % MOST_TEXTS === 0) yield
  }
  const dealt = yield* sortInSteps(yield* sortInSteps(indexes, right), left)
  const isSame = (a: number, b: number) => left[a] === left[b] && right[a] === right[b]
  for (let from = 0; from < dealt.length;) {
    let to = from + 1
    while (to < dealt.length && isSame(dealt[from] ?? 0, dealt[to] ?? 0)) to++
    if (to - from > 1) yield* sortRun(ranked, dealt, from, to, depth + UNITS)
    from = to
  }
  return dealt
}

/** Sorts a run of indexes in its place, unless all its texts are over. */
function* sortRun(ranked: Ranked, dealt: Uint32Array, from: number, to: number, depth: number): Steps<undefined> {
  const { texts } = ranked
  const run = dealt.slice(from, to)
  const isOver = run.every((index) => (texts[index] ?? '').length < depth && texts[index] === texts[run[0] ?? 0])
  if (!isOver) dealt.set(yield* sortFrom(ranked, run, depth), from)
  return undefined
}

/** Two units as one number; where the text is over, the smallest, which may also be a unit: longer runs are looked at again. */
function twoUnits(text: string, at: number): number {
  const unit = (index: number) => (index < text.length ? rankOfUnit(text.charCodeAt(index)) : 0)
  return unit(at) * 0x10000 + unit(at + 1)
}
