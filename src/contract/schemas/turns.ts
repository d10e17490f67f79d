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
const SCHEMAS_PER_TURN = 20
/** Work that compiled nothing in so many turns is done in one: it would begin again for ever. */
const MOST_IDLE = 5

export function createTurns(): Turns {
  const interrupted = new Error('The work goes on in the next turn of the event loop.')
  let left = Infinity
  const attempt = <T>(work: () => T, share: number): { readonly result: T } | undefined => {
    left = share
    try {
      return { result: work() }
    } catch (error) {
      if (error !== interrupted) throw error
      return undefined
    } finally {
      left = Infinity
    }
  }
  const turns: Turns = {
    async run(work) {
      for (let idle = 0; ;) {
        const before = turns.compiled
        const done = attempt(work, idle < MOST_IDLE ? SCHEMAS_PER_TURN : Infinity)
        if (done) return done.result
        idle = turns.compiled === before ? idle + 1 : 0
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
  return turns
}
