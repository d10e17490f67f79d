import type { TestOutcome } from '../../control/client/mutation-report.ts'
import type { Mutant } from './mutants/mutant.ts'
import { type MutantServer, startMutantServer } from './mutant-server.ts'
import type { MutantSearch } from './pairs.ts'
import { runCommand } from './run-command.ts'
import { limitOf, type Outcomes } from './run-together.ts'
import { environmentOf, joined, type RunnerParts, type UsualRun } from './run-usual.ts'
import { LOOK, overLimit } from './session.ts'
import { outcomeOf, type UsualTest } from './verdict.ts'

/**
 * Runs tests that share a sandbox: the whole command for each mutant.
 *
 * @param jobs how many at the same time, against servers of their own
 */
export async function runWhole(
  search: MutantSearch,
  { tests: [usual] }: UsualRun,
  { jobs, ...parts }: RunnerParts,
  onEnded: (done: number) => void,
): Promise<Outcomes> {
  const { config, signal } = parts
  const outcomes: Outcomes = new Map()
  if (!usual) return outcomes
  const servers = await Promise.all(Array.from({ length: jobs }, () => startMutantServer(config)))
  const work = async (own: MutantServer) => {
    let step = search.next()
    while (step.done !== true) {
      const outcome = await runOnce(step.value, usual, { ...parts, jobs, server: own })
      if (signal.aborted) return
      outcomes.set(step.value.id, [{ ...outcome, replay: undefined }])
      onEnded(outcomes.size)
      step = search.next(outcome)
    }
  }
  try {
    await Promise.all(servers.map(work))
  } finally {
    for (const one of servers) await one.stop()
  }
  return outcomes
}

async function runOnce(mutant: Mutant, usual: UsualTest, parts: RunnerParts): Promise<TestOutcome> {
  const { server, command, signal, elapsed } = parts
  server.install(mutant)
  const began = elapsed()
  const limit = limitOf(usual)
  const stopping = new AbortController()
  let why: string | undefined
  const looking = setInterval(() => {
    why ??= overLimit(limit, elapsed() - began, server.requestsIn())
    if (why !== undefined) stopping.abort()
  }, LOOK)
  const environment = environmentOf(server.url, parts)
  const ended = await runCommand(command, { environment, signal: AbortSignal.any([signal, stopping.signal]) })
  clearInterval(looking)
  const outcome = why !== undefined ? 'timed-out' : ended.code === 0 ? 'passed' : 'failed'
  const message = why ?? (outcome === 'failed' ? messageIn(ended.output) : undefined)
  const seen = joined(server.seenInAll())
  const { mistakesIn, replayOf } = server
  const found = {
    isCutOff: false,
    seen,
    mistakes: mistakesIn(),
    replay: () => replayOf(),
    milliseconds: elapsed() - began,
  }
  return outcomeOf({ test: usual.id, mutant, outcome, message, ...found }, usual)
}

/** The line of an output that says best what failed. */
function messageIn(output: string): string {
  const lines = output
    .split('\n')
    // pytest marks the lines of an error.
    .map((line) => line.replace(/^E {3,}/, '').trim())
    .filter((line) => line !== '')
  const found = [
    /^(Uncaught |Unhandled )?[\w.]*(Error|Exception)\b(?!\()/,
    /Error|Exception(?!\()|^not ok|✗|✖|expected/i,
  ]
  return (
    found.map((one) => lines.find((line) => one.test(line))).find((line) => line !== undefined) ??
    lines.at(-1) ??
    'it failed'
  )
}
