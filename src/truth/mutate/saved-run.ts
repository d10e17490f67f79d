import { digestOf } from '../../engine/stores/fingerprint.ts'
import { StartupError } from '../../base/errors/problem.ts'
import { isObject } from '../../base/formats/json.ts'
import { isThere, readSourceFile } from '../../base/formats/source-file.ts'
import { readText } from '../../base/formats/read-text.ts'
import type { MetMutant, Mutated, TestOutcome, UsualTest } from './verdict.ts'

/** What a report keeps of a run, so that a later one need not repeat it. */
export interface SavedRun {
  readonly format: 'standin-mutate-1'
  readonly command: readonly string[]
  readonly seed: number
  /** By test: what its outcomes depend on, as far as it can be known: its file, and what it requests. */
  readonly tests: Readonly<Record<string, string>>
  /** By the id of a mutant. */
  readonly outcomes: Readonly<Record<string, readonly TestOutcome[]>>
  /** Of findings, by the id of a mutant: a test that would notice. */
  readonly readyTests: Readonly<Record<string, string>>
}

export function toSaved({ command, seed, tests, results }: Mutated): SavedRun {
  return {
    format: 'standin-mutate-1',
    command,
    seed,
    tests: Object.fromEntries(tests.map((test) => [test.id, identityOf(test)])),
    outcomes: Object.fromEntries(
      results.map(({ mutant, tests: outcomes }) => [mutant.id, outcomes.map(withoutReplay)]),
    ),
    readyTests: Object.fromEntries(
      results.flatMap(({ mutant, readyTest }) => (readyTest === undefined ? [] : [[mutant.id, readyTest] as const])),
    ),
  }
}

/** It is a file of its own. */
function withoutReplay(outcome: TestOutcome): TestOutcome {
  return { ...outcome, replay: undefined }
}

/** @throws StartupError for a file that is no such report */
export function readSaved(file: string): SavedRun {
  const { value } = readSourceFile(file, { namedBy: '--changed-since' })
  const config = isObject(value) ? value.config : undefined
  if (isObject(config) && config.format === 'standin-mutate-1') return config as unknown as SavedRun
  throw new StartupError([
    `--changed-since: ${file} is not a report of standin mutate. Write one with --format stryker --out FILE.`,
  ])
}

/** The outcomes of an earlier run that still hold: of mutants whose tests are all as they were. */
export function unchanged(mutants: readonly MetMutant[], saved: SavedRun): Map<string, readonly TestOutcome[]> {
  const same = new Set<unknown>()
  for (const test of new Set(mutants.flatMap(({ tests }) => tests)))
    if (saved.tests[test.id] === identityOf(test)) same.add(test.id)
  return new Map(
    mutants.flatMap(({ mutant: { id }, tests }) => {
      const outcomes = Object.hasOwn(saved.outcomes, id) ? (saved.outcomes[id] ?? []) : []
      const isKnown = tests.every((one) => same.has(one.id) && outcomes.some(({ test }) => test === one.id))
      return isKnown && outcomes.length === tests.length ? [[id, outcomes] as const] : []
    }),
  )
}

function identityOf({ id, seen }: UsualTest): string {
  const [file = ''] = id.split(' > ', 1)
  const text = isThere(file) ? readText(file, {}) : ''
  // Tokens of pages may be others in each run.
  const requests = seen.map(({ method, url, status, behaviours }) => [method, url.split('?', 1)[0], status, behaviours])
  return digestOf([text, requests])
}
