/**
 * Sorting by whole numbers, digit by digit (least significant digit first). Each pass is stable and linear, so an order by several
 * keys is made by passes from the last key to the first.
 */

const DIGIT = 16
const RADIX = 1 << DIGIT

/** A permutation that leaves everything where it is. */
export function identity(count: number): Uint32Array {
  const slots = new Uint32Array(count)
  for (let slot = 0; slot < count; slot++) slots[slot] = slot
  return slots
}

/** The slots of a permutation ordered by their keys (by slot; below 2^32); slots with equal keys stay in the order they were in. */
export function sortByKeys(slots: Uint32Array, keys: Uint32Array): Uint32Array {
  // Counted loops: `for … of` over a typed array is several times as slow.
  const { length } = slots
  let [some, all] = [0, 0xffffffff]
  for (let at = 0; at < length; at++) {
    const key = keys[slots[at] ?? 0] ?? 0
    some |= key
    all &= key
  }
  // Bits in which no two keys differ order nothing.
  const differing = (some ^ all) >>> 0
  const low = (differing & (RADIX - 1)) === 0 ? slots : pass(slots, keys, 0)
  return differing >>> DIGIT === 0 ? low : pass(low, keys, DIGIT)
}

/** A counting sort by one digit. */
function pass(slots: Uint32Array, keys: Uint32Array, shift: number): Uint32Array {
  const { length } = slots
  const next = new Uint32Array(RADIX + 1)
  for (let at = 0; at < length; at++) {
    const digit = ((keys[slots[at] ?? 0] ?? 0) >>> shift) & (RADIX - 1)
    next[digit + 1] = (next[digit + 1] ?? 0) + 1
  }
  for (let digit = 0; digit < RADIX; digit++) next[digit + 1] = (next[digit + 1] ?? 0) + (next[digit] ?? 0)
  const sorted = new Uint32Array(length)
  for (let at = 0; at < length; at++) {
    const slot = slots[at] ?? 0
    const digit = ((keys[slot] ?? 0) >>> shift) & (RADIX - 1)
    const place = next[digit] ?? 0
    next[digit] = place + 1
    sorted[place] = slot
  }
  return sorted
}
