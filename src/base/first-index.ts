/** The first of `length` indexes for which a test holds, which fails for all before it and holds for all after it; a binary search. */
export function firstIndex(length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
