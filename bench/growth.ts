/**
 * `npm run bench -- growth`: what everything costs in file sets from a thousand to a million files (ten million with `--large`), each
 * size in a process of its own, and the exponent of the growth: 0 for what stays the same, 1 for what is linear.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Bench } from './frame/bench.ts'
import { createTable, type Table } from './frame/result.ts'
import { median } from './frame/spread.ts'
import type { Figures } from './measure-size.ts'
import { exponentOf } from './statistics.ts'

export interface GrowthOptions {
  /** Smallest first. */
  readonly sizes: readonly number[]
  readonly rounds: number
  readonly progress: (step: string) => void
}

/** One figure at every size. */
export interface Growth {
  /** `LIKE, rare needle, ms` */
  readonly what: string
  /** By size: one for each round, in the order of the rounds. */
  readonly samples: ReadonlyMap<number, readonly number[]>
  /** Fitted to the medians of sizes from 10,000 on: below, fixed costs hide the growth. */
  readonly exponent: number
}

const FITTED_FROM = 10_000

export const growth: Bench = {
  about: 'What a file set costs against its size, each size in a process of its own.',
  run: ({ quick, large, progress }) => {
    const sizes = quick ? [1_000, 10_000, 100_000] : [1_000, 10_000, 100_000, 1_000_000, ...(large ? [10_000_000] : [])]
    const all = measureGrowth({ sizes, rounds: quick ? 1 : 3, progress })
    return Promise.resolve({
      tables: all.map(toTable).sort((a, b) => UNITS.indexOf(a.unit) - UNITS.indexOf(b.unit)),
      notes: NOTES,
    })
  },
}

/** Tables of one unit stand together. */
const UNITS = ['ms', 'bytes', 'MiB']

/** The lines of the chart. */
const DRAWN = [
  'generation',
  'all orders by one key',
  'LIKE, rare needle',
  'first page of 100',
  'deep page of 100',
  'step of 1 in the middle, p50',
  'first change of a file',
  'file added',
]

const NOTES = [
  `n^b is how the cost grows, fitted to the sizes from ${FITTED_FROM.toLocaleString('en')} on: n^0 stays the same, n^1 is linear.`,
  'An order is made by the first page that asks for it. What is measured before it was made, and a first LIKE, has the order by path.',
]

/** A row for each size; the unit is the last part of the name. */
function toTable({ what, samples, exponent }: Growth): Table {
  const at = what.lastIndexOf(', ')
  const [name, unit] = [what.slice(0, at), what.slice(at + 2)]
  const options = {
    title: `${name}, n^${exponent.toFixed(2)}`,
    unit,
    better: 'less',
    chart: DRAWN.includes(name),
    detail: name.startsWith('first page by'),
  } as const
  const rows = [...samples].map(([size, values]) => [`${size.toLocaleString('en')} files`, values] as const)
  return { ...createTable(options, Object.fromEntries(rows)), growth: { name, sizes: [...samples.keys()], exponent } }
}

/** Sizes take turns within each round, so that a slow minute of the machine does not bend the line. */
export function measureGrowth({ sizes, rounds, progress }: GrowthOptions): Growth[] {
  const measured = new Map(sizes.map((size) => [size, [] as Figures[]]))
  for (let round = 0; round < rounds; round++) {
    for (const size of sizes) {
      progress(`round ${round + 1} of ${rounds}: ${size} files`)
      measured.get(size)!.push(measure(size))
    }
  }
  const names = Object.keys([...measured.values()][0]?.[0] ?? {})
  return names.map((what) => {
    const samples = new Map(
      [...measured].map(([size, all]) => [size, all.map((figures) => figures[what] ?? Number.NaN)]),
    )
    const points = [...samples]
      .filter(([size]) => size >= FITTED_FROM)
      // What is nothing has no logarithm; a byte or a nanosecond is as good as nothing.
      .map(([size, values]) => [size, Math.max(median(values), 1e-6)] as const)
    return { what, samples, exponent: exponentOf(points) }
  })
}

function measure(size: number): Figures {
  const args = ['--expose-gc', '--max-old-space-size=12000', join(import.meta.dirname, 'measure-size.ts'), String(size)]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Figures
}
