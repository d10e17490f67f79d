import { digestOf } from '../../engine/stores/fingerprint.ts'
import { StartupError } from '../../base/errors/problem.ts'
import { type SavedRun, savedRunIn, type TestOutcome } from '../../control/client/mutation-report.ts'
import { isDirectory, isThere, readSourceFile } from '../../base/formats/source-file.ts'
import { readText } from '../../base/formats/read-text.ts'
import type { Mutant } from './mutants/mutant.ts'
import { isOpen, type MetMutant, type Mutated, scoreOf, type UsualTest } from './verdict.ts'

/** @param settings the flags that say what is served */
export function toSaved(mutated: Mutated, settings: readonly string[]): SavedRun {
  const { contract, command, seed, served, isInterrupted, untried, flaky, tests, results, schedules, green } = mutated
  return {
    format: 'standin-mutate-2',
    contract,
    command,
    seed,
    isInterrupted,
    untried,
    flaky,
    ...(schedules === undefined ? { score: scoreOf(results) } : {}),
    tests: Object.fromEntries(tests.map((test) => [test.id, identityOf(test, served)])),
    green: Object.fromEntries([...green].map(([test, ids]) => [test, [...ids]])),
    mutants: Object.fromEntries(
      results.map((result) => {
        const { mutant, verdict, tests: outcomes, reason, readyTest } = result
        const { id, change, usual } = mutant
        const record = {
          verdict,
          change,
          usual,
          ...(reason === undefined ? {} : { reason }),
          outcomes: outcomes.map(withoutReplay),
          ...(readyTest === undefined ? {} : { readyTest }),
          ...(isOpen(result) ? { again: againCommand(mutated, settings, mutant) } : {}),
        }
        return [id, record]
      }),
    ),
  }
}

/** What tries a mutant again. */
export function againCommand(
  { command }: Pick<Mutated, 'command'>,
  settings: readonly string[],
  { id, kind }: Mutant,
): string {
  const ids = id.split(' + ')
  const how = kind === 'schedule' ? '--faults ' : ids.length > 1 ? '--pairs ' : ''
  const served = settings.map((word) => `${quoted(word)} `).join('')
  return `standin mutate ${served}${how}--only ${quoted(ids.join(','))} -- ${command.map(quoted).join(' ')}`
}

function quoted(word: string): string {
  return /^[\w.=,:/-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** It is a file of its own. */
function withoutReplay(outcome: TestOutcome): TestOutcome {
  return { ...outcome, replay: undefined }
}

/** @throws StartupError for a file that is no such report */
export function readSaved(file: string): SavedRun {
  const { value } = readSourceFile(file, { namedBy: '--changed-since' })
  const saved = savedRunIn(value)
  if (saved) return saved
  throw new StartupError([
    `--changed-since: ${file} is not a report of standin mutate. Write one with --format stryker --out FILE.`,
  ])
}

/**
 * The outcomes of an earlier run that are still valid, because their tests have not changed. For a command that names no file, such as
 * `npm test`, a change cannot be seen, so its outcomes are used only to continue a run that was interrupted.
 */
export function unchanged(
  mutants: readonly MetMutant[],
  saved: SavedRun,
  served: string,
): Map<string, readonly TestOutcome[]> {
  const same = new Set<unknown>()
  for (const test of new Set(mutants.flatMap(({ tests }) => tests)))
    if (isUnchanged(test, saved, served)) same.add(test.id)
  return new Map(
    mutants.map(({ mutant: { id }, tests }) => {
      const outcomes = Object.hasOwn(saved.mutants, id) ? (saved.mutants[id]?.outcomes ?? []) : []
      return [id, outcomes.filter(({ test }) => same.has(test) && tests.some((one) => one.id === test))]
    }),
  )
}

/** The pairs and schedules that left a test green that has not changed. */
export function knownGreen(test: UsualTest, saved: SavedRun, served: string): readonly string[] {
  return isUnchanged(test, saved, served) ? (saved.green?.[test.id] ?? []) : []
}

function isUnchanged(test: UsualTest, saved: SavedRun, served: string): boolean {
  return saved.tests[test.id] === identityOf(test, served) && (saved.isInterrupted || filesOf(test).length > 0)
}

/** What was found of each mutant, now and before, in the order of its tests. */
export function joinOutcomes(
  mutants: readonly MetMutant[],
  found: readonly ReadonlyMap<string, readonly TestOutcome[]>[],
): Map<string, readonly TestOutcome[]> {
  return new Map(
    mutants.flatMap(({ mutant: { id }, tests }) => {
      const all = found.flatMap((one) => one.get(id) ?? [])
      const inOrder = tests.flatMap((test) => all.filter((one) => one.test === test.id))
      return inOrder.length === 0 ? [] : [[id, inOrder] as const]
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
