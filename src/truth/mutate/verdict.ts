import {
  type MutantRecord,
  type MutantVerdict,
  OPEN_VERDICTS,
  type SavedRun,
  type TestOutcome,
} from '../../control/client/mutation-report.ts'
import { newMistake } from './mistakes.ts'
import { type Mutant, shouldBeNoticed } from './mutants/mutant.ts'
import type { Attempt } from './session.ts'
import { firstDifference, hasGivenUp, type Noise, possibleDifference } from './seen.ts'

/** What a test showed of the service as it is. */
export interface UsualTest extends Pick<Attempt, 'seen' | 'mistakes' | 'milliseconds'> {
  readonly id: string
  readonly noise: Noise
}

/** A mutant, and the tests that met what it changes. */
export interface MetMutant {
  readonly mutant: Mutant
  readonly tests: readonly UsualTest[]
}

/** What became of a mutant. */
export interface MutantResult extends Pick<MutantRecord, 'verdict' | 'reason' | 'readyTest'> {
  readonly mutant: Mutant
  readonly tests: readonly TestOutcome[]
  /** Where they were written. */
  readonly files?: { readonly test: string | undefined; readonly replay: string | undefined }
}

/** By test: the pairs and schedules that leave it green, of which there are no results. */
export type GreenIds = ReadonlyMap<string, ReadonlySet<string>>

/** What a client's tests make of the changes of a service. */
export interface Mutated extends Pick<
  SavedRun,
  'contract' | 'command' | 'seed' | 'flaky' | 'isInterrupted' | 'untried'
> {
  /** A digest of what was served. */
  readonly served: string
  readonly tests: readonly UsualTest[]
  /** In the order in which they were made. */
  readonly results: readonly MutantResult[]
  /** How many schedules of faults were tried; undefined where other changes were. */
  readonly schedules: number | undefined
  readonly green: GreenIds
  /** Requests that reached no sandbox of a test; none where tests have none of their own. */
  readonly strays: number
  /** Milliseconds of the first run without a mutant, and of all runs. */
  readonly milliseconds: { readonly usual: number; readonly all: number }
}

export function outcomeOf(attempt: Attempt, usual: UsualTest): TestOutcome {
  const { test, mutant, outcome, message, seen } = attempt
  // Who received nothing failed for another reason.
  const difference = seen.length === 0 ? undefined : firstDifference(usual.seen, seen, usual.noise)
  const isSchedule = mutant?.kind === 'schedule'
  const mistake = outcome === 'passed' && isSchedule ? newMistake(attempt, usual) : undefined
  const values = (some: Attempt['seen']) => some.reduce((sum, { received }) => sum + received.size, 0)
  return {
    test,
    outcome: mistake ? 'mistaken' : outcome,
    message: mistake?.text ?? message,
    replay: isSchedule && (mistake ?? outcome !== 'passed') ? attempt.replay() : undefined,
    share: values(seen) / Math.max(1, values(usual.seen)),
    ...(outcome === 'failed' && hasGivenUp(usual.seen, seen) ? { hasGivenUp: true } : {}),
    difference: difference ?? (outcome === 'passed' ? undefined : possibleDifference(seen)),
  }
}

/** The outcomes that count: a test that received nothing else and turned red is flaky. */
export function countedTests({ tests }: Pick<MutantResult, 'tests'>): readonly TestOutcome[] {
  return tests.filter(({ difference }) => difference !== undefined)
}

/** The verdict on each mutant that was tried. */
export function judge(
  mutants: readonly Mutant[],
  outcomes: ReadonlyMap<string, readonly TestOutcome[]>,
): MutantResult[] {
  const tried = mutants.flatMap((mutant) => {
    const tests = outcomes.get(mutant.id) ?? []
    return tests.length === 0 ? [] : [{ mutant, tests, counted: countedTests({ tests }) }]
  })
  // By test and operation: the wrong responses that were tried, and of those the noticed ones.
  const wrong = tried.flatMap(({ mutant, counted }) => (shouldBeNoticed(mutant) ? counted : []))
  const placeOf = ({ test, difference }: TestOutcome) => `${difference?.operationId ?? ''} ${test}`
  const received = new Set(wrong.map(placeOf))
  const noticed = new Set(wrong.filter(isRed).map(placeOf))
  const looksOn = (one: TestOutcome) => received.has(placeOf(one)) && !noticed.has(placeOf(one))
  return tried.map(({ mutant, tests, counted }) => {
    const red = counted.filter((one) => hasFailed(one, mutant))
    const isLate = red.length > 0 && red.every(({ outcome }) => outcome === 'timed-out')
    const verdict = (): MutantVerdict => {
      if (counted.length === 0) return 'equivalent'
      if (shouldBeNoticed(mutant)) return counted.some(isRed) ? 'noticed' : 'gap'
      if (red.length > 0) return isLate ? 'timed-out' : 'relies'
      if (counted.some(isRed)) return 'noticed'
      return counted.every(looksOn) ? 'looks-on' : 'copes'
    }
    return { mutant, verdict: verdict(), tests }
  })
}

/** Whether an assertion of the test failed, as the runners write it. */
function isNoticedBy({ message = '' }: TestOutcome): boolean {
  return /\bassertion(?:error| failed)|ERR_ASSERTION|\bexpect\(/i.test(message)
}

/** Whether a test shows an assumption: it turned red, by more than an assertion about data that differs, or what its client had to report. */
export function hasFailed(one: TestOutcome, { changesData }: Pick<Mutant, 'changesData'>): boolean {
  if (one.difference === undefined || !isRed(one) || one.hasGivenUp) return false
  return !(changesData === true && isNoticedBy(one))
}

export function isRed({ outcome }: TestOutcome): boolean {
  return outcome !== 'passed'
}

export function isOpen({ verdict }: Pick<MutantResult, 'verdict'>): boolean {
  return OPEN_VERDICTS.has(verdict)
}

/** Whether the score leaves it out: neither good nor bad. */
export function isUncounted({ verdict }: Pick<MutantResult, 'verdict'>): boolean {
  return verdict === 'equivalent' || verdict === 'accepted' || verdict === 'unfinished'
}

/** The results of a run that was interrupted: a test that was not tried may notice what others did not, so a verdict holds only where one turned red. */
export function withUnfinished(results: readonly MutantResult[], mutants: readonly MetMutant[]): MutantResult[] {
  const testsOf = new Map(mutants.map(({ mutant, tests }) => [mutant.id, tests.length]))
  return results.map((one) => {
    const isWhole = one.tests.length >= (testsOf.get(one.mutant.id) ?? 0)
    return isWhole || countedTests(one).some(isRed) ? one : { ...one, verdict: 'unfinished' }
  })
}

/** The results with what the team accepts. @param reasons by the id of a mutant */
export function accept(results: readonly MutantResult[], reasons: Readonly<Record<string, string>>): MutantResult[] {
  return results.map((one) => {
    const reason = Object.hasOwn(reasons, one.mutant.id) ? reasons[one.mutant.id] : undefined
    return reason !== undefined && isOpen(one) ? { ...one, verdict: 'accepted', reason } : one
  })
}

/** The share of changes that the tests cope with or notice, in percent with one decimal; 100 where there are none. */
export function scoreOf(results: readonly MutantResult[]): number {
  const good = results.filter(({ verdict }) => verdict === 'copes' || verdict === 'noticed').length
  const all = good + results.filter(isOpen).length
  return all === 0 ? 100 : Math.floor((1000 * good) / all) / 10
}
