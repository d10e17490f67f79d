import { createTable } from './result.ts'
import type { Table, TableOptions } from './result.ts'

/** Takes one sample, in the unit of the table. What it throws becomes the contender's row, and it is not asked again. */
type Sample = () => number | Promise<number>

export interface Comparison extends TableOptions {
  readonly rounds: number
  readonly contenders: Readonly<Record<string, Sample>>
  readonly progress: (step: string) => void
}

/**
 * Measures the contenders in turn: a round that does not count, then `rounds` rounds, each beginning with the next contender, so
 * that a machine that slows down, or a neighbour that wakes up, hits all of them alike.
 */
export async function compare(comparison: Comparison): Promise<Table> {
  const { rounds, contenders, progress, title } = comparison
  const samples: Record<string, number[] | string> = {}
  for (let round = 0; round <= rounds; round++) {
    for (const [name, sample] of rotate(Object.entries(contenders), round)) {
      const taken = (samples[name] ??= [])
      if (typeof taken === 'string') continue
      progress(`${title}: ${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}, ${name}`)
      try {
        const value = await sample()
        if (round > 0) taken.push(value)
      } catch (error) {
        samples[name] = error instanceof Error ? error.message : String(error)
        progress(`${title}: ${name} IS LEFT OUT: ${samples[name]}`)
      }
    }
  }
  return createTable(comparison, samples)
}

/** `rotate(['a', 'b', 'c'], 1)` is `['b', 'c', 'a']`. */
export function rotate<Item>(items: readonly Item[], by: number): Item[] {
  const start = items.length === 0 ? 0 : by % items.length
  return [...items.slice(start), ...items.slice(0, start)]
}
