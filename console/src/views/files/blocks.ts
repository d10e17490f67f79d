/** Entries are loaded by blocks of this size. */
export const BLOCK = 200

/** The blocks that are kept: 10,000 entries. */
const MAX_KEPT = 50

/** Part of a list: what a request of it asks for. */
export interface Part {
  readonly offset: number
  readonly limit: number
}

/**
 * What to ask for next, to see the rows from `first` to `end`; undefined when all of them are there.
 *
 * @param has whether a block was loaded
 */
export function partToLoad(first: number, end: number, has: (block: number) => boolean): Part | undefined {
  const wanted: number[] = []
  for (let block = Math.floor(first / BLOCK); block * BLOCK < end; block++) if (!has(block)) wanted.push(block)
  const [from] = wanted
  if (from === undefined) return undefined
  let count = 1
  while (wanted[count] === from + count) count++
  return { offset: from * BLOCK, limit: count * BLOCK }
}

/** Without the blocks that are furthest from a row, where there are too many. */
export function nearestBlocks<Block>(blocks: ReadonlyMap<number, Block>, row: number): Map<number, Block> {
  const distance = ([block]: readonly [number, Block]) => Math.abs(block - row / BLOCK)
  return new Map([...blocks].sort((a, b) => distance(a) - distance(b)).slice(0, MAX_KEPT))
}
