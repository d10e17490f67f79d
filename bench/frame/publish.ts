import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawChart } from './chart.ts'
import { drawLines } from './lines.ts'
import { ROOT, readResults } from './files.ts'
import { renderSection } from './markdown.ts'

export const PERFORMANCE_PAGE = join(ROOT, 'docs/performance.md')

/**
 * Writes `bench/charts/<name>.svg` for each result, and its section of docs/performance.md between `<!-- bench:<name> -->` and
 * `<!-- /bench:<name> -->`. Throws when the page has no such markers.
 */
export function drawCharts(progress: (step: string) => void): void {
  let text = readFileSync(PERFORMANCE_PAGE, 'utf8')
  mkdirSync(join(ROOT, 'bench/charts'), { recursive: true })
  for (const result of readResults()) {
    writeFileSync(
      join(ROOT, 'bench/charts', `${result.bench}.svg`),
      result.tables.some(({ growth }) => growth) ? drawLines(result) : drawChart(result),
    )
    text = replaceSection(text, result.bench, renderSection(result))
    progress(`drew bench/charts/${result.bench}.svg and its section of docs/performance.md`)
  }
  writeFileSync(PERFORMANCE_PAGE, text)
}

/** Throws when the text lacks one of the two markers. */
export function replaceSection(text: string, name: string, section: string): string {
  const [begin, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`]
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from)
    throw new Error(`docs/performance.md: expected ${begin} and, below it, ${end}, around the figures. Add them.`)
  return `${text.slice(0, from)}${begin}\n\n${section}\n\n${text.slice(to)}`
}
