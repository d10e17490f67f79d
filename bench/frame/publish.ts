import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawChart } from './chart.ts'
import { drawLines } from './lines.ts'
import { ROOT, readResults } from './files.ts'
import { renderSection } from './markdown.ts'

/**
 * Writes `bench/charts/<name>.svg` for each result, and its section of the README between `<!-- bench:<name> -->` and
 * `<!-- /bench:<name> -->`. Throws when the README has no such place.
 */
export function drawCharts(progress: (step: string) => void): void {
  const readme = join(ROOT, 'README.md')
  let text = readFileSync(readme, 'utf8')
  mkdirSync(join(ROOT, 'bench/charts'), { recursive: true })
  for (const result of readResults()) {
    writeFileSync(
      join(ROOT, 'bench/charts', `${result.bench}.svg`),
      result.tables.some(({ growth }) => growth) ? drawLines(result) : drawChart(result),
    )
    text = replaceSection(text, result.bench, renderSection(result))
    progress(`drew bench/charts/${result.bench}.svg and its place in README.md`)
  }
  writeFileSync(readme, text)
}

/** Throws when the text lacks one of the two marks. */
export function replaceSection(text: string, name: string, section: string): string {
  const [begin, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`]
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from)
    throw new Error(`README.md: expected ${begin} and, below it, ${end}, around the place for the figures. Add them.`)
  return `${text.slice(0, from)}${begin}\n\n${section}\n\n${text.slice(to)}`
}
