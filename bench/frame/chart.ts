/**
 * A chart as SVG, drawn from a result alone, so that the same result gives the same bytes: a panel for each table, a bar for each
 * contender with its median, a thin line from the least to the greatest sample, and the ratio to the reference.
 */
import { describeOccasion } from './markdown.ts'
import type { Result, Row, Table } from './result.ts'
import { formatNumber, formatRatio } from './spread.ts'

const WIDTH = 860
const MARGIN = 24
/** Where bars begin: names stand to the left of it. */
const LEFT = 250
/** The longest bar; to the right of it stand the value, the ratio, and a remark. */
const LENGTH = 340
const VALUE = LEFT + LENGTH + 72
const RATIO = VALUE + 70
const REMARK = RATIO + 10
/** Characters of the title on one line. */
const TITLE = 90
const ROW = 24
const BAR = 14
const PANEL_HEAD = 44
const PANEL_GAP = 14

/** Its own background, in both themes: the picture also stands in places that are not GitHub. */
export const STYLE = `
  text { font: 13px -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; fill: #1f2328 }
  .ground { fill: #ffffff; stroke: #d1d9e0 } .title { font-size: 16px; font-weight: 600 } .panel { font-weight: 600 }
  .quiet { fill: #59636e; font-size: 12px } .name { text-anchor: end } .track { fill: #eff2f5 }
  .other { fill: #8c959f } .reference { fill: #54aeff } .ours { fill: #1a7f37 } .range { stroke: #1f2328; stroke-width: 1.5; opacity: .55 }
  .strong { font-weight: 600 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .ground { fill: #0d1117; stroke: #3d444d } .quiet { fill: #9198a1 } .track { fill: #151b23 }
    .other { fill: #656c76 } .reference { fill: #1f6feb } .ours { fill: #3fb950 } .range { stroke: #f0f6fc }
  }`

export function drawChart(result: Result): string {
  const tables = result.tables.filter((table) => table.chart)
  const parts: string[] = []
  let top = MARGIN + 18
  for (const line of wrap(result.about, TITLE)) {
    parts.push(write(MARGIN, top, line, 'title'))
    top += 20
  }
  top -= 20
  for (const table of tables) {
    parts.push(drawPanel(table, top + PANEL_GAP))
    top += PANEL_GAP + PANEL_HEAD + table.rows.length * ROW
  }
  top += MARGIN + 8
  parts.push(write(MARGIN, top, describeOccasion(result), 'quiet'))
  const height = top + MARGIN - 6
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escape(result.about)}">`,
    `<style>${STYLE}\n</style>`,
    `<rect class="ground" x=".5" y=".5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n')
}

function drawPanel(table: Table, top: number): string {
  const scale = LENGTH / Math.max(...table.rows.map((row) => row.value?.max ?? 0), Number.MIN_VALUE)
  const direction = `${table.unit}, ${table.better} is better${table.reference === null ? '' : `; × counts from ${table.reference}`}`
  const rows = table.rows.map((row, index) => drawRow(table, row, top + PANEL_HEAD + index * ROW, scale))
  return [
    `<text x="${MARGIN}" y="${top + 28}"><tspan class="panel">${escape(table.title)}</tspan><tspan class="quiet" dx="10">${escape(direction)}</tspan></text>`,
    ...rows,
  ].join('\n')
}

function drawRow(table: Table, row: Row, top: number, scale: number): string {
  const base = top + BAR - 2
  const kind = row.contender.startsWith('Standin') ? 'ours' : row.contender === table.reference ? 'reference' : 'other'
  const weight = kind === 'ours' ? 'name strong' : 'name'
  const name = write(LEFT - 10, base, row.contender, weight)
  if (!row.value) return [name, write(LEFT, base, shorten(row.note ?? 'not measured', 80), 'quiet')].join('\n')
  const { median, min, max } = row.value
  const middle = top + BAR / 2
  return [
    name,
    `<rect class="track" x="${LEFT}" y="${top}" width="${LENGTH}" height="${BAR}" rx="2"/>`,
    `<rect class="${kind}" x="${LEFT}" y="${top}" width="${round(Math.max(median * scale, 1))}" height="${BAR}" rx="2"/>`,
    ...(max > min
      ? [`<path class="range" d="M${round(LEFT + min * scale)} ${middle}H${round(LEFT + max * scale)}"/>`]
      : []),
    write(VALUE, base, formatNumber(median), weight),
    ...(row.ratio ? [write(RATIO, base, formatRatio(row.ratio.median), weight)] : []),
    ...(row.note === undefined ? [] : [write(REMARK, base, shorten(row.note, 16), 'quiet')]),
  ].join('\n')
}

export function write(x: number, y: number, text: string, kind: string): string {
  return `<text x="${x}" y="${y}" class="${kind}">${escape(text)}</text>`
}

function shorten(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}

/** Lines of at most so many characters, broken at blanks. */
function wrap(text: string, length: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= length) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

export function round(value: number): number {
  return Math.round(value * 10) / 10
}

export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
