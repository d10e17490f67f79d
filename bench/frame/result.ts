/** What a bench hands back and what `bench/results/<name>.json` holds: tables of contenders that were measured in turn. */
import { spread } from './spread.ts'
import type { Spread } from './spread.ts'

/** What one contender reached. `value` and `ratio` are null when it could not be measured; then `note` says why. */
export interface Row {
  readonly contender: string
  /** In the unit of the table. */
  readonly value: Spread | null
  /** Counted from the reference of the table, round by round: noise that hits a whole round falls out of it. */
  readonly ratio: Spread | null
  /** One for each round, in order. */
  readonly samples: readonly number[]
  readonly note?: string
}

/** Of a table with a row for each size: what the line in the chart is called, the sizes in order, and the exponent, 1 being linear. */
export interface Growth {
  readonly name: string
  readonly sizes: readonly number[]
  readonly exponent: number
}

export interface Table {
  /** What was measured, short enough for the head of a column: `page of 10`. */
  readonly title: string
  /** `requests/s`, `ms`, `MiB`, … Neighbouring tables of one unit share a table in docs/performance.md. */
  readonly unit: string
  readonly better: 'more' | 'less'
  /** The contender that ratios are counted from, null when there is nothing to compare with. */
  readonly reference: string | null
  /** In the chart and in docs/performance.md, which has one screen for each bench. docs/performance-tables.md has every table. */
  readonly chart: boolean
  /** Folded in docs/performance-tables.md. */
  readonly detail?: boolean
  readonly growth?: Growth
  readonly rows: readonly Row[]
}

/** What a bench measured. */
export interface Measured {
  readonly tables: readonly Table[]
  /** Versions of what was measured besides Standin and Node: `{ express: '5.3.0' }`. */
  readonly versions?: Readonly<Record<string, string>>
  /** What a reader must know to judge the figures, in sentences. */
  readonly notes?: readonly string[]
  /** What is kept in the file and shown nowhere: what each contender answered, for instance. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** A file of `bench/results/`. */
export interface Result extends Required<Measured> {
  readonly bench: string
  /** The sentence that says what is measured. */
  readonly about: string
  /** ISO 8601. */
  readonly date: string
  readonly node: string
  /** `AMD EPYC × 2, 24 GiB`. */
  readonly machine: string
  /** Of the checkout, `unknown` outside of one; `+` when files differ from it. */
  readonly commit: string
  /** The flags of the run; with `quick` the figures are for trying out. */
  readonly flags: readonly string[]
}

/** The samples of each contender in the order of its rounds, or the reason why there are none. */
export type Samples = Readonly<Record<string, readonly number[] | string>>

export interface TableOptions {
  readonly title: string
  readonly unit: string
  readonly better: 'more' | 'less'
  readonly reference?: string
  readonly chart?: boolean
  readonly detail?: boolean
  /** What to say about a contender that was measured. */
  readonly notes?: Readonly<Record<string, string>>
}

/** A table from samples that were taken elsewhere. `compare` takes them itself. */
export function createTable(options: TableOptions, samples: Samples): Table {
  const { title, unit, better, reference = null, chart = true, detail = false, notes = {} } = options
  const base = reference === null ? undefined : samples[reference]
  const rows = Object.entries(samples).map(([contender, taken]) =>
    createRow(contender, taken, typeof base === 'string' ? undefined : base, notes[contender]),
  )
  return { title, unit, better, reference, chart, ...(detail ? { detail } : {}), rows }
}

function createRow(
  contender: string,
  taken: readonly number[] | string,
  base: readonly number[] | undefined,
  note: string | undefined,
): Row {
  if (typeof taken === 'string') return { contender, value: null, ratio: null, samples: [], note: taken }
  const ratios = taken.flatMap((sample, round) => {
    const other = base?.[round]
    return other === undefined || other === 0 ? [] : [sample / other]
  })
  return {
    contender,
    value: spread(taken),
    ratio: ratios.length > 0 ? spread(ratios) : null,
    samples: taken.map(short),
    ...(note === undefined ? {} : { note }),
  }
}

/** Six digits: more would be noise, and would make every diff of the results unreadable. */
function short(value: number): number {
  return Number(value.toPrecision(6))
}
