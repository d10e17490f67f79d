import type { TestOutcome } from '../../control/client/mutation-report.ts'
import type { Mutant } from './mutants/mutant.ts'
import { runCommand } from './run-command.ts'
import { environmentOf, type RunnerParts, type UsualRun } from './run-usual.ts'
import type { MutantSearch } from './pairs.ts'
import type { Attempt, AttemptLimit } from './session.ts'
import { outcomeOf, type UsualTest } from './verdict.ts'

/** By the id of a mutant: what its tests made of it. */
export type Outcomes = Map<string, TestOutcome[]>

/** What an attempt may take at least, whatever it usually takes. */
const LEAST = { milliseconds: 10_000, requests: 100 }
/** How many times as long as usual an attempt may take, and how many times as many requests. */
const SLOWER = 5
const MORE = 20

/** A client that copes may have more to do: smaller pages, another try. */
export function limitOf({ milliseconds, seen }: UsualTest): AttemptLimit {
  return {
    milliseconds: Math.max(LEAST.milliseconds, SLOWER * milliseconds),
    requests: Math.max(LEAST.requests, MORE * seen.length),
  }
}

const NEVER_RUN: UsualTest = { id: '', seen: [], noise: new Set(), mistakes: [], milliseconds: 0 }

/** More attempts of a test in one run of the command are left to the next one. */
const MOST = 1000

/** How Vitest, Playwright, node:test and `overLimit` say that a test took too long. */
const OUT_OF_TIME = /\btimed out\b|\btimeout of \d+ ?ms exceeded|had not ended after/i

/** What a run reports of its progress: how many attempts ended. */
type CountAttempts = (done: number) => void

/**
 * Runs tests that have a sandbox each: every run of the command tries a mutant in each of them, or several where the runner repeats tests.
 *
 * @param searches by test
 */
export async function runTogether(
  searches: ReadonlyMap<string, MutantSearch>,
  { tests }: UsualRun,
  parts: RunnerParts,
  onEnded: CountAttempts,
): Promise<Outcomes> {
  const { session, server, command, signal } = parts
  const byId = new Map(tests.map((test) => [test.id, test]))
  const next = new Map<string, Mutant>()
  const advance = (test: string, outcome?: TestOutcome) => {
    const step = searches.get(test)?.next(outcome)
    if (step?.done === false) next.set(test, step.value)
  }
  for (const test of searches.keys()) advance(test)
  const outcomes: Outcomes = new Map()
  const cutOff = new Set<string>()
  let done = 0
  let progress = 0
  const ended = (attempt: Attempt) => {
    const usual = byId.get(attempt.test)
    if (!attempt.mutant || !usual || signal.aborted) return
    progress++
    // What ended it may have been something else, such as a busy machine: it is tried once more.
    const attempted = `${attempt.test} ${attempt.mutant.id}`
    const isDoubtful = attempt.isCutOff || OUT_OF_TIME.test(attempt.message ?? '')
    if (isDoubtful && !cutOff.has(attempted)) {
      cutOff.add(attempted)
      next.set(attempt.test, attempt.mutant)
      return
    }
    const outcome = outcomeOf(attempt, usual)
    // Replays are large, and only a search has use for them.
    outcomes.set(attempt.mutant.id, [...(outcomes.get(attempt.mutant.id) ?? []), { ...outcome, replay: undefined }])
    onEnded(++done)
    advance(attempt.test, outcome)
  }
  const take = (test: string) => {
    const mutant = next.get(test)
    next.delete(test)
    return mutant
  }
  while (next.size > 0 && !signal.aborted) {
    const before = progress
    const stopping = new AbortController()
    const close = session.use({
      left: (test) => (next.has(test) ? MOST : 0),
      take,
      limitOf: (id) => limitOf(byId.get(id) ?? NEVER_RUN),
      ended,
      stop: () => stopping.abort(),
    })
    const environment = { ...environmentOf(server.url, parts), STANDIN_MUTATE: session.url }
    await runCommand(command, { environment, signal: AbortSignal.any([signal, stopping.signal]) })
    close()
    // The tests do not run again in this way, so what is left stays untried.
    if (progress === before) break
  }
  return outcomes
}
