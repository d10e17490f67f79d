import { type Mutant, shouldBeNoticed } from './mutant.ts'
import type { Attempt } from './session.ts'
import { type SeenDifference, firstDifference, type Noise, type SeenExchange } from './seen.ts'

/** What a test showed of the service as it is. */
export interface UsualTest {
  readonly id: string
  readonly seen: readonly SeenExchange[]
  readonly noise: Noise
  /** Of one run. */
  readonly milliseconds: number
}

/** A mutant, and the tests that met what it changes. */
export interface MetMutant {
  readonly mutant: Mutant
  readonly tests: readonly UsualTest[]
}

/**
 * `relies`: the contract allows the change, and a test turned red. `copes`: the tests stayed green, as they should. `gap`: somebody should
 * have noticed, and no test did. `noticed`: a test noticed what it should. `equivalent`: no test received anything else.
 */
export type MutantVerdict = 'relies' | 'timed-out' | 'gap' | 'noticed' | 'copes' | 'equivalent'

/** A test under a mutant. */
export interface TestOutcome {
  readonly test: string
  readonly outcome: Attempt['outcome']
  readonly message: string | undefined
  /** Undefined where the test received what it usually does. */
  readonly difference: SeenDifference | undefined
}

/** What became of a mutant. */
export interface MutantResult {
  readonly mutant: Mutant
  readonly verdict: MutantVerdict
  readonly tests: readonly TestOutcome[]
}

export function outcomeOf({ test, outcome, message, seen }: Attempt, usual: UsualTest): TestOutcome {
  return { test, outcome, message, difference: firstDifference(usual.seen, seen, usual.noise) }
}

/** A test that received nothing else and turned red is flaky: its outcome does not count. */
export function verdictOf(mutant: Mutant, tests: readonly TestOutcome[]): MutantVerdict {
  const counted = tests.filter(({ difference }) => difference !== undefined)
  if (counted.length === 0) return 'equivalent'
  if (counted.some(({ outcome }) => outcome === 'failed')) return shouldBeNoticed(mutant) ? 'noticed' : 'relies'
  if (counted.some(({ outcome }) => outcome === 'timed-out')) return shouldBeNoticed(mutant) ? 'noticed' : 'timed-out'
  return shouldBeNoticed(mutant) ? 'gap' : 'copes'
}
