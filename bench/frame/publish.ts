import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawChart } from './chart.ts'
import { drawLines } from './lines.ts'
import { ROOT, readResults } from './files.ts'
import { renderSummary, renderTablesSection } from './markdown.ts'
import type { Result } from './result.ts'

export const PERFORMANCE_PAGE = join(ROOT, 'docs/performance.md')
const TABLES_PAGE = join(ROOT, 'docs/performance-tables.md')

/** Writes the chart of each result of this checkout, and its sections. Those of benches without a result stay as they are. */
export function publishResults(progress: (step: string) => void): void {
  for (const result of readResults()) publishResult(result, progress)
}

/**
 * Writes `bench/charts/<name>.svg`, and the bench's sections of docs/performance.md and docs/performance-tables.md. The pages are
 * the record: results are files of the machine that measured, so a result that is older than its section changes nothing.
 */
export function publishResult(result: Result, progress: (step: string) => void): void {
  const { bench } = result
  const [page, tables] = [readFileSync(PERFORMANCE_PAGE, 'utf8'), readFileSync(TABLES_PAGE, 'utf8')]
  const refusal = result.flags.includes('quick')
    ? 'it is of the short form, for trying out'
    : whyUnpublished(tables, result)
  if (refusal !== undefined) return progress(`${bench}: not published: ${refusal}`)
  mkdirSync(join(ROOT, 'bench/charts'), { recursive: true })
  const chart = result.tables.some(({ growth }) => growth) ? drawLines(result) : drawChart(result)
  writeFileSync(join(ROOT, 'bench/charts', `${bench}.svg`), chart)
  writeFileSync(PERFORMANCE_PAGE, replaceSection(page, bench, renderSummary(result)))
  writeFileSync(TABLES_PAGE, replaceSection(tables, bench, renderTablesSection(result)))
  progress(`${bench}: published in docs/performance.md, docs/performance-tables.md and bench/charts/${bench}.svg`)
}

/** Why a page does not take a result: it has no section for it, or one of a later day. */
export function whyUnpublished(page: string, { bench, date }: Pick<Result, 'bench' | 'date'>): string | undefined {
  const section = findSection(page, bench)
  if (!section) return `the pages have no section for it. Add ${markersOf(bench).join(' and ')} to both`
  const [published = ''] = /\d{4}-\d\d-\d\d(?= · )/.exec(page.slice(section.from, section.to)) ?? []
  return published > date.slice(0, 10) ? `the pages have figures of ${published}, which are newer` : undefined
}

/** Throws when the text lacks one of the two markers. */
export function replaceSection(text: string, name: string, section: string): string {
  const [begin, end] = markersOf(name)
  const found = findSection(text, name)
  if (!found)
    throw new Error(`docs/performance.md: expected ${begin} and, below it, ${end}, around the figures. Add them.`)
  return `${text.slice(0, found.from)}${begin}\n\n${section}\n\n${text.slice(found.to)}`
}

function findSection(text: string, name: string): { from: number; to: number } | undefined {
  const [begin, end] = markersOf(name)
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  return from < 0 || to < from ? undefined : { from, to }
}

function markersOf(name: string): [begin: string, end: string] {
  return [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`]
}
