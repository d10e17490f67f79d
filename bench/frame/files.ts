import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Measured, Result } from './result.ts'

export const ROOT = join(import.meta.dirname, '../..')
const RESULTS = join(ROOT, 'bench/results')

export interface Occasion {
  readonly bench: string
  readonly about: string
  readonly flags: readonly string[]
}

/** Writes `bench/results/<name>.json`, with the machine and the day, and returns what was written. */
export function writeResult({ bench, about, flags }: Occasion, measured: Measured): Result {
  const result: Result = {
    bench,
    about,
    ...describeRun(),
    flags,
    versions: measured.versions ?? {},
    notes: measured.notes ?? [],
    tables: measured.tables,
    details: measured.details ?? {},
  }
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(join(RESULTS, `${bench}.json`), `${JSON.stringify(result, null, 2)}\n`)
  return result
}

/** When, on what and from which sources something is measured: for the files of results. */
export function describeRun() {
  return {
    date: new Date().toISOString(),
    node: process.version,
    machine: `${cpus()[0]?.model.trim() ?? 'unknown'} × ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    commit: commit(),
  }
}

/** All results of this checkout, by name. */
export function readResults(): Result[] {
  if (!existsSync(RESULTS)) return []
  const names = readdirSync(RESULTS).filter((name) => name.endsWith('.json'))
  return names.sort().map((name) => JSON.parse(readFileSync(join(RESULTS, name), 'utf8')) as Result)
}

function commit(): string {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
    const changed = git('status', '--porcelain', '--untracked-files=no', '--', 'src', 'spec', 'fixtures', 'bench/*.ts')
    return git('rev-parse', '--short', 'HEAD') + (changed === '' ? '' : '+')
  } catch {
    return 'unknown'
  }
}
