import { expect, test } from 'vitest'
import { complainOfGrowth, type GrowthOrder, type Measured } from '../../bench/growth-rule.ts'

/** What was counted at 1,000, 10,000 and 100,000 files. */
function measured(...steps: readonly [number, number, number]): Measured[] {
  return steps.map((count, at) => ({
    files: 1_000 * 10 ** at,
    work: {
      steps: count,
      moved: 0,
      allocated: 0,
      movedWhere: new Map([['copy (src/c.ts:3)', count / 2]]),
      where: new Map([
        ['render (src/a.ts:1)', 900],
        ['scan (src/b.ts:2)', count - 900],
      ]),
    },
  }))
}

test.each<[GrowthOrder, [number, number, number]]>([
  ['flat', [10_000, 13_300, 16_600]],
  ['linear', [5_000, 50_000, 500_000]],
  ['sorting', [10_000, 133_000, 1_660_000]],
])('growth that is %s passes as such', (order, steps) => {
  expect(complainOfGrowth('a page', order, measured(...steps))).toBeUndefined()
})

test.each<[GrowthOrder, [number, number, number]]>([
  ['flat', [10_000, 31_600, 100_000]],
  ['flat', [10_000, 10_100, 20_100]],
  ['linear', [5_000, 50_000, 700_000]],
  ['sorting', [10_000, 316_000, 10_000_000]],
])('growth that is worse than %s is refused', (order, steps) => {
  expect(complainOfGrowth('a page', order, measured(...steps))).toContain(`expected  ${order}`)
})

test('a complaint names what grew, from what to what, and where to look first', () => {
  expect(complainOfGrowth('a page', 'flat', measured(20_000, 20_000, 120_900))).toBe(
    [
      'a page: the blocks of our code entered grow too fast with the size of the file set.',
      '  counted   20,000 at 1,000 files, 20,000 at 10,000 files, 120,900 at 100,000 files',
      '  expected  flat: at most × 1.5 for ten times the files',
      '  received  × 6.0 from 10,000 to 100,000 files',
      '  look at   what grew most, in blocks entered:',
      '            scan (src/b.ts:2): 19,100 → 120,000',
    ].join('\n'),
  )
})

test('what built-in methods moved is put down to the function that called them', () => {
  const copying = measured(20_000, 20_000, 90_000).map(({ files, work }) => ({
    files,
    work: { ...work, steps: 1, moved: work.steps },
  }))
  const complaint = complainOfGrowth('a change', 'flat', copying)
  expect(complaint).toContain('20,000 at 10,000 files, 90,000 at 100,000 files')
  expect(complaint).toContain('copy (src/c.ts:3): 10,000 → 45,000')
  expect(complaint).not.toContain('scan')
})

test.each(['moved', 'allocated'] as const)('what is %s is held to the same order', (counter) => {
  const flat = measured(20_000, 20_000, 20_000)
  const copying = flat.map(({ files, work }) => ({ files, work: { ...work, [counter]: files * 40 } }))
  expect(complainOfGrowth('a change', 'flat', copying)).toContain('a change: the')
  expect(complainOfGrowth('a change', 'linear', copying)).toBeUndefined()
})

test('more bytes may be allowed to a set that is too large to keep computed values', () => {
  const computing = measured(20_000, 20_000, 20_000).map(({ files, work }) => ({
    files,
    work: { ...work, allocated: files > 10_000 ? 4 * 2 ** 20 : 0 },
  }))
  expect(complainOfGrowth('a range', 'linear', computing)).toContain('the bytes allocated grow too fast')
  expect(complainOfGrowth('a range', 'linear', computing, { extraBytes: 4 * 2 ** 20 })).toBeUndefined()
})
