/**
 * The entry point of the benchmarks.
 *
 *     npm run bench -- http              one bench: its tables on the standard output, all figures in bench/results/http.json, and its
 *                                        sections of docs/performance.md and docs/performance-tables.md
 *     npm run bench -- http --quick      the short form, for trying out, which leaves the pages alone
 *     npm run bench -- all               one after the other
 *     npm run bench -- memory --large    with 10,000,000 files besides
 *     npm run bench -- charts            writes these sections and the charts again, from bench/results/*.json alone
 *
 * `npm run bench` builds first: what is measured is what users run, `dist/cli.js`, of these sources. `bench/results/` is not in git: the two pages
 * are the record. A run replaces the sections of its own bench and leaves the others alone.
 *
 * A bench is a `Bench` (frame/bench.ts): a sentence about it and a `run` that returns tables (frame/result.ts). Only the
 * frame writes files and names the machine. To add one, write `bench/<name>.ts` and put it into BENCHES. A table comes from
 *
 *     await compare({ title: 'rare LIKE, 1,000,000', unit: 'ms', better: 'less', reference: 'node:sqlite', rounds: quick ? 3 : 15,
 *       contenders: { 'Standin': () => milliseconds, 'node:sqlite': () => milliseconds }, progress })
 *
 * which measures in turn, or from `createTable(options, { Standin: samples, 'node:sqlite': 'the reason why there are none' })`. The
 * JSON file has `bench, about, date, node, machine, commit, flags, versions, notes, tables`; each table `title, unit, better,
 * reference, chart, rows`; each row `contender, value {median, min, max}, ratio {median, min, max}, samples, note`. Charts and
 * pages follow from these without a line of their own: neighbouring tables of one unit become one table with a column each. A new bench needs a
 * heading and its markers, `<!-- bench:<name> -->` and `<!-- /bench:<name> -->`, on both pages.
 */
import { parseArgs } from 'node:util'
import { collections } from './collections/collections.ts'
import type { Bench } from './frame/bench.ts'
import { endChildrenWithUs } from './frame/children.ts'
import { writeResult } from './frame/files.ts'
import { renderTables } from './frame/markdown.ts'
import { publishResult, publishResults } from './frame/publish.ts'
import type { Table } from './frame/result.ts'
import { growth } from './growth.ts'
import { http } from './http.ts'
import { longestTurn } from './longest-turn.ts'
import { memory } from './memory.ts'
import { proxy } from './proxy.ts'
import { search } from './search.ts'
import { start } from './start.ts'

const BENCHES: Readonly<Record<string, Bench>> = {
  start,
  memory,
  growth,
  search,
  http,
  collections,
  proxy,
  'longest-turn': longestTurn,
}

const began = performance.now()
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, large: { type: 'boolean', default: false } },
})
endChildrenWithUs()
const names = positionals.includes('all') ? Object.keys(BENCHES) : positionals
const unknown = names.filter((name) => name !== 'charts' && !BENCHES[name])
if (names.length === 0 || unknown.length > 0) {
  console.error(
    `There is no benchmark ${JSON.stringify(unknown[0] ?? '')}. Benchmarks: ${Object.keys(BENCHES).join(', ')}, all, charts.`,
  )
  process.exitCode = 1
} else {
  for (const name of names) {
    if (name === 'charts') publishResults(tell)
    else await measure(name)
  }
}

async function measure(name: string): Promise<void> {
  const bench = BENCHES[name]!
  const measured = await bench.run({ ...values, progress: (step) => tell(`${name}: ${step}`) })
  const flags = Object.keys(values).filter((flag) => values[flag as keyof typeof values])
  const result = writeResult({ bench: name, about: bench.about, flags }, measured)
  console.log(renderTables(result))
  publishResult(result, tell)
  for (const table of result.tables) complain(table)
}

/** A contender that could not be measured is named at the end; when it is Standin, the bench has failed. */
function complain({ title, rows }: Table): void {
  for (const { contender, value, note } of rows) {
    if (value) continue
    tell(`${title}: NOT MEASURED: ${contender}: ${note ?? 'no reason was given'}`)
    if (contender.startsWith('Standin')) process.exitCode = 1
  }
}

function tell(step: string): void {
  console.error(`${((performance.now() - began) / 1000).toFixed(1).padStart(7)} s  ${step}`)
}
