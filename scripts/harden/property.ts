import fc from 'fast-check'

/** Milliseconds after which no smaller counterexample is looked for. */
const SHRINKING = 60_000

/** Checks a property for one value that depends on the seed alone; a failure is reported with a smaller value. */
export function assertOnce<T>(property: fc.IAsyncProperty<T>, seed: number): Promise<void> {
  return fc.assert(property, { seed, numRuns: 1, interruptAfterTimeLimit: SHRINKING })
}
