/**
 * A chart of growth as SVG: cost against size, both in powers of ten, so that what is linear rises by one step of the grid for each
 * step to the right, and what stays the same is flat. A line for each table, its exponent beside its name.
 */
import { escape, round, STYLE, write } from './chart.ts'
import { describeOccasion } from './markdown.ts'
import type { Growth, Result, Table } from './result.ts'

const WIDTH = 860
const MARGIN = 24
const HEAD = 56
const FOOT = 74
/** The grid; names stand to the right of it. */
const LEFT = 92
const RIGHT = 576
const TALL = 400
const COLOURS = ['#1a7f37', '#0969da', '#cf222e', '#8250df', '#bc4c00', '#bf3989', '#0e7490', '#9a6700']
/** Least distance between two names. */
const NAME = 18

interface Line {
  readonly name: string
  readonly colour: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

/** Powers of ten at the edges, and where a value stands between them. */
interface Scale {
  readonly powers: readonly number[]
  at(value: number): number
}

export function drawLines(result: Result): string {
  const drawn = result.tables.filter(
    (table): table is Table & { growth: Growth } => table.chart && table.growth !== undefined,
  )
  const x = createScale(
    drawn.flatMap(({ growth }) => growth.sizes),
    LEFT,
    RIGHT,
  )
  const y = createScale(drawn.flatMap(valuesOf), HEAD + TALL, HEAD)
  const lines = drawn.map((table, at): Line => ({
    name: `${table.growth.name}, n^${table.growth.exponent.toFixed(2)}`,
    colour: COLOURS[at % COLOURS.length] ?? '',
    points: valuesOf(table).map((value, row) => [x.at(table.growth.sizes[row] ?? 1), y.at(value)]),
  }))
  const height = HEAD + TALL + FOOT
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escape(result.about)}">`,
    `<style>${STYLE}\n  .grid { stroke: #8c959f; opacity: .3 } .line { fill: none; stroke-width: 2 } .middle { text-anchor: middle }</style>`,
    `<rect class="ground" x=".5" y=".5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>`,
    write(MARGIN, MARGIN + 10, result.about, 'title'),
    ...drawGrid(x, y, drawn[0]?.unit ?? ''),
    ...lines.map(drawLine),
    ...drawNames(lines),
    write(MARGIN, height - 18, describeOccasion(result), 'quiet'),
    '</svg>\n',
  ].join('\n')
}

function valuesOf({ rows }: Table): number[] {
  return rows.flatMap(({ value }) => (value && value.median > 0 ? [value.median] : []))
}

function createScale(values: readonly number[], from: number, to: number): Scale {
  const logs = values.map(Math.log10)
  const [least, most] = [Math.floor(Math.min(...logs)), Math.ceil(Math.max(...logs))]
  return {
    powers: Array.from({ length: most - least + 1 }, (_, at) => least + at),
    at: (value) => round(from + ((Math.log10(value) - least) / Math.max(1, most - least)) * (to - from)),
  }
}

function drawGrid(x: Scale, y: Scale, unit: string): string[] {
  const bottom = HEAD + TALL
  return [
    ...y.powers.flatMap((power) => {
      const at = y.at(10 ** power)
      return [
        `<path class="grid" d="M${LEFT} ${at}H${RIGHT}"/>`,
        write(LEFT - 8, at + 4, `${formatPower(power)} ${unit}`, 'quiet name'),
      ]
    }),
    ...x.powers.flatMap((power) => {
      const at = x.at(10 ** power)
      return [
        `<path class="grid" d="M${at} ${HEAD}V${bottom}"/>`,
        write(at, bottom + 20, formatPower(power), 'quiet middle'),
      ]
    }),
    write((LEFT + RIGHT) / 2, bottom + 38, 'files', 'quiet middle'),
  ]
}

function formatPower(power: number): string {
  return power < 0 ? (10 ** power).toFixed(-power) : (10 ** power).toLocaleString('en')
}

function drawLine({ points, colour }: Line): string {
  const path = points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`).join('')
  const dots = points.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3" fill="${colour}"/>`).join('')
  return `<path class="line" stroke="${colour}" d="${path}"/>${dots}`
}

/** Each name at the end of its line, moved down as far as the names above it ask for, and all of them up by what would not fit. */
function drawNames(lines: readonly Line[]): string[] {
  const ends = lines
    .map(({ name, colour, points }) => ({ name, colour, y: (points.at(-1)?.[1] ?? 0) + 4 }))
    .sort((a, b) => a.y - b.y)
  let above = Number.NEGATIVE_INFINITY
  const placed = ends.map((end) => ({ ...end, y: (above = Math.max(end.y, above + NAME)) }))
  const excess = Math.max(0, above - (HEAD + TALL + 8))
  return placed.map(
    ({ name, colour, y }) =>
      `<circle cx="${RIGHT + 14}" cy="${round(y - excess - 4)}" r="4" fill="${colour}"/>${write(RIGHT + 24, round(y - excess), name, '')}`,
  )
}
