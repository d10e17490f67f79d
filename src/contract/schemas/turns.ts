/**
 * Distributes compilation over turns of the event loop. Validators are compiled deep inside synchronous work, so when a turn has had its
 * share `spend` throws through that work, and `run` begins it again in the next turn. What was compiled is kept, so it gets further.
 */
export interface Turns {
  /** Runs work that may compile. It must be safe to begin it more than once. */
  run<T>(work: () => T): Promise<T>
  /** Call this before compiling so many schemas, or what takes as long. @throws to `run`, when the turn has had its share */
  spend(schemas: number): void
  /** The number of compiled parts. */
  compiled: number
}

/** Compiling one takes 0.1 to 0.3 ms. */
const SCHEMAS_PER_TURN = 30

export function createTurns(): Turns {
  const interrupted = new Error('The work goes on in the next turn of the event loop.')
  let left = Infinity
  const attempt = <T>(work: () => T): { readonly result: T } | undefined => {
    left = SCHEMAS_PER_TURN
    try {
      return { result: work() }
    } catch (error) {
      if (error !== interrupted) throw error
      return undefined
    } finally {
      left = Infinity
    }
  }
  return {
    async run(work) {
      for (;;) {
        const done = attempt(work)
        if (done) return done.result
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    spend(schemas) {
      // The first part of a turn is always compiled, so each turn makes progress.
      if (left <= 0) throw interrupted
      left -= schemas
    },
    compiled: 0,
  }
}
