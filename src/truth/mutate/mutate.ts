import { StartupError } from '../../base/errors/problem.ts'
import { chanceKey, draw } from '../../engine/random.ts'
import { behaviourMutants } from './behaviour-mutants.ts'
import { bodyMutants } from './body-mutants.ts'
import type { Mutant } from './mutant.ts'
import { type MutantServer, startMutantServer } from './mutant-server.ts'
import { runTogether } from './run-together.ts'
import { type MutateOptions, type RunnerParts, runUsual } from './run-usual.ts'
import { runWhole } from './run-whole.ts'
import type { Session } from './session.ts'
import { openSession } from './session.ts'
import { unchanged } from './saved-run.ts'
import { accept, judge, type MetMutant, type Mutated, type TestOutcome, type UsualTest } from './verdict.ts'
import { wireMutants } from './wire-mutants.ts'

/**
 * Runs a client's tests against the service as it is, then against each change of it that the tests could notice.
 *
 * @throws StartupError for a test command that cannot be judged: one that is red, sends nothing or runs forever
 */
export async function mutate(options: MutateOptions): Promise<Mutated> {
  const { config, command, elapsed, onProgress } = options
  const began = elapsed()
  const server = await startMutantServer(config)
  let session: Session | undefined
  try {
    session = await openSession({ server, elapsed })
    const parts: RunnerParts = { ...options, server, session }
    onProgress('running the tests without a change')
    const usual = await runUsual(parts)
    const all = mutantsFor(usual.tests, server, options.breaking)
    const asked = all.filter(({ mutant }) => options.isChosen(mutant.id))
    refuseNone(asked, all)
    const chosen = sample(asked, options.max, config.seed)
    const known = options.saved ? unchanged(chosen, options.saved) : new Map<string, readonly TestOutcome[]>()
    const fresh = chosen.filter(({ mutant }) => !known.has(mutant.id))
    const found = usual.isShared ? await runWhole(fresh, usual, parts) : await runTogether(fresh, usual, parts)
    const mutants = chosen.map(({ mutant }) => mutant)
    const results = accept(judge(mutants, new Map([...known, ...found])), config.accept)
    return {
      contract: titleOf(server),
      command,
      seed: config.seed,
      tests: usual.tests,
      flaky: usual.flaky,
      results,
      isInterrupted: options.signal.aborted,
      untried: asked.length - results.length,
      strays: usual.strays,
      milliseconds: { usual: usual.milliseconds, all: elapsed() - began },
    }
  } finally {
    session?.close()
    await server.stop()
  }
}

function mutantsFor(tests: readonly UsualTest[], server: MutantServer, breaking: boolean): MetMutant[] {
  const { behaviours, initialBehaviours, contract } = server
  const all = tests.flatMap(({ seen }) => seen)
  const met = new Set(all.flatMap((one) => one.behaviours))
  const isMetBy = ({ operationId, overrides = {} }: Mutant) => {
    const [changed = ''] = Object.keys(overrides)
    return ({ seen }: UsualTest) =>
      seen.some((one) =>
        operationId === undefined ? one.behaviours.includes(changed) : one.operationId === operationId,
      )
  }
  const mutants = [
    ...behaviourMutants(behaviours, met, initialBehaviours),
    ...bodyMutants(contract, all, breaking),
    ...wireMutants(all),
  ]
  return mutants.map((mutant) => ({ mutant, tests: tests.filter(isMetBy(mutant)) }))
}

/** The first of a shuffled list, in their former order. */
function sample(mutants: readonly MetMutant[], max: number | undefined, seed: number): readonly MetMutant[] {
  if (max === undefined || mutants.length <= max) return mutants
  const key = chanceKey(seed, 'mutants')
  const drawn = mutants.map((one, index) => ({ one, at: draw(key, index) }))
  const kept = new Set(
    drawn
      .toSorted((a, b) => a.at - b.at)
      .slice(0, max)
      .map(({ one }) => one),
  )
  return mutants.filter((one) => kept.has(one))
}

function refuseNone(chosen: readonly MetMutant[], all: readonly MetMutant[]): void {
  if (chosen.length > 0 || all.length === 0) return
  const ids = all.slice(0, 10).map(({ mutant }) => mutant.id)
  throw new StartupError([
    `--only: None of the ${all.length} changes that these tests can meet has such a name. The first are ${ids.join(', ')}.`,
  ])
}

function titleOf({ contract }: MutantServer): string {
  const { info } = contract.document as { readonly info?: { readonly title?: string; readonly version?: string } }
  return `${info?.title ?? 'the contract'} ${info?.version ?? ''}`.trim()
}
