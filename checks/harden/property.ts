import fc from 'fast-check'
import type { Service } from './service.ts'

/** Milliseconds after which no smaller counterexample is looked for. */
const SHRINKING = 20_000

/** Checks one value that depends on the seed alone. A failure is reported with a smaller value and the requests that it took. */
export function checkOnce<T>(
  { forget, keep }: Service,
  { seed }: { readonly seed: number },
  arbitrary: fc.Arbitrary<T>,
  check: (value: T) => Promise<void>,
): Promise<void> {
  const property = fc.asyncProperty(arbitrary, async (value) => {
    forget()
    try {
      await check(value)
    } catch (error) {
      // What is tried next, to find something smaller, may turn out right.
      keep()
      throw error
    }
  })
  return fc.assert(property, { seed, numRuns: 1, interruptAfterTimeLimit: SHRINKING })
}
