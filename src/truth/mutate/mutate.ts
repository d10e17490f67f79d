import { StartupError } from '../../base/errors/problem.ts'
import { chanceKey, draw } from '../../engine/random.ts'
import { behaviourMutants } from './behaviour-mutants.ts'
import { bodyMutants } from './body-mutants.ts'
import type { Mutant } from './mutant.ts'
import { type MutantServer, startMutantServer } from './mutant-server.ts'
import { inTurn, searchPairs } from './pairs.ts'
import { type Outcomes, runTogether } from './run-together.ts'
import { type MutateOptions, type RunnerParts, runUsual, type UsualRun } from './run-usual.ts'
import { runWhole } from './run-whole.ts'
import type { Session } from './session.ts'
import { openSession } from './session.ts'
import { unchanged } from './saved-run.ts'
import { accept, isRed, judge, type MetMutant, type Mutated, type TestOutcome, type UsualTest } from './verdict.ts'
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
    const found = await tryEach(fresh, usual, parts)
    const outcomes = new Map([...known, ...found])
    const pairs = options.pairs ? await tryPairs(chosen, usual, { ...parts, outcomes }) : []
    for (const { mutant, outcome } of pairs) outcomes.set(mutant.id, [...(outcomes.get(mutant.id) ?? []), outcome])
    const mutants = new Map([...chosen, ...pairs].map(({ mutant }) => [mutant.id, mutant]))
    const results = accept(judge([...mutants.values()], outcomes), config.accept)
    return {
      contract: titleOf(server),
      command,
      seed: config.seed,
      tests: usual.tests,
      flaky: usual.flaky,
      results,
      isInterrupted: options.signal.aborted,
      untried: asked.filter(({ mutant }) => !outcomes.has(mutant.id)).length,
      strays: usual.strays,
      milliseconds: { usual: usual.milliseconds, all: elapsed() - began },
    }
  } finally {
    session?.close()
    await server.stop()
  }
}

/** Each mutant in each test that met it. */
async function tryEach(mutants: readonly MetMutant[], usual: UsualRun, parts: RunnerParts): Promise<Outcomes> {
  const { onProgress } = parts
  const all = usual.isShared ? mutants.length : mutants.reduce((sum, { tests }) => sum + tests.length, 0)
  const onEnded = (done: number) =>
    onProgress(`${done} of ${all} ${usual.isShared ? 'changes' : 'attempts'}`, done / all)
  const { jobs } = parts
  if (usual.isShared)
    return runWhole(
      inTurn(mutants.map(({ mutant }) => mutant)),
      usual,
      { ...parts, jobs: Math.min(jobs, mutants.length) },
      onEnded,
    )
  const searches = usual.tests.map((test) => {
    const met = mutants.filter(({ tests }) => tests.includes(test))
    return [test.id, inTurn(met.map(({ mutant }) => mutant))] as const
  })
  return runTogether(new Map(searches), usual, parts, onEnded)
}

interface FoundPair {
  readonly mutant: Mutant
  readonly outcome: TestOutcome
}

/** Pairs of settings of behaviours, in each test those that leave it green alone. */
async function tryPairs(
  mutants: readonly MetMutant[],
  usual: UsualRun,
  { outcomes, ...parts }: RunnerParts & { readonly outcomes: ReadonlyMap<string, readonly TestOutcome[]> },
): Promise<FoundPair[]> {
  const found: FoundPair[] = []
  const onEnded = (done: number) => parts.onProgress(`pairs: ${done} attempts`)
  const searches = usual.tests.map((test) => {
    const green = mutants.flatMap(({ mutant }) => {
      const outcome = outcomes.get(mutant.id)?.find((one) => one.test === test.id && !isRed(one))
      return outcome && mutant.overrides ? [{ mutant, isHiding: outcome.share < 1 }] : []
    })
    const factors = Map.groupBy(
      green.filter(({ isHiding }) => !isHiding),
      ({ mutant }) => Object.keys(mutant.overrides ?? {}).join(),
    )
    const settings = {
      factors: [...factors.values()].map((factor) => factor.map(({ mutant }) => mutant)),
      hiding: green.filter(({ isHiding }) => isHiding).map(({ mutant }) => mutant),
    }
    return [test.id, searchPairs(settings, (mutant, outcome) => void found.push({ mutant, outcome }))] as const
  })
  const [[, only] = []] = searches
  if (!usual.isShared) await runTogether(new Map(searches), usual, parts, onEnded)
  else if (only) await runWhole(only, usual, { ...parts, jobs: 1 }, onEnded)
  return found
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
