/** `npm run bench -- <name>`: runs one benchmark, prints its table, and writes `bench/results/<name>.json`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { start } from './start.ts'

const BENCHES: Readonly<Record<string, () => Promise<readonly Readonly<Record<string, string | number>>[]>>> = { start }

const [name = ''] = process.argv.slice(2)
const bench = BENCHES[name]
if (bench) {
  const rows = await bench()
  console.table(rows)
  const machine = `${cpus()[0]?.model.trim() ?? 'unknown'} × ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GiB`
  const folder = join(import.meta.dirname, 'results')
  mkdirSync(folder, { recursive: true })
  const result = { bench: name, date: new Date().toISOString(), node: process.version, machine, rows }
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`)
} else {
  console.error(`There is no benchmark ${JSON.stringify(name)}. Benchmarks: ${Object.keys(BENCHES).join(', ')}.`)
  process.exitCode = 1
}
