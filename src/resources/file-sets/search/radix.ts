/**
 * Sorting by whole numbers, digit by digit (least significant digit first). Each pass is stable and linear, so an order by several
 * keys is made by passes from the last key to the first.
 */

import type { Steps } from '../../../engine/steps.ts'

/** Bits of a digit: few passes where there is much to deal out, few heaps where there is little. */
const WIDE = 16
const NARROW = 8
const FEWEST_WIDE = 1 << 15

/** Whether so many turns of a loop make a step: a few milliseconds. */
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
