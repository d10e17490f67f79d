import type { Mutant } from './mutant.ts'
import { runCommand } from './run-command.ts'
import { environmentOf, type RunnerParts, type UsualRun } from './run-usual.ts'
import type { Attempt, AttemptLimit } from './session.ts'
import { type MetMutant, outcomeOf, type TestOutcome, type UsualTest } from './verdict.ts'

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

const NEVER_RUN: UsualTest = { id: '', seen: [], noise: new Set(), milliseconds: 0 }

/** Runs tests that have a sandbox each: every run of the command tries a mutant in each of them, or several where the runner repeats tests. */
export async function runTogether(
  mutants: readonly MetMutant[],
  { tests }: UsualRun,
  parts: RunnerParts,
): Promise<Outcomes> {
  const { session, server, command, signal, onProgress } = parts
  const byId = new Map(tests.map((test) => [test.id, test]))
  const queues = new Map<string, Mutant[]>(tests.map(({ id }) => [id, []]))
  for (const { mutant, tests: met } of mutants) for (const { id } of met) queues.get(id)?.push(mutant)
  const all = [...queues.values()].reduce((sum, { length }) => sum + length, 0)
  const outcomes: Outcomes = new Map()
  let done = 0
  const ended = (attempt: Attempt) => {
    const usual = byId.get(attempt.test)
    if (!attempt.mutant || !usual || signal.aborted) return
    done++
    const known = outcomes.get(attempt.mutant.id) ?? []
    outcomes.set(attempt.mutant.id, [...known, outcomeOf(attempt, usual)])
    onProgress(`${done} of ${all} attempts`, done / all)
  }
  while (done < all && !signal.aborted) {
    const before = done
    const stopping = new AbortController()
    const close = session.use({
      left: (test) => queues.get(test)?.length ?? 0,
      take: (test) => queues.get(test)?.shift(),
      limitOf: (id) => limitOf(byId.get(id) ?? NEVER_RUN),
      ended,
      stop: () => stopping.abort(),
    })
    const environment = { ...environmentOf(server.url, parts), STANDIN_MUTATE: session.url }
    await runCommand(command, { environment, signal: AbortSignal.any([signal, stopping.signal]) })
    close()
    // The tests do not run again in this way, so what is left stays untried.
    if (done === before) break
  }
  return outcomes
}
