import { expect, test } from 'vitest'
import { drawLines } from '../../../bench/frame/lines.ts'
import { createTable, type Result } from '../../../bench/frame/result.ts'

const SIZES = [1_000, 10_000, 100_000]

function table(name: string, exponent: number, costs: readonly number[], chart = true) {
  const options = { title: name, unit: 'ms', better: 'less', chart } as const
  const rows = Object.fromEntries(SIZES.map((size, at) => [`${size} files`, [costs[at] ?? 0]]))
  return { ...createTable(options, rows), growth: { name, sizes: SIZES, exponent } }
}

const result: Result = {
  bench: 'growth',
  about: 'What it costs.',
  date: '2026-03-05T00:00:00.000Z',
  node: 'v26.10.0',
  machine: 'a machine',
  commit: 'e64e4af',
  flags: [],
  versions: {},
  notes: [],
  details: {},
  tables: [
    table('a page', 0, [1, 1, 1]),
    table('a LIKE & more', 1, [0.1, 1, 10]),
    table('hidden', 1, [1, 1, 1], false),
  ],
}

/** The corners of each line. */
function pathsOf(svg: string): number[][][] {
  return [...svg.matchAll(/class="line"[^>]* d="M([^"]*)"/g)].map(([, path = '']) =>
    path.split('L').map((corner) => corner.split(' ').map(Number)),
  )
}

test('what stays the same is drawn flat, and what is linear rises by a step of the grid with each step to the right', () => {
  const [flat = [], linear = []] = pathsOf(drawLines(result))
  expect(new Set(flat.map(([, y]) => y)).size).toBe(1)
  expect(linear.map(([x]) => x)).toEqual(flat.map(([x]) => x))
  const heights = linear.map(([, y = 0]) => y)
  expect(heights[0]! - heights[1]!).toBeCloseTo(heights[1]! - heights[2]!, 0)
  expect(heights[0]!).toBeGreaterThan(heights[1]!)
  // The page costs what the LIKE costs at the middle size.
  expect(flat[1]).toEqual(linear[1])
})

test('each line has its name and exponent, and a table that is not for the chart has no line', () => {
  const svg = drawLines(result)
  expect(svg).toContain('a page, n^0.00')
  expect(svg).toContain('a LIKE &amp; more, n^1.00')
  expect(svg).not.toContain('hidden')
})
