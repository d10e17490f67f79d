import { expect, test } from 'vitest'
import type { Mutant } from '../../../src/truth/mutate/mutants/mutant.ts'
import { coveringRows } from '../../../src/truth/mutate/pairs.ts'

const settingsOf = (behaviour: number, count: number): Mutant[] =>
  Array.from({ length: count }, (_, at) => ({ id: `b${behaviour}=${at}`, kind: 'undocumented', change: '', usual: '' }))

test.for([
  [2, 1, 1],
  [10, 2, 60],
  [25, 3, 60],
  [40, 2, 60],
] as const)(
  'each two settings of %i behaviours with %i others each are in one row, of %i at most',
  ([count, others, most]) => {
    const factors = Array.from({ length: count }, (_, index) => settingsOf(index, others))
    const rows = [...coveringRows(factors)]
    expect(rows.length).toBeLessThanOrEqual(most)
    const covered = new Set(rows.flatMap((row) => row.flatMap((one) => row.map((other) => `${one.id} ${other.id}`))))
    const pairs = factors.flatMap((factor, index) =>
      factor.flatMap((one) => factors.slice(index + 1).flatMap((others) => others.map(({ id }) => `${one.id} ${id}`))),
    )
    expect(pairs.filter((pair) => !covered.has(pair))).toEqual([])
    // A service has one setting of each behaviour.
    for (const row of rows) expect(new Set(row.map(({ id }) => id.split('=')[0])).size).toBe(row.length)
  },
)
