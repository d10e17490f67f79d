import { digestOf } from '../../engine/stores/fingerprint.ts'
import { StartupError } from '../../base/errors/problem.ts'
import { isObject } from '../../base/formats/json.ts'
import { isDirectory, isThere, readSourceFile } from '../../base/formats/source-file.ts'
import { readText } from '../../base/formats/read-text.ts'
import type { MetMutant, Mutated, TestOutcome, UsualTest } from './verdict.ts'

/** What a report keeps of a run, so that a later one need not repeat it. */
export interface SavedRun {
  readonly format: 'standin-mutate-1'
  readonly command: readonly string[]
  readonly seed: number
  readonly isInterrupted: boolean
  /** By test: what its outcomes depend on, as far as it can be known: what is served, its files, and what it requests. */
  readonly tests: Readonly<Record<string, string>>
  /** By the id of a mutant. */
  readonly outcomes: Readonly<Record<string, readonly TestOutcome[]>>
  /** Of findings, by the id of a mutant: a test that would notice. */
  readonly readyTests: Readonly<Record<string, string>>
}

export function toSaved({ command, seed, served, isInterrupted, tests, results }: Mutated): SavedRun {
  return {
    format: 'standin-mutate-1',
    command,
    seed,
    isInterrupted,
    tests: Object.fromEntries(tests.map((test) => [test.id, identityOf(test, served)])),
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

/**
 * The outcomes of an earlier run that still hold: of mutants whose tests are all as they were. Of a command that names no file, such as `npm test`, nobody
 * knows that, so they hold only where that run was interrupted, and this one goes on with it.
 */
export function unchanged(
  mutants: readonly MetMutant[],
  saved: SavedRun,
  served: string,
): Map<string, readonly TestOutcome[]> {
  const same = new Set<unknown>()
  for (const test of new Set(mutants.flatMap(({ tests }) => tests)))
    if (saved.tests[test.id] === identityOf(test, served) && (saved.isInterrupted || filesOf(test).length > 0))
      same.add(test.id)
  return new Map(
    mutants.flatMap(({ mutant: { id }, tests }) => {
      const outcomes = Object.hasOwn(saved.outcomes, id) ? (saved.outcomes[id] ?? []) : []
      const isKnown = tests.every((one) => same.has(one.id) && outcomes.some(({ test }) => test === one.id))
      return isKnown && outcomes.length === tests.length ? [[id, outcomes] as const] : []
    }),
  )
}

function identityOf(test: UsualTest, served: string): string {
  const texts = filesOf(test).map((file) => readText(file, {}))
  // Tokens of pages may be others in each run.
  const requests = test.seen.map(({ method, url, status, behaviours }) => [
    method,
    url.split('?', 1)[0],
    status,
    behaviours,
  ])
  return digestOf([served, texts, requests])
}

/** The file of a test; of a whole command, the files of the project that it names. */
function filesOf({ id }: UsualTest): string[] {
  const [file = '', name] = id.split(' > ', 2)
  const named = name === undefined ? id.split(' ').filter((word) => !/^\/|\bnode_modules\b/.test(word)) : [file]
  return named.filter((one) => isThere(one) && !isDirectory(one))
}
