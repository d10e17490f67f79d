import { StartupError } from '../../base/errors/problem.ts'
import type { TestOutcome } from '../../control/client/mutation-report.ts'
import { chanceKey, draw } from '../../engine/random.ts'
import { behaviourMutants } from './mutants/behaviour-mutants.ts'
import { bodyMutants } from './mutants/body-mutants.ts'
import type { Mutant } from './mutants/mutant.ts'
import { type MutantServer, startMutantServer } from './mutant-server.ts'
import { inTurn, type MutantSearch, searchPairs, withKnown } from './pairs.ts'
import { type Outcomes, runTogether } from './run-together.ts'
import { type MutateOptions, type RunnerParts, runUsual, type UsualRun } from './run-usual.ts'
import { runWhole } from './run-whole.ts'
import type { Session } from './session.ts'
import { openSession } from './session.ts'
import { withReadyTests } from './findings.ts'
import { joinOutcomes, knownGreen, unchanged } from './saved-run.ts'
import { responseMutants } from './mutants/response-mutants.ts'
import { faultPlaces, searchSchedules } from './schedules.ts'
import {
  accept,
  type GreenIds,
  isRed,
  judge,
  type MetMutant,
  type MutantResult,
  type Mutated,
  type UsualTest,
  withUnfinished,
} from './verdict.ts'
import { timeMutants } from './mutants/time-mutants.ts'
import { wireMutants } from './mutants/wire-mutants.ts'

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
    const tried = await tryAll(usual, parts)
    return {
      contract: titleOf(server),
      command,
      seed: config.seed,
      served: server.served,
      tests: usual.tests,
      flaky: usual.flaky,
      ...tried,
      results: await withReadyTests(accept(tried.results, config.accept), { ...server, command, tests: usual.tests }),
      isInterrupted: options.signal.aborted,
      strays: usual.strays,
      milliseconds: { usual: usual.milliseconds, all: elapsed() - began },
    }
  } finally {
    session?.close()
    await server.stop()
  }
}

type TriedMutants = Pick<Mutated, 'results' | 'untried' | 'schedules' | 'green'>

/**
 * Attempts have a server of their own: their exchanges would fill the journal of the other one, where the tests that are written in the end look up what was
 * received without a mutant.
 */
async function tryAll(usual: UsualRun, parts: RunnerParts): Promise<TriedMutants> {
  const { config, elapsed, faults } = parts
  const tryThem = faults === undefined ? tryMutants : trySchedules
  if (usual.isShared) return tryThem(usual, parts)
  const server = await startMutantServer(config)
  const session = await openSession({ server, elapsed })
  try {
    return await tryThem(usual, { ...parts, server, session })
  } finally {
    session.close()
    await server.stop()
  }
}

/** Each mutant, and pairs of settings where they are asked for. */
async function tryMutants(usual: UsualRun, parts: RunnerParts): Promise<TriedMutants> {
  const { server, config, max, saved, breaking, isChosen } = parts
  const all = mutantsFor(usual.tests, server, breaking)
  const asked = all.filter(({ mutant }) => isChosen(mutant.id))
  refuseNone(asked, all)
  const chosen = sample(asked, max, config.seed)
  const known = saved ? unchanged(chosen, saved, server.served) : new Map<string, readonly TestOutcome[]>()
  const isKnown = ({ id }: Mutant, test: UsualTest) => known.get(id)?.some((one) => one.test === test.id) === true
  const fresh = chosen
    .map(({ mutant, tests }) => ({ mutant, tests: tests.filter((test) => !isKnown(mutant, test)) }))
    .filter(({ tests }) => tests.length > 0)
  const outcomes = joinOutcomes(chosen, [known, await tryEach(fresh, usual, parts)])
  const { found, green } = parts.pairs
    ? await tryPairs(chosen, usual, { ...parts, outcomes })
    : { found: [], green: new Map() }
  const results = judgeFound(
    found,
    chosen.map(({ mutant }) => mutant),
    outcomes,
  )
  return {
    results: parts.signal.aborted ? withUnfinished(results, chosen) : results,
    untried: asked.filter(({ mutant }) => !outcomes.has(mutant.id)).length,
    schedules: undefined,
    green,
  }
}

/** Schedules of faults, in each test of its own requests. */
async function trySchedules(usual: UsualRun, parts: RunnerParts): Promise<TriedMutants> {
  const { config, faults: most = 0, isChosen } = parts
  const all = usual.tests.map((test) => ({ test, places: faultPlaces(test.seen) }))
  const asked = all.map(({ test, places }) => ({ test, places: places.filter(({ mutant }) => isChosen(mutant.id)) }))
  const met = (some: typeof all) => some.flatMap(({ test, places }) => places.map((one) => ({ ...one, tests: [test] })))
  refuseNone(met(asked), met(all))
  const found: FoundMutant[] = []
  const searches = asked.map(({ test, places }) => {
    const search = { places, most, seed: config.seed }
    return [test.id, searchSchedules(search, (mutant, outcome) => void found.push({ mutant, outcome }))] as const
  })
  let schedules = 0
  const green = await runSearches(searches, usual, parts, () => parts.onProgress(`${++schedules} schedules of faults`))
  return { results: judgeFound(found), untried: 0, schedules, green }
}

function judgeFound(
  found: readonly FoundMutant[],
  tried: readonly Mutant[] = [],
  outcomes = new Map<string, readonly TestOutcome[]>(),
): MutantResult[] {
  for (const { mutant, outcome } of found) outcomes.set(mutant.id, [...(outcomes.get(mutant.id) ?? []), outcome])
  const mutants = new Map([...tried, ...found.map(({ mutant }) => mutant)].map((mutant) => [mutant.id, mutant]))
  return judge([...mutants.values()], outcomes)
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

/** What a search found in a test. */
interface FoundMutant {
  readonly mutant: Mutant
  readonly outcome: TestOutcome
}

/** Pairs of settings of behaviours, in each test those that leave it green alone. */
async function tryPairs(
  mutants: readonly MetMutant[],
  usual: UsualRun,
  { outcomes, ...parts }: RunnerParts & { readonly outcomes: ReadonlyMap<string, readonly TestOutcome[]> },
): Promise<{ readonly found: readonly FoundMutant[]; readonly green: GreenIds }> {
  const found: FoundMutant[] = []
  let done = 0
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
  const green = await runSearches(searches, usual, parts, () => parts.onProgress(`pairs: ${++done} attempts`))
  return { found, green }
}

/**
 * Searches in which one attempt depends on the one before.
 *
 * @param onTried called after each attempt, and for what is known of an earlier run
 */
async function runSearches(
  searches: readonly (readonly [string, MutantSearch])[],
  usual: UsualRun,
  parts: RunnerParts,
  onTried: () => void,
): Promise<GreenIds> {
  const { saved, server } = parts
  const green = new Map(usual.tests.map((test) => [test.id, new Set(saved && knownGreen(test, saved, server.served))]))
  const own = searches.map(
    ([test, search]) => [test, withKnown(search, green.get(test) ?? new Set(), onTried)] as const,
  )
  const [[, only] = []] = own
  const onEnded = () => undefined
  if (!usual.isShared) await runTogether(new Map(own), usual, parts, onEnded)
  else if (only) await runWhole(only, usual, { ...parts, jobs: 1 }, onEnded)
  return green
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
    ...responseMutants(contract, all, breaking),
    ...wireMutants(all),
    ...timeMutants(tests.map(({ seen }) => seen)),
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
