import type { Result, Row, Table } from './result.ts'
import { formatNumber, formatRatio } from './spread.ts'

/** The tables of a result in Markdown: a row for each contender, a column for each table, one such grid for each unit. */
export function renderTables({ tables }: Pick<Result, 'tables'>, render: RenderCell = renderCell): string {
  return groupByUnit(tables)
    .map((group) => renderGrid(group, render))
    .join('\n\n')
}

type RenderCell = (row: Row | undefined) => string

/** A section of docs/performance.md, one screen long: the tables of the chart, without ranges. */
export function renderSummary(result: Result): string {
  const tables = result.tables.filter(({ chart }) => chart)
  return [result.about, renderTables({ tables }, renderShort), renderOccasion(result)].join('\n\n')
}

/** A section of docs/performance-tables.md: chart, all tables, and what is needed to judge them. */
export function renderTablesSection(result: Result): string {
  const { bench, about, notes, tables } = result
  return [
    `![${about}](../bench/charts/${bench}.svg)`,
    about,
    renderTables({ tables: tables.filter(({ detail = false }) => !detail) }),
    ...fold(tables.filter(({ detail = false }) => detail)),
    ...(notes.length > 0 ? [notes.map((note) => `- ${note}`).join('\n')] : []),
    renderOccasion(result),
  ].join('\n\n')
}

function renderOccasion(result: Result): string {
  const peers = Object.entries(result.versions).map(([name, version]) => `${name} ${version}`)
  return `<sub>${[describeOccasion(result), ...peers].join(' · ')} · <code>npm run bench -- ${result.bench}</code></sub>`
}

function fold(tables: readonly Table[]): string[] {
  if (tables.length === 0) return []
  const units = [...new Set(tables.map((table) => table.unit))].join('; ')
  return [`<details><summary>More: ${units}</summary>\n\n${renderTables({ tables })}\n\n</details>`]
}

/** `2026-11-21 · AMD EPYC × 2, 24 GiB · Node 26.10.0 · e64e4af`. */
export function describeOccasion({ date, machine, node, commit, flags }: Result): string {
  const short = flags.includes('quick') ? ['short form, for trying out'] : []
  return [date.slice(0, 10), machine, `Node ${node.replace(/^v/, '')}`, commit, ...short].join(' · ')
}

function groupByUnit(tables: readonly Table[]): Table[][] {
  const groups: Table[][] = []
  for (const table of tables) {
    const last = groups.at(-1)
    if (last?.[0]?.unit === table.unit) last.push(table)
    else groups.push([table])
  }
  return groups
}

function renderGrid(tables: readonly Table[], render: RenderCell): string {
  const contenders = [...new Set(tables.flatMap((table) => table.rows.map((row) => row.contender)))]
  const unit = tables[0]?.unit ?? ''
  const cells = (table: Table) =>
    contenders.map((name) => render(table.rows.find(({ contender }) => contender === name)))
  const columns = [[unit, ...contenders], ...tables.map((table) => [table.title, ...cells(table)])]
  const [head = [], ...lines] = tables.length > MAX_COLUMNS ? columns : turn(columns)
  return [head, head.map((_, at) => (at === 0 ? '---' : '--:')), ...lines]
    .map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`)
    .join('\n')
}

/** More tables than this are too wide side by side: they stand below each other, with a column for each contender. */
const MAX_COLUMNS = 6

/** Rows for columns. */
function turn(columns: readonly (readonly string[])[]): string[][] {
  return (columns[0] ?? []).map((_, at) => columns.map((column) => column[at] ?? ''))
}

/** `**28,400**`, and small below it the range and the share of the reference. */
function renderCell(row: Row | undefined): string {
  if (!row) return ''
  if (!row.value) return `<sub>${escapeText(row.note ?? 'not measured')}</sub>`
  const { median, min, max } = row.value
  const parts = []
  if (min !== max) parts.push(`${formatNumber(min)}–${formatNumber(max)}`)
  if (row.ratio) parts.push(formatRatio(row.ratio.median))
  if (row.note !== undefined) parts.push(escapeText(row.note))
  return [`**${formatNumber(median)}**`, ...(parts.length > 0 ? [`<sub>${parts.join(' · ')}</sub>`] : [])].join('<br>')
}

/** `**28,400** 0.62 ×`, on one line. */
function renderShort(row: Row | undefined): string {
  if (!row?.value) return renderCell(row)
  const parts = [
    ...(row.ratio ? [formatRatio(row.ratio.median)] : []),
    ...(row.note === undefined ? [] : [escapeText(row.note)]),
  ]
  return `**${formatNumber(row.value.median)}**${parts.length > 0 ? ` <sub>${parts.join(' · ')}</sub>` : ''}`
}

/** A reason may quote what a server printed. */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')
}
